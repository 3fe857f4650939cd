/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/lasting.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/pfstate.h>
#include <sriovctl/rivals.h>
#include <sriovctl/spec.h>
#include <sriovctl/strv.h>

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SPEC_MAX (1u << 20)
#define UNITS	 "/etc/systemd/system"
#define SHIPPED	 "/usr/lib/systemd/system"

/* --- what is there ------------------------------------------------------------------------ */

static bool is_wanted(const struct host *h, const char *tree, const char *unit)
{
	AUTO_STRV struct strv names = { 0 };

	if (host_list(h, &names, NULL, "%s", tree) < 0)
		return false;
	for (size_t i = 0; i < names.n; i++)
		if ((strstr(names.items[i], ".wants") || strstr(names.items[i], ".requires")) &&
		    host_exists(h, "%s/%s/%s", tree, names.items[i], unit) == 0)
			return true;
	return false;
}

/* Enabled by a link from what it is wanted or required by, and not masked. */
static bool is_enabled(const struct host *h, const char *unit)
{
	AUTO_BUF struct buf target = { 0 };

	if (host_link(h, &target, NULL, UNITS "/%s", unit) == 0 &&
	    strcmp(buf_text(&target), "/dev/null") == 0)
		return false;
	return is_wanted(h, UNITS, unit) || is_wanted(h, SHIPPED, unit);
}

static int read_lasting(const struct host *h, struct lasting *l, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };

	l->spec_error = host_read(h, SPEC_MAX, &text, NULL, "%s", LASTING_SPEC);
	if (l->spec_error == 0)
		l->spec = buf_take(&text);
	l->unit_is_enabled = is_enabled(h, LASTING_UNIT);
	return host_ran_out(h) || (l->spec_error == 0 && !l->spec) ? host_nomem(h, e) : 0;
}
HOST_FACT_DEFINE(lasting, read_lasting)

void lasting_done(struct lasting *l)
{
	free(l->spec);
	*l = (struct lasting){ 0 };
}

/* --- lines of others ---------------------------------------------------------------------- */

/* What stands before, or behind, the number of VFs that are made. */
static const char *const words[] = {
	"SR-IOVVirtualFunctions", "virtual-function-count", "total-vfs",
	"SRIOV_TOTAL_VFS",	  "sriov_numvfs",	    "numvfs",
	"sriov-num-vfs"
};

int64_t lasting_number(const char *text)
{
	uint64_t n = 0;
	size_t i = 0;

	for (; isdigit((unsigned char)text[i]) && n <= UINT16_MAX; i++)
		n = n * 10 + (uint64_t)(text[i] - '0');
	return i > 0 && n <= UINT16_MAX && !isalnum((unsigned char)text[i]) ? (int64_t)n : -1;
}

/* Behind the word, as in word=8, word}="8" or word: 8; else what "echo" says before it. */
static int64_t find_count(const char *line, const char *word)
{
	const char *behind = line + (strstr(line, word) - line) + strlen(word);
	const char *echo = strstr(line, "echo ");

	behind += strspn(behind, "}\"'=: \t");
	if (isdigit((unsigned char)*behind))
		return lasting_number(behind);
	return echo ? lasting_number(echo + strlen("echo ") +
				     strspn(echo + strlen("echo "), " \"'"))
		    : -1;
}

int64_t lasting_count(const char *line)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(line, words[i]))
			return find_count(line, words[i]);
	return -1;
}

static bool is_of_cron(const struct rivals_claim *c)
{
	return strcmp(c->path, "/etc/crontab") == 0 || parse_has_prefix(c->path, "/etc/cron.d/");
}

/* Of a unit: when that is started is not looked at. */
static bool is_drop_in(const struct rivals_claim *c)
{
	return strstr(c->path, ".service.d/");
}

/* Some set what others have made: libvirt, a .network file, a switch's mode. */
bool lasting_makes(const struct host *h, const struct rivals_claim *c)
{
	static const char *const setters[] = { "VirtualFunction=", "embedded-switch-mode", "<pf " };

	for (size_t i = 0; i < ARRAY_SIZE(setters); i++)
		if (strstr(c->text, setters[i]))
			return false;
	if (parse_has_prefix(c->path, UNITS "/") && !is_drop_in(c))
		return is_enabled(h, c->path + strlen(UNITS "/"));
	return !is_of_cron(c) || strstr(c->text, "@reboot");
}

/*
 * What these say counts only where somebody calls the script and it is executable, a profile is the
 * active one, a package is there that reads the file, or somebody brings the interface up: none of
 * which is looked at.
 */
bool lasting_is_in_force(const struct rivals_claim *c)
{
	static const char *const doubtful[] = {
		"/etc/rc.local", "/etc/rc.d/",
		"/etc/init.d/",	 "/etc/tuned/",
		"/etc/sysfs.d/", "/etc/sysfs.conf",
		"/etc/network/", "/etc/NetworkManager/dispatcher.d/",
		"/etc/cloud/",	 "/var/lib/cloud/",
		"/etc/nmstate/",
	};

	if (c->is_called || is_drop_in(c))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(doubtful); i++)
		if (parse_has_prefix(c->path, doubtful[i]))
			return false;
	return true;
}

/* --- the spec ------------------------------------------------------------------------------- */

/* What would be another after a boot: @is is known, and is not what a new VF has. */
static bool is_lost(enum setting s, const struct setting_value *is)
{
	if (is->state != SETTING_KNOWN)
		return false;
	switch (s) {
	case SETTING_MAC:
	case SETTING_TRUST:
	case SETTING_RATE:
	case SETTING_LINK_STATE:
		return is->number != 0;
	case SETTING_VLAN:
		return SETTING_VLAN_ID(is->number) != 0;
	case SETTING_OVERRIDE:
		return *is->name;
	case SETTING_AUTOPROBE:
	case SETTING_ESWITCH:
	case SETTING_UP:
	case SETTING_MTU:
	case SETTING_VFS:
	case SETTING_SPOOFCHK:
	case SETTING_RSS_QUERY:
	case SETTING_QUEUES:
	case SETTING_DRIVER:
	case SETTING_VF_MTU:
	case SETTING_VF_NAME:
	case SETTING_END:
		break;
	}
	return false;
}

/* 0, -EDOM: they differ, -ENODATA: what there is now is not known; with the reason. */
static int compare_setting(enum setting s, size_t vf, const struct setting_value *is,
			   const struct setting_value *want, struct buf *ret)
{
	bool is_wanted = want->state == SETTING_KNOWN;
	AUTO_BUF struct buf now = { 0 }, then = { 0 };

	/* Whichever the kernel finds, which is so where nothing overrides it. */
	if (s == SETTING_DRIVER && is_wanted && strcmp(want->name, SETTING_DRIVER_DEFAULT) == 0)
		return 0;
	if (is_wanted && is->state == SETTING_UNKNOWN) {
		buf_printf(ret, "VF %zu: what its %s is now is not known", vf, setting_name(s));
		return -ENODATA;
	}
	if (is_wanted ? is->state != SETTING_KNOWN || setting_equal(s, is, want) : !is_lost(s, is))
		return 0;
	setting_print(s, is, &now);
	setting_print(s, want, &then);
	buf_printf(ret, "VF %zu: %s %s now, %s in the spec", vf, setting_name(s), buf_text(&now),
		   is_wanted ? buf_text(&then) : "nothing");
	return -EDOM;
}

static int compare_vf(const struct pfstate_vf *is, const struct pfstate_vf *want, size_t vf,
		      struct buf *ret)
{
	int r = 0;

	for (enum setting s = SETTING_PF_END; r == 0 && s < SETTING_END; s++)
		r = compare_setting(s, vf, &is->set[s], &want->set[s], ret);
	return r;
}

static int compare(const struct pfstate *is, const struct pfstate *want, struct buf *ret)
{
	const struct setting_value *n = &want->set[SETTING_VFS];
	int r = 0;

	if (n->state != SETTING_KNOWN) {
		buf_puts(ret, "the spec does not say how many VFs");
		return -EDOM;
	}
	if (n->number != is->n_vfs) {
		buf_printf(ret, "%zu VFs now, %u in the spec", is->n_vfs, (unsigned)n->number);
		return -EDOM;
	}
	for (size_t i = 0; r == 0 && i < is->n_vfs && i < want->n_vfs; i++)
		r = compare_vf(&is->vfs[i], &want->vfs[i], i, ret);
	return r;
}

int lasting_compare(const struct host *h, const struct lasting *l, const struct pfstate *pf,
		    struct buf *ret_why, struct error *e)
{
	AUTO_PFSTATES struct pfstates is = { 0 }, want = { 0 };
	AUTO_STRV struct strv bdfs = { 0 }, notes = { 0 };
	AUTO_SPEC struct spec *s = NULL;
	int r = spec_parse(l->spec, strlen(l->spec), LASTING_SPEC, &s, e);

	if (r < 0)
		return r;
	/* Of another function, which may be gone: this one gets its VFs all the same. */
	r = spec_match(s, h, &bdfs, e);
	if (r == 0 && !strv_has(&bdfs, pf->bdf))
		return -ENOENT;
	if (r == 0)
		r = pfstates_read(h, &bdfs, &is, e);
	if (r == 0)
		r = spec_resolve(s, h, &is, &want, &notes, e);
	if (r < 0)
		return r == -ENOMEM ? r : -EIO;
	r = compare(pfstates_find(&is, pf->bdf), pfstates_find(&want, pf->bdf), ret_why);
	if (r == -ENODATA)
		return error_set(e, r, "%s", buf_text(ret_why));
	return buf_error(ret_why) < 0 ? -ENOMEM : r;
}

uint32_t lasting_wish(const struct host *h, const struct lasting *l, const char *bdf)
{
	AUTO_STRV struct strv bdfs = { 0 };
	AUTO_SPEC struct spec *s = NULL;
	struct spec_wish w = { 0 };

	if (!l->spec || spec_parse(l->spec, strlen(l->spec), LASTING_SPEC, &s, NULL) < 0 ||
	    spec_match(s, h, &bdfs, NULL) < 0)
		return 0;
	for (size_t i = 0; i < bdfs.n; i++)
		if (strcmp(bdfs.items[i], bdf) == 0)
			return spec_wish(s, i, h, bdf, &w, NULL) == 0 ? w.vfs : 0;
	return 0;
}
