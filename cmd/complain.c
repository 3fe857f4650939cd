/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "complain.h"

#include "render/wrap.h"

#include <sriovctl/buf.h>

#include <stdarg.h>
#include <stdio.h>

void complain(const char *fmt, ...)
{
	AUTO_BUF struct buf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	(void)fputs("sriovctl: ", stderr);
	wrap_put(stderr, buf_text(&text), text.len);
	(void)fputc('\n', stderr);
}
