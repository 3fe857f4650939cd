/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "specfile.h"

#include "infile.h"

#include <sriovctl/buf.h>
#include <sriovctl/spec.h>

int specfile_read(const char *path, struct spec **ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = infile_read(path, &text, e);

	return r < 0 ? r : spec_parse(buf_text(&text), text.len, infile_name(path), ret, e);
}
