/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees of hosts whose functions somebody may use, for the tests of holders_read(). */
#ifndef TESTS_HOLDERS_TREE_H
#define TESTS_HOLDERS_TREE_H

#include "tree.h"

#include <sriovctl/holders.h>
#include <sriovctl/strv.h>

#define PCI	     "/sys/bus/pci/devices"
#define PF	     "0000:01:00.0"
#define VF0	     "0000:01:10.0"
#define VF1	     "0000:01:10.2"
#define ANSWERS	     "/.sriovctl"
#define DRIVER(name) "../../../bus/pci/drivers/" name
#define GROUP(n)     "../../../kernel/iommu_groups/" n
#define VFIO_BOUND(vf, group)                                                           \
	{ .path = PCI "/" vf "/driver", .link = DRIVER("vfio-pci") },                   \
		{ .path = PCI "/" vf "/iommu_group", .link = GROUP(group) },            \
		{ .path = "/sys/class/vfio/" group "/dev", .text = "239:" group "\n" }, \
	{                                                                               \
		.path = "/sys/kernel/iommu_groups/" group "/devices/" vf, .text = ""    \
	}

/* The users of a function, parted by "; "; @blind likewise. */
static inline void users_of(const struct tree *t, const char *bdf, struct buf *ret,
			    struct buf *blind)
{
	AUTO_STRV struct strv bdfs = { 0 };
	AUTO_HOLDERS struct holders v = { 0 };

	EXPECT(strv_add(&bdfs, bdf) == 0 && holders_read(t->h, &bdfs, &v, NULL) == 0 && v.n == 1);
	buf_clear(ret);
	for (size_t i = 0; v.n == 1 && i < v.items[0].users.n; i++)
		buf_printf(ret, "%s%s", i ? "; " : "", v.items[0].users.items[i]);
	if (blind) {
		buf_clear(blind);
		buf_puts(blind, v.blind ? v.blind : "");
	}
}

static inline bool used(const struct tree *t, const char *bdf, const char *expected)
{
	AUTO_BUF struct buf text = { 0 };

	users_of(t, bdf, &text, NULL);
	if (!same(buf_text(&text), expected))
		printf("# %s: %s\n", bdf, buf_text(&text));
	return same(buf_text(&text), expected);
}

/* Answers about a network with nothing in it, and about processes. */
static inline void put_answers(const struct tree *t, const char *pass, const struct buf *links)
{
	tree_put(t, ANSWERS "/procs/all", pass);
	tree_put(t, ANSWERS "/addresses/all", "");
	tree_put(t, ANSWERS "/routes/all", "");
	tree_put_bytes(t, ANSWERS "/links/0.9", links ? links->data : "", links ? links->len : 0);
}

#endif
