/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said to be known of a space after any text must decode without a contradiction. */
#include "../../checks/host/pciconf_parse.h"
#include "../../import/lspci.h"

#include <sriovctl/base.h>
#include <sriovctl/pciconf.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What libpci would find: a process for each text would be slow. */
static size_t walk(const struct pciconf *c, struct pciconf_libpci_cap *ret)
{
	size_t n = 0;

	for (size_t at = c->data[0x34] & ~3u; at >= 0x40 && at < 0x100 && n < PCICONF_CAPS_MAX / 2;
	     at = pciconf_u16(c, at) >> 8 & ~3u)
		ret[n++] = (struct pciconf_libpci_cap){ .offset = (uint16_t)at };
	for (size_t at = 0x100; at >= 0x100 && at < c->len && n < PCICONF_CAPS_MAX;
	     at = pciconf_u32(c, at) >> 20 & ~3u)
		ret[n++] = (struct pciconf_libpci_cap){ .offset = (uint16_t)at, .extended = true };
	return n;
}

static void look(const struct function *f)
{
	struct pciconf_libpci_cap found[PCICONF_CAPS_MAX];
	struct pciconf_express x;
	struct pciconf_sriov s;
	struct pciconf c;
	uint16_t at;

	if (f->len > PCICONF_MAX || (f->len > 0 && (!f->space || !f->known)))
		abort();
	if (f->len < 64 || pciconf_parse_bytes(f->space, f->len, &c, NULL) < 0)
		return;
	c.known = f->known;
	pciconf_parse_accept(&c, found, walk(&c, found));
	if (pciconf_sriov(&c, &s) > 0 || pciconf_express(&c, &x) > 0)
		abort();
	if (pciconf_cap(&c, 0x10, &at) == 0 && (at < 0x40 || at > 0xff))
		abort();
	if (pciconf_ext_cap(&c, 0x10, &at) == 0 && at < 0x100)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = strndup((const char *)data, size);
	AUTO_FUNCTIONS struct functions v = { 0 };

	if (!text)
		abort();
	(void)lspci_take_dumps(&v, text);
	(void)lspci_take_text(&v, NULL, text);
	if (v.error || v.n > FUNCTIONS_MAX)
		abort();
	for (size_t i = 0; i < v.n; i++) {
		if (i > 0 && functions_find(&v, &v.items[i]->at) != v.items[i])
			abort();
		look(v.items[i]);
	}
	return 0;
}
