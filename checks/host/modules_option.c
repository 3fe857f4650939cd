/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "modules_impl.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/modules.h>

#include "modules_kmod.h"

#include <errno.h>
#include <string.h>

static bool find_param(const char *options, const char *param, struct buf *ret)
{
	AUTO_BUF struct buf text = { 0 };
	bool found = false;

	while (cmdline_next_word(&options, &text)) {
		const char *value = cmdline_word_value(buf_text(&text), param);

		if (!value)
			continue;
		buf_clear(ret);
		buf_puts(ret, strchr(buf_text(&text), '=') ? value : "1");
		found = true;
	}
	return found;
}

int modules_option(const struct modules *m, const char *module, const char *param,
		   struct buf *ret_value, struct buf *ret_source, struct error *e)
{
	AUTO_FREE char *name = modules_name(module);
	bool found = false;
	size_t at = 0;
	struct modules_line l;

	if (!name)
		return host_nomem(m->h, e);
	while (modules_config_next(m, &at, &l)) {
		if (strcmp(l.kind, MODULES_LINE_OPTIONS) != 0 || strcmp(l.module, name) != 0 ||
		    !find_param(l.text, param, ret_value))
			continue;
		buf_clear(ret_source);
		buf_puts(ret_source, l.source);
		found = true;
	}
	if (buf_error(ret_value) < 0 || buf_error(ret_source) < 0)
		return host_nomem(m->h, e);
	if (found)
		return 0;
	if (m->config_error < 0)
		return error_set(e, m->config_error, "modprobe.d: %s", strerror(-m->config_error));
	return error_set(e, -ENOENT, "modprobe.d sets no %s.%s", module, param);
}
