/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STRV_FIRST 16

static int grow(struct strv *v)
{
	size_t size = v->size ? v->size * 2 : STRV_FIRST;
	char **items;

	if (v->n < v->size)
		return 0;
	items = reallocarray(v->items, size, sizeof(*items));
	if (!items)
		return -ENOMEM;
	v->items = items;
	v->size = size;
	return 0;
}

int strv_take(struct strv *v, char *text)
{
	if (!text || grow(v) < 0) {
		free(text);
		return -ENOMEM;
	}
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
