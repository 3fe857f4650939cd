/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "holders_tree.h"

#include <sriovctl/error.h>

/* A host with two VFs on vfio-pci, of which processes hold what @passes notes. */
static const struct tree_row on_vfio[] = {
	{ .path = PCI "/" PF "/driver", .link = DRIVER("igb") },
	VFIO_BOUND(VF0, "5"),
	VFIO_BOUND(VF1, "6"),
};

static void build(struct tree *t, const char *pass)
{
	tree_build(t, on_vfio, ARRAY_SIZE(on_vfio));
	put_answers(t, pass, NULL);
}

TEST(a_guest_that_has_a_group_and_its_device)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 }, blind = { 0 };

	build(&t, "process\t7\tqemu-system-x86\tvm1\n"
		  "handle\t0\t239\t5\t5\n"
		  "handle\t2\t0\t0\t\n"
		  "handle\t3\t0\t0\t\n"
		  "handle\t3\t0\t0\t\n");
	users_of(&t, VF0, &text, &blind);
	EXPECT(same(buf_text(&text),
		    "process qemu-system-x86 (7), guest vm1, has it open by VFIO"));
	EXPECT(blind.len == 0);
}

/* Its memory is mapped more than once, and goes with its descriptor. */
TEST(the_other_one_is_free)
{
	AUTO_TREE struct tree t = { 0 };

	build(&t, "process\t7\tqemu-system-x86\tvm1\n"
		  "handle\t0\t239\t5\t5\n"
		  "handle\t2\t0\t0\t\n"
		  "handle\t3\t0\t0\t\n"
		  "handle\t3\t0\t0\t\n");
	EXPECT(used(&t, VF1, ""));
}

TEST(a_newer_kernel_tells_the_function)
{
	AUTO_TREE struct tree t = { 0 };

	build(&t, "process\t7\tdpdk\t\nhandle\t2\t0\t0\t" VF1 "\n");
	EXPECT(used(&t, VF0, ""));
	EXPECT(used(&t, VF1, "process dpdk (7) has it open by VFIO"));
}

TEST(a_device_that_matches_none)
{
	static const char *const passes[] = {
		"process\t7\tdpdk\t\nhandle\t2\t0\t0\t\n",
		/* Its group is another one's, too many devices for one group, or memory alone. */
		"process\t6\tx\t\nhandle\t0\t239\t9\t9\nprocess\t7\tdpdk\t\nhandle\t2\t0\t0\t\n",
		"process\t7\tdpdk\t\nhandle\t0\t239\t9\t9\nhandle\t2\t0\t0\t\n",
		"process\t7\tdpdk\t\nhandle\t3\t0\t0\t\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(passes); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_BUF struct buf text = { 0 };

		build(&t, passes[i]);
		users_of(&t, VF0, &text, NULL);
		EXPECT(strstr(buf_text(&text), "process dpdk (7) has a VFIO device open"));
		users_of(&t, VF1, &text, NULL);
		EXPECT(strstr(buf_text(&text), "process dpdk (7) has a VFIO device open"));
		/* The PF has a driver of the kernel. */
		EXPECT(used(&t, PF, ""));
	}
}

TEST(two_devices_of_one_group_twice_open)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 };

	build(&t, "process\t7\tdpdk\t\nhandle\t0\t239\t5\t5\nhandle\t0\t239\t5\t5\n"
		  "handle\t2\t0\t0\t\nhandle\t2\t0\t0\t\n");
	users_of(&t, VF1, &text, NULL);
	EXPECT(strstr(buf_text(&text), "that may be this one"));
}

TEST(a_look_that_is_not_complete)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 }, blind = { 0 };

	build(&t, "process\t7\tdpdk\t\nhandle\t0\t239\t5\t5\nblind\tno right to look\n");
	users_of(&t, VF0, &text, &blind);
	EXPECT(same(buf_text(&blind), "no right to look"));
	EXPECT(same(buf_text(&text), "process dpdk (7) has it open by VFIO"));
	users_of(&t, VF1, &text, &blind);
	EXPECT(strstr(buf_text(&text), "bound to vfio-pci, and who has it open cannot be seen"));
	EXPECT(used(&t, PF, ""));
}

/* One group of two functions is one user's. */
TEST(a_group_of_two)
{
	static const struct tree_row rows[] = {
		VFIO_BOUND(VF0, "5"),
		{ .path = PCI "/" VF0 "/vfio-dev/vfio3/x", .text = "" },
		{ .path = "/sys/class/vfio-dev/vfio3/dev", .text = "511:3\n" },
		{ .path = PCI "/" VF1 "/driver", .link = DRIVER("vfio-pci") },
		{ .path = PCI "/" VF1 "/iommu_group", .link = GROUP("5") },
		{ .path = "/sys/kernel/iommu_groups/5/devices/" VF1, .text = "" },
	};
	static const char *const passes[] = {
		"process\t7\tdpdk\t\nhandle\t0\t511\t3\tvfio3\n",
		"process\t7\tdpdk\t\nhandle\t2\t0\t0\t" VF0 "\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(passes); i++) {
		AUTO_TREE struct tree t = { 0 };

		tree_build(&t, rows, ARRAY_SIZE(rows));
		put_answers(&t, passes[i], NULL);
		EXPECT(used(&t, VF0, "process dpdk (7) has it open by VFIO"));
		EXPECT(used(&t, VF1,
			    "process dpdk (7) has " VF0
			    ", which is in its IOMMU group, open by VFIO"));
	}
}

/* Without an IOMMU the group's device has another name than the group (drivers/vfio/group.c). */
TEST(a_group_without_an_iommu)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PCI "/" VF0 "/driver", .link = DRIVER("vfio-pci") },
	     { .path = PCI "/" VF0 "/iommu_group", .link = GROUP("5") },
	     { .path = "/sys/class/vfio/noiommu-5/dev", .text = "239:5\n" },
	     { .path = "/sys/kernel/iommu_groups/5/devices/" VF0, .text = "" });
	put_answers(&t, "process\t7\tdpdk\t\nhandle\t0\t239\t5\tnoiommu-5\nhandle\t2\t0\t0\t\n",
		    NULL);
	EXPECT(used(&t, VF0, "process dpdk (7) has it open by VFIO"));
}

/* Not only VFIO is held by processes that cannot be seen. */
TEST(doors_that_cannot_be_looked_through)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 };

	TREE(&t, { .path = PCI "/" VF0 "/driver", .link = DRIVER("mlx5_core") },
	     { .path = PCI "/" VF0 "/infiniband_verbs/uverbs2/x", .text = "x\n" },
	     { .path = PCI "/" VF1 "/driver", .link = DRIVER("nvme") },
	     { .path = PCI "/" VF1 "/nvme/nvme1/nvme1n1/x", .text = "" });
	put_answers(&t, "blind\tno right to look\n", NULL);
	users_of(&t, VF0, &text, NULL);
	EXPECT(strstr(buf_text(&text), "who has it open cannot be seen"));
	users_of(&t, VF1, &text, NULL);
	EXPECT(strstr(buf_text(&text), "who has it open cannot be seen"));
}

TEST(a_copy_of_a_host)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 }, blind = { 0 };

	tree_build(&t, on_vfio, ARRAY_SIZE(on_vfio));
	users_of(&t, VF0, &text, &blind);
	EXPECT(strstr(buf_text(&blind), "run it on the host itself"));
	EXPECT(strstr(buf_text(&text), "cannot be seen from here"));
}

TEST(other_doors)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PCI "/" VF0 "/driver", .link = DRIVER("uio_pci_generic") },
	     { .path = PCI "/" VF0 "/uio/uio0/name", .text = "x\n" },
	     { .path = "/sys/class/uio/uio0/dev", .text = "240:0\n" },
	     { .path = PCI "/" VF1 "/driver", .link = DRIVER("mlx5_core") },
	     { .path = PCI "/" VF1 "/infiniband_verbs/uverbs2/x", .text = "x\n" },
	     { .path = "/sys/class/infiniband_verbs/uverbs2/dev", .text = "231:194\n" },
	     { .path = "/sys/bus/vdpa/devices/vdpa0",
	       .link = "../../../devices/pci0000:00/" VF1 "/mlx5_core.sf.2/vdpa0" });
	put_answers(&t,
		    "process\t7\ttestpmd\t\nhandle\t0\t0\t0\tuio0\n"
		    "handle\t4\t0\t0\t" VF0 "\n"
		    "process\t8\tib_write_bw\t\nhandle\t0\t231\t194\tuverbs2\n"
		    "process\t9\tother\t\nhandle\t0\t231\t195\tuverbs3\n",
		    NULL);
	EXPECT(used(&t, VF0,
		    "process testpmd (7) has its memory mapped; "
		    "process testpmd (7) has it open by UIO"));
	EXPECT(used(&t, VF1,
		    "process ib_write_bw (8) has it open by RDMA; "
		    "vDPA device vdpa0 stands on it"));
}

/* Whatever sysfs has below a function. */
TEST(devices_below_a_function)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PCI "/" VF0 "/driver", .link = DRIVER("iavf") },
	     { .path = PCI "/" VF1 "/driver", .link = DRIVER("amdgpu") },
	     { .path = "/sys/dev/char/245:3",
	       .link = "../../devices/pci0000:00/0000:00:01.0/" VF0 "/ptp/ptp3" },
	     { .path = "/sys/dev/char/226:1",
	       .link = "../../devices/pci0000:00/0000:00:01.0/" VF1 "/drm/card1" },
	     { .path = "/sys/dev/char/10:50",
	       .link = "../../devices/pci0000:00/0000:00:01.0/" VF1 "/misc/gate" },
	     { .path = "/sys/dev/block/254:0",
	       .link = "../../devices/pci0000:00/0000:00:01.0/" VF1 "/virtio3/block/vda" },
	     { .path = "/sys/dev/char/10:232", .link = "../../devices/virtual/misc/kvm" });
	put_answers(&t,
		    "process\t7\tptp4l\t\nhandle\t0\t245\t3\tptp3\nhandle\t0\t10\t232\tkvm\n"
		    "process\t8\tXorg\t\nhandle\t0\t226\t1\tcard1\nhandle\t0\t10\t50\tgate\n"
		    "process\t9\tdd\t\nhandle\t1\t254\t0\tvda\nhandle\t0\t254\t0\tother\n",
		    NULL);
	EXPECT(used(&t, VF0, "process ptp4l (7) has its device ptp3 open"));
	EXPECT(used(&t, VF1,
		    "process Xorg (8) has its device card1 open; process Xorg (8) has its device "
		    "gate open; process dd (9) has its device vda open"));
	EXPECT(used(&t, PF, ""));
}

/* --- block devices --------------------------------------------------------------------------- */

#define BLOCK "/sys/class/block"

TEST(block_devices)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PCI "/" VF0 "/nvme/nvme1/nvme1c2n1/x", .text = "" },
	     { .path = PCI "/" VF0 "/nvme/nvme1/queue_count", .text = "2\n" },
	     { .path = BLOCK "/nvme1n1/dev", .text = "259:0\n" },
	     { .path = BLOCK "/nvme1n1/holders" },
	     { .path = BLOCK "/nvme1n1/nvme1n1p1/x", .text = "" },
	     { .path = BLOCK "/nvme1n1/nvme1n1p2/x", .text = "" },
	     { .path = BLOCK "/nvme1n1p1/dev", .text = "259:1\n" },
	     { .path = BLOCK "/nvme1n1p1/holders/dm-0/x", .text = "" },
	     { .path = BLOCK "/nvme1n1p2/dev", .text = "259:2\n" },
	     { .path = "/proc/swaps", .text = "Filename\tType\n/dev/nvme1n1p1 partition 1 0\n" },
	     { .path = "/proc/3/mountinfo",
	       .text = "20 1 259:2 / /mnt rw - ext4 /dev/mapper/x rw\n" });
	put_answers(&t,
		    "mount\t5\t3\tinit\tin\nprocess\t7\tdd\t\nhandle\t1\t259\t0\tnvme1n1\n"
		    "process\t8\tcat\t\nhandle\t0\t259\t0\tnvme1n1\n",
		    NULL);
	EXPECT(used(&t, VF0,
		    "process dd (7) has its block device nvme1n1 open; "
		    "dm-0 stands on its block device nvme1n1p1; "
		    "its block device nvme1n1p1 is swap space; "
		    "its block device nvme1n1p2 is mounted at /mnt"));
}

#define DISK                                                              \
	{ .path = PCI "/" VF0 "/nvme/nvme1/nvme1n1/x", .text = "" },      \
		{ .path = BLOCK "/nvme1n1/dev", .text = "259:0\n" },      \
	{                                                                 \
		.path = BLOCK "/nvme1n1/nvme1n1p1/dev", .text = "259:1\n" \
	}

/* Of two processes in a namespace the first one ends before its mounts are read. */
TEST(a_mount_of_a_namespace_whose_first_process_ends)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, DISK,
	     { .path = "/proc/4/mountinfo", .text = "20 1 259:0 / /mnt rw - ext4 /dev/x rw\n" });
	put_answers(&t, "mount\t5\t3\tinit\tin\nmount\t5\t4\tsh\tin\n", NULL);
	EXPECT(used(&t, VF0, "its block device nvme1n1 is mounted at /mnt"));
}

/* The second device of a pool is in no list of mounts. */
TEST(a_disk_that_somebody_has_claimed)
{
	AUTO_TREE struct tree t = { 0 }, named = { 0 };

	TREE(&t, DISK);
	put_answers(&t, "", NULL);
	EXPECT(used(&t, VF0, ""));
	tree_put(&t, ANSWERS "/claims/nvme1n1", "free\n");
	EXPECT(used(&t, VF0, ""));
	tree_put(&t, ANSWERS "/claims/nvme1n1", "claimed\n");
	EXPECT(used(&t, VF0,
		    "the kernel has given its block device nvme1n1 to one user alone: a file "
		    "system, a pool, a target"));
	tree_put(&t, ANSWERS "/claims/nvme1n1", "perhaps\n");
	EXPECT(used(&t, VF0,
		    "whether its block device nvme1n1 is used could not be told: whether nvme1n1 "
		    "is claimed: the answer is damaged"));
	/* Where somebody is named, it is not asked. */
	TREE(&named, DISK, { .path = ANSWERS "/claims/nvme1n1", .text = "claimed\n" });
	put_answers(&named, "process\t7\tdd\t\nhandle\t1\t259\t0\tx\n", NULL);
	EXPECT(used(&named, VF0, "process dd (7) has its block device nvme1n1 open"));
}

/* Parts of the kernel, which no process stands for. */
TEST(disks_that_the_kernel_passes_on)
{
	static const char nvmet[] = "/sys/kernel/config/nvmet/subsystems/nqn.a/namespaces";
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 };

	TREE(&t, DISK, { .path = BLOCK "/loop0/loop/backing_file", .text = "/dev/nvme1n1\n" },
	     { .path = BLOCK "/loop1/loop/backing_file", .text = "/dev/nvme1n10\n" },
	     { .path = "/sys/bus/xen-backend/devices/vbd-1-51712/physical_device",
	       .text = "103:0\n" },
	     { .path = "/sys/bus/xen-backend/devices/vbd-2-51712/physical_device",
	       .text = "103:10\n" },
	     { .path = "/sys/bus/xen-backend/devices/vif-2-0/state", .text = "4\n" });
	buf_printf(&path, "%s/1/device_path", nvmet);
	tree_put(&t, buf_text(&path), "/dev/nvme1n1\n");
	buf_clear(&path);
	buf_printf(&path, "%s/2/device_path", nvmet);
	tree_put(&t, buf_text(&path), "/dev/sda\n");
	put_answers(&t, "", NULL);
	EXPECT(used(&t, VF0,
		    "loop0 stands on its block device nvme1n1; a Xen guest (vbd-1-51712) has its "
		    "block device nvme1n1; NVMe target nqn.a exports its block device nvme1n1"));
}

TEST(a_function_of_a_xen_guest)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PCI "/" VF0 "/driver", .link = DRIVER("pciback") });
	put_answers(&t, "", NULL);
	EXPECT(used(&t, VF0, "it is bound to pciback, by which a Xen guest has it"));
}

TEST(a_namespace_open_for_commands)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, DISK, { .path = "/sys/class/nvme-generic/ng1n1/dev", .text = "241:3\n" });
	put_answers(&t, "process\t7\tfio\t\nhandle\t0\t241\t3\tng1n1\n", NULL);
	EXPECT(used(&t, VF0, "process fio (7) has its device ng1n1 open"));
}

static bool is_mounted(const char *line, const char *where)
{
	AUTO_BUF struct buf b = { 0 };

	holders_parse_mounts(line, "/dev/nvme1n1", "259:3", &b);
	return same(buf_text(&b), where);
}

TEST(mounts)
{
	EXPECT(is_mounted("36 35 259:3 / /mnt/a\\040b rw,noatime master:1 - ext3 /dev/root rw",
			  "/mnt/a\\040b"));
	/* btrfs has a number of its own. */
	EXPECT(is_mounted(
		"1 1 0:5 / / rw - proc x rw\n36 35 0:42 / /mnt rw - btrfs /dev/nvme1n1 rw",
		"/mnt"));
	EXPECT(is_mounted("36 35 259:30 / /mnt rw - ext3 /dev/nvme1n10 rw", ""));
	EXPECT(is_mounted("36 35 0:42 / /mnt rw - btrfs", "") && is_mounted("36 35", ""));
	EXPECT(is_mounted("36 35 0:4 / /dev/nvme1n1 rw - x y rw", "") && is_mounted("", ""));
}

TEST(swaps)
{
	EXPECT(holders_parse_swaps("Filename\n/dev/sda1 file\n/dev/nvme1n1p2 x\n", "/dev/sda1"));
	EXPECT(!holders_parse_swaps("Filename\n/dev/sda11 file\n", "/dev/sda1"));
	EXPECT(!holders_parse_swaps("", "/dev/sda1"));
}
