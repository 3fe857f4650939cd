/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each kind of text but lspci and the log, which have their own. */
#include "imported.h"

#include <sriovctl/acpi.h>
#include <sriovctl/cpuinfo.h>
#include <sriovctl/dmi.h>
#include <sriovctl/interrupts.h>
#include <sriovctl/links.h>
#include <sriovctl/smt.h>
#include <sriovctl/version_kernel.h>

TEST(a_command_line_is_known_by_what_boot_loaders_write)
{
	static const struct {
		const char *text;
		bool is_one;
	} rows[] = {
		{ .text = "BOOT_IMAGE=/vmlinuz-6.1.0-13 root=/dev/sda1 ro quiet\n",
		  .is_one = true },
		{ .text = "\nroot=/dev/nfs ro ip=dhcp\n", .is_one = true },
		{ .text = "initrd=a root=b\r\n", .is_one = true },
		{ .text = "[    0.000000] Command line: root=/dev/sda1\n" },
		{ .text = "please look at this machine\n" },
		{ .text = "root=/dev/sda1\na\nb\nc\nd\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		const struct host *h = imported_text(&v, rows[i].text);
		bool is_there = host_exists(h, "/proc/cmdline") == 0;

		EXPECT(is_there == (rows[i].is_one || rows[i].text[0] == '['));
	}
}

TEST(the_image_tells_the_release_where_nothing_else_does)
{
	AUTO_IMPORTED struct imported v = { 0 }, both = { 0 };
	const struct host *h = imported_text(
		&v, "BOOT_IMAGE=(hd0,gpt2)/vmlinuz-5.15.0-46-generic root=UUID=1 ro\n");

	EXPECT(imported_says(h, "/proc/sys/kernel/osrelease", "5.15.0-46-generic"));
	imported_put(&both, "/a", "BOOT_IMAGE=/vmlinuz-5.15.0-46-generic root=UUID=1 ro\n");
	imported_put(&both, "/b", "Linux host 6.1.0-13-amd64 #1 SMP Debian x86_64 GNU/Linux\n");
	EXPECT(imported_says(imported_host(&both), "/proc/sys/kernel/osrelease", "6.1.0-13-amd64"));
}

TEST(interrupts_need_no_header_and_no_colon)
{
	static const char *const texts[] = {
		"           CPU0       CPU1\n"
		"  27:          1          2   IR-PCI-MSI 524288-edge      eth0\n",
		"host$ cat interrupts\n            CPU0       CPU1\n"
		" 27:          1          2   IR-PCI-MSI 524288-edge      eth0\n",
		" 27:          1          2   IR-PCI-MSI 524288-edge      eth0\n",
		"27 3 1 2 IR-PCI-MSI 524288-edge eth0\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		const struct interrupts *irqs = NULL;

		EXPECT(interrupts_get(imported_text(&v, texts[i]), &irqs, NULL) == 0);
		EXPECT(irqs && irqs->n == 1 && irqs->items[0].number == 27);
		EXPECT(irqs && strcmp(irqs->items[0].action, "eth0") == 0);
		EXPECT(irqs && irqs->items[0].kind == INTERRUPT_REMAPPED);
	}
}

TEST(rows_that_do_not_add_up_are_no_interrupts)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, "27 4 1 2 IR-PCI-MSI 524288-edge eth0\n");

	EXPECT(host_exists(h, "/proc/interrupts") == -ENODATA);
}

TEST(lscpu_is_what_it_read)
{
	static const char text[] = "Architecture:        x86_64\nCPU(s):              4\n"
				   "On-line CPU(s) list: 0-3\nThread(s) per core:  2\n"
				   "Vendor ID:           GenuineIntel\n"
				   "NUMA node0 CPU(s):   0,1\nNUMA node1 CPU(s):   2,3\n"
				   "Flags:               fpu vmx x2apic lahf_lm ept\n";
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, text);
	const struct cpuinfo *c = NULL;

	EXPECT(cpuinfo_get(h, &c, NULL) == 0 && c->n_cpus == 4 && c->arch == CPUINFO_X86);
	EXPECT(c && cpuinfo_has(c, "vmx") && !cpuinfo_has(c, "svm"));
	EXPECT(imported_says(h, "/sys/devices/system/node/node1/cpulist", "2,3"));
	EXPECT(imported_says(h, "/sys/devices/system/cpu/smt/active", "1"));
	EXPECT(imported_says(h, "/sys/devices/system/cpu/online", "0-3"));
}

static const struct smt *smt_of(struct imported *v, const char *arch, const char *numbers)
{
	AUTO_BUF struct buf text = { 0 };
	const struct smt *s = NULL;

	buf_printf(&text, "Architecture: %s\nOn-line CPU(s) list: 0-15\n%sFlags: fpu lahf_lm ept\n",
		   arch, numbers);
	return smt_get(imported_text(v, buf_text(&text)), &s, NULL) == 0 ? s : NULL;
}

TEST(lscpu_tells_threads_where_all_cores_have_as_many)
{
	static const struct {
		const char *arch, *numbers;
		unsigned threads; /* 0: not known */
	} rows[] = {
		{ .arch = "x86_64",
		  .numbers = "CPU(s): 16\nThread(s) per core: 2\nCore(s) per socket: 4\n"
			     "Socket(s): 2\n",
		  .threads = 2 },
		{ .arch = "aarch64",
		  .numbers = "CPU(s): 16\n  Thread(s) per core: 1\n  Core(s) per cluster: 8\n"
			     "  Cluster(s): 2\n",
		  .threads = 1 },
		/* Some of its cores have one. */
		{ .arch = "x86_64",
		  .numbers = "CPU(s): 16\nThread(s) per core: 2\nCore(s) per socket: 10\n"
			     "Socket(s): 1\n" },
		{ .arch = "x86_64", .numbers = "CPU(s): 16\nThread(s) per core: 2\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		const struct smt *s = smt_of(&v, rows[i].arch, rows[i].numbers);

		EXPECT((s != NULL) == (rows[i].threads > 0));
		EXPECT(!s ||
		       (s->min_threads == rows[i].threads && s->max_threads == rows[i].threads));
	}
}

TEST(flags_that_a_terminal_broke_are_whole_again)
{
	static const char in_words[] = "Architecture: x86_64\nCPU(s): 1\n"
				       "Flags:    fpu x2a\n"
				       "          pic vmx\n"
				       "          lahf_lm end\n";
	static const char at_blanks[] = "Architecture: x86_64\nCPU(s): 1\n"
					"Flags:    fpu x2apic\n"
					"          vmx lahf_lm end\nOther: x\n";
	const char *const texts[] = { in_words, at_blanks };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		const struct cpuinfo *c = NULL;

		EXPECT(cpuinfo_get(imported_text(&v, texts[i]), &c, NULL) == 0);
		EXPECT(c && cpuinfo_has(c, "fpu") && cpuinfo_has(c, "end"));
		EXPECT(i == 1 || (c && cpuinfo_has(c, "x2apic")));
	}
}

TEST(what_arm_says_of_itself_is_kept)
{
	AUTO_IMPORTED struct imported v = { 0 };

	EXPECT(imported_says(imported_text(&v, "Architecture: aarch64\nCPU(s): 160\n"),
			     "/proc/sys/kernel/arch", "aarch64"));
}

TEST(dmidecode_gives_the_attributes_of_the_kernel)
{
	static const char text[] =
		"Handle 0x0000, DMI type 0, 24 bytes\nBIOS Information\n\tVendor: Example\n"
		"\tVersion: 2.1\n\tRelease Date: 01/02/2023\n\n"
		"Handle 0x0001, DMI type 1, 27 bytes\nSystem Information\n"
		"\tManufacturer: Example Inc.\n\tProduct Name: Not Specified\n"
		"\tVersion: 7\n\nHandle 0x0002, DMI type 2, 8 bytes\n\tProduct Name: BOARD\n"
		"\nHandle 0x0003, DMI type 3, 22 bytes\n\tManufacturer: Chassis Corp\n";
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, text);

	EXPECT(imported_says(h, "/sys/class/dmi/id/sys_vendor", "Example Inc."));
	EXPECT(imported_says(h, "/sys/class/dmi/id/bios_version", "2.1"));
	EXPECT(imported_says(h, "/sys/class/dmi/id/board_name", "BOARD"));
	EXPECT(host_exists(h, "/sys/class/dmi/id/product_name") == -ENOENT);
	EXPECT(host_exists(h, "/sys/class/dmi/id/product_uuid") == -ENODATA);
}

/* Two structures that all firmware has, another, and the end. */
#define SMBIOS_TABLE                                                                       \
	"\x00\x12\x00\x00\x01\x02\x00\xf0\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00Vendor\0" \
	"2.1\0\0"                                                                          \
	"\x01\x08\x01\x00\x01\x02\x00\x00"                                                 \
	"Example\0Server\0\0"                                                              \
	"\x0b\x05\x02\x00\x01"                                                             \
	"x\0\0"                                                                            \
	"\x7f\x04\x03\x00\0"

TEST(a_table_of_smbios_needs_no_entry_point)
{
	static const char table[] = SMBIOS_TABLE;
	AUTO_IMPORTED struct imported v = { 0 }, damaged = { 0 };
	const struct dmi *d = NULL;

	imported_put_bytes(&v, "/DMI", table, sizeof(table));
	EXPECT(dmi_get(imported_host(&v), &d, NULL) == 0);
	EXPECT(d && d->product.text && strcmp(d->product.text, "Server") == 0);
	/* What is behind the damage the kernel does not see either. */
	d = NULL;
	imported_put_bytes(&damaged, "/DMI", SMBIOS_TABLE "\0\0\0\0\0\0\0",
			   sizeof(SMBIOS_TABLE) + 6);
	EXPECT(dmi_get(imported_host(&damaged), &d, NULL) == 0);
}

#define MEMBER(group, name) "/sys/kernel/iommu_groups/" group "/devices/0000:" name "\n"
#define LINE(group, name)   "IOMMU Group " group " " name " PCI bridge [0604]: y\n"

/* The names in group 1; SIZE_MAX: not all are known. */
static size_t in_group_1(const char *text)
{
	AUTO_IMPORTED struct imported v = { 0 };
	AUTO_STRV struct strv names = { 0 };

	if (host_list(imported_text(&v, text), &names, NULL, "/sys/kernel/iommu_groups/1/devices") <
	    0)
		return SIZE_MAX;
	EXPECT(strv_has(&names, "0000:3b:00.0"));
	return names.n;
}

TEST(groups_are_listed_in_many_ways)
{
	AUTO_IMPORTED struct imported v = { 0 };

	EXPECT(in_group_1("IOMMU Group 1:\n\t3b:00.0 Ethernet controller [0200]: x\n"
			  "\t3a:00.0 PCI bridge [0604]: y\nIOMMU Group 4:\n") == 2);
	EXPECT(in_group_1(LINE("0", "00:00.0") LINE("1", "3b:00.0") LINE("1", "3a:00.0")
				  LINE("2", "00:02.0")) == 2);
	EXPECT(in_group_1(MEMBER("1", "3b:00.0") MEMBER("1", "3a:00.0") MEMBER("0", "00:00.0")) ==
	       2);
	EXPECT(imported_says(imported_text(&v, LINE("0", "00:00.0") LINE("1", "3a:00.0")),
			     PCIDEV_PATH "/0000:3a:00.0/class", "0x060400"));
}

TEST(a_listing_of_groups_may_be_cut_or_looked_through)
{
	/* In the last one. */
	EXPECT(in_group_1("IOMMU Group 0:\n\t00:00.0 Host bridge [0600]: z\nIOMMU Group 1:\n"
			  "\t3b:00.0 Ethernet controller [0200]: x\n") == SIZE_MAX);
	EXPECT(in_group_1("IOMMU Group 1:\n\t3b:00.0 Ethernet controller [0200]: x\n[...]\n") ==
	       SIZE_MAX);
	EXPECT(in_group_1(MEMBER("0", "00:00.0") MEMBER("1", "3b:00.0")) == SIZE_MAX);
	EXPECT(in_group_1(MEMBER("0", "00:00.0") MEMBER("1", "3b:00.0") "$ \n") == 1);
	/* For those of some functions. */
	EXPECT(in_group_1(MEMBER("1", "3b:00.0") MEMBER("2", "3b:00.1") "$ \n") == SIZE_MAX);
	EXPECT(in_group_1(LINE("0", "00:00.0") LINE("1", "3b:00.0") LINE("4", "3c:00.0")) ==
	       SIZE_MAX);
	/* By the addresses of functions, where the next may be in any group. */
	EXPECT(in_group_1(LINE("0", "00:00.0") LINE("1", "3b:00.0") LINE("0", "3c:00.0")
				  LINE("2", "3d:00.0")) == SIZE_MAX);
}

TEST(as_many_groups_may_have_one_more_as_there_are)
{
	AUTO_BUF struct buf text = { 0 };
	AUTO_IMPORTED struct imported v = { 0 };
	AUTO_STRV struct strv names = { 0 };
	const struct host *h;

	for (unsigned i = 0; i <= 40; i++)
		buf_printf(&text, "IOMMU Group %u:\n\t00:%02x.0 Host bridge [0600]: z\n", i,
			   i % 32);
	imported_put(&v, "/groups.txt", buf_text(&text));
	buf_clear(&text);
	for (unsigned i = 0; i < 40; i++)
		buf_printf(&text, "\tControl: I/O- Mem+\n\tIOMMU group: %u\n\n", i);
	imported_put(&v, "/lspci.txt", buf_text(&text));
	h = imported_host(&v);
	EXPECT(host_list(h, &names, NULL, "/sys/kernel/iommu_groups/0/devices") < 0);
	EXPECT(host_list(h, &names, NULL, "/sys/kernel/iommu_groups/39/devices") < 0);
}

TEST(a_transcript_shows_files_and_links)
{
	static const char text[] =
		"root@host:~# cd /sys/bus/pci/devices/0000:3b:00.0\n"
		"root@host:/sys/bus/pci/devices/0000:3b:00.0# cat sriov_totalvfs\n64\n"
		"root@host:/sys/bus/pci/devices/0000:3b:00.0# cat sriov_numvfs\n"
		"cat: sriov_numvfs: No such file or directory\n"
		"root@host:/sys/bus/pci/devices/0000:3b:00.0# ls -al driver\n"
		"lrwxrwxrwx 1 root root 0 Jul 25 15:33 driver -> ../../../bus/pci/drivers/ixgbe\n"
		"root@host:~# cat /proc/cmdline\nroot=/dev/sda1 quiet\n"
		"root@host:~# cat /etc/passwd\nroot:x:0:0\n"
		"root@host:~# cat /sys/module/../../etc/shadow\nx\n";
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, text);
	AUTO_BUF struct buf driver = { 0 };

	EXPECT(imported_says(h, PCIDEV_PATH "/0000:3b:00.0/sriov_totalvfs", "64"));
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:3b:00.0/sriov_numvfs") == -ENOENT);
	EXPECT(host_link_name(h, &driver, NULL, PCIDEV_PATH "/0000:3b:00.0/driver") == 0);
	EXPECT(strcmp(buf_text(&driver), "ixgbe") == 0);
	EXPECT(imported_says(h, "/proc/cmdline", "root=/dev/sda1 quiet"));
	EXPECT(host_exists(h, "/etc/passwd") != 0 && host_exists(h, "/etc/shadow") != 0);
}

TEST(ip_link_is_the_kernels_answer_again)
{
	static const char text[] =
		"2: br0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP\n"
		"    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n"
		"    bridge forward_delay 1500\n"
		"193: ens1f0: <BROADCAST,MULTICAST,UP> mtu 9000 qdisc mq master br0 state DOWN\n"
		"    link/ether 02:00:00:00:00:44 brd ff:ff:ff:ff:ff:ff permaddr "
		"02:00:00:00:00:45\n"
		"    vf 0     link/ether 02:00:00:00:00:50 brd ff:ff:ff:ff:ff:ff, vlan 100, qos 3, "
		"spoof checking on, link-state enable, trust off\n"
		"    vf 1 MAC 00:00:00:00:00:00, tx rate 10000 (Mbps), max_tx_rate 10000Mbps, "
		"spoof checking off, link-state auto\n"
		"    altname enp59s0f0\n";
	AUTO_IMPORTED struct imported v = { 0 };
	const struct links *l = NULL;
	const struct links_item *pf = NULL, *br;

	EXPECT(links_get(imported_text(&v, text), &l, NULL) == 0 && l->n == 2);
	if (!l)
		return;
	pf = links_find(l, "ens1f0");
	br = links_find(l, "br0");
	EXPECT(br && br->has_carrier && br->kind && strcmp(br->kind, "bridge") == 0);
	EXPECT(br && br->count_error == -ENODATA);
	EXPECT(pf && pf->is_up && !pf->has_carrier && pf->mtu == 9000 && pf->master == 2);
	EXPECT(pf && pf->permanent.len == 6 && pf->permanent.bytes[5] == 0x45);
	EXPECT(pf && strv_has(&pf->altnames, "enp59s0f0") && pf->count == 2 && pf->n_vfs == 2);
	if (!pf || pf->n_vfs != 2)
		return;
	EXPECT(pf->vfs[0].mac.bytes[5] == 0x50 && pf->vfs[0].vlan == 100 && pf->vfs[0].qos == 3);
	EXPECT(pf->vfs[0].spoofchk && !pf->vfs[0].trust && pf->vfs[0].trust_error == 0);
	EXPECT(pf->vfs[0].state == LINKS_VF_ENABLE && pf->vfs[1].state == LINKS_VF_AUTO);
	EXPECT(pf->vfs[1].max_rate == 10000 && pf->vfs[1].trust_error == -EOPNOTSUPP);
}

TEST(names_that_are_made_of_an_address_tell_the_function)
{
	static const struct {
		const char *name, *other, *bdf; /* NULL: of no function */
	} rows[] = {
		{ .name = "enp59s0f1np1", .bdf = "0000:3b:00.1" },
		{ .name = "enP2p1s0", .bdf = "0002:01:00.0" },
		{ .name = "eth0", .other = "altname enp175s0f0", .bdf = "0000:af:00.0" },
		{ .name = "eth0",
		  .other = "link/ether 02:00:00:00:00:44 brd ff:ff:ff:ff:ff:ff parentbus pci "
			   "parentdev 0000:5e:00.1",
		  .bdf = "0000:5e:00.1" },
		{ .name = "enp59s0f1v3" },
		{ .name = "enp59s0f1.100@enp59s0f1" },
		{ .name = "enp300s0" },
		{ .name = "enp59s0f1x" },
		{ .name = "ens1f0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		AUTO_BUF struct buf text = { 0 };
		AUTO_STRV struct strv names = { 0 };
		const struct host *h;

		buf_printf(&text,
			   "7: %s: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc mq state DOWN\n"
			   "    vf 0 MAC 02:00:00:00:00:50, spoof checking on\n    %s\n",
			   rows[i].name, rows[i].other ? rows[i].other : "");
		h = imported_text(&v, buf_text(&text));
		if (!rows[i].bdf) {
			EXPECT(host_list(h, &names, NULL, PCIDEV_PATH) < 0 || names.n == 0);
			continue;
		}
		EXPECT(host_list(h, &names, NULL, PCIDEV_PATH "/%s/net", rows[i].bdf) == 0);
		EXPECT(names.n == 1 && strcmp(names.items[0], rows[i].name) == 0);
		EXPECT(host_exists(h, PCIDEV_PATH "/%s/sriov_totalvfs", rows[i].bdf) == 0);
	}
}

TEST(vfs_that_lack_one_are_not_listed)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct links *l = NULL;

	EXPECT(links_get(imported_text(&v, "3: e: <UP> mtu 1500\n    vf 1 MAC 00:00:00:00:00:01\n"),
			 &l, NULL) == 0);
	EXPECT(l && l->n == 1 && l->items[0].count_error == -ENODATA);
}

TEST(tables_are_known_by_their_beginning)
{
	static const char dmar[] = "DMAR\x30\0\0\0\1\0EXAMPLTABLE   \1\0\0\0EXMP\1\0\0\0"
				   "\x26\x01\0\0\0\0\0\0\0\0\0\0";
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h;

	imported_put_bytes(&v, "/anything.dat", dmar, sizeof(dmar) - 1);
	h = imported_host(&v);
	EXPECT(host_exists(h, "/sys/firmware/acpi/tables/DMAR") == 0);
	/* That another was not sent says nothing. */
	EXPECT(host_exists(h, "/sys/firmware/acpi/tables/IVRS") == -ENODATA);
}

#define TABLE(name)                                                               \
	name " @ 0x0000000000000000\n"                                            \
	     "    0000: 46 41 43 50 24 00 00 00 01 00 45 58 41 4D 50 4C  FACP\n"  \
	     "    0010: 54 41 42 4C 45 20 20 20 01 00 00 00 45 58 4D 50  TABLE\n" \
	     "    0020: 01 00 00 00                                      ....\n\n"

TEST(a_whole_acpidump_tells_what_is_not_there)
{
	AUTO_IMPORTED struct imported whole = { 0 }, some = { 0 };
	const struct host *h = imported_text(&whole, TABLE("FACP") TABLE("DSDT") TABLE("APIC")
							     TABLE("SSDT") TABLE("SSDT"));

	EXPECT(host_exists(h, "/sys/firmware/acpi/tables/DMAR") == -ENOENT);
	EXPECT(host_exists(h, "/sys/firmware/acpi/tables/SSDT1") == 0);
	h = imported_text(&some, TABLE("FACP") TABLE("SSDT"));
	EXPECT(host_exists(h, "/sys/firmware/acpi/tables/FACP") == 0);
	EXPECT(host_exists(h, "/sys/firmware/acpi/tables/DMAR") == -ENODATA);
}

TEST(uname_tells_which_of_debians_kernels_it_is)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct version_kernel *k = NULL;

	imported_put(&v, "/uname",
		     "Linux host 6.1.0-57-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.192-3 "
		     "(2026-11-01) x86_64 GNU/Linux\n");
	EXPECT(version_kernel_get(imported_host(&v), &k, NULL) == 0);
	EXPECT(k->knows_patch && k->base.major == 6 && k->base.minor == 1 && k->base.patch == 192);
	EXPECT(k->distribution && strcmp(k->distribution, "Debian") == 0);
}

TEST(a_configuration_is_of_the_kernel_that_runs)
{
	AUTO_IMPORTED struct imported v = { 0 };

	imported_put(&v, "/config",
		     "# Linux/x86 6.1.0 Kernel Configuration\nCONFIG_PCI_IOV=y\n"
		     "# CONFIG_IOMMUFD is not set\n");
	imported_put(&v, "/uname", "Linux host 6.1.0-13-amd64 #1 SMP x86_64 GNU/Linux\n");
	EXPECT(host_exists(imported_host(&v), "/boot/config-6.1.0-13-amd64") == 0);
}
