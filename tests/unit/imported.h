/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts as somebody sent them, and the host that an import makes of them.  imported_put() any
 * number, then imported_host().
 */
#ifndef TESTS_IMPORTED_H
#define TESTS_IMPORTED_H

#include "tree.h"

#include <sriovctl/bundle.h>
#include <sriovctl/error.h>
#include <sriovctl/import.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/strv.h>

struct imported {
	struct tree files;
	struct host *h;
	struct strv told;
	int taken; /* as import_run() says */
};

static inline void imported_done(struct imported *v)
{
	host_close(v->h);
	strv_done(&v->told);
	tree_close(&v->files);
}
#define AUTO_IMPORTED CLEANUP(imported_done)

static inline void imported_put(struct imported *v, const char *name, const char *text)
{
	if (!v->files.dir[0])
		tree_make(&v->files);
	tree_put(&v->files, name, text);
}

static inline void imported_put_bytes(struct imported *v, const char *name, const void *data,
				      size_t len)
{
	if (!v->files.dir[0])
		tree_make(&v->files);
	tree_put_bytes(&v->files, name, data, len);
}

static inline const struct host *imported_host(struct imported *v)
{
	AUTO_BUNDLE struct bundle *b = NULL;
	struct error e = { 0 };

	EXPECT(bundle_new(&b, &e) == 0 && bundle_add(b, v->files.dir, &e) == 0);
	v->taken = import_run(b, "test", &v->h, &v->told, &e);
	EXPECT(v->taken >= 0);
	if (e.code < 0)
		printf("# %s\n", e.text);
	return v->h;
}

/* Of one text alone. */
static inline const struct host *imported_text(struct imported *v, const char *text)
{
	imported_put(v, "/given.txt", text);
	return imported_host(v);
}

/* The content of a file of the host; "" where it is not known. */
static inline bool imported_says(const struct host *h, const char *path, const char *text)
{
	AUTO_BUF struct buf content = { 0 };
	int r = host_attr(h, &content, NULL, "%s", path);

	if (r == 0 && strcmp(buf_text(&content), text) == 0)
		return true;
	printf("# %s: %d \"%s\", not \"%s\"\n", path, r, buf_text(&content), text);
	return false;
}

#endif
