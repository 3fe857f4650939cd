/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture_file.h"

#include "command.h"
#include "outfile.h"
#include "render/render.h"

#include <config.h>
#include <sriovctl/buf.h>
#include <sriovctl/capture.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/report.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What "check" says of what was captured, and says again on whoever reads it. */
static int print_report(const struct host *h, struct buf *ret, struct error *e)
{
	static const struct report_options all = { 0 };
	const struct render_style style = { .tool_version = VERSION };
	AUTO_REPORT struct report r = { 0 };
	AUTO_FREE char *text = NULL;
	size_t len = 0;
	int err = report_run(h, &all, &r, e);
	FILE *out;

	if (err < 0)
		return err;
	out = open_memstream(&text, &len);
	if (!out)
		return error_nomem(e);
	err = render_find("text")->report(&r, &style, out, e);
	if (fclose(out) != 0)
		return error_nomem(e);
	buf_append(ret, text, len);
	return err < 0 ? err : buf_error(ret);
}

int capture_file_open(const char *path, struct outfile *f, struct error *e)
{
	bool is_stdout = strcmp(path, "-") == 0;
	int r;

	if (is_stdout && isatty(STDOUT_FILENO)) {
		(void)error_set(e, -EINVAL, "a capture is nothing for a terminal: -o FILE");
		return EXIT_USAGE;
	}
	r = is_stdout ? 0 : outfile_open(f, path, e);
	return r == 0 ? EXIT_READY : r == -EEXIST ? EXIT_USAGE : EXIT_NOT_READY;
}

int capture_file_write(const struct host *h, struct outfile *f, struct error *e)
{
	AUTO_BUF struct buf report = { 0 };
	int r = print_report(h, &report, e);

	if (r < 0)
		return r;
	if (f->fd < 0) {
		r = capture_write(h, buf_text(&report), report.len, STDOUT_FILENO, e);
		return r < 0 ? error_prefix(e, r, "standard output") : 0;
	}
	r = capture_write(h, buf_text(&report), report.len, f->fd, e);
	if (r < 0)
		return error_prefix(e, r, "%s", f->path);
	r = outfile_publish(f, e);
	if (r == 0)
		(void)printf("%s\n", f->path);
	return r;
}
