/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pciconf_parse.h"

#include <sriovctl/error.h>
#include <sriovctl/pciconf.h>

#include <errno.h>
#include <linux/pci_regs.h>
#include <string.h>

#define FOR_USERS PCI_STD_HEADER_SIZEOF /* drivers/pci/pci-sysfs.c, pci_read_config() */
#define ALL_ONES  0xffffffffu

/*
 * The two lists, which differ in where they may go.  @pointer 0 is the end of a list; a
 * pointer's low two bits are reserved in both (PCI Express Base Specification 7.5.1.1.11,
 * 7.6.3).
 */
struct region {
	size_t start, end, header_size;
};
static const struct region normal = { .start = 0x40, .end = 0x100, .header_size = 2 };
static const struct region extended = { .start = 0x100, .end = PCICONF_MAX, .header_size = 4 };

static bool is_inside(const struct pciconf *c, const struct region *g, size_t at)
{
	return at >= g->start && at < g->end && at + g->header_size <= c->len;
}

static size_t next_of(const struct pciconf *c, const struct region *g, size_t at)
{
	if (g == &normal)
		return c->data[at + PCI_CAP_LIST_NEXT] & ~3u;
	return PCI_EXT_CAP_NEXT(pciconf_u32(c, at));
}

/*
 * Takes what was found, as far as it is what the pointers from @at on lead to.  Returns
 * the pointer that was not followed any more.
 */
static size_t take(struct pciconf *c, const struct region *g, size_t at,
		   const struct pciconf_libpci_cap *found, size_t n)
{
	size_t *count = g == &normal ? &c->n_caps : &c->n_ext_caps;
	size_t most = (g->end - g->start) / 4;

	for (size_t i = 0; i < n && *count < most; i++) {
		if (found[i].extended != (g == &extended))
			continue;
		if (found[i].offset != at || !is_inside(c, g, at))
			break;
		c->caps[c->n_caps + c->n_ext_caps] = (uint16_t)at;
		(*count)++;
		at = next_of(c, g, at);
	}
	return at;
}

/* Why nothing was found at @at, to which a pointer of the list leads. */
static int explain_end(const struct pciconf *c, const struct region *g, size_t at)
{
	if (at == 0)
		return -ENOENT;
	if (at < g->start)
		return -EBADMSG;
	if (!is_inside(c, g, at))
		return c->len == FOR_USERS ? -EACCES : -ENODATA;
	if (g == &normal)
		return c->data[at] == 0xff ? -ENODATA : -EBADMSG;
	if (pciconf_u32(c, at) == ALL_ONES)
		return -ENODATA;
	/* An empty header is how a space says that it has no extended capabilities. */
	return pciconf_u32(c, at) == 0 ? -ENOENT : -EBADMSG;
}

/*
 * Of a space that is known in part a pointer may be a guess, past what was not printed: then the
 * list was not seen whole, wherever it ends.
 */
static bool is_whole(const struct pciconf *c, const struct region *g)
{
	bool is_normal = g == &normal;
	const uint16_t *caps = is_normal ? c->caps : c->caps + c->n_caps;
	size_t n = is_normal ? c->n_caps : c->n_ext_caps;

	if (is_normal && !pciconf_knows(c, PCI_CAPABILITY_LIST, 0xfc))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!pciconf_knows(c, caps[i], is_normal ? 0xfcff : 0xfff0ffff))
			return false;
	return is_normal || n > 0 || pciconf_knows(c, g->start, UINT32_MAX);
}

static int known_end(const struct pciconf *c, const struct region *g, int end)
{
	return end == -ENOENT && !is_whole(c, g) ? -ENODATA : end;
}

static int take_normal(struct pciconf *c, const struct pciconf_libpci_cap *found, size_t n)
{
	size_t at = c->data[PCI_CAPABILITY_LIST] & ~3u;

	if (!(pciconf_u16(c, PCI_STATUS) & PCI_STATUS_CAP_LIST))
		return pciconf_knows(c, PCI_STATUS, PCI_STATUS_CAP_LIST) ? -ENOENT : -ENODATA;
	/* A CardBus bridge has its pointer elsewhere, where libpci does not look. */
	if ((c->data[PCI_HEADER_TYPE] & 0x7f) > PCI_HEADER_TYPE_BRIDGE)
		return -ENODATA;
	at = take(c, &normal, at, found, n);
	return known_end(c, &normal, explain_end(c, &normal, at));
}

/*
 * A host bridge that ignores the upper bits of the register number answers everywhere
 * with the first registers (drivers/pci/probe.c, pci_ext_cfg_is_aliased()).
 */
static bool is_mirrored(const struct pciconf *c)
{
	uint32_t ids = pciconf_u32(c, PCI_VENDOR_ID);

	if (c->known)
		return false;
	for (size_t at = 0x100; at + 4 <= c->len; at += 0x100) {
		if (pciconf_u32(c, at) != ids)
			return false;
	}
	return ids != ALL_ONES && c->len > 0x100;
}

static int take_extended(struct pciconf *c, const struct pciconf_libpci_cap *found, size_t n)
{
	uint16_t express;
	int r = pciconf_cap(c, PCI_CAP_ID_EXP, &express);

	if (r < 0)
		return r;
	if (is_mirrored(c))
		return -EBADMSG;
	return known_end(c, &extended,
			 explain_end(c, &extended, take(c, &extended, 0x100, found, n)));
}

void pciconf_parse_accept(struct pciconf *c, const struct pciconf_libpci_cap *found, size_t n)
{
	c->n_caps = 0;
	c->n_ext_caps = 0;
	c->cap_end = take_normal(c, found, n);
	c->ext_cap_end = take_extended(c, found, n);
}

static bool is_all_ones(const uint8_t *data)
{
	for (size_t i = 0; i < PCI_STD_HEADER_SIZEOF; i++) {
		if (data[i] != 0xff)
			return false;
	}
	return true;
}

int pciconf_parse_bytes(const void *data, size_t len, struct pciconf *ret, struct error *e)
{
	if (len < PCI_STD_HEADER_SIZEOF)
		return error_set(e, -ENODATA, "%zu bytes of configuration space, a header has %d",
				 len, PCI_STD_HEADER_SIZEOF);
	if (len > PCICONF_MAX)
		return error_set(e, -EFBIG,
				 "%zu bytes of configuration space, there are %d at most", len,
				 PCICONF_MAX);
	if (is_all_ones(data))
		return error_set(e, -ENODATA,
				 "the function answers all ones: it is gone, or without power");
	*ret = (struct pciconf){ .len = len };
	memcpy(ret->data, data, len);
	return 0;
}

int pciconf_parse_lists(struct pciconf *spaces, size_t n, struct error *e)
{
	AUTO_FREE struct pciconf_libpci_cap *found = NULL;
	const struct pciconf_libpci_cap *list;
	int r = pciconf_libpci_caps(spaces, n, &found, e);

	if (r < 0)
		return r;
	list = found;
	for (size_t i = 0; i < n; i++) {
		size_t count = 0;

		while (list[count].offset > 0)
			count++;
		if (spaces[i].len > 0)
			pciconf_parse_accept(&spaces[i], list, count);
		list += count + 1;
	}
	return 0;
}

int pciconf_parse(const void *data, size_t len, struct pciconf *ret, struct error *e)
{
	struct pciconf c;
	int r = pciconf_parse_bytes(data, len, &c, e);

	if (r == 0)
		r = pciconf_parse_lists(&c, 1, e);
	if (r < 0)
		return r;
	*ret = c;
	return 0;
}
