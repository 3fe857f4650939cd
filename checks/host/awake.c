/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/awake.h>

#include "host_answer.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pciconf.h>

#include <errno.h>

/* A function is woken once. */
static int ask(const struct host *h, const char *bdf, struct buf *ret, struct error *e)
{
	int r = host_answer(h, "awake", bdf, ret, NULL);

	return r < 0 ? error_set(e, r, "%s: not awake: %s", bdf, host_why(h, r)) : 0;
}
HOST_FACT_ABOUT(answer_about, buf, ask)

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
	const struct buf *answer = NULL;
	int r = answer_about(h, bdf, &answer, e);

	if (r < 0)
		return r;
	r = awake_parse(answer->data, answer->len, ret_own, ret_port, e);
	return r == -ENOMEM ? host_nomem(h, e) : r;
}
