/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/bootcfg.h>
#include <sriovctl/bootcfg_remedy.h>
#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

struct file {
	const char *path, *text;
	size_t len; /* 0: that of @text */
};

/* A root with these files; @text "/" makes a directory. */
static void make_root(const char *root, const struct file *files)
{
	for (; files->path; files++) {
		AUTO_BUF struct buf path = { 0 };
		AUTO_CLOSE int fd = -1;
		size_t len = files->len ? files->len : strlen(files->text);
		char *slash;

		buf_printf(&path, "%s%s", root, files->path);
		for (slash = path.data + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
			*slash = '\0';
			EXPECT(mkdir(path.data, 0755) == 0 || errno == EEXIST);
			*slash = '/';
		}
		if (strcmp(files->text, "/") == 0) {
			EXPECT(mkdir(path.data, 0755) == 0 || errno == EEXIST);
			continue;
		}
		fd = open(path.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		EXPECT(fd >= 0 && write(fd, files->text, len) == (ssize_t)len);
	}
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static struct bootcfg read_root(const struct file *files)
{
	struct bootcfg cfg = { .method = BOOTCFG_METHOD_MAX };
	char root[] = "/tmp/sriovctl-test-XXXXXX";
	AUTO_HOST struct host *h = NULL;
	struct error e = { 0 };

	EXPECT(mkdtemp(root) != NULL);
	make_root(root, files);
	EXPECT(host_open(root, &h, &e) == 0);
	EXPECT(h && bootcfg_read(h, &cfg, &e) == 0);
	EXPECT(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
	return cfg;
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
	struct file files[FILES_MAX];
	enum bootcfg_method method;
	enum bootcfg_initramfs initramfs;
} systems[] = {
	{ .name = "rhel 9",
	  .files = { { .path = "/etc/os-release", .text = RHEL9 },
		     { .path = "/usr/sbin/grubby", .text = "#!" },
		     { .path = "/etc/default/grub", .text = "GRUB_ENABLE_BLSCFG=true\n" } },
	  .method = BOOTCFG_GRUBBY,
	  .initramfs = BOOTCFG_INITRAMFS_DRACUT },
	{ .name = "rocky 8, tools not captured",
	  .files = { { .path = "/usr/lib/os-release", .text = ROCKY8 } },
	  .method = BOOTCFG_GRUBBY,
	  .initramfs = BOOTCFG_INITRAMFS_DRACUT },
	{ .name = "fedora without grubby",
	  .files = { { .path = "/etc/os-release", .text = FEDORA },
		     { .path = "/usr/sbin", .text = "/" },
		     { .path = "/boot/loader/entries/a.conf", .text = "options x\n" } },
	  .method = BOOTCFG_GRUBBY_MISSING,
	  .initramfs = BOOTCFG_INITRAMFS_DRACUT },
	{ .name = "a container of rhel",
	  .files = { { .path = "/etc/os-release", .text = RHEL9 },
		     { .path = "/usr/sbin", .text = "/" },
		     { .path = "/boot", .text = "/" } },
	  .method = BOOTCFG_UNKNOWN,
	  .initramfs = BOOTCFG_INITRAMFS_DRACUT },
	{ .name = "fedora with systemd-boot",
	  .files = { { .path = "/etc/os-release", .text = FEDORA },
		     { .path = LOADER_INFO,
		       .text = "\6\0\0\0s\0y\0s\0t\0e\0m\0d\0-\0b\0o\0o\0t\0 \0002\0\0\0",
		       .len = 34 },
		     { .path = "/usr/sbin/grubby", .text = "#!" },
		     { .path = "/etc/kernel/cmdline", .text = "root=/dev/vda\n" } },
	  .method = BOOTCFG_KERNEL_INSTALL,
	  .initramfs = BOOTCFG_INITRAMFS_DRACUT },
	{ .name = "fedora coreos",
	  .files = { { .path = "/etc/os-release", .text = FCOS },
		     { .path = "/run/ostree-booted", .text = "" },
		     { .path = "/usr/bin/rpm-ostree", .text = "#!" },
		     { .path = "/usr/sbin/grubby", .text = "#!" } },
	  .method = BOOTCFG_RPM_OSTREE,
	  .initramfs = BOOTCFG_INITRAMFS_RPM_OSTREE },
	{ .name = "rhel image mode without rpm-ostree",
	  .files = { { .path = "/etc/os-release", .text = RHEL9 },
		     { .path = "/ostree/repo/config", .text = "[core]\n" },
		     { .path = "/usr/bin/bootc", .text = "#!" } },
	  .method = BOOTCFG_BOOTC,
	  .initramfs = BOOTCFG_INITRAMFS_FIXED },
	{ .name = "openshift node",
	  .files = { { .path = "/etc/os-release", .text = RHCOS },
		     { .path = "/run/ostree-booted", .text = "" },
		     { .path = "/usr/bin/rpm-ostree", .text = "#!" } },
	  .method = BOOTCFG_MACHINE_CONFIG,
	  .initramfs = BOOTCFG_INITRAMFS_FIXED },
	{ .name = "debian 12",
	  .files = { { .path = "/etc/os-release", .text = DEBIAN },
		     { .path = "/etc/default/grub", .text = "GRUB_DEFAULT=0\n" },
		     { .path = "/usr/sbin/update-initramfs", .text = "#!" },
		     { .path = "/usr/sbin/grubby", .text = "#!" } },
	  .method = BOOTCFG_UPDATE_GRUB,
	  .initramfs = BOOTCFG_INITRAMFS_TOOLS },
	{ .name = "ubuntu, nothing else captured",
	  .files = { { .path = "/etc/os-release", .text = UBUNTU } },
	  .method = BOOTCFG_UPDATE_GRUB,
	  .initramfs = BOOTCFG_INITRAMFS_TOOLS },
	{ .name = "ubuntu container",
	  .files = { { .path = "/etc/os-release", .text = UBUNTU },
		     { .path = "/etc/default", .text = "/" } },
	  .method = BOOTCFG_UNKNOWN,
	  .initramfs = BOOTCFG_INITRAMFS_TOOLS },
	{ .name = "ubuntu with dracut",
	  .files = { { .path = "/etc/os-release", .text = UBUNTU },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/usr/sbin", .text = "/" },
		     { .path = "/usr/bin/dracut", .text = "#!" } },
	  .method = BOOTCFG_UPDATE_GRUB,
	  .initramfs = BOOTCFG_INITRAMFS_DRACUT },
	{ .name = "ubuntu on a board",
	  .files = { { .path = "/etc/os-release", .text = UBUNTU },
		     { .path = "/boot/firmware/cmdline.txt", .text = "root=LABEL=writable\n" } },
	  .method = BOOTCFG_CMDLINE_TXT,
	  .initramfs = BOOTCFG_INITRAMFS_TOOLS },
	{ .name = "debian with systemd-boot, offline",
	  .files = { { .path = "/etc/os-release", .text = DEBIAN },
		     { .path = "/etc/default", .text = "/" },
		     { .path = "/etc/kernel/cmdline", .text = "root=UUID=1 ro\n" } },
	  .method = BOOTCFG_KERNEL_INSTALL_BOOT,
	  .initramfs = BOOTCFG_INITRAMFS_TOOLS },
	{ .name = "proxmox with systemd-boot",
	  .files = { { .path = "/etc/os-release", .text = DEBIAN },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/etc/kernel/proxmox-boot-uuids", .text = "AAAA-BBBB\n" },
		     { .path = LOADER_INFO,
		       .text = "\6\0\0\0s\0y\0s\0t\0e\0m\0d\0-\0b\0o\0o\0t\0 \0002\0\0\0",
		       .len = 34 } },
	  .method = BOOTCFG_PROXMOX,
	  .initramfs = BOOTCFG_INITRAMFS_TOOLS },
	{ .name = "proxmox with GRUB on UEFI",
	  .files = { { .path = "/etc/os-release", .text = DEBIAN },
		     { .path = "/etc/kernel/proxmox-boot-uuids", .text = "AAAA-BBBB\n" },
		     { .path = LOADER_INFO,
		       .text = "\6\0\0\0G\0R\0U\0B\0 \0002\0\0\0",
		       .len = 18 } },
	  .method = BOOTCFG_UPDATE_GRUB,
	  .initramfs = BOOTCFG_INITRAMFS_TOOLS },
	{ .name = "proxmox, loader not known",
	  .files = { { .path = "/etc/os-release", .text = DEBIAN },
		     { .path = "/etc/kernel/proxmox-boot-uuids", .text = "AAAA-BBBB\n" } },
	  .method = BOOTCFG_PROXMOX_EITHER,
	  .initramfs = BOOTCFG_INITRAMFS_TOOLS },
	{ .name = "sles 15",
	  .files = { { .path = "/etc/os-release", .text = SLES },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/etc/sysconfig/bootloader",
		       .text = "## Path: System\nLOADER_TYPE=\"grub2-efi\"\n" } },
	  .method = BOOTCFG_GRUB2_MKCONFIG,
	  .initramfs = BOOTCFG_INITRAMFS_DRACUT },
	{ .name = "leap, nothing else captured",
	  .files = { { .path = "/etc/os-release", .text = LEAP } },
	  .method = BOOTCFG_GRUB2_MKCONFIG,
	  .initramfs = BOOTCFG_INITRAMFS_DRACUT },
	{ .name = "microos",
	  .files = { { .path = "/etc/os-release", .text = MICROOS },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/usr/sbin/transactional-update", .text = "#!" } },
	  .method = BOOTCFG_TRANSACTIONAL,
	  .initramfs = BOOTCFG_INITRAMFS_TRANSACTIONAL },
	{ .name = "suse with GRUB and BLS",
	  .files = { { .path = "/etc/os-release", .text = LEAP },
		     { .path = "/etc/sysconfig/bootloader",
		       .text = "LOADER_TYPE='grub2'\nLOADER_TYPE='grub2-bls' \n" } },
	  .method = BOOTCFG_SDBOOTUTIL,
	  .initramfs = BOOTCFG_INITRAMFS_DRACUT },
	{ .name = "flatcar",
	  .files = { { .path = "/etc/os-release", .text = FLATCAR } },
	  .method = BOOTCFG_FLATCAR,
	  .initramfs = BOOTCFG_INITRAMFS_FIXED },
	{ .name = "arch with GRUB",
	  .files = { { .path = "/etc/os-release", .text = ARCH },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/boot/grub/grub.cfg", .text = "" },
		     { .path = "/usr/bin/mkinitcpio", .text = "#!" } },
	  .method = BOOTCFG_GRUB_MKCONFIG,
	  .initramfs = BOOTCFG_INITRAMFS_MKINITCPIO },
	{ .name = "arch with unified images",
	  .files = { { .path = "/etc/os-release", .text = ARCH },
		     { .path = "/etc/kernel/cmdline", .text = "rw\n" },
		     { .path = "/usr/bin/mkinitcpio", .text = "#!" } },
	  .method = BOOTCFG_MKINITCPIO,
	  .initramfs = BOOTCFG_INITRAMFS_MKINITCPIO },
	{ .name = "arch, entries by hand",
	  .files = { { .path = "/etc/os-release", .text = ARCH },
		     { .path = LOADER_INFO,
		       .text = "\6\0\0\0s\0y\0s\0t\0e\0m\0d\0-\0b\0o\0o\0t\0 \0002\0\0\0",
		       .len = 34 } },
	  .method = BOOTCFG_LOADER_ENTRIES,
	  .initramfs = BOOTCFG_INITRAMFS_UNKNOWN },
	{ .name = "alpine with extlinux",
	  .files = { { .path = "/etc/os-release", .text = ALPINE },
		     { .path = "/etc/update-extlinux.conf", .text = "" },
		     { .path = "/sbin/mkinitfs", .text = "#!" } },
	  .method = BOOTCFG_EXTLINUX,
	  .initramfs = BOOTCFG_INITRAMFS_MKINITFS },
	{ .name = "alpine with GRUB",
	  .files = { { .path = "/etc/os-release", .text = ALPINE },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/boot/grub/grub.cfg", .text = "" } },
	  .method = BOOTCFG_GRUB_MKCONFIG,
	  .initramfs = BOOTCFG_INITRAMFS_UNKNOWN },
	{ .name = "azure linux",
	  .files = { { .path = "/etc/os-release", .text = "ID=azurelinux\n" },
		     { .path = "/etc/default/grub", .text = "" },
		     { .path = "/boot/grub2/grub.cfg", .text = "" },
		     { .path = "/usr/bin/dracut", .text = "#!" } },
	  .method = BOOTCFG_GRUB2_MKCONFIG,
	  .initramfs = BOOTCFG_INITRAMFS_DRACUT },
	{ .name = "openeuler",
	  .files = { { .path = "/etc/os-release",
		       .text = "NAME=\"openEuler\"\nID=\"openEuler\"\n" },
		     { .path = "/usr/sbin/grubby", .text = "#!" } },
	  .method = BOOTCFG_GRUBBY,
	  .initramfs = BOOTCFG_INITRAMFS_UNKNOWN },
	{ .name = "nixos",
	  .files = { { .path = "/etc/os-release", .text = "ID=nixos\nID_LIKE=\"\"\n" } },
	  .method = BOOTCFG_NIXOS,
	  .initramfs = BOOTCFG_INITRAMFS_NIXOS },
	{ .name = "dom0 of xenserver",
	  .files = { { .path = "/etc/os-release",
		       .text = "ID=\"xenenterprise\"\nID_LIKE=\"centos rhel fedora\"\n" },
		     { .path = "/usr/sbin/grubby", .text = "#!" } },
	  .method = BOOTCFG_UNKNOWN,
	  .initramfs = BOOTCFG_INITRAMFS_UNKNOWN },
	{ .name = "nothing", .files = { { .path = "/etc", .text = "/" } } },
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

		if (cfg.method != systems[i].method || cfg.initramfs != systems[i].initramfs)
			printf("# %s: %u %u\n", systems[i].name, cfg.method, cfg.initramfs);
		EXPECT(cfg.method == systems[i].method);
		EXPECT(cfg.initramfs == systems[i].initramfs);
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

TEST(initramfs)
{
	int i;

	for (i = 0; i < BOOTCFG_INITRAMFS_MAX; i++) {
		struct bootcfg cfg = { .initramfs = (enum bootcfg_initramfs)i };
		AUTO_BUF struct buf b = { 0 };

		bootcfg_remedy_initramfs(&cfg, &b);
		EXPECT(strstr(buf_text(&b), "then reboot.") != NULL);
		EXPECT((strncmp(buf_text(&b), "Run ", 4) == 0) ==
		       (bootcfg_remedy_initramfs_command(&cfg) != NULL));
	}
}
