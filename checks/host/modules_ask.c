/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "modules_impl.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct modules_asked {
	struct modules_asked *next;
	modules_question *question;
	char *about;
	struct strv answer;
	struct error error; /* code 0: @answer is known */
};

static void free_asked(struct modules_asked *a)
{
	free(a->about);
	strv_done(&a->answer);
	free(a);
}

void modules_ask_done(struct modules *m)
{
	while (m->asked && *m->asked) {
		struct modules_asked *a = *m->asked;

		*m->asked = a->next;
		free_asked(a);
	}
	free(m->asked);
}

static struct modules_asked *ask(const struct modules *m, modules_question *question,
				 const char *about)
{
	struct modules_asked *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->question = question;
	a->about = strdup(about);
	if (!a->about) {
		free_asked(a);
		return NULL;
	}
	a->error.code = question(m, about, &a->answer, &a->error);
	a->next = *m->asked;
	*m->asked = a;
	return a;
}

int modules_ask(const struct modules *m, modules_question *question, const char *about,
		struct strv *ret, struct error *e)
{
	struct modules_asked *a = *m->asked;

	while (a && (a->question != question || strcmp(a->about, about) != 0))
		a = a->next;
	if (!a)
		a = ask(m, question, about);
	if (!a || a->error.code == -ENOMEM)
		return host_nomem(m->h, e);
	if (a->error.code < 0)
		return error_set(e, a->error.code, "%s", a->error.text);
	strv_done(ret);
	for (size_t i = 0; i < a->answer.n; i++)
		if (strv_add(ret, a->answer.items[i]) < 0)
			return host_nomem(m->h, e);
	return 0;
}
