/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A card with VFs in a root for host_open(): a port 0000:3a:00.0 on a root bus and below it
 * the function 0000:3b:00.0, with the configuration spaces and files a test asks for.
 */
#ifndef TESTS_PF_TREE_H
#define TESTS_PF_TREE_H

#include "space.h"
#include "tree.h"

#include <sriovctl/pf.h>

#define PORT_DIR "/sys/devices/pci0000:3a/0000:3a:00.0"
#define CARD	 "0000:3b:00.0"
#define CARD_DIR PORT_DIR "/" CARD

/* Offsets of the capabilities in the spaces made here. */
#define AT_EXPRESS 0x40
#define AT_MSIX	   0x80
#define AT_SRIOV   0x100
#define AT_ARI	   0x160

struct card {
	unsigned size; /* of the configuration space; 0: 4096 */
	unsigned total, initial, offset, stride, link, vf_device;
	bool no_capability, hierarchy, msix_off, no_ari;
	uint32_t bar[6];
	unsigned subordinate; /* of the port; 0: 0x3b */
	bool port_ari, port_incapable;
	const char *resource, *totalvfs, *driver, *ari_enabled, *ids; /* "0x10c9" */
};

static inline void card_sriov(const struct card *c, struct space *space)
{
	put32(space, AT_SRIOV, 0x00010010u | (c->no_ari ? 0 : AT_ARI << 20));
	put16(space, AT_SRIOV + 0x08, c->hierarchy ? 0x10 : 0);
	put16(space, AT_SRIOV + 0x0c, c->initial ? c->initial : c->total);
	put16(space, AT_SRIOV + 0x0e, c->total);
	space->data[AT_SRIOV + 0x12] = (uint8_t)c->link;
	put16(space, AT_SRIOV + 0x14, c->offset);
	put16(space, AT_SRIOV + 0x16, c->stride);
	put16(space, AT_SRIOV + 0x1a, c->vf_device);
	put32(space, AT_SRIOV + 0x1c, 0x553);
	put32(space, AT_SRIOV + 0x20, 1);
	for (unsigned i = 0; i < 6; i++)
		put32(space, AT_SRIOV + 0x24 + 4 * i, c->bar[i]);
}

static inline void card_space(const struct card *c, struct space *space)
{
	put32(space, 0x00, 0x10c98086);
	put16(space, 0x06, 0x0010);
	space->data[0x0b] = 0x02;
	space->data[0x34] = AT_EXPRESS;
	put32(space, AT_EXPRESS, 0x00020010 | AT_MSIX << 8);
	put16(space, AT_MSIX, 0x0011);
	put16(space, AT_MSIX + 2, (c->msix_off ? 0 : 0x8000) | 9);
	if (c->no_capability)
		put32(space, AT_SRIOV, 0x0001000eu);
	else
		card_sriov(c, space);
	if (!c->no_ari)
		put32(space, AT_ARI, 0x0001000eu);
}

static inline void port_space(const struct card *c, struct space *space)
{
	put32(space, 0x00, 0x20308086);
	put16(space, 0x06, 0x0010);
	put16(space, 0x0a, 0x0604);
	space->data[0x0e] = 1;
	space->data[0x18] = 0x3a;
	space->data[0x19] = 0x3b;
	space->data[0x1a] = (uint8_t)(c->subordinate ? c->subordinate : 0x3b);
	space->data[0x34] = AT_EXPRESS;
	put32(space, AT_EXPRESS, 0x00420010);
	put32(space, AT_EXPRESS + 0x24, c->port_incapable ? 0 : 0x20);
	put16(space, AT_EXPRESS + 0x28, c->port_ari ? 0x20 : 0);
	put32(space, 0x100, 0x0001000bu);
}

static inline void card_file(const struct tree *t, const char *name, const char *text)
{
	AUTO_BUF struct buf path = { 0 };

	buf_printf(&path, CARD_DIR "/%s", name);
	if (text)
		tree_put(t, buf_text(&path), text);
}

static inline void card_make(struct tree *t, const struct card *c)
{
	struct space space = { .len = c->size ? c->size : PCICONF_MAX }, above = space;

	tree_new(t);
	card_space(c, &space);
	port_space(c, &above);
	tree_put_bytes(t, CARD_DIR "/config", space.data, space.len);
	tree_put_bytes(t, PORT_DIR "/config", above.data, above.len);
	tree_put(t, PORT_DIR "/class", "0x060400\n");
	card_file(t, "class", "0x020000\n");
	card_file(t, "vendor", "0x8086\n");
	card_file(t, "device", c->ids ? c->ids : "0x10c9\n");
	card_file(t, "resource", c->resource);
	card_file(t, "sriov_totalvfs", c->totalvfs);
	card_file(t, "ari_enabled", c->ari_enabled);
	if (c->driver)
		tree_put_link(t, CARD_DIR "/driver", c->driver);
	tree_put_link(t, "/sys/bus/pci/devices/0000:3a:00.0",
		      "../../../devices/pci0000:3a/0000:3a:00.0");
	tree_put_link(t, "/sys/bus/pci/devices/" CARD,
		      "../../../devices/pci0000:3a/0000:3a:00.0/" CARD);
}

static inline const struct pf *card_pf(const struct tree *t)
{
	const struct pfs *v = NULL;

	return pfs_get(t->h, &v, NULL) == 0 ? pfs_find(v, CARD) : NULL;
}

/* Rows of a file "resource": BARs and ROM, then the VF BARs as given, of 128 KiB. */
#define ROW_NONE     "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
#define ROWS_PF	     ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE
#define ROW_VF	     "0x0000380000000000 0x000038000001ffff 0x000000000014220c\n"
#define ROW_UNSET    "0x0000000000000000 0x000000000001ffff 0x000000002014220c\n"
#define ROWS_OK	     ROWS_PF ROW_VF ROW_NONE ROW_NONE ROW_VF ROW_NONE ROW_NONE
#define BAR_64	     0xcu /* 64 bits, prefetchable, no address */
#define DRIVER(name) "../../../../bus/pci/drivers/" name

/* A 82576 as QEMU has it: all is well for 7 VFs, by the driver. */
static inline struct card card_good(void)
{
	return (struct card){
		.total = 8,
		.offset = 128,
		.stride = 2,
		.vf_device = 0x10ca,
		.bar = { BAR_64, 0, 0, BAR_64 },
		.hierarchy = true,
		.port_ari = true,
		.resource = ROWS_OK,
		.totalvfs = "7\n",
		.driver = DRIVER("igb"),
		.ari_enabled = "1\n",
	};
}

#endif
