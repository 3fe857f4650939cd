/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <sriovctl/rivals.h>

/* A file, and what it claims: "LINE TARGET", LINE:TARGET joined by blanks. */
static const struct {
	enum rivals_form form;
	const char *text, *says;
} files[] = {
	{ .form = RIVALS_KEYFILE,
	  .text = "[connection]\ninterface-name=ens1f0\n[sriov]\ntotal-vfs=8\n",
	  .says = "4:ens1f0" },
	{ .form = RIVALS_KEYFILE,
	  .text = "[sriov]\nvf.0=mac=02::1\n[ethernet]\nmac-address=02:00:00:00:00:01\n",
	  .says = "1:02:00:00:00:00:01" },
	{ .form = RIVALS_KEYFILE,
	  .text = "[connection]\ninterface-name=ens1f0\n[ethernet]\n",
	  .says = "" },
	{ .form = RIVALS_KEYFILE, .text = "# [sriov]\n[connection]\nid=sriov\n", .says = "" },
	{ .form = RIVALS_IFCFG,
	  .text = "DEVICE=\"ens1f0\"\nSRIOV_TOTAL_VFS=4\nSRIOV_VF0=trust=true\n",
	  .says = "2:ens1f0" },
	{ .form = RIVALS_IFCFG, .text = "DEVICE=ens1f0\nONBOOT=yes\n", .says = "" },
	{ .form = RIVALS_SYSTEMD,
	  .text = "[Match]\nOriginalName=ens1f0\n\n[Link]\nSR-IOVVirtualFunctions=8\n",
	  .says = "5:ens1f0" },
	{ .form = RIVALS_SYSTEMD,
	  .text = "[Match]\nPath=pci-0000:3b:00.0\n[Link]\nName=lan0\nSR-IOVVirtualFunctions = 8\n",
	  .says = "5:0000:3b:00.0" },
	{ .form = RIVALS_SYSTEMD,
	  .text = "[Match]\nName=ens*\n[SR-IOV]\nVirtualFunction=0\nTrust=yes\n",
	  .says = "4:" },
	{ .form = RIVALS_SYSTEMD,
	  .text = "[Match]\nDriver=ice\n[Link]\nName=x\nSR-IOVVirtualFunctions=8\n",
	  .says = "5:" },
	{ .form = RIVALS_SYSTEMD,
	  .text = "[Match]\nName=ens1f0\n[Network]\nDHCP=yes\n",
	  .says = "" },
	{ .form = RIVALS_NETPLAN,
	  .text = "network:\n  ethernets:\n    ens1f0:\n      dhcp4: true\n"
		  "      virtual-function-count: 8\n    ens1f1: {virtual-function-count: 4}\n",
	  .says = "5:ens1f0 6:ens1f1" },
	{ .form = RIVALS_NETPLAN,
	  .text = "network:\n  ethernets:\n    pf:\n      match:\n        macaddress: "
		  "02:00:00:00:00:01\n"
		  "      virtual-function-count: 8\n",
	  .says = "6:02:00:00:00:00:01" },
	{ .form = RIVALS_NETPLAN,
	  .text = "network:\n  ethernets:\n    pf:\n      embedded-switch-mode: switchdev\n"
		  "      match: {driver: ice}\n",
	  .says = "4:" },
	{ .form = RIVALS_NETPLAN,
	  .text = "network:\n  ethernets:\n    ens1f0:\n      dhcp4: true\n",
	  .says = "" },
	/* VFs that are entries of their own make those of the function that they name. */
	{ .form = RIVALS_NETPLAN,
	  .text = "network:\n  ethernets:\n    pf:\n      match: {name: ens1f0}\n"
		  "    vf0:\n      link: pf\n    vf1: {link: pf}\n    vf2: {link: ens1f1}\n"
		  "  vlans:\n    v5:\n      id: 5\n      link: ens1f2\n",
	  .says = "6:ens1f0 8:ens1f1" },
	{ .form = RIVALS_NETPLAN,
	  .text = "\"network\":\n  \"ethernets\":\n    'ens1f0':\n"
		  "      \"virtual-function-count\": 8 # why\n",
	  .says = "4:ens1f0" },
	{ .form = RIVALS_NETPLAN,
	  .text = "network: {version: 2, ethernets: {a: {match: {macaddress: "
		  "'02:00:00:00:00:01'}, virtual-function-count: 4}, b: {optional: true, "
		  "\"virtual-function-count\":8}}, wifis: {w: {password: hunter2}}}\n",
	  .says = "1:02:00:00:00:00:01 1:b" },
	/* A MAC that the entry is to have is none that it is found by. */
	{ .form = RIVALS_NETPLAN,
	  .text = "network:\n  ethernets:\n    ens1f0:\n      macaddress: 02:00:00:00:00:09\n"
		  "      virtual-function-count: 8\n",
	  .says = "5:ens1f0" },
	{ .form = RIVALS_NMSTATE,
	  .text = "interfaces:\n- name: eth1\n  type: ethernet\n  ethernet:\n    sr-iov:\n"
		  "      total-vfs: 2\n      vfs:\n      - id: 0\n        name: x\n"
		  "- type: ethernet\n  ethernet: {sr-iov: {total-vfs: 3}}\n  name: eth2\n"
		  "- name: eth3\n  mtu: 9000\n",
	  .says = "6:eth1 11:eth2" },
	{ .form = RIVALS_NMSTATE,
	  .text = "interfaces:\n  - name: lan\n    identifier: mac-address\n"
		  "    mac-address: 02:00:00:00:00:01\n    ethernet:\n      sr-iov:\n"
		  "        total-vfs: 2\n",
	  .says = "7:02:00:00:00:00:01" },
	{ .form = RIVALS_SETTINGS,
	  .text = "[main]\nplugins=keyfile\n[device-a]\nmatch-device=interface-name:ens1f0\n"
		  "sriov-num-vfs=8\n[device-b]\nmatch-device=mac:02:00:00:00:00:01\n"
		  "sriov-num-vfs=0\n[device-c]\nmatch-device=driver:ice\nsriov-num-vfs=4\n"
		  "[device]\nwifi.backend=iwd\nsriov-num-vfs=-1\n",
	  .says = "5:ens1f0 8:02:00:00:00:00:01 11:" },
	{ .form = RIVALS_SETTINGS,
	  .text = "[device]\nmatch-device=interface-name:a,interface-name:b\nsriov-num-vfs=2\n",
	  .says = "3:" },
	{ .form = RIVALS_OS_NET,
	  .text = "- {device_type: pf, name: p2p1, numvfs: 10}\n- {device_type: vf, name: p2p2}\n",
	  .says = "1:p2p1" },
	{ .form = RIVALS_WRITER,
	  .text = "bootcmd:\n- [sh, -c, \"echo 8 > /sys/class/net/ens1f0/device/sriov_numvfs\"]\n",
	  .says = "2:ens1f0" },
	{ .form = RIVALS_WRITER,
	  .text = "{ echo 8 > /sys/class/net/ens1f0/device/sriov_numvfs; }\n",
	  .says = "1:ens1f0" },
	{ .form = RIVALS_OS_NET,
	  .text = "- device_type: pf\n  link_mode: legacy\n  name: p2p1\n  numvfs: 10\n"
		  "- device:\n    name: p2p1\n    vfid: 1\n  device_type: vf\n  name: p2p1_1\n"
		  "- device_type: pf\n  numvfs: 5\n  name: p2p2\n",
	  .says = "4:p2p1 11:p2p2" },
	{ .form = RIVALS_OPERATOR,
	  .text = "spec:\n  interfaces:\n  - pciaddress: \"0000:3b:00.0\"\n    numvfs: 4\n",
	  .says = "3:0000:3b:00.0" },
	{ .form = RIVALS_LIBVIRT,
	  .text = "<network>\n  <forward mode='hostdev' managed='yes'>\n    <pf dev='ens1f0'/>\n",
	  .says = "3:ens1f0" },
	{ .form = RIVALS_LIBVIRT, .text = "<network>\n  <forward mode='nat'/>\n", .says = "" },
	{ .form = RIVALS_WRITER,
	  .text = "#!/bin/sh\necho 8 > /sys/class/net/ens1f0/device/sriov_numvfs\n",
	  .says = "2:ens1f0" },
	{ .form = RIVALS_WRITER,
	  .text = "echo 8 >/sys/bus/pci/devices/0000\\:3b\\:00.0/sriov_numvfs",
	  .says = "1:0000:3b:00.0" },
	{ .form = RIVALS_WRITER,
	  .text = "echo 8 | sudo tee -a /sys/class/net/$DEV/device/sriov_numvfs",
	  .says = "1:" },
	{ .form = RIVALS_WRITER,
	  .text = "  pre-up echo 4 >> /sys/class/net/$IFACE/device/sriov_numvfs || true",
	  .says = "1:" },
	{ .form = RIVALS_WRITER,
	  .text = "[ $(cat /sys/x/sriov_numvfs) -gt 0 ] || echo 2 > "
		  "/sys/class/net/a/device/sriov_numvfs",
	  .says = "1:a" },
	{ .form = RIVALS_WRITER,
	  .text = "ACTION==\"add\", SUBSYSTEM==\"net\", KERNEL==\"ens1f0\", "
		  "ATTR{device/sriov_numvfs}=\"8\"",
	  .says = "1:ens1f0" },
	{ .form = RIVALS_WRITER,
	  .text = "KERNELS==\"0000:3b:00.0\", ATTR{device/sriov_numvfs}==\"0\", "
		  "ATTR{device/sriov_numvfs}=\"8\"",
	  .says = "1:0000:3b:00.0" },
	{ .form = RIVALS_WRITER,
	  .text = "class/net/ens1f0/device/sriov_numvfs = 8",
	  .says = "1:ens1f0" },
	{ .form = RIVALS_WRITER,
	  .text = "w /sys/class/net/ens1f0/device/sriov_numvfs - - - - 8",
	  .says = "1:ens1f0" },
	{ .form = RIVALS_WRITER,
	  .text = "ExecStart=/bin/sh -c 'echo 8 > /sys/class/net/ens1f0/device/sriov_numvfs'",
	  .says = "1:ens1f0" },
	/* What only reads, or is a comment, or a variable of that name. */
	{ .form = RIVALS_WRITER,
	  .text = "cat /sys/class/net/ens1f0/device/sriov_numvfs > /tmp/x",
	  .says = "" },
	{ .form = RIVALS_WRITER,
	  .text = "cat /sys/class/net/ens1f0/device/sriov_numvfs 2>/dev/null",
	  .says = "" },
	{ .form = RIVALS_WRITER,
	  .text = "cat 2>/dev/null /sys/class/net/ens1f0/device/sriov_numvfs",
	  .says = "" },
	{ .form = RIVALS_WRITER,
	  .text = "# echo 8 > /sys/class/net/ens1f0/device/sriov_numvfs",
	  .says = "" },
	{ .form = RIVALS_WRITER,
	  .text = "ATTR{device/sriov_numvfs}==\"0\", RUN+=\"/bin/true\"",
	  .says = "" },
	{ .form = RIVALS_WRITER, .text = "sriov_numvfs=8", .says = "" },
	{ .form = RIVALS_WRITER,
	  .text = "z /sys/class/net/ens1f0/device/sriov_numvfs 0644 root",
	  .says = "" },
};

static void say(const struct rivals *c, struct buf *ret)
{
	for (size_t i = 0; i < c->n; i++)
		buf_printf(ret, "%s%u:%s", i ? " " : "", c->items[i].line, c->items[i].target);
}

TEST(each_form_says_what_it_claims)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		AUTO_RIVALS struct rivals c = { 0 };
		AUTO_BUF struct buf says = { 0 };

		EXPECT(rivals_parse(files[i].form, "x", "/f", files[i].text, &c) == 0);
		say(&c, &says);
		EXPECT(same(buf_text(&says), files[i].says));
		if (!same(buf_text(&says), files[i].says))
			printf("# %zu: \"%s\", not \"%s\"\n", i, buf_text(&says), files[i].says);
	}
}

/* What is kept says the same, and keeping it once more takes nothing away. */
TEST(the_sieve_keeps_what_is_asked)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		AUTO_RIVALS struct rivals c = { 0 };
		AUTO_BUF struct buf kept = { 0 }, again = { 0 }, says = { 0 };

		rivals_sieve(files[i].text, strlen(files[i].text), &kept);
		rivals_sieve(buf_text(&kept), kept.len, &again);
		EXPECT(same(buf_text(&kept), buf_text(&again)));
		EXPECT(rivals_parse(files[i].form, "x", "/f", buf_text(&kept), &c) == 0);
		say(&c, &says);
		EXPECT(same(buf_text(&says), files[i].says));
	}
}

/* Wherever people put their passwords, and where a parser of these files could see them. */
TEST(the_sieve_keeps_no_secret)
{
	static const char *const texts[] = {
		"[wifi-security]\npsk=hunter2\n[802-1x]\npassword=hunter2\n",
		("network:\n  wifis:\n    wl0:\n      access-points:\n        home:\n"
		 "          password: \"hunter2\"\n        other: {password: hunter2}\n"),
		"WPA_PSK=hunter2\nKEY=hunter2\nDEVICE=a\n",
		"iface wlan0 inet dhcp\n  wpa-psk hunter2\n",
		"curl -u me:hunter2 https://example.org\nexport TOKEN=hunter2\n",
		"# hunter2 sriov_numvfs\n; password: hunter2\n",
		"auth:\n  password:\n    hunter2\n",
		"Environment=PASSWORD=hunter2\n",
		"ExecStart=/usr/local/bin/a --password hunter2 /usr/local/bin/b\n",
		"ACTION==\"add\", RUN+=\"/usr/local/bin/a hunter2\"\n",
		"network: {wifis: {w: {password: hunter2}}, ethernets: {a: "
		"{virtual-function-count: 8}}}\n",
		"- {name: a, psk: 'hunter2, x'}\n",
		"- {name: a, hunter2, b: [hunter2]}\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_BUF struct buf kept = { 0 };

		rivals_sieve(texts[i], strlen(texts[i]), &kept);
		EXPECT(!strstr(buf_text(&kept), "hunter2"));
		if (strstr(buf_text(&kept), "hunter2"))
			printf("# %s\n", buf_text(&kept));
	}
}

TEST(the_sieve_is_for_the_files_that_are_read)
{
	EXPECT(rivals_is_sieved("/etc/NetworkManager/system-connections/x.nmconnection"));
	EXPECT(rivals_is_sieved("/etc/netplan/50-cloud-init.yaml"));
	EXPECT(rivals_is_sieved("/etc/rc.local"));
	EXPECT(rivals_is_sieved("/usr/local/bin/vfs.sh"));
	EXPECT(rivals_is_sieved("/var/lib/cloud/instance/cloud-config.txt"));
	EXPECT(!rivals_is_sieved("/usr/local/lib/modprobe.d/x.conf"));
	EXPECT(!rivals_is_sieved("/usr/lib/os-release"));
	EXPECT(!rivals_is_sieved("/etc/rc.locale"));
	EXPECT(!rivals_is_sieved("/etc/os-release"));
	EXPECT(!rivals_is_sieved("/proc/cmdline"));
}

static const struct rivals *get(const struct tree *t)
{
	const struct rivals *c = NULL;

	return rivals_get(t->h, &c, NULL) == 0 ? c : NULL;
}

#define LINK8 "[Match]\nOriginalName=a\n[Link]\nSR-IOVVirtualFunctions=8\n"

/* Of two files of one name only that of the administrator is read. */
TEST(a_file_of_the_same_name_hides_another)
{
	AUTO_TREE struct tree t = { 0 };
	const struct rivals *c;

	TREE(&t, { .path = "/usr/lib/systemd/network/10-a.link", .text = LINK8 },
	     { .path = "/etc/systemd/network/10-a.link", .text = "[Match]\nOriginalName=a\n" },
	     { .path = "/usr/lib/systemd/network/20-b.link", .text = LINK8 },
	     { .path = "/etc/systemd/network/20-b.link", .link = "/dev/null" },
	     { .path = "/usr/lib/systemd/network/30-c.link", .text = LINK8 });
	c = get(&t);
	EXPECT(c && c->n == 1 && same(c->items[0].path, "/usr/lib/systemd/network/30-c.link"));
}

/* Most places of a plain tree were not copied, which is no proof that nothing is there. */
TEST(what_was_not_copied_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	const struct rivals *c;

	TREE(&t, { .path = "/etc/os-release", .text = "ID=debian\n" });
	c = get(&t);
	EXPECT(c && c->n == 0 && c->error < 0 && c->blind);
}

#define MATCH	"[Match]\nOriginalName=a\n"
#define DROP_IN "[Link]\nSR-IOVVirtualFunctions=8\n"

/* What is matched stands in the file, and what is made of it in what adds to it. */
TEST(a_drop_in_is_of_what_its_file_matches)
{
	AUTO_TREE struct tree t = { 0 };
	const struct rivals *c;

	TREE(&t, { .path = "/usr/lib/systemd/network/10-a.link", .text = MATCH },
	     { .path = "/etc/systemd/network/10-a.link.d/vfs.conf", .text = DROP_IN },
	     { .path = "/etc/systemd/network/10-a.link.d/readme", .text = DROP_IN },
	     /* Of a file that is not there nothing is added to. */
	     { .path = "/etc/systemd/network/20-b.link.d/vfs.conf", .text = DROP_IN });
	c = get(&t);
	EXPECT(c && c->n == 1 && same(c->items[0].target, "a") && c->items[0].line == 2);
	EXPECT(c && c->n == 1 &&
	       same(c->items[0].path, "/etc/systemd/network/10-a.link.d/vfs.conf"));
}

/* netplan merges its files by the names of entries. */
TEST(files_of_netplan_are_one)
{
	AUTO_TREE struct tree t = { 0 };
	const struct rivals *c;

	TREE(&t,
	     { .path = "/etc/netplan/10-a.yaml",
	       .text = "network:\n  ethernets:\n    lan:\n      virtual-function-count: 8\n" },
	     { .path = "/lib/netplan/90-b.yaml",
	       .text = "network:\n  ethernets:\n    lan:\n      match:\n        name: ens1f0" });
	c = get(&t);
	EXPECT(c && c->n == 1 && same(c->items[0].target, "ens1f0"));
	EXPECT(c && c->n == 1 && same(c->items[0].path, "/etc/netplan/10-a.yaml") &&
	       c->items[0].line == 4);
}

#define ECHO(to) "echo 8 > /sys/class/net/" to "/device/sriov_numvfs\n"

/* Of what a distribution ships only what is enabled; and the scripts that are called. */
TEST(units_that_are_wanted_and_scripts_that_are_called_count)
{
	AUTO_TREE struct tree t = { 0 };
	const struct rivals *c;
	AUTO_BUF struct buf says = { 0 };

	TREE(&t,
	     { .path = "/usr/lib/systemd/system/a@.service",
	       .text = "[Service]\nExecStart=/bin/sh -c '" ECHO("a") "'\n" },
	     { .path = "/usr/lib/systemd/system/b.service",
	       .text = "[Service]\nExecStart=/bin/sh -c '" ECHO("b") "'\n" },
	     { .path = "/etc/systemd/system/multi-user.target.wants/a@1.service", .link = "x" },
	     { .path = "/etc/systemd/system/c.service",
	       .text = "[Service]\nExecStartPre=-/opt/vfs/make.sh --all\n" },
	     { .path = "/opt/vfs/make.sh", .text = "#!/bin/sh\n" ECHO("c") },
	     { .path = "/etc/systemd/system/d.service.d/x.conf",
	       .text = "[Service]\nExecStartPre=/bin/sh -c '" ECHO("d") "'\n" },
	     { .path = "/etc/udev/rules.d/70-e.rules",
	       .text = "SUBSYSTEM==\"net\", RUN+=\"/usr/local/bin/e.sh %k\"\n" },
	     { .path = "/usr/local/bin/e.sh", .text = ECHO("$1") });
	c = get(&t);
	say(c, &says);
	EXPECT(same(buf_text(&says), "2:a 2:d 1: 2:c"));
	EXPECT(c && c->n == 4 && !c->items[0].is_called && c->items[3].is_called &&
	       same(c->items[3].path, "/opt/vfs/make.sh"));
}

/* udev looks in its own folder, which is below / where /usr was not merged. */
TEST(what_is_called_in_other_ways_counts)
{
	AUTO_TREE struct tree t = { 0 };
	const struct rivals *c;
	AUTO_BUF struct buf says = { 0 };

	TREE(&t,
	     { .path = "/etc/rc.local",
	       .text = "#!/bin/sh\n/usr/local/sbin/a 8 && . /etc/vfs/b.sh\nexit 0\n" },
	     { .path = "/usr/local/sbin/a", .text = "exec \"/opt/c\" --all\n" },
	     { .path = "/etc/vfs/b.sh", .text = ECHO("b") },
	     { .path = "/opt/c", .text = ECHO("c") "/opt/c # itself\n" },
	     { .path = "/etc/network/interfaces",
	       .text = "iface a inet dhcp\n  pre-up /usr/local/bin/d\n" },
	     { .path = "/usr/local/bin/d", .text = ECHO("d") },
	     { .path = "/etc/cron.d/vfs", .text = "@reboot root /srv/e 8\n" },
	     { .path = "/srv/e", .text = ECHO("e") },
	     { .path = "/etc/cloud/cloud.cfg.d/vfs.cfg",
	       .text = "runcmd:\n  - /opt/f 8\n  - [ sh, /opt/g ]\n" },
	     { .path = "/opt/f", .text = ECHO("f") }, { .path = "/opt/g", .text = ECHO("g") },
	     { .path = "/etc/udev/rules.d/70-h.rules",
	       .text = "ACTION==\"add\", RUN+=\"h %k\", ENV{SYSTEMD_WANTS}+=\"i@%k.service\"\n"
		       "RUN{builtin}+=\"kmod load\", ENV{SYSTEMD_WANTS}==\"k.service\"\n" },
	     { .path = "/lib/udev/h", .text = ECHO("h") },
	     { .path = "/lib/udev/kmod", .text = ECHO("kmod") },
	     { .path = "/usr/lib/udev/rules.d/80-x.rules", .text = "RUN+=\"other\"\n" },
	     { .path = "/usr/lib/udev/other", .text = "\n" },
	     { .path = "/usr/lib/systemd/system/i@.service",
	       .text = "[Service]\nExecStart=/bin/sh -c '" ECHO("i") "'\n" },
	     { .path = "/usr/lib/systemd/system/k.service",
	       .text = "[Service]\nExecStart=/bin/sh -c '" ECHO("k") "'\n" });
	c = get(&t);
	say(c, &says);
	EXPECT(same(buf_text(&says), "2:i 1:d 1:b 1:h 1:f 1:g 1:e 1:c"));
	if (!same(buf_text(&says), "2:i 1:d 1:b 1:h 1:f 1:g 1:e 1:c"))
		printf("# %s\n", buf_text(&says));
}

/* A path that stands for something else is no call, and none of what it is told with is kept. */
TEST(what_names_a_file_calls_nothing)
{
	static const char *const texts[] = {
		"ca-cert=/home/me/hunter2\n",
		"psk=/opt/hunter2\n",
		"cp x /opt/hunter2\n",
		"  password: /root/hunter2\n",
		"# /opt/hunter2\n",
		"ls -l /bin/hunter2\n",
		"/bin/hunter2\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_BUF struct buf kept = { 0 };

		rivals_sieve(texts[i], strlen(texts[i]), &kept);
		EXPECT(!strstr(buf_text(&kept), "hunter2"));
	}
}

/* A script that was not copied may be one that makes VFs. */
TEST(a_script_that_is_not_known_is_no_absence)
{
	AUTO_TREE struct tree t = { 0 };
	const struct rivals *c;

	TREE(&t, { .path = "/etc/systemd/system/c.service",
		   .text = "[Service]\nExecStart=/opt/vfs/make.sh\n" });
	c = get(&t);
	EXPECT(c && c->error < 0);
}

TEST(the_operator_names_functions_by_files)
{
	AUTO_TREE struct tree t = { 0 };
	const struct rivals *c;

	TREE(&t, { .path = "/etc/sriov-operator/pci/0000:3b:00.0", .text = "{}" });
	c = get(&t);
	EXPECT(c && c->n == 1 && same(c->items[0].target, "0000:3b:00.0"));
	EXPECT(c && c->n == 1 && c->items[0].line == 0);
}
