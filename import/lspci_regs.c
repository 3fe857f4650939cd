/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the words of lspci back to the bits that they stand for (PCI Express Base, chapter 7). */
#include "lspci.h"

#include <sriovctl/pciconf_path.h>

#include <ctype.h>
#include <linux/pci_regs.h>
#include <string.h>

/* What is read of a capability, and where it is. */
struct place {
	struct lspci_block *b;
	size_t at;
};

static void set(const struct place *p, size_t offset, uint32_t value, uint32_t mask)
{
	function_set(p->b->functions, p->b->f, p->at + offset, value, mask);
}

/* @mask where "@word+", 0 where "@word-"; nothing where neither is there. */
static void set_flag(const struct place *p, const char *line, const char *word, size_t offset,
		     uint32_t mask)
{
	int on = text_flag(line, word);

	if (on >= 0)
		set(p, offset, on ? mask : 0, mask);
}

struct flag {
	const char *word;
	size_t offset;
	uint32_t mask;
};

static void set_flags(const struct place *p, const char *line, const struct flag *flags, size_t n)
{
	for (size_t i = 0; i < n; i++)
		set_flag(p, line, flags[i].word, flags[i].offset, flags[i].mask);
}

static bool number_behind(const char *line, const char *word, bool hex, uint64_t *ret)
{
	const char *p = text_behind(line, word);

	return p && (hex ? text_hex(&p, 16, ret) : text_decimal(&p, ret));
}

/* --- conventional capabilities --------------------------------------------------------------- */

static void take_power(const struct place *p, const char *line)
{
	const char *state = text_after(line, "Status: D");

	if (state && *state >= '0' && *state <= '3')
		set(p, PCI_PM_CTRL, (uint32_t)(*state - '0'), PCI_PM_CTRL_STATE_MASK);
}

static unsigned log2_of(uint64_t n)
{
	return n >= 1 && n <= 32 && (n & (n - 1)) == 0 ? (unsigned)__builtin_ctzll(n) : 7;
}

static void take_msi_count(const struct place *p, const char *line)
{
	const char *at = text_behind(line, "Count=");
	uint64_t allocated, capable;

	if (!at || !text_decimal(&at, &allocated) || *at++ != '/' || !text_decimal(&at, &capable) ||
	    log2_of(allocated) > 5 || log2_of(capable) > 5)
		return;
	set(p, PCI_MSI_FLAGS, log2_of(allocated) << 4, PCI_MSI_FLAGS_QSIZE);
	set(p, PCI_MSI_FLAGS, log2_of(capable) << 1, PCI_MSI_FLAGS_QMASK);
}

static void take_msi(const struct place *p, const char *line)
{
	static const struct flag flags[] = {
		{ .word = "Enable", .offset = PCI_MSI_FLAGS, .mask = PCI_MSI_FLAGS_ENABLE },
		{ .word = "64bit", .offset = PCI_MSI_FLAGS, .mask = PCI_MSI_FLAGS_64BIT },
		{ .word = "Maskable", .offset = PCI_MSI_FLAGS, .mask = PCI_MSI_FLAGS_MASKBIT },
	};
	bool is_64 = function_get(p->b->f, p->at + PCI_MSI_FLAGS) & PCI_MSI_FLAGS_64BIT;
	uint64_t address, data;

	set_flags(p, line, flags, ARRAY_SIZE(flags));
	take_msi_count(p, line);
	if (!function_knows(p->b->f, p->at + PCI_MSI_FLAGS, PCI_MSI_FLAGS_64BIT) ||
	    !number_behind(line, "Address: ", true, &address) ||
	    !number_behind(line, "Data: ", true, &data))
		return;
	set(p, PCI_MSI_ADDRESS_LO, (uint32_t)address, UINT32_MAX);
	if (is_64)
		set(p, PCI_MSI_ADDRESS_HI, (uint32_t)(address >> 32), UINT32_MAX);
	set(p, is_64 ? PCI_MSI_DATA_64 : PCI_MSI_DATA_32, (uint32_t)data, UINT16_MAX);
}

/* "Enable+ Count=129 Masked-"; before 2008 "Enable+ Mask- TabSize=10". */
static void take_msix(const struct place *p, const char *line)
{
	static const struct flag flags[] = {
		{ .word = "Enable", .offset = PCI_MSIX_FLAGS, .mask = PCI_MSIX_FLAGS_ENABLE },
		{ .word = "Masked", .offset = PCI_MSIX_FLAGS, .mask = PCI_MSIX_FLAGS_MASKALL },
		{ .word = "Mask", .offset = PCI_MSIX_FLAGS, .mask = PCI_MSIX_FLAGS_MASKALL },
	};
	uint64_t n;

	set_flags(p, line, flags, ARRAY_SIZE(flags));
	if ((number_behind(line, "Count=", false, &n) ||
	     number_behind(line, "TabSize=", false, &n)) &&
	    n >= 1 && n <= PCI_MSIX_FLAGS_QSIZE + 1)
		set(p, PCI_MSIX_FLAGS, (uint32_t)n - 1, PCI_MSIX_FLAGS_QSIZE);
}

/* Each entry tells its size and what it is for; dwords follow that size (7.8.5). */
static void take_ea(const struct place *p, const char *line)
{
	struct lspci_block *b = p->b;
	const char *bei = text_after(line, "BAR Equivalent Indicator: ");
	uint64_t n;

	if (number_behind(line, "NumEntries=", false, &n) && n <= PCI_EA_NUM_ENT_MASK) {
		set(p, PCI_EA_NUM_ENT, (uint32_t)n, PCI_EA_NUM_ENT_MASK);
		b->ea_at = PCI_EA_FIRST_ENT;
		b->ea_entry = 0;
	}
	if (text_after(line, "Entry ") && number_behind(line, "EntrySize=", false, &n) &&
	    n <= PCI_EA_ES && b->ea_at > 0) {
		if (b->ea_entry++ > 0)
			b->ea_at += 4 + 4 * (function_get(b->f, p->at + b->ea_at) & PCI_EA_ES);
		set(p, b->ea_at, (uint32_t)n, PCI_EA_ES);
	}
	if (!bei || b->ea_entry == 0)
		return;
	if (number_behind(bei, "VF-BAR ", false, &n) && n < PCI_SRIOV_NUM_BARS)
		set(p, b->ea_at, (uint32_t)(PCI_EA_BEI_VF_BAR0 + n) << 4, PCI_EA_BEI);
	else if (!strstr(bei, "VF-BAR"))
		set(p, b->ea_at, PCI_EA_BEI_ENI << 4, PCI_EA_BEI);
}

/* --- PCI Express ------------------------------------------------------------------------------ */

static void take_express_type(const struct place *p, const char *line)
{
	static const struct {
		const char *name;
		uint32_t type;
	} types[] = {
		{ .name = "Root Complex Integrated Endpoint", .type = PCI_EXP_TYPE_RC_END },
		{ .name = "Root Complex Event Collector", .type = PCI_EXP_TYPE_RC_EC },
		{ .name = "Legacy Endpoint", .type = PCI_EXP_TYPE_LEG_END },
		{ .name = "Endpoint", .type = PCI_EXP_TYPE_ENDPOINT },
		{ .name = "Root Port", .type = PCI_EXP_TYPE_ROOT_PORT },
		{ .name = "Upstream Port", .type = PCI_EXP_TYPE_UPSTREAM },
		{ .name = "Downstream Port", .type = PCI_EXP_TYPE_DOWNSTREAM },
		{ .name = "PCI-Express to PCI/PCI-X Bridge", .type = PCI_EXP_TYPE_PCI_BRIDGE },
		{ .name = "PCI/PCI-X to PCI-Express Bridge", .type = PCI_EXP_TYPE_PCIE_BRIDGE },
	};
	uint64_t version;

	if (number_behind(line, "Express (v", false, &version) && version <= PCI_EXP_FLAGS_VERS)
		set(p, PCI_EXP_FLAGS, (uint32_t)version, PCI_EXP_FLAGS_VERS);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (!strstr(line, types[i].name))
			continue;
		set(p, PCI_EXP_FLAGS, types[i].type << 4, PCI_EXP_FLAGS_TYPE);
		return;
	}
}

/* "2.5GT/s", "2.5Gb/s" of old, "16GT/s (ok)": the index, or 0. */
static uint32_t speed_behind(const char *line, const char *word)
{
	static const char *const speeds[] = { NULL, "2.5G", "5G", "8G", "16G", "32G", "64G" };
	const char *p = text_behind(line, word);

	for (uint32_t i = 1; p && i < ARRAY_SIZE(speeds); i++)
		if (parse_has_prefix(p, speeds[i]))
			return i;
	return 0;
}

static void take_link(const struct place *p, const char *line, size_t offset)
{
	uint32_t speed = speed_behind(line, "Speed ");
	uint64_t width;

	if (speed)
		set(p, offset, speed, PCI_EXP_LNKSTA_CLS);
	/* In both registers it is in the same bits. */
	if (number_behind(line, "Width x", false, &width) && width <= 0x3f)
		set(p, offset, (uint32_t)width << PCI_EXP_LNKSTA_NLW_SHIFT, PCI_EXP_LNKSTA_NLW);
}

/* "MaxPayload 256 bytes, MaxReadReq 512 bytes", of 128 to 4096: as a power of two (7.5.3.4). */
static bool size_behind(const char *line, const char *word, uint32_t *ret)
{
	uint64_t n;

	if (!number_behind(line, word, false, &n))
		return false;
	for (*ret = 0; *ret <= 5; ++*ret)
		if (n == 128u << *ret)
			return true;
	return false;
}

static void take_payload(const struct place *p, const char *line)
{
	const char *reg = p->b->register_name;
	uint32_t code;

	if (strcmp(reg, "DevCap") == 0 && size_behind(line, "MaxPayload ", &code))
		set(p, PCI_EXP_DEVCAP, code, PCI_EXP_DEVCAP_PAYLOAD);
	if (strcmp(reg, "DevCtl") == 0 && size_behind(line, "MaxPayload ", &code))
		set(p, PCI_EXP_DEVCTL, code << 5, PCI_EXP_DEVCTL_PAYLOAD);
	if (strcmp(reg, "DevCtl") == 0 && size_behind(line, "MaxReadReq ", &code))
		set(p, PCI_EXP_DEVCTL, code << 12, PCI_EXP_DEVCTL_READRQ);
}

static void take_express(const struct place *p, const char *line)
{
	static const struct flag state[] = {
		{ .word = "Train", .offset = PCI_EXP_LNKSTA, .mask = PCI_EXP_LNKSTA_LT },
		{ .word = "BWMgmt", .offset = PCI_EXP_LNKSTA, .mask = PCI_EXP_LNKSTA_LBMS },
		{ .word = "ABWMgmt", .offset = PCI_EXP_LNKSTA, .mask = PCI_EXP_LNKSTA_LABS },
		{ .word = "DLActive", .offset = PCI_EXP_LNKSTA, .mask = PCI_EXP_LNKSTA_DLLLA },
	};
	const char *reg = p->b->register_name;
	uint32_t target;

	take_payload(p, line);
	if (strcmp(reg, "DevCap") == 0) {
		set_flag(p, line, "FLReset", PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_FLR);
	} else if (strcmp(reg, "LnkCap") == 0) {
		take_link(p, line, PCI_EXP_LNKCAP);
	} else if (strcmp(reg, "LnkSta") == 0) {
		take_link(p, line, PCI_EXP_LNKSTA);
		set_flags(p, line, state, ARRAY_SIZE(state));
	} else if (strcmp(reg, "DevCap2") == 0) {
		set_flag(p, line, "ARIFwd", PCI_EXP_DEVCAP2, PCI_EXP_DEVCAP2_ARI);
	} else if (strcmp(reg, "DevCtl2") == 0) {
		set_flag(p, line, "ARIFwd", PCI_EXP_DEVCTL2, PCI_EXP_DEVCTL2_ARI);
	} else if (strcmp(reg, "LnkCtl2") == 0) {
		target = speed_behind(line, "Target Link Speed: ");
		if (target)
			set(p, PCI_EXP_LNKCTL2, target, PCI_EXP_LNKCTL2_TLS);
	}
}

/* --- extended capabilities ----------------------------------------------------------------------
 */

static void take_acs(const struct place *p, const char *line)
{
	static const char *const bits[] = { "SrcValid",	   "TransBlk",	 "ReqRedir",   "CmpltRedir",
					    "UpstreamFwd", "EgressCtrl", "DirectTrans" };
	const char *reg = p->b->register_name;
	size_t offset = strcmp(reg, "ACSCap") == 0 ? PCI_ACS_CAP : PCI_ACS_CTRL;

	if (strcmp(reg, "ACSCap") != 0 && strcmp(reg, "ACSCtl") != 0)
		return;
	for (unsigned i = 0; i < ARRAY_SIZE(bits); i++)
		set_flag(p, line, bits[i], offset, 1u << i);
}

/* Each status and mask has a name of its own, and the bits are called the same in both. */
static void take_errors(const struct place *p, const char *line)
{
	static const struct {
		const char *name;
		size_t offset;
		bool is_correctable;
	} registers[] = {
		{ .name = "UESta", .offset = PCI_ERR_UNCOR_STATUS },
		{ .name = "UEMsk", .offset = PCI_ERR_UNCOR_MASK },
		{ .name = "CESta", .offset = PCI_ERR_COR_STATUS, .is_correctable = true },
		{ .name = "CEMsk", .offset = PCI_ERR_COR_MASK, .is_correctable = true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
		if (strcmp(p->b->register_name, registers[i].name) != 0)
			continue;
		for (unsigned bit = 0; bit < 32; bit++) {
			const char *name = pciconf_aer_name(bit, registers[i].is_correctable);

			if (name)
				set_flag(p, line, name, registers[i].offset, 1u << bit);
		}
	}
}

static void take_ari(const struct place *p, const char *line)
{
	uint64_t next;

	if (number_behind(line, "Next Function: ", false, &next) && next <= UINT8_MAX)
		set(p, PCI_ARI_CAP, (uint32_t)next << 8, 0xff00);
}

/* The space that belongs to a tunnel is told by its vendor's id (7.9.5.2). */
static void take_vendor(const struct place *p, const char *line)
{
	uint64_t id;

	if (number_behind(line, "ID=", true, &id) && id <= UINT16_MAX)
		set(p, PCI_VNDR_HEADER, (uint32_t)id, UINT16_MAX);
}

/* "Region 0: Memory at 0000039fffc00000 (64-bit, prefetchable)" */
static void take_vf_bar(const struct place *p, const char *line)
{
	const char *at = text_after(line, "Region ");
	uint64_t bar, address;
	uint32_t bits = 0;
	bool is_64;

	if (!at || !text_decimal(&at, &bar) || bar >= PCI_SRIOV_NUM_BARS ||
	    !number_behind(at, "Memory at ", true, &address) || !strchr(at, '('))
		return;
	is_64 = strstr(at, "(64-bit");
	if (is_64)
		bits |= PCI_BASE_ADDRESS_MEM_TYPE_64;
	if (strstr(at, ", prefetchable"))
		bits |= PCI_BASE_ADDRESS_MEM_PREFETCH;
	set(p, PCI_SRIOV_BAR + 4 * bar, (uint32_t)address | bits, UINT32_MAX);
	if (is_64 && bar + 1 < PCI_SRIOV_NUM_BARS)
		set(p, PCI_SRIOV_BAR + 4 * bar + 4, (uint32_t)(address >> 32), UINT32_MAX);
}

struct field {
	const char *word;
	bool is_hex;
	size_t offset;
	uint32_t mask;
};

static void take_sriov_numbers(const struct place *p, const char *line)
{
	static const struct field fields[] = {
		{ .word = "Initial VFs: ", .offset = PCI_SRIOV_INITIAL_VF, .mask = UINT16_MAX },
		{ .word = "Total VFs: ", .offset = PCI_SRIOV_TOTAL_VF, .mask = UINT16_MAX },
		{ .word = "Number of VFs: ", .offset = PCI_SRIOV_NUM_VF, .mask = UINT16_MAX },
		{ .word = "Dependency Link: ",
		  .is_hex = true,
		  .offset = PCI_SRIOV_FUNC_LINK,
		  .mask = UINT8_MAX },
		{ .word = "VF offset: ", .offset = PCI_SRIOV_VF_OFFSET, .mask = UINT16_MAX },
		{ .word = "stride: ", .offset = PCI_SRIOV_VF_STRIDE, .mask = UINT16_MAX },
		{ .word = "Device ID: ",
		  .is_hex = true,
		  .offset = PCI_SRIOV_VF_DID,
		  .mask = UINT16_MAX },
		{ .word = "Supported Page Size: ",
		  .is_hex = true,
		  .offset = PCI_SRIOV_SUP_PGSIZE,
		  .mask = UINT32_MAX },
		{ .word = "System Page Size: ",
		  .is_hex = true,
		  .offset = PCI_SRIOV_SYS_PGSIZE,
		  .mask = UINT32_MAX },
	};
	uint64_t n;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (number_behind(line, fields[i].word, fields[i].is_hex, &n) &&
		    n <= fields[i].mask)
			set(p, fields[i].offset, (uint32_t)n, fields[i].mask);
}

static void take_sriov(const struct place *p, const char *line)
{
	static const struct flag control[] = {
		{ .word = "Enable", .offset = PCI_SRIOV_CTRL, .mask = PCI_SRIOV_CTRL_VFE },
		{ .word = "MSE", .offset = PCI_SRIOV_CTRL, .mask = PCI_SRIOV_CTRL_MSE },
		{ .word = "ARIHierarchy", .offset = PCI_SRIOV_CTRL, .mask = PCI_SRIOV_CTRL_ARI },
	};

	if (text_after(line, "VF Migration: ")) {
		/* Of a block that is whole each VF BAR that is not zero was printed before this. */
		for (unsigned i = 0; p->b->has_page_size && i < PCI_SRIOV_NUM_BARS; i++)
			function_fill(p->b->functions, p->b->f, p->at + PCI_SRIOV_BAR + 4 * i, 0,
				      UINT32_MAX);
		return;
	}
	p->b->has_page_size = p->b->has_page_size || text_after(line, "Supported Page Size: ");
	if (strcmp(p->b->register_name, "IOVCap") == 0)
		set_flag(p, line, "Migration", PCI_SRIOV_CAP, PCI_SRIOV_CAP_VFM);
	if (strcmp(p->b->register_name, "IOVCtl") == 0)
		set_flags(p, line, control, ARRAY_SIZE(control));
	take_sriov_numbers(p, line);
	take_vf_bar(p, line);
}

/* --- which is which
 * ------------------------------------------------------------------------------- */

/* "LnkSta:\tSpeed 8GT/s": the name of what this line and those after it tell. */
static void take_name(struct lspci_block *b, const char *line)
{
	size_t len = 0;

	while (isalnum((unsigned char)line[len]))
		len++;
	if (line[len] != ':' || len < 3 || len >= sizeof(b->register_name))
		return;
	memcpy(b->register_name, line, len);
	b->register_name[len] = '\0';
}

static void take_normal(const struct place *p, int id, const char *line, bool is_first)
{
	switch (id) {
	case PCI_CAP_ID_PM:
		take_power(p, line);
		break;
	case PCI_CAP_ID_MSI:
		take_msi(p, line);
		break;
	case PCI_CAP_ID_MSIX:
		if (is_first)
			take_msix(p, line);
		break;
	case PCI_CAP_ID_EXP:
		if (is_first)
			take_express_type(p, line);
		else
			take_express(p, line);
		break;
	case PCI_CAP_ID_EA:
		take_ea(p, line);
		break;
	default:
		break;
	}
}

void lspci_take_register(struct lspci_block *b, const struct lspci_cap *cap, const char *line,
			 bool is_first)
{
	const struct place p = { .b = b, .at = cap->offset };

	if (!is_first)
		take_name(b, line);
	if (!cap->is_extended)
		take_normal(&p, cap->id, line, is_first);
	else if (cap->id == PCI_EXT_CAP_ID_ACS)
		take_acs(&p, line);
	else if (cap->id == PCI_EXT_CAP_ID_ARI)
		take_ari(&p, line);
	else if (cap->id == PCI_EXT_CAP_ID_ERR)
		take_errors(&p, line);
	else if (cap->id == PCI_EXT_CAP_ID_SRIOV)
		take_sriov(&p, line);
	else if (cap->id == PCI_EXT_CAP_ID_VNDR && is_first)
		take_vendor(&p, line);
}
