/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: address space for what its VFs show to drivers. */
#include "areas.h"
#include "pf_subject.h"
#include "remedy.h"

#include <sriovctl/buf.h>
#include <sriovctl/capacity.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/klog.h>
#include <sriovctl/pcitree.h>
#include <sriovctl/pf.h>

#include <errno.h>
#include <inttypes.h>

/* What the verdict rests on: the rows of "resource", or else the registers. */
static void note_source(struct finding *f, const struct pf *pf, const struct capacity_mmio *m,
			const char *observed)
{
	const char *path = finding_path(f, PCIDEV_PATH "/%s/%s", pf->dev->name,
					m->by_kernel ? "resource" : "config");

	finding_note(f, path, "an address for each VF BAR", "%s", observed);
}

/*
 * The windows of the port above, through which all that the VFs ask for must fit: true where
 * they are known and none of them is above 4 GB.
 */
static bool note_windows(const struct host *h, const struct pf *pf, struct finding *f)
{
	static const char *const kinds[] = { "memory", "prefetchable memory" };
	AUTO_BUF struct buf port = { 0 };
	const struct pcidevs *v = NULL;
	const struct pcidev *d;
	bool is_low = true;

	if (pcitree_parent(h, pf->dev->name, &port, NULL) < 0 || pcidevs_get(h, &v, NULL) < 0)
		return false;
	d = pcidevs_find(v, buf_text(&port));
	if (!d || d->rows_error < 0)
		return false;
	for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++) {
		const struct pcidev_row *row = &d->rows[PCIDEV_ROW_WINDOWS + 1 + i];

		is_low = is_low && row->end <= UINT32_MAX;
		if (row->end > row->start)
			finding_note(f, d->name, NULL, "window for %s: %" PRIx64 " to %" PRIx64,
				     kinds[i], row->start, row->end);
	}
	return is_low;
}

/* What the kernel logged when it found no room: how much it was.  False: nothing of it. */
static bool note_log(const struct host *h, const struct pf *pf, const struct capacity_mmio *m,
		     struct finding *f)
{
	AUTO_BUF struct buf line = { 0 };
	const struct klog *log = NULL;
	const char *name = pf->dev->name;
	unsigned row = PCIDEV_ROW_VF + m->bar;

	if (klog_get(h, &log, NULL) < 0 ||
	    !(klog_find(h, &line, "%s: VF BAR %u [mem size ", name, m->bar) ||
	      klog_find(h, &line, "%s: BAR %u: no space for ", name, row) ||
	      klog_find(h, &line, "%s: BAR %u: failed to assign ", name, row) ||
	      klog_find(h, &line, "%s: BAR %u: can't assign ", name, row) ||
	      klog_find(h, &line, "%s: not enough MMIO resources for SR-IOV", name)))
		return false;
	finding_note(f, log->source, NULL, "%s", buf_text(&line));
	return true;
}

/* What is behind it, as far as that shows. */
static const char *note_cause(const struct host *h, const struct pf *pf,
			      const struct capacity_mmio *m, struct finding *f)
{
	bool is_low = note_windows(h, pf, f), is_logged = note_log(h, pf, m, f);

	if (m->above_4g && is_low)
		return ", as the port above has no window above 4 GB";
	return is_logged ? ", as the kernel found too little room for it" : "";
}

static void say_mmio(const struct host *h, const struct capacity_mmio *m, struct finding *f)
{
	static const char *const off[] = { "realloc=off", "realloc" };
	const struct cmdline *c = NULL;
	int last = cmdline_get(h, &c, NULL) == 0 ? cmdline_last_item(c, "pci", off, 2) : -1;

	if (last == 0)
		remedy_cmdline_remove(f, h, "pci=realloc=off");
	remedy_setup(f, h, PLATFORM_SRIOV);
	if (m->above_4g)
		remedy_setup(f, h, PLATFORM_ABOVE4G);
	if (last < 0)
		remedy_cmdline_add(f, h, "pci=realloc");
}

static enum verdict fail_mmio(const struct host *h, const struct pf *pf,
			      const struct capacity_mmio *m, struct finding *f)
{
	const char *cause;

	if (m->by_log)
		note_source(f, pf, m, "each that shows has one; the log tells of another");
	else
		note_source(f, pf, m,
			    m->state == CAPACITY_MMIO_PARTLY ? "one of them has none" : "none");
	cause = note_cause(h, pf, m, f);
	say_mmio(h, m, f);
	if (m->bar == CAPACITY_MMIO_BARS)
		return finding_fail(f, ACTOR_FIRMWARE,
				    "the kernel could not make one VF: a VF BAR has no address "
				    "space");
	if (m->state == CAPACITY_MMIO_PARTLY)
		return finding_fail(f, ACTOR_FIRMWARE,
				    "VF BAR %u has no address space%s: not one VF works", m->bar,
				    cause);
	return finding_fail(f, ACTOR_FIRMWARE, "no VF BAR has address space%s: not one VF works",
			    cause);
}

/* Of a VF BAR of 32 bits that got no room nothing is left but what the kernel logged then. */
static enum verdict unsure_mmio(const struct host *h, const struct pf *pf,
				const struct capacity_mmio *m, struct finding *f)
{
	const struct klog *log = NULL;
	bool has_log = klog_get(h, &log, NULL) == 0;

	note_source(f, pf, m, "each that shows has one");
	finding_note(f, has_log ? log->source : "kernel log", "what became of each VF BAR", "%s",
		     has_log ? "not from the boot on, or not to the end of it" : "cannot be read");
	if (host_is_partial(h))
		finding_remedy(f, "Add the kernel log of the boot (journalctl -k -b), from its "
				  "first line on.");
	else
		finding_remedy(f, "Look for its VF BARs in the log of the boot (journalctl -k -b), "
				  "or make one VF: that works only where none lacks room.");
	return finding_unknown(f,
			       "whether a VF BAR without address space is hidden: one of 32 bits "
			       "shows nowhere but in the log of the boot");
}

static enum verdict pass_mmio(const struct pf *pf, const struct capacity_mmio *m, struct finding *f)
{
	AUTO_BUF struct buf sizes = { 0 };
	const char *text;

	for (unsigned i = 0; i < ARRAY_SIZE(m->vf_size); i++)
		if (m->vf_size[i] > 0)
			buf_printf(&sizes, "%s%" PRIu64 " KiB of VF BAR %u for each VF",
				   sizes.len ? ", " : "", m->vf_size[i] >> 10, i);
	text = finding_text(f, &sizes);
	note_source(f, pf, m, *text ? text : "all assigned");
	return finding_pass(f, "the VF BARs have address space");
}

static enum verdict judge_mmio(const struct check_input *in, const struct pf *pf,
			       const struct capacity_mmio *m, struct finding *f)
{
	switch (m->state) {
	case CAPACITY_MMIO_ASSIGNED:
		return pass_mmio(pf, m, f);
	case CAPACITY_MMIO_ALLOCATED:
		finding_note(f, "Enhanced Allocation", NULL, "entries for VF BARs");
		return finding_pass(f, "the VF BARs have built-in addresses");
	case CAPACITY_MMIO_NONE:
	case CAPACITY_MMIO_PARTLY:
		return fail_mmio(in->host, pf, m, f);
	case CAPACITY_MMIO_UNSEEN:
		note_source(f, pf, m,
			    "addresses in its registers, where one of 32 bits without does not "
			    "show; no word of the kernel against");
		return finding_pass(f, "the VF BARs have addresses");
	case CAPACITY_MMIO_NO_IOV:
		finding_note(f, "resource", "13 rows", "%zu rows", pf->dev->n_rows);
		finding_follows(f, "kernel.sriov");
		return finding_unknown(f, "this kernel does not look at VF BARs");
	case CAPACITY_MMIO_UNKNOWN:
		break;
	}
	if (m->may_hide)
		return unsure_mmio(in->host, pf, m, f);
	pf_subject_unread(f, in->host, pf, m->error);
	return finding_unknown(f, "whether every VF BAR has address space is not known: %s",
			       pciconf_why(m->error));
}

static enum verdict run_mmio(const struct check_input *in, struct finding *f)
{
	struct capacity_mmio m;
	uint32_t wanted;
	enum verdict v;
	const struct pf *pf = pf_subject_with_vfs(in, f, &v);

	if (!pf)
		return v;
	capacity_mmio_read(in->host, pf, &m);
	if (capacity_wanted(pf, in->vfs, &wanted) == 0 && m.vfs < wanted) {
		finding_note(f, "VF Resizable BAR", NULL, "room for %" PRIu32 " VFs", m.vfs);
		finding_remedy(f, "Make the VF BARs smaller again, or ask for fewer VFs.");
		return finding_fail(f, ACTOR_OS, "the VF BARs were resized: %" PRIu32 " VFs fit",
				    m.vfs);
	}
	return judge_mmio(in, pf, &m, f);
}

static const struct check checks[] = {
	{
		.id = "pf.vf_mmio",
		.title = "the VF BARs have address space",
		.severity = SEVERITY_REQUIRED,
		.scope = SCOPE_PF,
		.run = run_mmio,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Have the firmware reserve address space for VFs.",
		.impact = "Every write of sriov_numvfs, even of 1, answers ENOMEM: not enough MMIO "
			  "resources for SR-IOV.",
		.reference = "PCI Express Base Specification, 9.3.3.14 (VF BARs); Linux "
			     "drivers/pci/iov.c, sriov_init() and sriov_enable()",
	},
};
CHECK_GROUP(pf_mmio_checks, checks);
