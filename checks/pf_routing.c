/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: are its VFs reached, by bus numbers and by the port above? */
#include "areas.h"
#include "pf_subject.h"
#include "remedy.h"

#include <sriovctl/capacity.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/machine.h>
#include <sriovctl/pf.h>

#include <errno.h>
#include <inttypes.h>

/* --- pf.vf_bus ------------------------------------------------------------------------- */

static void note_places(const struct capacity_bus *b, uint32_t wanted, struct finding *f)
{
	finding_note(f, b->source, NULL, "offset %" PRIu32 ", stride %" PRIu32, b->first_offset,
		     b->stride);
	if (wanted > 0)
		finding_note(f, b->source, NULL, "VF %" PRIu32 " is at bus %02" PRIx64, wanted,
			     capacity_bus_of(b, wanted));
	if (b->bridge && b->is_end_known)
		finding_note(f, b->bridge, NULL, "buses up to %02" PRIx32, b->end);
	if (b->is_estimate)
		finding_note(f, b->source, NULL,
			     "with the VFs there are now: for another count they may differ");
}

static enum verdict fail_bus(const struct host *h, const struct capacity_bus *b, uint32_t wanted,
			     struct finding *f)
{
	remedy_setup(f, h, PLATFORM_SRIOV);
	remedy_setup(f, h, PLATFORM_ARI);
	if (!machine_is_not_x86(h))
		remedy_cmdline_add(f, h, "pci=assign-busses");
	if (b->at_most == 0)
		return finding_fail(f, ACTOR_FIRMWARE,
				    "bus numbers reach no VF: the first takes bus %02" PRIx64
				    ", and they end at %02" PRIx32,
				    capacity_bus_of(b, 1), b->end);
	finding_remedy(f, "Or ask for %" PRIu32 " VFs or fewer.", b->at_most);
	return finding_fail(f, ACTOR_FIRMWARE,
			    "bus numbers reach VF %" PRIu32 " of %" PRIu32
			    ": it takes bus %02" PRIx64 ", and they end at %02" PRIx32,
			    b->at_most, wanted, capacity_bus_of(b, wanted), b->end);
}

static enum verdict judge_bus(const struct host *h, const struct capacity_bus *b, uint32_t wanted,
			      struct finding *f)
{
	if (wanted > b->at_most)
		return fail_bus(h, b, wanted, f);
	if (wanted <= b->at_least)
		return finding_pass(f, "bus numbers reach VF %" PRIu32, wanted);
	if (b->on_root_bus)
		finding_remedy(f,
			       "Look in the kernel log of the boot for \"root bus resource [bus\" "
			       "of bus %02" PRIx32 ".",
			       b->bus);
	else if (host_is_partial(h))
		finding_remedy(f, "Add the port above the function to the captured root.");
	else
		finding_remedy(f, "Run the check as root.");
	return finding_unknown(
		f, "VF %" PRIu32 " is at bus %02" PRIx64 "; how far bus numbers reach is not known",
		wanted, capacity_bus_of(b, wanted));
}

static enum verdict run_bus(const struct check_input *in, struct finding *f)
{
	const struct capacity_bus *b = NULL;
	uint32_t wanted = 0;
	enum verdict v;
	const struct pf *pf = pf_subject_with_vfs(in, f, &v);
	int r;

	if (!pf)
		return v;
	if (capacity_bus_get(in->host, pf, &b, NULL) < 0)
		return finding_nomem(f);
	r = b->error ? b->error : capacity_wanted(pf, in->vfs, &wanted);
	if (b->error == 0)
		note_places(b, wanted, f);
	if (r == 0)
		return judge_bus(in->host, b, wanted, f);
	pf_subject_unread(f, in->host, pf, r);
	return finding_unknown(f, "where the VFs are to be is not known: %s", pciconf_why(r));
}

/* --- pf.ari ------------------------------------------------------------------------------ */

static void note_ari(const struct capacity_ari *a, struct finding *f)
{
	if (a->source)
		finding_note(f, a->source, "on", a->state == CAPACITY_ARI_ON ? "on" : "off");
	if (a->device_error == 0 || a->device_error == -ENOENT)
		finding_note(f, "ARI capability", "present",
			     a->device_error ? "absent" : "present");
	if (a->port && a->port_error == 0)
		finding_note(f, a->port, "forwards ARI",
			     a->port_capable ? "can forward ARI" : "cannot forward ARI");
}

static enum verdict explain_off(const struct host *h, const struct capacity_ari *a,
				struct finding *f)
{
	const struct cmdline *c = NULL;

	if (cmdline_get(h, &c, NULL) == 0 && cmdline_has_item(c, "pci", "noari")) {
		remedy_cmdline_remove(f, h, "pci=noari");
		return finding_fail(f, ACTOR_CMDLINE, "ARI is off: pci=noari on the command line");
	}
	if (a->port && a->port_error == 0 && !a->port_capable) {
		finding_remedy(f, "Move the card to a slot whose port forwards ARI.");
		return finding_fail(f, ACTOR_HARDWARE, "ARI is off: the port %s cannot forward it",
				    a->port);
	}
	if (a->device_error == -ENOENT) {
		finding_remedy(f,
			       "Update the card's firmware; if it is the newest, keep to the VFs "
			       "that are reached.");
		return finding_fail(f, ACTOR_NIC,
				    "ARI is off: the function has no such capability");
	}
	remedy_setup(f, h, PLATFORM_ARI);
	return finding_fail(f, ACTOR_FIRMWARE, "ARI is off on the port above the function");
}

/* Off, which matters for VFs that are not at device 0 of the function's own bus. */
static enum verdict judge_off(const struct host *h, const struct capacity_bus *b,
			      const struct capacity_ari *a, uint32_t wanted, struct finding *f)
{
	if (b->error < 0 || wanted == 0)
		return finding_unknown(f, "ARI is off; whether the VFs need it is not known");
	if (a->reached >= wanted && capacity_bus_of(b, wanted) == b->bus)
		return finding_pass(f, "ARI is off, and none of %" PRIu32 " VFs needs it", wanted);
	if (a->reached < wanted)
		finding_note(f, b->source, NULL,
			     "VFs from %" PRIu32 " on are at another device number than 0",
			     a->reached + 1);
	else
		finding_note(f, b->source, NULL,
			     "VFs take further bus numbers: VF %" PRIu32 " is at bus %02" PRIx64,
			     wanted, capacity_bus_of(b, wanted));
	return explain_off(h, a, f);
}

static enum verdict run_ari(const struct check_input *in, struct finding *f)
{
	const struct capacity_bus *b = NULL;
	AUTO_CAPACITY_ARI struct capacity_ari a = { 0 };
	uint32_t wanted = 0;
	enum verdict v;
	const struct pf *pf = pf_subject_with_vfs(in, f, &v);

	if (!pf)
		return v;
	if (capacity_bus_get(in->host, pf, &b, NULL) < 0 ||
	    capacity_ari_read(in->host, pf, &a, NULL) < 0)
		return finding_nomem(f);
	if (a.state == CAPACITY_ARI_ON || a.state == CAPACITY_ARI_OFF)
		note_ari(&a, f);
	switch (a.state) {
	case CAPACITY_ARI_ON:
		return finding_pass(f, "ARI is on");
	case CAPACITY_ARI_NO_PORT:
		return finding_na(f, "the function is on a root bus: no port has to forward ARI");
	case CAPACITY_ARI_OFF:
		if (capacity_wanted(pf, in->vfs, &wanted) < 0 || b->error < 0)
			pf_subject_unread(f, in->host, pf, b->error ? b->error : pf->sriov_error);
		return judge_off(in->host, b, &a, wanted, f);
	case CAPACITY_ARI_UNKNOWN:
		break;
	}
	pf_subject_unread(f, in->host, pf, a.error);
	return finding_unknown(f, "whether ARI is on is not known");
}

static const struct check checks[] = {
	{
		.id = "pf.vf_bus",
		.title = "bus numbers reach the last VF",
		.severity = SEVERITY_REQUIRED,
		.scope = SCOPE_PF,
		.run = run_bus,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Have the firmware leave bus numbers below the port.",
		.impact = "A write of sriov_numvfs answers ENOMEM: bus out of range.",
		.reference = "PCI Express Base Specification, 9.3.3.9 and 9.3.3.10; Linux "
			     "drivers/pci/iov.c, sriov_enable()",
	},
	{
		.id = "pf.ari",
		.title = "ARI is on, where the number of VFs needs it",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_PF,
		.run = run_ari,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Switch ARI on.",
		.impact = "VFs at another device number than 0 are made and do not answer, or all "
			  "VFs take further bus numbers.",
		.reference = "PCI Express Base Specification, 6.13 (ARI); Linux drivers/pci/pci.c, "
			     "pci_configure_ari()",
	},
};
CHECK_GROUP(pf_routing_checks, checks);
