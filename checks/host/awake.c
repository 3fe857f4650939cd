/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/awake.h>

#include "awake_cache.h"
#include "host_answer.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pciconf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- what was answered before -------------------------------------------------------------- */

struct awake_seen {
	struct awake_seen *next;
	char *bdf;
	int error;
	struct buf answer;
};

static int read_cache(const struct host *h, struct awake_cache *ret, struct error *e)
{
	ret->first = calloc(1, sizeof(*ret->first));
	return ret->first ? 0 : host_nomem(h, e);
}
HOST_FACT_DEFINE(awake_cache, read_cache)

static void free_seen(struct awake_seen *s)
{
	buf_done(&s->answer);
	free(s->bdf);
	free(s);
}

void awake_cache_done(struct awake_cache *c)
{
	while (c->first && *c->first) {
		struct awake_seen *s = *c->first;

		*c->first = s->next;
		free_seen(s);
	}
	free(c->first);
	*c = (struct awake_cache){ 0 };
}

static struct awake_seen *look(const struct host *h, const char *bdf)
{
	struct awake_seen *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->bdf = strdup(bdf);
	if (!s->bdf) {
		free_seen(s);
		return NULL;
	}
	s->error = host_answer(h, "awake", bdf, &s->answer, NULL);
	return s;
}

static struct awake_seen *find(const struct host *h, const struct awake_cache *c, const char *bdf)
{
	struct awake_seen *s;

	for (s = *c->first; s; s = s->next)
		if (strcmp(s->bdf, bdf) == 0)
			return s;
	s = look(h, bdf);
	if (!s)
		return NULL;
	s->next = *c->first;
	*c->first = s;
	return s;
}

/* --- what it says --------------------------------------------------------------------------- */

/* Cut one space off; a port that is not there has no bytes. */
static int take_space(const uint8_t **data, size_t *len, struct pciconf *ret, struct error *e)
{
	size_t size;
	int r = 0;

	if (*len < 2)
		return error_set(e, -EBADMSG, "the answer is too short");
	size = (size_t)((*data)[0] | (*data)[1] << 8);
	if (size > *len - 2)
		return error_set(e, -EBADMSG, "the answer is too short");
	*ret = (struct pciconf){ .len = 0 };
	if (size > 0)
		r = pciconf_parse(*data + 2, size, ret, e);
	*data += 2 + size;
	*len -= 2 + size;
	return r;
}

int awake_parse(const void *data, size_t len, struct pciconf *ret_own, struct pciconf *ret_port,
		struct error *e)
{
	const uint8_t *at = data;
	int r = take_space(&at, &len, ret_own, e);

	if (r == 0)
		r = take_space(&at, &len, ret_port, e);
	if (r == 0 && (len > 0 || ret_own->len == 0))
		return error_set(e, -EBADMSG, "the answer is no two spaces");
	return r;
}

int awake_read(const struct host *h, const char *bdf, struct pciconf *ret_own,
	       struct pciconf *ret_port, struct error *e)
{
	const struct awake_cache *c = NULL;
	const struct awake_seen *s;
	int r = awake_cache_get(h, &c, e);

	if (r != 0)
		return r;
	s = find(h, c, bdf);
	if (!s || s->error == -ENOMEM)
		return host_nomem(h, e);
	if (s->error < 0)
		return error_set(e, s->error, "%s: not awake: %s", bdf, host_why(h, s->error));
	r = awake_parse(s->answer.data, s->answer.len, ret_own, ret_port, e);
	return r == -ENOMEM ? host_nomem(h, e) : r;
}
