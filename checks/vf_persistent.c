/* SPDX-License-Identifier: GPL-2.0-or-later */
/* VFs that exist: will they be there after the next boot? */
#include "areas.h"
#include "pf_subject.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/lasting.h>
#include <sriovctl/modules.h>
#include <sriovctl/pf.h>
#include <sriovctl/rivals.h>
#include <sriovctl/rivals_match.h>
#include <sriovctl/vfs.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void say_how(struct finding *f)
{
	finding_remedy(f, "Put what \"sriovctl list --spec\" prints into a file, and give that to "
			  "sriovctl provision --persist -f.");
}

/* Settings that whoever only makes VFs does not make. */
static bool has_settings(const struct pfstate *s)
{
	for (size_t i = 0; i < s->n_vfs; i++) {
		const struct setting_value *set = s->vfs[i].set;

		for (enum setting k = SETTING_MAC; k <= SETTING_TRUST; k++) {
			uint64_t n =
				k == SETTING_VLAN ? SETTING_VLAN_ID(set[k].number) : set[k].number;

			if (k != SETTING_SPOOFCHK && set[k].state == SETTING_KNOWN && n != 0)
				return true;
		}
		if (set[SETTING_MAC].state == SETTING_UNKNOWN)
			return true;
	}
	return false;
}

/* --- this program's own spec -------------------------------------------------------------- */

static enum verdict judge_compared(const struct lasting *l, int r, struct finding *f)
{
	if (!l->unit_is_enabled) {
		finding_remedy(f, "Run systemctl enable " LASTING_UNIT ".");
		return finding_fail(f, ACTOR_OS,
				    "the spec for boot has the function, and " LASTING_UNIT
				    " is not enabled");
	}
	switch (r) {
	case 0:
		return finding_pass(f, "the spec for boot says what there is");
	case -EDOM:
		say_how(f);
		return finding_fail(f, ACTOR_OS,
				    "the spec for boot says something else than there is");
	case -EINVAL:
		finding_remedy(f, "Correct " LASTING_SPEC ", then check again.");
		return finding_fail(f, ACTOR_OS, "what should be the spec for boot is none");
	default:
		finding_remedy(f, "Mend what stands in the way, then check again.");
		return finding_unknown(f, "what the spec for boot comes to is not known");
	}
}

/* True: the spec decides, by @ret. */
static bool judge_spec(const struct host *h, const struct lasting *l, const struct pfstate *s,
		       struct finding *f, enum verdict *ret)
{
	AUTO_BUF struct buf why = { 0 };
	struct error e = { 0 };
	int r;

	if (l->spec_error < 0 && l->spec_error != -ENOENT) {
		finding_unread(f, h, LASTING_SPEC, l->spec_error);
		*ret = finding_unknown(f, "whether there is a spec for boot is not known");
		return true;
	}
	r = l->spec ? lasting_compare(h, l, s, &why, &e) : -ENOENT;
	if (r == -ENOENT)
		return false;
	finding_note(f, LASTING_SPEC, "what there is", "%s",
		     r == 0	  ? "the same"
		     : r == -EDOM ? finding_text(f, &why)
				  : e.text);
	finding_note(f, LASTING_UNIT, "enabled", l->unit_is_enabled ? "enabled" : "not enabled");
	*ret = judge_compared(l, r, f);
	return true;
}

/* --- others ------------------------------------------------------------------------------- */

static enum verdict judge_line(const char *path, const char *text, int64_t count,
			       const struct pfstate *s, struct finding *f)
{
	finding_note(f, path, NULL, "%s", text);
	if (count < 0) {
		finding_remedy(f, "Read %s: does it make %zu VFs?", path, s->n_vfs);
		return finding_unknown(f, "%s makes VFs at boot; how many is not plain", path);
	}
	if ((size_t)count != s->n_vfs) {
		finding_remedy(f, "Make it %zu in %s, or change what there is.", s->n_vfs, path);
		return finding_fail(f, ACTOR_OS,
				    "%s makes %" PRId64 " VFs at boot; now there are %zu", path,
				    count, s->n_vfs);
	}
	if (has_settings(s)) {
		finding_remedy(f, "Read what sets addresses and VLANs of the VFs at boot.");
		return finding_unknown(f,
				       "%s makes the VFs at boot; whether their settings will be "
				       "made is not known",
				       path);
	}
	return finding_pass(f, "%s makes %zu VFs at boot, and nothing else is set of them", path,
			    s->n_vfs);
}

/* A parameter of the driver holds for all its functions. */
static bool judge_parameter(const struct host *h, const struct pfstate *s, struct finding *f,
			    enum verdict *ret)
{
	AUTO_BUF struct buf value = { 0 }, source = { 0 };
	const struct modules *m = NULL;
	int64_t count;

	if (!s->driver || modules_get(h, &m, NULL) < 0 ||
	    modules_option(m, s->driver, "max_vfs", &value, &source, NULL) < 0)
		return false;
	count = lasting_number(buf_text(&value));
	if (count == 0)
		return false;
	*ret = judge_line(finding_text(f, &source),
			  finding_path(f, "options %s max_vfs=%s", s->driver, buf_text(&value)),
			  count, s, f);
	return true;
}

/* The first line that makes VFs of this function, or that may. */
static const struct rivals_claim *find_claim(const struct host *h, const struct rivals *v,
					     const struct pf *pf, enum rivals_match wanted)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct rivals_claim *c = &v->items[i];
		enum rivals_match m = *c->target ? rivals_match(h, pf, c->target) : RIVALS_UNSURE;

		if (m == wanted && lasting_makes(h, c))
			return c;
	}
	return NULL;
}

static enum verdict judge_none(const struct host *h, const struct rivals *v, const struct pf *pf,
			       struct finding *f)
{
	if (v->error < 0) {
		finding_unread(f, h, v->blind, v->error);
		return finding_unknown(f, "whether anything makes the VFs at boot is not known");
	}
	for (size_t i = 0; i < v->n; i++)
		if (*v->items[i].target && rivals_match(h, pf, v->items[i].target) == RIVALS_YES)
			finding_note(f, v->items[i].path, NULL, "makes none, or is not enabled: %s",
				     v->items[i].text);
	finding_note(f, "/etc", "what makes VFs at boot",
		     "no spec for boot, and no line of another manager, a rule, a unit or a script "
		     "that does");
	say_how(f);
	return finding_fail(f, ACTOR_OS,
			    "nothing of what is looked at makes the VFs when the host boots");
}

static enum verdict judge_others(const struct check_input *in, const struct pfstate *s,
				 struct finding *f)
{
	const struct pf *pf = pf_of(in->host, in->pf);
	const struct rivals_claim *c;
	const struct rivals *v = NULL;
	enum verdict verdict;

	if (!pf || rivals_get(in->host, &v, NULL) < 0)
		return finding_nomem(f);
	c = find_claim(in->host, v, pf, RIVALS_YES);
	if (c && !lasting_is_in_force(c)) {
		finding_note(f, c->path, NULL, "%s", c->text);
		finding_remedy(f, "Find out whether %s is in force at boot.", c->path);
		return finding_unknown(
			f, "%s makes VFs, where it is run at boot, which is not plain", c->path);
	}
	if (c)
		return judge_line(c->path, c->text, lasting_count(c->text), s, f);
	if (judge_parameter(in->host, s, f, &verdict))
		return verdict;
	c = find_claim(in->host, v, pf, RIVALS_UNSURE);
	if (!c)
		return judge_none(in->host, v, pf, f);
	finding_note(f, c->path, NULL, "%s", c->text);
	finding_remedy(f, "Read %s: does it mean %s?", c->path, s->netdev ? s->netdev : s->bdf);
	return finding_unknown(f, "%s makes VFs at boot; of which function is not plain", c->path);
}

/* Of a copy links may lack that the host has. */
static bool may_have_vfs(const struct host *h, const struct pf *pf)
{
	uint64_t n = 0;
	int r;

	if (!host_is_partial(h))
		return false;
	/* Whether all that are on were seen is vf.present's to say. */
	if (pf->sriov_error == 0 && pf->sriov.knows_control)
		return pf->sriov.vf_enable && pf->sriov.num_vfs > 0;
	r = host_attr_u64(h, 10, &n, NULL, PCIDEV_PATH "/%s/sriov_numvfs", pf->dev->name);
	return r != -ENOENT && (r < 0 || n > 0);
}

static enum verdict run_persistent(const struct check_input *in, struct finding *f)
{
	const struct lasting *l = NULL;
	const struct pfstate *s = NULL;
	const struct vfs *v = NULL;
	const struct pf *pf;
	enum verdict verdict;

	pf = pf_subject_with_vfs(in, f, &verdict);
	if (!pf)
		return verdict;
	if (in->pf->numvfs == 0 && may_have_vfs(in->host, pf)) {
		finding_follows(f, "vf.present");
		return finding_unknown(f, "whether there are VFs is not known");
	}
	if (in->pf->numvfs == 0)
		return finding_na(f, "there are no VFs that could be lost");
	if (lasting_get(in->host, &l, NULL) < 0)
		return finding_nomem(f);
	if (vfs_get(in->host, &v, NULL) == 0)
		s = pfstates_find(&v->states, in->pf->name);
	if (!s) {
		finding_unread(f, in->host, PCIDEV_PATH, -ENODATA);
		return finding_unknown(f, "the VFs could not be listed");
	}
	return judge_spec(in->host, l, s, f, &verdict) ? verdict : judge_others(in, s, f);
}

static const struct check checks[] = {
	{
		.id = "vf.persistent",
		.title = "the VFs that there are will be there after a boot",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_PF,
		.run = run_persistent,
		.actor = ACTOR_OS,
		.remedy = "Have them made at boot.",
		.impact = "After the next boot there are none, and guests that need them do not "
			  "start.",
		.reference = "Linux Documentation/PCI/pci-iov-howto.rst; systemd.link(5), "
			     "SR-IOVVirtualFunctions=; netplan(5); nm-settings(5), sriov",
	},
};
CHECK_GROUP(vf_persistent_checks, checks);
