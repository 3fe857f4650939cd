/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "netlink.h"
#include "tree.h"

#include "../../checks/host/links_ask.h"

#include <sriovctl/error.h>
#include <sriovctl/links.h>

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

static void put_plain(struct buf *b, int index, const char *name)
{
	finish_link(b, start_link(b, index, name));
}

TEST(a_pf_and_its_vfs)
{
	AUTO_BUF struct buf b = { 0 }, text = { 0 };
	AUTO_LINKS struct links l = { 0 };
	const struct links_item *pf;
	const struct links_vf *vf;

	put_plain(&b, 1, "lo");
	put_pf(&b, 2, 4, 3);
	EXPECT(links_parse(b.data, b.len, &l, NULL) == 0);
	EXPECT(l.n == 2 && links_find(&l, "ens1f1") == NULL);
	EXPECT(links_find(&l, "lo")->count_error == -ENODATA);
	EXPECT(links_find(&l, "lo")->vfs_error == -ENODATA && !links_find(&l, "lo")->device);
	pf = links_find(&l, "ens1f0");
	EXPECT(pf && pf->index == 2);
	EXPECT(strcmp(pf->device, "0000:3b:00.0") == 0);
	EXPECT(pf->count_error == 0 && pf->count == 4 && pf->vfs_error == 0 && pf->n_vfs == 3);
	vf = links_find_vf(pf, 2);
	EXPECT(vf && vf->vlan_error == 0 && vf->vlan == 100 && vf->qos == 3);
	EXPECT(vf->spoofchk_error == 0 && vf->spoofchk && vf->trust_error == 0 && !vf->trust);
	EXPECT(vf->state_error == 0 && vf->state == LINKS_VF_DISABLE);
	links_address_text(&vf->mac, &text);
	EXPECT(strcmp(buf_text(&text), "02:00:00:00:00:02") == 0);
	EXPECT(links_find_vf(pf, 0)->vlan == 0);
	/* The driver did not answer for the last. */
	EXPECT(links_find_vf(pf, 3) == NULL);
}

TEST(more_of_a_vf)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_LINKS struct links l = { 0 };
	const struct links_vf *vf;

	put_pf(&b, 2, 2, 2);
	EXPECT(links_parse(b.data, b.len, &l, NULL) == 0 && l.n == 1 && l.items[0].n_vfs == 2);
	vf = links_find_vf(&l.items[0], 1);
	EXPECT(vf && vf->protocol == 0x88a8);
	EXPECT(vf->rate_error == 0 && vf->min_rate == 10 && vf->max_rate == 1000);
	EXPECT(vf->rss_query_error == -EOPNOTSUPP);
}

TEST(more_of_a_link)
{
	static const uint8_t mac[6] = { 2, 0, 0, 0, 0, 9 }, on = 1, attached = XDP_ATTACHED_SKB;
	AUTO_BUF struct buf b = { 0 };
	AUTO_LINKS struct links l = { 0 };
	const struct links_item *item;
	size_t at = start_link(&b, 5, "eth0.7"), nest;

	put(&b, IFLA_PERM_ADDRESS, mac, sizeof(mac));
	put_u32(&b, IFLA_MTU, 1496);
	put_u32(&b, IFLA_MASTER, 7);
	put_u32(&b, IFLA_LINK, 3);
	put_u32(&b, IFLA_LINK_NETNSID, 0);
	put(&b, IFLA_CARRIER, &on, 1);
	nest = start(&b, IFLA_LINKINFO);
	put(&b, IFLA_INFO_KIND, "vlan", 5);
	finish(&b, nest);
	nest = start(&b, IFLA_XDP);
	put(&b, IFLA_XDP_ATTACHED, &attached, 1);
	finish(&b, nest);
	nest = start(&b, IFLA_PROP_LIST | NLA_F_NESTED);
	put(&b, IFLA_ALT_IFNAME, "uplink", 7);
	put(&b, IFLA_ALT_IFNAME, "enp1s0.7", 9);
	finish(&b, nest);
	finish_link(&b, at);
	put_plain(&b, 6, "lo");
	EXPECT(links_parse(b.data, b.len, &l, NULL) == 0 && l.n == 2);
	item = links_find_index(&l, 5);
	EXPECT(item && links_find_index(&l, 4) == NULL);
	EXPECT(item->permanent.len == 6 && item->permanent.bytes[5] == 9);
	EXPECT(item->is_up && item->has_carrier && item->mtu == 1496 && item->master == 7);
	EXPECT(item->lower == 3 && item->lower_elsewhere && same(item->kind, "vlan"));
	EXPECT(item->has_xdp && item->altnames.n == 2);
	EXPECT(item->altnames.n == 2 && same(item->altnames.items[1], "enp1s0.7"));
	EXPECT(!l.items[1].kind && !l.items[1].has_xdp && l.items[1].permanent.len == 0);
}

TEST(a_vf_with_less_than_all)
{
	const struct ifla_vf_mac mac = { .vf = 7 };
	const struct ifla_vf_spoofchk odd = { .vf = 7, .setting = 2 };
	AUTO_BUF struct buf b = { 0 };
	AUTO_LINKS struct links l = { 0 };
	size_t at = start_link(&b, 2, "ens1f0"), list, info;

	put_u32(&b, IFLA_NUM_VF, 8);
	list = start(&b, IFLA_VFINFO_LIST);
	info = start(&b, IFLA_VF_INFO);
	put(&b, IFLA_VF_MAC, &mac, sizeof(mac));
	put(&b, IFLA_VF_TRUST, &odd, sizeof(odd));
	put(&b, 200, "of a newer kernel", 17);
	finish(&b, info);
	finish(&b, list);
	finish_link(&b, at);
	EXPECT(links_parse(b.data, b.len, &l, NULL) == 0);
	EXPECT(l.n == 1 && l.items[0].vfs_error == 0 && l.items[0].n_vfs == 1);
	EXPECT(l.items[0].vfs[0].index == 7 && l.items[0].vfs[0].trust_error == -EBADMSG);
	EXPECT(l.items[0].vfs[0].spoofchk_error == -EOPNOTSUPP);
	EXPECT(l.items[0].vfs[0].vlan_error == -EOPNOTSUPP);
	EXPECT(l.items[0].vfs[0].state_error == -EOPNOTSUPP);
}

/*
 * 334 VFs of 196 bytes fit 16 bits, 335 do not; where the length may have wrapped, the VFs are
 * walked, and believed when they are all there and no other.
 */
TEST(more_vfs_than_a_list_can_hold)
{
	static const struct {
		uint32_t count, told;
		int error;
	} cases[] = {
		{ .count = 330, .told = 330, .error = 0 },
		{ .count = 331, .told = 331, .error = 0 },
		{ .count = 335, .told = 335, .error = 0 },
		{ .count = 1000, .told = 1000, .error = 0 },
		{ .count = 335, .told = 334, .error = -EOVERFLOW },
		{ .count = 335, .told = 336, .error = -EOVERFLOW },
		{ .count = 1000, .told = 999, .error = -EOVERFLOW },
		{ .count = 2000, .told = 0, .error = 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_BUF struct buf b = { 0 };
		AUTO_LINKS struct links l = { 0 };

		put_pf(&b, 2, cases[i].count, cases[i].told);
		put_plain(&b, 3, "ens1f1");
		EXPECT(links_parse(b.data, b.len, &l, NULL) == 0);
		EXPECT(l.n == 2 && strcmp(l.items[0].name, "ens1f0") == 0);
		EXPECT(l.items[0].count_error == 0 && l.items[0].count == cases[i].count);
		EXPECT(l.items[0].vfs_error == cases[i].error);
		EXPECT(l.items[0].n_vfs == (cases[i].error ? 0 : cases[i].told));
		/* What stands behind the list is found. */
		EXPECT(cases[i].error || strcmp(l.items[0].device, "0000:3b:00.0") == 0);
		EXPECT(strcmp(l.items[1].name, "ens1f1") == 0);
	}
}

/* With 40 bytes more for each VF, as on InfiniBand, the lengths wrap earlier. */
TEST(a_list_that_wraps_below_the_usual_limit)
{
	static const uint8_t padding[44];
	const struct ifla_vf_mac mac = { 0 };
	AUTO_BUF struct buf b = { 0 };
	AUTO_LINKS struct links l = { 0 };
	size_t at = start_link(&b, 2, "ib0"), list;

	put_u32(&b, IFLA_NUM_VF, 300);
	list = start(&b, IFLA_VFINFO_LIST);
	for (uint32_t i = 0; i < 300; i++) {
		size_t info = start(&b, IFLA_VF_INFO);

		put(&b, IFLA_VF_MAC, &mac, sizeof(mac));
		for (size_t k = 0; k < 4; k++)
			put(&b, 201, padding, sizeof(padding));
		finish(&b, info);
	}
	finish(&b, list);
	finish_link(&b, at);
	EXPECT(links_parse(b.data, b.len, &l, NULL) == 0);
	EXPECT(l.n == 1 && l.items[0].vfs_error == -EOVERFLOW && l.items[0].n_vfs == 0);
}

TEST(damaged_answers)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_LINKS struct links l = { 0 };
	size_t at;
	uint32_t big = 1u << 30;

	EXPECT(links_parse("", 0, &l, NULL) == 0 && l.n == 0);
	links_done(&l);
	put_pf(&b, 2, 2, 2);
	for (size_t cut = 1; cut < b.len; cut++)
		EXPECT(links_parse(b.data, cut, &l, NULL) == -EBADMSG);
	memcpy(b.data, &big, sizeof(big));
	EXPECT(links_parse(b.data, b.len, &l, NULL) == -EBADMSG);
	buf_clear(&b);
	at = start_link(&b, 2, "");
	finish_link(&b, at);
	EXPECT(links_parse(b.data, b.len, &l, NULL) == -EBADMSG);
	EXPECT(l.n == 0 && l.items == NULL);
}

TEST(a_later_message_replaces_an_earlier_one)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_LINKS struct links l = { 0 };

	put_plain(&b, 2, "old");
	put_plain(&b, 3, "other");
	put_pf(&b, 2, 1, 1);
	EXPECT(links_parse(b.data, b.len, &l, NULL) == 0);
	EXPECT(l.n == 2 && !links_find(&l, "old") && links_find(&l, "ens1f0")->n_vfs == 1);
}

/* --- how it is asked -------------------------------------------------------------------- */

struct kernel_like {
	unsigned asked, busy; /* the first @busy answers are void */
	int vf_error;	      /* to a question for all VFs at once */
	int bad;	      /* the index of a link that cannot tell its VFs */
};

static int answer_like(void *arg, const struct links_question *q, struct buf *answer,
		       struct error *e)
{
	struct kernel_like *k = arg;
	bool with_vfs = q->filter & RTEXT_FILTER_VF;

	EXPECT(q->filter & RTEXT_FILTER_SKIP_STATS);
	if (k->asked++ < k->busy) {
		put_plain(answer, 9, "gone");
		return -EAGAIN;
	}
	if (with_vfs && q->index == 0 && k->vf_error)
		return error_set(e, k->vf_error, "too long");
	if (with_vfs && q->index == k->bad && k->bad)
		return error_set(e, -EMSGSIZE, "too long");
	if (q->index == 0 || q->index == 1)
		put_plain(answer, 1, "lo");
	if (q->index == 0 || q->index == 2) {
		if (with_vfs)
			put_pf(answer, 2, 2, 2);
		else
			put_plain(answer, 2, "ens1f0");
	}
	if (q->index == 0 || q->index == 3)
		put_plain(answer, 3, "ib0");
	return 0;
}

TEST(asked_again_while_it_changes)
{
	AUTO_LINKS struct links l = { 0 };
	struct kernel_like k = { .busy = LINKS_ASK_TRIES - 1 };
	struct error e = { 0 };

	EXPECT(links_ask_all(answer_like, &k, &l, &e) == 0);
	EXPECT(l.n == 3 && !links_find(&l, "gone") && links_find(&l, "ens1f0")->n_vfs == 2);
	links_done(&l);
	k = (struct kernel_like){ .busy = LINKS_ASK_TRIES };
	EXPECT(links_ask_all(answer_like, &k, &l, &e) == -EAGAIN);
	EXPECT(k.asked == LINKS_ASK_TRIES && strstr(e.text, "change too fast"));
}

TEST(one_link_too_long_costs_no_other)
{
	AUTO_LINKS struct links l = { 0 };
	struct kernel_like k = { .vf_error = -EMSGSIZE, .bad = 3 };

	EXPECT(links_ask_all(answer_like, &k, &l, NULL) == 0);
	EXPECT(l.n == 3 && links_find(&l, "ens1f0")->vfs_error == 0);
	EXPECT(links_find(&l, "ens1f0")->n_vfs == 2);
	EXPECT(links_find(&l, "ib0")->vfs_error == -EMSGSIZE);
	EXPECT(links_find(&l, "ib0")->count_error == -EMSGSIZE);
}

TEST(a_refusal_is_told)
{
	AUTO_LINKS struct links l = { 0 };
	struct kernel_like k = { .vf_error = -EPERM };
	struct error e = { 0 };

	EXPECT(links_ask_all(answer_like, &k, &l, &e) == -EPERM && l.n == 0);
	EXPECT(strcmp(e.text, "too long") == 0);
}

TEST(another_root_has_none)
{
	AUTO_TREE struct tree t = { 0 };
	const struct links *l = NULL;
	struct error e = { 0 };

	tree_make(&t);
	tree_put_dir(&t, "/proc");
	tree_open(&t);
	EXPECT(links_get(t.h, &l, &e) == -ENODATA && strstr(e.text, "not captured"));
}

/* Of this machine, whatever it has: the loopback of every network namespace. */
TEST(of_the_running_kernel)
{
	AUTO_HOST struct host *h = NULL;
	const struct links *l = NULL;

	if (host_open("/", &h, NULL) < 0 || links_get(h, &l, NULL) < 0)
		TEST_SKIP("no rtnetlink here");
	EXPECT(links_find(l, "lo") && links_find(l, "lo")->index == 1);
}
