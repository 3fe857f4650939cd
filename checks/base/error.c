/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/error.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char ellipsis[] = "...";

static void mark_cut(struct error *e, int wanted)
{
	if (wanted < 0 || (size_t)wanted >= sizeof(e->text))
		memcpy(e->text + sizeof(e->text) - sizeof(ellipsis), ellipsis, sizeof(ellipsis));
}

int error_set(struct error *e, int code, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return code;
	e->code = code;
	va_start(ap, fmt);
	mark_cut(e, vsnprintf(e->text, sizeof(e->text), fmt, ap));
	va_end(ap);
	return code;
}

int error_prefix(struct error *e, int code, const char *fmt, ...)
{
	char said[sizeof(e->text)];
	size_t room, used;
	va_list ap;

	if (!e)
		return code;
	memcpy(said, e->text, sizeof(said));
	e->code = code;
	va_start(ap, fmt);
	mark_cut(e, vsnprintf(e->text, sizeof(e->text), fmt, ap));
	va_end(ap);
	used = strlen(e->text);
	room = sizeof(e->text) - used;
	if ((size_t)snprintf(e->text + used, room, ": %s", said) >= room)
		mark_cut(e, -1);
	return code;
}

int error_nomem(struct error *e)
{
	return error_set(e, -ENOMEM, "out of memory");
}
