/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pci_space.h"

#include <sriovctl/finding.h>
#include <sriovctl/pcidev.h>

#define PORT  "pci0000:00/0000:00:01.0"
#define NIC   PORT "/0000:01:00.0"
#define NIC1  PORT "/0000:01:00.1"
#define OTHER PORT "/0000:01:01.0"
#define VF    PORT "/0000:01:10.0"
#define BDF   "0000:01:00.0"

struct answer {
	enum verdict verdict;
	struct finding finding;
};

static void answer_done(struct answer *a)
{
	finding_done(&a->finding);
}
#define AUTO_ANSWER CLEANUP(answer_done)

static struct answer ask(const struct tree *t, const char *id)
{
	const struct check *c = check_find(id);
	const struct pcidevs *v = NULL;
	struct answer a = { .verdict = VERDICT_MAX };

	EXPECT(c && pcidevs_get(t->h, &v, NULL) == 0);
	if (c && v) {
		const struct check_input in = { .host = t->h, .pf = pcidevs_find(v, BDF) };

		EXPECT(in.pf);
		if (in.pf)
			a.verdict = c->run(&in, &a.finding);
	}
	EXPECT(a.finding.error == 0 && a.finding.summary);
	/* What is not answered says what would answer it. */
	EXPECT(a.verdict != VERDICT_UNKNOWN || a.finding.remedy.n > 0);
	return a;
}

static bool says(const struct answer *a, const char *text)
{
	bool found = a->finding.summary && strstr(a->finding.summary, text);

	if (!found)
		printf("# \"%s\" without \"%s\"\n", a->finding.summary, text);
	return found;
}

/* A port, and a NIC below it that offers VFs; each in a group of its own. */
static void plant(struct tree *t, bool acs, const char *port_group, const char *nic_group)
{
	struct space port = space_bridge(4, 0, 1, 1), nic = space_express(0, 0x15b3, 0x101d);

	if (acs)
		space_add_acs(&port, 0x1f, 0x1d);
	tree_new(t);
	tree_put(t, "/proc/cmdline", "quiet");
	tree_put_dir(t, "/sys/kernel/iommu_groups");
	tree_put_function(t, PORT, &port);
	tree_put_function(t, NIC, &nic);
	tree_put_attr(t, NIC, "sriov_totalvfs", "8");
	if (port_group)
		tree_put_group(t, PORT, port_group);
	if (nic_group)
		tree_put_group(t, NIC, nic_group);
}

TEST(apart)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ANSWER struct answer acs = { 0 }, group = { 0 };

	plant(&t, true, "1", "2");
	acs = ask(&t, "pf.acs");
	EXPECT(acs.verdict == VERDICT_PASS && says(&acs, "the only port up to the root isolates"));
	group = ask(&t, "pf.iommu_group");
	EXPECT(group.verdict == VERDICT_PASS && says(&group, "alone in its group"));
}

TEST(a_port_without_acs)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ANSWER struct answer acs = { 0 }, group = { 0 };

	plant(&t, false, "1", "1");
	acs = ask(&t, "pf.acs");
	EXPECT(acs.verdict == VERDICT_FAIL &&
	       says(&acs, "port 0000:00:01.0 does not isolate: no ACS "
			  "capability"));
	EXPECT(acs.finding.actor == ACTOR_HARDWARE);
	group = ask(&t, "pf.iommu_group");
	EXPECT(group.verdict == VERDICT_FAIL && says(&group, "VFs would be in") &&
	       says(&group, "0000:00:01.0, no ACS"));
}

TEST(bits_off)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ANSWER struct answer acs = { 0 };
	struct space port = space_bridge(4, 0, 1, 1);

	plant(&t, true, "1", "1");
	space_add_acs(&port, 0x1f, 0x01);
	tree_put_bytes(&t, "/sys/devices/" PORT "/config", port.data, port.len);
	acs = ask(&t, "pf.acs");
	EXPECT(acs.verdict == VERDICT_FAIL && says(&acs, "are off: RR CR UF"));
	EXPECT(acs.finding.actor == ACTOR_FIRMWARE);
}

static bool advises(const struct answer *a, const char *text)
{
	for (size_t i = 0; i < a->finding.remedy.n; i++)
		if (strstr(a->finding.remedy.items[i], text))
			return true;
	return false;
}

TEST(bits_off_that_the_kernel_asked_for_too_late)
{
	static const struct {
		const char *version, *remedy;
		enum actor actor;
	} kernels[] = {
		{ .version = "Linux version 6.12.9-arm64 (x)",
		  .remedy = "pci=config_acs=xx111x1@0000:00:01.0",
		  .actor = ACTOR_CMDLINE },
		{ .version = "Linux version 6.1.0-18-arm64 (x)",
		  .remedy = "/sys/bus/pci/rescan",
		  .actor = ACTOR_OS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_ANSWER struct answer acs = { 0 };
		struct space port = space_bridge(4, 0, 1, 1);

		plant(&t, true, "1", "1");
		tree_put(&t, "/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\n");
		tree_put(&t, "/proc/version", kernels[i].version);
		space_add_acs(&port, 0x1f, 0);
		tree_put_bytes(&t, "/sys/devices/" PORT "/config", port.data, port.len);
		acs = ask(&t, "pf.acs");
		EXPECT(acs.verdict == VERDICT_FAIL && acs.finding.actor == kernels[i].actor);
		EXPECT(advises(&acs, kernels[i].remedy));
	}
}

TEST(no_groups_yet)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ANSWER struct answer acs = { 0 }, group = { 0 };
	struct space port = space_bridge(4, 0, 1, 1);

	plant(&t, true, NULL, NULL);
	space_add_acs(&port, 0x1f, 0);
	tree_put_bytes(&t, "/sys/devices/" PORT "/config", port.data, port.len);
	acs = ask(&t, "pf.acs");
	EXPECT(acs.verdict == VERDICT_PASS && says(&acs, "will once"));
	group = ask(&t, "pf.iommu_group");
	EXPECT(group.verdict == VERDICT_NA);
}

TEST(an_ordinary_user)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ANSWER struct answer acs = { 0 }, group = { 0 };
	struct space port = space_bridge(4, 0, 1, 1);

	plant(&t, true, "1", "2");
	tree_put_bytes(&t, "/sys/devices/" PORT "/config", port.data, 64);
	acs = ask(&t, "pf.acs");
	EXPECT(acs.verdict == VERDICT_UNKNOWN && says(&acs, "not known"));
	EXPECT(acs.finding.remedy.n == 1 && strstr(acs.finding.remedy.items[0], "as root"));
	group = ask(&t, "pf.iommu_group");
	EXPECT(group.verdict == VERDICT_PASS);
}

TEST(strangers)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ANSWER struct answer group = { 0 };

	plant(&t, true, "1", "2");
	tree_put_function(&t, OTHER, NULL);
	tree_put_group(&t, OTHER, "2");
	group = ask(&t, "pf.iommu_group");
	EXPECT(group.verdict == VERDICT_FAIL && says(&group, "also holds 0000:01:01.0"));
}

TEST(one_card_in_one_group)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ANSWER struct answer group = { 0 };

	plant(&t, true, "1", "2");
	tree_put_function(&t, NIC1, NULL);
	tree_put_group(&t, NIC1, "2");
	group = ask(&t, "pf.iommu_group");
	EXPECT(group.verdict == VERDICT_PASS && says(&group, "of its own slot only"));
}

static void put_vf(const struct tree *t, const char *group)
{
	tree_put_function(t, VF, NULL);
	tree_put_attr_link(t, VF, "physfn", "../0000:01:00.0");
	tree_put_attr_link(t, NIC, "virtfn0", "../0000:01:10.0");
	tree_put_group(t, VF, group);
}

TEST(vfs_that_are)
{
	AUTO_TREE struct tree own = { 0 }, shared = { 0 }, inside = { 0 };
	AUTO_ANSWER struct answer a = { 0 }, b = { 0 }, c = { 0 };

	plant(&own, true, "1", "2");
	put_vf(&own, "3");
	a = ask(&own, "pf.iommu_group");
	EXPECT(a.verdict == VERDICT_PASS);
	plant(&shared, true, "1", "2");
	put_vf(&shared, "3");
	tree_put_function(&shared, OTHER, NULL);
	tree_put_group(&shared, OTHER, "3");
	b = ask(&shared, "pf.iommu_group");
	EXPECT(b.verdict == VERDICT_FAIL && says(&b, "VF 0000:01:10.0 shares group 3"));
	plant(&inside, false, "1", "1");
	put_vf(&inside, "1");
	c = ask(&inside, "pf.iommu_group");
	EXPECT(c.verdict == VERDICT_FAIL && says(&c, "VFs are in"));
}

TEST(a_vf_of_the_next_function)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ANSWER struct answer group = { 0 };

	plant(&t, true, "1", "2");
	tree_put_function(&t, NIC1, NULL);
	tree_put_function(&t, VF, NULL);
	tree_put_attr_link(&t, VF, "physfn", "../0000:01:00.1");
	tree_put_group(&t, NIC1, "2");
	tree_put_group(&t, VF, "2");
	group = ask(&t, "pf.iommu_group");
	EXPECT(group.verdict == VERDICT_FAIL &&
	       says(&group, "VFs are in the function's own group"));
}

TEST(half_a_capture)
{
	AUTO_TREE struct tree t = { 0 }, lost = { 0 };
	AUTO_ANSWER struct answer a = { 0 }, b = { 0 };

	plant(&t, true, "1", NULL);
	tree_put_attr_link(&t, NIC, "iommu_group", "/sys/kernel/iommu_groups/2");
	a = ask(&t, "pf.iommu_group");
	EXPECT(a.verdict == VERDICT_UNKNOWN && says(&a, "who else is in group 2"));
	plant(&lost, true, "1", NULL);
	b = ask(&lost, "pf.iommu_group");
	EXPECT(b.verdict == VERDICT_UNKNOWN);
}

/* --- the link and the node --------------------------------------------------------------- */

static struct answer ask_link(uint32_t own_max, uint32_t port_max, uint16_t now, const char *id)
{
	AUTO_TREE struct tree t = { 0 };
	struct space port = space_bridge(4, 0, 1, 1), nic = space_express(0, 0x15b3, 0x101d);

	space_add_link(&port, port_max, now);
	space_add_link(&nic, own_max, now);
	tree_new(&t);
	tree_put_function(&t, PORT, &port);
	tree_put_function(&t, NIC, &nic);
	return ask(&t, id);
}

TEST(links)
{
	AUTO_ANSWER struct answer best = { 0 }, slot = { 0 }, slow = { 0 }, narrow = { 0 };
	AUTO_ANSWER struct answer saving = { 0 };

	best = ask_link(0x104, 0x104, 0x104, "pf.link_speed");
	EXPECT(best.verdict == VERDICT_PASS && says(&best, "16 GT/s"));
	slot = ask_link(0x104, 0x083, 0x083, "pf.link_width");
	EXPECT(slot.verdict == VERDICT_PASS && says(&slot, "x8, all that port 0000:00:01.0 can"));
	slow = ask_link(0x104, 0x105, 0x103, "pf.link_speed");
	EXPECT(slow.verdict == VERDICT_FAIL &&
	       says(&slow,
		    "8 GT/s, though the function can 16 GT/s and port 0000:00:01.0 32 GT/s"));
	narrow = ask_link(0x104, 0x104, 0x084, "pf.link_width");
	EXPECT(narrow.verdict == VERDICT_FAIL && says(&narrow, "x8, though the function can x16"));
	saving = ask_link(0x104, 0x104, 0x8101, "pf.link_speed");
	EXPECT(saving.verdict == VERDICT_UNKNOWN && says(&saving, "by itself"));
}

static enum verdict ask_node(const char *node, const char *first, const char *second)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ANSWER struct answer a = { 0 };

	tree_new(&t);
	tree_put_function(&t, NIC, NULL);
	if (node)
		tree_put_attr(&t, NIC, "numa_node", node);
	if (first)
		tree_put_dir(&t, first);
	if (second)
		tree_put_dir(&t, second);
	a = ask(&t, "pf.numa");
	return a.verdict;
}

TEST(nodes)
{
	const char *one = "/sys/devices/system/node/node0", *two = "/sys/devices/system/node/node1";

	EXPECT(ask_node("1", NULL, NULL) == VERDICT_PASS);
	EXPECT(ask_node("-1", one, two) == VERDICT_FAIL);
	EXPECT(ask_node("-1", one, NULL) == VERDICT_NA);
	EXPECT(ask_node("-1", NULL, NULL) == VERDICT_UNKNOWN);
	EXPECT(ask_node(NULL, one, two) == VERDICT_UNKNOWN);
}
