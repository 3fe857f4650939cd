/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel's refusals are turned into. */
#include "../../provision/blame.h"

#include "test.h"

#include <sriovctl/setting.h>

#include <errno.h>
#include <string.h>

TEST(the_cause_is_of_errno_driver_and_log)
{
	static const struct {
		enum setting what;
		int error;
		const char *driver, *log, *cause; /* a part of it; NULL: not known */
	} cases[] = {
		{ SETTING_VFS, ENOMEM, "igb", "igb: not enough MMIO resources for SR-IOV",
		  "address space" },
		{ SETTING_VFS, ENOMEM, "igb", "VF bus number 3 out of range of [bus 02]",
		  "bus numbers" },
		{ SETTING_VFS, ENOMEM, "igb", "BAR 7: not allocated", "never given addresses" },
		{ SETTING_VFS, ENOMEM, "igb", "", "no memory" },
		{ SETTING_VFS, ENOSPC, "ice", "", "interrupt vectors" },
		{ SETTING_VFS, ENOSPC, "mlx5_core", "", "queues or vectors" },
		{ SETTING_VFS, ENOSPC, NULL, "", "queues or vectors" },
		{ SETTING_VFS, EPERM, "igb", "", "7 VFs at most" },
		{ SETTING_VFS, EPERM, "ixgbe", "", "63 VFs" },
		{ SETTING_VFS, EPERM, "iavf", "", "assigned to guests" },
		{ SETTING_VFS, EBUSY, "ice", "", "being reset, or VFs" },
		{ SETTING_VFS, EBUSY, "igb", "", "there are VFs already" },
		{ SETTING_VFS, EAGAIN, "igb", "", "at work" },
		{ SETTING_VFS, ENOENT, "vfio-pci", "", "given to vfio-pci" },
		{ SETTING_VFS, ENOENT, NULL, "", "no driver" },
		{ SETTING_VFS, 524, "cxgb4", "", "ARI" },
		{ SETTING_VFS, 524, "igb", "", NULL },
		{ SETTING_VFS, EXFULL, "igb", "", NULL },
		{ SETTING_QUEUES, ENOSPC, "nvme", "", "controller" },
		{ SETTING_QUEUES, ENOSPC, "mlx5_core", "", "pool of vectors" },
		{ SETTING_QUEUES, EBUSY, "mlx5_core", "", "driver is bound" },
		{ SETTING_ESWITCH, EBUSY, "ice", "", "in use" },
		{ SETTING_DRIVER, ENOENT, "igb", "", "no such driver" },
		{ SETTING_VLAN, EPROTONOSUPPORT, "igb", "", "802.1Q only" },
		{ SETTING_VLAN, EINVAL, "igb", "", "not a value" },
		{ SETTING_RATE, EINVAL, "igb", "", "not a rate" },
		{ SETTING_MAC, EBUSY, "i40e", "", "being reset" },
		{ SETTING_RSS_QUERY, 524, "mlx5_core", "", "firmware is too old" },
		/* What a PF or a VF itself has is not set by the PF's driver for a VF. */
		{ SETTING_VF_MTU, EINVAL, "igb", "", NULL },
		{ SETTING_OVERRIDE, EPERM, "igb", "", NULL },
		{ SETTING_MTU, EBUSY, "igb", "", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct blame *b =
			blame_find(cases[i].what, -cases[i].error, cases[i].driver, cases[i].log);
		bool good =
			cases[i].cause ? b && strstr(b->cause, cases[i].cause) && b->remedy[0] : !b;

		if (!good)
			printf("# case %zu: %s\n", i, b ? b->cause : "not known");
		EXPECT(good);
	}
}
