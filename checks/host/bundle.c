/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/bundle.h>

#include "host_files.h"
#include "host_index.h"
#include "host_load.h"
#include "host_store.h"
#include "host_unzip.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEMBERS_MAX 200000
#define DEPTH_MAX   32
#define TARS_MAX    16
/* tar(5): what a header has, at which place. */
#define TAR_MAGIC    "ustar"
#define TAR_MAGIC_AT 257

struct member {
	struct bundle_member m;
	size_t path_at; /* of @m.path in @m.name */
	char *refused;
	/* In a tar file the store that it was read into, and the node; else the path of a file. */
	struct host_store *store;
	uint32_t at;
	char *file;
};

struct bundle {
	struct member *items;
	size_t n, size, n_given;
	struct host_store *stores[TARS_MAX];
	size_t n_stores;
};

/* What is added, and to what. */
struct adding {
	struct bundle *b;
	struct host_store *store;
	const char *prefix; /* before a member's path: "sos.tar.gz: " */
	struct error *e;
	unsigned depth;
};

int bundle_new(struct bundle **ret, struct error *e)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : error_nomem(e);
}

void bundle_free_p(struct bundle **p)
{
	struct bundle *b = *p;

	if (!b)
		return;
	for (size_t i = 0; i < b->n; i++) {
		free(b->items[i].m.name);
		free(b->items[i].refused);
		free(b->items[i].file);
	}
	for (size_t i = 0; i < b->n_stores; i++)
		host_store_free(b->stores[i]);
	free(b->items);
	free(b);
}

size_t bundle_count(const struct bundle *b)
{
	return b->n;
}

const struct bundle_member *bundle_member(const struct bundle *b, size_t i)
{
	return &b->items[i].m;
}

const char *bundle_refused(const struct bundle *b, size_t i)
{
	return b->items[i].refused;
}

static int make_room(struct bundle *b)
{
	size_t size = b->size ? b->size * 2 : 64;
	struct member *items;

	if (b->n < b->size)
		return 0;
	items = reallocarray(b->items, size, sizeof(*items));
	if (!items)
		return -ENOMEM;
	b->items = items;
	b->size = size;
	return 0;
}

/* A new member; NULL: no memory, or too many, as @a says. */
static struct member *add(const struct adding *a, const char *path, enum bundle_kind kind)
{
	struct bundle *b = a->b;
	struct buf name = { 0 };

	if (b->n == MEMBERS_MAX) {
		(void)error_set(a->e, -EINVAL, "%s: more files than anybody looks at", path);
		return NULL;
	}
	buf_printf(&name, "%s%s", a->prefix, path);
	if (make_room(b) < 0 || buf_error(&name) < 0) {
		buf_done(&name);
		(void)error_nomem(a->e);
		return NULL;
	}
	b->items[b->n] = (struct member){
		.m = { .name = buf_take(&name), .given = b->n_given, .kind = kind }
	};
	b->items[b->n].m.path = b->items[b->n].m.name + strlen(a->prefix);
	return &b->items[b->n++];
}

/* --- tar files ---------------------------------------------------------------------------- */

static int add_node(void *arg, uint32_t at, const char *path)
{
	const struct adding *a = arg;
	const struct host_node *n = host_store_node(a->store, at);
	struct member *m;

	if (n->state != HOST_STATE_FILE && n->state != HOST_STATE_DIR &&
	    n->state != HOST_STATE_LINK)
		return 0;
	m = add(a, path + 1,
		n->state == HOST_STATE_FILE  ? BUNDLE_FILE
		: n->state == HOST_STATE_DIR ? BUNDLE_FOLDER
					     : BUNDLE_LINK);
	if (!m)
		return -ENOMEM;
	m->store = a->store;
	m->at = at;
	return 0;
}

/* Is it a tar file, packed or not, by how it begins: 1, 0, or -ENOMEM?  @fd is at its beginning
 * again. */
static int is_tar(int fd)
{
	AUTO_FREE struct host_unzip *u = calloc(1, sizeof(*u));
	const void *piece = NULL;
	ssize_t n;
	bool found;

	if (!u)
		return -ENOMEM;
	u->fd = fd;
	n = host_unzip_next(u, &piece);
	found = n >= TAR_MAGIC_AT + (ssize_t)strlen(TAR_MAGIC) &&
		memcmp((const char *)piece + TAR_MAGIC_AT, TAR_MAGIC, strlen(TAR_MAGIC)) == 0;
	host_unzip_done(u);
	(void)lseek(fd, 0, SEEK_SET);
	return n == -ENOMEM ? -ENOMEM : found;
}

static int add_tar(struct adding *a, int fd, const char *path)
{
	AUTO_STORE struct host_store *store = NULL;
	AUTO_BUF struct buf prefix = { 0 };
	struct adding in = *a;
	int r;

	if (a->b->n_stores == TARS_MAX)
		return error_set(a->e, -EINVAL, "%s: more than %d tar files", path, TARS_MAX);
	r = host_load_archive(fd, &store, a->e);
	if (r < 0)
		return r == -ENOMEM ? r : error_prefix(a->e, r, "%s", path);
	if (host_store_has_index(store))
		return error_set(a->e, -EINVAL,
				 "%s is a capture already, which --root takes as it is", path);
	buf_printf(&prefix, "%s%s: ", a->prefix, path);
	if (buf_error(&prefix) < 0)
		return error_nomem(a->e);
	in.prefix = buf_text(&prefix);
	in.store = store;
	a->b->stores[a->b->n_stores++] = TAKE(store);
	a->b->n_given++;
	r = host_index_walk(in.store, add_node, &in);
	a->b->n_given++;
	return r;
}

/* --- folders and files ---------------------------------------------------------------------- */

static int add_below(struct adding *a, int dir_fd, const char *path);

static int add_file(struct adding *a, int fd, const char *path)
{
	struct member *m;
	int r = is_tar(fd);

	if (r < 0)
		return error_nomem(a->e);
	if (r > 0)
		return add_tar(a, fd, path);
	m = add(a, path, BUNDLE_FILE);
	if (!m)
		return -ENOMEM;
	m->file = strdup(path);
	return m->file ? 0 : error_nomem(a->e);
}

/* What of a folder cannot be taken does not spoil the rest. */
static int refuse(struct adding *a, const char *path, int r)
{
	struct member *m;

	if (r != -EINVAL && r != -EACCES)
		return r;
	m = add(a, path, BUNDLE_FOLDER);
	if (!m)
		return -ENOMEM;
	m->refused = strdup(r == -EACCES || !a->e ? strerror(-r) : a->e->text);
	return m->refused ? 0 : error_nomem(a->e);
}

static int add_link(struct adding *a, int dir_fd, const char *name, const char *path)
{
	struct member *m = add(a, path, BUNDLE_LINK);
	char target[4096];
	ssize_t n = readlinkat(dir_fd, name, target, sizeof(target));

	if (!m)
		return -ENOMEM;
	m->file = strndup(target, n > 0 && (size_t)n < sizeof(target) ? (size_t)n : 0);
	return m->file ? 0 : error_nomem(a->e);
}

static int add_one(struct adding *a, int dir_fd, const char *name, const char *path)
{
	AUTO_CLOSE int fd = -1;
	struct stat st;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	if (S_ISLNK(st.st_mode))
		return add_link(a, dir_fd, name, path);
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return 0;
	fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return refuse(a, path, -EACCES);
	if (S_ISREG(st.st_mode)) {
		int r = add_file(a, fd, path);

		return r < 0 ? refuse(a, path, r) : 0;
	}
	if (!add(a, path, BUNDLE_FOLDER))
		return -ENOMEM;
	return add_below(a, fd, path);
}

static int add_below(struct adding *a, int dir_fd, const char *path)
{
	AUTO_STRV struct strv names = { 0 };
	int r = host_files_names(dir_fd, &names);

	if (a->depth == DEPTH_MAX)
		return 0;
	if (r == -ENOMEM)
		return error_nomem(a->e);
	if (r < 0)
		return refuse(a, path, -EACCES);
	strv_sort(&names);
	a->depth++;
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		AUTO_BUF struct buf full = { 0 };

		buf_printf(&full, "%s/%s", path, names.items[i]);
		r = buf_error(&full) < 0 ? error_nomem(a->e)
					 : add_one(a, dir_fd, names.items[i], buf_text(&full));
	}
	a->depth--;
	return r;
}

int bundle_add(struct bundle *b, const char *path, struct error *e)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct error own = { 0 };
	struct adding a = { .b = b, .prefix = "", .e = e ? e : &own };
	struct stat st;
	int r;

	b->n_given++;
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_set(e, -errno, "cannot open %s: %s", path, strerror(errno));
	if (S_ISREG(st.st_mode))
		r = add_file(&a, fd, path);
	else if (S_ISDIR(st.st_mode))
		r = add_below(&a, fd, path);
	else
		return error_set(e, -EINVAL, "%s is neither a file nor a folder", path);
	return r < 0 && a.e->code == 0 ? error_nomem(e) : r;
}

/* --- contents -----------------------------------------------------------------------------------
 */

static int unpack(int fd, struct buf *ret, struct error *e)
{
	AUTO_FREE struct host_unzip *u = calloc(1, sizeof(*u));
	const void *piece;
	ssize_t n = 0;
	int r = 0;

	if (!u)
		return error_nomem(e);
	u->fd = fd;
	while (r == 0 && (n = host_unzip_next(u, &piece)) > 0) {
		if ((size_t)n > BUNDLE_CONTENT_MAX - ret->len)
			r = -EFBIG;
		else
			buf_append(ret, piece, (size_t)n);
	}
	if (r == 0 && n < 0)
		r = (int)n;
	if (r == 0)
		r = buf_error(ret);
	if (r == -EFBIG)
		(void)error_set(e, r, "longer than %u MB", BUNDLE_CONTENT_MAX >> 20);
	else if (r < 0)
		(void)error_set(e, r, "%s", u->why ? u->why : strerror(-r));
	host_unzip_done(u);
	return r;
}

static int read_node(const struct member *m, struct buf *ret, struct error *e)
{
	int r = 0;

	if (m->m.kind == BUNDLE_LINK)
		host_store_link(m->store, m->at, ret);
	else
		r = host_store_content(m->store, m->at, BUNDLE_CONTENT_MAX, ret);
	if (r == 0)
		r = buf_error(ret);
	if (r == -EFBIG)
		return error_set(e, r, "longer than %u MB", BUNDLE_CONTENT_MAX >> 20);
	return r < 0 ? error_set(e, r, "%s", strerror(-r)) : 0;
}

int bundle_read(const struct bundle *b, size_t i, struct buf *ret, struct error *e)
{
	const struct member *m = &b->items[i];
	AUTO_CLOSE int fd = -1;

	buf_clear(ret);
	if (m->store)
		return read_node(m, ret, e);
	if (m->m.kind == BUNDLE_LINK) {
		buf_puts(ret, m->file);
		return buf_error(ret);
	}
	fd = open(m->file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return error_set(e, -errno, "%s", strerror(errno));
	return unpack(fd, ret, e);
}
