/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int strv_take(struct strv *v, char *text)
{
	char **items = text ? base_room(v->items, v->n, sizeof(*items)) : NULL;

	if (!items) {
		free(text);
		return -ENOMEM;
	}
	v->items = items;
	v->items[v->n++] = text;
	return 0;
}

int strv_add(struct strv *v, const char *text)
{
	return strv_take(v, strdup(text));
}

bool strv_has(const struct strv *v, const char *text)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->items[i], text) == 0)
			return true;
	return false;
}

static int compare(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

void strv_sort(struct strv *v)
{
	if (v->n > 1)
		qsort(v->items, v->n, sizeof(*v->items), compare);
}

void strv_done(struct strv *v)
{
	for (size_t i = 0; i < v->n; i++)
		free(v->items[i]);
	free(v->items);
	*v = (struct strv){ 0 };
}
