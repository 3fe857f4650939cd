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

static void put_caps(const struct pci_dev *d, struct buf *out)
{
	for (const struct pci_cap *cap = d->first_cap; cap; cap = cap->next) {
		buf_printf(out, "0x%x", cap->addr);
		child_put(out, "");
		child_put(out, cap->type == PCI_CAP_EXTENDED ? "1" : "0");
	}
}

struct space {
	const void *data;
	size_t len;
};

static int find_caps(const void *arg, struct buf *out)
{
	const struct space *s = arg;
	/* What was not read answers all ones, as libpci itself has it. */
	uint8_t cache[PCICONF_MAX];
	struct pci_access *a = open_access();
	struct pci_dev *d;

	if (!a)
		return -ENOSYS;
	memset(cache, 0xff, sizeof(cache));
	memcpy(cache, s->data, s->len);
	d = pci_get_dev(a, 0, 0, 0, 0);
	pci_setup_cache(d, cache, sizeof(cache));
	(void)pci_fill_info(d, PCI_FILL_CAPS | PCI_FILL_EXT_CAPS);
	put_caps(d, out);
	pci_free_dev(d);
	pci_cleanup(a);
	return 0;
}

static int unpack(const struct strv *answer, struct pciconf_libpci_cap **ret, size_t *ret_n,
		  struct error *e)
{
	AUTO_FREE struct pciconf_libpci_cap *caps = calloc(answer->n / 2 + 1, sizeof(*caps));
	uint64_t offset = 0, extended = 0;

	if (!caps)
		return error_nomem(e);
	for (size_t i = 0; i < answer->n / 2; i++) {
		if (parse_u64(answer->items[2 * i], 0, PCICONF_MAX - 1, &offset) < 0 ||
		    parse_u64(answer->items[2 * i + 1], 0, 1, &extended) < 0)
			return error_set(e, -EIO, "libpci finds a capability outside the space");
		caps[i].offset = (uint16_t)offset;
		caps[i].extended = extended;
	}
	*ret = TAKE(caps);
	*ret_n = answer->n / 2;
	return 0;
}

int pciconf_libpci_caps(const void *data, size_t len, struct pciconf_libpci_cap **ret,
			size_t *ret_n, struct error *e)
{
	const struct space s = { .data = data, .len = len };
	AUTO_STRV struct strv answer = { 0 };
	int r = child_run(find_caps, &s, &answer, e);

	return r < 0 ? r : unpack(&answer, ret, ret_n, e);
}
