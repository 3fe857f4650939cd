/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ports and the links that lead to them, and what the checks of both say. */
#include "pci_space.h"

#include <sriovctl/aer.h>
#include <sriovctl/awake.h>
#include <sriovctl/finding.h>
#include <sriovctl/linkmodes.h>
#include <sriovctl/linkpath.h>
#include <sriovctl/pciconf_path.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/ports.h>

#define PORT "pci0000:00/0000:00:01.0"
#define UP   PORT "/0000:01:00.0"
#define DOWN UP "/0000:02:00.0"
#define NIC0 DOWN "/0000:03:00.0"
#define NIC1 DOWN "/0000:03:00.1"
#define BDF  "0000:03:00.0"

#define GEN1_X16 0x101
#define GEN4_X16 0x104
#define GEN3_X4	 0x043
#define GEN3_X8	 0x083
#define BYITSELF (1 << 15)

#define MODES_1G   "speed 3e8\nsupported ef 0 0\nadvertised ef 0 0\npartner 0 0 0\n"
#define MODES_25G  "speed 61a8\nsupported 80000000 3 0\nadvertised 80000000 3 0\npartner 0 0 0\n"
#define MODES_100G "speed ffffffff\nsupported 0 20 0\nadvertised 0 20 0\npartner 0 0 0\n"

enum { ENDPOINT = 0, ROOT = 4, UPSTREAM = 5, DOWNSTREAM = 6 };

/* --- what is parsed ------------------------------------------------------------------------- */

TEST(link_modes)
{
	struct linkmodes m = { 0 };

	EXPECT(linkmodes_parse(MODES_1G, &m) == 0);
	EXPECT(m.speed == 1000 && m.supported == 1000 && m.advertised == 1000 && m.partner == 0);
	EXPECT(linkmodes_parse(MODES_25G, &m) == 0 && m.supported == 25000 && m.speed == 25000);
	EXPECT(linkmodes_parse(MODES_100G, &m) == 0 && m.supported == 100000 && m.speed == 0);
	EXPECT(!m.has_unknown);
	/* The last that is known, 1600000baseDR8_2, and the one behind it. */
	EXPECT(linkmodes_parse("speed 0\nsupported 0 0 0 10000000\nadvertised 0\npartner 0\n",
			       &m) == 0);
	EXPECT(m.supported == 1600000 && !m.has_unknown);
	EXPECT(linkmodes_parse("speed 0\nsupported 20 0 0 20000000\nadvertised 0\npartner 0\n",
			       &m) == 0);
	EXPECT(m.supported == 1000 && m.has_unknown);
	/* What is no speed: a connector, pause, error correction. */
	EXPECT(linkmodes_parse("speed 0\nsupported 16fc0 e0000 400\nadvertised 0\npartner 0\n",
			       &m) == 0);
	EXPECT(m.supported == 0 && !m.has_unknown);
}

TEST(link_modes_that_are_damaged)
{
	static const char *const texts[] = {
		"",
		"speed\n",
		"speed x\n",
		"speed 3e8\n",
		"supported 1\nadvertised 1\npartner 1\n",
		"speed 3e8\nsupported 1\nadvertised 1\n",
		"speed 3e8\nsupported 1 123456789\nadvertised 1\npartner 1\n",
		"speed 3e8\nsupported -1\nadvertised 1\npartner 1\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct linkmodes m = { .speed = 7 };

		EXPECT(linkmodes_parse(texts[i], &m) == -EBADMSG && m.speed == 7);
	}
}

TEST(counted_errors)
{
	struct aer_growth g = { 0 };
	uint64_t n = 0;

	EXPECT(aer_parse_total("RxErr 1\nBadTLP 0\nTOTAL_ERR_COR 1\n", &n) == 0 && n == 1);
	EXPECT(aer_parse_total("TOTAL_ERR_FATAL 18446744073709551615\n", &n) == 0);
	EXPECT(aer_parse_total("", &n) == -EBADMSG && aer_parse_total("RxErr 1\n", &n) == -EBADMSG);
	EXPECT(aer_parse_total("TOTAL_ERR_COR x\n", &n) == -EBADMSG);
	EXPECT(aer_parse_growth("0000:00:01.0 4\n0000:01:00.0 0\n", &g) == 0 && g.n == 2);
	EXPECT(aer_growth_find(&g, "0000:00:01.0")->more == 4);
	EXPECT(!aer_growth_find(&g, "0000:02:00.0"));
	EXPECT(aer_parse_growth("eth0 4\n", &g) == -EBADMSG);
	aer_growth_done(&g);
}

TEST(spaces_of_the_awake)
{
	struct space s = space_express(ENDPOINT, 0x8086, 0x10c9);
	AUTO_BUF struct buf b = { 0 };
	struct pciconf own, port;
	uint8_t size[2] = { (uint8_t)s.len, (uint8_t)(s.len >> 8) };

	buf_append(&b, size, sizeof(size));
	buf_append(&b, s.data, s.len);
	EXPECT(awake_parse(b.data, b.len, &own, &port, NULL) == -EBADMSG);
	buf_append(&b, "\0\0", 2);
	EXPECT(awake_parse(b.data, b.len, &own, &port, NULL) == 0);
	EXPECT(own.len == s.len && port.len == 0);
	EXPECT(awake_parse(b.data, b.len - 3, &own, &port, NULL) == -EBADMSG);
	EXPECT(awake_parse("\0\0\0\0", 4, &own, &port, NULL) == -EBADMSG);
	buf_append(&b, "\0", 1);
	EXPECT(awake_parse(b.data, b.len, &own, &port, NULL) == -EBADMSG);
}

/* --- a switch with a card of two ports ------------------------------------------------------ */

struct wish {
	uint32_t max[3];      /* of the root's link, the switch's, the card's; 0: GEN4_X16 */
	uint16_t now[3];      /* 0: as @max */
	unsigned payload;     /* of the card, as in its register */
	const char *modes[2]; /* of eth0 and eth1; NULL: not told */
	bool no_second;	      /* eth1's function has no interface */
};

static void put_link(struct space *s, const struct wish *w, unsigned i)
{
	uint32_t max = w->max[i] ? w->max[i] : GEN4_X16;

	space_add_link(s, max, w->now[i] ? w->now[i] : (uint16_t)max);
}

static void put_netdev(const struct tree *t, const char *nest, const char *name, const char *modes)
{
	AUTO_BUF struct buf file = { 0 }, answer = { 0 };

	buf_printf(&file, "net/%s/flags", name);
	tree_put_attr(t, nest, buf_text(&file), "0x1003\n");
	buf_clear(&file);
	buf_printf(&file, "net/%s/carrier", name);
	tree_put_attr(t, nest, buf_text(&file), "1\n");
	buf_printf(&answer, "/.sriovctl/linkmodes/%s", name);
	if (modes)
		tree_put(t, buf_text(&answer), modes);
}

static void plant(struct tree *t, const struct wish *w)
{
	struct space root = space_bridge(ROOT, 0, 1, 3), up = space_bridge(UPSTREAM, 1, 2, 3);
	struct space down = space_bridge(DOWNSTREAM, 2, 3, 3);
	struct space nic = space_express(ENDPOINT, 0x15b3, 0x101d);

	put_link(&root, w, 0);
	put_link(&up, w, 1);
	put_link(&down, w, 2);
	put_link(&nic, w, 2);
	/* All can 512 bytes, and the ports are set to 256. */
	for (size_t i = 0; i < 4; i++) {
		struct space *s = (struct space *[]){ &root, &up, &down, &nic }[i];

		put32(s, SPACE_EXPRESS + 4, 2);
		put16(s, SPACE_EXPRESS + 8, 0x2000 | 2 << 5);
	}
	put16(&nic, SPACE_EXPRESS + 8, 0x2000 | w->payload << 5);
	tree_new(t);
	tree_put_function(t, PORT, &root);
	tree_put_function(t, UP, &up);
	tree_put_function(t, DOWN, &down);
	tree_put_function(t, NIC0, &nic);
	tree_put_function(t, NIC1, &nic);
	put_netdev(t, NIC0, "eth0", w->modes[0]);
	if (!w->no_second)
		put_netdev(t, NIC1, "eth1", w->modes[1]);
}

static enum verdict ask(const struct tree *t, const char *id, const char *says)
{
	const struct check *c = check_find(id);
	const struct pcidevs *v = NULL;
	struct finding f = { 0 };
	struct check_input in = { .host = t->h };
	enum verdict verdict = VERDICT_MAX;

	EXPECT(c && pcidevs_get(t->h, &v, NULL) == 0);
	in.pf = v ? pcidevs_find(v, BDF) : NULL;
	if (c && in.pf)
		verdict = c->run(&in, &f);
	EXPECT(f.error == 0 && f.summary);
	if (says && f.summary && !strstr(f.summary, says)) {
		printf("# %s: %s\n", id, f.summary);
		EXPECT(!"the summary says it");
	}
	finding_done(&f);
	return verdict;
}

static enum verdict bandwidth(const struct wish *w, const char *says)
{
	AUTO_TREE struct tree t = { 0 };

	plant(&t, w);
	return ask(&t, "pf.link_bandwidth", says);
}

TEST(a_path_carries_its_ports)
{
	EXPECT(bandwidth(&(struct wish){ .payload = 2, .modes = { MODES_100G, MODES_100G } },
			 "(16 GT/s x16) carries 29.87 GB/s, and its 2 ports can have 25.00 GB/s") ==
	       VERDICT_PASS);
}

TEST(the_narrowest_link_is_named)
{
	/* Of the card's link enough for one port, and not for both. */
	EXPECT(bandwidth(&(struct wish){ .max = { 0, 0, GEN3_X4 },
					 .payload = 2,
					 .modes = { MODES_25G, MODES_25G } },
			 "its link (8 GT/s x4) carries 3.78 "
			 "GB/s at most, and the 2 ports below it can have 6.25 GB/s") ==
	       VERDICT_FAIL);
	/* The switch's way up, which its sibling shares. */
	EXPECT(bandwidth(&(struct wish){ .max = { GEN3_X8, GEN3_X8, 0 },
					 .payload = 2,
					 .modes = { MODES_100G, MODES_1G } },
			 "the link of 0000:01:00.0 (8 GT/s x8)") == VERDICT_FAIL);
	EXPECT(bandwidth(&(struct wish){ .max = { GEN3_X8, GEN3_X8, 0 },
					 .payload = 2,
					 .modes = { MODES_25G, MODES_1G } },
			 "(8 GT/s x8) carries 7.46 GB/s") == VERDICT_PASS);
}

TEST(what_is_not_known_of_ports_decides_nothing)
{
	EXPECT(bandwidth(&(struct wish){ .payload = 2, .modes = { MODES_100G, NULL } },
			 "how fast the ports of 0000:03:00.1 can be is not known") ==
	       VERDICT_UNKNOWN);
	EXPECT(bandwidth(&(struct wish){ .payload = 2, .modes = { MODES_1G }, .no_second = true },
			 "0000:03:00.1") == VERDICT_UNKNOWN);
	/* What is known is too much already. */
	EXPECT(bandwidth(&(struct wish){ .max = { 0, 0, GEN3_X4 },
					 .payload = 2,
					 .modes = { MODES_100G, NULL } },
			 "can have 12.50 GB/s") == VERDICT_FAIL);
}

TEST(a_link_that_may_speed_up_fails_by_what_it_could)
{
	/* 2.5 GT/s, and by itself: it could be 16 GT/s. */
	EXPECT(bandwidth(&(struct wish){ .now = { 0, 0, GEN1_X16 | BYITSELF },
					 .payload = 2,
					 .modes = { MODES_100G, MODES_1G } },
			 "what its link carries is not known") == VERDICT_UNKNOWN);
	EXPECT(bandwidth(&(struct wish){ .now = { 0, 0, GEN1_X16 },
					 .payload = 2,
					 .modes = { MODES_100G, MODES_1G } },
			 "(2.5 GT/s x16)") == VERDICT_FAIL);
	EXPECT(bandwidth(&(struct wish){ .max = { 0, 0, GEN3_X4 },
					 .now = { 0, 0, 0x041 | BYITSELF },
					 .payload = 2,
					 .modes = { MODES_100G, MODES_1G } },
			 "at most") == VERDICT_FAIL);
}

/* --- packets -------------------------------------------------------------------------------- */

static enum verdict payload(unsigned code, unsigned read_request, const char *says)
{
	AUTO_TREE struct tree t = { 0 };
	struct wish w = { .payload = code };
	struct space nic = space_express(ENDPOINT, 0x15b3, 0x101d);

	plant(&t, &w);
	put32(&nic, SPACE_EXPRESS + 4, 2);
	put16(&nic, SPACE_EXPRESS + 8, read_request << 12 | code << 5);
	tree_put_bytes(&t, "/sys/devices/" NIC0 "/config", nic.data, nic.len);
	return ask(&t, "pf.payload", says);
}

TEST(payloads)
{
	EXPECT(payload(2, 2, "packets of 512 bytes, all that the path can; reads of 512") ==
	       VERDICT_PASS);
	EXPECT(payload(3, 2, "more than port") == VERDICT_FAIL);
	/* Smaller than the ports': fine as long as no more is asked for at once. */
	EXPECT(payload(1, 2, "may send packets of more than the 256 bytes") == VERDICT_FAIL);
	EXPECT(payload(1, 1, "256 bytes of data, though all on the path can 512") == VERDICT_FAIL);
}

/* --- errors --------------------------------------------------------------------------------- */

#define CLEAN "RxErr 0\nTOTAL_ERR_COR 0\n"

static void put_counters(const struct tree *t, const char *nest, const char *correctable,
			 const char *nonfatal)
{
	tree_put_attr(t, nest, "aer_dev_correctable", correctable);
	tree_put_attr(t, nest, "aer_dev_nonfatal", nonfatal);
	tree_put_attr(t, nest, "aer_dev_fatal", "TOTAL_ERR_FATAL 0\n");
}

static void plant_counted(struct tree *t, const char *correctable, const char *nonfatal)
{
	plant(t, &(struct wish){ .payload = 2 });
	put_counters(t, PORT, CLEAN, "TOTAL_ERR_NONFATAL 0\n");
	put_counters(t, UP, CLEAN, "TOTAL_ERR_NONFATAL 0\n");
	put_counters(t, DOWN, correctable, nonfatal);
	put_counters(t, NIC0, CLEAN, "TOTAL_ERR_NONFATAL 0\n");
}

TEST(errors_that_are_counted)
{
	AUTO_TREE struct tree none = { 0 }, fatal = { 0 }, few = { 0 }, many = { 0 }, more = { 0 };
	static const char three[] = "RxErr 3\nTOTAL_ERR_COR 3\n",
			  nonfatal[] = "TOTAL_ERR_NONFATAL 0";

	plant_counted(&none, CLEAN, nonfatal);
	EXPECT(ask(&none, "pf.aer", "no error is counted") == VERDICT_PASS);
	plant_counted(&fatal, CLEAN, "CmpltTO 1\nTOTAL_ERR_NONFATAL 1\n");
	EXPECT(ask(&fatal, "pf.aer", "0000:02:00.0 has seen uncorrectable") == VERDICT_FAIL);
	plant_counted(&few, three, nonfatal);
	tree_put(&few, "/proc/uptime", "172800.55 1.00\n");
	EXPECT(ask(&few, "pf.aer", "3 correctable since boot") == VERDICT_PASS);
	plant_counted(&many, three, nonfatal);
	tree_put(&many, "/proc/uptime", "172799.55 1.00\n");
	EXPECT(ask(&many, "pf.aer", "whether they still grow is not known") == VERDICT_UNKNOWN);
	plant_counted(&more, three, nonfatal);
	tree_put(&more, "/proc/uptime", "172800.55 1.00\n");
	tree_put(&more, "/.sriovctl/aer/growth", "0000:02:00.0 2\n");
	EXPECT(ask(&more, "pf.aer", "correctable errors of 0000:02:00.0 grow") == VERDICT_FAIL);
}

static enum verdict standing(uint32_t uncorrectable, uint32_t mask, uint32_t correctable,
			     const char *says)
{
	AUTO_TREE struct tree t = { 0 };
	struct space nic = space_express(ENDPOINT, 0x15b3, 0x101d);

	plant(&t, &(struct wish){ .payload = 2 });
	put32(&nic, SPACE_EXT + 4, uncorrectable);
	put32(&nic, SPACE_EXT + 8, mask);
	put32(&nic, SPACE_EXT + 0x10, correctable);
	put32(&nic, SPACE_EXT + 0x14, 1 << 13);
	tree_put_bytes(&t, "/sys/devices/" NIC0 "/config", nic.data, nic.len);
	return ask(&t, "pf.aer", says);
}

TEST(errors_that_stand_in_a_register)
{
	EXPECT(standing(0, 0, 0, "none stands") == VERDICT_PASS);
	EXPECT(standing(1 << 18, 0, 0, BDF " has seen uncorrectable errors") == VERDICT_FAIL);
	EXPECT(standing(1 << 18, 1 << 18, 0, NULL) == VERDICT_PASS);
	EXPECT(standing(0, 0, 1 << 13, NULL) == VERDICT_PASS);
	EXPECT(standing(0, 0, 1 << 6, "which nobody counts") == VERDICT_UNKNOWN);
}

/* An ordinary user has 64 bytes: a count of none is an answer where the kernel counts. */
TEST(errors_that_cannot_be_seen)
{
	AUTO_TREE struct tree t = { 0 }, handled = { 0 };
	struct space nic = space_express(ENDPOINT, 0x15b3, 0x101d);

	plant_counted(&t, CLEAN, "TOTAL_ERR_NONFATAL 0");
	tree_put_bytes(&t, "/sys/devices/" NIC0 "/config", nic.data, 64);
	EXPECT(ask(&t, "pf.aer", "whether " BDF " has seen errors is not known") ==
	       VERDICT_UNKNOWN);
	plant_counted(&handled, CLEAN, "TOTAL_ERR_NONFATAL 0");
	tree_put_bytes(&handled, "/sys/devices/" NIC0 "/config", nic.data, 64);
	tree_put(&handled, "/sys/bus/pci_express/drivers/aer/0000:00:01.0:pcie002", "");
	EXPECT(ask(&handled, "pf.aer", "no error") == VERDICT_PASS);
}

/* --- ports ---------------------------------------------------------------------------------- */

static enum verdict carrier(const char *flags, const char *file, const char *modes,
			    const char *says)
{
	AUTO_TREE struct tree t = { 0 };

	plant(&t, &(struct wish){ .modes = { modes } });
	tree_put_attr(&t, NIC0, "net/eth0/flags", flags);
	tree_put_attr(&t, NIC0, "net/eth0/carrier", file);
	return ask(&t, "pf.carrier", says);
}

TEST(ports_have_carrier_at_their_speed)
{
	EXPECT(carrier("0x1003\n", "1\n", MODES_1G, "carrier at 1000 Mb/s") == VERDICT_PASS);
	EXPECT(carrier("0x1003\n", "1\n", NULL, "carrier") == VERDICT_PASS);
	EXPECT(carrier("0x1002\n", "1\n", MODES_1G, "the port is down") == VERDICT_FAIL);
	EXPECT(carrier("0x1003\n", "0\n", MODES_1G, "the port is up and has no carrier") ==
	       VERDICT_FAIL);
	EXPECT(carrier("0x1003\n", "1\n",
		       "speed 3e8\nsupported 1020\nadvertised 1020\npartner 20\n",
		       "at 1000 of 10000 Mb/s, all that its peer offers") == VERDICT_FAIL);
	EXPECT(carrier("0x1003\n", "1\n",
		       "speed 3e8\nsupported 1020\nadvertised 1020\npartner 1020\n",
		       "carrier at 1000 of 10000 Mb/s") == VERDICT_FAIL);
	/* Told to offer no more. */
	EXPECT(carrier("0x1003\n", "1\n",
		       "speed 3e8\nsupported 1020\nadvertised 20\npartner 1020\n",
		       "carrier at 1000 Mb/s") == VERDICT_PASS);
}

TEST(ports_in_common_are_counted_once)
{
	AUTO_TREE struct tree t = { 0 };
	struct linkpath_need need = { 0 };

	plant(&t, &(struct wish){ .modes = { MODES_25G, MODES_25G } });
	tree_put_attr(&t, NIC0, "net/eth0/phys_port_id", "0c42a1\n");
	tree_put_attr(&t, NIC1, "net/eth1/phys_port_id", "0c42a1\n");
	EXPECT(linkpath_need_read(t.h, "0000:00:01.0", &need, NULL) == 0);
	EXPECT(need.ports == 1 && need.least == 25000 && need.most == 25000 && !need.unknown);
}
