/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include "../../checks/host/links_ask.h"

#include <sriovctl/error.h>
#include <sriovctl/links.h>

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#define AUTO_LINKS CLEANUP(links_done)

static size_t start(struct buf *b, uint16_t type)
{
	const struct nlattr a = { .nla_type = type };
	size_t at = b->len;

	buf_append(b, &a, sizeof(a));
	return at;
}

/* The length of 16 bits wraps, as the kernel's does. */
static void finish(struct buf *b, size_t at)
{
	uint16_t len = (uint16_t)(b->len - at);

	memcpy(b->data + at, &len, sizeof(len));
	buf_append(b, "\0\0\0", NLMSG_ALIGN(b->len) - b->len);
}

static void put(struct buf *b, uint16_t type, const void *data, size_t len)
{
	size_t at = start(b, type);

	buf_append(b, data, len);
	finish(b, at);
}

static void put_u32(struct buf *b, uint16_t type, uint32_t value)
{
	put(b, type, &value, sizeof(value));
}

/* A VF as Linux 6.1 tells it, without statistics. */
static void put_vf(struct buf *b, uint32_t n)
{
	const struct ifla_vf_mac mac = { .vf = n, .mac = { 2, 0, 0, 0, 0, (uint8_t)n } };
	const struct ifla_vf_broadcast broadcast = { .broadcast = { 255 } };
	const struct ifla_vf_vlan vlan = { .vf = n, .vlan = n ? 100 : 0, .qos = n ? 3 : 0 };
	const struct ifla_vf_vlan_info info = {
		.vf = n, .vlan = vlan.vlan, .qos = vlan.qos, .vlan_proto = htons(0x88a8)
	};
	const struct ifla_vf_rate rate = { .vf = n, .min_tx_rate = 10, .max_tx_rate = 1000 };
	const struct ifla_vf_tx_rate tx = { .vf = n, .rate = 1000 };
	const struct ifla_vf_spoofchk spoofchk = { .vf = n, .setting = 1 };
	const struct ifla_vf_link_state state = { .vf = n, .link_state = n % 3 };
	const struct ifla_vf_rss_query_en rss = { .vf = n, .setting = UINT32_MAX };
	const struct ifla_vf_trust trust = { .vf = n, .setting = 0 };
	size_t vf = start(b, IFLA_VF_INFO), list;

	put(b, IFLA_VF_MAC, &mac, sizeof(mac));
	put(b, IFLA_VF_BROADCAST, &broadcast, sizeof(broadcast));
	put(b, IFLA_VF_VLAN, &vlan, sizeof(vlan));
	put(b, IFLA_VF_RATE, &rate, sizeof(rate));
	put(b, IFLA_VF_TX_RATE, &tx, sizeof(tx));
	put(b, IFLA_VF_SPOOFCHK, &spoofchk, sizeof(spoofchk));
	put(b, IFLA_VF_LINK_STATE, &state, sizeof(state));
	put(b, IFLA_VF_RSS_QUERY_EN, &rss, sizeof(rss));
	put(b, IFLA_VF_TRUST, &trust, sizeof(trust));
	list = start(b, IFLA_VF_VLAN_LIST);
	put(b, IFLA_VF_VLAN_INFO, &info, sizeof(info));
	finish(b, list);
	finish(b, vf);
}

static size_t start_link(struct buf *b, int index, const char *name)
{
	static const uint8_t mac[6] = { 0x3c, 0xfd, 0xfe, 0, 0, 1 };
	const struct nlmsghdr header = { .nlmsg_type = RTM_NEWLINK, .nlmsg_flags = NLM_F_MULTI };
	const struct ifinfomsg link = { .ifi_index = index, .ifi_flags = 1 };
	size_t at = b->len;

	buf_append(b, &header, sizeof(header));
	buf_append(b, &link, sizeof(link));
	put(b, IFLA_IFNAME, name, strlen(name) + 1);
	put(b, IFLA_ADDRESS, mac, sizeof(mac));
	return at;
}

static void finish_link(struct buf *b, size_t at)
{
	uint32_t len = (uint32_t)(b->len - at);

	memcpy(b->data + at, &len, sizeof(len));
}

/* A PF of which the kernel tells @told of its @count VFs. */
static void put_pf(struct buf *b, int index, uint32_t count, uint32_t told)
{
	static const char bdf[] = "0000:3b:00.0";
	size_t at = start_link(b, index, "ens1f0"), list;

	put_u32(b, IFLA_NUM_VF, count);
	if (told) {
		list = start(b, IFLA_VFINFO_LIST);
		for (uint32_t i = 0; i < told; i++)
			put_vf(b, i);
		finish(b, list);
	}
	put(b, IFLA_PARENT_DEV_NAME, bdf, sizeof(bdf));
	finish_link(b, at);
}

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

/* 334 VFs of 196 bytes fit 16 bits, 335 do not; above 330 neither is believed. */
TEST(more_vfs_than_a_list_can_hold)
{
	static const struct {
		uint32_t count, told;
		int error;
	} cases[] = {
		{ .count = 330, .told = 330, .error = 0 },
		{ .count = 331, .told = 331, .error = -EOVERFLOW },
		{ .count = 335, .told = 335, .error = -EOVERFLOW },
		{ .count = 512, .told = 512, .error = -EOVERFLOW },
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
