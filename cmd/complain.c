/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "complain.h"

#include "render/wrap.h"

#include <sriovctl/buf.h>

#include <stdio.h>

void complain(const char *fmt, ...)
{
	AUTO_BUF struct buf text = { 0 };

	BUF_FORMAT(&text, fmt);
	(void)fputs("sriovctl: ", stderr);
	wrap_put(stderr, buf_text(&text), text.len);
	(void)fputc('\n', stderr);
}
