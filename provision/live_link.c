/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By rtnetlink: what an interface is set to, and what a PF has set for a VF.  One attribute
 * in a message, as the kernel applies several in an order of its own, stops at the first that
 * is refused, and does not say which that was (net/core/rtnetlink.c, do_setvfinfo).
 */
#include "live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/links.h>
#include <sriovctl/netlink_ask.h>

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/if.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <string.h>

static struct nl_msg *message(int type, const struct ifinfomsg *link)
{
	AUTO_NL_MSG struct nl_msg *m = nlmsg_alloc_simple(type, 0);
	struct ifinfomsg copy = *link;

	if (m && nlmsg_append(m, &copy, sizeof(copy), NLMSG_ALIGNTO) < 0)
		return NULL;
	return TAKE(m);
}

static int ask(struct live *l, struct nl_msg *m, struct buf *answer, struct error *e)
{
	int r = l->route ? 0 : netlink_ask_open(NETLINK_ROUTE, &l->route, e);

	if (r == 0)
		r = netlink_ask(l->route, m, NULL, answer, e);
	/* What of an answer is still on its way would be taken for the next one. */
	if (r < 0)
		netlink_ask_close(&l->route);
	if (r < 0)
		l->route = NULL;
	return r == 0 && answer && buf_error(answer) < 0 ? error_nomem(e) : r;
}

/* The interface that the setting is of: the PF's, or for its own MTU the VF's. */
static int index_of_target(const struct live_target *t, int *ret, struct error *e)
{
	return t->what == SETTING_VF_MTU ? live_sysfs_vf_index(t, ret, e)
					 : live_sysfs_index(t, ret, e);
}

int live_link_write(const struct live_target *t, const struct setting_value *v, struct error *e)
{
	struct ifinfomsg link = { .ifi_family = AF_UNSPEC };
	AUTO_NL_MSG struct nl_msg *m = NULL;
	int r = index_of_target(t, &link.ifi_index, e);

	if (r < 0)
		return r;
	if (t->what == SETTING_UP) {
		link.ifi_change = IFF_UP;
		link.ifi_flags = v->number ? IFF_UP : 0;
	}
	m = message(RTM_NEWLINK, &link);
	if (!m || (t->what != SETTING_UP && nla_put_u32(m, IFLA_MTU, (uint32_t)v->number) < 0))
		return error_nomem(e);
	return ask(t->live, m, NULL, e);
}

int live_link_rename(const struct live_target *t, int index, const char *name, struct error *e)
{
	const struct ifinfomsg link = { .ifi_family = AF_UNSPEC, .ifi_index = index };
	AUTO_NL_MSG struct nl_msg *m = message(RTM_NEWLINK, &link);

	if (!m || nla_put_string(m, IFLA_IFNAME, name) < 0)
		return error_nomem(e);
	return ask(t->live, m, NULL, e);
}

/* @ret has the one link of this index. */
static int read_link(struct live *l, int index, uint32_t filter, struct links *ret, struct error *e)
{
	const struct ifinfomsg link = { .ifi_family = AF_UNSPEC, .ifi_index = index };
	AUTO_NL_MSG struct nl_msg *m = message(RTM_GETLINK, &link);
	AUTO_BUF struct buf answer = { 0 };
	int r;

	if (!m || nla_put_u32(m, IFLA_EXT_MASK, filter | RTEXT_FILTER_SKIP_STATS) < 0)
		return error_nomem(e);
	r = ask(l, m, &answer, e);
	if (r == 0)
		r = links_parse(answer.data, answer.len, ret, e);
	return r == 0 && ret->n != 1 ? error_set(e, -EBADMSG, "rtnetlink: not one link") : r;
}

int live_link_read(const struct live_target *t, struct setting_value *ret, struct error *e)
{
	AUTO_LINKS struct links links = { 0 };
	const struct links_item *link;
	int index = 0;
	int r = index_of_target(t, &index, e);

	if (r == 0)
		r = read_link(t->live, index, 0, &links, e);
	if (r < 0)
		return r;
	link = &links.items[0];
	*ret = setting_number(t->what == SETTING_UP ? link->is_up : link->mtu);
	return 0;
}

int live_carrier(struct live *l, uint32_t pf, struct error *e)
{
	AUTO_LINKS struct links links = { 0 };
	int index = 0;
	const struct live_target t = { .live = l, .pf = &l->is->items[pf], .vf = PLAN_OF_PF };
	int r = live_sysfs_index(&t, &index, e);

	if (r == 0)
		r = read_link(l, index, 0, &links, e);
	return r < 0 ? r : links.items[0].has_carrier;
}

static int put_mac(struct nl_msg *m, uint32_t vf, uint64_t mac)
{
	struct ifla_vf_mac a = { .vf = vf };

	for (int i = 0; i < ETH_ALEN; i++)
		a.mac[i] = (uint8_t)(mac >> (8 * (ETH_ALEN - 1 - i)));
	return nla_put(m, IFLA_VF_MAC, sizeof(a), &a);
}

/*
 * The older attribute where it says all: kernels and drivers without the newer one are many.
 * The newer one has to be sent with its padding (16 bytes), or it is refused.
 */
static int put_vlan(struct nl_msg *m, uint32_t vf, uint64_t v)
{
	const struct ifla_vf_vlan a = { .vf = vf,
					.vlan = SETTING_VLAN_ID(v),
					.qos = SETTING_VLAN_QOS(v) };
	const struct ifla_vf_vlan_info b = { .vf = vf,
					     .vlan = SETTING_VLAN_ID(v),
					     .qos = SETTING_VLAN_QOS(v),
					     .vlan_proto = htons(SETTING_VLAN_PROTO(v)) };
	struct nlattr *list;

	if (SETTING_VLAN_PROTO(v) != ETH_P_8021AD)
		return nla_put(m, IFLA_VF_VLAN, sizeof(a), &a);
	list = nla_nest_start(m, IFLA_VF_VLAN_LIST);
	if (!list || nla_put(m, IFLA_VF_VLAN_INFO, sizeof(b), &b) < 0)
		return -ENOMEM;
	return nla_nest_end(m, list);
}

static int put_rate(struct nl_msg *m, uint32_t vf, uint64_t v)
{
	const struct ifla_vf_rate a = { .vf = vf,
					.min_tx_rate = SETTING_RATE_MIN(v),
					.max_tx_rate = SETTING_RATE_MAX(v) };

	return nla_put(m, IFLA_VF_RATE, sizeof(a), &a);
}

static int put_number(struct nl_msg *m, int type, uint32_t vf, uint64_t v)
{
	const struct ifla_vf_spoofchk a = { .vf = vf, .setting = (uint32_t)v };

	return nla_put(m, type, sizeof(a), &a);
}

static int put_setting(struct nl_msg *m, const struct live_target *t, uint64_t v)
{
	static const int type_of[SETTING_END] = {
		[SETTING_SPOOFCHK] = IFLA_VF_SPOOFCHK,
		[SETTING_TRUST] = IFLA_VF_TRUST,
		[SETTING_LINK_STATE] = IFLA_VF_LINK_STATE,
		[SETTING_RSS_QUERY] = IFLA_VF_RSS_QUERY_EN,
	};

	if (t->what == SETTING_MAC)
		return put_mac(m, t->vf, v);
	if (t->what == SETTING_VLAN)
		return put_vlan(m, t->vf, v);
	if (t->what == SETTING_RATE)
		return put_rate(m, t->vf, v);
	return put_number(m, type_of[t->what], t->vf, v);
}

static struct nl_msg *vf_message(const struct live_target *t, int index, uint64_t v)
{
	const struct ifinfomsg link = { .ifi_family = AF_UNSPEC, .ifi_index = index };
	AUTO_NL_MSG struct nl_msg *m = message(RTM_SETLINK, &link);
	struct nlattr *list = m ? nla_nest_start(m, IFLA_VFINFO_LIST) : NULL;
	struct nlattr *info = list ? nla_nest_start(m, IFLA_VF_INFO) : NULL;

	if (!info || put_setting(m, t, v) < 0)
		return NULL;
	(void)nla_nest_end(m, info);
	(void)nla_nest_end(m, list);
	return TAKE(m);
}

int live_link_write_vf(const struct live_target *t, const struct setting_value *v, struct error *e)
{
	AUTO_NL_MSG struct nl_msg *m = NULL;
	int index = 0;
	int r = live_sysfs_index(t, &index, e);

	if (r < 0)
		return r;
	m = vf_message(t, index, v->number);
	return m ? ask(t->live, m, NULL, e) : error_nomem(e);
}

/* The interface with what is set of all its VFs; what was read holds until something is written. */
static int look_at_vfs(const struct live_target *t, const struct links_item **ret, struct error *e)
{
	struct live *l = t->live;
	uint32_t pf = (uint32_t)(t->pf - l->is->items);
	int index = 0;
	int r = 0;

	if (l->links_of != pf) {
		l->links_of = PLAN_OF_PF;
		links_done(&l->links);
		r = live_sysfs_index(t, &index, e);
		if (r == 0)
			r = read_link(l, index, RTEXT_FILTER_VF, &l->links, e);
	}
	if (r < 0)
		return r;
	l->links_of = pf;
	*ret = &l->links.items[0];
	return 0;
}

int live_link_read_vf(const struct live_target *t, struct setting_value *ret, struct error *e)
{
	const struct links_item *link = NULL;
	struct setting_value set[SETTING_END];
	int r = look_at_vfs(t, &link, e);

	if (r < 0)
		return r;
	r = pfstate_of_link(link, t->vf, set);
	if (r < 0)
		return error_set(e, r, "interface %s does not tell of VF %u: %s", t->pf->netdev,
				 t->vf, links_why(r));
	*ret = set[t->what];
	if (ret->state == SETTING_UNSUPPORTED)
		return error_set(e, -EOPNOTSUPP, "the driver does not report it");
	return ret->state == SETTING_KNOWN ? 0
					   : error_set(e, ret->error, "%s", links_why(ret->error));
}
