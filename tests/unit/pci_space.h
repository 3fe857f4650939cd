/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions for a tree.h: a configuration space of the registers that are asked for, put
 * where sysfs has it.
 */
#ifndef TESTS_PCI_SPACE_H
#define TESTS_PCI_SPACE_H

#include "space.h"
#include "tree.h"

#define SPACE_EXPRESS 0x40
#define SPACE_POWER   0x80
#define SPACE_EXT     0x100
#define SPACE_EXT2    0x140

/* PCI Express of @type, a power capability (D0), and an extended list that has AER alone. */
static inline struct space space_express(unsigned type, uint16_t vendor, uint16_t device)
{
	struct space s = { .len = PCICONF_MAX };

	put16(&s, 0x00, vendor);
	put16(&s, 0x02, device);
	put16(&s, 0x06, 0x10);
	s.data[0x34] = SPACE_EXPRESS;
	put16(&s, SPACE_EXPRESS, 0x10 | SPACE_POWER << 8);
	put16(&s, SPACE_EXPRESS + 2, 2 | type << 4);
	put16(&s, SPACE_POWER, 0x01);
	put16(&s, SPACE_POWER + 2, 3);
	put32(&s, SPACE_EXT, 0x00010001);
	return s;
}

static inline struct space space_bridge(unsigned type, unsigned bus, unsigned secondary,
					unsigned subordinate)
{
	struct space s = space_express(type, 0x1b36, 0x000c);

	s.data[0x0e] = 1;
	s.data[0x18] = (uint8_t)bus;
	s.data[0x19] = (uint8_t)secondary;
	s.data[0x1a] = (uint8_t)subordinate;
	return s;
}

static inline struct space space_conventional(void)
{
	struct space s = { .len = 256 };

	put32(&s, 0x00, 0x100e8086);
	return s;
}

static inline void space_add_acs(struct space *s, uint16_t cap, uint16_t ctrl)
{
	put32(s, SPACE_EXT, 0x00010001 | SPACE_EXT2 << 20);
	put32(s, SPACE_EXT2, 0x0001000d);
	put16(s, SPACE_EXT2 + 4, cap);
	put16(s, SPACE_EXT2 + 6, ctrl);
}

/* @max and @now: speed index | lanes << 4 | the flags of LnkSta */
static inline void space_add_link(struct space *s, uint32_t max, uint16_t now)
{
	put32(s, SPACE_EXPRESS + 0x0c, max);
	put16(s, SPACE_EXPRESS + 0x12, now);
	put32(s, SPACE_EXPRESS + 0x2c, ((1u << (max & 0xf)) - 1) << 1);
}

/* A file of the function at @nest, "pci0000:00/0000:00:01.0". */
static inline void tree_put_attr(const struct tree *t, const char *nest, const char *file,
				 const char *text)
{
	AUTO_BUF struct buf path = { 0 };

	buf_printf(&path, "/sys/devices/%s/%s", nest, file);
	tree_put(t, buf_text(&path), text);
}

/* A link of the function to @target, which need not be there. */
static inline void tree_put_attr_link(const struct tree *t, const char *nest, const char *file,
				      const char *target)
{
	AUTO_BUF struct buf path = { 0 };

	buf_printf(&path, "/sys/devices/%s/%s", nest, file);
	tree_put_link(t, buf_text(&path), target);
}

static inline const char *tree_last(const char *nest)
{
	const char *slash = strrchr(nest, '/');

	return slash ? slash + 1 : nest;
}

/* The function at @nest, with its space and its class; @s NULL: none. */
static inline void tree_put_function(const struct tree *t, const char *nest, const struct space *s)
{
	AUTO_BUF struct buf path = { 0 }, link = { 0 }, target = { 0 }, text = { 0 };

	buf_printf(&path, "/sys/devices/%s/config", nest);
	if (s)
		tree_put_bytes(t, buf_text(&path), s->data, s->len);
	tree_put_attr(t, nest, "class", s && (s->data[0x0e] & 0x7f) == 1 ? "0x060400" : "0x020000");
	if (s) {
		buf_printf(&text, "0x%02x%02x", s->data[1], s->data[0]);
		tree_put_attr(t, nest, "vendor", buf_text(&text));
		buf_clear(&text);
		buf_printf(&text, "0x%02x%02x", s->data[3], s->data[2]);
		tree_put_attr(t, nest, "device", buf_text(&text));
	}
	buf_printf(&link, "/sys/bus/pci/devices/%s", tree_last(nest));
	buf_printf(&target, "../../../devices/%s", nest);
	tree_put_link(t, buf_text(&link), buf_text(&target));
}

/* The function at @nest is in IOMMU group @group, both ways. */
static inline void tree_put_group(const struct tree *t, const char *nest, const char *group)
{
	AUTO_BUF struct buf path = { 0 }, target = { 0 };

	buf_printf(&target, "/sys/kernel/iommu_groups/%s", group);
	tree_put_attr_link(t, nest, "iommu_group", buf_text(&target));
	buf_printf(&path, "/sys/kernel/iommu_groups/%s/devices/%s", group, tree_last(nest));
	buf_clear(&target);
	buf_printf(&target, "/sys/devices/%s", nest);
	tree_put_link(t, buf_text(&path), buf_text(&target));
}

#endif
