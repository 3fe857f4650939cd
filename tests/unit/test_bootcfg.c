/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/bootcfg.h>
#include <sriovctl/bootcfg_remedy.h>
#include <sriovctl/buf.h>

#include "tree.h"

#define FILES_MAX   8
#define LOADER_INFO "/sys/firmware/efi/efivars/LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"

#define RHEL9                                               \
	"NAME=\"Red Hat Enterprise Linux\"\nVERSION=\"9.4 " \
	"(Plow)\"\nID=\"rhel\"\nID_LIKE=\"fedora\"\n"       \
	"VERSION_ID=\"9.4\"\nPLATFORM_ID=\"platform:el9\"\n"
#define ROCKY8                                                       \
	"NAME=\"Rocky Linux\"\nID=\"rocky\"\nID_LIKE=\"rhel centos " \
	"fedora\"\nVERSION_ID=\"8.10\"\n"
#define FEDORA "NAME=\"Fedora Linux\"\nVERSION_ID=41\nID=fedora\nVARIANT_ID=server\n"
#define FCOS   "NAME=\"Fedora Linux\"\nID=fedora\nVARIANT_ID=coreos\n"
#define RHCOS                                                                     \
	"NAME=\"Red Hat Enterprise Linux CoreOS\"\nID=\"rhcos\"\nID_LIKE=\"rhel " \
	"fedora\"\nOPENSHIFT_VERSION=\"4.16\"\n"
#define DEBIAN	"PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n"
#define UBUNTU	"NAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"\nID=ubuntu\nID_LIKE=debian\n"
#define SLES	"NAME=\"SLES\"\nID=\"sles\"\nID_LIKE=\"suse\"\n"
#define LEAP	"NAME=\"openSUSE Leap\"\nID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n"
#define MICROOS "ID=\"opensuse-microos\"\nID_LIKE=\"suse opensuse opensuse-tumbleweed\"\n"
#define FLATCAR "NAME=\"Flatcar Container Linux by Kinvolk\"\nID=flatcar\nID_LIKE=coreos\n"
#define ARCH	"NAME=\"Arch Linux\"\nID=arch\nBUILD_ID=rolling\n"
#define ALPINE	"NAME=\"Alpine Linux\"\nID=alpine\nVERSION_ID=3.20.0\n"

static struct bootcfg read_root(const struct tree_row *files)
{
	const struct bootcfg *cfg = NULL;
	AUTO_TREE struct tree t = { 0 };
	size_t n = 0;

	while (files[n].path)
		n++;
	tree_build(&t, files, n);
	EXPECT(bootcfg_get(t.h, &cfg, NULL) == 0);
	return cfg ? *cfg : (struct bootcfg){ .method = BOOTCFG_METHOD_MAX };
}

static bool says(void (*remedy)(const struct bootcfg *, const char *, struct buf *),
		 enum bootcfg_method method, const char *words, const char *expected)
{
	struct bootcfg cfg = { .method = method };
	AUTO_BUF struct buf b = { 0 };

	remedy(&cfg, words, &b);
	if (buf_error(&b) == 0 && strcmp(buf_text(&b), expected) == 0)
		return true;
	printf("# %s\n", buf_text(&b));
	return false;
}

static const struct {
	const char *name;
	struct tree_row files[FILES_MAX];
	enum bootcfg_method method;
} systems[] = {
	{ .name = "rhel 9",
	  .files = { { .path = "/etc/os-release", .text = RHEL9 },
		     { .path = "/usr/sbin/grubby", .text = "#!" },
		     { .path = "/etc/default/grub", .text = "GRUB_ENABLE_BLSCFG=true\n" } },
	  .method = BOOTCFG_GRUBBY },
	{ .name = "rocky 8, tools not captured",
	  .files = { { .path = "/usr/lib/os-release", .text = ROCKY8 } },
	  .method = BOOTCFG_GRUBBY },
	{ .name = "fedora without grubby",
	  .files = { { .path = "/etc/os-release", .text = FEDORA },
		     { .path = "/usr/sbin" },
		     { .path = "/boot/loader/entries/a.conf", .text = "options x\n" } },
	  .method = BOOTCFG_GRUBBY_MISSING },
	{ .name = "a container of rhel",
	  .files = { { .path = "/etc/os-release", .text = RHEL9 },
		     { .path = "/usr/sbin" },
		     { .path = "/boot" } },
	  .method = BOOTCFG_UNKNOWN },
	{ .name = "fedora with systemd-boot",
	  .files = { { .path = "/etc/os-release", .text = FEDORA },
		     { .path = LOADER_INFO,
		       .text = "\6\0\0\0s\0y\0s\0t\0e\0m\0d\0-\0b\0o\0o\0t\0 \0002\0\0\0",
		       .len = 34 },
		     { .path = "/usr/sbin/grubby", .text = "#!" },
		     { .path = "/etc/kernel/cmdline", .text = "root=/dev/vda\n" } },
	  .method = BOOTCFG_KERNEL_INSTALL },
	{ .name = "fedora coreos",
	  .files = { { .path = "/etc/os-release", .text = FCOS },
		     { .path = "/run/ostree-booted", .text = "" },
		     { .path = "/usr/bin/rpm-ostree", .text = "#!" },
		     { .path = "/usr/sbin/grubby", .text = "#!" } },
	  .method = BOOTCFG_RPM_OSTREE },
	{ .name = "rhel image mode without rpm-ostree",
	  .files = { { .path = "/etc/os-release", .text = RHEL9 },
		     { .path = "/ostree/repo/config", .text = "[core]\n" },
		     { .path = "/usr/bin/bootc", .text = "#!" } },
	  .method = BOOTCFG_BOOTC },
	{ .name = "openshift node",
	  .files = { { .path = "/etc/os-release", .text = RHCOS },
		     { .path = "/run/ostree-booted", .text = "" },
		     { .path = "/usr/bin/rpm-ostree", .text = "#!" } },
	  .method = BOOTCFG_MACHINE_CONFIG },
	{ .name = "debian 12",
	  .files = { { .path = "/etc/os-release", .text = DEBIAN },
		     { .path = "/etc/default/grub", .text = "GRUB_DEFAULT=0\n" },
		     { .path = "/usr/sbin/update-initramfs", .text = "#!" },
		     { .path = "/usr/sbin/grubby", .text = "#!" } },
	  .method = BOOTCFG_UPDATE_GRUB },
	{ .name = "ubuntu, nothing else captured",
	  .files = { { .path = "/etc/os-release", .text = UBUNTU } },
	  .method = BOOTCFG_UPDATE_GRUB },
	{ .name = "ubuntu container",
	  .files = { { .path = "/etc/os-release", .text = UBUNTU }, { .path = "/etc/default" } },
	  .method = BOOTCFG_UNKNOWN },
	{ .name = "ubuntu with dracut",
	  .files = { { .path = "/etc/os-release", .text = UBUNTU },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/usr/sbin" },
		     { .path = "/usr/bin/dracut", .text = "#!" } },
	  .method = BOOTCFG_UPDATE_GRUB },
	{ .name = "ubuntu on a board",
	  .files = { { .path = "/etc/os-release", .text = UBUNTU },
		     { .path = "/boot/firmware/cmdline.txt", .text = "root=LABEL=writable\n" } },
	  .method = BOOTCFG_CMDLINE_TXT },
	{ .name = "debian with systemd-boot, offline",
	  .files = { { .path = "/etc/os-release", .text = DEBIAN },
		     { .path = "/etc/default" },
		     { .path = "/etc/kernel/cmdline", .text = "root=UUID=1 ro\n" } },
	  .method = BOOTCFG_KERNEL_INSTALL_BOOT },
	{ .name = "proxmox with systemd-boot",
	  .files = { { .path = "/etc/os-release", .text = DEBIAN },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/etc/kernel/proxmox-boot-uuids", .text = "AAAA-BBBB\n" },
		     { .path = LOADER_INFO,
		       .text = "\6\0\0\0s\0y\0s\0t\0e\0m\0d\0-\0b\0o\0o\0t\0 \0002\0\0\0",
		       .len = 34 } },
	  .method = BOOTCFG_PROXMOX },
	{ .name = "proxmox with GRUB on UEFI",
	  .files = { { .path = "/etc/os-release", .text = DEBIAN },
		     { .path = "/etc/kernel/proxmox-boot-uuids", .text = "AAAA-BBBB\n" },
		     { .path = LOADER_INFO,
		       .text = "\6\0\0\0G\0R\0U\0B\0 \0002\0\0\0",
		       .len = 18 } },
	  .method = BOOTCFG_UPDATE_GRUB },
	{ .name = "proxmox, loader not known",
	  .files = { { .path = "/etc/os-release", .text = DEBIAN },
		     { .path = "/etc/kernel/proxmox-boot-uuids", .text = "AAAA-BBBB\n" } },
	  .method = BOOTCFG_PROXMOX_EITHER },
	{ .name = "sles 15",
	  .files = { { .path = "/etc/os-release", .text = SLES },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/etc/sysconfig/bootloader",
		       .text = "## Path: System\nLOADER_TYPE=\"grub2-efi\"\n" } },
	  .method = BOOTCFG_GRUB2_MKCONFIG },
	{ .name = "leap, nothing else captured",
	  .files = { { .path = "/etc/os-release", .text = LEAP } },
	  .method = BOOTCFG_GRUB2_MKCONFIG },
	{ .name = "microos",
	  .files = { { .path = "/etc/os-release", .text = MICROOS },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/usr/sbin/transactional-update", .text = "#!" } },
	  .method = BOOTCFG_TRANSACTIONAL },
	{ .name = "suse with GRUB and BLS",
	  .files = { { .path = "/etc/os-release", .text = LEAP },
		     { .path = "/etc/sysconfig/bootloader",
		       .text = "LOADER_TYPE='grub2'\nLOADER_TYPE='grub2-bls' \n" } },
	  .method = BOOTCFG_SDBOOTUTIL },
	{ .name = "flatcar",
	  .files = { { .path = "/etc/os-release", .text = FLATCAR } },
	  .method = BOOTCFG_FLATCAR },
	{ .name = "arch with GRUB",
	  .files = { { .path = "/etc/os-release", .text = ARCH },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/boot/grub/grub.cfg", .text = "" },
		     { .path = "/usr/bin/mkinitcpio", .text = "#!" } },
	  .method = BOOTCFG_GRUB_MKCONFIG },
	{ .name = "arch with unified images",
	  .files = { { .path = "/etc/os-release", .text = ARCH },
		     { .path = "/etc/kernel/cmdline", .text = "rw\n" },
		     { .path = "/usr/bin/mkinitcpio", .text = "#!" } },
	  .method = BOOTCFG_MKINITCPIO },
	{ .name = "arch, entries by hand",
	  .files = { { .path = "/etc/os-release", .text = ARCH },
		     { .path = LOADER_INFO,
		       .text = "\6\0\0\0s\0y\0s\0t\0e\0m\0d\0-\0b\0o\0o\0t\0 \0002\0\0\0",
		       .len = 34 } },
	  .method = BOOTCFG_LOADER_ENTRIES },
	{ .name = "alpine with extlinux",
	  .files = { { .path = "/etc/os-release", .text = ALPINE },
		     { .path = "/etc/update-extlinux.conf", .text = "" },
		     { .path = "/sbin/mkinitfs", .text = "#!" } },
	  .method = BOOTCFG_EXTLINUX },
	{ .name = "alpine with GRUB",
	  .files = { { .path = "/etc/os-release", .text = ALPINE },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/boot/grub/grub.cfg", .text = "" } },
	  .method = BOOTCFG_GRUB_MKCONFIG },
	{ .name = "azure linux",
	  .files = { { .path = "/etc/os-release", .text = "ID=azurelinux\n" },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/boot/grub2/grub.cfg", .text = "" },
		     { .path = "/usr/bin/dracut", .text = "#!" } },
	  .method = BOOTCFG_GRUB2_MKCONFIG },
	{ .name = "openeuler",
	  .files = { { .path = "/etc/os-release",
		       .text = "NAME=\"openEuler\"\nID=\"openEuler\"\n" },
		     { .path = "/usr/sbin/grubby", .text = "#!" } },
	  .method = BOOTCFG_GRUBBY },
	{ .name = "nixos",
	  .files = { { .path = "/etc/os-release", .text = "ID=nixos\nID_LIKE=\"\"\n" } },
	  .method = BOOTCFG_NIXOS },
	{ .name = "dom0 of xenserver",
	  .files = { { .path = "/etc/os-release",
		       .text = "ID=\"xenenterprise\"\nID_LIKE=\"centos rhel fedora\"\n" },
		     { .path = "/usr/sbin/grubby", .text = "#!" } },
	  .method = BOOTCFG_UNKNOWN },
	{ .name = "nothing", .files = { { .path = "/etc" } } },
	{ .name = "not an os-release",
	  .files = { { .path = "/etc/os-release",
		       .text = "=\nID\nID=\"\nID_LIKE=''\nIDX=debian\n\xff\x01" } } },
	{ .name = "a name that starts like a known one",
	  .files = { { .path = "/etc/os-release",
		       .text = "ID=debianish\nID_LIKE=\"ar rhe\"\n" } } },
	{ .name = "a loader variable cut short",
	  .files = { { .path = "/etc/os-release", .text = ARCH },
		     { .path = LOADER_INFO, .text = "\6\0\0", .len = 3 } } },
};

TEST(each_distribution)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(systems); i++) {
		struct bootcfg cfg = read_root(systems[i].files);

		if (cfg.method != systems[i].method)
			printf("# %s: %u\n", systems[i].name, cfg.method);
		EXPECT(cfg.method == systems[i].method);
	}
}

TEST(add_words)
{
	EXPECT(says(
		bootcfg_remedy_add, BOOTCFG_GRUBBY, "intel_iommu=on iommu=pt",
		"Run grubby --update-kernel=ALL --args=\"intel_iommu=on iommu=pt\", then reboot."));
	EXPECT(says(bootcfg_remedy_add, BOOTCFG_GRUBBY_MISSING, "iommu=pt",
		    "Install grubby, run grubby --update-kernel=ALL --args=\"iommu=pt\", then "
		    "reboot."));
	EXPECT(says(bootcfg_remedy_add, BOOTCFG_UPDATE_GRUB, "iommu=pt",
		    "Add \"iommu=pt\" to GRUB_CMDLINE_LINUX in /etc/default/grub, run update-grub, "
		    "then reboot."));
	EXPECT(says(bootcfg_remedy_add, BOOTCFG_GRUB2_MKCONFIG, "iommu=pt",
		    "Add \"iommu=pt\" to GRUB_CMDLINE_LINUX in /etc/default/grub, run "
		    "grub2-mkconfig -o /boot/grub2/grub.cfg, then reboot."));
	EXPECT(says(bootcfg_remedy_add, BOOTCFG_RPM_OSTREE, " intel_iommu=on  iommu=pt ",
		    "Run rpm-ostree kargs --append-if-missing=intel_iommu=on "
		    "--append-if-missing=iommu=pt, then reboot."));
	EXPECT(says(bootcfg_remedy_add, BOOTCFG_UNKNOWN, "iommu=pt",
		    "Add \"iommu=pt\" to the kernel command line in the boot loader's "
		    "configuration, then reboot."));
	EXPECT(says(bootcfg_remedy_add, BOOTCFG_MACHINE_CONFIG, "iommu=pt",
		    "Add \"iommu=pt\" to kernelArguments of a MachineConfig for this node's pool, "
		    "then let its operator reboot the node."));
}

TEST(remove_words)
{
	EXPECT(says(bootcfg_remedy_remove, BOOTCFG_GRUBBY, "intremap=off",
		    "Run grubby --update-kernel=ALL --remove-args=\"intremap=off\", then reboot."));
	EXPECT(says(bootcfg_remedy_remove, BOOTCFG_UPDATE_GRUB, "intremap=off",
		    "Remove \"intremap=off\" from the GRUB_CMDLINE_LINUX lines in "
		    "/etc/default/grub and /etc/default/grub.d, run update-grub, then reboot."));
	EXPECT(says(bootcfg_remedy_remove, BOOTCFG_RPM_OSTREE, "intremap=off",
		    "Run rpm-ostree kargs --delete-if-present=intremap=off, then reboot."));
	EXPECT(says(bootcfg_remedy_remove, BOOTCFG_PROXMOX, "intremap=off",
		    "Remove \"intremap=off\" from the line in /etc/kernel/cmdline, run "
		    "proxmox-boot-tool refresh, then reboot."));
}

/* A word of a hostile capture gets into no command. */
TEST(hostile_words)
{
	static const char *const words[] = {
		"pci=$(reboot)", "a`b`", "a;b", "a\"b", "a\\b", "a'b",
		"a|b",		 "a\nb", "{}",	"a\tb", "a&b",	"a>b"
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		struct bootcfg cfg = { .method = BOOTCFG_GRUBBY };
		AUTO_BUF struct buf b = { 0 };

		bootcfg_remedy_remove(&cfg, words[i], &b);
		EXPECT(!strstr(buf_text(&b), "grubby"));
		EXPECT(!strpbrk(buf_text(&b), "\n\t\x1b"));
	}
	EXPECT(says(bootcfg_remedy_add, BOOTCFG_GRUBBY, "a=\x1b[31m\xff",
		    "Add \"a=?[31m?\" to the kernel command line in the boot loader's "
		    "configuration, then reboot."));
}

TEST(every_method_has_sentences)
{
	int m;

	for (m = 0; m < BOOTCFG_METHOD_MAX; m++) {
		struct bootcfg cfg = { .method = (enum bootcfg_method)m };
		AUTO_BUF struct buf add = { 0 };
		AUTO_BUF struct buf gone = { 0 };

		bootcfg_remedy_add(&cfg, "intel_iommu=on", &add);
		bootcfg_remedy_remove(&cfg, "intel_iommu=on", &gone);
		EXPECT(strstr(buf_text(&add), "intel_iommu=on") &&
		       strstr(buf_text(&add), "reboot"));
		EXPECT(strstr(buf_text(&gone), "intel_iommu=on") &&
		       strstr(buf_text(&gone), "reboot"));
		EXPECT(!strstr(buf_text(&add), "(null)") && !strstr(buf_text(&gone), "(null)"));
		EXPECT(add.len < 240 && gone.len < 240);
		if (getenv("SHOW"))
			printf("# %s\n# %s\n", buf_text(&add), buf_text(&gone));
	}
}
