/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other programs that make or set VFs of the same functions. */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/rivals.h>
#include <sriovctl/rivals_match.h>

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/modules.h>
#include <sriovctl/pf.h>

#include <errno.h>
#include <string.h>

/* Into @ret_bdf the function that is meant. */
static enum rivals_match match_claim(const struct host *h, const struct pfs *v,
				     const struct rivals_claim *c, const char **ret_bdf)
{
	enum rivals_match best = RIVALS_NO;

	*ret_bdf = NULL;
	/* Which it is only shows when it runs: it may be any. */
	if (!*c->target)
		return RIVALS_YES;
	for (size_t i = 0; i < v->n; i++) {
		enum rivals_match m;

		if (!pf_is_subject(&v->items[i]))
			continue;
		m = rivals_match(h, &v->items[i], c->target);
		if (m == RIVALS_YES) {
			*ret_bdf = v->items[i].dev->name;
			return m;
		}
		best = m == RIVALS_UNSURE ? m : best;
	}
	return best;
}

static const char *where(struct finding *f, const struct rivals_claim *c)
{
	return c->line ? finding_path(f, "%s:%u", c->path, c->line) : c->path;
}

struct tally {
	const struct rivals_claim *first; /* that is one of the same functions */
	const char *first_bdf;
	const struct rivals_claim *unsure;
	struct buf files; /* of those that are */
	size_t n;
	/* Why options of drivers are not all known, and where they would stand; NULL: they are. */
	int unread_error;
	const char *unread;
};

static void note_unread(struct tally *t, int r, const char *where)
{
	if (r == -ENOENT || t->unread)
		return;
	t->unread_error = r;
	t->unread = where;
}

static void note_claim(const struct host *h, const struct pfs *v, const struct rivals_claim *c,
		       struct tally *t, struct finding *f)
{
	const char *bdf;

	switch (match_claim(h, v, c, &bdf)) {
	case RIVALS_YES:
		finding_note(f, where(f, c), "no claim", "%s, of %s: %s", c->who,
			     bdf ? bdf : "a function that it does not name", c->text);
		buf_printf(&t->files, "%s%s", t->files.len ? ", " : "", c->path);
		if (t->n++ == 0) {
			t->first = c;
			t->first_bdf = bdf;
		}
		break;
	case RIVALS_UNSURE:
		finding_note(f, where(f, c), NULL, "%s, of %s, which is not seen here: %s", c->who,
			     c->target, c->text);
		t->unsure = t->unsure ? t->unsure : c;
		break;
	case RIVALS_NO:
		finding_note(f, where(f, c), NULL, "%s, of %s, which is none of these functions",
			     c->who, c->target);
		break;
	}
}

/* "igb.max_vfs=4" on the command line is an option of the module as well; false: it has none. */
static bool note_max_vfs_word(const struct host *h, const char *driver, struct tally *t,
			      struct finding *f)
{
	AUTO_BUF struct buf key = { 0 };
	const struct cmdline *c = NULL;
	const char *value = NULL;
	int r = cmdline_get(h, &c, NULL);

	buf_printf(&key, "%s.max_vfs", driver);
	if (r < 0)
		note_unread(t, r, CMDLINE_PATH);
	else if (buf_error(&key) == 0)
		value = cmdline_value(c, buf_text(&key));
	if (!value || strcmp(value, "0") == 0)
		return false;
	buf_printf(&key, "=%s", value);
	finding_note(f, CMDLINE_PATH, "no such word", "%s", finding_text(f, &key));
	remedy_cmdline_remove(f, h, finding_text(f, &key));
	return true;
}

/* Options that have the driver make VFs when it binds, in modprobe.d or on the command line. */
static void note_max_vfs(const struct host *h, const struct pfs *v, struct tally *t,
			 struct finding *f)
{
	const struct modules *m = NULL;
	int known = modules_get(h, &m, NULL);

	for (size_t i = 0; i < v->n; i++) {
		AUTO_BUF struct buf value = { 0 }, source = { 0 };
		const struct pcidev *d = v->items[i].dev;
		int r = known;

		if (!pf_is_subject(&v->items[i]) || d->driver_error != 0)
			continue;
		if (note_max_vfs_word(h, d->driver, t, f)) {
			t->n++;
			t->first_bdf = t->first_bdf ? t->first_bdf : d->name;
			continue;
		}
		if (r == 0)
			r = modules_option(m, d->driver, "max_vfs", &value, &source, NULL);
		if (r < 0)
			note_unread(t, r, "/etc/modprobe.d");
		if (r < 0 || strcmp(buf_text(&value), "0") == 0)
			continue;
		t->n++;
		t->first_bdf = t->first_bdf ? t->first_bdf : d->name;
		finding_note(f, finding_text(f, &source), "no such option", "options %s max_vfs=%s",
			     d->driver, buf_text(&value));
		finding_remedy(f, "Remove max_vfs from the options of %s in %s.", d->driver,
			       buf_text(&source));
	}
}

static size_t count_subjects(const struct pfs *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++)
		n += pf_is_subject(&v->items[i]);
	return n;
}

static enum verdict judge(const struct host *h, const struct rivals *c, const struct tally *t,
			  struct finding *f)
{
	const char *of = t->first_bdf ? t->first_bdf : "a function that it does not name";

	if (t->files.len)
		finding_remedy(
			f,
			"Leave each function to one manager: take the claim out of %s, or do "
			"not provision it with this program.",
			finding_text(f, &t->files));
	if (t->n == 1)
		return finding_fail(f, ACTOR_OS, "%s makes or sets VFs of %s as well",
				    t->first ? t->first->who : "an option of the driver", of);
	if (t->n > 1)
		return finding_fail(f, ACTOR_OS,
				    "%zu others make or set VFs as well: %s, of %s, is the first",
				    t->n, t->first ? t->first->who : "an option of the driver", of);
	if (t->unsure) {
		finding_remedy(f, "Bind the functions to their drivers, so that their interfaces "
				  "show, and check again.");
		return finding_unknown(f,
				       "%s claims %s, and whether that is one of these functions "
				       "is not known",
				       t->unsure->who, t->unsure->target);
	}
	if (c->error < 0) {
		finding_unread(f, h, c->blind, c->error);
		return finding_unknown(f, "not all files of other managers could be looked at");
	}
	if (t->unread) {
		finding_unread(f, h, t->unread, t->unread_error);
		return finding_unknown(f, "whether options of the driver make VFs is not known");
	}
	finding_note(f,
		     "files of NetworkManager, systemd, netplan, nmstate, os-net-config, the "
		     "operator of Kubernetes, libvirt, udev, cloud-init, and scripts at boot",
		     NULL, "no claim");
	return finding_pass(f, "no other manager's files claim these functions");
}

static enum verdict judge_without(const struct host *h, const struct pfs *v, struct finding *f)
{
	if (pfs_are_all(h, v))
		return finding_na(f, "there is no function that could have VFs");
	finding_unread(f, h, PCIDEV_PATH, -ENODATA);
	return finding_unknown(f, "no function was captured that others could claim");
}

static enum verdict run_managers(const struct check_input *in, struct finding *f)
{
	const struct rivals *c = NULL;
	const struct pfs *v = NULL;
	struct tally t = { 0 };
	enum verdict verdict;
	int r = pfs_get(in->host, &v, NULL);

	if (r < 0) {
		finding_unread(f, in->host, PCIDEV_PATH, r);
		return finding_unknown(f, "the PCI functions of this host are not known");
	}
	if (count_subjects(v) == 0)
		return judge_without(in->host, v, f);
	if (rivals_get(in->host, &c, NULL) < 0)
		return finding_nomem(f);
	for (size_t i = 0; i < c->n; i++)
		note_claim(in->host, v, &c->items[i], &t, f);
	note_max_vfs(in->host, v, &t, f);
	verdict = judge(in->host, c, &t, f);
	buf_done(&t.files);
	return verdict;
}

static const struct check checks[] = {
	{
		.id = "host.managers",
		.title = "no other manager's files claim the same functions",
		.severity = SEVERITY_RECOMMENDED,
		.run = run_managers,
		.actor = ACTOR_OS,
		.remedy = "Leave each function to one manager.",
		.impact = "Another's change of the number of VFs takes away those that are there, "
			  "with all that was set of them.",
		.reference = "man systemd.link, [SR-IOV]; man nm-settings-nmcli, sriov; netplan's "
			     "reference, SR-IOV devices",
	},
};
CHECK_GROUP(managers_checks, checks);
