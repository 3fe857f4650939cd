/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/version.h>

#include <string.h>

/* BCD, printed as hexadecimal: the minor one has two digits, and tables that say 4.9 mean 4.90. */
#define INTEL_NVM                              \
	{                                      \
		.pattern = "%h.%b{ 0x%x{ %w}}" \
	}

/* File names are of Linux drivers/net/ethernet/, where nothing else is said. */
static const struct version_scheme schemes[] = {
	{ .name = "igb",
	  .example = "3.25, 0x800006eb, 1.1824.0",
	  .source = "intel/igb/igb_main.c igb_set_fw_version()",
	  .forms = { { .pattern = "%d.%d, 0x%x{, %w}" }, { .pattern = "%d.%d{.%d}" } } },
	/* The ids of images grow by the build and the card, not by the release. */
	{ .name = "ixgbe",
	  .example = "0x800003e2, 1.1824.0",
	  .source = "intel/ixgbe/ixgbe_main.c ixgbe_set_fw_version()",
	  .forms = { { .pattern = "0x%x{, %w}", .is_unordered = true },
		     { .pattern = "%h.%h.%h", .is_unordered = true },
		     /* Of X550, by drivers out of the kernel's tree. */
		     INTEL_NVM } },
	{ .name = "ixgbe-e610",
	  .example = "3.70 0x8000184a 1.3052.0",
	  .source = "intel/ixgbe/ixgbe_main.c ixgbe_set_fw_version_e610()",
	  .forms = { INTEL_NVM } },
	/*
	 * Kernels up to 4.2 had it behind the versions of firmware and interface; images of some
	 * makers of machines have numbers of their own.
	 */
	{ .name = "i40e",
	  .example = "8.30 0x8000a49d 1.2926.0",
	  .source = "intel/i40e/i40e_ethtool.c i40e_get_drvinfo(), i40e.h",
	  .forms = { INTEL_NVM,
		     { .pattern = "f%o.%o{.%o} a%o.%o n%h.%b e%x" },
		     { .pattern = "%h.%h.%h", .is_unordered = true } } },
	{ .name = "i40e-x722",
	  .example = "6.20 0x80003d97 1.3227.0",
	  .source = "intel/i40e/i40e_ethtool.c; DPDK doc/guides/nics/i40e.rst, own numbers",
	  .forms = { INTEL_NVM, { .pattern = "f%o.%o{.%o} a%o.%o n%h.%b e%x" } } },
	{ .name = "ice",
	  .example = "4.20 0x80017785 1.3346.0",
	  .source = "intel/ice/ice_ethtool.c ice_get_drvinfo()",
	  .forms = { INTEL_NVM } },
	{ .name = "ice-e82x",
	  .example = "3.38 0x8001c4aa 1.3452.0",
	  .source = "intel/ice/ice_ethtool.c; a part of the processor, not a card",
	  .forms = { INTEL_NVM } },
	{ .name = "ice-e830",
	  .example = "1.20 0x80022d47 1.3805.0",
	  .source = "intel/ice/ice_ethtool.c; DPDK doc/guides/nics/ice.rst, own numbers",
	  .forms = { INTEL_NVM } },
	/* What a card of the 800 series loads: fw.app of devlink. */
	{ .name = "ddp",
	  .example = "1.3.36.0",
	  .source = "Documentation/networking/devlink/ice.rst",
	  .forms = { { .pattern = "%d.%d.%d{.%d}" } } },
	/* The first number tells the kind of card, the PSID behind it the board. */
	{ .name = "mlx5",
	  .example = "22.35.1012 (MT_0000000359)",
	  .source = "mellanox/mlx5/core/en_ethtool.c mlx5e_ethtool_get_drvinfo()",
	  .forms = { { .pattern = "%l.%d.%d{ (%t)}" } } },
	{ .name = "mlx4",
	  .example = "2.42.5000",
	  .source = "mellanox/mlx4/en_ethtool.c mlx4_en_get_drvinfo()",
	  .forms = { { .pattern = "%d.%d.%d" } } },
	/* Older kernels have the version of the interface behind that of the firmware. */
	{ .name = "bnxt",
	  .example = "218.0.219.13/pkg 218.0.221.1",
	  .source = "broadcom/bnxt/bnxt.c bnxt_hwrm_ver_get(), bnxt_ethtool.c",
	  .forms = { { .pattern = "%d.%d.%d.%d{/pkg %t}" },
		     { .pattern = "%d.%d.%d/%o.%o.%o{/pkg %t}" },
		     { .pattern = "bc %d.%d.%d rm %o.%o.%o{/pkg %t}" } } },
	/* What comes before the boot code is a vendor's. */
	{ .name = "bnx2x",
	  .example = "FFV7.10.17 bc 7.10.11",
	  .source = "broadcom/bnx2x/bnx2x_cmn.c bnx2x_fill_fw_str()",
	  .forms = { { .pattern = "bc %d.%d.%d{ phy %w}" },
		     { .pattern = "%w bc %d.%d.%d{ phy %w}" } } },
	{ .name = "cxgb4",
	  .example = "1.25.6.0, TP 0.1.23.2",
	  .source = "chelsio/cxgb4/cxgb4_ethtool.c get_drvinfo()",
	  .forms = { { .pattern = "%d.%d.%d.%d{, TP %w}" } } },
	/* Either is cut where it has no room; then the bracket that closes it is missing. */
	{ .name = "qede",
	  .example = "mbi 15.10.9 [mfw 8.30.14.0]",
	  .source = "qlogic/qede/qede_ethtool.c qede_get_drvinfo()",
	  .forms = { { .pattern = "mbi %w [mfw %d.%d.%d.%d]" },
		     { .pattern = "{mfw }%d.%d.%d.%d" } } },
	{ .name = "sfc",
	  .example = "6.0.2.1004 rx1 tx1",
	  .source = "sfc/mcdi.c efx_mcdi_print_fwver()",
	  .forms = { { .pattern = "%d.%d.%d.%d{ rx%w tx%w}" } } },
	{ .name = "hns3",
	  .example = "1.8.10.0",
	  .source = "hisilicon/hns3/hns3_ethtool.c hns3_get_drvinfo()",
	  .forms = { { .pattern = "%d.%d.%d.%d" } } },
	{ .name = "hinic",
	  .example = "2.4.1.0",
	  .source = "huawei/hinic/hinic_ethtool.c: as the card says it",
	  .forms = { { .pattern = "%t", .is_unordered = true } } },
	{ .name = "ionic",
	  .example = "0.11.0-50",
	  .source = "Documentation/networking/device_drivers/ethernet/pensando/ionic.rst",
	  .forms = { { .pattern = "%d.%d.%d-%d" }, { .pattern = "%d.%d.%d-%w-%d" } } },
	/* The version of the application, as the name of its image has it. */
	{ .name = "nfp",
	  .example = "0.0.3.5 0.25 nic-2.1.16.1 nic",
	  .source = "netronome/nfp/nfp_net_ethtool.c nfp_get_drvinfo()",
	  .forms = { { .pattern = "%o.%o.%o.%o %o.%o nic-%n %w" } } },
	/* In brackets: what is on the flash, where that is another. */
	{ .name = "be2net",
	  .example = "11.4.1186.0 [11.4.1226.0]",
	  .source = "emulex/benet/be_ethtool.c be_get_drvinfo()",
	  .forms = { { .pattern = "%d.%d.%d.%d{ [%t]}" } } },
	{ .name = "liquidio",
	  .example = "1.7.2",
	  .source = "cavium/liquidio/lio_ethtool.c lio_get_drvinfo()",
	  .forms = { { .pattern = "{LIQUIDIO: }%d.%d.%d" } } },
	{ .name = "qlcnic",
	  .example = "4.20.1",
	  .source = "qlogic/qlcnic/qlcnic_ethtool.c qlcnic_get_drvinfo()",
	  .forms = { { .pattern = "%d.%d.%d" } } },
	{ .name = "wangxun",
	  .example = "0x0001002a",
	  .source = "wangxun/libwx/wx_ethtool.c, txgbe/txgbe_main.c txgbe_probe()",
	  .forms = { { .pattern = "0x%x{, %w}", .is_unordered = true } } },
	{ .name = "nvme",
	  .example = "MPK76H5Q",
	  .source = "NVM Express Base Specification, Identify Controller, FR",
	  .forms = { { .pattern = "%t", .is_unordered = true } } },
	/* Of modules: NVIDIA's have the release of the package, "-k" is of the kernel's own tree.
	 */
	{ .name = "driver",
	  .example = "1.15.4",
	  .source = "MODULE_VERSION() of drivers out of the kernel's tree",
	  .forms = { { .pattern = "%n{-%n}" }, { .pattern = "%n-k{%w}" } } },
	/* Of a distribution's kernel: numbers, and behind them words. */
	{ .name = "release",
	  .example = "5.14.0-427.20.1.el9_4.x86_64",
	  .source = "uname(2), release",
	  .forms = { { .pattern = "%n{-%n}" },
		     { .pattern = "%n-%n.%w" },
		     { .pattern = "%n-%n-%w" },
		     { .pattern = "%n-%w" } } },
	/* HPE has the name of the family before, and a date behind. */
	{ .name = "bios",
	  .example = "1.8.2",
	  .source = "SMBIOS (DSP0134), BIOS Version",
	  .forms = { { .pattern = "%n{-%w}" }, { .pattern = "%w v%n{ %w}" } } },
};

/*
 * Not here are drivers whose ethtool operations leave the field empty: ena, fm10k, gve, idpf,
 * those of octeontx2, and all of VFs; and those that have none (xe, qat).
 */
static const struct {
	const char *driver;
	uint16_t first, last; /* of Intel's device ids; 0: any other */
	const char *scheme;
} drivers[] = {
	{ .driver = "be2net", .scheme = "be2net" },
	{ .driver = "bnx2x", .scheme = "bnx2x" },
	{ .driver = "bnxt_en", .scheme = "bnxt" },
	{ .driver = "cxgb4", .scheme = "cxgb4" },
	{ .driver = "hinic", .scheme = "hinic" },
	{ .driver = "hns3", .scheme = "hns3" },
	{ .driver = "i40e", .first = 0x0dda, .last = 0x0dda, .scheme = "i40e-x722" },
	{ .driver = "i40e", .first = 0x37cc, .last = 0x37d3, .scheme = "i40e-x722" },
	{ .driver = "i40e", .scheme = "i40e" },
	{ .driver = "ice", .first = 0x1248, .last = 0x124a, .scheme = "ice-e830" },
	{ .driver = "ice", .first = 0x124c, .last = 0x124f, .scheme = "ice-e82x" },
	{ .driver = "ice", .first = 0x1261, .last = 0x1267, .scheme = "ice-e830" },
	{ .driver = "ice", .first = 0x12d1, .last = 0x12de, .scheme = "ice-e830" },
	{ .driver = "ice", .first = 0x151d, .last = 0x151d, .scheme = "ice-e82x" },
	{ .driver = "ice", .first = 0x188a, .last = 0x189a, .scheme = "ice-e82x" },
	{ .driver = "ice", .first = 0x579c, .last = 0x579f, .scheme = "ice-e82x" },
	{ .driver = "ice", .scheme = "ice" },
	{ .driver = "igb", .scheme = "igb" },
	{ .driver = "ionic", .scheme = "ionic" },
	{ .driver = "ixgbe", .first = 0x57ae, .last = 0x57b2, .scheme = "ixgbe-e610" },
	{ .driver = "ixgbe", .scheme = "ixgbe" },
	{ .driver = "LiquidIO", .scheme = "liquidio" },
	{ .driver = "mlx4_core", .scheme = "mlx4" },
	{ .driver = "mlx5_core", .scheme = "mlx5" },
	{ .driver = "nfp", .scheme = "nfp" },
	{ .driver = "ngbe", .scheme = "wangxun" },
	{ .driver = "nvme", .scheme = "nvme" },
	{ .driver = "qede", .scheme = "qede" },
	{ .driver = "qlcnic", .scheme = "qlcnic" },
	{ .driver = "sfc", .scheme = "sfc" },
	{ .driver = "sfc_ef100", .scheme = "sfc" },
	{ .driver = "sfc_siena", .scheme = "sfc" },
	{ .driver = "txgbe", .scheme = "wangxun" },
};

const struct version_scheme *version_scheme_at(size_t i)
{
	return i < ARRAY_SIZE(schemes) ? &schemes[i] : NULL;
}

const struct version_scheme *version_scheme_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
		if (strcmp(schemes[i].name, name) == 0)
			return &schemes[i];
	return NULL;
}

const struct version_scheme *version_scheme_of(const char *driver, uint16_t device)
{
	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++)
		if (strcmp(drivers[i].driver, driver) == 0 &&
		    (drivers[i].last == 0 ||
		     (device >= drivers[i].first && device <= drivers[i].last)))
			return version_scheme_find(drivers[i].scheme);
	return NULL;
}
