/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A configuration space that a test writes: SPACE(s, 256) is a type 0 header with no capability. */
#ifndef TESTS_SPACE_H
#define TESTS_SPACE_H

#include <sriovctl/pciconf.h>

#include <linux/pci_regs.h>
#include <string.h>

struct space {
	size_t len;
	uint8_t data[PCICONF_MAX + 1];
};

static inline void put16(struct space *s, size_t at, uint16_t value)
{
	s->data[at] = (uint8_t)value;
	s->data[at + 1] = (uint8_t)(value >> 8);
}

static inline void put32(struct space *s, size_t at, uint32_t value)
{
	put16(s, at, (uint16_t)value);
	put16(s, at + 2, (uint16_t)(value >> 16));
}

/* A capability at @at whose pointer leads to @next. */
static inline void put_cap(struct space *s, uint8_t at, uint8_t id, uint8_t next)
{
	put16(s, at, (uint16_t)(id | next << 8));
}

static inline void put_ext_cap(struct space *s, uint16_t at, uint16_t id, uint16_t next)
{
	put32(s, at, id | 1u << 16 | (uint32_t)next << 20);
}

/* With a list of capabilities that begins at @first; 0: without one. */
static inline void make_space(struct space *s, size_t len, uint8_t first)
{
	memset(s, 0, sizeof(*s));
	s->len = len;
	put32(s, PCI_VENDOR_ID, 0x15728086);
	put16(s, PCI_STATUS, first ? PCI_STATUS_CAP_LIST : 0);
	s->data[PCI_CAPABILITY_LIST] = first;
}

/* A PCI Express endpoint whose capability of version 2 is all the normal list has. */
static inline void make_express(struct space *s, size_t len)
{
	make_space(s, len, 0x40);
	put_cap(s, 0x40, PCI_CAP_ID_EXP, 0);
	put16(s, 0x42, 0x0002);
}

static inline int parse_space(const struct space *s, struct pciconf *ret)
{
	return pciconf_parse(s->data, s->len, ret, NULL);
}

#endif
