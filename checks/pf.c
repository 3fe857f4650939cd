/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: can it give VFs? */
#include "areas.h"
#include "pf_subject.h"
#include "remedy.h"

#include <sriovctl/buf.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/machine.h>
#include <sriovctl/modules.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define SRIOV_CAPABILITY "SR-IOV capability"

/* --- pf.sriov_capability --------------------------------------------------------- */

/* Others do: it was the choice on the command line. */
static enum verdict fail_named(struct finding *f, const struct pcidev *other)
{
	finding_note(f, PCIDEV_PATH, NULL, "%s offers VFs", other->name);
	finding_remedy(f, "Name a physical function, such as %s, or none to have all judged.",
		       other->name);
	return finding_fail(f, ACTOR_OS, "none of the functions that were named can have VFs");
}

/* Can it be a physical function at all? */
static bool is_candidate(const struct pcidev *d)
{
	return !d->is_vf && !pcidev_is_bridge(d);
}

/* One that offers VFs, else one of which it is not known; NULL: none does. */
static const struct pcidev *find_possible(const struct pcidevs *v, size_t *ret_candidates)
{
	const struct pcidev *unknown = NULL;

	*ret_candidates = 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct pcidev *d = &v->items[i];

		if (!is_candidate(d))
			continue;
		++*ret_candidates;
		if (d->totalvfs_error == 0 && d->totalvfs > 0)
			return d;
		if (d->totalvfs_error < 0 && d->totalvfs_error != -ENOENT && !unknown)
			unknown = d;
	}
	return unknown;
}

static enum verdict fail_none(const struct host *h, size_t candidates, struct finding *f)
{
	finding_note(f, PCIDEV_PATH, "a function with sriov_totalvfs", "none of %zu has it",
		     candidates);
	if (machine_is_guest(h)) {
		finding_remedy(f,
			       "Assign a whole physical function to this guest, if it is to make "
			       "VFs of its own.");
		return finding_fail(f, ACTOR_OS, "no PCI function of this guest offers VFs");
	}
	remedy_setup(f, h, PLATFORM_SRIOV);
	finding_remedy(f,
		       "If a card can do SR-IOV and does not show it, switch it on in the card's "
		       "firmware.");
	return finding_fail(f, ACTOR_NIC, "no PCI function of this host offers VFs");
}

/* No function offers VFs: asked once for the host. */
static enum verdict judge_none(const struct host *h, struct finding *f)
{
	const struct pcidevs *v = NULL;
	const struct pcidev *d;
	size_t candidates;
	int r = pcidevs_get(h, &v, NULL);

	if (r < 0) {
		finding_unread(f, h, PCIDEV_PATH, r);
		return finding_unknown(f, "the PCI functions of this host are not known");
	}
	d = find_possible(v, &candidates);
	if (d && d->totalvfs_error == 0)
		return fail_named(f, d);
	if (d) {
		finding_unread(f, h, finding_path(f, PCIDEV_PATH "/%s", d->name),
			       d->totalvfs_error);
		return finding_unknown(f,
				       "no function is known to offer VFs, and %s could not be "
				       "looked at",
				       d->name);
	}
	/* The running kernel says that there are none; a copy may just have lost them. */
	if (candidates == 0 && host_is_partial(h)) {
		finding_unread(f, h, PCIDEV_PATH, -ENODATA);
		return finding_unknown(f, "no function was captured that could offer VFs");
	}
	return fail_none(h, candidates, f);
}

/* Does the platform let any function show VFs? */
static bool another_has_vfs(const struct host *h, const struct pf *pf)
{
	const struct pfs *v = NULL;

	if (pfs_get(h, &v, NULL) < 0)
		return false;
	for (size_t i = 0; i < v->n; i++)
		if (&v->items[i] != pf && v->items[i].dev->totalvfs_error == 0 &&
		    v->items[i].dev->totalvfs > 0)
			return true;
	return false;
}

static enum verdict fail_zero(const struct host *h, const struct pf *pf, struct finding *f)
{
	remedy_switch_on(f, h, pf);
	if (pf->sriov_error == 0 && pf->sriov.total_vfs > 0)
		return finding_fail(
			f, ACTOR_NIC,
			"the function offers no VFs: its driver takes none of the %u in "
			"its capability",
			pf->sriov.total_vfs);
	return finding_fail(f, ACTOR_NIC,
			    "the function offers no VFs: their number is 0 in the card's firmware");
}

/* A card that can have VFs, and a capability that is not there. */
static enum verdict fail_absent(const struct host *h, const struct pf *pf, struct finding *f)
{
	const char *name = pf->nic->family->name;

	finding_note(f, SRIOV_CAPABILITY, "present", "not in the list of capabilities");
	if (machine_is_guest(h)) {
		finding_remedy(f, "Make the VFs on the host of this guest, and hand those on.");
		return finding_fail(f, ACTOR_OS, "%s can have VFs, but not in this guest", name);
	}
	remedy_switch_on(f, h, pf);
	if (another_has_vfs(h, pf))
		return finding_fail(f, ACTOR_NIC,
				    "%s can have VFs: SR-IOV is off in the card's firmware", name);
	remedy_setup(f, h, PLATFORM_SRIOV);
	return finding_fail(f, ACTOR_NIC,
			    "%s can have VFs: SR-IOV is off in the card's firmware, or hidden by "
			    "that of the platform",
			    name);
}

static enum verdict fail_unused(const struct pf *pf, struct finding *f)
{
	finding_follows(f, "kernel.sriov");
	finding_remedy(f,
		       "If that passes, read what the kernel logged about %s at boot: it drops "
		       "functions whose page sizes, VF BARs or VF offset it cannot use.",
		       pf->dev->name);
	return finding_fail(f, ACTOR_OS, "the function has %u VFs, which the kernel does not offer",
			    pf->sriov.total_vfs);
}

static bool has_vf_row(const struct pcidev *d)
{
	for (size_t i = PCIDEV_ROW_VF; d->rows_error == 0 && i < d->n_rows && i < PCIDEV_ROWS_IOV;
	     i++)
		if (d->rows[i].flags != 0)
			return true;
	return false;
}

/* A kernel that found VFs of others, and neither a count nor an address for those of this one. */
static bool is_left_out(const struct host *h, const struct pf *pf)
{
	const struct pcidevs *v = NULL;
	bool looks = another_has_vfs(h, pf);

	/* Told by itself, as of a log that has all of the function (see doubt_absence()). */
	if (pf->nic && pf->dev->totalvfs_error == -ENOENT && pf->dev->rows_error < 0)
		return true;

	for (size_t i = 0; !looks && pcidevs_get(h, &v, NULL) == 0 && i < v->n; i++)
		looks = &v->items[i] != pf->dev && has_vf_row(&v->items[i]);
	return looks && pf->dev->totalvfs_error == -ENOENT && pf->dev->rows_error == 0 &&
	       pf->dev->n_rows >= PCIDEV_ROWS_IOV && !has_vf_row(pf->dev);
}

static enum verdict fail_left_out(const struct host *h, const struct pf *pf, struct finding *f)
{
	if (!pf->nic)
		return finding_fail(f, ACTOR_HARDWARE, "the kernel found no VFs of the function");
	remedy_switch_on(f, h, pf);
	remedy_setup(f, h, PLATFORM_SRIOV);
	return finding_fail(f, ACTOR_NIC,
			    "%s can have VFs, and the kernel found none: SR-IOV is off in the "
			    "card's firmware, or hidden by that of the platform",
			    pf->nic->family->name);
}

/* The kernel shows no count: what the function itself says. */
static enum verdict judge_registers(const struct host *h, const struct pf *pf, struct finding *f)
{
	if (pf->sriov_error == -ENOENT)
		return fail_absent(h, pf, f);
	if (pf->sriov_error < 0 && is_left_out(h, pf))
		return fail_left_out(h, pf, f);
	if (pf->sriov_error < 0) {
		pf_subject_unread(f, h, pf, pf->sriov_error);
		return finding_unknown(f, "whether the function has VFs is not known: %s",
				       pciconf_why(pf->sriov_error));
	}
	finding_note(f, SRIOV_CAPABILITY, "TotalVFs above 0", "TotalVFs %u", pf->sriov.total_vfs);
	if (pf->sriov.total_vfs == 0)
		return fail_zero(h, pf, f);
	if (pf->dev->totalvfs_error == -ENOENT)
		return fail_unused(pf, f);
	return finding_pass(f, "offers up to %u VFs by its capability", pf->sriov.total_vfs);
}

/* Of a copy links may lack that the host has. */
static bool knows_count(const struct host *h, const struct pf *pf)
{
	uint64_t n = 0;

	return pf->dev->numvfs > 0 || !host_is_partial(h) ||
	       (pf->sriov_error == 0 && pf->sriov.knows_control && !pf->sriov.vf_enable) ||
	       (host_attr_u64(h, 10, &n, NULL, PCIDEV_PATH "/%s/sriov_numvfs", pf->dev->name) ==
			0 &&
		n == 0);
}

static enum verdict run_capability(const struct check_input *in, struct finding *f)
{
	const char *path;
	enum verdict v;
	const struct pf *pf;

	if (!in->pf)
		return judge_none(in->host, f);
	pf = pf_subject_get(in, f, &v);
	if (!pf)
		return v;
	path = finding_path(f, PCIDEV_PATH "/%s/sriov_totalvfs", pf->dev->name);
	/* The kernel makes the file of a function with VFs only. */
	if (pf->dev->totalvfs_error < 0 && pf->sriov_error < 0 &&
	    host_exists(in->host, "%s", path) == 0) {
		finding_note(f, path, "present", "present");
		return finding_pass(f, "offers VFs; how many is not known");
	}
	if (pf->dev->totalvfs_error < 0) {
		finding_note(f, path, NULL,
			     pf->dev->totalvfs_error == -ENOENT ? "absent" : "not known");
		return judge_registers(in->host, pf, f);
	}
	finding_note(f, path, "above 0", "%" PRIu32, pf->dev->totalvfs);
	if (pf->dev->totalvfs > 0 && !knows_count(in->host, pf))
		return finding_pass(f,
				    "offers up to %" PRIu32 " VFs; how many there are now is "
				    "not known",
				    pf->dev->totalvfs);
	if (pf->dev->totalvfs > 0)
		return finding_pass(f, "offers up to %" PRIu32 " VFs, %" PRIu32 " now",
				    pf->dev->totalvfs, pf->dev->numvfs);
	return fail_zero(in->host, pf, f);
}

/* --- pf.driver -------------------------------------------------------------------- */

/* A driver that could take the function, and does not. */
static enum verdict judge_module(const struct host *h, const struct modules *m, const char *name,
				 struct finding *f)
{
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	const char *word;
	enum actor actor;

	if (modules_lookup(m, name, &info, NULL) < 0) {
		finding_remedy(f, "Load the driver: modprobe %s.", name);
		return finding_fail(f, ACTOR_OS, "no driver is bound; %s would be the one", name);
	}
	finding_note(f, info.source, NULL, "%s", name);
	if (info.state == MODULES_LOADED || info.state == MODULES_BUILTIN) {
		finding_remedy(f,
			       "Read what %s logged when it looked at the function (journalctl "
			       "-k), and bind it through its bind file in sysfs.",
			       name);
		return finding_fail(f, ACTOR_OS,
				    "no driver is bound: %s is there and did not take the function",
				    name);
	}
	if (info.state == MODULES_MISSING) {
		finding_remedy(f, "Install the package of the running kernel that has %s.", name);
		return finding_fail(f, ACTOR_OS, "no driver is bound: this kernel has no %s", name);
	}
	if (remedy_module_blacklist(f, h, &info, name))
		return finding_fail(f, ACTOR_CMDLINE,
				    "no driver is bound: module_blacklist on the command line has "
				    "the kernel refuse %s",
				    name);
	word = remedy_autoload(f, h, &info, name, &actor);
	if (word)
		return finding_fail(f, actor, "no driver is bound: %s is blacklisted, by %s", name,
				    word);
	if (info.blocks) {
		remedy_install(f, &info);
		return finding_fail(f, ACTOR_OS, "no driver is bound: loading %s is blocked", name);
	}
	finding_remedy(f, "Load the driver: modprobe %s.", name);
	return finding_fail(f, ACTOR_OS, "no driver is bound: %s is available and not loaded",
			    name);
}

static enum verdict judge_unbound(const struct host *h, const struct pf *pf, struct finding *f)
{
	AUTO_BUF struct buf modalias = { 0 };
	AUTO_STRV struct strv names = { 0 };
	const struct modules *m = NULL;
	int r = host_attr(h, &modalias, NULL, PCIDEV_PATH "/%s/modalias", pf->dev->name);

	if (r == 0)
		r = modules_get(h, &m, NULL);
	if (r == 0)
		r = modules_resolve(m, buf_text(&modalias), &names, NULL);
	if (r == 0 && names.n > 0)
		return judge_module(h, m, names.items[0], f);
	if (pf->nic) {
		finding_remedy(f, "Load the driver: modprobe %s.", pf->nic->family->driver);
		return finding_fail(f, ACTOR_OS, "no driver is bound; %s drives this card",
				    pf->nic->family->driver);
	}
	finding_remedy(f, "Install the driver of the card.");
	return finding_fail(f, ACTOR_OS,
			    r == -ENOENT ? "no driver is bound, and no module of this kernel "
					   "claims the function"
					 : "no driver is bound");
}

static enum verdict fail_driver(const struct host *h, const struct pf *pf, struct finding *f)
{
	const char *driver = pf->dev->driver;
	const struct nics_driver *row = NULL;
	const struct nics *n = NULL;

	if (nics_get(h, &n, NULL) == 0)
		row = nics_find_driver(n, driver);
	if (row && row->how)
		finding_remedy(f, "%s", row->how);
	else if (pf->nic)
		finding_remedy(f, "Bind the card's own driver, %s.", pf->nic->family->driver);
	else
		finding_remedy(f, "Bind a driver that can create VFs; pci-pf-stub does for a card "
				  "that needs no help with it.");
	if (strcmp(driver, "vfio-pci") == 0)
		return finding_fail(
			f, ACTOR_OS,
			pf->creates == NICS_CREATES_NOT
				? "vfio-pci holds the function, and its enable_sriov is "
				  "off"
				: "vfio-pci holds the function, for somebody else, and "
				  "makes no VFs by itself");
	return finding_fail(f, ACTOR_OS, "%s creates no VFs through sysfs", driver);
}

static enum verdict unknown_vfio(const struct host *h, struct finding *f)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_attr(h, &text, NULL, PF_VFIO_SRIOV);

	finding_unread(f, h, PF_VFIO_SRIOV, r < 0 ? r : -EINVAL);
	return finding_unknown(
		f, "vfio-pci holds the function; whether its enable_sriov is on is not known");
}

static enum verdict unknown_driver(const struct host *h, const struct pf *pf, struct finding *f)
{
	const char *driver = pf->dev->driver, *lacks = NULL;
	const struct kconfig *config = NULL;
	const struct kernel *k = NULL;
	const struct nics *n = NULL;

	/* Off by itself, and nothing that was captured shows otherwise, as VFs would. */
	if (strcmp(driver, "vfio-pci") == 0 && host_is_partial(h) &&
	    host_exists(h, PF_VFIO_SRIOV) < 0 && pf->dev->numvfs == 0 &&
	    !(pf->sriov_error == 0 && pf->sriov.vf_enable))
		return fail_driver(h, pf, f);
	if (strcmp(driver, "vfio-pci") == 0)
		return unknown_vfio(h, f);
	if (nics_get(h, &n, NULL) == 0 && kernel_get(h, &k, NULL) == 0 &&
	    kconfig_get(h, &config, NULL) == 0)
		lacks = nics_lacks(n, driver, k, config);
	if (lacks) {
		finding_note(f, config->source, NULL, "CONFIG_%s is not on", lacks);
		finding_remedy(f, "Use a kernel that was built with CONFIG_%s.", lacks);
		return finding_unknown(f,
				       "whether %s can create VFs is not known: not every release "
				       "of its kernel can without CONFIG_%s",
				       driver, lacks);
	}
	finding_remedy(f, "Look in the documentation of %s for sriov_numvfs, or ask its vendor.",
		       driver);
	return finding_unknown(f, "whether %s can create VFs is not known", driver);
}

static enum verdict run_driver(const struct check_input *in, struct finding *f)
{
	const char *path;
	enum verdict v;
	const struct pf *pf = pf_subject_get(in, f, &v);

	if (!pf)
		return v;
	path = finding_path(f, PCIDEV_PATH "/%s/driver", pf->dev->name);
	if (pf->dev->driver_error < 0 && pf->dev->driver_error != -ENOENT) {
		finding_unread(f, in->host, path, pf->dev->driver_error);
		return finding_unknown(f, "which driver is bound is not known");
	}
	finding_note(f, path, "a driver that can create VFs", "%s",
		     pf->dev->driver_error ? "none" : pf->dev->driver);
	if (pf->dev->driver_error == -ENOENT)
		return judge_unbound(in->host, pf, f);
	switch (pf->creates) {
	case NICS_CREATES:
		return finding_pass(f, "%s is bound and can create VFs", pf->dev->driver);
	case NICS_CREATES_NOT:
		return fail_driver(in->host, pf, f);
	case NICS_CREATES_UNKNOWN:
		break;
	}
	return unknown_driver(in->host, pf, f);
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
	{
		.id = "pf.driver",
		.title = "a driver is bound that can create VFs",
		.severity = SEVERITY_REQUIRED,
		.scope = SCOPE_PF,
		.run = run_driver,
		.actor = ACTOR_OS,
		.remedy = "Bind the card's own driver.",
		.impact = "A write of sriov_numvfs answers ENOENT, and no VF comes to be.",
		.reference = "Linux drivers/pci/iov.c, sriov_numvfs_store(); Documentation/PCI/"
			     "pci-iov-howto.rst",
	},
};
CHECK_GROUP(pf_checks, checks);
