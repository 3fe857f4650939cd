/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/buf.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUF_FIRST 64

/* Room for @len more bytes and the final NUL. */
static bool grow(struct buf *b, size_t len)
{
	size_t want, size;
	char *data;

	if (b->error)
		return false;
	if (__builtin_add_overflow(b->len, len, &want) || __builtin_add_overflow(want, 1, &want)) {
		b->error = -EOVERFLOW;
		return false;
	}
	if (want <= b->size)
		return true;
	if (__builtin_mul_overflow(b->size, 2, &size) || size < want)
		size = want < BUF_FIRST ? BUF_FIRST : want;
	data = realloc(b->data, size);
	if (!data) {
		b->error = -ENOMEM;
		return false;
	}
	b->data = data;
	b->size = size;
	b->data[b->len] = '\0';
	return true;
}

void buf_append(struct buf *b, const void *data, size_t len)
{
	if (!grow(b, len) || len == 0)
		return;
	memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void buf_puts(struct buf *b, const char *text)
{
	buf_append(b, text, strlen(text));
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0) {
		b->error = b->error ? b->error : -EINVAL;
		return;
	}
	if (!grow(b, (size_t)n))
		return;
	(void)vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

char *buf_reserve(struct buf *b, size_t len)
{
	return grow(b, len) ? b->data + b->len : NULL;
}

int buf_error(const struct buf *b)
{
	return b->error;
}

const char *buf_text(const struct buf *b)
{
	return b->data ? b->data : "";
}

char *buf_take(struct buf *b)
{
	char *data = NULL, *fitting;

	if (grow(b, 0)) {
		b->data[b->len] = '\0';
		/* What is kept is kept for long, and most of it is short. */
		fitting = realloc(b->data, b->len + 1);
		data = fitting ? fitting : b->data;
		b->data = NULL;
	}
	buf_done(b);
	return data;
}

void buf_rtrim(struct buf *b)
{
	while (b->len > 0 && strchr(" \t\r\n", b->data[b->len - 1]))
		b->len--;
	if (b->data)
		b->data[b->len] = '\0';
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buf_done(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ 0 };
}
