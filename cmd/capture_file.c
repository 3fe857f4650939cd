/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture_file.h"

#include "outfile.h"
#include "render/render.h"

#include <config.h>
#include <sriovctl/buf.h>
#include <sriovctl/capture.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/report.h>

#include <stdio.h>
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

int capture_file_write(const struct host *h, struct outfile *f, struct error *e)
{
	AUTO_BUF struct buf report = { 0 };
	int r = print_report(h, &report, e);

	if (r < 0)
		return r;
	r = capture_write(h, buf_text(&report), report.len, f ? f->fd : STDOUT_FILENO, e);
	if (r < 0 || !f)
		return r < 0 && f ? error_prefix(e, r, "%s", f->path) : r;
	r = outfile_publish(f, e);
	if (r == 0)
		(void)printf("%s\n", f->path);
	return r;
}
