/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pciconf_known.h"

#include "host_source.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pciconf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct pciconf_mask {
	struct pciconf_mask *next;
	char *bdf;
	uint8_t *bits;
	size_t len;
};

static int read_known(const struct host *h, struct pciconf_known *ret, struct error *e)
{
	ret->first = calloc(1, sizeof(*ret->first));
	return ret->first ? 0 : host_nomem(h, e);
}
HOST_FACT_DEFINE(pciconf_known, read_known)

void pciconf_known_done(struct pciconf_known *k)
{
	while (k->first && *k->first) {
		struct pciconf_mask *m = *k->first;

		*k->first = m->next;
		free(m->bdf);
		free(m->bits);
		free(m);
	}
	free(k->first);
	*k = (struct pciconf_known){ 0 };
}

static struct pciconf_mask *add(const struct pciconf_known *k, const char *bdf, struct buf *bits)
{
	struct pciconf_mask *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->next = *k->first;
	*k->first = m;
	m->len = bits->len;
	m->bdf = strdup(bdf);
	m->bits = (uint8_t *)buf_take(bits);
	return m->bdf && m->bits ? m : NULL;
}

int pciconf_known_read(const struct host *h, const char *bdf, size_t len, const uint8_t **ret,
		       struct error *e)
{
	const struct pciconf_known *k = NULL;
	AUTO_BUF struct buf bits = { 0 };
	struct pciconf_mask *m;
	int r = pciconf_known_get(h, &k, e);

	*ret = NULL;
	if (r != 0)
		return r;
	for (m = *k->first; m && (!m->bdf || strcmp(m->bdf, bdf) != 0);)
		m = m->next;
	if (!m) {
		r = host_read(h, PCICONF_MAX, &bits, e, HOST_ANSWERS PCICONF_KNOWN "/%s", bdf);
		if (r == -ENOMEM)
			return r;
		/* Only an import has one. */
		if (r < 0)
			return r == -EFBIG || r == -EINVAL ? -EBADMSG : 0;
		m = add(k, bdf, &bits);
	}
	if (!m || !m->bits)
		return host_nomem(h, e);
	if (m->len != len)
		return error_set(e, -EBADMSG, "%s: what is known of it does not fit it", bdf);
	*ret = m->bits;
	return 0;
}
