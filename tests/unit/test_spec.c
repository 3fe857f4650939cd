/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/spec.h>

#include <sriovctl/buf.h>
#include <sriovctl/check.h>
#include <sriovctl/strv.h>

#include "spec_text.h"
#include "tree.h"

#include <errno.h>
#include <string.h>

#define PCI "/sys/bus/pci/devices"

static bool is_taken(const char *text)
{
	AUTO_SPEC struct spec *s = NULL;
	struct error e = { 0 };
	int r = spec_parse(text, strlen(text), "f", &s, &e);

	if (r < 0)
		printf("# %s\n# %s\n", text, e.text);
	return r == 0 && s;
}

TEST(what_is_right_is_taken)
{
	static const char *const rows[] = {
		"{\"schema\": 1, \"pfs\": []}",
		"// nothing\n{\"pfs\": [], // none\n\"schema\": 1}",
		PF("\"vfs\": 0"),
		PF("\"vfs\": 65535"),
		PF("\"vfs\": \"max\", \"mtu\": 68, \"eswitch\": \"switchdev\""),
		PF("\"mtu\": 65535, \"vf\": {}"),
		PF("\"vfs\": 4, \"vf\": {\"*\": {}, \"0-3\": {}, \"3\": {}}"),
		PF("\"mac\": {\"first\": \"02:00:00:00:00:01\", \"policy\": \"pool\"}"),
		PF("\"mac\": {\"policy\": \"derive\"}"),
		ALL("\"vlan\": 0, \"qos\": 7, \"vlan_proto\": \"802.1ad\", \"trust\": true, "
		    "\"spoofchk\": false, \"min_rate\": 10, \"max_rate\": 10, "
		    "\"link_state\": \"disable\", \"rss_query\": true, \"mtu\": 9000, "
		    "\"queues\": 65535, \"driver\": \"vfio-pci\", "
		    "\"required\": [\"qos\", \"driver\", \"qos\"]"),
		ALL("\"min_rate\": 10, \"max_rate\": 0"),
		ALL("\"vlan\": 4094, \"driver\": \"none\", \"required\": []"),
		/* A key of a wider entry serves a narrower one. */
		VF("\"*\": {\"vlan\": 5}, \"2\": {\"qos\": 1}"),
		VF("\"0-3\": {\"vlan\": 5}, \"2-9\": {\"trust\": true}, \"1-2\": {\"qos\": 1}"),
		/* Overlaps that say nothing of the same key, or of another width. */
		VF("\"0-3\": {\"vlan\": 5}, \"2-5\": {\"trust\": true}"),
		VF("\"0-3\": {\"vlan\": 5}, \"2-6\": {\"vlan\": 6}, \"2\": {\"vlan\": 7}"),
		VF("\"0-3\": {\"vlan\": 5}, \"4-7\": {\"vlan\": 6}"),
		VF("\"3\": {\"mac\": \"02:00:00:00:00:01\"}, \"4-4\": {\"mac\": "
		   "\"02:00:00:00:00:02\"}"),
		MATCHING("\"pci\": \"3b:00.0\""),
		MATCHING("\"pci\": \"10000:3b:00.0\""),
		MATCHING("\"id\": \"8086:1592\", \"numa_node\": 0, \"port\": 1"),
		MATCHING("\"slot\": \"3-1\", \"port\": 0"),
		MATCHING("\"permanent_mac\": \"00:1b:21:00:00:01\""),
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT(is_taken(rows[i]));
}

TEST(a_text_of_many_lines_has_places_too)
{
	EXPECT(is_refused(
		"{\n\t\"schema\": 1, // the only one\n\t\"pfs\": [\n\t\t{\n"
		"\t\t\t\"match\": { \"netdev\": \"e0\" },\n\t\t\t\"mtuu\": 4\n\t\t}\n\t]\n}\n",
		"f:6:4: unknown key \"mtuu\"; did you mean \"mtu\"?"));
	EXPECT(is_refused("// one\n{ \"schema\": 1,\n  \"pfs\": [ { " MATCH ",\n    \"vfs\": 4,\n"
			  "    \"vf\": { \"*\": { },\n      \"2-4\": { } } } ] }",
			  "f:6:7: there is no VF 4: the last is 3"));
}

TEST(no_nul_and_no_half_of_a_text)
{
	static const char text[] = PF("\"vfs\": 4");
	struct error e = { 0 };

	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		AUTO_SPEC struct spec *s = NULL;
		AUTO_FREE char *part = malloc(i + 1);

		EXPECT(part != NULL);
		if (!part)
			return;
		memcpy(part, text, i);
		EXPECT(spec_parse(part, i, "f", &s, &e) == -EINVAL && !s);
	}
	{
		AUTO_SPEC struct spec *s = NULL;

		EXPECT(spec_parse(text, sizeof(text), "f", &s, &e) == -EINVAL && !s);
		EXPECT(strcmp(e.text, "f:1:62: something follows the end of the value") == 0);
	}
}

/* --- one function from options ------------------------------------------------------------ */

TEST(each_mistake_of_an_option_has_its_name)
{
	static const struct {
		struct spec_line line;
		const char *error;
	} rows[] = {
		{ .line = { .vfs = "8" }, .error = "--pf: a name is expected" },
		{ .line = { .pf = "a/b" }, .error = "--pf: a name is expected" },
		{ .line = { .pf = "3b:00" },
		  .error = "--pf: an address like \"0000:3b:00.0\" is expected" },
		{ .line = { .pf = "e0", .vfs = "many" },
		  .error = "--vfs: a whole number from 0 to 65535, or \"max\", is expected" },
		{ .line = { .pf = "e0", .vfs = "65536" },
		  .error = "--vfs: a whole number from 0 to 65535, or \"max\", is expected" },
		{ .line = { .pf = "e0", .vfs = "-1" },
		  .error = "--vfs: a whole number from 0 to 65535, or \"max\", is expected" },
		{ .line = { .pf = "e0", .mac = "random" },
		  .error = "--mac: derive, keep, none or an address like \"02:00:00:00:00:01\" is "
			   "expected" },
		{ .line = { .pf = "e0", .mac = "pool" },
		  .error = "--mac: derive, keep, none or an address like \"02:00:00:00:00:01\" is "
			   "expected" },
		{ .line = { .pf = "e0", .mac = "00:00:00:00:00:00" },
		  .error = "--mac: the address is zero, which is none" },
		{ .line = { .pf = "e0", .mac = "03:00:00:00:00:00" },
		  .error = "--mac: the address is one of a group: its first byte must be even" },
		{ .line = { .pf = "e0", .driver = "a b" },
		  .error = "--driver: a driver's name (letters, digits, '-' and '_', at most 55), "
			   "\"none\" or \"default\" is expected" },
		{ .line = { .pf = "e0", .vlan = "4095" },
		  .error = "--vlan: a whole number from 0 to 4094 is expected" },
		{ .line = { .pf = "e0", .vlan = "x" },
		  .error = "--vlan: a whole number from 0 to 4094 is expected" },
		{ .line = { .pf = "e0", .vlan = "99999999999999999999" },
		  .error = "--vlan: a whole number from 0 to 4094 is expected" },
		{ .line = { .pf = "e0", .trust = "yes" },
		  .error = "--trust: on or off is expected" },
		{ .line = { .pf = "e0", .spoofchk = "1" },
		  .error = "--spoofchk: on or off is expected" },
		{ .line = { .pf = "e0", .eswitch = "off" },
		  .error = "--eswitch: one of \"legacy\", \"switchdev\" is expected" },
		{ .line = { .pf = "e0", .queues = 65536 },
		  .error = "--queues: a whole number from 1 to 65535 is expected" },
		{ .line = { .pf = "e0", .mtu = 67 },
		  .error = "--mtu: a whole number from 68 to 65535 is expected" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_SPEC struct spec *s = NULL;
		struct error e = { 0 };

		EXPECT(spec_from_line(&rows[i].line, &s, &e) == -EINVAL && !s);
		EXPECT(strcmp(e.text, rows[i].error) == 0);
		if (strcmp(e.text, rows[i].error) != 0)
			printf("# %s\n# %s\n", rows[i].error, e.text);
	}
}

TEST(options_make_the_same_spec)
{
	static const struct spec_line rows[] = {
		{ .pf = "e0" },
		{ .pf = "3b:00.0", .vfs = "max" },
		{ .pf = "0000:3b:00.0", .vfs = "8", .mac = "derive", .driver = "vfio-pci" },
		{ .pf = "00:1b:21:00:00:01", .mac = "02:00:00:00:00:01", .vlan = "100" },
		{ .pf = "e0", .trust = "on", .spoofchk = "off", .eswitch = "legacy", .queues = 4 },
		{ .pf = "e0", .mtu = 9000, .driver = "none", .mac = "none" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_SPEC struct spec *s = NULL;
		struct error e = { 0 };

		EXPECT(spec_from_line(&rows[i], &s, &e) == 0 && s && spec_count(s) == 1);
		if (e.code)
			printf("# %s\n", e.text);
	}
}

/* --- what a host is asked for it ------------------------------------------------------------ */

static bool asks(const char *text, const char *ids)
{
	AUTO_SPEC struct spec *s = NULL;
	AUTO_STRV struct strv v = { 0 };
	AUTO_BUF struct buf b = { 0 };

	if (spec_parse(text, strlen(text), "f", &s, NULL) < 0 || spec_preflight(s, &v) < 0)
		return false;
	for (size_t i = 0; i < v.n; i++) {
		EXPECT(check_find(v.items[i]));
		buf_printf(&b, "%s%s", i ? " " : "", v.items[i]);
	}
	if (strcmp(buf_text(&b), ids) != 0)
		printf("# %s\n", buf_text(&b));
	return strcmp(buf_text(&b), ids) == 0;
}

#define ALWAYS "kernel.sriov pf.sriov_capability pf.driver pf.vf_mmio pf.vf_bus pf.vf_count"

TEST(the_checks_that_have_to_pass)
{
	EXPECT(asks("{\"schema\": 1, \"pfs\": []}", ""));
	EXPECT(asks(PF("\"vfs\": 0"), ""));
	EXPECT(asks(PF("\"vfs\": 4"), ALWAYS));
	EXPECT(asks(PF("\"vfs\": 4, \"vf\": {\"*\": {\"queues\": 2}}"), ALWAYS " pf.msix"));
	EXPECT(asks(PF("\"vfs\": 4, \"vf\": {\"0\": {\"driver\": \"vfio-pci\"}}"),
		    ALWAYS " iommu.active irq.remapping vfio.available vfio.safe "
			   "pf.iommu_group"));
	EXPECT(asks(PF("\"vfs\": 4, \"vf\": {\"0\": {\"driver\": \"default\"}}"), ALWAYS));
}

TEST(what_is_wished_of_each_function)
{
	static const char text[] =
		"{\"schema\": 1, \"pfs\": [{\"match\": {\"netdev\": \"a\"}, \"vfs\": 0},"
		"{\"match\": {\"netdev\": \"b\"}, \"vfs\": \"max\"},"
		"{\"match\": {\"netdev\": \"c\"}},"
		"{\"match\": {\"netdev\": \"d\"}, \"vfs\": 7, \"vf\": {\"*\": {\"queues\": 4},"
		"\"1\": {\"queues\": 8}}}]}";
	static const struct spec_wish wishes[] = {
		{ .none = true }, { .vfs = 16 }, { 0 }, { .vfs = 7, .queues = 8 }
	};
	AUTO_SPEC struct spec *s = NULL;
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PCI "/0000:3b:00.0/sriov_totalvfs", .text = "16\n" });
	EXPECT(spec_parse(text, strlen(text), "f", &s, NULL) == 0 && s);
	EXPECT(spec_count(s) == ARRAY_SIZE(wishes));
	for (size_t i = 0; i < ARRAY_SIZE(wishes); i++) {
		struct spec_wish w = { 0 };

		EXPECT(spec_wish(s, i, t.h, "0000:3b:00.0", &w, NULL) == 0);
		EXPECT(w.none == wishes[i].none && w.vfs == wishes[i].vfs &&
		       w.queues == wishes[i].queues);
	}
}
