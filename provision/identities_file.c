/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/identities_file.h>

#include "rootdir.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/persist.h>

#include <errno.h>

#define FOLDER	    "/var/lib/sriovctl"
#define FOLDER_MODE 0700
#define FILE_MODE   0600

/* A host that has no such file is one machine as long as it has none. */
static int keep_own(const struct host *h, struct identities *v, struct error *e)
{
	AUTO_BUF struct buf machine = { 0 };
	int r = host_attr(h, &machine, NULL, "/etc/machine-id");

	if (r < 0 && host_ran_out(h))
		return error_nomem(e);
	return identities_of_machine(v, r < 0 ? "" : buf_text(&machine), e);
}

static int read_file(const struct rootdir *root, const struct host *h, struct identities *ret,
		     struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	uint32_t mode = 0;
	int r = rootdir_read(root, PERSIST_IDENTITY, &text, &mode, e);

	if (r == 0) {
		r = identities_parse(buf_text(&text), text.len, ret, e);
		if (r < 0)
			return error_prefix(e, r, PERSIST_IDENTITY);
	}
	return r == 0 || r == -ENOENT ? keep_own(h, ret, e) : r;
}

int identities_file_read(const struct host *h, struct identities *ret, struct error *e)
{
	AUTO_ROOTDIR struct rootdir root = ROOTDIR_CLOSED;
	struct error own = { 0 };
	int r = rootdir_open("/", &root, &own);

	if (r == 0)
		r = read_file(&root, h, ret, &own);
	return r < 0 ? error_set(e, r, "%s", own.text) : 0;
}

static int write_file(const struct rootdir *root, const struct identities *v, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = identities_print(v, &text, e);

	return r < 0 ? r : rootdir_write(root, PERSIST_IDENTITY, FILE_MODE, &text, e);
}

/* Two units may have found two cards at the same time: what is added to is read under the lock. */
static int note(const struct rootdir *root, const struct host *h, const char *match,
		const char *bdf, struct error *e)
{
	AUTO_IDENTITIES struct identities v = { 0 };
	AUTO_CLOSE int lock = -1;
	int r = rootdir_make_folder(root, FOLDER, FOLDER_MODE, e);

	if (r == 0)
		r = rootdir_lock(root, FOLDER, &lock, e);
	if (r == 0)
		r = read_file(root, h, &v, e);
	if (r < 0 || identities_find(&v, match))
		return r;
	r = identities_note(&v, match, h, bdf, e);
	return r < 0 ? r : write_file(root, &v, e);
}

int identities_file_note(const struct host *h, const char *match, const char *bdf, struct error *e)
{
	AUTO_ROOTDIR struct rootdir root = ROOTDIR_CLOSED;
	struct error own = { 0 };
	int r = rootdir_open("/", &root, &own);

	if (r == 0)
		r = note(&root, h, match, bdf, &own);
	return r < 0 ? error_set(e, r, "%s", own.text) : 0;
}
