/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing byte string.  A zeroed struct buf is empty and valid, and its text
 * always ends in a NUL that does not count in @len.  Appending returns nothing:
 * a failure sticks, later appends do nothing, and buf_error() tells once at the end.
 */
#ifndef SRIOVCTL_BUF_H
#define SRIOVCTL_BUF_H

#include <sriovctl/base.h>

#include <stdarg.h>

struct buf {
	char *data;
	size_t len, size;
	int error;
};

void buf_append(struct buf *b, const void *data, size_t len);
void buf_puts(struct buf *b, const char *text);
void buf_printf(struct buf *b, const char *fmt, ...) PRINTF(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) PRINTF(2, 0);

/* Appends what @fmt, a function's last parameter with a name, makes of those without. */
#define BUF_FORMAT(b, fmt)                \
	do {                              \
		va_list ap_;              \
		va_start(ap_, fmt);       \
		buf_vprintf(b, fmt, ap_); \
		va_end(ap_);              \
	} while (0)

/* Room for @len more bytes at data + len, or NULL; the caller adds what it used to @len. */
char *buf_reserve(struct buf *b, size_t len);

/* 0, or the first failure as a negative errno. */
int buf_error(const struct buf *b) MUST_USE;

/* The text, never NULL; valid until the next append. */
const char *buf_text(const struct buf *b);

/* The text as a string of its own for free(); the buf is empty afterwards.  NULL: out of memory. */
char *buf_take(struct buf *b) MUST_USE;

/* Cut trailing newlines, spaces and tabs. */
void buf_rtrim(struct buf *b);
/* Empty, to be used again.  A failure stays, so that one question after many uses is enough. */
void buf_clear(struct buf *b);
void buf_done(struct buf *b);
#define AUTO_BUF CLEANUP(buf_done)

#endif
