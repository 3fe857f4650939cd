/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/capture.h>

#include "capture_list.h"
#include "host_archive.h"
#include "host_index.h"
#include "host_open.h"
#include "host_record.h"
#include "host_source.h"
#include "host_store.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Of what is captured nothing is longer. */
#define CONTENT_MAX (64u << 20)

int capture_open(const char *root, struct host **ret, struct error *e)
{
	return host_open_recording(root, ret, e);
}

/* --- asking -------------------------------------------------------------------------- */

/* 0 or -ENOMEM: all other failures are what is to be noted. */
static int lack(int r)
{
	return r == -ENOMEM ? r : 0;
}

/* What stands at @path, as what it is; of a path behind a ? only that. */
static int take(struct host_source *s, const char *path)
{
	bool is_enough = path[0] == '?';
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf content = { 0 };
	enum host_kind kind;
	int r = s->ops->kind(s, path + is_enough, &kind);

	if (r < 0 || is_enough)
		return lack(r);
	if (kind == HOST_KIND_FILE)
		r = s->ops->read(s, path, CONTENT_MAX, &content);
	else if (kind == HOST_KIND_DIR)
		r = s->ops->list(s, path, &names);
	return lack(r);
}

/* @path and what of @pattern is left, which begins with a slash or is empty. */
static int take_all(struct host_source *s, const char *path, const char *pattern)
{
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf dir = { 0 };
	const char *star = strchr(pattern, '*'), *slash = star, *end;
	AUTO_FREE char *glob = NULL;
	int r;

	buf_puts(&dir, path);
	if (!star) {
		buf_puts(&dir, pattern);
		return buf_error(&dir) < 0 ? -ENOMEM : take(s, buf_text(&dir));
	}
	while (*slash != '/')
		slash--;
	end = strchrnul(star, '/');
	buf_append(&dir, pattern, (size_t)(slash - pattern));
	glob = strndup(slash + 1, (size_t)(end - slash - 1));
	if (!glob || buf_error(&dir) < 0)
		return -ENOMEM;
	r = lack(s->ops->list(s, buf_text(&dir), &names));
	strv_sort(&names);
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		AUTO_BUF struct buf below = { 0 };

		if (fnmatch(glob, names.items[i], 0) != 0)
			continue;
		buf_printf(&below, "%s/%s", buf_text(&dir), names.items[i]);
		r = buf_error(&below) < 0 ? -ENOMEM : take_all(s, buf_text(&below), end);
	}
	return r;
}

/* Those with @ only where the release is known: no check can have asked for them otherwise. */
static int take_pattern(const struct host *h, const char *pattern, const struct kernel *k)
{
	AUTO_BUF struct buf text = { 0 };
	const char *at = strchr(pattern, '@');

	if (at && !k)
		return 0;
	buf_append(&text, pattern, at ? (size_t)(at - pattern) : strlen(pattern));
	if (at)
		buf_printf(&text, "%s%s", k->release, at + 1);
	return buf_error(&text) < 0 ? -ENOMEM : take_all(host_source(h), "", buf_text(&text));
}

static int take_functions(const struct host *h)
{
	int r = 0;

	for (size_t i = 0; r == 0 && capture_list_function[i]; i++) {
		AUTO_BUF struct buf pattern = { 0 };

		buf_printf(&pattern, CAPTURE_LIST_FUNCTIONS "%s", capture_list_function[i]);
		r = buf_error(&pattern) < 0 ? -ENOMEM
					    : take_all(host_source(h), "", buf_text(&pattern));
	}
	return r;
}

/* What a driver says of its interface, and of the port behind it. */
static int take_interface(const struct host *h, const char *name)
{
	AUTO_BUF struct buf words = { 0 }, modes = { 0 };
	int r = lack(host_read(h, CONTENT_MAX, &words, NULL, HOST_ANSWERS "/drvinfo/%s", name));

	if (r < 0)
		return r;
	return lack(host_read(h, CONTENT_MAX, &modes, NULL, HOST_ANSWERS "/linkmodes/%s", name));
}

/* Of all interfaces on PCI, and not only of those with VFs. */
static int take_drivers(const struct host *h)
{
	AUTO_STRV struct strv functions = { 0 };
	int r = lack(host_list(h, &functions, NULL, "/sys/bus/pci/devices"));

	for (size_t i = 0; r == 0 && i < functions.n; i++) {
		AUTO_STRV struct strv names = { 0 };

		r = lack(host_list(h, &names, NULL, "/sys/bus/pci/devices/%s/net",
				   functions.items[i]));
		for (size_t n = 0; r == 0 && n < names.n; n++)
			r = take_interface(h, names.items[n]);
	}
	return r;
}

int capture_ask(const struct host *h, struct error *e)
{
	const struct kernel *k = NULL;
	int r = 0;

	if (kernel_get(h, &k, NULL) < 0)
		k = NULL;
	for (size_t i = 0; r == 0 && capture_list[i]; i++)
		r = take_pattern(h, capture_list[i], k);
	if (r == 0)
		r = take_functions(h);
	if (r == 0)
		r = take_drivers(h);
	return r < 0 ? error_nomem(e) : 0;
}

/* --- what was noted ------------------------------------------------------------------ */

int capture_replay(struct host **h, struct error *e)
{
	AUTO_FREE char *root = strdup(host_root(*h));
	struct host_source *s = host_source(*h);
	int r = host_record_error(s);
	struct host_store *store;

	if (!root)
		return error_nomem(e);
	if (r == -E2BIG)
		return error_set(e, r, "this host has more names than a capture holds");
	if (r < 0)
		return error_set(e, r, "what was captured cannot be kept: %s", strerror(-r));
	store = host_record_take(s);
	host_close(TAKE(*h));
	return host_open_store(root, store, h, e);
}

int capture_blocked(const struct host *h, struct strv *ret)
{
	const struct host_store *s = host_store_of(host_source(h));

	for (uint32_t at = 0; at < host_store_count(s); at++) {
		const struct host_node *n = host_store_node(s, at);
		struct buf path = { 0 };

		if (!n->was_read || n->read_error != -ETIMEDOUT)
			continue;
		host_store_path(s, at, &path);
		if (strv_take(ret, buf_take(&path)) < 0)
			return -ENOMEM;
	}
	strv_sort(ret);
	return 0;
}

/* --- writing ------------------------------------------------------------------------- */

struct writer {
	const struct host_store *store;
	struct host_archive *archive;
	struct error *e;
};

static int add_content(const struct writer *w, uint32_t at, const char *path)
{
	AUTO_BUF struct buf content = { 0 };
	int r = host_store_content(w->store, at, SIZE_MAX, &content);

	if (r < 0)
		return error_set(w->e, r, "%s: %s", path, strerror(-r));
	return host_archive_add_file(w->archive, path + 1, content.data, content.len, w->e);
}

static int add_member(void *arg, uint32_t at, const char *path)
{
	const struct writer *w = arg;
	const struct host_node *n = host_store_node(w->store, at);
	AUTO_BUF struct buf target = { 0 };

	/* Those of a capture that this one is made of, and the folder of its own. */
	if (strcmp(path, HOST_INDEX) == 0 || strcmp(path, HOST_REPORT) == 0 ||
	    strcmp(path, HOST_ANSWERS) == 0)
		return 0;
	if (n->state == HOST_STATE_DIR)
		return host_archive_add_dir(w->archive, path + 1, w->e);
	if (n->state == HOST_STATE_FILE && n->was_read && !n->read_error)
		return add_content(w, at, path);
	if (n->state != HOST_STATE_LINK)
		return 0;
	host_store_link(w->store, at, &target);
	if (buf_error(&target) < 0)
		return error_nomem(w->e);
	return host_archive_add_link(w->archive, path + 1, buf_text(&target), w->e);
}

int capture_write(const struct host *h, const char *report, size_t len, int fd, struct error *e)
{
	AUTO_ARCHIVE struct host_archive *archive = NULL;
	AUTO_BUF struct buf index = { 0 };
	struct writer w = { .store = host_store_of(host_source(h)), .e = e };
	int r;

	if (host_index_print(w.store, &index) < 0)
		return error_nomem(e);
	r = host_archive_new(fd, &archive, e);
	w.archive = archive;
	if (r == 0)
		r = host_archive_add_file(archive, &HOST_REPORT[1], report, len, e);
	if (r == 0)
		r = host_archive_add_file(archive, &HOST_INDEX[1], index.data, index.len, e);
	if (r == 0)
		r = host_index_walk(w.store, add_member, &w);
	if (r == -ENOMEM)
		return error_nomem(e);
	return r < 0 ? r : host_archive_finish(archive, e);
}
