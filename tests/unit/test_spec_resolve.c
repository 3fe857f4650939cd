/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pfstate_make.h"
#include "spec_text.h"
#include "tree.h"

#include <sriovctl/buf.h>
#include <sriovctl/strv.h>

#define OWN   UINT64_C(0x001b21000001)
#define OTHER UINT64_C(0x001b21000002)

/* A host with e0 and e1, what they are now, what is wanted, and what is said of it. */
struct world {
	struct tree t;
	struct pfstates is, want;
	struct strv notes;
	struct error e;
	int r;
};

static void world_new(struct world *w, size_t vfs)
{
	TREE(&w->t, { .path = "/sys/class/net/e0/address", .text = "00:1b:21:00:00:01\n" },
	     { .path = "/sys/class/net/eth9/address", .text = "52:54:00:00:00:09\n" },
	     { .path = "/sys/class/net/lo/address", .text = "00:00:00:00:00:00\n" },
	     { .path = "/sys/class/net/v0/address", .text = "52:54:00:00:00:0a\n" });
	(void)pfstate_make(&w->is, "0000:3b:00.0", "e0", OWN, vfs);
}

static void world_done(struct world *w)
{
	tree_close(&w->t);
	pfstates_done(&w->is);
	pfstates_done(&w->want);
	strv_done(&w->notes);
}
#define AUTO_WORLD CLEANUP(world_done)

static int resolve(struct world *w, const char *text)
{
	AUTO_SPEC struct spec *s = NULL;

	pfstates_done(&w->want);
	strv_done(&w->notes);
	w->e = (struct error){ 0 };
	EXPECT(spec_parse(text, strlen(text), "f", &s, &w->e) == 0);
	w->r = s ? spec_resolve(s, w->t.h, &w->is, &w->want, &w->notes, &w->e) : -EINVAL;
	return w->r;
}

static bool refuses(struct world *w, const char *text, const char *error)
{
	if (resolve(w, text) == -EINVAL && same(w->e.text, error) && w->want.n == 0)
		return true;
	printf("# %s\n# %d %s\n", text, w->r, w->e.text);
	return false;
}

/* "NAME=WORD" of each setting that is asked for, as a journal writes it. */
static void describe(const struct setting_value *set, enum setting from, enum setting to,
		     struct buf *ret)
{
	for (enum setting s = from; s < to; s++) {
		if (set[s].state == SETTING_UNSET)
			continue;
		buf_printf(ret, "%s%s: ", ret->len ? ", " : "", setting_name(s));
		setting_print(s, &set[s], ret);
	}
}

static bool vf_is(const struct world *w, size_t i, const char *text)
{
	AUTO_BUF struct buf b = { 0 };

	if (w->r < 0 || w->want.n == 0 || i >= w->want.items[0].n_vfs) {
		printf("# %d %s\n", w->r, w->e.text);
		return false;
	}
	describe(w->want.items[0].vfs[i].set, SETTING_PF_END, SETTING_END, &b);
	if (!same(buf_text(&b), text))
		printf("# %s\n", buf_text(&b));
	return same(buf_text(&b), text);
}

static bool pf_is(const struct world *w, const char *text)
{
	AUTO_BUF struct buf b = { 0 };

	if (w->r < 0 || w->want.n == 0)
		return false;
	describe(w->want.items[0].set, 0, SETTING_PF_END, &b);
	if (!same(buf_text(&b), text))
		printf("# %s\n", buf_text(&b));
	return same(buf_text(&b), text);
}

TEST(what_is_not_asked_for_is_left_alone)
{
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 2);
	EXPECT(resolve(&w, PF("\"mac\": {\"policy\": \"keep\"}")) == 0);
	EXPECT(pf_is(&w, "") && w.want.items[0].n_vfs == 2 && w.notes.n == 0);
	EXPECT(vf_is(&w, 0, "") && vf_is(&w, 1, ""));
	EXPECT(same(w.want.items[0].bdf, "0000:3b:00.0") && same(w.want.items[0].netdev, "e0"));
}

TEST(the_more_exact_entry_wins)
{
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 0);
	EXPECT(resolve(&w, PF("\"vfs\": 6, \"mtu\": 9000, \"eswitch\": \"legacy\", \"mac\": "
			      "{\"policy\": \"keep\"}, \"vf\": {\"3\": {\"vlan\": 3}, \"2-3\": "
			      "{\"vlan\": 2, \"qos\": 2}, \"1-5\": {\"vlan\": 1, \"trust\": true}, "
			      "\"*\": {\"vlan\": 100, \"trust\": false, \"vlan_proto\": "
			      "\"802.1ad\"}}")) == 0);
	EXPECT(pf_is(&w, "eswitch: legacy, mtu: 9000, vfs: 6"));
	EXPECT(vf_is(&w, 0, "vlan: 100, 802.1ad, trust: off"));
	EXPECT(vf_is(&w, 1, "vlan: 1, 802.1ad, trust: on"));
	EXPECT(vf_is(&w, 2, "vlan: 2, qos 2, 802.1ad, trust: on"));
	EXPECT(vf_is(&w, 3, "vlan: 3, qos 2, 802.1ad, trust: on"));
	EXPECT(vf_is(&w, 5, "vlan: 1, 802.1ad, trust: on"));
}

TEST(every_key_is_its_setting)
{
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 0);
	EXPECT(resolve(&w, PF("\"vfs\": 3, \"vf\": {\"0\": {\"mac\": \"02:00:00:00:00:01\", "
			      "\"vlan\": 5, \"trust\": true, \"spoofchk\": false, \"min_rate\": 1, "
			      "\"max_rate\": 10, \"link_state\": \"disable\", \"rss_query\": true, "
			      "\"mtu\": 9000, \"queues\": 4, \"driver\": \"vfio-pci\", "
			      "\"required\": [\"qos\", \"mtu\"]}, \"1\": {\"driver\": \"none\"}, "
			      "\"2\": {\"driver\": \"default\"}}")) == 0);
	EXPECT(vf_is(&w, 0,
		     "mac: 02:00:00:00:00:01, vlan: 5, spoofchk: off, trust: on, rate: at least 1, "
		     "at most 10 Mbit/s, link_state: disable, rss_query: on, queues: 4, "
		     "driver_override: vfio-pci, driver: vfio-pci, vf_mtu: 9000"));
	EXPECT(w.want.items[0].vfs[0].required ==
	       (UINT32_C(1) << SETTING_VLAN | UINT32_C(1) << SETTING_VF_MTU));
	EXPECT(vf_is(&w, 1, "driver: none"));
	EXPECT(vf_is(&w, 2, "driver_override: none, driver: default"));
}

/* Of VFs that get an interface. */
TEST(a_name_has_the_index_of_its_vf)
{
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 0);
	EXPECT(resolve(&w, PF("\"vfs\": 4, \"vf\": {\"*\": {\"name\": \"pf0v{vf}x\"}, \"1\": "
			      "{\"name\": \"uplink\"}, \"2\": {\"driver\": \"vfio-pci\"}, "
			      "\"3\": {\"driver\": \"default\"}}")) == 0);
	EXPECT(vf_is(&w, 0, "name: pf0v0x"));
	EXPECT(vf_is(&w, 1, "name: uplink"));
	EXPECT(vf_is(&w, 2, "driver_override: vfio-pci, driver: vfio-pci"));
	EXPECT(vf_is(&w, 3, "driver_override: none, driver: default, name: pf0v3x"));
	EXPECT(refuses(
		&w, PF("\"vfs\": 12, \"vf\": {\"*\": {\"name\": \"abcdefghijklmn{vf}\"}}"),
		"f:1:75: name: \"abcdefghijklmn10\", for VF 10, has more than 15 characters"));
	EXPECT(refuses(&w,
		       PF("\"vfs\": 2, \"vf\": {\"0\": {\"name\": \"p1\"}, \"*\": {\"name\": "
			  "\"p{vf}\"}}"),
		       "f:1:95: name: \"p1\", for VF 1 of 0000:3b:00.0, is that of VF 0 of "
		       "0000:3b:00.0 as well"));
}

TEST(a_name_is_nobody_elses)
{
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 2);
	EXPECT(refuses(&w, PF("\"vf\": {\"1\": {\"name\": \"eth9\"}}"),
		       "f:1:64: name: \"eth9\", for VF 1 of 0000:3b:00.0, is that of another "
		       "interface"));
	EXPECT(refuses(&w, PF("\"vf\": {\"1\": {\"name\": \"v0\"}}"),
		       "f:1:64: name: \"v0\", for VF 1 of 0000:3b:00.0, is that of another "
		       "interface"));
	/* It is that of the other VF. */
	w.is.items[0].vfs[0].netdev = strdup("v0");
	EXPECT(resolve(&w, PF("\"vf\": {\"1\": {\"name\": \"v0\"}}")) == 0);
}

TEST(a_rate_that_is_not_asked_for_stays)
{
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 2);
	w.is.items[0].vfs[0].set[SETTING_RATE] = setting_number(SETTING_RATE_OF(50, 100));
	EXPECT(resolve(&w, PF("\"vfs\": 3, \"vf\": {\"*\": {\"max_rate\": 70}}")) == 0);
	EXPECT(vf_is(&w, 0, "rate: at least 50, at most 70 Mbit/s"));
	EXPECT(vf_is(&w, 1, "rate: at most 70 Mbit/s") && vf_is(&w, 2, "rate: at most 70 Mbit/s"));
	EXPECT(resolve(&w, PF("\"vf\": {\"0\": {\"min_rate\": 70}}")) == 0);
	EXPECT(vf_is(&w, 0, "rate: at least 70, at most 100 Mbit/s"));
	EXPECT(refuses(&w, PF("\"vf\": {\"*\": {\"max_rate\": 40}}"),
		       "f:1:64: max_rate: below the min_rate that VF 0 has, which is 50"));
	EXPECT(refuses(&w, PF("\"vf\": {\"*\": {\"min_rate\": 101}}"),
		       "f:1:64: min_rate: above the max_rate of VF 0, which is 100"));
	EXPECT(resolve(&w, PF("\"vf\": {\"*\": {\"max_rate\": 0}}")) == 0);
	EXPECT(vf_is(&w, 0, "rate: at least 50 Mbit/s"));
}

TEST(max_is_what_the_function_offers)
{
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 2);
	EXPECT(resolve(&w, PF("\"vfs\": \"max\", \"mac\": {\"policy\": \"keep\"}")) == 0);
	EXPECT(pf_is(&w, "vfs: 64") && w.want.items[0].n_vfs == MAKE_TOTAL);
	EXPECT(refuses(&w, PF("\"vfs\": \"max\", \"vf\": {\"60-64\": {}}"),
		       "f:1:72: there is no VF 64: the last is 63"));
	EXPECT(refuses(&w, PF("\"vf\": {\"2\": {}}"), "f:1:58: there is no VF 2: the last is 1"));
	/* None is no answer to who wants as many as there can be: the plan says so. */
	w.is.items[0].total = 0;
	EXPECT(resolve(&w, PF("\"vfs\": \"max\"")) == 0 && pf_is(&w, "vfs: 1"));
}

/* --- addresses --------------------------------------------------------------------------- */

TEST(derived_addresses_and_explicit_ones)
{
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 0);
	EXPECT(resolve(&w, PF("\"vfs\": 3, \"mac\": {\"policy\": \"derive\"}, \"vf\": {\"1\": "
			      "{\"mac\": \"02:00:00:00:00:01\"}}")) == 0);
	EXPECT(vf_is(&w, 0, "mac: 3e:b0:00:00:00:01"));
	EXPECT(vf_is(&w, 1, "mac: 02:00:00:00:00:01"));
	EXPECT(vf_is(&w, 2, "mac: 3e:b0:02:00:00:01") && w.notes.n == 0);
	w.is.items[0].permanent_mac = 0;
	w.is.items[0].mac_error = -EOPNOTSUPP;
	EXPECT(refuses(&w, PF("\"vfs\": 3, \"mac\": {\"policy\": \"derive\"}"),
		       "f:1:69: policy: the permanent address of 0000:3b:00.0, from which those of "
		       "its VFs are derived, is not known: Operation not supported"));
	/* Where all are given there is nothing to derive. */
	EXPECT(resolve(&w, PF("\"vfs\": 1, \"mac\": {\"policy\": \"derive\"}, \"vf\": {\"0\": "
			      "{\"mac\": \"02:00:00:00:00:01\"}}")) == 0);
}

TEST(pools_keep_to_their_prefix)
{
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 0);
	EXPECT(resolve(&w, PF("\"vfs\": 2, \"mac\": {\"policy\": \"pool\", \"first\": "
			      "\"02:00:00:ff:ff:fe\"}")) == 0);
	EXPECT(vf_is(&w, 0, "mac: 02:00:00:ff:ff:fe") && vf_is(&w, 1, "mac: 02:00:00:ff:ff:ff"));
	EXPECT(refuses(&w,
		       PF("\"vfs\": 3, \"mac\": {\"policy\": \"pool\", \"first\": "
			  "\"02:00:00:ff:ff:fe\"}"),
		       "f:1:87: first: the pool ends before VF 2: no more addresses begin with the "
		       "same three bytes"));
}

TEST(no_policy_is_told_and_none_is_not)
{
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 0);
	EXPECT(resolve(&w, PF("\"vfs\": 3, \"vf\": {\"1\": {\"mac\": \"02:00:00:00:00:01\"}}")) ==
	       0);
	EXPECT(w.notes.n == 1 &&
	       same(w.notes.items[0],
		    "0000:3b:00.0: no MAC policy is given: the addresses of 2 of its 3 VFs will be "
		    "the driver's own, random at each boot or derived in its own way"));
	EXPECT(resolve(&w, PF("\"vfs\": 2, \"mac\": {\"policy\": \"none\"}")) == 0);
	EXPECT(vf_is(&w, 0, "mac: none") && w.notes.n == 0);
	EXPECT(resolve(&w, PF("\"vfs\": 0")) == 0 && w.notes.n == 0);
}

#define POOL(vfs, first) \
	PF("\"vfs\": " vfs ", \"mac\": {\"policy\": \"pool\", \"first\": \"" first "\"}")
#define GIVEN(mac) PF("\"vfs\": 4, \"vf\": {\"3\": {\"mac\": \"" mac "\"}}")

TEST(addresses_of_others_are_refused)
{
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 0);
	EXPECT(refuses(&w, POOL("4", "00:1b:21:00:00:00"),
		       "f:1:69: policy: 00:1b:21:00:00:01, for VF 1 of 0000:3b:00.0, is that of "
		       "0000:3b:00.0"));
	EXPECT(refuses(&w, GIVEN("00:1b:21:00:00:01"),
		       "f:1:74: mac: 00:1b:21:00:00:01, for VF 3 of 0000:3b:00.0, is that of "
		       "0000:3b:00.0"));
	EXPECT(refuses(
		&w, GIVEN("52:54:00:00:00:09"),
		"f:1:74: mac: 52:54:00:00:00:09, for VF 3 of 0000:3b:00.0, is that of eth9"));
	EXPECT(refuses(&w,
		       PF("\"vfs\": 4, \"vf\": {\"3\": {\"mac\": \"02:00:00:00:00:01\"}, \"1\": "
			  "{\"mac\": \"02:00:00:00:00:01\"}}"),
		       "f:1:74: mac: 02:00:00:00:00:01, for VF 3 of 0000:3b:00.0, is that of VF 1 "
		       "of 0000:3b:00.0 as well"));
	EXPECT(refuses(&w,
		       PF("\"vfs\": 4, \"mac\": {\"policy\": \"pool\", \"first\": "
			  "\"02:00:00:00:00:01\"}, \"vf\": {\"0\": {\"mac\": "
			  "\"02:00:00:00:00:04\"}}"),
		       "f:1:69: policy: 02:00:00:00:00:04, for VF 3 of 0000:3b:00.0, is that of VF "
		       "0 of 0000:3b:00.0 as well"));
	/* A loopback interface has no address. */
	EXPECT(resolve(&w, PF("\"vfs\": 4, \"mac\": {\"policy\": \"none\"}")) == 0);
}

TEST(two_functions_share_no_address)
{
	static const char text[] =
		"{\"schema\": 1, \"pfs\": [{\"match\": {\"netdev\": \"e0\"}, \"vfs\": 2, \"mac\": "
		"{\"policy\": \"derive\"}}, {\"match\": {\"netdev\": \"e1\"}, \"vfs\": 2, \"mac\": "
		"{\"policy\": \"derive\"}}]}";
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 0);
	(void)pfstate_make(&w.is, "0000:3b:00.1", "e1", OTHER, 0);
	EXPECT(resolve(&w, text) == 0);
	/* Some cards have one address for all of their functions. */
	w.is.items[1].permanent_mac = OWN;
	EXPECT(refuses(&w, text,
		       "f:1:137: policy: 3e:b0:00:00:00:01, for VF 0 of 0000:3b:00.1, is that of "
		       "VF 0 of 0000:3b:00.0 as well"));
}

TEST(an_address_that_is_there_already_is_nobody_elses)
{
	AUTO_WORLD struct world w = { 0 };
	struct pfstate_vf *vf;

	world_new(&w, 4);
	vf = &w.is.items[0].vfs[3];
	vf->set[SETTING_MAC] = setting_number(0x525400000009);
	/* eth9 is a bridge over VF 3, say. */
	EXPECT(resolve(&w, GIVEN("52:54:00:00:00:09")) == 0);
	/* v0 is VF 0, which keeps its address; then it gets another, or goes away. */
	vf = &w.is.items[0].vfs[0];
	vf->netdev = strdup("v0");
	vf->set[SETTING_MAC] = setting_number(0x52540000000a);
	EXPECT(refuses(&w, GIVEN("52:54:00:00:00:0a"),
		       "f:1:74: mac: 52:54:00:00:00:0a, for VF 3 of 0000:3b:00.0, is that of VF 0 "
		       "of 0000:3b:00.0"));
	vf->set[SETTING_MAC] = setting_number(0);
	EXPECT(refuses(&w, GIVEN("52:54:00:00:00:0a"),
		       "f:1:74: mac: 52:54:00:00:00:0a, for VF 3 of 0000:3b:00.0, is that of v0"));
	EXPECT(resolve(&w, PF("\"vfs\": 4, \"vf\": {\"3\": {\"mac\": \"52:54:00:00:00:0a\"}, "
			      "\"0\": {\"mac\": \"52:54:00:00:00:0b\"}}")) == 0);
}

/* --- what has no network interface ----------------------------------------------------------- */

TEST(other_classes_have_no_network_settings)
{
	AUTO_WORLD struct world w = { 0 };

	world_new(&w, 0);
	pfstates_done(&w.is);
	(void)pfstate_make(&w.is, "0000:01:00.0", NULL, 0, 0);
	EXPECT(resolve(&w, PF("\"vfs\": 2, \"vf\": {\"*\": {\"queues\": 2, \"driver\": "
			      "\"vfio-pci\"}}")) == 0);
	EXPECT(vf_is(&w, 1, "queues: 2, driver_override: vfio-pci, driver: vfio-pci"));
	EXPECT(w.notes.n == 0);
	EXPECT(refuses(&w, PF("\"vfs\": 2, \"vf\": {\"*\": {\"vlan\": 2}}"),
		       "f:1:74: vlan: 0000:01:00.0 has no network interface, and its VFs no such "
		       "thing"));
	EXPECT(refuses(&w, PF("\"vfs\": 2, \"mac\": {\"policy\": \"derive\"}"),
		       "f:1:69: policy: 0000:01:00.0 has no network interface, and its VFs no "
		       "addresses"));
	EXPECT(refuses(&w, PF("\"mtu\": 1500"),
		       "f:1:51: mtu: 0000:01:00.0 has no network interface"));
}

TEST(options_are_named_in_what_the_host_refuses)
{
	static const struct spec_line line = { .pf = "e0", .vfs = "2", .mac = "00:1b:21:00:00:00" };
	AUTO_WORLD struct world w = { 0 };
	AUTO_SPEC struct spec *s = NULL;

	world_new(&w, 0);
	EXPECT(spec_from_line(&line, &s, &w.e) == 0);
	EXPECT(s && spec_resolve(s, w.t.h, &w.is, &w.want, &w.notes, &w.e) == -EINVAL);
	EXPECT(same(w.e.text, "--mac: 00:1b:21:00:00:01, for VF 1 of 0000:3b:00.0, is that of "
			      "0000:3b:00.0"));
}
