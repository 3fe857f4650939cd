/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The capabilities of a function as the lists that they came from.  lspci walks those, so that
 * what it prints is in their order; but people cut, and then a pointer is a guess: it leads on to
 * what was printed, and is not known, so that nothing is concluded from an end.
 */
#include "lspci.h"

#include <sriovctl/pciconf.h>

#include <linux/pci_regs.h>

#define EXTENDED    0x100u
#define NEXT_NORMAL 0xfcu
#define NEXT_EXT    0xfff00000u

/* One of the two lists. */
struct list {
	struct lspci_block *b;
	bool is_extended, is_whole;
	size_t pointer; /* of the one before; 0: the extended list begins at its own place */
};

static uint32_t next_of(const struct list *l)
{
	uint32_t value = function_get(l->b->f, l->pointer);

	return l->is_extended ? PCI_EXT_CAP_NEXT(value) : value & NEXT_NORMAL;
}

static void point(const struct list *l, uint32_t to, bool is_known)
{
	uint32_t value = l->is_extended ? to << 20 : to;
	uint32_t mask = l->is_extended ? NEXT_EXT : NEXT_NORMAL;

	if (is_known)
		function_set(l->b->functions, l->b->f, l->pointer, value, mask);
	else
		function_guess(l->b->functions, l->b->f, l->pointer, value, mask);
}

/* Something unknown between the pointer before and what follows. */
static void put_gap(struct list *l, uint32_t at)
{
	l->is_whole = false;
	l->pointer = l->is_extended ? at : at + PCI_CAP_LIST_NEXT;
}

static bool leads_elsewhere(const struct list *l, uint32_t to)
{
	uint32_t mask = l->is_extended ? NEXT_EXT : NEXT_NORMAL;

	return function_knows(l->b->f, l->pointer, mask) && next_of(l) != to;
}

static void lead_to(struct list *l, uint32_t to)
{
	bool starts = l->is_extended && l->pointer == 0;

	if (starts && to != EXTENDED) {
		put_gap(l, EXTENDED);
		starts = false;
	}
	/* A dump says where it goes; what is there was not printed. */
	if (!starts && leads_elsewhere(l, to)) {
		uint32_t there = next_of(l);

		if (there == 0)
			return;
		put_gap(l, there);
	}
	if (!starts)
		point(l, to, l->is_whole);
	l->pointer = l->is_extended ? to : to + PCI_CAP_LIST_NEXT;
}

static void put_cap(struct list *l, const struct lspci_cap *cap)
{
	lead_to(l, cap->offset);
	if (cap->id >= 0 && l->is_extended)
		function_set(l->b->functions, l->b->f, cap->offset, (uint32_t)cap->id | 1u << 16,
			     0xfffff);
	else if (cap->id >= 0)
		function_set(l->b->functions, l->b->f, cap->offset, (uint32_t)cap->id, UINT8_MAX);
}

static void put_all(struct lspci_block *b, bool is_extended, bool is_whole)
{
	struct list l = { .b = b,
			  .is_extended = is_extended,
			  .is_whole = is_whole,
			  .pointer = is_extended ? 0 : PCI_CAPABILITY_LIST };
	bool any = false;

	for (size_t i = 0; i < b->n_caps; i++) {
		if (b->caps[i].is_extended != is_extended)
			continue;
		put_cap(&l, &b->caps[i]);
		any = true;
	}
	/* That a host without ECAM shows none of the extended ones looks the same. */
	if (any)
		point(&l, 0, l.is_whole);
}

/* Of what root alone may read there is the header, which ends where the list begins. */
static void deny(struct lspci_block *b)
{
	struct function *f = b->f;

	function_set(b->functions, f, PCI_STATUS, PCI_STATUS_CAP_LIST, PCI_STATUS_CAP_LIST);
	function_guess(b->functions, f, PCI_CAPABILITY_LIST, PCI_STD_HEADER_SIZEOF, UINT8_MAX);
	if (f->len == 0)
		f->len = PCI_STD_HEADER_SIZEOF;
}

static bool has_any(const struct lspci_block *b, bool is_extended)
{
	for (size_t i = 0; i < b->n_caps; i++)
		if (b->caps[i].is_extended == is_extended)
			return true;
	return false;
}

/*
 * Extended capabilities are of PCI Express alone, so that its own capability is there, be it
 * printed or not; where, and what it says, is not known.
 */
static void add_express(struct lspci_block *b)
{
	struct lspci_cap cap = { .id = PCI_CAP_ID_EXP };

	for (size_t i = 0; i < b->n_caps; i++)
		if (b->caps[i].id == PCI_CAP_ID_EXP && !b->caps[i].is_extended)
			return;
	/* A place that nothing else takes: most capabilities are shorter than this. */
	for (cap.offset = PCI_STD_HEADER_SIZEOF; cap.offset < EXTENDED; cap.offset += 4) {
		bool is_free = !function_knows(b->f, cap.offset, 1);

		for (size_t i = 0; i < b->n_caps; i++)
			is_free = is_free &&
				  (b->caps[i].is_extended || b->caps[i].offset >= cap.offset + 4u ||
				   b->caps[i].offset + 0x20u <= cap.offset);
		if (is_free && b->n_caps < LSPCI_CAPS_MAX) {
			b->caps[b->n_caps++] = cap;
			b->is_torn = true;
			return;
		}
	}
}

void lspci_chain(struct lspci_block *b)
{
	bool is_whole = b->has_header && !b->is_torn, has_extended = has_any(b, true);
	size_t dumped = b->f->len;

	if (b->is_denied)
		deny(b);
	if (has_extended)
		add_express(b);
	if (b->n_caps == 0)
		return;
	function_set(b->functions, b->f, PCI_STATUS, PCI_STATUS_CAP_LIST, PCI_STATUS_CAP_LIST);
	/* What a dump holds is a list already. */
	if (dumped < EXTENDED)
		put_all(b, false, is_whole && (b->has_end || has_extended));
	if (dumped < PCICONF_MAX && has_extended)
		put_all(b, true, is_whole && b->has_end);
	if (dumped < PCICONF_MAX)
		b->f->len = PCICONF_MAX;
}
