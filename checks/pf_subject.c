/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pf_subject.h"

#include "remedy.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcitree.h>
#include <sriovctl/pf.h>

#include <errno.h>

#define PLAIN_SPACE 256 /* what is reached without ECAM */

/* The list of capabilities was read to its end, and neither it nor the kernel knows of VFs. */
static bool has_no_capability(const struct pf *pf)
{
	return pf->dev->totalvfs_error != 0 && pf->sriov_error == -ENOENT;
}

static bool offers_none(const struct pf *pf)
{
	return has_no_capability(pf) || (pf->sriov_error == 0 && pf->sriov.total_vfs == 0) ||
	       (pf->dev->totalvfs_error == 0 && pf->dev->totalvfs == 0);
}

/* Why the function is not judged; NULL when it is. */
static const char *why_not_judged(const struct pf *pf)
{
	if (pf->is_vf)
		return "a virtual function: its physical function is judged";
	if (pcidev_is_bridge(pf->dev))
		return "a bridge, which has no VFs";
	if (has_no_capability(pf) && !pf->nic)
		return "no SR-IOV capability, and no card that is known to have one";
	return NULL;
}

bool pf_subject_is_judged(const struct pf *pf)
{
	return !why_not_judged(pf);
}

const struct pf *pf_subject_get(const struct check_input *in, struct finding *f, enum verdict *ret)
{
	const struct pf *pf = pf_of(in->host, in->pf);
	const char *why = pf ? why_not_judged(pf) : NULL;

	if (!pf)
		*ret = finding_nomem(f);
	if (why)
		*ret = finding_na(f, "%s", why);
	return why ? NULL : pf;
}

const struct pf *pf_subject_with_vfs(const struct check_input *in, struct finding *f,
				     enum verdict *ret)
{
	const struct pf *pf = pf_subject_get(in, f, ret);

	if (!pf)
		return NULL;
	if (offers_none(pf)) {
		*ret = finding_na(f, "the function offers no VFs: see pf.sriov_capability");
		return NULL;
	}
	return pf;
}

static void say_root(struct finding *f, const struct host *h)
{
	if (host_is_partial(h))
		finding_remedy(f, "Capture the host as root: an ordinary user gets 64 bytes of a "
				  "configuration space.");
	else
		finding_remedy(f, "Run the check as root.");
}

/*
 * The bridge above, where it leads to conventional PCI: the kernel reaches 256 bytes of what is
 * behind it (drivers/pci/probe.c, pci_bridge_child_ext_cfg_accessible()).
 */
static bool find_conventional(const struct host *h, const struct pf *pf, struct buf *ret)
{
	const struct pciconf *c = NULL;
	struct pciconf_express x;

	return pcitree_parent(h, pf->dev->name, ret, NULL) == 0 &&
	       pciconf_get(h, buf_text(ret), &c, NULL) == 0 && pciconf_express(c, &x) == 0 &&
	       x.type == PCICONF_PCIE_TO_PCI;
}

/* All that lies beyond the first 256 bytes is reached through ECAM only. */
static void say_ecam(struct finding *f, const struct host *h, const struct pf *pf)
{
	AUTO_BUF struct buf bridge = { 0 };
	const struct cmdline *c = NULL;

	if (pf->config_len == PLAIN_SPACE && find_conventional(h, pf, &bridge))
		finding_remedy(f,
			       "Move the card to a slot of PCI Express: %s above it is a bridge to "
			       "conventional PCI, behind which no VFs can be.",
			       buf_text(&bridge));
	else if (pf->config_len == PLAIN_SPACE && cmdline_get(h, &c, NULL) == 0 &&
		 cmdline_has_item(c, "pci", "nommconf"))
		remedy_cmdline_remove(f, h, "pci=nommconf");
	else if (host_is_partial(h))
		finding_remedy(f, "Capture the whole configuration space of the function (lspci "
				  "-xxxx as root).");
	else
		finding_remedy(f, "Have the firmware describe the extended configuration space "
				  "(ACPI table MCFG).");
}

void pf_subject_unread_at(struct finding *f, const struct host *h, const char *bdf, int r)
{
	const char *path = finding_path(f, PCIDEV_PATH "/%s/config", bdf);

	if (r != -EACCES && r != -EAGAIN && r != -ENODATA) {
		finding_unread(f, h, path, r);
		return;
	}
	finding_note(f, path, NULL, "%s", pciconf_why(r));
	if (r == -EAGAIN)
		finding_remedy(f,
			       "Wake the function (write on to its power/control) and look again.");
	else if (r == -EACCES)
		say_root(f, h);
	else
		finding_remedy(f,
			       "Capture the whole configuration space of %s (lspci -xxxx as "
			       "root).",
			       bdf);
}

void pf_subject_unread(struct finding *f, const struct host *h, const struct pf *pf, int r)
{
	const char *path = finding_path(f, PCIDEV_PATH "/%s/config", pf->dev->name);

	if (pf->config_error < 0 && pf->config_error != -EAGAIN) {
		finding_unread(f, h, path, pf->config_error);
		return;
	}
	finding_note(f, path, NULL, "%s", pciconf_why(r));
	if (r == -EACCES)
		say_root(f, h);
	else if (r == -EAGAIN)
		finding_remedy(f,
			       "Wake the function (write on to its power/control) and look again.");
	else if (r == -ENODATA)
		say_ecam(f, h, pf);
	else
		finding_remedy(f,
			       "Compare with what lspci -vvv as root prints, and report the card "
			       "to its vendor.");
}

int pf_subject_space(const struct host *h, const char *bdf, const struct pciconf **ret)
{
	int r = pciconf_get(h, bdf, ret, NULL);

	return r == -ENOENT ? -ENODATA : r;
}
