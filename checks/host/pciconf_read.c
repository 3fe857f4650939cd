/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/pciconf.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>

#include "pciconf_known.h"
#include "pciconf_parse.h"

#include <errno.h>
#include <linux/pci_regs.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_END PCI_STD_HEADER_SIZEOF
#define NORMAL_END 0x100
#define BATCH	   64 /* functions that one child reads */

/* -EAGAIN when the attribute @name of the function begins with @asleep. */
static int require_not(const struct host *h, const char *bdf, const char *name, const char *asleep,
		       struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_attr(h, &text, NULL, PCIDEV_PATH "/%s/%s", bdf, name);

	if (r == -ENOMEM)
		return error_nomem(e);
	if (r == 0 && parse_has_prefix(buf_text(&text), asleep))
		return error_set(e, -EAGAIN,
				 "%s: %s is %s, and reading its registers would wake it", bdf, name,
				 buf_text(&text));
	return 0;
}

/*
 * The kernel resumes what it must to read the space (drivers/pci/pci.c,
 * pci_config_pm_runtime_get()), and looking must not change anything.  Older kernels have
 * no power_state; without runtime_status nothing is ever suspended.
 */
static int require_awake(const struct host *h, const char *bdf, struct error *e)
{
	int r;

	if (host_is_partial(h))
		return 0;
	/* "suspended", and "suspending", which would be waited for and undone. */
	r = require_not(h, bdf, "power/runtime_status", "suspend", e);
	return r < 0 ? r : require_not(h, bdf, "power_state", "D3cold", e);
}

static bool is_zero(const uint8_t *data, size_t from, size_t to)
{
	while (from < to && data[from] == 0)
		from++;
	return from == to;
}

/*
 * The file has the size of the whole space whatever a reader gets of it, and tar fills with
 * zeroes up to that size.  Zeroes of which the function itself says that they are a list, and
 * an extended space of zeroes alone, are not taken for what was read.
 */
static size_t length_captured(const uint8_t *data, size_t len)
{
	bool has_list = data[PCI_STATUS] & PCI_STATUS_CAP_LIST;

	if (!is_zero(data, NORMAL_END, len))
		return len;
	return has_list && is_zero(data, HEADER_END, NORMAL_END) ? HEADER_END : NORMAL_END;
}

/* The bytes alone: of the lists nothing is known yet. */
static int read_bytes(const struct host *h, const char *bdf, struct pciconf *ret, struct error *e)
{
	AUTO_BUF struct buf space = { 0 };
	const uint8_t *known = NULL;
	struct bdf address;
	size_t len;
	int r;

	if (parse_bdf(bdf, &address) < 0)
		return error_set(e, -EINVAL, "\"%s\" is no address of a PCI function", bdf);
	r = require_awake(h, bdf, e);
	if (r == 0)
		r = host_read(h, PCICONF_MAX, &space, e, PCIDEV_PATH "/%s/config", bdf);
	if (r < 0)
		return r;
	len = space.len;
	r = host_is_partial(h) ? pciconf_known_read(h, bdf, len, &known, e) : 0;
	if (r < 0)
		return r;
	if (host_is_partial(h) && len == PCICONF_MAX && !known)
		len = length_captured((const uint8_t *)buf_text(&space), len);
	r = pciconf_parse_bytes(buf_text(&space), len, ret, e);
	ret->known = known;
	return r < 0 ? error_prefix(e, r, "%s", bdf) : 0;
}

static int read_lists(const struct host *h, const char *bdf, struct pciconf *c, struct error *e)
{
	int r = pciconf_parse_lists(c, 1, e);

	if (r == -ENOMEM)
		return host_nomem(h, e);
	return r < 0 ? error_prefix(e, r, "%s", bdf) : 0;
}

int pciconf_read_now(const struct host *h, const char *bdf, struct pciconf *ret, struct error *e)
{
	struct pciconf c;
	int r = read_bytes(h, bdf, &c, e);

	if (r == 0)
		r = read_lists(h, bdf, &c, e);
	if (r < 0)
		return r;
	*ret = c;
	return 0;
}

static int read_fact(const struct host *h, const char *bdf, void *ret, struct error *e)
{
	return pciconf_read_now(h, bdf, ret, e);
}

static const struct host_fact spaces = { .size = sizeof(struct pciconf), .read = read_fact };

int pciconf_get(const struct host *h, const char *bdf, const struct pciconf **ret, struct error *e)
{
	const void *fact = NULL;
	int r = host_fact(h, &spaces, bdf, &fact, e);

	if (r == 0)
		*ret = fact;
	return r;
}

int pciconf_read(const struct host *h, const char *bdf, struct pciconf *ret, struct error *e)
{
	const struct pciconf *c = NULL;
	int r = pciconf_get(h, bdf, &c, e);

	if (r == 0)
		memcpy(ret, c, sizeof(*ret));
	return r;
}

/* By a single child for all; where @ret_errors has an error, @ret has no space. */
static void read_batch(const struct host *h, char *const *bdfs, size_t n, struct pciconf *ret,
		       int *ret_errors)
{
	for (size_t i = 0; i < n; i++) {
		ret[i].len = 0;
		ret_errors[i] = read_bytes(h, bdfs[i], &ret[i], NULL);
	}
	if (pciconf_parse_lists(ret, n, NULL) == 0)
		return;
	/* One of them is too much for libpci: which one shows when each is alone. */
	for (size_t i = 0; i < n; i++)
		if (ret_errors[i] == 0)
			ret_errors[i] = read_lists(h, bdfs[i], &ret[i], NULL);
}

/* Those that were read; why others were not, pciconf_get() is to say. */
static int keep_batch(const struct host *h, char *const *bdfs, size_t n)
{
	AUTO_FREE struct pciconf *read = calloc(n, sizeof(*read));
	int errors[BATCH], r = 0;

	if (!read)
		return host_nomem(h, NULL);
	read_batch(h, bdfs, n, read, errors);
	for (size_t i = 0; r == 0 && i < n; i++)
		if (errors[i] == 0)
			r = host_fact_keep(h, &spaces, bdfs[i], &read[i]);
	return r;
}

void pciconf_read_ahead(const struct host *h, char *const *bdfs, size_t n)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < n;) {
		char *batch[BATCH];
		size_t fresh = 0;

		for (; i < n && fresh < BATCH; i++)
			if (!host_fact_is_known(h, &spaces, bdfs[i]))
				batch[fresh++] = bdfs[i];
		if (fresh > 0)
			r = keep_batch(h, batch, fresh);
	}
}
