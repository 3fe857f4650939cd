/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/step.h>

#include <string.h>

#define RATE STEP_BIT(SETTING_RATE)
#define MAC  STEP_BIT(SETTING_MAC)
#define VLAN STEP_BIT(SETTING_VLAN)
#define MTU  STEP_BIT(SETTING_MTU) /* of the PF */

/*
 * Read in the drivers of Linux 6.1 and 6.12, in the functions behind ndo_set_vf_*,
 * sriov_configure and devlink's eswitch_mode_set.
 */
static const struct step_driver drivers[] = {
	/*
	 * Rates are shares of the link's speed; igb_sriov_reinit() closes and reopens the PF, and
	 * igb_change_mtu() ends in igb_reset(), which switches all VFs off until their drivers
	 * start anew.
	 */
	{ .name = "igb",
	  .carrier = RATE,
	  .resets = MTU,
	  .links_reset = true,
	  .no_min_rate = true,
	  .only_8021q = true },
	/* ixgbe_change_mtu(): ixgbe_down() takes their queues from all VFs. */
	{ .name = "ixgbe",
	  .carrier = RATE,
	  .resets = MTU,
	  .links_reset = true,
	  .no_min_rate = true,
	  .only_8021q = true },
	/*
	 * i40e_vc_reset_vf() of every change of address, port VLAN and trust; i40e_change_mtu()
	 * restarts the queues of the PF alone.
	 */
	{ .name = "i40e",
	  .carrier = RATE,
	  .links_reset = true,
	  .no_min_rate = true,
	  .only_8021q = true,
	  .resets = MAC | VLAN | STEP_BIT(SETTING_TRUST) },
	{ .name = "ice",
	  .resets = MAC | VLAN | STEP_BIT(SETTING_TRUST),
	  .eswitch = STEP_ESWITCH_NO_VFS },
	/* The mode has to be final before VFs are made with recent firmware of ConnectX-6 Lx. */
	{ .name = "mlx5_core", .eswitch = STEP_ESWITCH_NO_VFS },
	/* bnxt_sriov_configure() of an interface that is down succeeds and makes none. */
	{ .name = "bnxt_en", .up = STEP_BIT(SETTING_VFS), .eswitch = STEP_ESWITCH_WITH_VFS },
	{ .name = "be2net", .carrier = RATE, .no_min_rate = true },
	{ .name = "cxgb4", .carrier = RATE, .no_min_rate = true },
	{ .name = "hinic", .carrier = RATE },
	{ .name = "hns3", .resets = MAC },
	{ .name = "ionic", .no_min_rate = true },
	/* otx2_set_vf_mac(), otx2_set_vf_vlan(): -EAGAIN while it is down. */
	{ .name = "rvu_nicpf", .up = MAC | VLAN },
	{ .name = NULL },
};

const struct step_driver *step_driver_find(const char *name)
{
	const struct step_driver *d = drivers;

	while (d->name && (!name || strcmp(d->name, name) != 0))
		d++;
	return d;
}
