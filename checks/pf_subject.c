/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pf_subject.h"

#include "remedy.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
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

enum verdict pf_subject_nomem(struct finding *f)
{
	f->error = -ENOMEM;
	return finding_nomem(f);
}

const struct pf *pf_subject_get(const struct check_input *in, struct finding *f, enum verdict *ret)
{
	const struct pf *pf = pf_of(in->host, in->pf);

	if (!pf) {
		*ret = pf_subject_nomem(f);
		return NULL;
	}
	if (pf->is_vf) {
		*ret = finding_na(f, "a virtual function: its physical function is judged");
		return NULL;
	}
	if (has_no_capability(pf) && !pf->nic) {
		*ret = finding_na(f, "no SR-IOV capability, and no card that is known to have one");
		return NULL;
	}
	return pf;
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
	if (host_is_live(h))
		finding_remedy(f, "Run the check as root.");
	else
		finding_remedy(f, "Capture the host as root: an ordinary user gets 64 bytes of a "
				  "configuration space.");
}

/* All that lies beyond the first 256 bytes is reached through ECAM only. */
static void say_ecam(struct finding *f, const struct host *h, const struct pf *pf)
{
	const struct cmdline *c = NULL;

	if (pf->config_len == PLAIN_SPACE && cmdline_get(h, &c, NULL) == 0 &&
	    cmdline_has_item(c, "pci", "nommconf"))
		remedy_cmdline_remove(f, h, "pci=nommconf");
	else if (!host_is_live(h))
		finding_remedy(f, "Capture the whole configuration space of the function (lspci "
				  "-xxxx as root).");
	else
		finding_remedy(f, "Have the firmware describe the extended configuration space "
				  "(ACPI table MCFG), or leave the conventional bridge.");
}

void pf_subject_unread(struct finding *f, const struct host *h, const struct pf *pf, int r)
{
	AUTO_BUF struct buf path = { 0 };

	buf_printf(&path, PCIDEV_PATH "/%s/config", pf->dev->name);
	if (buf_error(&path) < 0) {
		f->error = -ENOMEM;
		return;
	}
	if (pf->config_error < 0 && pf->config_error != -EAGAIN) {
		finding_unread(f, h, buf_text(&path), pf->config_error);
		return;
	}
	finding_note(f, buf_text(&path), NULL, "%s", pciconf_why(r));
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
