/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/identities.h>

#include "tree.h"

#include <sriovctl/error.h>
#include <sriovctl/spec.h>

#define DEVICES "/sys/bus/pci/devices"
#define NETS	"/sys/class/net"
#define PORT	"/sys/devices/pci0000:3a/0000:3a:00.0"
#define OTHER	"/sys/devices/pci0000:5b/0000:5b:00.0"
#define SPEC                                                                           \
	"{\"schema\": 1, \"pfs\": [{\"match\": {\"netdev\": \"other\"}, \"vfs\": 1}, " \
	"{\"match\": {\"pci\": \"3b:00.0\"}, \"vfs\": 2}]}"
#define MATCH "pci 0000:3b:00.0"

static void put_port(struct tree *t, const char *dir, const char *bdf)
{
	AUTO_BUF struct buf path = { 0 }, target = { 0 };

	buf_printf(&path, "%s/class", dir);
	tree_put(t, buf_text(&path), "0x060400\n");
	buf_clear(&path);
	buf_printf(&path, "%s/resource", dir);
	tree_put(t, buf_text(&path), "\n");
	buf_clear(&path);
	buf_printf(&path, DEVICES "/%s", bdf);
	buf_printf(&target, "../../../..%s", dir);
	tree_put_link(t, buf_text(&path), buf_text(&target));
}

struct card {
	const char *port, *bdf, *device, *netdev, *mac; /* no @netdev: no driver */
};

static void put_attr(struct tree *t, const struct card *c, const char *name, const char *text)
{
	AUTO_BUF struct buf path = { 0 };

	buf_printf(&path, "%s/%s/%s", c->port, c->bdf, name);
	tree_put(t, buf_text(&path), text);
}

static void put_card(struct tree *t, const struct card *c)
{
	AUTO_BUF struct buf path = { 0 }, target = { 0 };

	put_attr(t, c, "vendor", "0x8086\n");
	put_attr(t, c, "device", c->device);
	put_attr(t, c, "class", "0x020000\n");
	put_attr(t, c, "resource", "\n");
	put_attr(t, c, "sriov_totalvfs", "7\n");
	buf_printf(&path, DEVICES "/%s", c->bdf);
	buf_printf(&target, "../../../..%s/%s", c->port, c->bdf);
	tree_put_link(t, buf_text(&path), buf_text(&target));
	if (!c->netdev)
		return;
	buf_clear(&path);
	buf_printf(&path, "%s/%s/net/%s", c->port, c->bdf, c->netdev);
	tree_put_dir(t, buf_text(&path));
	buf_clear(&path);
	buf_printf(&path, NETS "/%s/addr_assign_type", c->netdev);
	tree_put(t, buf_text(&path), "0\n");
	buf_clear(&path);
	buf_printf(&path, NETS "/%s/address", c->netdev);
	tree_put(t, buf_text(&path), c->mac);
}

/* A machine with two ports and these cards. */
static void boot(struct tree *t, const struct card *cards, size_t n)
{
	tree_make(t);
	tree_put(t, "/proc/version", "Linux\n");
	put_port(t, PORT, "0000:3a:00.0");
	put_port(t, OTHER, "0000:5b:00.0");
	for (size_t i = 0; i < n; i++)
		put_card(t, &cards[i]);
	tree_open(t);
}

static const struct card first = { PORT, "0000:3b:00.0", "0x1592\n", "ens1",
				   "00:1b:21:00:00:01\n" };

/* What was noted when the card was there. */
static void know(struct identities *v)
{
	AUTO_TREE struct tree t = { 0 };

	boot(&t, &first, 1);
	EXPECT(identities_of_machine(v, "aaaa", NULL) == 0);
	EXPECT(identities_note(v, MATCH, t.h, first.bdf, NULL) == 0);
	EXPECT(v->n == 1 && strcmp(v->items[0].place, "0000:3a:00.0/00.0") == 0);
	EXPECT(v->items[0].mac == UINT64_C(0x001b21000001));
}

struct found {
	int code;
	char bdf[16], moved[64];
	struct error e;
};

/* What the match means on a machine with these cards. */
static struct found find(const struct identities *v, const struct card *cards, size_t n)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_SPEC struct spec *all = NULL, *part = NULL;
	AUTO_BUF struct buf bdf = { 0 }, moved = { 0 };
	struct found f = { 0 };

	boot(&t, cards, n);
	EXPECT(spec_parse(SPEC, strlen(SPEC), "f", &all, NULL) == 0);
	EXPECT(spec_part(all, 1, &part, NULL) == 0);
	f.code = identities_match(v, part, t.h, &bdf, &moved, &f.e);
	(void)snprintf(f.bdf, sizeof(f.bdf), "%.15s", buf_text(&bdf));
	(void)snprintf(f.moved, sizeof(f.moved), "%.63s", buf_text(&moved));
	return f;
}

TEST(nothing_is_known_before_the_first_boot)
{
	struct identities none = { 0 };
	struct found f = find(&none, &first, 1);

	EXPECT(f.code == 0 && strcmp(f.bdf, "0000:3b:00.0") == 0 && !*f.moved);
}

TEST(the_same_card_in_its_place)
{
	AUTO_IDENTITIES struct identities v = { 0 };
	struct found f;

	know(&v);
	f = find(&v, &first, 1);
	EXPECT(f.code == 0 && strcmp(f.bdf, "0000:3b:00.0") == 0 && !*f.moved);
}

/* Another card has its address now, which is what the match says. */
TEST(a_card_that_moved_is_found)
{
	static const struct card cards[] = {
		{ PORT, "0000:3b:00.0", "0x1592\n", "ens1", "00:1b:21:00:00:99\n" },
		{ OTHER, "0000:5c:00.0", "0x1592\n", "ens2", "00:1b:21:00:00:01\n" },
	};
	AUTO_IDENTITIES struct identities v = { 0 };
	struct found f;

	know(&v);
	f = find(&v, cards, 2);
	EXPECT(f.code == 0 && strcmp(f.bdf, "0000:5c:00.0") == 0);
	EXPECT(strcmp(f.moved, "0000:3a:00.0/00.0") == 0);
	f = find(&v, &cards[1], 1);
	EXPECT(f.code == 0 && strcmp(f.bdf, "0000:5c:00.0") == 0);
}

TEST(a_card_that_was_replaced_is_told)
{
	static const struct card same_kind = { PORT, "0000:3b:00.0", "0x1592\n", "ens1",
					       "00:1b:21:00:00:99\n" };
	static const struct card other_kind = { PORT, "0000:3b:00.0", "0x1593\n", NULL, NULL };
	AUTO_IDENTITIES struct identities v = { 0 };
	struct found f;

	know(&v);
	f = find(&v, &same_kind, 1);
	EXPECT(f.code == -ESTALE && strstr(f.e.text, "the card was replaced"));
	EXPECT(strcmp(f.bdf, "0000:3b:00.0") == 0);
	EXPECT(strstr(f.e.text, "00:1b:21:00:00:01") && strstr(f.e.text, "00:1b:21:00:00:99"));
	EXPECT(strstr(f.e.text, "--persist --replace"));
	f = find(&v, &other_kind, 1);
	EXPECT(f.code == -ESTALE && strstr(f.e.text, "8086:1593"));
}

/* Its address is told once it has a driver: till then it is the card for all that is known. */
TEST(a_card_without_driver_may_be_it)
{
	static const struct card late = { PORT, "0000:3b:00.0", "0x1592\n", NULL, NULL };
	AUTO_IDENTITIES struct identities v = { 0 };
	struct found f;

	know(&v);
	f = find(&v, &late, 1);
	EXPECT(f.code == 0 && strcmp(f.bdf, "0000:3b:00.0") == 0);
}

TEST(a_card_that_is_gone_is_not_there)
{
	AUTO_IDENTITIES struct identities v = { 0 };
	struct found f;

	know(&v);
	f = find(&v, &first, 0);
	EXPECT(f.code == -ENODEV && strstr(f.e.text, "is not there"));
	EXPECT(strstr(f.e.text, "0000:3a:00.0/00.0"));
}

TEST(another_machine_starts_anew)
{
	AUTO_IDENTITIES struct identities v = { 0 };

	know(&v);
	EXPECT(identities_of_machine(&v, "aaaa", NULL) == 0 && v.n == 1);
	EXPECT(identities_of_machine(&v, "bbbb", NULL) == 0);
	EXPECT(v.n == 0 && v.machine && strcmp(v.machine, "bbbb") == 0);
}

TEST(the_file_says_the_same)
{
	AUTO_IDENTITIES struct identities v = { 0 }, again = { 0 };
	AUTO_BUF struct buf text = { 0 }, second = { 0 };

	know(&v);
	EXPECT(identities_print(&v, &text, NULL) == 0);
	EXPECT(identities_parse(buf_text(&text), text.len, &again, NULL) == 0);
	EXPECT(again.n == 1 && again.items[0].mac == v.items[0].mac);
	EXPECT(again.items[0].vendor == 0x8086 && again.items[0].device == 0x1592);
	EXPECT(identities_print(&again, &second, NULL) == 0);
	EXPECT(strcmp(buf_text(&text), buf_text(&second)) == 0);
}

TEST(a_file_that_is_none_is_refused)
{
	static const char *const texts[] = {
		"",
		"{}",
		"{\"schema\": 2, \"cards\": []}",
		"{\"schema\": 1, \"cards\": [{}]}",
		"{\"schema\": 1, \"cards\": [{\"match\": \"m\", \"place\": \"p\"}]}",
		("{\"schema\": 1, \"cards\": [{\"match\": \"m\", \"place\": \"p\", \"id\": "
		 "\"8086:x\"}]}"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_IDENTITIES struct identities v = { 0 };
		struct error e = { 0 };

		EXPECT(identities_parse(texts[i], strlen(texts[i]), &v, &e) == -EINVAL);
		EXPECT(e.text[0] != '\0');
	}
}
