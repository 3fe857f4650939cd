/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/capture.h>

#include "../../checks/host/redact_find.h"
#include "../../checks/host/redact_log.h"
#include "../../checks/host/redact_map.h"
#include "nomem.h"
#include "netlink.h"
#include "tree.h"

#include <sriovctl/error.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <fcntl.h>
#include <sys/mman.h>

static const struct tree_row rows[] = {
	{ .path = "/proc/cmdline",
	  .text = "quiet root=UUID=9e5c2a4f-0d1b-4c7e-8f3a-1b2c3d4e5f60\n" },
	{ .path = "/proc/sys/kernel/osrelease", .text = "6.1.0-test\n" },
	{ .path = "/sys/devices/0000:01:00.0/nvme/nvme0/serial", .text = "S5Y1NG0N123456  \n" },
	{ .path = "/sys/bus/pci/devices/0000:01:00.0", .link = "../../../devices/0000:01:00.0" },
	{ .path = "/sys/devices/0000:01:00.0/vendor", .text = "0x8086\n" },
	{ .path = "/sys/devices/0000:01:00.0/net/enx525400aabbcc/flags", .text = "0x1003\n" },
	{ .path = "/sys/devices/0000:01:00.0/loop", .link = "loop" },
	{ .path = "/.sriovctl/devinfo/pci.0000:01:00.0",
	  .text = "driver ice\nserial_number 52-54-00-ff-ff-aa-bb-cc\n"
		  "board.serial_number MT2042X01234\nrunning fw.mgmt 7.3.4\n" },
	{ .path = "/proc/sys/kernel/hostname", .text = "rack-7.example\n" },
	{ .path = "/etc/hostname", .text = "pc\n" },
	{ .path = "/proc/version", .text = "Linux version 6.1.0 (me@rack-7) #1 SMP\n" },
	{ .path = "/etc/modprobe.d/rack-7.conf", .text = "# of rack-7\n" },
	{ .path = "/var/log/dmesg",
	  .text = "igb 0000:01:00.0: 52:54:00:aa:bb:cc\nsystemd[1]: Hostname set to <node17>.\n"
		  "node17 up\n" },
};

/* What capture says of @root, as a file in memory; a descriptor or a negative errno. */
static int capture(const char *root, bool redact, struct error *e)
{
	AUTO_HOST struct host *h = NULL;
	int fd, r = capture_open(root, &h, e);

	if (r == 0)
		r = capture_ask(h, e);
	if (r == 0)
		r = redact ? capture_redact(&h, e) : capture_replay(&h, e);
	if (r < 0)
		return r;
	fd = memfd_create("capture", MFD_CLOEXEC);
	r = capture_write(h, "report\n", 7, fd, e);
	if (r < 0)
		(void)close(fd);
	return r < 0 ? r : fd;
}

static void open_captured(int fd, struct host **ret)
{
	char path[32];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	(void)lseek(fd, 0, SEEK_SET);
	EXPECT(host_open(path, ret, NULL) == 0);
}

/* The tree of all rows, and what a capture of it answers. */
static void make_captured(struct tree *t, bool redact, struct host **ret)
{
	AUTO_CLOSE int fd = -1;

	tree_build(t, rows, ARRAY_SIZE(rows));
	fd = capture(t->dir, redact, NULL);
	EXPECT(fd >= 0);
	open_captured(fd, ret);
}

static int attr(const struct host *h, const char *path, struct buf *ret)
{
	return host_attr(h, ret, NULL, "%s", path);
}

TEST(a_capture_answers_as_its_host_did)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_HOST struct host *h = NULL;
	AUTO_BUF struct buf text = { 0 };
	AUTO_STRV struct strv names = { 0 };

	make_captured(&t, false, &h);
	EXPECT(h && !host_is_live(h) && host_is_partial(h));
	EXPECT(attr(h, "/sys/bus/pci/devices/0000:01:00.0/vendor", &text) == 0);
	EXPECT(same(buf_text(&text), "0x8086"));
	EXPECT(host_link_name(h, &text, NULL, "/sys/bus/pci/devices/0000:01:00.0") == 0);
	EXPECT(same(buf_text(&text), "0000:01:00.0"));
	EXPECT(host_list(h, &names, NULL, "/sys/bus/pci/devices") == 0 && names.n == 1);
	/* Seen to be absent, and never asked. */
	EXPECT(host_exists(h, "/sys/bus/pci/devices/0000:01:00.0/physfn") == -ENOENT ||
	       host_exists(h, "/sys/bus/pci/devices/0000:01:00.0/sriov_totalvfs") == -ENOENT);
	EXPECT(attr(h, "/sys/kernel/mm/never_asked", &text) == -ENODATA);
	EXPECT(attr(h, "/proc/nothing", &text) == -ENODATA);
}

TEST(what_identifies_a_host_is_not_in_a_redacted_capture)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_HOST struct host *h = NULL;
	AUTO_BUF struct buf text = { 0 };
	AUTO_STRV struct strv names = { 0 };

	make_captured(&t, true, &h);
	EXPECT(host_list(h, &names, NULL, "/sys/bus/pci/devices/0000:01:00.0/net") == 0);
	EXPECT(names.n == 1 && same(names.items[0], "enx020000000001"));
	EXPECT(host_read(h, 4096, &text, NULL, "/var/log/dmesg") == 0);
	EXPECT(strstr(buf_text(&text), "0000:01:00.0: 02:00:00:00:00:01\n"));
	EXPECT(!strstr(buf_text(&text), "node17"));
	EXPECT(attr(h, "/proc/cmdline", &text) == 0);
	EXPECT(same(buf_text(&text), "quiet root=UUID=00000000-0000-4000-8000-000000000001"));
	buf_clear(&text);
	EXPECT(host_read(h, 64, &text, NULL, "/sys/devices/0000:01:00.0/nvme/nvme0/serial") == 0);
	EXPECT(same(buf_text(&text), "XXXXXXXXXXXXX1  \n"));
}

TEST(the_name_of_another_root_is_known_by_its_file)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_HOST struct host *h = NULL;
	AUTO_BUF struct buf text = { 0 };
	AUTO_STRV struct strv names = { 0 };

	make_captured(&t, true, &h);
	EXPECT(attr(h, "/proc/sys/kernel/hostname", &text) == 0);
	EXPECT(!strstr(buf_text(&text), "rack-7"));
	EXPECT(attr(h, "/etc/hostname", &text) == 0 && same(buf_text(&text), "hh"));
	EXPECT(attr(h, "/proc/version", &text) == 0);
	EXPECT(!strstr(buf_text(&text), "rack-7") && strstr(buf_text(&text), "(me@hhhhh"));
	EXPECT(host_list(h, &names, NULL, "/etc/modprobe.d") == 0 && names.n == 1);
	EXPECT(!strstr(names.items[0], "rack-7") && strstr(names.items[0], ".conf"));
	buf_clear(&text);
	EXPECT(host_read(h, 64, &text, NULL, "/etc/modprobe.d/%s", names.items[0]) == 0);
	EXPECT(parse_has_prefix(buf_text(&text), "# of hhhhh"));
}

TEST(serial_numbers_of_cards_are_redacted)
{
	AUTO_REDACT_MAP struct redact_map m = { 0 };
	char text[] = "driver ice\nserial_number 52-54-00-ff-ff-aa-bb-cc\n"
		      "board.serial_number MT2042X01234\nrunning fw.mgmt 7.3.4\n";

	redact_log_find_serials(&m, text);
	redact_map_apply(&m, text, strlen(text), REDACT_TEXT);
	EXPECT(!strstr(text, "aa-bb-cc") && !strstr(text, "MT2042X01234"));
	EXPECT(strstr(text, "driver ice\nserial_number ") && strstr(text, "running fw.mgmt 7.3.4"));
}

TEST(captures_are_whole_or_fail_without_memory)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CLOSE int whole = -1;
	unsigned wrong = 0;
	off_t size;

	nomem_spare("libarchive");
	tree_build(&t, rows, ARRAY_SIZE(rows));
	whole = capture(t.dir, true, NULL);
	size = lseek(whole, 0, SEEK_END);
	for (unsigned n = 1;; n += 1 + n / 64) {
		struct error e = { 0 };
		int fd;

		nomem_arm(n);
		fd = capture(t.dir, true, &e);
		nomem_disarm();
		if (fd >= 0) {
			wrong += lseek(fd, 0, SEEK_END) != size;
			(void)close(fd);
		} else {
			wrong += !e.text[0];
		}
		if (memory.n < n)
			break;
	}
	EXPECT(wrong == 0);
}

TEST(a_capture_is_opened_whole_or_not_without_memory)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CLOSE int fd = -1;
	unsigned wrong = 0;
	char path[32];

	nomem_spare("libarchive");
	tree_build(&t, rows, ARRAY_SIZE(rows));
	fd = capture(t.dir, false, NULL);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (unsigned n = 1;; n++) {
		AUTO_HOST struct host *h = NULL;
		AUTO_BUF struct buf text = { 0 };
		int r;

		(void)lseek(fd, 0, SEEK_SET);
		nomem_arm(n);
		r = host_open(path, &h, NULL);
		nomem_disarm();
		if (r == 0)
			wrong += attr(h, "/sys/bus/pci/devices/0000:01:00.0/vendor", &text) != 0;
		if (memory.n < n)
			break;
	}
	EXPECT(wrong == 0);
}

/* --- redaction ----------------------------------------------------------------------- */

static void expect_redacted(const char *before, const char *after, unsigned where)
{
	AUTO_REDACT_MAP struct redact_map m = { 0 };
	AUTO_BUF struct buf text = { 0 };

	redact_map_add_word(&m, REDACT_IS_SERIAL, "CN7792194I005F");
	redact_map_add_word(&m, REDACT_IS_HOST, "node17");
	buf_puts(&text, before);
	redact_map_apply(&m, text.data, text.len, where);
	if (!same(buf_text(&text), after))
		printf("# %s\n# %s\n", buf_text(&text), after);
	EXPECT(same(buf_text(&text), after));
}

TEST(the_same_gets_the_same_and_the_rest_stays)
{
	expect_redacted("a 52:54:00:12:34:56 b 52-54-00-12-34-56 c 52:54:00:12:34:57",
			"a 02:00:00:00:00:01 b 02-00-00-00-00-01 c 02:00:00:00:00:02", REDACT_TEXT);
	expect_redacted("BOOTIF=01-52-54-00-12-34-56", "BOOTIF=01-02-00-00-00-00-01", REDACT_TEXT);
	expect_redacted("00:00:00:00:00:00 ff:ff:ff:ff:ff:ff 01:80:c2:00:00:0e",
			"00:00:00:00:00:00 ff:ff:ff:ff:ff:ff 01:80:c2:00:00:0e", REDACT_TEXT);
	expect_redacted("0000:52:54.0 52:54:00:12:34", "0000:52:54.0 52:54:00:12:34", REDACT_TEXT);
	/* dracut.cmdline(7): behind a name; a longer row is no address of a card. */
	expect_redacted("ifname=net0:52:54:00:12:34:56 ip=::eth0:1500:52:54:00:12:34:56",
			"ifname=net0:02:00:00:00:00:01 ip=::eth0:1500:02:00:00:00:00:01",
			REDACT_TEXT);
	expect_redacted("80:00:02:52:54:00:12:34:56", "80:00:02:52:54:00:12:34:56", REDACT_TEXT);
	expect_redacted("s CN7792194I005F.", "s XXXXXXXXXXXXX1.", REDACT_TEXT);
	expect_redacted("CN7792194I005F7", "CN7792194I005F7", REDACT_TEXT);
	expect_redacted("node17 node171", "node17 node171", REDACT_TEXT);
	expect_redacted("node17 node171", "hhhhh1 node171", REDACT_PROSE);
	expect_redacted("LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f",
			"LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f", REDACT_TEXT);
}

/* What could be something else is an address only where it is known for one. */
TEST(an_address_in_other_spellings)
{
	expect_redacted("52:54:00:12:34:5a 52540012345A 5254.0012.345a 52 54 00 12 34 5a",
			"02:00:00:00:00:01 020000000001 0200.0000.0001 02 00 00 00 00 01",
			REDACT_TEXT);
	expect_redacted("52:54:00:12:34:5a 5254001234", "02:00:00:00:00:01 5254001234",
			REDACT_TEXT);
	expect_redacted("52540012345a x52540012345a", "52540012345a x52540012345a", REDACT_TEXT);
	expect_redacted("wlx52540012345a wwx52540012345a", "wlx020000000001 wwx020000000001",
			REDACT_TEXT);
}

TEST(a_uuid_without_dashes)
{
	/* machine-id(5), as names of boot entries have it. */
	expect_redacted("6a0e9b3c0b8e4f0e9a3a6f8f1f0e1d2c-6.1.conf 6a0e9b3c0b8e4f0e9a3a6f8f1f0e1d2",
			"00000000000040008000000000000001-6.1.conf 6a0e9b3c0b8e4f0e9a3a6f8f1f0e1d2",
			REDACT_TEXT);
}

/* RFC 4291, appendix A: an address that is made of a MAC address has it. */
TEST(an_address_of_ipv6_that_has_a_mac_address_gets_another)
{
	static const uint8_t mac[6] = { 0x52, 0x54, 0x00, 0x12, 0x34, 0x56 };
	uint8_t address[] = { 0xfe, 0x80, 0,	0,    0,    0,	  0,	0,
			      0x50, 0x54, 0x00, 0xff, 0xfe, 0x12, 0x34, 0x56 };
	static const uint8_t other[] = { 0x00, 0, 0, 0xff, 0xfe, 0, 0, 1 };
	AUTO_REDACT_MAP struct redact_map m = { 0 };

	redact_map_add_mac(&m, mac);
	redact_map_apply(&m, (char *)address, sizeof(address), REDACT_TEXT | REDACT_BINARY);
	EXPECT(memcmp(address + 8, other, sizeof(other)) == 0);
}

static void expect_found(const char *before, const char *after)
{
	AUTO_REDACT_MAP struct redact_map m = { 0 };
	AUTO_BUF struct buf text = { 0 };

	buf_puts(&text, before);
	redact_log_find(&m, text.data);
	redact_map_apply(&m, text.data, text.len, REDACT_PROSE);
	EXPECT(same(buf_text(&text), after));
}

TEST(an_address_of_ipv6_in_a_text)
{
	/* Of the universe: 52:54:00:12:34:56, which is known by then; then a new one. */
	expect_redacted(
		"52:54:00:12:34:56 fe80::5054:ff:fe12:3456%eth0 2001:db8::5054:ff:fe12:3456",
		"02:00:00:00:00:01 fe80::0000:ff:fe00:0001%eth0 2001:db8::0000:ff:fe00:0001",
		REDACT_TEXT);
	expect_redacted("[fe80::21b:21ff:feaa:bb]", "[fe80::000:00ff:fe00:01]", REDACT_TEXT);
	/* Of no address: a part of a longer row, other bytes, no prefix. */
	expect_redacted("fe80::5054:ff:fe12:3456:1", "fe80::5054:ff:fe12:3456:1", REDACT_TEXT);
	expect_redacted("fe80::5054:ff:fd12:3456", "fe80::5054:ff:fd12:3456", REDACT_TEXT);
	expect_redacted("5054:ff:fe12:3456", "5054:ff:fe12:3456", REDACT_TEXT);
	expect_redacted("fe80::5054:ff:fe12", "fe80::5054:ff:fe12", REDACT_TEXT);
}

TEST(names_of_processes_and_guests)
{
	static const char before[] = "net\t40\t1\tinit\tin\nmount\t41\t1\tinit\tin\n"
				     "process\t7\tqemu-kvm\tmine\nhandle\t0\t239\t5\tinit\n"
				     "process\t8\tsh\t\nblind\tinit";
	static const char after[] = "net\t40\t1\tppp1\tin\nmount\t41\t1\tppp1\tin\n"
				    "process\t7\tppppppp2\tppp3\nhandle\t0\t239\t5\tinit\n"
				    "process\t8\tp4\t\nblind\tinit";
	AUTO_REDACT_MAP struct redact_map m = { 0 };
	char text[sizeof(before)];

	memcpy(text, before, sizeof(before));
	redact_find_processes(&m, text);
	EXPECT(same(text, after));
	redact_find_processes(&m, NULL);
}

/* As mlx5 has it: no EUI-64 that one could tell. */
TEST(the_name_of_a_switch)
{
	static const uint8_t name[8] = { 0x0c, 0x42, 0xa1, 0x00, 0x03, 0xa1, 0xb2, 0xc3 };
	AUTO_REDACT_MAP struct redact_map m = { 0 };
	AUTO_BUF struct buf links = { 0 }, text = { 0 };
	size_t at = start_link(&links, 2, "eth0");

	put(&links, IFLA_PHYS_SWITCH_ID, name, sizeof(name));
	finish_link(&links, at);
	redact_find_links(&m, links.data, links.len);
	EXPECT(!memmem(links.data, links.len, name, sizeof(name)));
	EXPECT(memmem(links.data, links.len, "\0\0\0\0\0\0\0\1", sizeof(name)));
	/* In a file of sysfs it is the same one. */
	buf_puts(&text, "0c42a10003a1b2c3\n");
	redact_find_serial(&m, buf_text(&text));
	redact_map_apply(&m, text.data, text.len, REDACT_TEXT);
	EXPECT(same(buf_text(&text), "XXXXXXXXXXXXXXX1\n"));
}

/* The addresses of a bond's partner, of bridges elsewhere; what somebody wrote. */
TEST(what_no_check_reads_of_a_link_is_blanked)
{
	static const uint8_t partner[6] = { 0x52, 0x54, 0, 1, 2, 3 };
	AUTO_REDACT_MAP struct redact_map m = { 0 };
	AUTO_BUF struct buf links = { 0 };
	size_t at = start_link(&links, 2, "eth0"), info;

	put(&links, IFLA_IFALIAS, "rack 7", 7);
	info = start(&links, IFLA_LINKINFO);
	put(&links, IFLA_INFO_KIND, "bond", 5);
	put(&links, IFLA_INFO_DATA, partner, sizeof(partner));
	finish(&links, info);
	finish_link(&links, at);
	redact_find_links(&m, links.data, links.len);
	EXPECT(!memmem(links.data, links.len, partner, sizeof(partner)));
	EXPECT(!memmem(links.data, links.len, "rack 7", 6));
	EXPECT(memmem(links.data, links.len, "bond", 4) &&
	       memmem(links.data, links.len, "eth0", 4));
}

TEST(secrets_of_a_command_line_and_serial_numbers_of_a_log)
{
	expect_found("a rd.iscsi.password=$6s3cret b", "a rd.iscsi.password=XXXXXXXX b");
	expect_found("x inst.vncpassword=\"ab\" y=1", "x inst.vncpassword=XXXX y=1");
	expect_found("systemd.set_credential=root:hunter2\n",
		     "systemd.set_credential=XXXXXXXXXXXX\n");
	expect_found("netroot=iscsi:u:p4ss@10.0.0.1::3260::iqn",
		     "netroot=XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX");
	expect_found("the password is not= x", "the password is not= x");
	expect_found("usb 1-1: SerialNumber: 4C5300012\n", "usb 1-1: SerialNumber: XXXXXXXX1\n");
	expect_found("root=PARTUUID=deadbeef-02 PARTUUID=$x",
		     "root=PARTUUID=XXXXXXXXXX1 PARTUUID=$x");
	expect_found("root=UUID=6a0e9b3c-0b8e-4f0e-9a3a-6f8f1f0e1d2c ro",
		     "root=UUID=00000000-0000-4000-8000-000000000001 ro");
	expect_found("root=/dev/disk/by-id/nvme-M_S4EVNX0M ro",
		     "root=/dev/disk/by-id/XXXXXXXXXXXXXX1 ro");
}

/* As device mapper has it (lvm(8)), and systemd.unit(5). */
TEST(a_host_name_in_other_spellings)
{
	expect_found("root=/dev/mapper/kv--web1--vg-root systemd.hostname=kv-web1\n",
		     "root=/dev/mapper/hhhhhhh2--vg-root systemd.hostname=hhhhhh1\n");
	expect_found("Hostname set to <kv-web1.a.b>.\ndev-kv\\x2dweb1\\x2dvg KV-WEB1",
		     "Hostname set to <hhhhhhhhhh1>.\ndev-hhhhhhhhh7\\x2dvg hhhhhh5");
	/* The names of what the checks look for stay, whatever a host is called. */
	expect_found("Hostname set to <intel>.\nintel_iommu=on",
		     "Hostname set to <intel>.\nintel_iommu=on");
	expect_found("Hostname set to <boot.a.b>.\n/boot/x boot.a.b",
		     "Hostname set to <hhhhhhh1>.\n/boot/x hhhhhhh1");
	expect_found("Hostname set to <>.\nx", "Hostname set to <>.\nx");
	expect_found("Hostname set to <quiet>.\nquiet quiet=1",
		     "Hostname set to <hhhh1>.\nhhhh1 quiet=1");
}

TEST(serial_numbers_in_tables_are_found)
{
	/* DSP0134 7.2: a system with a serial number, its UUID; 7.12: a string of the maker. */
	uint8_t table[] = "\x01\x1b\x01\x00\x01\x01\x00\x02"
			  "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"
			  "\x06\x00\x00"
			  "Maker\0SN-4711\0\0"
			  "\x0b\x05\x02\x00\x01"
			  "password\0";
	AUTO_REDACT_MAP struct redact_map m = { 0 };

	redact_find_dmi(&m, table, sizeof(table));
	redact_map_apply(&m, (char *)table, sizeof(table), REDACT_TEXT);
	EXPECT(memmem(table, sizeof(table), "Maker", 5) != NULL);
	EXPECT(memmem(table, sizeof(table), "4711", 4) == NULL);
	EXPECT(memmem(table, sizeof(table), "password", 8) == NULL);
	EXPECT(table[8] == 0 && table[23] == 1);
}

/* Of makers' own structures, as those with the addresses of cards, nothing is looked at. */
TEST(tables_that_no_check_reads_are_blanked)
{
	uint8_t table[] = "\xd1\x0c\x01\x00\x08\x00\x52\x54\x00\x12\x34\x56"
			  "node17\0x\0\0"
			  "\x00\x06\x02\x00\x01\x00"
			  "Maker\0";
	static const uint8_t after[] = "\xd1\x0c\x01\x00\0\0\0\0\0\0\0\0"
				       "XXXXXX\0X\0\0"
				       "\x00\x06\x02\x00\x01\x00"
				       "Maker\0";
	AUTO_REDACT_MAP struct redact_map m = { 0 };

	redact_find_dmi(&m, table, sizeof(table));
	EXPECT(memcmp(table, after, sizeof(table)) == 0);
}

TEST(the_serial_number_of_a_device_is_the_mac_it_is_made_of)
{
	static const uint8_t mac[REDACT_MAC] = { 0x52, 0x54, 0, 0x12, 0x34, 0x56 };
	static const uint8_t eui[8] = { 0x56, 0x34, 0x12, 0xff, 0xff, 0, 0x54, 0x52 };
	static const uint8_t other[8] = { 1, 0, 0, 0xff, 0xff, 0, 0, 2 };
	AUTO_REDACT_MAP struct redact_map m = { 0 };
	uint8_t space[4096] = {
		[0x100] = 0x01, [0x103] = 0x15, [0x102] = 0x01, [0x150] = 0x03, [0x152] = 0x01
	};

	memcpy(space + 0x154, eui, sizeof(eui));
	redact_map_add_mac(&m, mac);
	redact_find_config(&m, space, sizeof(space));
	EXPECT(memcmp(space + 0x154, other, sizeof(other)) == 0);
}
