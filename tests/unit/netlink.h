/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages as the kernel sends them over netlink, for the tests of what decodes them. */
#ifndef TESTS_NETLINK_H
#define TESTS_NETLINK_H

#include <sriovctl/buf.h>

#include <arpa/inet.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string.h>

static inline size_t start(struct buf *b, uint16_t type)
{
	const struct nlattr a = { .nla_type = type };
	size_t at = b->len;

	buf_append(b, &a, sizeof(a));
	return at;
}

/* The length of 16 bits wraps, as the kernel's does. */
static inline void finish(struct buf *b, size_t at)
{
	uint16_t len = (uint16_t)(b->len - at);

	memcpy(b->data + at, &len, sizeof(len));
	buf_append(b, "\0\0\0", NLMSG_ALIGN(b->len) - b->len);
}

static inline void put(struct buf *b, uint16_t type, const void *data, size_t len)
{
	size_t at = start(b, type);

	buf_append(b, data, len);
	finish(b, at);
}

static inline void put_u32(struct buf *b, uint16_t type, uint32_t value)
{
	put(b, type, &value, sizeof(value));
}

static inline size_t start_link(struct buf *b, int index, const char *name)
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

static inline void finish_link(struct buf *b, size_t at)
{
	uint32_t len = (uint32_t)(b->len - at);

	memcpy(b->data + at, &len, sizeof(len));
}

/* A VF as Linux 6.1 tells it, without statistics. */
static inline void put_vf(struct buf *b, uint32_t n)
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

/* A PF of which the kernel tells @told of its @count VFs. */
static inline void put_pf(struct buf *b, int index, uint32_t count, uint32_t told)
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

#endif
