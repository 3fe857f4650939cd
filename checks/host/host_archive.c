/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_archive.h"

#include "host_unzip.h"

#include <sriovctl/error.h>

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 65536
/* A capture of thousands of functions has some 50 MB. */
#define STREAM_MAX (512ull << 20)
/* Of what stands before a content: libarchive takes a long name, or holes, into memory. */
#define HEADER_MAX (4u << 20)
/* A tar file ends in two blocks of zeroes (tar(5)). */
#define END_ZEROES 1024

/* --- reading ------------------------------------------------------------------------- */

/* libarchive takes the members out of what is unpacked here, and counted. */
struct reader {
	struct host_unzip *unzip;
	struct archive *tar;
	struct archive_entry *entry;
	bool has_entry;
	uint64_t total;
	uint64_t header_left; /* UINT64_MAX: a content is read */
	uint64_t zeroes;      /* at the end so far */
	bool is_too_much;
};

static void count_zeroes(struct reader *rd, const char *data, size_t len)
{
	size_t n = 0;

	while (n < len && data[len - 1 - n] == '\0')
		n++;
	rd->zeroes = n == len ? rd->zeroes + n : n;
}

/* The next piece of what is unpacked; 0 at the end. */
static la_ssize_t next_piece(struct reader *rd, const void **ret)
{
	ssize_t n = host_unzip_next(rd->unzip, ret);
	size_t len = n > 0 ? (size_t)n : 0;

	if (n <= 0)
		return n;
	rd->total += len;
	rd->is_too_much = rd->total > STREAM_MAX || len > rd->header_left;
	if (rd->is_too_much)
		return -EFBIG;
	if (rd->header_left != UINT64_MAX)
		rd->header_left -= len;
	count_zeroes(rd, *ret, len);
	return n;
}

static la_ssize_t pass_piece(struct archive *a, void *arg, const void **ret)
{
	struct reader *rd = arg;
	la_ssize_t n = next_piece(rd, ret);

	if (n < 0)
		archive_set_error(a, n == -ENOMEM ? ENOMEM : EINVAL, "%s",
				  rd->unzip->why ? rd->unzip->why : "too much");
	return n < 0 ? -1 : n;
}

static int damaged(const struct reader *rd, struct error *e)
{
	const char *why = rd->unzip->why ? rd->unzip->why : archive_error_string(rd->tar);

	if (archive_errno(rd->tar) == ENOMEM)
		return error_nomem(e);
	if (rd->is_too_much)
		return error_set(e, -EINVAL, "unpacks to more than a capture holds");
	return error_set(e, -EINVAL, "not a tar file, or a damaged one: %s",
			 why ? why : "no reason given");
}

static enum host_kind kind_of(struct archive_entry *entry)
{
	switch (archive_entry_filetype(entry)) {
	case AE_IFREG:
		return archive_entry_sparse_count(entry) > 0 ? HOST_KIND_OTHER : HOST_KIND_FILE;
	case AE_IFDIR:
		return HOST_KIND_DIR;
	case AE_IFLNK:
		return HOST_KIND_LINK;
	default:
		return HOST_KIND_OTHER;
	}
}

static int pass_content(struct reader *rd, const struct host_archive_sink *sink, struct error *e)
{
	char block[BLOCK];
	la_ssize_t n;
	int r = 0;

	while (r == 0 && (n = archive_read_data(rd->tar, block, sizeof(block))) != 0)
		r = n < 0 ? damaged(rd, e) : sink->data(sink->arg, block, (size_t)n, e);
	return r;
}

static int pass_member(struct reader *rd, struct archive_entry *entry,
		       const struct host_archive_sink *sink, struct error *e)
{
	struct host_archive_member m = {
		.name = archive_entry_pathname(entry),
		.kind = kind_of(entry),
		.target = archive_entry_symlink(entry),
		.same_as = archive_entry_hardlink(entry),
		.size = archive_entry_size(entry) > 0 ? (uint64_t)archive_entry_size(entry) : 0,
	};
	int r;

	if (!m.name || !m.name[0])
		return error_set(e, -EINVAL, "a member has no name that can be read");
	if (strlen(m.name) > HOST_ARCHIVE_NAME_MAX)
		return error_set(e, -EINVAL, "a member's name has %zu bytes", strlen(m.name));
	if (m.kind == HOST_KIND_LINK && !m.target)
		m.kind = HOST_KIND_OTHER;
	/* What has another name has no kind of its own here. */
	if (m.same_as)
		m.kind = HOST_KIND_FILE;
	r = sink->member(sink->arg, &m, e);
	if (r == 0 && m.kind == HOST_KIND_FILE && !m.same_as)
		r = pass_content(rd, sink, e);
	return r;
}

/* 1: there is a member. */
static int next_member(struct reader *rd, struct error *e)
{
	/* What is left of the one before is no header. */
	int r = rd->has_entry ? archive_read_data_skip(rd->tar) : ARCHIVE_OK;

	if (r != ARCHIVE_OK && r != ARCHIVE_EOF)
		return damaged(rd, e);
	rd->header_left = HEADER_MAX;
	/* The entry that libarchive would make itself it does not look at. */
	r = archive_read_next_header2(rd->tar, rd->entry);
	rd->has_entry = true;
	rd->header_left = UINT64_MAX;
	if (r == ARCHIVE_EOF)
		return 0;
	/* A warning is of a name that cannot be converted, or a header that contradicts itself. */
	return r == ARCHIVE_OK ? 1 : damaged(rd, e);
}

/* What stands behind the end, for the checksum of all. */
static int read_to_end(struct reader *rd, struct error *e)
{
	const void *piece;
	la_ssize_t n;

	while ((n = next_piece(rd, &piece)) > 0)
		;
	if (n == -ENOMEM)
		return error_nomem(e);
	if (n < 0)
		return damaged(rd, e);
	if (rd->zeroes < END_ZEROES)
		return error_set(e, -EINVAL, "not a tar file, or one that is cut off");
	return 0;
}

static bool open_tar(struct reader *rd)
{
	return archive_read_support_format_tar(rd->tar) == ARCHIVE_OK &&
	       archive_read_support_filter_none(rd->tar) == ARCHIVE_OK &&
	       archive_read_open(rd->tar, rd, NULL, pass_piece, NULL) == ARCHIVE_OK;
}

static int read_members(struct reader *rd, const struct host_archive_sink *sink, struct error *e)
{
	int r;

	while ((r = next_member(rd, e)) > 0) {
		r = pass_member(rd, rd->entry, sink, e);
		if (r < 0)
			return r;
	}
	return r < 0 ? r : read_to_end(rd, e);
}

int host_archive_read(int fd, const struct host_archive_sink *sink, struct error *e)
{
	AUTO_FREE struct host_unzip *unzip = calloc(1, sizeof(*unzip));
	struct reader rd = { .unzip = unzip,
			     .tar = archive_read_new(),
			     .entry = archive_entry_new(),
			     .header_left = UINT64_MAX };
	int r = 0;

	if (unzip)
		unzip->fd = fd;
	if (!unzip || !rd.tar || !rd.entry)
		r = error_nomem(e);
	else if (!open_tar(&rd))
		r = damaged(&rd, e);
	else
		r = read_members(&rd, sink, e);
	(void)archive_read_free(rd.tar);
	archive_entry_free(rd.entry);
	if (unzip)
		host_unzip_done(unzip);
	return r;
}

/* --- writing ------------------------------------------------------------------------- */

struct host_archive {
	struct archive *out;
	struct archive_entry *entry;
	int fd;
	bool is_lost; /* nothing more is written */
};

static la_ssize_t write_piece(struct archive *out, void *arg, const void *data, size_t len)
{
	const struct host_archive *a = arg;
	int r = a->is_lost ? 0 : base_write(a->fd, data, len);

	if (r < 0)
		archive_set_error(out, -r, "%s", strerror(-r));
	return r < 0 ? -1 : (la_ssize_t)len;
}

static int failed(struct host_archive *a, struct error *e)
{
	const char *why = archive_error_string(a->out);
	int code = archive_errno(a->out);

	if (code == ENOMEM)
		return error_nomem(e);
	return error_set(e, code > 0 ? -code : -EIO, "%s", why ? why : "cannot be written");
}

void host_archive_free_p(struct host_archive **a)
{
	if (!*a)
		return;
	archive_entry_free((*a)->entry);
	/* libarchive would write the end, which makes it look whole; told to fail, it leaks. */
	(*a)->is_lost = true;
	(void)archive_write_free((*a)->out);
	free(*a);
}

int host_archive_new(int fd, struct host_archive **ret, struct error *e)
{
	AUTO_ARCHIVE struct host_archive *a = calloc(1, sizeof(*a));

	if (!a)
		return error_nomem(e);
	a->fd = fd;
	a->out = archive_write_new();
	a->entry = archive_entry_new();
	if (!a->out || !a->entry)
		return error_nomem(e);
	/* gzip's own header would have the time. */
	if (archive_write_set_format_gnutar(a->out) != ARCHIVE_OK ||
	    archive_write_add_filter_gzip(a->out) != ARCHIVE_OK ||
	    archive_write_set_filter_option(a->out, "gzip", "timestamp", NULL) != ARCHIVE_OK ||
	    /* Nothing behind its end, also in a pipe. */
	    archive_write_set_bytes_in_last_block(a->out, 1) != ARCHIVE_OK ||
	    archive_write_open(a->out, a, NULL, write_piece, NULL) != ARCHIVE_OK)
		return failed(a, e);
	*ret = TAKE(a);
	return 0;
}

static int add(struct host_archive *a, const char *name, unsigned type, mode_t mode,
	       struct error *e)
{
	archive_entry_set_pathname(a->entry, name);
	archive_entry_set_filetype(a->entry, type);
	archive_entry_set_perm(a->entry, mode);
	archive_entry_set_uid(a->entry, 0);
	archive_entry_set_gid(a->entry, 0);
	archive_entry_set_mtime(a->entry, 0, 0);
	return archive_write_header(a->out, a->entry) == ARCHIVE_OK ? 0 : failed(a, e);
}

int host_archive_add_dir(struct host_archive *a, const char *name, struct error *e)
{
	archive_entry_clear(a->entry);
	archive_entry_set_size(a->entry, 0);
	return add(a, name, AE_IFDIR, 0755, e);
}

int host_archive_add_link(struct host_archive *a, const char *name, const char *target,
			  struct error *e)
{
	archive_entry_clear(a->entry);
	archive_entry_set_size(a->entry, 0);
	archive_entry_set_symlink(a->entry, target);
	return add(a, name, AE_IFLNK, 0777, e);
}

int host_archive_add_file(struct host_archive *a, const char *name, const void *data, size_t len,
			  struct error *e)
{
	int r;

	archive_entry_clear(a->entry);
	archive_entry_set_size(a->entry, (int64_t)len);
	r = add(a, name, AE_IFREG, 0644, e);
	for (size_t done = 0; r == 0 && done < len;) {
		la_ssize_t n = archive_write_data(a->out, (const char *)data + done, len - done);

		if (n <= 0)
			return failed(a, e);
		done += (size_t)n;
	}
	return r;
}

int host_archive_finish(struct host_archive *a, struct error *e)
{
	return archive_write_close(a->out) == ARCHIVE_OK ? 0 : failed(a, e);
}
