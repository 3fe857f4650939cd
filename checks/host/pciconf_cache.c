/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pciconf_cache.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pciconf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 64 /* functions that one child reads */

struct pciconf_seen {
	struct pciconf_seen *next;
	char *bdf;
	struct error error; /* code 0: @conf was read */
	struct pciconf conf;
};

static int read_cache(const struct host *h, struct pciconf_cache *ret, struct error *e)
{
	ret->first = calloc(1, sizeof(*ret->first));
	return ret->first ? 0 : host_nomem(h, e);
}
HOST_FACT_DEFINE(pciconf_cache, read_cache)

static void free_seen(struct pciconf_seen *s)
{
	free(s->bdf);
	free(s);
}

void pciconf_cache_done(struct pciconf_cache *c)
{
	while (c->first && *c->first) {
		struct pciconf_seen *s = *c->first;

		*c->first = s->next;
		free_seen(s);
	}
	free(c->first);
	*c = (struct pciconf_cache){ 0 };
}

static struct pciconf_seen *find(const struct pciconf_cache *c, const char *bdf)
{
	struct pciconf_seen *s = *c->first;

	while (s && strcmp(s->bdf, bdf) != 0)
		s = s->next;
	return s;
}

static struct pciconf_seen *add(const struct pciconf_cache *c, const char *bdf)
{
	struct pciconf_seen *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->bdf = strdup(bdf);
	if (!s->bdf) {
		free_seen(s);
		return NULL;
	}
	s->next = *c->first;
	*c->first = s;
	return s;
}

int pciconf_read(const struct host *h, const char *bdf, struct pciconf *ret, struct error *e)
{
	const struct pciconf_cache *c = NULL;
	struct pciconf_seen *s;
	int r = pciconf_cache_get(h, &c, e);

	if (r != 0)
		return r;
	s = find(c, bdf);
	if (!s) {
		s = add(c, bdf);
		if (!s)
			return host_nomem(h, e);
		s->error.code = pciconf_read_now(h, bdf, &s->conf, &s->error);
	}
	if (s->error.code == -ENOMEM)
		return host_nomem(h, e);
	if (s->error.code < 0)
		return error_set(e, s->error.code, "%s", s->error.text);
	memcpy(ret, &s->conf, sizeof(*ret));
	return 0;
}

/* Those that were read; why others were not, pciconf_read() is to say. */
static int keep_batch(const struct host *h, const struct pciconf_cache *c, char *const *bdfs,
		      size_t n)
{
	AUTO_FREE struct pciconf *spaces = calloc(n, sizeof(*spaces));
	int errors[BATCH];

	if (!spaces)
		return -ENOMEM;
	pciconf_read_batch(h, bdfs, n, spaces, errors);
	for (size_t i = 0; i < n; i++) {
		struct pciconf_seen *s = errors[i] == 0 ? add(c, bdfs[i]) : NULL;

		if (s)
			memcpy(&s->conf, &spaces[i], sizeof(s->conf));
		else if (errors[i] == 0)
			return -ENOMEM;
	}
	return 0;
}

void pciconf_read_ahead(const struct host *h, char *const *bdfs, size_t n)
{
	const struct pciconf_cache *c = NULL;
	int r = pciconf_cache_get(h, &c, NULL);

	for (size_t i = 0; r == 0 && i < n;) {
		char *batch[BATCH];
		size_t fresh = 0;

		for (; i < n && fresh < BATCH; i++)
			if (!find(c, bdfs[i]))
				batch[fresh++] = bdfs[i];
		if (fresh > 0)
			r = keep_batch(h, c, batch, fresh);
	}
	if (r == -ENOMEM)
		(void)host_nomem(h, NULL);
}
