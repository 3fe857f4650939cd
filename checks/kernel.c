/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the running kernel can do, and whether it tells the truth about isolation. */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/kernel.h>

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/finding.h>
#include <sriovctl/firmware.h>
#include <sriovctl/host.h>
#include <sriovctl/interrupts.h>
#include <sriovctl/klog.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <string.h>

/* --- kernel.sriov ----------------------------------------------------------------- */

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN };

/* Files that only a kernel with PCI_IOV makes. */
static enum answer has_iov(const struct host *h, struct finding *f)
{
	const struct pcidevs *v = NULL;
	const struct kconfig *k = NULL;

	if (pcidevs_get(h, &v, NULL) == 0) {
		for (size_t i = 0; i < v->n; i++) {
			if (!v->items[i].shows_totalvfs && v->items[i].n_rows < PCIDEV_ROWS_IOV)
				continue;
			finding_note(f, PCIDEV_PATH, NULL, "%s has rows or files for VFs",
				     v->items[i].name);
			return ANSWER_YES;
		}
	}
	if (kconfig_get(h, &k, NULL) < 0)
		return ANSWER_UNKNOWN;
	switch (kconfig_ask(k, "PCI_IOV")) {
	case KCONFIG_ON:
		finding_note(f, k->source, "CONFIG_PCI_IOV=y", "CONFIG_PCI_IOV=y");
		return ANSWER_YES;
	case KCONFIG_OFF:
		finding_note(f, k->source, "CONFIG_PCI_IOV=y", "CONFIG_PCI_IOV is not set");
		return ANSWER_NO;
	case KCONFIG_ABSENT:
		break;
	}
	return ANSWER_UNKNOWN;
}

/* Of a capture that has no list of interrupts: a function that has them on, or a driver's word. */
static bool has_msi_by_registers(const struct host *h, struct finding *f)
{
	static const char *const lines[] = { "Using MSI-X interrupts", "PCI-MSI-X enabled: IRQ ",
					     " for MSI/MSI-X", "PCI/MSI: " };
	const struct pciconf *c = NULL;
	AUTO_BUF struct buf line = { 0 };
	const struct pcidevs *v = NULL;
	struct pciconf_msix msix;
	struct pciconf_msi msi;

	if (!host_is_partial(h))
		return false;
	for (size_t i = 0; pcidevs_get(h, &v, NULL) == 0 && i < v->n; i++) {
		const char *name = v->items[i].name;

		if (pciconf_get(h, name, &c, NULL) < 0 ||
		    ((pciconf_msix(c, &msix) < 0 || !msix.enabled) &&
		     (pciconf_msi(c, &msi) < 0 || !msi.enabled)))
			continue;
		finding_note(f, finding_path(f, PCIDEV_PATH "/%s/config", name), NULL,
			     "it has MSI or MSI-X on");
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (!klog_find(h, &line, "%s", lines[i]))
			continue;
		finding_note(f, "kernel log", NULL, "%s", buf_text(&line));
		return true;
	}
	return false;
}

/* A vector that some function was given. */
static bool has_msi(const struct host *h, struct finding *f)
{
	const struct pcidevs *v = NULL;
	const struct interrupts *irqs = NULL;

	for (size_t i = 0; interrupts_get(h, &irqs, NULL) == 0 && i < irqs->n; i++) {
		if (!irqs->items[i].is_msi)
			continue;
		finding_note(f, irqs->source, NULL, "interrupt %u is a %s", irqs->items[i].number,
			     irqs->items[i].chip);
		return true;
	}

	if (pcidevs_get(h, &v, NULL) < 0)
		return false;
	for (size_t i = 0; i < v->n; i++) {
		AUTO_STRV struct strv vectors = { 0 };
		const char *name = v->items[i].name;

		if (host_list(h, &vectors, NULL, PCIDEV_PATH "/%s/msi_irqs", name) < 0 ||
		    vectors.n == 0)
			continue;
		finding_note(f, finding_path(f, PCIDEV_PATH "/%s/msi_irqs", name), NULL,
			     "%zu vectors", vectors.n);
		return true;
	}
	return false;
}

/* A profile may do without new VFs, and none without interrupts of those that there are. */
static enum verdict fail_without_msi(struct finding *f, enum actor actor, const char *why)
{
	finding_raise(f, SEVERITY_REQUIRED);
	return finding_fail(f, actor, "%s: no VF gets an interrupt", why);
}

/*
 * What can have MSI off, one by one: fail, unknown, or pass, which says nothing yet.  With
 * no vector in use that is all there is to see.
 */
static enum verdict msi_by_cmdline(const struct host *h, struct finding *f)
{
	const struct cmdline *c = NULL;
	int r = cmdline_get(h, &c, NULL);

	if (r < 0) {
		finding_unread(f, h, CMDLINE_PATH, r);
		return finding_unknown(f, "whether pci=nomsi has MSI off is not known");
	}
	if (!cmdline_has_item(c, "pci", "nomsi")) {
		finding_note(f, CMDLINE_PATH, NULL, "no pci=nomsi");
		return VERDICT_PASS;
	}
	finding_note(f, CMDLINE_PATH, "no such word", "pci=nomsi");
	remedy_cmdline_remove(f, h, "pci=nomsi");
	return fail_without_msi(f, ACTOR_CMDLINE, "MSI is off by pci=nomsi");
}

static enum verdict msi_by_firmware(const struct host *h, struct finding *f)
{
	const struct firmware *fw = NULL;

	if (firmware_get(h, &fw, NULL) < 0)
		return finding_nomem(f);
	if (fw->fadt_error < 0 && fw->fadt_error != -ENOENT) {
		finding_unread(f, h, FIRMWARE_TABLES "/FACP", fw->fadt_error);
		return finding_unknown(
			f, "no vector is in use, and whether firmware forbids MSI is not "
			   "known");
	}
	if (fw->fadt_error == -ENOENT || !fw->no_msi)
		return VERDICT_PASS;
	finding_note(f, FIRMWARE_TABLES "/FACP", "MSI allowed", "IAPC_BOOT_ARCH bit 3 is set");
	finding_remedy(f, "Update the firmware: it tells the kernel not to use MSI.");
	return fail_without_msi(f, ACTOR_FIRMWARE, "firmware forbids MSI");
}

static enum verdict msi_by_kernel(const struct host *h, struct finding *f)
{
	const struct kconfig *k = NULL;
	int r = kconfig_get(h, &k, NULL);

	if (r < 0 || kconfig_ask(k, "PCI_MSI") == KCONFIG_ABSENT) {
		finding_unread(f, h, "/boot/config-RELEASE", -ENODATA);
		return finding_unknown(f,
				       "no vector is in use, and whether the kernel was built with "
				       "MSI is not known");
	}
	if (kconfig_ask(k, "PCI_MSI") == KCONFIG_ON)
		return VERDICT_PASS;
	finding_note(f, k->source, "CONFIG_PCI_MSI=y", "CONFIG_PCI_MSI is not set");
	finding_remedy(f, "Boot a kernel that was built with CONFIG_PCI_MSI.");
	return fail_without_msi(f, ACTOR_OS, "the kernel was built without MSI");
}

static enum verdict judge_msi(const struct host *h, struct finding *f)
{
	static enum verdict (*const by[])(const struct host *h, struct finding *f) = {
		msi_by_cmdline,
		msi_by_firmware,
		msi_by_kernel,
	};
	bool unsure = false;

	if (has_msi(h, f))
		return finding_pass(f, "the kernel has PCI_IOV, and MSI works");
	for (size_t i = 0; i < ARRAY_SIZE(by); i++) {
		enum verdict v = by[i](h, f);

		if (v == VERDICT_FAIL)
			return v;
		unsure = unsure || v == VERDICT_UNKNOWN;
	}
	if (unsure && has_msi_by_registers(h, f))
		return finding_pass(f, "the kernel has PCI_IOV, and MSI is in use");
	if (unsure)
		return VERDICT_UNKNOWN;
	return finding_pass(f, "the kernel has PCI_IOV, and nothing has MSI off");
}

static enum verdict run_sriov(const struct check_input *in, struct finding *f)
{
	switch (has_iov(in->host, f)) {
	case ANSWER_YES:
		return judge_msi(in->host, f);
	case ANSWER_NO:
		finding_remedy(f, "Boot a kernel that was built with CONFIG_PCI_IOV.");
		return finding_fail(f, ACTOR_OS, "this kernel was built without SR-IOV");
	case ANSWER_UNKNOWN:
		break;
	}
	finding_unread(f, in->host, "/boot/config-RELEASE", -ENODATA);
	return finding_unknown(f, "no function has VF files, and the kernel's configuration is not "
				  "known");
}

/* --- kernel.acs_override ------------------------------------------------------------- */

#define OVERRIDE "pcie_acs_override"

/* Kernels known to carry the patch, which is not in the mainline. */
static bool is_patched(const struct host *h, struct finding *f)
{
	static const char *const marks[] = { "-pve", "-zen" };
	const struct kernel *k = NULL;

	if (kernel_get(h, &k, NULL) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		if (!strstr(k->release, marks[i]))
			continue;
		finding_note(f, "kernel release", NULL, "%s, which carries the patch", k->release);
		return true;
	}
	return false;
}

static enum verdict judge_override(const struct host *h, struct finding *f)
{
	AUTO_BUF struct buf line = { 0 };

	if (klog_find(h, &line, "PCIe ACS overrides enabled")) {
		finding_note(f, "kernel log", NULL, "%s", buf_text(&line));
	} else if (klog_find(h, &line, "Unknown kernel command line parameters") &&
		   strstr(buf_text(&line), OVERRIDE)) {
		finding_note(f, "kernel log", NULL, "%s", buf_text(&line));
		return finding_pass(f, "the ACS override on the command line is unknown to this "
				       "kernel: isolation is real");
	} else if (!is_patched(h, f)) {
		finding_remedy(f,
			       "Look whether the kernel logged \"PCIe ACS overrides enabled\" at "
			       "boot (journalctl -k -b).");
		remedy_cmdline_remove(f, h, OVERRIDE);
		return finding_unknown(f, "the command line asks for an ACS override; whether this "
					  "kernel has the patch for it is not known");
	}
	remedy_cmdline_remove(f, h, OVERRIDE);
	return finding_fail(
		f, ACTOR_CMDLINE,
		"an ACS override is in effect: the IOMMU groups promise an isolation that "
		"is not there");
}

static enum verdict run_acs_override(const struct check_input *in, struct finding *f)
{
	const struct cmdline *c = NULL;
	const char *value;
	int r = cmdline_get(in->host, &c, NULL);

	if (r < 0) {
		finding_unread(f, in->host, CMDLINE_PATH, r);
		return finding_unknown(f, "the kernel command line is not known");
	}
	value = cmdline_value(c, OVERRIDE);
	finding_note(f, CMDLINE_PATH, "no " OVERRIDE, "%s%s", value ? OVERRIDE "=" : "no " OVERRIDE,
		     value ? value : "");
	if (value)
		return judge_override(in->host, f);
	return finding_pass(f,
			    "no ACS override is asked for: isolation is what the hardware gives");
}

static const struct check checks[] = {
	{
		.id = "kernel.sriov",
		.title = "the kernel has PCI_IOV, and MSI is not off",
		.severity = SEVERITY_REQUIRED,
		.run = run_sriov,
		.actor = ACTOR_OS,
		.remedy = "Boot a kernel with PCI_IOV.",
		.impact = "No VF can be created, or none gets an interrupt.",
		.reference = "Linux Documentation/PCI/pci-iov-howto.rst; ACPI specification 6.5, "
			     "5.2.9.3",
	},
	{
		.id = "kernel.acs_override",
		.title = "no ACS override hides a lack of isolation",
		.severity = SEVERITY_REQUIRED,
		.run = run_acs_override,
		.actor = ACTOR_CMDLINE,
		.remedy = "Remove pcie_acs_override from the kernel command line.",
		.impact =
			"Devices of different guests can reach each other behind the IOMMU's back.",
		.reference = "PCI Express Base Specification, 6.12 (Access Control Services)",
	},
};
CHECK_GROUP(kernel_checks, checks);
