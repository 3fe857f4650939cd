/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile_ask.h"

#include "infile.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/profile.h>

#include <errno.h>

static int read_file(const char *path, struct profile *ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = infile_read(path, &text, e);

	if (r == -ENOENT)
		return error_set(e, r, "--profile: \"%s\" is no file, and no profile: %s or %s",
				 path, profile_names[0], profile_names[1]);
	return r < 0 ? r : profile_parse(buf_text(&text), text.len, infile_name(path), ret, e);
}

int profile_ask(const char *word, const struct strv *severities, struct profile *ret,
		struct error *e)
{
	struct error of_name = { 0 };
	int r = profile_find(word, ret, &of_name);

	if (r == -ENOENT)
		r = read_file(word, ret, e);
	else if (r < 0)
		r = error_set(e, r, "%s", of_name.text);
	for (size_t i = 0; r == 0 && i < severities->n; i++) {
		r = profile_override(ret, severities->items[i], e);
		if (r < 0)
			r = error_prefix(e, r, "--severity");
	}
	return r;
}
