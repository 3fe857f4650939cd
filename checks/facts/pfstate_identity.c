/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pfstate_read.h"

#include <sriovctl/buf.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>

#include <ctype.h>
#include <errno.h>
#include <linux/pci_regs.h>
#include <stdlib.h>
#include <string.h>

/* More than any maker has; those of NVMe are 20 at most. */
#define SERIAL_MAX 40

static void read_ids(const struct host *h, const char *bdf, struct pfstate_identity *id)
{
	static const char *const names[] = { "vendor", "device", "subsystem_vendor",
					     "subsystem_device" };
	AUTO_BUF struct buf text = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint64_t number;

		if (host_attr_u64(h, 16, &number, NULL, PCIDEV_PATH "/%s/%s", bdf, names[i]) < 0)
			return;
		buf_printf(&text, "%s%04x", i ? ":" : "", (unsigned)number);
	}
	id->ids = pfstate_copy(h, buf_text(&text));
}

/* PCI Express Base Specification 5.0, 7.9.3: the lower half first. */
static void read_dsn(const struct host *h, const char *bdf, struct pfstate_identity *id)
{
	const struct pciconf *c = NULL;
	uint16_t at;
	uint64_t dsn;

	if (pciconf_get(h, bdf, &c, NULL) < 0 || pciconf_ext_cap(c, PCI_EXT_CAP_ID_DSN, &at) < 0)
		return;
	dsn = (uint64_t)pciconf_u32(c, at + 8u) << 32 | pciconf_u32(c, at + 4u);
	if (dsn != UINT64_MAX)
		id->dsn = dsn;
}

/* One word: what is not to be printed in one becomes "_". */
static void read_serial(const struct host *h, const char *bdf, struct pfstate_identity *id)
{
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf text = { 0 };

	if (host_list(h, &names, NULL, PCIDEV_PATH "/%s/nvme", bdf) < 0 || names.n != 1 ||
	    host_attr(h, &text, NULL, PCIDEV_PATH "/%s/nvme/%s/serial", bdf, names.items[0]) < 0)
		return;
	buf_rtrim(&text);
	for (size_t i = 0; i < text.len; i++)
		if (!isgraph((unsigned char)text.data[i]))
			text.data[i] = '_';
	if (text.len > 0 && text.len <= SERIAL_MAX)
		id->serial = pfstate_copy(h, buf_text(&text));
}

void pfstate_identity_read(const struct host *h, const char *bdf, struct pfstate_identity *ret)
{
	*ret = (struct pfstate_identity){ 0 };
	read_ids(h, bdf, ret);
	read_dsn(h, bdf, ret);
	read_serial(h, bdf, ret);
}

void pfstate_identity_done(struct pfstate_identity *id)
{
	free(id->ids);
	free(id->serial);
	*id = (struct pfstate_identity){ 0 };
}

static bool differs(const char *a, const char *b)
{
	return a && b && strcmp(a, b) != 0;
}

bool pfstate_identity_differs(const struct pfstate_identity *a, const struct pfstate_identity *b)
{
	return differs(a->ids, b->ids) || differs(a->serial, b->serial) ||
	       (a->dsn && b->dsn && a->dsn != b->dsn);
}

int pfstate_identity_copy(const struct pfstate_identity *from, struct pfstate_identity *ret)
{
	*ret = (struct pfstate_identity){
		.ids = from->ids ? strdup(from->ids) : NULL,
		.serial = from->serial ? strdup(from->serial) : NULL,
		.dsn = from->dsn,
	};
	return (from->ids && !ret->ids) || (from->serial && !ret->serial) ? -ENOMEM : 0;
}
