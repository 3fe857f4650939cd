/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: can it give VFs? */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/buf.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/machine.h>
#include <sriovctl/pcidev.h>

#include <errno.h>

/* No function offers VFs: asked once for the host. */
static enum verdict judge_none(const struct host *h, struct finding *f)
{
	const struct pcidevs *v = NULL;
	int r = pcidevs_get(h, &v, NULL);

	if (r < 0) {
		finding_unread(f, h, PCIDEV_PATH, r);
		return finding_unknown(f, "the PCI functions of this host are not known");
	}
	finding_note(f, PCIDEV_PATH, "a function with sriov_totalvfs",
		     "%zu functions, none with it", v->n);
	remedy_setup(f, h, PLATFORM_SRIOV);
	finding_remedy(f,
		       "If a card can do SR-IOV and does not show it, switch it on in the card's "
		       "firmware.");
	return finding_fail(f, ACTOR_NIC, "none of the %zu PCI functions offers VFs", v->n);
}

static enum verdict run_capability(const struct check_input *in, struct finding *f)
{
	AUTO_BUF struct buf path = { 0 };
	const struct pcidev *d = in->pf;

	if (!d)
		return judge_none(in->host, f);
	buf_printf(&path, PCIDEV_PATH "/%s/sriov_totalvfs", d->name);
	if (d->totalvfs_error < 0) {
		finding_unread(f, in->host, buf_text(&path), d->totalvfs_error);
		return finding_unknown(f, "how many VFs the function offers is not known");
	}
	finding_note(f, buf_text(&path), "above 0", "%u", d->totalvfs);
	if (d->totalvfs == 0) {
		finding_remedy(f,
			       "Switch SR-IOV on, with the number of VFs wanted, in the card's "
			       "firmware (mstconfig SRIOV_EN and NUM_OF_VFS, or its setup page).");
		return finding_fail(f, ACTOR_NIC,
				    "the function offers no VFs: SR-IOV is off in the "
				    "card's firmware");
	}
	return finding_pass(f, "offers up to %u VFs, %u now", d->totalvfs, d->numvfs);
}

static const struct check checks[] = {
	{
		.id = "pf.sriov_capability",
		.title = "the function offers VFs",
		.severity = SEVERITY_REQUIRED,
		.scope = SCOPE_PF,
		.run = run_capability,
		.actor = ACTOR_NIC,
		.remedy = "Switch SR-IOV on in the card's firmware.",
		.impact = "Without VFs there is nothing to give to guests.",
		.reference =
			"PCI Express Base Specification, 9.3.3 (SR-IOV Extended Capability); Linux "
			"Documentation/ABI/testing/sysfs-bus-pci, sriov_totalvfs",
	},
};
CHECK_GROUP(pf_checks, checks);
