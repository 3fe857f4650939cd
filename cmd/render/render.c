/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render.h"

#include <sriovctl/base.h>

#include <string.h>

static const struct renderer *const renderers[] = { &render_text, &render_json };

const char *const render_names[] = { "text", "json", NULL };

const struct renderer *render_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(renderers); i++)
		if (strcmp(renderers[i]->name, name) == 0)
			return renderers[i];
	return NULL;
}
