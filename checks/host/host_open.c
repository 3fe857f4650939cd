/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_open.h"

#include "host_fact.h"
#include "host_files.h"
#include "host_load.h"
#include "host_record.h"
#include "host_source.h"
#include "host_store.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct host {
	struct host_source *source;
	char *root;
	struct host_memory *memory;
};

/* A root with nothing of a host in it is a typing error, not a host of which nothing is known. */
static int require_host_tree(const struct host *h, struct error *e)
{
	static const char *const tops[] = {
		"/proc", "/sys", "/etc", "/boot", "/lib", "/usr", "/var"
	};

	for (size_t i = 0; i < ARRAY_SIZE(tops); i++) {
		enum host_kind kind;
		int r = h->source->ops->kind(h->source, tops[i], &kind);

		if (r == 0 && kind == HOST_KIND_LINK)
			r = host_exists(h, "%s/.", tops[i]);
		if (r == 0 && (kind == HOST_KIND_DIR || kind == HOST_KIND_LINK))
			return 0;
		if (r == -ENOSYS)
			return error_set(
				e, r, "reading a foreign root needs openat2(): Linux 5.6 or newer");
	}
	return error_set(
		e, -EINVAL,
		"root %s holds none of proc, sys, etc, boot, lib, usr, var: not a host's tree",
		h->root);
}

static int open_folder(int fd, struct host_source **ret, struct error *e)
{
	AUTO_CLOSE int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	struct host_store *store = NULL;
	int r;

	if (own < 0)
		return error_set(e, -errno, "%s", strerror(errno));
	r = host_files_open(own, ret, e);
	own = -1;
	if (r < 0 || (*ret)->is_live || !host_load_is_capture(fd))
		return r;
	host_source_close(ret);
	r = host_load_dir(fd, &store, e);
	return r < 0 ? r : host_store_source(store, ret, e);
}

static int open_source(const char *root, struct host_source **ret, struct error *e)
{
	AUTO_CLOSE int fd = open(root, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct host_store *store = NULL;
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_set(e, -errno, "cannot open root %s: %s", root, strerror(errno));
	if (S_ISDIR(st.st_mode))
		r = open_folder(fd, ret, e);
	else if (!S_ISREG(st.st_mode))
		return error_set(e, -EINVAL, "root %s is neither a folder nor a file", root);
	else if ((r = host_load_archive(fd, &store, e)) == 0)
		r = host_store_source(store, ret, e);
	return r < 0 && r != -ENOMEM ? error_prefix(e, r, "root %s", root) : r;
}

static int open_host(const char *root, bool records, struct host **ret, struct error *e)
{
	AUTO_HOST struct host *h = calloc(1, sizeof(*h));
	int r;

	if (!h)
		return error_nomem(e);
	h->root = strdup(root);
	h->memory = calloc(1, sizeof(*h->memory));
	if (!h->root || !h->memory)
		return error_nomem(e);
	r = open_source(root, &h->source, e);
	if (r == 0 && !h->source->is_live)
		r = require_host_tree(h, e);
	if (r == 0 && records)
		r = host_record_new(TAKE(h->source), &h->source, e);
	if (r < 0)
		return r;
	*ret = TAKE(h);
	return 0;
}

int host_open(const char *root, struct host **ret, struct error *e)
{
	return open_host(root, false, ret, e);
}

int host_open_recording(const char *root, struct host **ret, struct error *e)
{
	return open_host(root, true, ret, e);
}

int host_open_store(const char *root, struct host_store *store, struct host **ret, struct error *e)
{
	AUTO_HOST struct host *h = calloc(1, sizeof(*h));
	int r;

	if (h) {
		h->root = strdup(root);
		h->memory = calloc(1, sizeof(*h->memory));
	}
	if (!h || !h->root || !h->memory) {
		host_store_free(store);
		return error_nomem(e);
	}
	r = host_store_source(store, &h->source, e);
	if (r < 0)
		return r;
	*ret = TAKE(h);
	return 0;
}

void host_close(struct host *h)
{
	if (!h)
		return;
	if (h->memory)
		host_memory_done(h->memory);
	host_source_close(&h->source);
	free(h->memory);
	free(h->root);
	free(h);
}

void host_close_p(struct host **h)
{
	host_close(*h);
}

void host_source_close(struct host_source **s)
{
	if (*s)
		(*s)->ops->close(*s);
	*s = NULL;
}

struct host_memory *host_memory(const struct host *h)
{
	return h->memory;
}

struct host_source *host_source(const struct host *h)
{
	return h->source;
}

bool host_is_live(const struct host *h)
{
	return h->source->is_live;
}

bool host_is_partial(const struct host *h)
{
	return h->source->is_partial;
}

const char *host_root(const struct host *h)
{
	return h->root;
}
