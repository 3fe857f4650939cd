/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the log tells of PCI functions, root buses and bridges. */
#include "bootlog.h"

#include <sriovctl/pciconf.h>

#include <errno.h>
#include <linux/pci_regs.h>
#include <stdlib.h>
#include <string.h>

#define ROOTS_MAX 256
/* Where a capability is put of which only what it says is known. */
#define AT_EXPRESS 0x40
#define AT_MSIX	   0xb0
#define AT_SRIOV   0x160
#define AT_NULL	   0x100

/* A root bus, with the node that its host bridge is on. */
struct root {
	uint32_t domain;
	unsigned first, last;
	size_t given; /* the line behind which all of its addresses were given out; 0: none yet */
	bool has_node;
	uint32_t node;
};

struct functions_log {
	struct bootlog *l;
	struct functions *v;
	struct root roots[ROOTS_MAX];
	size_t n_roots;
	size_t line;  /* the number of the message, from 1 on */
	size_t given; /* as of a root bus, of those that are not known */
	bool has_vfs; /* some function was found to have VFs: the kernel looks for them */
};

/* --- buses
 * ---------------------------------------------------------------------------------------- */

static struct root *find_root(struct functions_log *g, uint32_t domain, unsigned bus)
{
	for (size_t i = 0; i < g->n_roots; i++)
		if (g->roots[i].domain == domain && g->roots[i].first <= bus &&
		    bus <= g->roots[i].last)
			return &g->roots[i];
	return NULL;
}

/* "[bus 5d-79]" or "[bus 02]", behind "[bus " */
static bool parse_buses(const char *p, uint64_t *first, uint64_t *last)
{
	if (!p || !text_hex(&p, 2, first))
		return false;
	*last = *first;
	return *p == ']' || (*p++ == '-' && text_hex(&p, 2, last) && *last >= *first);
}

/* "pci_bus 0000:5d: root bus resource [bus 5d-79]", "pci_bus 0000:5d: on NUMA node 0" */
static void take_bus(struct functions_log *g, const char *message)
{
	const char *p = text_after(message, "pci_bus "), *node;
	uint64_t domain, bus, first, last, number;
	struct root *r;

	if (!p || !text_hex(&p, 8, &domain) || *p++ != ':' || !text_hex(&p, 2, &bus) ||
	    !(p = text_after(p, ": ")))
		return;
	if (text_after(p, "resource ")) {
		r = find_root(g, (uint32_t)domain, (unsigned)bus);
		*(r ? &r->given : &g->given) = g->line;
	}
	if (parse_buses(text_after(p, "root bus resource [bus "), &first, &last) &&
	    g->n_roots < ROOTS_MAX && !find_root(g, (uint32_t)domain, (unsigned)first))
		g->roots[g->n_roots++] = (struct root){ .domain = (uint32_t)domain,
							.first = (unsigned)first,
							.last = (unsigned)last };
	node = text_after(p, "on NUMA node ");
	r = node ? find_root(g, (uint32_t)domain, (unsigned)bus) : NULL;
	if (r && r->first == bus && text_decimal(&node, &number) && number <= INT32_MAX) {
		r->has_node = true;
		r->node = (uint32_t)number;
	}
}

/* --- what the core says of a function
 * -------------------------------------------------------------- */

/* "[8086:1521] type 00 class 0x020000" */
static bool take_header(struct functions_log *g, struct function *f, const char *text)
{
	uint64_t vendor, device, type, class;
	const char *p = text_after(text, "["), *end;

	if (!p || !text_hex(&p, 4, &vendor) || *p++ != ':' || !text_hex(&p, 4, &device) ||
	    !(p = text_after(p, "] type ")) || !text_hex(&p, 2, &type) ||
	    !(end = p = text_after(p, " class ")) || !text_hex(&end, 6, &class) ||
	    end != p + strlen("0x020000"))
		return false;
	function_set_ids(g->v, f, (uint16_t)vendor, (uint16_t)device);
	if (!f->has_class) {
		f->has_class = true;
		f->class = (uint32_t) class;
	}
	f->tried = g->line;
	f->is_enumerated = (type & PCI_HEADER_TYPE_MASK) == PCI_HEADER_TYPE_NORMAL;
	memset(f->rows, 0, sizeof(f->rows));
	f->total_vfs = 0;
	return true;
}

static void take_bridge(struct function *f, const char *text)
{
	uint64_t first, last;

	if (!parse_buses(text_after(text, "PCI bridge to [bus "), &first, &last) || f->has_buses)
		return;
	f->has_buses = true;
	f->secondary = (uint8_t)first;
	f->subordinate = (uint8_t)last;
}

/* "... contains BAR 0 for 16 VFs", "(contains BAR0 for 16 VFs)": TotalVFs of the capability. */
static void take_total(struct functions_log *g, struct function *f, const char *text)
{
	const char *p = text_behind(text, "contains BAR");
	uint64_t n;

	p = p ? text_behind(p, " for ") : NULL;
	if (!p || !text_decimal(&p, &n) || !text_after(p, " VFs") || n == 0 || n > UINT16_MAX)
		return;
	f->total_vfs = (uint16_t)n;
	g->has_vfs = true;
}

/* Rows of VFs have only kernels, and functions, that have them. */
static void take_vf_bar(struct functions_log *g, struct function *f, const char *text)
{
	if (!text_after(text, "VF BAR ") && !text_after(text, "VF(n) BAR"))
		return;
	g->has_vfs = true;
	if (f->totalvfs_state == FUNCTION_UNKNOWN)
		f->totalvfs_state = FUNCTION_PRESENT;
}

static void join(struct function *f, uint64_t group)
{
	if (f->has_group || group > INT32_MAX)
		return;
	f->has_group = true;
	f->group_by_log = true;
	f->group = (uint32_t)group;
}

/* Groups that VFIO makes itself are told with its driver's name before. */
static void take_group(struct function *f, const char *driver, const char *text)
{
	const char *p = text_after(text, "Adding to iommu group ");
	uint64_t group;

	if (p && !text_after(driver, "vfio") && text_decimal(&p, &group))
		join(f, group);
	/* What was listed later knows better. */
	if (text_after(text, "Removing from iommu group") && f->group_by_log)
		f->has_group = false;
}

/* Before 5.3: "iommu: Adding device 0000:04:00.0 to group 53" */
static void take_old_group(struct functions_log *g, const char *message)
{
	const char *p = text_after(message, "iommu: Adding device ");
	struct function *f;
	struct bdf at;
	uint64_t group;

	if (!p || !text_bdf(&p, &at) || !(p = text_after(p, " to group ")) ||
	    !text_decimal(&p, &group))
		return;
	f = functions_get(g->v, &at);
	if (f)
		join(f, group);
}

/* --- the link
 * ----------------------------------------------------------------------------------------- */

/* "8.0 GT/s PCIe x8 link", "8 GT/s x8 link" before 5.1 */
static bool parse_link(const char *text, unsigned *ret_speed, unsigned *ret_width)
{
	static const char *const speeds[] = { NULL, "2.5", "5", "8", "16", "32", "64" };
	uint64_t width;
	const char *p;

	*ret_speed = 0;
	for (unsigned i = 1; i < ARRAY_SIZE(speeds); i++) {
		p = text_after(text, speeds[i]);
		if (p && (*p == ' ' || text_after(p, ".0 ")))
			*ret_speed = i;
	}
	p = strstr(text, " x");
	if (!p || *ret_speed == 0)
		return false;
	p += 2;
	if (!text_decimal(&p, &width) || width == 0 || width > 32)
		return false;
	*ret_width = (unsigned)width;
	return true;
}

/*
 * drivers/pci/pci.c, __pcie_print_link_status(): without a limit the link runs at all that the
 * function can; else what it can, and where on the way it is less.
 */
static void take_bandwidth(struct function *f, const char *text)
{
	const char *p = text_behind(text, " Gb/s available PCIe bandwidth"), *can;
	unsigned speed, width;

	if (!p || f->link.max_speed)
		return;
	if (text_after(p, " (") && parse_link(p + 2, &speed, &width)) {
		f->link = (struct function_link){
			.speed = speed, .width = width, .max_speed = speed, .max_width = width
		};
		return;
	}
	can = strstr(p, "(capable of ");
	can = can ? strstr(can, " with ") : NULL;
	if (can && parse_link(can + strlen(" with "), &speed, &width)) {
		f->link.max_speed = speed;
		f->link.max_width = width;
	}
}

/* --- messages
 * ------------------------------------------------------------------------------------------- */

/* "ice: probe of 0000:e2:00.1 failed with error -5" */
static void take_failed_probe(struct functions_log *g, const char *message)
{
	const char *p = text_behind(message, ": probe of ");
	struct function *f;
	struct bdf at;

	if (!p || !text_bdf(&p, &at) || !text_after(p, " failed with error"))
		return;
	f = functions_get(g->v, &at);
	if (f && f->driver_state == FUNCTION_UNKNOWN)
		f->driver_state = FUNCTION_ABSENT;
}

static void take_device(struct functions_log *g, const char *message)
{
	const char *text;
	struct function *f;
	struct bdf at;
	size_t len;

	if (!bootlog_device(message, &at, &len, &text))
		return;
	f = functions_get(g->v, &at);
	if (!f)
		return;
	if (len != 3 || strncmp(message, "pci", 3) != 0)
		bootlog_take_driver(g->l, f, message, len, text);
	if (!(text = text_after(text, ": ")) || take_header(g, f, text))
		return;
	if (bootlog_take_bar(f, text))
		f->tried = g->line;
	take_bridge(f, text);
	take_total(g, f, text);
	take_vf_bar(g, f, text);
	take_group(f, message, text);
	take_bandwidth(f, text);
}

/* --- what follows at the end
 * ---------------------------------------------------------------------------- */

static void put_cap(struct functions_log *g, struct function *f, size_t pointer, uint32_t at,
		    uint8_t id)
{
	function_guess(g->v, f, pointer, at, 0xfc);
	function_set(g->v, f, at, id, UINT8_MAX);
}

/*
 * That it has VFs shows a capability, and where in the space it is does not matter: the pointers
 * to it are guesses, so that nothing follows from what is not there.
 */
static void put_registers(struct functions_log *g, struct function *f)
{
	size_t pointer = PCI_CAPABILITY_LIST;

	if (f->len > 0 || (f->total_vfs == 0 && !f->uses_msix))
		return;
	f->len = PCICONF_MAX;
	function_set(g->v, f, PCI_STATUS, PCI_STATUS_CAP_LIST, PCI_STATUS_CAP_LIST);
	if (f->uses_msix) {
		put_cap(g, f, pointer, AT_MSIX, PCI_CAP_ID_MSIX);
		pointer = AT_MSIX + PCI_CAP_LIST_NEXT;
		function_set(g->v, f, AT_MSIX + PCI_MSIX_FLAGS, PCI_MSIX_FLAGS_ENABLE,
			     PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
	}
	if (f->total_vfs == 0)
		return;
	put_cap(g, f, pointer, AT_EXPRESS, PCI_CAP_ID_EXP);
	function_guess(g->v, f, AT_NULL, AT_SRIOV << 20, UINT32_MAX);
	function_set(g->v, f, AT_SRIOV, PCI_EXT_CAP_ID_SRIOV | 1u << 16, 0xfffff);
	function_set(g->v, f, AT_SRIOV + PCI_SRIOV_TOTAL_VF, f->total_vfs, UINT16_MAX);
}

/* Of a function whose every BAR was told: what was not, is not there. */
static void conclude(struct functions_log *g, struct function *f)
{
	const struct root *r = find_root(g, f->at.domain, f->at.bus);

	if (!f->has_node && r && r->has_node) {
		f->has_node = true;
		f->node = r->node;
	}
	/* The last word may have been left out. */
	if (g->l->has_gap)
		f->carrier = FUNCTION_UNKNOWN;
	put_registers(g, f);
	/* Till then the kernel may try again. */
	if (!f->is_enumerated || (r ? r->given : g->given) < f->tried || g->l->has_gap)
		return;
	/* Without VFs of any function it is not known whether there are rows for them. */
	f->has_rows = g->has_vfs;
	if (f->total_vfs == 0 && !f->is_vf && f->totalvfs_state == FUNCTION_UNKNOWN)
		f->totalvfs_state = FUNCTION_ABSENT;
}

void bootlog_take_functions(struct bootlog *l)
{
	AUTO_FREE struct functions_log *g = calloc(1, sizeof(*g));
	AUTO_BUF struct buf line = { 0 };
	const char *text = buf_text(&l->text);

	if (!g) {
		l->i->error = -ENOMEM;
		return;
	}
	g->l = l;
	g->v = &l->i->functions;
	for (size_t k = 0; k < g->v->n; k++)
		g->v->items[k]->is_enumerated = false;
	while (text_line(&text, &line)) {
		g->line++;
		take_bus(g, buf_text(&line));
		take_old_group(g, buf_text(&line));
		take_failed_probe(g, buf_text(&line));
		take_device(g, buf_text(&line));
	}
	if (buf_error(&line) < 0)
		l->i->error = -ENOMEM;
	for (size_t k = 0; k < g->v->n; k++)
		conclude(g, g->v->items[k]);
}
