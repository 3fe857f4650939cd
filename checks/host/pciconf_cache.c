/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pciconf_cache.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pciconf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static struct pciconf_seen *look(const struct host *h, const char *bdf)
{
	struct pciconf_seen *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->bdf = strdup(bdf);
	if (!s->bdf) {
		free_seen(s);
		return NULL;
	}
	s->error.code = pciconf_read_now(h, bdf, &s->conf, &s->error);
	return s;
}

int pciconf_read(const struct host *h, const char *bdf, struct pciconf *ret, struct error *e)
{
	const struct pciconf_cache *c = NULL;
	struct pciconf_seen *s;
	int r = pciconf_cache_get(h, &c, e);

	if (r != 0)
		return r;
	for (s = *c->first; s && strcmp(s->bdf, bdf) != 0;)
		s = s->next;
	if (!s) {
		s = look(h, bdf);
		if (!s)
			return host_nomem(h, e);
		s->next = *c->first;
		*c->first = s;
	}
	if (s->error.code == -ENOMEM)
		return host_nomem(h, e);
	if (s->error.code < 0)
		return error_set(e, s->error.code, "%s", s->error.text);
	memcpy(ret, &s->conf, sizeof(*ret));
	return 0;
}
