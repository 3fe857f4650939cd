/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which capabilities a space has, and why one was not found. */
#include "tree.h"

#include "space.h"

#include <sriovctl/error.h>

#include <errno.h>

#define BDF    "0000:3b:00.0"
#define CONFIG "/sys/bus/pci/devices/" BDF "/config"
#define ROUNDS 100

static int cap(const struct space *s, uint8_t id)
{
	struct pciconf c;
	uint16_t at = 0;
	int r = parse_space(s, &c);

	if (r == 0)
		r = pciconf_cap(&c, id, &at);
	return r < 0 ? r : at;
}

static int ext_cap(const struct space *s, uint16_t id)
{
	struct pciconf c;
	uint16_t at = 0;
	int r = parse_space(s, &c);

	if (r == 0)
		r = pciconf_ext_cap(&c, id, &at);
	return r < 0 ? r : at;
}

TEST(both_lists_are_walked)
{
	struct space s;

	make_express(&s, 4096);
	put_cap(&s, 0x40, PCI_CAP_ID_EXP, 0xfe); /* the low bits do not count */
	put_cap(&s, 0xfc, PCI_CAP_ID_PM, 0);
	put_ext_cap(&s, 0x100, PCI_EXT_CAP_ID_ERR, 0xffc);
	put_ext_cap(&s, 0xffc, PCI_EXT_CAP_ID_ACS, 0x140);
	put_ext_cap(&s, 0x140, PCI_EXT_CAP_ID_SRIOV, 0);
	EXPECT(cap(&s, PCI_CAP_ID_EXP) == 0x40);
	EXPECT(cap(&s, PCI_CAP_ID_PM) == 0xfc);
	EXPECT(cap(&s, PCI_CAP_ID_MSI) == -ENOENT);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_ERR) == 0x100);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_ACS) == 0xffc);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == 0x140);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_ARI) == -ENOENT);
}

TEST(first_of_several_counts)
{
	struct space s;

	make_express(&s, 4096);
	s.data[0x41] = 0x90;
	put_cap(&s, 0x90, PCI_CAP_ID_VNDR, 0x80);
	put_cap(&s, 0x80, PCI_CAP_ID_VNDR, 0);
	put_ext_cap(&s, 0x100, PCI_EXT_CAP_ID_VNDR, 0x300);
	put_ext_cap(&s, 0x300, PCI_EXT_CAP_ID_DSN, 0x200);
	put_ext_cap(&s, 0x200, PCI_EXT_CAP_ID_DSN, 0);
	EXPECT(cap(&s, PCI_CAP_ID_VNDR) == 0x90);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_DSN) == 0x300);
}

TEST(ordinary_user_is_told_so)
{
	struct space s;

	make_express(&s, 64);
	EXPECT(cap(&s, PCI_CAP_ID_EXP) == -EACCES);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -EACCES);
	make_space(&s, 64, 0);
	EXPECT(cap(&s, PCI_CAP_ID_EXP) == -ENOENT);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -ENOENT);
}

TEST(space_without_ecam)
{
	struct space s;

	make_express(&s, 256);
	EXPECT(cap(&s, PCI_CAP_ID_EXP) == 0x40);
	EXPECT(cap(&s, PCI_CAP_ID_PM) == -ENOENT);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -ENODATA);
}

TEST(conventional_function_has_no_extended_space)
{
	struct space s;

	make_space(&s, 256, 0x40);
	put_cap(&s, 0x40, PCI_CAP_ID_PM, 0);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -ENOENT);
}

TEST(extended_space_is_empty_or_unreadable)
{
	struct space s;

	make_express(&s, 4096);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -ENOENT);
	memset(s.data + 0x100, 0xff, 0xf00);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -ENODATA);
	put_ext_cap(&s, 0x100, PCI_EXT_CAP_ID_ERR, 0x200);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_ERR) == 0x100);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -ENODATA);
}

TEST(mirrored_space_is_damage)
{
	struct space s;

	make_express(&s, 4096);
	/* As an extended header the ids below are SR-IOV, and its pointer leads nowhere. */
	put32(&s, 0, 0x00010010);
	for (size_t at = 256; at < 4096; at += 256)
		memcpy(s.data + at, s.data, 256);
	EXPECT(cap(&s, PCI_CAP_ID_EXP) == 0x40);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -EBADMSG);
	s.data[0xf00]++;
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == 0x100);
}

TEST(function_that_is_gone)
{
	struct space s = { .len = 256 };
	struct pciconf c;

	memset(s.data, 0xff, sizeof(s.data));
	EXPECT(parse_space(&s, &c) == -ENODATA);
	/* It went while it was read. */
	make_express(&s, 256);
	memset(s.data + 0x40, 0xff, 192);
	EXPECT(cap(&s, PCI_CAP_ID_EXP) == -ENODATA);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -ENODATA);
}

TEST(ids_of_vfs_read_all_ones)
{
	struct space s;

	make_express(&s, 4096);
	put32(&s, PCI_VENDOR_ID, 0xffffffff);
	put_ext_cap(&s, 0x100, PCI_EXT_CAP_ID_ARI, 0);
	EXPECT(cap(&s, PCI_CAP_ID_EXP) == 0x40);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_ARI) == 0x100);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -ENOENT);
	memset(s.data + 0x100, 0xff, 0xf00);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -ENODATA);
}

TEST(loops_are_damage)
{
	struct space s;

	make_express(&s, 4096);
	s.data[0x41] = 0x80;
	put_cap(&s, 0x80, PCI_CAP_ID_PM, 0x40);
	put_ext_cap(&s, 0x100, PCI_EXT_CAP_ID_ERR, 0x200);
	put_ext_cap(&s, 0x200, PCI_EXT_CAP_ID_ARI, 0x200);
	EXPECT(cap(&s, PCI_CAP_ID_PM) == 0x80);
	EXPECT(cap(&s, PCI_CAP_ID_MSI) == -EBADMSG);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_ARI) == 0x200);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -EBADMSG);
}

TEST(pointers_into_the_header_are_damage)
{
	struct space s;

	/* What libpci follows: a capability at 0x80 by way of the header. */
	make_express(&s, 4096);
	s.data[0x41] = 0x3c;
	put_cap(&s, 0x3c, PCI_CAP_ID_VNDR, 0x80);
	put_cap(&s, 0x80, PCI_CAP_ID_PM, 0);
	put_ext_cap(&s, 0x100, PCI_EXT_CAP_ID_ERR, 0x84);
	put_ext_cap(&s, 0x84, PCI_EXT_CAP_ID_SRIOV, 0);
	EXPECT(cap(&s, PCI_CAP_ID_EXP) == 0x40);
	EXPECT(cap(&s, PCI_CAP_ID_PM) == -EBADMSG);
	EXPECT(cap(&s, PCI_CAP_ID_VNDR) == -EBADMSG);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_ERR) == 0x100);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -EBADMSG);
}

TEST(damaged_normal_list_hides_the_extended_one)
{
	struct space s;

	make_express(&s, 4096);
	s.data[PCI_CAPABILITY_LIST] = 0x20;
	put_ext_cap(&s, 0x100, PCI_EXT_CAP_ID_SRIOV, 0);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -EBADMSG);
}

TEST(cut_captures)
{
	struct space s;
	struct pciconf c;

	make_express(&s, 0x180);
	s.data[0x41] = 0xc0;
	put_cap(&s, 0xc0, PCI_CAP_ID_PM, 0);
	put_ext_cap(&s, 0x100, PCI_EXT_CAP_ID_ERR, 0x180);
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_SRIOV) == -ENODATA);
	s.len = 0xc0;
	EXPECT(cap(&s, PCI_CAP_ID_PM) == -ENODATA);
	s.len = 0xc2;
	EXPECT(cap(&s, PCI_CAP_ID_PM) == 0xc0);
	s.len = 63;
	EXPECT(parse_space(&s, &c) == -ENODATA);
	s.len = PCICONF_MAX + 1;
	EXPECT(parse_space(&s, &c) == -EFBIG);
}

TEST(cardbus_bridge_is_not_looked_at)
{
	struct space s;

	make_express(&s, 256);
	s.data[PCI_HEADER_TYPE] = PCI_HEADER_TYPE_CARDBUS;
	EXPECT(cap(&s, PCI_CAP_ID_EXP) == -ENODATA);
	s.len = 128;
	EXPECT(ext_cap(&s, PCI_EXT_CAP_ID_ACS) == -ENODATA);
}

TEST(unfilled_space_says_nothing)
{
	struct pciconf c = { 0 };
	uint16_t at;

	EXPECT(pciconf_cap(&c, PCI_CAP_ID_EXP, &at) == -ENODATA);
	EXPECT(pciconf_ext_cap(&c, PCI_EXT_CAP_ID_SRIOV, &at) == -ENODATA);
	EXPECT(pciconf_u16(&c, 0) == 0xffff);
	EXPECT(pciconf_u32(&c, SIZE_MAX) == 0xffffffff);
}

TEST(registers_at_the_edge)
{
	struct space s;
	struct pciconf c;

	make_space(&s, 256, 0);
	put32(&s, 0xfc, 0x11223344);
	EXPECT(parse_space(&s, &c) == 0);
	EXPECT(pciconf_u32(&c, 0xfc) == 0x11223344);
	EXPECT(pciconf_u32(&c, 0xfd) == 0xffffffff);
	EXPECT(pciconf_u16(&c, 0xfe) == 0x1122);
	EXPECT(pciconf_u16(&c, 0xff) == 0xffff);
}

/* A walk of the test's own, to compare with what libpci found. */
static int walk(const struct space *s, uint8_t id)
{
	unsigned at = s->data[PCI_CAPABILITY_LIST] & 0xfc;

	for (int i = 0; i < 48; i++) {
		if (at == 0)
			return -ENOENT;
		if (at < 0x40)
			return -EBADMSG;
		if (s->data[at] == 0xff)
			return -ENODATA;
		if (s->data[at] == id)
			return (int)at;
		at = s->data[at + 1] & 0xfc;
	}
	return -EBADMSG;
}

static int walk_ext(const struct space *s, uint16_t id)
{
	unsigned at = 0x100;

	for (int i = 0; i < 960; i++) {
		uint32_t head;

		memcpy(&head, s->data + at, 4);
		if (head == 0)
			return -ENOENT;
		if (head == UINT32_MAX)
			return -ENODATA;
		if ((head & 0xffff) == id)
			return (int)at;
		at = head >> 20 & 0xffc;
		if (at < 0x100)
			return at == 0 ? -ENOENT : -EBADMSG;
	}
	return -EBADMSG;
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* Links of which some lead on, some nowhere, some back. */
static void make_random(struct space *s, uint32_t *state)
{
	make_express(s, 4096);
	for (unsigned at = 0x40; at < 0x100; at += 4)
		put_cap(s, (uint8_t)at, (uint8_t)(next_random(state) % 24),
			(uint8_t)next_random(state));
	for (unsigned at = 0x100; at < 0x1000; at += 4)
		put_ext_cap(s, (uint16_t)at, (uint16_t)(next_random(state) % 48),
			    (uint16_t)(next_random(state) % 0x1000));
	put_cap(s, 0x40, PCI_CAP_ID_EXP, (uint8_t)next_random(state));
	if (next_random(state) % 4 == 0)
		s->data[0x40 + next_random(state) % 64 * 3] = 0xff;
}

TEST(libpci_agrees_with_another_walk)
{
	uint32_t state = 1;
	int differ = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct pciconf c;
		struct space s;
		uint16_t at;
		int r;

		make_random(&s, &state);
		if (walk(&s, PCI_CAP_ID_EXP) < 0)
			continue;
		EXPECT(parse_space(&s, &c) == 0);
		for (unsigned id = 0; id < 48; id++) {
			r = pciconf_cap(&c, (uint8_t)id, &at);
			differ += (r < 0 ? r : at) != walk(&s, (uint8_t)id);
			r = pciconf_ext_cap(&c, (uint16_t)id, &at);
			differ += (r < 0 ? r : at) != walk_ext(&s, (uint16_t)id);
		}
	}
	EXPECT(differ == 0);
}

static int read_tree(const struct space *s, struct pciconf *ret)
{
	AUTO_TREE struct tree t = { 0 };

	tree_make(&t);
	tree_put_dir(&t, "/sys/bus/pci/devices/" BDF);
	/* What was captured was awake, whatever is told of it. */
	tree_put(&t, "/sys/bus/pci/devices/" BDF "/power/runtime_status", "suspended\n");
	tree_put(&t, "/sys/bus/pci/devices/" BDF "/power_state", "D3cold\n");
	if (s)
		tree_put_bytes(&t, CONFIG, s->data, s->len);
	tree_open(&t);
	return pciconf_read(t.h, BDF, ret, NULL);
}

TEST(read_from_a_captured_root)
{
	struct pciconf c;
	struct space s;
	uint16_t at;

	make_express(&s, 4096);
	put_ext_cap(&s, 0x100, PCI_EXT_CAP_ID_ERR, 0);
	EXPECT(read_tree(&s, &c) == 0);
	EXPECT(c.len == 4096 && memcmp(c.data, s.data, 4096) == 0);
	EXPECT(pciconf_cap(&c, PCI_CAP_ID_EXP, &at) == 0 && at == 0x40);
	s.len = 64;
	EXPECT(read_tree(&s, &c) == 0);
	EXPECT(c.len == 64);
	s.len = 0;
	EXPECT(read_tree(&s, &c) == -ENODATA);
	s.len = PCICONF_MAX + 1;
	EXPECT(read_tree(&s, &c) == -EFBIG);
	EXPECT(read_tree(NULL, &c) == -ENOENT);
}

TEST(read_wants_an_address)
{
	AUTO_TREE struct tree t = { 0 };
	struct error e = { 0 };
	struct pciconf c;

	tree_make(&t);
	tree_put_dir(&t, "/sys");
	tree_open(&t);
	EXPECT(pciconf_read(t.h, "../../etc", &c, &e) == -EINVAL);
	EXPECT(pciconf_read(t.h, BDF, &c, &e) == -ENODATA);
}

TEST(every_answer_has_its_sentence)
{
	static const int codes[] = { -ENOENT, -EACCES, -ENODATA, -EAGAIN, -EBADMSG, -EIO };

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		for (size_t j = 0; j < i; j++)
			EXPECT(strcmp(pciconf_why(codes[i]), pciconf_why(codes[j])) != 0);
	}
}

/* tar and others fill what they could not read of a file with zeroes. */
TEST(what_was_filled_up_was_not_read)
{
	struct pciconf c;
	struct space s;
	uint16_t at;

	make_express(&s, 4096);
	memset(s.data + 0x40, 0, sizeof(s.data) - 0x40);
	EXPECT(read_tree(&s, &c) == 0 && c.len == 64);
	EXPECT(pciconf_cap(&c, PCI_CAP_ID_EXP, &at) == -EACCES);
	EXPECT(pciconf_ext_cap(&c, PCI_EXT_CAP_ID_SRIOV, &at) == -EACCES);
	make_express(&s, 4096);
	EXPECT(read_tree(&s, &c) == 0 && c.len == 256);
	EXPECT(pciconf_cap(&c, PCI_CAP_ID_EXP, &at) == 0);
	EXPECT(pciconf_ext_cap(&c, PCI_EXT_CAP_ID_SRIOV, &at) == -ENODATA);
	/* Without a list there is nothing that could have been lost. */
	make_space(&s, 4096, 0);
	EXPECT(read_tree(&s, &c) == 0);
	EXPECT(pciconf_ext_cap(&c, PCI_EXT_CAP_ID_SRIOV, &at) == -ENOENT);
}

TEST(what_many_are_read_ahead_is_remembered)
{
	static char names[][16] = { "0000:3b:00.0", "0000:3b:00.1", "no address", "0000:3b:00.2" };
	char *const bdfs[] = { names[0], names[1], names[2], names[3] };
	AUTO_TREE struct tree t = { 0 };
	struct pciconf c;
	struct space s;
	uint16_t at;

	tree_new(&t);
	make_express(&s, 256);
	tree_put_bytes(&t, "/sys/bus/pci/devices/0000:3b:00.0/config", s.data, 256);
	tree_put_bytes(&t, "/sys/bus/pci/devices/0000:3b:00.1/config", s.data, 10);
	put_cap(&s, 0x40, PCI_CAP_ID_MSIX, 0);
	tree_put_bytes(&t, "/sys/bus/pci/devices/0000:3b:00.2/config", s.data, 256);
	pciconf_read_ahead(t.h, bdfs, ARRAY_SIZE(bdfs));
	/* What is there by now does not matter. */
	tree_put_bytes(&t, "/sys/bus/pci/devices/0000:3b:00.2/config", s.data, 10);
	pciconf_read_ahead(t.h, bdfs, ARRAY_SIZE(bdfs));
	pciconf_read_ahead(t.h, NULL, 0);
	EXPECT(pciconf_read(t.h, names[0], &c, NULL) == 0);
	EXPECT(pciconf_cap(&c, PCI_CAP_ID_EXP, &at) == 0);
	EXPECT(pciconf_read(t.h, names[1], &c, NULL) == -ENODATA);
	EXPECT(pciconf_read(t.h, names[2], &c, NULL) == -EINVAL);
	EXPECT(pciconf_read(t.h, names[3], &c, NULL) == 0);
	EXPECT(pciconf_cap(&c, PCI_CAP_ID_MSIX, &at) == 0 && at == 0x40);
	EXPECT(pciconf_cap(&c, PCI_CAP_ID_EXP, &at) == -ENOENT);
}

TEST(a_sleeping_function_is_called_one)
{
	EXPECT(strstr(pciconf_why(-EAGAIN), "sleeps") && strstr(pciconf_why(-EAGAIN), "wake"));
}
