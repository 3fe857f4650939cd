/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What modinfo prints of the file of a module. */
#include "import_impl.h"

#include <sriovctl/buf.h>
#include <sriovctl/modules.h>

#include <errno.h>
#include <string.h>

/* The lines of one file, as captures have them (sriovctl/modules.h, modules_told()). */
struct file {
	struct import *i;
	struct buf name, lines;
	size_t n;
};

/* "/lib/modules/6.1.0/kernel/drivers/net/ethernet/intel/ice/ice.ko.xz" is of ice. */
static void begin(struct file *f, const char *path)
{
	const char *base = strrchr(path, '/'), *suffix = base ? strstr(base, ".ko") : NULL;
	AUTO_FREE char *name = suffix ? strndup(base + 1, (size_t)(suffix - base - 1)) : NULL;
	AUTO_FREE char *spelled = name ? modules_name(name) : NULL;

	buf_clear(&f->name);
	buf_clear(&f->lines);
	if (suffix && !spelled)
		f->i->error = -ENOMEM;
	if (spelled && *spelled)
		buf_puts(&f->name, spelled);
}

static void end(struct file *f)
{
	import_note(f->i, &f->name);
	import_note(f->i, &f->lines);
	/* A vermagic is in all of them. */
	if (f->name.len > 0 && strstr(buf_text(&f->lines), "vermagic ")) {
		host_make_file(f->i->make, buf_text(&f->lines), f->lines.len,
			       HOST_MAKE_ANSWERS "/modinfo/%s", buf_text(&f->name));
		f->n++;
	}
	buf_clear(&f->name);
}

size_t modinfo_take(struct import *i, const struct import_text *t)
{
	static const char *const keys[] = { "version",	"srcversion", "intree",
					    "vermagic", "sig_id",     "signer" };
	AUTO_BUF struct buf line = { 0 };
	struct file f = { .i = i };
	const char *text = t->data;

	while (text_line(&text, &line)) {
		const char *path = text_after(buf_text(&line), "filename:");

		if (path) {
			end(&f);
			begin(&f, text_skip_blanks(path));
		}
		for (size_t k = 0; k < ARRAY_SIZE(keys) && f.name.len > 0; k++) {
			const char *value = text_after(buf_text(&line), keys[k]);

			if (value && *value == ':')
				buf_printf(&f.lines, "%s %s\n", keys[k],
					   text_skip_blanks(value + 1));
		}
	}
	end(&f);
	import_note(i, &line);
	buf_done(&f.name);
	buf_done(&f.lines);
	return f.n;
}
