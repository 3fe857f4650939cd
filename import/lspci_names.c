/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How lspci names classes and capabilities (PCI Code and ID Assignment Specification). */
#include "lspci.h"

#include <ctype.h>
#include <linux/pci_regs.h>
#include <string.h>

static const struct {
	const char *name;
	uint16_t class;
} classes[] = {
	{ .name = "Non-VGA unclassified device", .class = 0x0000 },
	{ .name = "VGA compatible unclassified device", .class = 0x0001 },
	{ .name = "Unclassified device", .class = 0x00ff },
	{ .name = "SCSI storage controller", .class = 0x0100 },
	{ .name = "IDE interface", .class = 0x0101 },
	{ .name = "RAID bus controller", .class = 0x0104 },
	{ .name = "ATA controller", .class = 0x0105 },
	{ .name = "SATA controller", .class = 0x0106 },
	{ .name = "Serial Attached SCSI controller", .class = 0x0107 },
	{ .name = "Non-Volatile memory controller", .class = 0x0108 },
	{ .name = "Mass storage controller", .class = 0x0180 },
	{ .name = "Ethernet controller", .class = 0x0200 },
	{ .name = "Infiniband controller", .class = 0x0207 },
	{ .name = "InfiniBand controller", .class = 0x0207 },
	{ .name = "Fabric controller", .class = 0x0208 },
	{ .name = "Network controller", .class = 0x0280 },
	{ .name = "VGA compatible controller", .class = 0x0300 },
	{ .name = "3D controller", .class = 0x0302 },
	{ .name = "Display controller", .class = 0x0380 },
	{ .name = "Multimedia video controller", .class = 0x0400 },
	{ .name = "Multimedia audio controller", .class = 0x0401 },
	{ .name = "Audio device", .class = 0x0403 },
	{ .name = "Multimedia controller", .class = 0x0480 },
	{ .name = "RAM memory", .class = 0x0500 },
	{ .name = "FLASH memory", .class = 0x0501 },
	{ .name = "CXL", .class = 0x0502 },
	{ .name = "Memory controller", .class = 0x0580 },
	{ .name = "Host bridge", .class = 0x0600 },
	{ .name = "ISA bridge", .class = 0x0601 },
	{ .name = "PCI bridge", .class = 0x0604 },
	{ .name = "CardBus bridge", .class = 0x0607 },
	{ .name = "Bridge", .class = 0x0680 },
	{ .name = "Serial controller", .class = 0x0700 },
	{ .name = "Parallel controller", .class = 0x0701 },
	{ .name = "Communication controller", .class = 0x0780 },
	{ .name = "PIC", .class = 0x0800 },
	{ .name = "DMA controller", .class = 0x0801 },
	{ .name = "Timer", .class = 0x0802 },
	{ .name = "RTC", .class = 0x0803 },
	{ .name = "PCI Hot-plug controller", .class = 0x0804 },
	{ .name = "SD Host controller", .class = 0x0805 },
	{ .name = "IOMMU", .class = 0x0806 },
	{ .name = "Generic system peripheral", .class = 0x0807 },
	{ .name = "System peripheral", .class = 0x0880 },
	{ .name = "Co-processor", .class = 0x0b40 },
	{ .name = "FireWire (IEEE 1394)", .class = 0x0c00 },
	{ .name = "USB controller", .class = 0x0c03 },
	{ .name = "USB Controller", .class = 0x0c03 },
	{ .name = "Fibre Channel", .class = 0x0c04 },
	{ .name = "SMBus", .class = 0x0c05 },
	{ .name = "IPMI Interface", .class = 0x0c07 },
	{ .name = "Serial bus controller", .class = 0x0c80 },
	{ .name = "Wireless controller", .class = 0x0d80 },
	{ .name = "Network and computing encryption device", .class = 0x1000 },
	{ .name = "Encryption controller", .class = 0x1080 },
	{ .name = "Performance counters", .class = 0x1101 },
	{ .name = "Signal processing controller", .class = 0x1180 },
	{ .name = "Processing accelerators", .class = 0x1200 },
	{ .name = "Non-Essential Instrumentation", .class = 0x1300 },
	{ .name = "Coprocessor", .class = 0x4000 },
	{ .name = "Unassigned class", .class = 0xff00 },
};

/* "0200", "Class 0200", or what stands in the brackets of "... [0200]". */
static int class_number(const char *name, size_t len)
{
	const char *at = text_after(name, "Class ");
	uint64_t class;

	if (len > 6 && name[len - 1] == ']' && name[len - 6] == '[')
		at = name + len - 5;
	else if (!at)
		at = name;
	return text_hex(&at, 4, &class) && (at == name + len || *at == ']') ? (int)class : -1;
}

int lspci_class(const char *name, size_t len)
{
	int class = len >= 4 ? class_number(name, len) : -1;

	for (size_t i = 0; class < 0 && i < ARRAY_SIZE(classes); i++)
		if (strlen(classes[i].name) == len && memcmp(classes[i].name, name, len) == 0)
			class = classes[i].class;
	return class;
}

static const struct {
	const char *name;
	uint16_t vendor;
} vendors[] = {
	{ .name = "Advanced Micro Devices, Inc. [AMD]", .vendor = 0x1022 },
	{ .name = "Ampere Computing, LLC", .vendor = 0x1def },
	{ .name = "ARM", .vendor = 0x13b5 },
	{ .name = "Broadcom Inc. and subsidiaries", .vendor = 0x14e4 },
	{ .name = "Cavium, Inc.", .vendor = 0x177d },
	{ .name = "Freescale Semiconductor Inc", .vendor = 0x1957 },
	{ .name = "Huawei Technologies Co., Ltd.", .vendor = 0x19e5 },
	{ .name = "Intel Corporation", .vendor = 0x8086 },
	{ .name = "Mellanox Technologies", .vendor = 0x15b3 },
	{ .name = "Renesas Technology Corp.", .vendor = 0x1912 },
	{ .name = "Rockchip Electronics Co., Ltd", .vendor = 0x1d87 },
};

bool lspci_ids_of_title(const char *title, uint16_t *ret_vendor, uint16_t *ret_device)
{
	for (size_t i = 0; i < ARRAY_SIZE(vendors); i++) {
		const char *p = text_after(title, vendors[i].name);
		uint64_t device;

		if (!p || !(p = text_after(p, " Device ")) || !text_hex(&p, 4, &device) || *p)
			continue;
		*ret_vendor = vendors[i].vendor;
		*ret_device = (uint16_t)device;
		return true;
	}
	return false;
}

struct cap_name {
	const char *prefix;
	int id;
};

/* Longer ones before those that they begin with. */
static const struct cap_name normal[] = {
	{ .prefix = "Power Management", .id = PCI_CAP_ID_PM },
	{ .prefix = "AGP", .id = PCI_CAP_ID_AGP },
	{ .prefix = "Vital Product Data", .id = PCI_CAP_ID_VPD },
	{ .prefix = "Slot ID", .id = PCI_CAP_ID_SLOTID },
	{ .prefix = "MSI-X:", .id = PCI_CAP_ID_MSIX },
	{ .prefix = "MSI:", .id = PCI_CAP_ID_MSI },
	{ .prefix = "Message Signalled Interrupts:", .id = PCI_CAP_ID_MSI },
	{ .prefix = "CompactPCI hot-swap", .id = PCI_CAP_ID_CHSWP },
	{ .prefix = "PCI-X", .id = PCI_CAP_ID_PCIX },
	{ .prefix = "HyperTransport", .id = PCI_CAP_ID_HT },
	{ .prefix = "Vendor Specific", .id = PCI_CAP_ID_VNDR },
	{ .prefix = "Debug port", .id = PCI_CAP_ID_DBG },
	{ .prefix = "Hot-plug capable", .id = PCI_CAP_ID_SHPC },
	{ .prefix = "Subsystem", .id = PCI_CAP_ID_SSVID },
	{ .prefix = "Secure device", .id = PCI_CAP_ID_SECDEV },
	{ .prefix = "Express", .id = PCI_CAP_ID_EXP },
	{ .prefix = "SATA HBA", .id = PCI_CAP_ID_SATA },
	{ .prefix = "PCI Advanced Features", .id = PCI_CAP_ID_AF },
	{ .prefix = "Enhanced Allocation", .id = PCI_CAP_ID_EA },
};
static const struct cap_name extended[] = {
	{ .prefix = "Advanced Error Reporting", .id = PCI_EXT_CAP_ID_ERR },
	{ .prefix = "Virtual Channel", .id = PCI_EXT_CAP_ID_VC },
	{ .prefix = "Device Serial Number", .id = PCI_EXT_CAP_ID_DSN },
	{ .prefix = "Power Budgeting", .id = PCI_EXT_CAP_ID_PWR },
	{ .prefix = "Root Complex Link", .id = PCI_EXT_CAP_ID_RCLD },
	{ .prefix = "Root Complex Event Collector", .id = PCI_EXT_CAP_ID_RCEC },
	{ .prefix = "Vendor Specific", .id = PCI_EXT_CAP_ID_VNDR },
	{ .prefix = "Access Control Services", .id = PCI_EXT_CAP_ID_ACS },
	{ .prefix = "Alternative Routing-ID Interpretation", .id = PCI_EXT_CAP_ID_ARI },
	{ .prefix = "Address Translation Service", .id = PCI_EXT_CAP_ID_ATS },
	{ .prefix = "Single Root I/O Virtualization", .id = PCI_EXT_CAP_ID_SRIOV },
	{ .prefix = "Multi-Root I/O Virtualization", .id = PCI_EXT_CAP_ID_MRIOV },
	{ .prefix = "Multicast", .id = PCI_EXT_CAP_ID_MCAST },
	{ .prefix = "Page Request Interface", .id = PCI_EXT_CAP_ID_PRI },
	{ .prefix = "Transaction Processing Hints", .id = PCI_EXT_CAP_ID_TPH },
	{ .prefix = "Latency Tolerance Reporting", .id = PCI_EXT_CAP_ID_LTR },
	{ .prefix = "Secondary PCI Express", .id = PCI_EXT_CAP_ID_SECPCI },
	{ .prefix = "Process Address Space ID", .id = PCI_EXT_CAP_ID_PASID },
	{ .prefix = "Downstream Port Containment", .id = PCI_EXT_CAP_ID_DPC },
	{ .prefix = "L1 PM Substates", .id = PCI_EXT_CAP_ID_L1SS },
	{ .prefix = "Precision Time Measurement", .id = PCI_EXT_CAP_ID_PTM },
	{ .prefix = "Designated Vendor-Specific", .id = PCI_EXT_CAP_ID_DVSEC },
	{ .prefix = "Data Link Feature", .id = PCI_EXT_CAP_ID_DLF },
	{ .prefix = "Physical Layer 16.0 GT/s", .id = PCI_EXT_CAP_ID_PL_16GT },
};

/* lspci gives what it cannot name as a number: "#19", "#0013". */
static int cap_number(const char *name)
{
	const char *at = text_after(name, "#");
	uint64_t id;

	return at && text_hex(&at, 4, &id) && !isalnum((unsigned char)*at) ? (int)id : -1;
}

/*
 * What has another name is none of those above, which all releases name that print anything of
 * them; it is taken for a capability without registers (PCIe 7.9.28, Null Capability).
 */
int lspci_cap_id(const char *name, bool is_extended)
{
	const struct cap_name *names = is_extended ? extended : normal;
	size_t n = is_extended ? ARRAY_SIZE(extended) : ARRAY_SIZE(normal);

	for (size_t i = 0; i < n; i++)
		if (parse_has_prefix(name, names[i].prefix))
			return names[i].id;
	if (name[0] == '#')
		return cap_number(name);
	return isalpha((unsigned char)name[0]) ? 0 : -1;
}
