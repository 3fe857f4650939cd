/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are the VFs there that were asked for? */
#include "areas.h"
#include "pf_subject.h"
#include "vf_subject.h"

#include <sriovctl/buf.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/klog.h>
#include <sriovctl/lasting.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>

#include <errno.h>
#include <inttypes.h>

/* What the function's own registers say: 0, or why they are not known. */
static int count_enabled(const struct pf *pf, uint32_t *ret)
{
	*ret = pf->sriov_error == 0 && pf->sriov.vf_enable ? pf->sriov.num_vfs : 0;
	return pf->sriov_error == 0 && !pf->sriov.knows_control ? -ENODATA : pf->sriov_error;
}

/* Links without their function: as many as there are. */
static size_t count_lost(const struct check_input *in, const struct pfstate *s, struct finding *f)
{
	const struct pcidevs *devices = NULL;
	size_t lost = 0;

	if (pcidevs_get(in->host, &devices, NULL) < 0)
		return s->n_vfs;
	for (size_t i = 0; i < s->n_vfs; i++) {
		if (s->vfs[i].bdf && pcidevs_find(devices, s->vfs[i].bdf))
			continue;
		lost++;
		finding_note(f, finding_path(f, PCIDEV_PATH "/%s/virtfn%zu", in->pf->name, i),
			     "a PCI function", "%s",
			     s->vfs[i].bdf ? "one that is not there" : "no link");
	}
	return lost;
}

static enum verdict unknown_two(const struct check_input *in, uint32_t enabled, struct finding *f)
{
	if (host_is_partial(in->host)) {
		finding_remedy(f, "Capture the whole of /sys/bus/pci/devices and what its links "
				  "lead to, at one moment.");
		return finding_unknown(f,
				       "%" PRIu32 " VFs are enabled, and the functions of %" PRIu32
				       " were captured",
				       enabled, in->pf->numvfs);
	}
	finding_remedy(f, "Let whoever changes the number of VFs come to an end, and check again.");
	return finding_unknown(f,
			       "%" PRIu32 " VFs are enabled, and %" PRIu32
			       " have functions: they are being changed",
			       enabled, in->pf->numvfs);
}

/* There are none: is that as the boot should have left it? */
static enum verdict judge_boot(const struct check_input *in, struct finding *f)
{
	const struct lasting *l = NULL;
	uint32_t wish = 0;

	if (lasting_get(in->host, &l, NULL) < 0)
		return finding_nomem(f);
	if (l->unit_is_enabled)
		wish = lasting_wish(in->host, l, in->pf->name);
	if (wish == 0)
		return finding_na(f, "there are no VFs now");
	finding_note(f, LASTING_SPEC, NULL, "%" PRIu32 " VFs", wish);
	finding_remedy(f, "Read why " LASTING_UNIT " made none (systemctl status " LASTING_UNIT
			  "), then: systemctl restart " LASTING_UNIT ".");
	return finding_fail(f, ACTOR_OS,
			    "there are no VFs, though the spec for boot asks for %" PRIu32, wish);
}

/* The last that is known of the VFs of a copy: it was asked for some, and refused. */
static bool was_refused(const struct check_input *in, struct finding *f)
{
	AUTO_BUF struct buf line = { 0 };

	if (!host_is_partial(in->host) ||
	    !klog_find(in->host, &line, "%s: not enough MMIO resources for SR-IOV", in->pf->name))
		return false;
	finding_note(f, "kernel log", "no such line", "%s", finding_text(f, &line));
	finding_follows(f, "pf.vf_mmio");
	return true;
}

static enum verdict judge_none(const struct check_input *in, int registers, struct finding *f)
{
	const char *path = finding_path(f, PCIDEV_PATH "/%s/sriov_numvfs", in->pf->name);
	uint64_t n = 0;
	int r = 0;

	/* Of a copy links may lack that the host has. */
	if (registers < 0 && host_is_partial(in->host))
		r = host_attr_u64(in->host, 10, &n, NULL, "%s", path);
	/* Without the file the kernel offers none. */
	if (r == -ENOENT || (r == 0 && n == 0))
		return judge_boot(in, f);
	if (r < 0 && was_refused(in, f))
		return finding_fail(f, ACTOR_FIRMWARE,
				    "the kernel was asked for VFs, and had no room for theirs");
	finding_unread(f, in->host, path, r < 0 ? r : -ENODATA);
	return finding_unknown(f, "whether there are VFs is not known");
}

static enum verdict fail_fewer(const struct check_input *in, uint32_t n, struct finding *f)
{
	finding_remedy(f,
		       "Run sriovctl provision --pf %s --vfs %" PRIu32 " --recreate, which takes "
		       "away the %" PRIu32 " that there are.",
		       in->pf->name, in->vfs, n);
	return finding_fail(f, ACTOR_OS, "%" PRIu32 " of the %" PRIu32 " VFs asked for exist", n,
			    in->vfs);
}

/* They are there: is that all of them? */
static enum verdict judge_some(const struct check_input *in, struct finding *f)
{
	uint32_t n = in->pf->numvfs;
	const struct vfs *v = NULL;
	const struct pfstate *s;
	size_t lost;
	int r = vfs_get(in->host, &v, NULL);

	s = r == 0 ? pfstates_find(&v->states, in->pf->name) : NULL;
	if (!s) {
		finding_unread(f, in->host, PCIDEV_PATH, r < 0 ? r : -ENODATA);
		return finding_unknown(f, "the VFs could not be listed");
	}
	lost = count_lost(in, s, f);
	if (lost > 0 && host_is_partial(in->host)) {
		finding_remedy(f, "Capture the whole of /sys/bus/pci/devices and what its links "
				  "lead to, or send \"lspci -vvv\" of root.");
		return finding_unknown(f, "%zu of %zu VFs are in what was captured",
				       s->n_vfs - lost, s->n_vfs);
	}
	if (lost > 0) {
		finding_remedy(f,
			       "Take the VFs away and make them anew: sriovctl deprovision %s, "
			       "then provision.",
			       in->pf->name);
		return finding_fail(f, ACTOR_OS, "%zu of %zu VFs have no PCI function", lost,
				    s->n_vfs);
	}
	if (in->vfs > n)
		return fail_fewer(in, n, f);
	return finding_pass(f, "%" PRIu32 " VFs exist, each with its PCI function", n);
}

static enum verdict run_present(const struct check_input *in, struct finding *f)
{
	uint32_t n = in->pf ? in->pf->numvfs : 0, enabled = 0;
	enum verdict v;
	const struct pf *pf = pf_subject_with_vfs(in, f, &v);
	int r;

	if (!pf)
		return v;
	r = count_enabled(pf, &enabled);
	finding_note(f, finding_path(f, PCIDEV_PATH "/%s/virtfn*", in->pf->name), NULL,
		     "%" PRIu32 " links", n);
	if (r == 0)
		finding_note(f, "SR-IOV capability", NULL, "VF Enable %s, NumVFs %u",
			     pf->sriov.vf_enable ? "on" : "off", pf->sriov.num_vfs);
	/* PCI Express Base Specification, 9.3.3.7: NumVFs is set before VF Enable. */
	if (r == 0 && pf->sriov.vf_enable && pf->sriov.num_vfs == 0) {
		finding_remedy(f, "Reset the function: its registers contradict each other.");
		return finding_fail(f, ACTOR_NIC, "VFs are enabled, and their number is 0");
	}
	if (r == 0 && enabled != n)
		return unknown_two(in, enabled, f);
	return n == 0 ? judge_none(in, r, f) : judge_some(in, f);
}

static const struct check checks[] = {
	{
		.id = "vf.present",
		.title = "as many VFs as asked for exist, each with its PCI function",
		.severity = SEVERITY_REQUIRED,
		.scope = SCOPE_PF,
		.run = run_present,
		.actor = ACTOR_OS,
		.remedy = "Make the VFs.",
		.impact = "A guest that is to have a VF that is not there does not start.",
		.reference = "Linux Documentation/ABI/testing/sysfs-bus-pci, sriov_numvfs and "
			     "virtfn; PCI Express Base Specification, 9.3.3",
	},
};
CHECK_GROUP(vf_present_checks, checks);
