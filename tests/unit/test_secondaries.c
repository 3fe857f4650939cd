/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/secondaries.h>

#define LIST_SIZE 4096
#define ENTRIES	  127

static void put16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static void put_entry(uint8_t list[LIST_SIZE], const struct secondaries_item *s)
{
	uint8_t *p = list + 32 * (size_t)++list[0];

	put16(p, s->controller);
	put16(p + 2, 0x4000); /* its primary controller: not of interest */
	p[4] = (uint8_t)(0xfe | s->is_online);
	put16(p + 8, s->vf);
	put16(p + 10, s->vq);
	put16(p + 12, s->vi);
}

TEST(lists)
{
	static const struct secondaries_item items[] = {
		{ .controller = 0x102, .vf = 3, .vq = 0x203, .vi = 0x203, .is_online = true },
		{ .controller = 0x103, .vf = 0, .vq = 9, .vi = 9, .is_online = true },
		{ .controller = 0x104, .vf = 1, .vq = 3, .vi = 2 },
	};
	AUTO_SECONDARIES struct secondaries v = { 0 };
	uint8_t list[LIST_SIZE + 1] = { 0 };
	const struct secondaries_item *s;
	uint64_t n = 7;

	for (size_t i = 0; i < ARRAY_SIZE(items); i++)
		put_entry(list, &items[i]);
	EXPECT(secondaries_parse(list, LIST_SIZE, &v) == 0 && v.n == 3);
	s = secondaries_find(&v, 2);
	EXPECT(s && s->controller == 0x102 && s->is_online && s->vi == 0x203);
	EXPECT(s && secondaries_queues(s, &n) == 0 && n == 0x203);
	s = secondaries_find(&v, 0);
	EXPECT(s && s->controller == 0x104 && !s->is_online && s->vq == 3 && s->vi == 2);
	/* No VF has the controller that is of the PF, or that no function has yet. */
	EXPECT(!secondaries_find(&v, 1) && !secondaries_find(&v, UINT32_MAX));
	EXPECT(secondaries_parse(list, 0, &v) == -EBADMSG);
	EXPECT(secondaries_parse(list, LIST_SIZE - 1, &v) == -EBADMSG);
	EXPECT(secondaries_parse(list, LIST_SIZE + 1, &v) == -EBADMSG);
	list[0] = ENTRIES + 1;
	EXPECT(secondaries_parse(list, LIST_SIZE, &v) == -EBADMSG);
}

/* A full list is followed by another. */
TEST(more_than_one_list)
{
	AUTO_SECONDARIES struct secondaries v = { 0 };
	uint8_t lists[2][LIST_SIZE] = { 0 };

	for (uint16_t i = 0; i < ENTRIES + 2; i++) {
		const struct secondaries_item s = { .controller = i, .vf = (uint16_t)(i + 1) };

		put_entry(lists[i / ENTRIES], &s);
	}
	EXPECT(secondaries_parse(lists, sizeof(lists), &v) == 0 && v.n == ENTRIES + 2);
	EXPECT(secondaries_find(&v, ENTRIES + 1) == &v.items[ENTRIES + 1]);
}

TEST(what_queues_a_vf_has)
{
	static const struct {
		struct secondaries_item item;
		int r;
		uint64_t queues;
	} cases[] = {
		{ { .vq = 3, .vi = 3, .is_online = true }, 0, 3 },
		{ { .vq = 0 }, 0, 0 },
		{ { .vq = 3, .vi = 3 }, -ERANGE, 9 },
		{ { .vq = 3, .vi = 2, .is_online = true }, -ERANGE, 9 },
		{ { .is_online = true }, -ERANGE, 9 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t n = 9;

		EXPECT(secondaries_queues(&cases[i].item, &n) == cases[i].r);
		EXPECT(n == cases[i].queues);
	}
}

#define ANSWER "/.sriovctl/secondaries/0000:01:00.0"

TEST(of_a_capture)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_SECONDARIES struct secondaries v = { 0 };
	uint8_t list[LIST_SIZE] = { 0 };
	struct error e = { 0 };

	TREE(&t, { .path = "/sys/bus/pci/devices/0000:01:00.0/class", .text = "0x010802\n" });
	EXPECT(secondaries_read(t.h, "0000:01:00.0", &v, &e) == -ENODATA);
	EXPECT(strstr(e.text, "NVMe controller of 0000:01:00.0: "));
	put_entry(list, &(struct secondaries_item){ .controller = 1, .vf = 1 });
	tree_put_bytes(&t, ANSWER, (const char *)list, sizeof(list));
	EXPECT(secondaries_read(t.h, "0000:01:00.0", &v, &e) == 0 && v.n == 1);
	EXPECT(secondaries_open("ffff:ff:1f.7", 0) == -ENODEV);
}
