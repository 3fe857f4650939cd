/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lspci.h"

#include <sriovctl/buf.h>
#include <sriovctl/nics.h>
#include <sriovctl/pciconf.h>

#include <linux/pci_regs.h>
#include <string.h>

/* A mailer breaks lines of some 72 columns; a rest is told from other text by what is before. */
#define BROKEN_FROM 65
/* With fewer the text may be one that somebody made shorter. */
#define MANY_DRIVERS 4

/* --- headers ------------------------------------------------------------------------------ */

bool lspci_header(const char *line, struct bdf *at, int *ret_class, const char **ret_rest)
{
	const char *p = line, *colon;

	if (!text_bdf(&p, at) || *p != ' ')
		return false;
	p = text_skip_blanks(p);
	colon = strstr(p, ": ");
	if (!colon)
		return false;
	*ret_class = lspci_class(p, (size_t)(colon - p));
	*ret_rest = colon + 2;
	return *ret_class >= 0;
}

/* "... [8086:1572] (rev 02)" with -nn, "8086:1572 (rev 02)" with -n. */
static bool find_ids(const char *rest, uint64_t *vendor, uint64_t *device)
{
	const char *p = rest;

	if (text_hex(&p, 4, vendor) && p == rest + 4 && *p == ':' && (p++, true) &&
	    text_hex(&p, 4, device) && (*p == ' ' || *p == '\0'))
		return true;
	for (const char *at = rest; (at = strchr(at, '[')); at++) {
		p = at + 1;
		if (text_hex(&p, 4, vendor) && *p == ':' && (p++, true) &&
		    text_hex(&p, 4, device) && *p == ']')
			return true;
	}
	return false;
}

/* The name, without "(rev 02)", "(prog-if 00 ...)", "[8086:1572]" and what else follows. */
static size_t name_length(const char *rest)
{
	static const char *const ends[] = { " (rev ", " (prog-if ", " [8086:", " 00: " };
	size_t len = strlen(rest);

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		const char *end = strstr(rest, ends[i]);

		if (end && (size_t)(end - rest) < len)
			len = (size_t)(end - rest);
	}
	return len;
}

void lspci_take_title(struct functions *v, struct function *f, const struct nics *n,
		      const char *rest)
{
	uint64_t vendor, device;
	uint16_t own_vendor, own_device;
	const struct nics_id *id = NULL;

	functions_keep(v, &f->title, rest, name_length(rest));
	if (find_ids(rest, &vendor, &device))
		function_set_ids(v, f, (uint16_t)vendor, (uint16_t)device);
	else if (!f->has_ids && f->title &&
		 (f->ids_by_title = lspci_ids_of_title(f->title, &own_vendor, &own_device)))
		function_set_ids(v, f, own_vendor, own_device);
	else if (!f->has_ids && n && f->title)
		id = nics_find_title(n, f->title);
	if (id) {
		f->ids_by_title = true;
		function_set_ids(v, f, id->vendor, id->device);
	}
	if (strstr(rest, "Virtual Function"))
		f->is_vf = true;
}

/* --- text --------------------------------------------------------------------------------- */

/* "[160 v1] Single Root ..." behind "Capabilities: " */
static bool take_cap(struct lspci_block *b, const char *text)
{
	struct lspci_cap *cap = &b->caps[b->n_caps];
	const char *p = text_after(text, "[");
	uint64_t offset;

	if (strstr(text, "<access denied>")) {
		b->is_denied = true;
		return true;
	}
	if (!p || !text_hex(&p, 3, &offset) || offset % 4 != 0 || offset < 0x40 ||
	    b->n_caps == LSPCI_CAPS_MAX)
		return false;
	p = strstr(p, "] ");
	if (!p)
		return false;
	*cap = (struct lspci_cap){ .offset = (uint16_t)offset, .is_extended = offset >= 0x100 };
	cap->id = lspci_cap_id(p + 2, cap->is_extended);
	b->register_name[0] = '\0';
	b->has_page_size = false;
	b->n_caps++;
	lspci_take_register(b, cap, p + 2, true);
	return true;
}

static void set_number(const char *text, bool *ret_has, uint32_t *ret, bool *ret_has_other)
{
	uint64_t number;

	if (!text_decimal(&text, &number) || number > INT32_MAX)
		return;
	if (*ret_has && *ret != number)
		*ret_has_other = true;
	if (*ret_has)
		return;
	*ret_has = true;
	*ret = (uint32_t)number;
}

/* "primary=00, secondary=01, subordinate=13, sec-latency=0" */
static void take_buses(struct lspci_block *b, const char *text)
{
	static const struct {
		const char *word;
		size_t offset;
	} buses[] = { { .word = "primary=", .offset = PCI_PRIMARY_BUS },
		      { .word = "secondary=", .offset = PCI_SECONDARY_BUS },
		      { .word = "subordinate=", .offset = PCI_SUBORDINATE_BUS } };
	uint64_t bus;

	for (size_t i = 0; i < ARRAY_SIZE(buses); i++) {
		const char *p = text_behind(text, buses[i].word);

		if (p && text_hex(&p, 2, &bus))
			function_set(b->functions, b->f, buses[i].offset, (uint32_t)bus, UINT8_MAX);
	}
	function_set(b->functions, b->f, PCI_HEADER_TYPE, PCI_HEADER_TYPE_BRIDGE,
		     PCI_HEADER_TYPE_MASK);
}

/*
 * "Memory behind bridge: 90000000-900fffff [size=1M] [32-bit]", "...
 * 00000000fff00000-00000000000fffff [disabled]": base and limit of a window, which is closed where
 * the limit is below the base.
 */
static void take_window(struct lspci_block *b, const char *text, bool is_prefetchable)
{
	size_t at = is_prefetchable ? PCI_PREF_MEMORY_BASE : PCI_MEMORY_BASE;
	uint32_t type = is_prefetchable ? PCI_PREF_RANGE_TYPE_64 : 0;
	uint64_t first, last;

	if (text_after(text, "None") || text_after(text, "[disabled]")) {
		first = UINT32_MAX;
		last = 0;
	} else if (!text_hex(&text, 16, &first) || *text++ != '-' || !text_hex(&text, 16, &last)) {
		return;
	}
	function_set(b->functions, b->f, at,
		     ((uint32_t)(first >> 16) & PCI_MEMORY_RANGE_MASK & UINT16_MAX) | type,
		     UINT16_MAX);
	function_set(b->functions, b->f, at + 2,
		     ((uint32_t)(last >> 16) & PCI_MEMORY_RANGE_MASK & UINT16_MAX) | type,
		     UINT16_MAX);
	if (!is_prefetchable)
		return;
	function_set(b->functions, b->f, PCI_PREF_BASE_UPPER32, (uint32_t)(first >> 32),
		     UINT32_MAX);
	function_set(b->functions, b->f, PCI_PREF_LIMIT_UPPER32, (uint32_t)(last >> 32),
		     UINT32_MAX);
}

/* Lines that belong to no capability. */
static void take_general(struct lspci_block *b, const char *line)
{
	struct function *f = b->f;
	const char *p;
	bool ignored;
	int list;

	if ((p = text_after(line, "Bus: ")))
		take_buses(b, p);
	else if ((p = text_after(line, "Memory behind bridge: ")))
		take_window(b, p, false);
	else if ((p = text_after(line, "Prefetchable memory behind bridge: ")))
		take_window(b, p, true);
	else if ((p = text_after(line, "Status: ")) && (list = text_flag(p, "Cap")) >= 0)
		function_set(b->functions, f, PCI_STATUS, list ? PCI_STATUS_CAP_LIST : 0,
			     PCI_STATUS_CAP_LIST);
	else if (text_after(line, "Control: ") || text_after(line, "Flags: "))
		b->has_header = true;
	if ((p = text_behind(line, "NUMA node: ")) || (p = text_behind(line, "NUMA node ")))
		set_number(p, &f->has_node, &f->node, &ignored);
	if ((p = text_behind(line, "IOMMU group: ")) || (p = text_behind(line, "IOMMU group ")))
		set_number(p, &f->has_group, &f->group, &f->has_other_group);
}

/* What lspci prints behind the capabilities. */
static bool take_kernel(struct lspci_block *b, const char *line)
{
	const char *driver = text_after(line, "Kernel driver in use: ");

	if (driver) {
		function_tell_driver(b->functions, b->f, driver);
		b->has_driver = true;
	}
	if (text_after(line, "Kernel modules: "))
		b->has_modules = true;
	else if (!driver)
		return false;
	b->has_end = true;
	return true;
}

/*
 * The header of a function may have been lost: what follows an end, and begins as only the lines
 * behind a header do, is not of the function before.
 */
static bool begins_headless(const struct lspci_block *b, const char *text)
{
	return b->has_end && (text_after(text, "Control: ") || text_after(text, "Subsystem: ") ||
			      text_after(text, "Flags: "));
}

/* All that can be known of it is that its group has one more. */
static void take_nameless(struct functions *v, const char *text)
{
	const char *p = text_after(text, "IOMMU group: ");
	uint64_t group;

	if (p && text_decimal(&p, &group) && group <= INT32_MAX)
		functions_add_nameless(v, (uint32_t)group);
}

static void take_line(struct lspci_block *b, const char *line)
{
	const char *text = text_skip_blanks(line), *cap = text_after(text, "Capabilities: ");

	if (take_kernel(b, text) || (cap && take_cap(b, cap)))
		return;
	if (cap)
		b->is_torn = true;
	else if (b->n_caps > 0)
		lspci_take_register(b, &b->caps[b->n_caps - 1], text, false);
	else
		take_general(b, text);
}

/* --- the whole ---------------------------------------------------------------------------- */

struct listing {
	struct functions *functions;
	const struct nics *nics;
	struct lspci_block block;
	struct function *last;
	size_t n, before; /* the length of the line before */
	size_t n_drivers;
	bool is_recent, has_group;
	bool has_empty, empty_is_end; /* the line before was; each block ends with one */
};

static void finish(struct listing *l)
{
	struct lspci_block *b = &l->block;

	if (b->f && b->functions->error == 0)
		lspci_chain(b);
	/* Whoever shows a module has looked for a driver. */
	if (b->f && b->has_modules && !b->has_driver)
		function_deny_driver(b->f);
	if (b->f && b->has_driver)
		l->n_drivers++;
	else if (b->f && b->has_end && b->n_caps > 0)
		b->f->shows_no_driver = true;
	*b = (struct lspci_block){ .functions = l->functions };
}

/*
 * lspci lists by address, with an empty line behind each function: what else is before a header
 * may have been cut there.
 */
static bool ends_before(const struct listing *l, const struct function *next)
{
	const struct function *f = l->block.f;

	return f && next && l->has_empty && l->empty_is_end && l->block.n_caps > 0 &&
	       function_compare(&f->at, &next->at) < 0;
}

static void begin(struct listing *l, struct function *f, int class, const char *rest)
{
	l->block.has_end = l->block.has_end || ends_before(l, f);
	finish(l);
	l->block.f = f;
	if (!f)
		return;
	l->n++;
	l->last = f;
	function_set_class(l->functions, f, (uint32_t) class << 8);
	lspci_take_title(l->functions, f, l->nics, rest);
}

static void take_other(struct listing *l, const char *line)
{
	struct lspci_block *b = &l->block;
	const char *text = line;
	uint8_t row[LSPCI_ROW];

	if (!b->f)
		return;
	if (lspci_take_row(&text, row) >= 0) {
		b->has_end = true;
	} else if (l->before + 1 + strcspn(line, " ") >= BROKEN_FROM && b->n_caps > 0) {
		b->is_torn = true;
		take_line(b, line);
	} else {
		finish(l);
	}
}

static void take_headless(struct listing *l, const char *line)
{
	if (l->block.f)
		finish(l);
	take_nameless(l->functions, text_skip_blanks(line));
}

/*
 * lspci has told the speeds of LnkCap2 since 3.7.0, and since then the group of each function that
 * is in one: what tells the former, and drivers, which are not of a dump, would tell groups.
 */
static void look_at_release(struct listing *l, const char *line)
{
	l->is_recent = l->is_recent || text_behind(line, "LnkCap2: Supported Link Speeds: ");
	l->has_group = l->has_group || text_behind(line, "IOMMU group");
}

static void take_any(struct listing *l, const char *line)
{
	struct bdf at;
	const char *rest;
	int class;

	look_at_release(l, line);
	if (lspci_header(line, &at, &class, &rest))
		begin(l, functions_get(l->functions, &at), class, rest);
	else if (text_is_gap(line))
		finish(l);
	else if (!text_is_indented(line))
		take_other(l, line);
	else if (l->block.f && !begins_headless(&l->block, text_skip_blanks(line)))
		take_line(&l->block, line);
	else
		take_headless(l, line);
}

/* Who stretches a text puts empty lines into blocks too: then they end none. */
static bool has_empty_inside(const char *text)
{
	AUTO_BUF struct buf line = { 0 };
	bool is_empty = false;

	while (text_line(&text, &line)) {
		if (is_empty && line.len > 0 && text_is_indented(buf_text(&line)))
			return true;
		is_empty = line.len == 0;
	}
	return false;
}

/*
 * A function without a driver shows nothing: that is known where its block was seen to its end,
 * and others of the same text show theirs.
 */
static void deny_drivers(const struct listing *l)
{
	for (size_t k = 0; k < l->functions->n; k++) {
		struct function *f = l->functions->items[k];

		if (f->shows_no_driver && l->n_drivers > 0)
			function_deny_driver(f);
		f->shows_no_driver = false;
	}
}

size_t lspci_take_text(struct functions *v, const struct nics *n, const char *text)
{
	struct listing l = { .functions = v, .nics = n, .block.functions = v };
	AUTO_BUF struct buf line = { 0 };

	l.empty_is_end = !has_empty_inside(text);
	while (text_line(&text, &line)) {
		if (line.len > 0)
			take_any(&l, buf_text(&line));
		l.has_empty = line.len == 0;
		l.before = line.len > 0 ? line.len : l.before;
	}
	/* What ends with the text may have been cut there, and the next be in its group. */
	finish(&l);
	if (l.last && l.last->has_group)
		functions_add_nameless(v, l.last->group);
	deny_drivers(&l);
	v->has_no_group =
		v->has_no_group || (l.is_recent && l.n_drivers >= MANY_DRIVERS && !l.has_group);
	if (buf_error(&line) < 0)
		v->error = buf_error(&line);
	return l.n;
}
