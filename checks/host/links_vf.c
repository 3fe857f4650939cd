/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/links.h>

#include "links_attr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>

/* VFs that 16 bits of length surely hold: 196 bytes each, without statistics. */
#define VFS_MAX	     330
#define LIST_LEN_MAX (UINT16_MAX - sizeof(struct nlattr))
#define NOT_REPORTED UINT32_MAX
#define VLAN_MAX     4095

/* Spoof check, trust and the RSS query look alike: the VF, and the setting. */
static int load_switch(const struct links_attr *a, int *ret_error, bool *ret)
{
	struct ifla_vf_spoofchk v;
	int r = links_attr_load(a, &v, sizeof(v));

	if (r < 0)
		return r;
	if (v.setting > 1)
		*ret_error = v.setting == NOT_REPORTED ? -EOPNOTSUPP : -EBADMSG;
	else
		*ret_error = 0;
	*ret = v.setting == 1;
	return 0;
}

static int load_state(const struct links_attr *a, struct links_vf *vf)
{
	struct ifla_vf_link_state v;
	int r = links_attr_load(a, &v, sizeof(v));

	if (r < 0)
		return r;
	vf->state_error = v.link_state > IFLA_VF_LINK_STATE_DISABLE ? -EBADMSG : 0;
	if (vf->state_error == 0)
		vf->state = v.link_state == IFLA_VF_LINK_STATE_ENABLE	 ? LINKS_VF_ENABLE
			    : v.link_state == IFLA_VF_LINK_STATE_DISABLE ? LINKS_VF_DISABLE
									 : LINKS_VF_AUTO;
	return 0;
}

static int set_vlan(struct links_vf *vf, uint32_t vlan, uint32_t qos)
{
	if (vlan > VLAN_MAX || qos > UINT8_MAX)
		return -EBADMSG;
	vf->vlan_error = 0;
	vf->vlan = (uint16_t)vlan;
	vf->qos = (uint8_t)qos;
	return 0;
}

static int load_vlan(const struct links_attr *a, struct links_vf *vf)
{
	struct ifla_vf_vlan v;
	int r = links_attr_load(a, &v, sizeof(v));

	return r < 0 ? r : set_vlan(vf, v.vlan, v.qos);
}

/* The same in its newer form; the kernel has one entry at most. */
static int load_vlan_list(const struct links_attr *a, struct links_vf *vf)
{
	struct links_span list = a->payload;
	struct links_attr info;
	struct ifla_vf_vlan_info v;

	if (!links_attr_next(&list, &info))
		return 0;
	if (links_attr_load(&info, &v, sizeof(v)) < 0)
		return -EBADMSG;
	vf->protocol = ntohs(v.vlan_proto);
	return set_vlan(vf, v.vlan, v.qos);
}

/* What the driver does not fill in is 0, as without a limit (rtnl_fill_vfinfo). */
static int load_rate(const struct links_attr *a, struct links_vf *vf)
{
	struct ifla_vf_rate v;
	int r = links_attr_load(a, &v, sizeof(v));

	if (r < 0)
		return r;
	vf->rate_error = 0;
	vf->min_rate = v.min_tx_rate;
	vf->max_rate = v.max_tx_rate;
	return 0;
}

/* The length of an address is that of the PF's own. */
static int load_vf_mac(const struct links_attr *a, size_t len, struct links_vf *vf)
{
	struct ifla_vf_mac v;
	int r = links_attr_load(a, &v, sizeof(v));

	if (r < 0)
		return r;
	vf->index = v.vf;
	vf->mac.len = len;
	memcpy(vf->mac.bytes, v.mac, len);
	return 0;
}

static int load_vf_attribute(const struct links_attr *a, size_t address_len, struct links_vf *vf)
{
	switch (a->type) {
	case IFLA_VF_MAC:
		return load_vf_mac(a, address_len, vf);
	case IFLA_VF_VLAN:
		return load_vlan(a, vf);
	case IFLA_VF_VLAN_LIST:
		return load_vlan_list(a, vf);
	case IFLA_VF_SPOOFCHK:
		return load_switch(a, &vf->spoofchk_error, &vf->spoofchk);
	case IFLA_VF_TRUST:
		return load_switch(a, &vf->trust_error, &vf->trust);
	case IFLA_VF_RSS_QUERY_EN:
		return load_switch(a, &vf->rss_query_error, &vf->rss_query);
	case IFLA_VF_RATE:
		return load_rate(a, vf);
	case IFLA_VF_LINK_STATE:
		return load_state(a, vf);
	default:
		return 0;
	}
}

/* The kernel puts the MAC, with the number of the VF, into each. */
static int load_vf(struct links_span s, size_t address_len, struct links_vf *ret)
{
	bool has_number = false;
	struct links_attr a;
	int r = 0;

	*ret = (struct links_vf){
		.vlan_error = -EOPNOTSUPP,
		.spoofchk_error = -EOPNOTSUPP,
		.trust_error = -EOPNOTSUPP,
		.rss_query_error = -EOPNOTSUPP,
		.rate_error = -EOPNOTSUPP,
		.state_error = -EOPNOTSUPP,
	};
	while (r == 0 && links_attr_next(&s, &a)) {
		r = load_vf_attribute(&a, address_len, ret);
		has_number |= a.type == IFLA_VF_MAC;
	}
	return r == 0 && has_number && s.left == 0 ? 0 : -EBADMSG;
}

/*
 * Did the 16 bits of the list's length wrap?  The kernel does not look (nla_nest_end() in
 * include/net/netlink.h).  The first VF is where it should be all the same, and the others
 * are as long.
 */
static bool has_wrapped(const struct links_item *item, struct links_span vfs)
{
	struct nlattr first;

	if (item->count > VFS_MAX)
		return true;
	if (vfs.left < sizeof(first))
		return false;
	memcpy(&first, vfs.at, sizeof(first));
	return (size_t)NLMSG_ALIGN(first.nla_len) * item->count > LIST_LEN_MAX;
}

static int load_list(struct links_span s, struct links_item *item)
{
	struct links_attr a;
	int r = 0;

	while (r == 0 && item->n_vfs < item->count && links_attr_next(&s, &a))
		r = a.type == IFLA_VF_INFO
			    ? load_vf(a.payload, item->address.len, &item->vfs[item->n_vfs++])
			    : -EBADMSG;
	return r == 0 && s.left == 0 ? 0 : -EBADMSG;
}

/*
 * Where the length is of no use, one behind the other: believed only when they are VFs 0 to
 * count - 1, and something else follows.  Moves @s behind them.
 */
static int walk_list(struct links_span *s, struct links_item *item)
{
	struct links_span next;
	struct links_attr a;

	for (; item->n_vfs < item->count; item->n_vfs++) {
		struct links_vf *vf = &item->vfs[item->n_vfs];

		if (!links_attr_next(s, &a) || a.type != IFLA_VF_INFO ||
		    load_vf(a.payload, item->address.len, vf) < 0 || vf->index != item->n_vfs)
			return -EOVERFLOW;
	}
	next = *s;
	return links_attr_next(&next, &a) && a.type == IFLA_VF_INFO ? -EOVERFLOW : 0;
}

int links_vf_load(struct links_span *s, struct links_item *item)
{
	struct links_span vfs = *s;
	struct links_attr list = { 0 };
	bool walks;

	free(item->vfs);
	item->vfs = NULL;
	item->n_vfs = 0;
	links_attr_skip(&vfs, sizeof(struct nlattr));
	walks = item->count_error == 0 && has_wrapped(item, vfs);
	if (item->count_error < 0 || (!walks && !links_attr_next(s, &list)))
		item->vfs_error = -EBADMSG;
	else if (item->count > vfs.left / sizeof(struct nlattr))
		item->vfs_error = walks ? -EOVERFLOW : -EBADMSG;
	if (item->vfs_error < 0 || item->count == 0)
		return 0;
	item->vfs = calloc(item->count, sizeof(*item->vfs));
	if (!item->vfs)
		return -ENOMEM;
	item->vfs_error = walks ? walk_list(&vfs, item) : load_list(list.payload, item);
	if (item->vfs_error < 0)
		item->n_vfs = 0;
	else if (walks)
		*s = vfs;
	return 0;
}
