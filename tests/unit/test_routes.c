/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel answers about addresses, routes, channels and the mode of a switch. */
#include "netlink.h"
#include "tree.h"

#include <sriovctl/addresses.h>
#include <sriovctl/channels.h>
#include <sriovctl/eswitch.h>
#include <sriovctl/routes.h>

#include <linux/devlink.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/if_addr.h>
#include <sys/socket.h>

#define AUTO_ADDRESSES CLEANUP(addresses_done)
#define AUTO_ROUTES    CLEANUP(routes_done)

static size_t start_message(struct buf *b, uint16_t type, const void *head, size_t len)
{
	const struct nlmsghdr header = { .nlmsg_type = type };
	size_t at = b->len;

	buf_append(b, &header, sizeof(header));
	buf_append(b, head, len);
	return at;
}

static void put_address(struct buf *b, int family, uint16_t type, const void *address)
{
	const struct ifaddrmsg m = { .ifa_family = (uint8_t)family,
				     .ifa_prefixlen = 24,
				     .ifa_index = 3 };
	size_t at = start_message(b, RTM_NEWADDR, &m, sizeof(m));

	put(b, type, address, family == AF_INET ? 4 : 16);
	finish_link(b, at);
}

TEST(addresses)
{
	static const uint8_t v4[4] = { 192, 0, 2, 1 }, v6[16] = { 0x20, 1, 0xd, 0xb8, [15] = 1 },
			     local[16] = { 0xfe, 0x80, [15] = 9 };
	AUTO_ADDRESSES struct addresses a = { 0 };
	AUTO_BUF struct buf b = { 0 }, text = { 0 };

	put_address(&b, AF_INET, IFA_LOCAL, v4);
	put_address(&b, AF_INET6, IFA_ADDRESS, v6);
	put_address(&b, AF_INET6, IFA_ADDRESS, local);
	EXPECT(addresses_parse(b.data, b.len, &a, NULL) == 0 && a.n == 3);
	if (a.n != 3)
		return;
	EXPECT(a.items[0].index == 3 && !a.items[0].is_link_local && !a.items[1].is_link_local);
	EXPECT(a.items[2].is_link_local);
	addresses_text(&a.items[0], &text);
	buf_puts(&text, " ");
	addresses_text(&a.items[1], &text);
	EXPECT(same(buf_text(&text), "192.0.2.1/24 2001:db8::1/24"));
	for (size_t cut = 1; cut < b.len; cut++) {
		AUTO_ADDRESSES struct addresses part = { 0 };

		if (addresses_parse(b.data, cut, &part, NULL) == 0)
			EXPECT(part.n < 3);
	}
}

/* At a point-to-point link the other end stands first. */
TEST(the_own_address_of_two)
{
	static const uint8_t far[4] = { 10, 0, 0, 2 }, own[4] = { 10, 0, 0, 1 };
	const struct ifaddrmsg m = { .ifa_family = AF_INET, .ifa_prefixlen = 32, .ifa_index = 3 };
	AUTO_ADDRESSES struct addresses a = { 0 };
	AUTO_BUF struct buf b = { 0 };
	size_t at = start_message(&b, RTM_NEWADDR, &m, sizeof(m));

	put(&b, IFA_ADDRESS, far, 4);
	put(&b, IFA_LOCAL, own, 4);
	finish_link(&b, at);
	EXPECT(addresses_parse(b.data, b.len, &a, NULL) == 0 && a.n == 1);
	EXPECT(a.n == 1 && memcmp(a.items[0].bytes, own, 4) == 0);
}

static size_t start_route(struct buf *b, uint8_t family, uint8_t len, uint8_t type)
{
	const struct rtmsg m = { .rtm_family = family, .rtm_dst_len = len, .rtm_type = type };

	return start_message(b, RTM_NEWROUTE, &m, sizeof(m));
}

static void put_route(struct buf *b, uint8_t family, uint8_t len, uint8_t type, uint32_t index)
{
	size_t at = start_route(b, family, len, type);

	if (index)
		put_u32(b, RTA_OIF, index);
	finish_link(b, at);
}

TEST(default_routes)
{
	const struct rtnexthop ways[] = {
		{ .rtnh_len = sizeof(struct rtnexthop), .rtnh_ifindex = 7 },
		{ .rtnh_len = sizeof(struct rtnexthop), .rtnh_ifindex = 8 },
	};
	AUTO_ROUTES struct routes r = { 0 };
	AUTO_BUF struct buf b = { 0 };
	size_t at;

	put_route(&b, AF_INET, 0, RTN_UNICAST, 3);
	put_route(&b, AF_INET, 24, RTN_UNICAST, 4);
	put_route(&b, AF_INET6, 0, RTN_UNREACHABLE, 1);
	put_route(&b, AF_INET6, 0, RTN_UNICAST, 5);
	/* By an object of next hops. */
	put_route(&b, AF_INET6, 0, RTN_UNICAST, 0);
	at = start_route(&b, AF_INET, 0, RTN_UNICAST);
	put(&b, RTA_MULTIPATH, ways, sizeof(ways));
	finish_link(&b, at);
	EXPECT(routes_parse(b.data, b.len, &r, NULL) == 0 && r.n == 5);
	if (r.n != 5)
		return;
	EXPECT(r.items[0].index == 3 && r.items[0].family == AF_INET);
	EXPECT(r.items[1].index == 5 && r.items[1].family == AF_INET6);
	EXPECT(r.items[2].index == 0);
	EXPECT(r.items[3].index == 7 && r.items[4].index == 8);
}

TEST(damaged_routes)
{
	const struct rtnexthop way = { .rtnh_len = 4 };
	AUTO_ROUTES struct routes r = { 0 };
	AUTO_BUF struct buf b = { 0 };
	size_t at = start_route(&b, AF_INET, 0, RTN_UNICAST);

	put(&b, RTA_MULTIPATH, &way, sizeof(way));
	finish_link(&b, at);
	EXPECT(routes_parse(b.data, b.len, &r, NULL) == -EBADMSG && r.n == 0);
	EXPECT(routes_parse(b.data, b.len - 1, &r, NULL) == -EBADMSG);
}

static void put_generic(struct buf *b, const struct buf *attributes)
{
	const struct genlmsghdr head = { .cmd = 1 };
	size_t at = start_message(b, 0x20, &head, sizeof(head));

	buf_append(b, attributes->data, attributes->len);
	finish_link(b, at);
}

TEST(channels)
{
	AUTO_BUF struct buf a = { 0 }, b = { 0 };
	struct channels c = { 0 };

	put_u32(&a, ETHTOOL_A_CHANNELS_RX_MAX, 8);
	put_u32(&a, ETHTOOL_A_CHANNELS_COMBINED_MAX, 16);
	put_u32(&a, ETHTOOL_A_CHANNELS_RX_COUNT, 2);
	put_u32(&a, ETHTOOL_A_CHANNELS_TX_COUNT, 1);
	put_u32(&a, ETHTOOL_A_CHANNELS_COMBINED_COUNT, 4);
	put_generic(&b, &a);
	EXPECT(channels_parse(b.data, b.len, &c) == 0);
	EXPECT(c.max_rx == 8 && c.max_combined == 16 && c.rx == 2 && c.combined == 4);
	EXPECT(channels_count(&c) == 5);
	for (size_t cut = 0; cut < b.len; cut++)
		EXPECT(channels_parse(b.data, cut, &c) == -EBADMSG);
}

TEST(the_mode_of_a_switch)
{
	AUTO_BUF struct buf a = { 0 }, b = { 0 }, none = { 0 };
	uint16_t mode = ESWITCH_SWITCHDEV, got = 9;

	put(&a, DEVLINK_ATTR_BUS_NAME, "pci", 4);
	put(&a, DEVLINK_ATTR_ESWITCH_MODE, &mode, sizeof(mode));
	put_generic(&b, &a);
	EXPECT(eswitch_parse(b.data, b.len, &got) == 0 && got == ESWITCH_SWITCHDEV);
	buf_clear(&a);
	put(&a, DEVLINK_ATTR_BUS_NAME, "pci", 4);
	put_generic(&none, &a);
	EXPECT(eswitch_parse(none.data, none.len, &got) == -EBADMSG);
	EXPECT(eswitch_parse(b.data, b.len - 2, &got) == -EBADMSG);
}

/* Of this machine: what every kernel has to say something about. */
TEST(the_running_kernel)
{
	AUTO_HOST struct host *h = NULL;
	const struct addresses *a = NULL;
	const struct routes *r = NULL;
	struct channels c = { 0 };
	uint16_t mode = 0;
	int code;

	if (host_open("/", &h, NULL) < 0 || addresses_get(h, &a, NULL) < 0)
		TEST_SKIP("no rtnetlink here");
	EXPECT(routes_get(h, &r, NULL) == 0);
	EXPECT(channels_read(h, "lo", &c, NULL) == -EOPNOTSUPP);
	code = channels_read(h, "no-such-name", &c, NULL);
	EXPECT(code == -ENODEV || code == -EOPNOTSUPP);
	EXPECT(eswitch_read(h, "pci", "ffff:ff:1f.7", &mode, NULL) == -EOPNOTSUPP);
}
