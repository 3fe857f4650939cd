/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: does firmware keep memory mapped that forbids giving its VFs away? */
#include "areas.h"
#include "pf_subject.h"

#include <sriovctl/buf.h>
#include <sriovctl/finding.h>
#include <sriovctl/firmware.h>
#include <sriovctl/host.h>
#include <sriovctl/iommu.h>
#include <sriovctl/kernel.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pcitree.h>
#include <sriovctl/pf.h>
#include <sriovctl/reserved.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/*
 * VT-d's driver refuses such a function itself (drivers/iommu/intel/iommu.c,
 * device_is_rmrr_locked()); since 6.6 the core does for all drivers (drivers/iommu/iommu.c,
 * require_direct).
 */
static bool kernel_refuses(const struct host *h)
{
	const struct kernel *k = NULL;

	return iommu_kind(h) == IOMMU_INTEL || kernel_get(h, &k, NULL) < 0 ||
	       kernel_is_at_least(k, 6, 6);
}

static void note_regions(struct finding *f, const char *group, const struct reserved *v)
{
	const char *path = finding_path(f, IOMMU_GROUPS "/%s/reserved_regions", group);

	for (size_t i = 0; i < v->n; i++)
		finding_note(f, path, "no region of type direct",
			     "0x%" PRIx64 " to 0x%" PRIx64 " direct", v->direct[i].start,
			     v->direct[i].end);
	if (v->n == 0)
		finding_note(f, path, "no region of type direct", "none");
}

/* What the groups' lists are made from, for a kernel or a capture without them. */
static bool tables_reserve_nothing(const struct host *h)
{
	const struct firmware *fw = NULL;

	if (firmware_get(h, &fw, NULL) < 0)
		return false;
	if (iommu_kind(h) == IOMMU_INTEL)
		return fw->dmar_error == 0 && !fw->dmar.damage && fw->dmar.n_reserved == 0;
	return iommu_kind(h) == IOMMU_AMD && fw->ivrs_error == 0 && !fw->ivrs.damage &&
	       fw->ivrs.n_reserved == 0;
}

static enum verdict judge_unread(const struct check_input *in, struct finding *f, const char *group,
				 int r)
{
	if ((r == -ENOENT || r == -ENODATA) && tables_reserve_nothing(in->host)) {
		finding_note(f, FIRMWARE_TABLES, NULL, "no RMRR in the DMAR, no IVMD in the IVRS");
		return finding_pass(f, "firmware reserves no memory for any function");
	}
	finding_unread(f, in->host, finding_path(f, IOMMU_GROUPS "/%s/reserved_regions", group), r);
	return finding_unknown(f, "which memory firmware reserves for the function is not known");
}

static void say_remedy(struct finding *f)
{
	finding_remedy(f, "Update the firmware, or switch off in its setup what shares memory with "
			  "the card (HPE: the shared memory features, RMRDS, of its slot), or use "
			  "another slot.");
}

/* The regions of the group that the function @name is in; -ENODATA: which that is is not known. */
static int read_regions(const struct host *h, const char *name, struct reserved *ret,
			const char **ret_group)
{
	const struct pcidevs *devices = NULL;
	const struct pcidev *d;
	int r = pcidevs_get(h, &devices, NULL);

	if (r < 0)
		return r;
	d = pcidevs_find(devices, name);
	if (!d || !d->group)
		return -ENODATA;
	*ret_group = d->group;
	return reserved_read(h, d->group, ret, NULL);
}

/* Into @ret_vf the first VF that memory is reserved for; an error: not all could be looked at. */
static int look_at_vfs(const struct check_input *in, struct finding *f, struct buf *ret_vf)
{
	const struct pcitree *t = NULL;
	uint32_t seen = 0;
	int r = pcitree_get(in->host, &t, NULL);

	for (size_t i = 0; r == 0 && i < t->n && ret_vf->len == 0; i++) {
		AUTO_RESERVED struct reserved own = { 0 };
		const struct pcitree_node *n = &t->nodes[i];
		const char *group;

		if (!n->pf || strcmp(n->pf->name, in->pf->name) != 0)
			continue;
		seen++;
		r = read_regions(in->host, n->name, &own, &group);
		if (r < 0 || own.n == 0)
			continue;
		note_regions(f, group, &own);
		buf_puts(ret_vf, n->name);
	}
	return r == 0 && ret_vf->len == 0 && seen < in->pf->numvfs ? -ENODATA : r;
}

/*
 * What firmware names a bridge for it has for all below, VFs included (VT-d specification,
 * 8.3.1, PCI sub-hierarchy); and a VF that joins the function's group shares its fate.
 * @ret is NULL where no port is so.
 */
static int find_port(const struct check_input *in, const struct reserved *own,
		     const struct pcitree_node **ret)
{
	const struct pcitree *t = NULL;
	const struct pcitree_node *n;
	int r = pcitree_get(in->host, &t, NULL);

	if (r < 0)
		return r;
	n = pcitree_find(t, in->pf->name);
	for (; n && n->parent; n = n->parent) {
		AUTO_RESERVED struct reserved theirs = { 0 };
		const char *group;

		r = read_regions(in->host, n->parent->name, &theirs, &group);
		if (r < 0)
			return r;
		if (!reserved_overlap(own, &theirs))
			continue;
		*ret = n->parent;
		return 0;
	}
	return n && n->parent_error == -ENOENT ? 0 : -ENODATA;
}

static enum verdict pass_own(struct finding *f)
{
	return finding_pass(f, "firmware reserves memory of the function itself, but not of its "
			       "VFs");
}

/* Of VFs that do not exist yet. */
static enum verdict judge_future(const struct check_input *in, struct finding *f,
				 const struct reserved *own)
{
	const struct pcitree_node *port = NULL;
	int r = find_port(in, own, &port);

	if (port) {
		say_remedy(f);
		return finding_fail(f, ACTOR_FIRMWARE,
				    "VFs would be refused: firmware reserves memory for all below "
				    "port %s",
				    port->name);
	}
	/* An RMRR names functions one by one, or the bridge above them. */
	if (r == 0 && iommu_kind(in->host) == IOMMU_INTEL)
		return pass_own(f);
	finding_remedy(f, "Make one VF and check again: what is reserved for it shows only then.");
	return finding_unknown(f, "firmware reserves memory of the function; whether of its VFs "
				  "too is not known");
}

static enum verdict judge(const struct check_input *in, struct finding *f,
			  const struct reserved *own)
{
	AUTO_BUF struct buf vf = { 0 };
	int r = look_at_vfs(in, f, &vf);

	if (buf_error(&vf) < 0)
		return finding_nomem(f);
	if ((vf.len > 0 || own->n > 0) && !kernel_refuses(in->host))
		return finding_pass(f, "firmware reserves memory, and this kernel gives functions "
				       "away all the same");
	if (vf.len > 0) {
		say_remedy(f);
		return finding_fail(f, ACTOR_FIRMWARE,
				    "VFs are refused: firmware reserves memory for %s",
				    finding_text(f, &vf));
	}
	if (r < 0) {
		finding_unread(f, in->host, IOMMU_GROUPS, r);
		return finding_unknown(f,
				       "which memory firmware reserves for the VFs is not known");
	}
	if (own->n == 0)
		return finding_pass(f, "firmware reserves no memory for the function");
	if (in->pf->numvfs > 0)
		return pass_own(f);
	return judge_future(in, f, own);
}

static enum verdict run_reserved(const struct check_input *in, struct finding *f)
{
	AUTO_RESERVED struct reserved own = { 0 };
	AUTO_BUF struct buf observed = { 0 };
	const char *source;
	enum verdict verdict;
	int r;

	if (!pf_subject_with_vfs(in, f, &verdict))
		return verdict;
	if (iommu_state(in->host, &source, &observed) == IOMMU_OFF)
		return finding_na(f, "no IOMMU is at work that would keep memory mapped");
	if (!in->pf->group) {
		finding_follows(f, "pf.iommu_group");
		return finding_unknown(f, "the function's group is not known");
	}
	r = reserved_read(in->host, in->pf->group, &own, NULL);
	if (r < 0)
		return judge_unread(in, f, in->pf->group, r);
	note_regions(f, in->pf->group, &own);
	return judge(in, f, &own);
}

static const struct check checks[] = {
	{
		.id = "pf.reserved_memory",
		.title = "firmware reserves no memory that forbids giving VFs away",
		.severity = SEVERITY_REQUIRED,
		.scope = SCOPE_PF,
		.run = run_reserved,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Update the firmware.",
		.impact = "VFIO refuses the VFs: what firmware shares with the card would break.",
		.reference = "Intel VT-d specification, 8.4 (RMRR); Linux Documentation/ABI/"
			     "testing/sysfs-kernel-iommu_groups, reserved_regions",
	},
};
CHECK_GROUP(pf_reserved_checks, checks);
