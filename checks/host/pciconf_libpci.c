/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pciconf_libpci.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/parse.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/strv.h>

#include "child.h"

#include <errno.h>
#include <pci/pci.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST_END 0 /* where no capability can be */

/* libpci must not go on after this, and the caller sees that there is no answer. */
__attribute__((noreturn)) PRINTF(1, 2) static void give_up(char *msg, ...)
{
	(void)msg;
	_exit(1);
}

PRINTF(1, 2) static void ignore(char *msg, ...)
{
	(void)msg;
}

/* NULL: this libpci was built without what is needed. */
static struct pci_access *open_access(void)
{
	/* Below this nothing can be opened, should it ever be tried. */
	char method[] = "linux-sysfs", param[] = "sysfs.path", nowhere[] = "/dev/null";
	struct pci_access *a = pci_alloc();
	/* The numbers of the methods differ between releases of libpci. */
	int number = pci_lookup_method(method);

	a->error = give_up;
	a->warning = ignore;
	a->debug = ignore;
	if (number < 0 || pci_set_param(a, param, nowhere) < 0) {
		pci_cleanup(a);
		return NULL;
	}
	a->method = (unsigned)number;
	pci_init(a);
	return a;
}

static void put_cap(unsigned at, bool extended, struct buf *out)
{
	buf_printf(out, "0x%x", at);
	child_put(out, "");
	child_put(out, extended ? "1" : "0");
}

static void find_caps(struct pci_access *a, const struct pciconf *c, struct buf *out)
{
	/* What was not read answers all ones, as libpci itself has it. */
	uint8_t cache[PCICONF_MAX];
	struct pci_dev *d = pci_get_dev(a, 0, 0, 0, 0);

	memset(cache, 0xff, sizeof(cache));
	memcpy(cache, c->data, c->len);
	pci_setup_cache(d, cache, sizeof(cache));
	(void)pci_fill_info(d, PCI_FILL_CAPS | PCI_FILL_EXT_CAPS);
	for (const struct pci_cap *cap = d->first_cap; cap; cap = cap->next)
		put_cap(cap->addr, cap->type == PCI_CAP_EXTENDED, out);
	pci_free_dev(d);
}

struct spaces {
	const struct pciconf *items;
	size_t n;
};

static int find_all(const void *arg, struct buf *out)
{
	const struct spaces *s = arg;
	struct pci_access *a = open_access();

	if (!a)
		return -ENOSYS;
	for (size_t i = 0; i < s->n; i++) {
		if (s->items[i].len > 0)
			find_caps(a, &s->items[i], out);
		put_cap(LIST_END, false, out);
	}
	pci_cleanup(a);
	return 0;
}

/* The lists of @lists spaces. */
static int unpack(const struct strv *answer, size_t lists, struct pciconf_libpci_cap **ret,
		  struct error *e)
{
	AUTO_FREE struct pciconf_libpci_cap *caps = calloc(answer->n / 2 + 1, sizeof(*caps));
	uint64_t offset = 0, extended = 0;
	size_t ends = 0;

	if (!caps)
		return error_nomem(e);
	for (size_t i = 0; i < answer->n / 2; i++) {
		if (parse_u64(answer->items[2 * i], 0, PCICONF_MAX - 1, &offset) < 0 ||
		    parse_u64(answer->items[2 * i + 1], 0, 1, &extended) < 0)
			return error_set(e, -EIO, "libpci finds a capability outside the space");
		caps[i].offset = (uint16_t)offset;
		caps[i].extended = extended;
		ends += offset == LIST_END;
	}
	if (ends != lists)
		return error_set(e, -EIO, "libpci finds a capability at the beginning of a space");
	*ret = TAKE(caps);
	return 0;
}

int pciconf_libpci_caps(const struct pciconf *spaces, size_t n, struct pciconf_libpci_cap **ret,
			struct error *e)
{
	const struct spaces s = { .items = spaces, .n = n };
	AUTO_STRV struct strv answer = { 0 };
	int r = child_run(find_all, &s, &answer, e);

	return r < 0 ? r : unpack(&answer, n, ret, e);
}
