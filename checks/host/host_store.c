/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_store.h"

#include "host_files.h"
#include "host_store_impl.h"

#include <sriovctl/error.h>
#include <sriovctl/files.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NODES_FIRST 1024u

static uint32_t hash(uint32_t dir, const char *name, size_t len)
{
	uint32_t h = 2166136261u ^ dir * 2654435761u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (uint8_t)name[i]) * 16777619u;
	return h ^ h >> 15;
}

/* A file without a name, so that nothing is left however the program ends. */
static int open_spool(struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	const char *base = secure_getenv("TMPDIR");
	int fd;

	if (!base || base[0] != '/')
		base = "/tmp";
	fd = open(base, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
	if (fd >= 0)
		return fd;
	buf_printf(&path, "%s/sriovctl.XXXXXX", base);
	if (buf_error(&path) < 0)
		return error_nomem(e);
	fd = mkostemp(path.data, O_CLOEXEC);
	if (fd < 0)
		/* -ENOENT would read as an absent fact of the host. */
		return error_set(e, -EIO, "cannot make a file in %s: %s", base, strerror(errno));
	(void)unlink(path.data);
	return fd;
}

int host_store_new(struct host_store **ret, struct error *e)
{
	AUTO_STORE struct host_store *s = calloc(1, sizeof(*s));

	if (!s)
		return error_nomem(e);
	s->root_fd = s->spool = -1;
	s->is_partial = true;
	s->size = NODES_FIRST;
	s->nodes = calloc(s->size, sizeof(*s->nodes));
	s->buckets = calloc(s->size, sizeof(*s->buckets));
	buf_append(&s->names, "", 1);
	if (!s->nodes || !s->buckets || buf_error(&s->names) < 0)
		return error_nomem(e);
	s->spool = open_spool(e);
	if (s->spool < 0)
		return s->spool;
	s->nodes[HOST_STORE_ROOT].state = HOST_STATE_DIR;
	s->n = 1;
	*ret = TAKE(s);
	return 0;
}

void host_store_free(struct host_store *s)
{
	if (!s)
		return;
	if (s->spool >= 0)
		(void)close(s->spool);
	if (s->root_fd >= 0)
		(void)close(s->root_fd);
	free(s->nodes);
	free(s->buckets);
	buf_done(&s->names);
	free(s);
}

void host_store_free_p(struct host_store **s)
{
	host_store_free(*s);
}

void host_store_set_index(struct host_store *s, bool is_partial)
{
	s->has_index = true;
	s->is_partial = is_partial;
}

bool host_store_is_partial(const struct host_store *s)
{
	return s->is_partial;
}

bool host_store_has_index(const struct host_store *s)
{
	return s->has_index;
}

void host_store_set_root(struct host_store *s, int root_fd)
{
	s->root_fd = root_fd;
}

const struct host_node *host_store_node(const struct host_store *s, uint32_t at)
{
	return &s->nodes[at];
}

struct host_node *host_store_change(struct host_store *s, uint32_t at)
{
	return &s->nodes[at];
}

uint32_t host_store_count(const struct host_store *s)
{
	return s->n;
}

const char *host_store_name(const struct host_store *s, uint32_t at)
{
	return s->names.data + s->nodes[at].name;
}

void host_store_path(const struct host_store *s, uint32_t at, struct buf *ret)
{
	if (at == HOST_STORE_ROOT)
		return;
	/* As deep as a path has components: bounded by the names that the store takes. */
	host_store_path(s, s->nodes[at].parent, ret);
	buf_puts(ret, "/");
	buf_puts(ret, host_store_name(s, at));
}

bool host_store_find(const struct host_store *s, uint32_t dir, const char *name, size_t len,
		     uint32_t *ret)
{
	uint32_t at = s->buckets[hash(dir, name, len) & (s->size - 1)];

	for (; at; at = s->nodes[at].next) {
		const char *other = host_store_name(s, at);

		if (s->nodes[at].parent == dir && strncmp(other, name, len) == 0 && !other[len]) {
			*ret = at;
			return true;
		}
	}
	return false;
}

static void enter(struct host_store *s, uint32_t at)
{
	const char *name = host_store_name(s, at);
	uint32_t *bucket =
		&s->buckets[hash(s->nodes[at].parent, name, strlen(name)) & (s->size - 1)];

	s->nodes[at].next = *bucket;
	*bucket = at;
}

static int grow(struct host_store *s)
{
	uint32_t size = s->size * 2;
	struct host_node *nodes;
	uint32_t *buckets;

	if (s->n < s->size)
		return 0;
	nodes = reallocarray(s->nodes, size, sizeof(*nodes));
	if (!nodes)
		return -ENOMEM;
	s->nodes = nodes;
	buckets = calloc(size, sizeof(*buckets));
	if (!buckets)
		return -ENOMEM;
	free(s->buckets);
	s->buckets = buckets;
	s->size = size;
	for (uint32_t i = 1; i < s->n; i++)
		enter(s, i);
	return 0;
}

/* @ret: where the text is in the names. */
static int add_name(struct host_store *s, const char *text, size_t len, uint64_t *ret)
{
	*ret = s->names.len;
	if (s->names.len + len + 1 > HOST_STORE_NAMES_MAX)
		return -E2BIG;
	buf_append(&s->names, text, len);
	buf_append(&s->names, "", 1);
	return buf_error(&s->names);
}

int host_store_child(struct host_store *s, uint32_t dir, const char *name, size_t len,
		     uint32_t *ret)
{
	uint64_t text = 0;
	int r;

	if (host_store_find(s, dir, name, len, ret))
		return 0;
	if (s->n == HOST_STORE_NODES_MAX || len > HOST_STORE_NAME_MAX)
		return -E2BIG;
	r = grow(s);
	if (r == 0)
		r = add_name(s, name, len, &text);
	if (r < 0)
		return r;
	s->nodes[s->n] = (struct host_node){
		.parent = dir,
		.name = (uint32_t)text,
		.sibling = s->nodes[dir].child,
	};
	s->nodes[dir].child = s->n;
	enter(s, s->n);
	*ret = s->n++;
	return 0;
}

static bool is_dots(const char *name, size_t len)
{
	return len == 0 || (len == 1 && name[0] == '.') ||
	       (len == 2 && name[0] == '.' && name[1] == '.');
}

int host_store_make(struct host_store *s, const char *path, uint32_t *ret)
{
	uint32_t at = HOST_STORE_ROOT;

	if (strcmp(path, "/") == 0)
		path = "";
	while (*path) {
		size_t len = *path == '/' ? strcspn(path + 1, "/") : 0;
		int r;

		if (is_dots(path + 1, len))
			return -EINVAL;
		if (s->nodes[at].state == HOST_STATE_NONE)
			s->nodes[at].state = HOST_STATE_DIR;
		if (s->nodes[at].state != HOST_STATE_DIR)
			return -ENOTDIR;
		r = host_store_child(s, at, path + 1, len, &at);
		if (r < 0)
			return r;
		path += 1 + len;
	}
	*ret = at;
	return 0;
}

int host_store_set_link(struct host_store *s, uint32_t at, const char *target)
{
	uint64_t text = 0;
	int r = add_name(s, target, strlen(target), &text);

	if (r < 0)
		return r;
	s->nodes[at].state = HOST_STATE_LINK;
	s->nodes[at].at = text;
	return 0;
}

void host_store_link(const struct host_store *s, uint32_t at, struct buf *ret)
{
	if (s->nodes[at].state == HOST_STATE_LINK)
		buf_puts(ret, s->names.data + s->nodes[at].at);
}

int host_store_append(struct host_store *s, uint32_t at, const void *data, size_t len)
{
	struct host_node *n = &s->nodes[at];

	if (n->len == 0)
		n->at = s->spooled;
	if (len > HOST_STORE_BYTES_MAX - s->spooled || len > UINT32_MAX - n->len)
		return -EFBIG;
	for (size_t done = 0; done < len;) {
		ssize_t k = pwrite(s->spool, (const char *)data + done, len - done,
				   (off_t)(s->spooled + done));

		if (k == 0 || (k < 0 && errno != EINTR))
			return k == 0 ? -EIO : -errno;
		if (k > 0)
			done += (size_t)k;
	}
	s->spooled += len;
	n->len += (uint32_t)len;
	return 0;
}

static int read_below_root(const struct host_store *s, uint32_t at, size_t max, struct buf *ret)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_CLOSE int fd = -1;
	struct stat st;

	host_store_path(s, at, &path);
	if (buf_error(&path) < 0)
		return -ENOMEM;
	fd = files_open_in(s->root_fd, buf_text(&path),
			   O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return fd == -ENOENT ? -EIO : fd;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return -EIO;
	return files_read(fd, max, ret);
}

int host_store_content(const struct host_store *s, uint32_t at, size_t max, struct buf *ret)
{
	const struct host_node *n = &s->nodes[at];
	char *room;

	if (n->is_in_root)
		return read_below_root(s, at, max, ret);
	if (n->len > max)
		return -EFBIG;
	room = buf_reserve(ret, n->len);
	if (!room)
		return buf_error(ret);
	for (size_t done = 0; done < n->len;) {
		ssize_t k = pread(s->spool, room + done, n->len - done, (off_t)(n->at + done));

		if (k == 0 || (k < 0 && errno != EINTR))
			return -EIO;
		if (k > 0)
			done += (size_t)k;
	}
	ret->len += n->len;
	ret->data[ret->len] = '\0';
	return 0;
}
