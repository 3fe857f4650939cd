/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_load.h"

#include "host_archive.h"
#include "host_files.h"
#include "host_index.h"
#include "host_store.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/files.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INDEX_MAX (12u << 20)
#define DEPTH_MAX 64

struct loader {
	struct host_store *store;
	uint32_t at; /* the file whose content comes */
	bool is_index;
	struct buf index;
	unsigned depth;
};

static int too_much(const char *name, int r, struct error *e)
{
	if (r == -ENOMEM)
		return error_nomem(e);
	if (r == -E2BIG)
		return error_set(e, -EINVAL, "%s: more, or longer, names than a host has", name);
	return error_set(e, r, "%s: %s", name, strerror(-r));
}

/* "./proc/cmdline" and "proc/" as the path of a node. */
static int clean(const char *name, struct buf *ret, struct error *e)
{
	const char *at = name;

	if (name[0] == '/')
		return error_set(e, -EINVAL, "%s: a name that is absolute", name);
	while (*at) {
		size_t len = strcspn(at, "/");

		if (len == 2 && strncmp(at, "..", 2) == 0)
			return error_set(e, -EINVAL, "%s: a name that leads out", name);
		if (len > 0 && !(len == 1 && at[0] == '.')) {
			buf_puts(ret, "/");
			buf_append(ret, at, len);
		}
		at += len + strspn(at + len, "/");
	}
	return buf_error(ret) < 0 ? error_nomem(e) : 0;
}

static bool is_about_capture(const char *path)
{
	return strcmp(path, HOST_INDEX) == 0 || strcmp(path, HOST_REPORT) == 0;
}

/* The node of a new member; of a folder it may be there already. */
static int make_node(struct loader *l, const char *path, const struct host_archive_member *m,
		     struct error *e)
{
	struct host_node *n;
	bool is_folder;
	int r = host_store_make(l->store, path, &l->at);

	if (r == -ENOTDIR)
		return error_set(e, -EINVAL, "%s: below what is no folder", m->name);
	if (r < 0)
		return too_much(m->name, r, e);
	n = host_store_change(l->store, l->at);
	is_folder = n->state == HOST_STATE_DIR && m->kind == HOST_KIND_DIR;
	if (n->state != HOST_STATE_NONE && !is_folder)
		return error_set(e, -EINVAL, "%s: is there twice", m->name);
	return 0;
}

/* Another name of a file that came before it. */
static int share(struct loader *l, const struct host_archive_member *m, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	const struct host_node *other;
	struct host_node *n;
	uint32_t at = 0;
	int r = clean(m->same_as, &path, e);

	if (r == 0)
		r = host_store_make(l->store, buf_text(&path), &at);
	if (r < 0)
		return too_much(m->name, r, e);
	n = host_store_change(l->store, l->at);
	other = host_store_node(l->store, at);
	if (other->state != HOST_STATE_FILE || !other->was_read)
		return error_set(e, -EINVAL, "%s: another name of what is not there", m->name);
	n->state = HOST_STATE_FILE;
	n->was_read = true;
	n->at = other->at;
	n->len = other->len;
	return 0;
}

static int set_node(struct loader *l, const struct host_archive_member *m, struct error *e)
{
	struct host_node *n = host_store_change(l->store, l->at);
	int r = 0;

	switch (m->kind) {
	case HOST_KIND_FILE:
		n->state = HOST_STATE_FILE;
		n->was_read = true;
		if (m->size > UINT32_MAX)
			r = -EFBIG;
		break;
	case HOST_KIND_DIR:
		n->state = HOST_STATE_DIR;
		break;
	case HOST_KIND_LINK:
		if (strlen(m->target) >= HOST_LINK_MAX)
			return error_set(e, -EINVAL, "%s: a link that is too long", m->name);
		r = host_store_set_link(l->store, l->at, m->target);
		break;
	case HOST_KIND_OTHER:
	case HOST_KIND_NAME:
		n->state = HOST_STATE_OTHER;
		break;
	}
	return r < 0 ? too_much(m->name, r, e) : 0;
}

static int take_member(void *arg, const struct host_archive_member *m, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	struct loader *l = arg;
	int r = clean(m->name, &path, e);

	if (r < 0)
		return r;
	l->is_index = strcmp(buf_text(&path), HOST_INDEX) == 0 && m->kind == HOST_KIND_FILE;
	/* The root itself. */
	if (path.len == 0)
		return m->kind == HOST_KIND_DIR
			       ? 0
			       : error_set(e, -EINVAL, "%s: the root is no folder", m->name);
	r = make_node(l, buf_text(&path), m, e);
	if (r < 0)
		return r;
	return m->same_as ? share(l, m, e) : set_node(l, m, e);
}

static int take_data(void *arg, const void *data, size_t len, struct error *e)
{
	struct loader *l = arg;
	int r;

	if (l->is_index && len > INDEX_MAX - l->index.len)
		return error_set(e, -EINVAL, HOST_INDEX ": too long");
	if (l->is_index)
		buf_append(&l->index, data, len);
	r = l->is_index ? buf_error(&l->index) : host_store_append(l->store, l->at, data, len);
	return r < 0 ? too_much("a content", r, e) : 0;
}

static int take_index(struct loader *l, bool is_there, struct error *e)
{
	return is_there ? host_index_parse(buf_text(&l->index), l->index.len, l->store, e) : 0;
}

int host_load_archive(int fd, struct host_store **ret, struct error *e)
{
	AUTO_STORE struct host_store *store = NULL;
	struct loader l = { 0 };
	const struct host_archive_sink sink = { .arg = &l,
						.member = take_member,
						.data = take_data };
	uint32_t at = 0, dir = 0;
	bool has_index;
	int r = host_store_new(&store, e);

	l.store = store;
	if (r == 0)
		r = host_archive_read(fd, &sink, e);
	has_index = r == 0 &&
		    host_store_find(store, HOST_STORE_ROOT, &HOST_ANSWERS[1],
				    strlen(&HOST_ANSWERS[1]), &dir) &&
		    host_store_find(store, dir, "index", strlen("index"), &at);
	if (r == 0)
		r = take_index(&l, has_index, e);
	buf_done(&l.index);
	if (r == 0)
		*ret = TAKE(store);
	return r;
}

/* --- from a folder ------------------------------------------------------------------- */

bool host_load_is_capture(int root_fd)
{
	AUTO_CLOSE int fd = files_open_in(root_fd, HOST_INDEX, O_PATH | O_NOFOLLOW);

	return fd >= 0;
}

static int read_link_at(int dir_fd, const char *name, struct buf *ret)
{
	char target[HOST_LINK_MAX];
	ssize_t n = readlinkat(dir_fd, name, target, sizeof(target));

	if (n < 0 || (size_t)n == sizeof(target))
		return n < 0 ? -errno : -E2BIG;
	buf_append(ret, target, (size_t)n);
	return buf_error(ret);
}

static int load_below(struct loader *l, int dir_fd, struct buf *path, struct error *e);

static int load_folder(struct loader *l, int dir_fd, const char *name, struct buf *path,
		       struct error *e)
{
	AUTO_CLOSE int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int r;

	if (fd < 0)
		return too_much(buf_text(path), -errno, e);
	if (l->depth == DEPTH_MAX)
		return too_much(buf_text(path), -E2BIG, e);
	l->depth++;
	r = load_below(l, fd, path, e);
	l->depth--;
	return r;
}

static int load_one(struct loader *l, int dir_fd, const char *name, struct buf *path,
		    struct error *e)
{
	AUTO_BUF struct buf target = { 0 };
	struct host_archive_member m = { .name = buf_text(path) };
	struct stat st;
	int r;

	if (is_about_capture(buf_text(path)))
		return 0;
	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return too_much(buf_text(path), -errno, e);
	m.kind = S_ISREG(st.st_mode)   ? HOST_KIND_FILE
		 : S_ISDIR(st.st_mode) ? HOST_KIND_DIR
		 : S_ISLNK(st.st_mode) ? HOST_KIND_LINK
				       : HOST_KIND_OTHER;
	if (m.kind == HOST_KIND_LINK && (r = read_link_at(dir_fd, name, &target)) < 0)
		return too_much(buf_text(path), r, e);
	m.target = buf_text(&target);
	r = make_node(l, buf_text(path), &m, e);
	if (r == 0)
		r = set_node(l, &m, e);
	if (r == 0 && m.kind == HOST_KIND_FILE)
		host_store_change(l->store, l->at)->is_in_root = true;
	if (r == 0 && m.kind == HOST_KIND_DIR)
		r = load_folder(l, dir_fd, name, path, e);
	return r;
}

static int load_below(struct loader *l, int dir_fd, struct buf *path, struct error *e)
{
	AUTO_STRV struct strv names = { 0 };
	size_t len = path->len;
	int r = host_files_names(dir_fd, &names);

	if (r < 0)
		return too_much(buf_text(path), r, e);
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		buf_printf(path, "/%s", names.items[i]);
		r = buf_error(path) < 0 ? error_nomem(e)
					: load_one(l, dir_fd, names.items[i], path, e);
		if (path->data) {
			path->len = len;
			path->data[len] = '\0';
		}
	}
	return r;
}

static int read_index(int root_fd, struct buf *ret, struct error *e)
{
	AUTO_CLOSE int fd = files_open_in(root_fd, HOST_INDEX, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	int r = fd;

	if (fd >= 0)
		r = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? files_read(fd, INDEX_MAX, ret)
							       : -EINVAL;
	return r < 0 ? too_much(HOST_INDEX, r, e) : 0;
}

int host_load_dir(int root_fd, struct host_store **ret, struct error *e)
{
	AUTO_STORE struct host_store *store = NULL;
	AUTO_BUF struct buf path = { 0 };
	struct loader l = { 0 };
	int r = host_store_new(&store, e);

	l.store = store;
	if (r == 0)
		r = read_index(root_fd, &l.index, e);
	if (r == 0)
		r = load_below(&l, root_fd, &path, e);
	if (r == 0)
		r = take_index(&l, true, e);
	buf_done(&l.index);
	if (r < 0)
		return r;
	r = fcntl(root_fd, F_DUPFD_CLOEXEC, 0);
	if (r < 0)
		return error_set(e, -errno, "%s", strerror(errno));
	host_store_set_root(store, r);
	*ret = TAKE(store);
	return 0;
}
