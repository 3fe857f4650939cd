/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_index.h"

#include "host_store.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "sriovctl capture 1"
#define PARTIAL	   "partial"
#define PATH_LEN   4096u
#define ERRNO_LAST 200

/* --- words --------------------------------------------------------------------------- */

static bool is_plain(unsigned char c)
{
	return c >= ' ' && c <= '~' && c != '\\';
}

static void put_path(struct buf *out, const char *path)
{
	for (; *path; path++) {
		if (is_plain((unsigned char)*path))
			buf_append(out, path, 1);
		else
			buf_printf(out, "\\x%02x", (unsigned char)*path);
	}
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Only what put_path() writes. */
static bool take_path(const char *text, size_t len, struct buf *ret)
{
	for (size_t i = 0; i < len; i++) {
		int high, low;
		char c = text[i];

		if (c == '\\') {
			if (len - i < 4 || text[i + 1] != 'x')
				return false;
			high = hex_digit(text[i + 2]);
			low = hex_digit(text[i + 3]);
			if (high < 0 || low < 0)
				return false;
			c = (char)(high << 4 | low);
			if (c == '\0' || is_plain((unsigned char)c))
				return false;
			i += 3;
		} else if (!is_plain((unsigned char)c)) {
			return false;
		}
		buf_append(ret, &c, 1);
	}
	return ret->len <= PATH_LEN;
}

/* "EACCES " at *@text, which moves behind it; 0: no such error. */
static int take_errno(const char **text, size_t *len)
{
	const char *end = memchr(*text, ' ', *len);
	size_t n = end ? (size_t)(end - *text) : 0;

	for (int i = 1; n > 0 && i <= ERRNO_LAST; i++) {
		const char *name = strerrorname_np(i);

		if (!name || strlen(name) != n || memcmp(name, *text, n) != 0)
			continue;
		*text += n + 1;
		*len -= n + 1;
		return i;
	}
	return 0;
}

static bool take_word(const char **text, size_t *len, const char *word)
{
	size_t n = strlen(word);

	if (*len <= n || memcmp(*text, word, n) != 0 || (*text)[n] != ' ')
		return false;
	*text += n + 1;
	*len -= n + 1;
	return true;
}

/* --- statements ---------------------------------------------------------------------- */

/* 0, or -EEXIST where the store knows something else. */
typedef int apply(struct host_node *n, int error);

static int become(struct host_node *n, enum host_state state)
{
	if (n->state != HOST_STATE_NONE && n->state != state)
		return -EEXIST;
	n->state = state;
	return 0;
}

static int become_nothing(struct host_node *n, enum host_state state)
{
	if (n->state == HOST_STATE_NAME)
		n->state = HOST_STATE_NONE;
	return become(n, state);
}

static int apply_all(struct host_node *n, int error)
{
	(void)error;
	n->is_listed = true;
	return become(n, HOST_STATE_DIR);
}

static int apply_name(struct host_node *n, int error)
{
	(void)error;
	n->is_named = true;
	if (n->state == HOST_STATE_NONE)
		n->state = HOST_STATE_NAME;
	return 0;
}

static int apply_file(struct host_node *n, int error)
{
	(void)error;
	return become_nothing(n, HOST_STATE_FILE);
}

static int apply_other(struct host_node *n, int error)
{
	(void)error;
	return become_nothing(n, HOST_STATE_OTHER);
}

static int apply_absent(struct host_node *n, int error)
{
	(void)error;
	return become_nothing(n, HOST_STATE_ABSENT);
}

static int apply_blind(struct host_node *n, int error)
{
	n->error = (int16_t)-error;
	return become_nothing(n, HOST_STATE_BLIND);
}

static int apply_read(struct host_node *n, int error)
{
	if (n->was_read || n->state == HOST_STATE_LINK || n->state == HOST_STATE_ABSENT ||
	    n->state == HOST_STATE_BLIND)
		return -EEXIST;
	n->was_read = true;
	n->read_error = (int16_t)-error;
	if (n->state < HOST_STATE_FILE)
		n->state = HOST_STATE_FILE;
	return 0;
}

static int apply_list(struct host_node *n, int error)
{
	if (n->was_listed || n->state < HOST_STATE_FILE || n->state == HOST_STATE_LINK)
		return -EEXIST;
	n->was_listed = true;
	n->list_error = (int16_t)-error;
	return 0;
}

static const struct statement {
	const char *word;
	apply *apply;
	bool has_error;
} statements[] = {
	{ .word = "all", .apply = apply_all },
	{ .word = "name", .apply = apply_name },
	{ .word = "file", .apply = apply_file },
	{ .word = "other", .apply = apply_other },
	{ .word = "absent", .apply = apply_absent },
	{ .word = "blind", .apply = apply_blind, .has_error = true },
	{ .word = "read", .apply = apply_read, .has_error = true },
	{ .word = "list", .apply = apply_list, .has_error = true },
};

static const struct statement *take_statement(const char **text, size_t *len)
{
	for (size_t i = 0; i < ARRAY_SIZE(statements); i++)
		if (take_word(text, len, statements[i].word))
			return &statements[i];
	return NULL;
}

static int parse_statement(const char *text, size_t len, struct host_store *s, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	const struct statement *st = take_statement(&text, &len);
	int error = st && st->has_error ? take_errno(&text, &len) : 0, r;
	uint32_t at = 0;

	if (!st)
		return error_set(e, -EINVAL, "no statement that this version knows");
	if (st->has_error && error == 0)
		return error_set(e, -EINVAL, "%s names no error", st->word);
	if (!take_path(text, len, &path))
		return error_set(e, -EINVAL, "a path is not spelled as it should be");
	if (buf_error(&path) < 0)
		return error_nomem(e);
	r = host_store_make(s, buf_text(&path), &at);
	if (r == -ENOMEM)
		return error_nomem(e);
	if (r == -EINVAL)
		return error_set(e, r, "a path is not absolute and clean");
	if (r == -ENOTDIR)
		return error_set(e, -EINVAL, "the path is below what is no folder");
	if (r < 0)
		return error_set(e, -EINVAL, "more names than a host has");
	if (st->apply(host_store_change(s, at), error) < 0)
		return error_set(e, -EINVAL, "contradicts what else is in the capture");
	return 0;
}

/* The next line without its newline; false at the end. */
static bool next_line(const char **text, size_t *left, const char **ret, size_t *ret_len)
{
	const char *end = *left ? memchr(*text, '\n', *left) : NULL;

	if (!end)
		return false;
	*ret = *text;
	*ret_len = (size_t)(end - *text);
	*text += *ret_len + 1;
	*left -= *ret_len + 1;
	return true;
}

static bool is_line(const char *line, size_t len, const char *text)
{
	return strlen(text) == len && memcmp(line, text, len) == 0;
}

int host_index_parse(const char *text, size_t len, struct host_store *s, struct error *e)
{
	const char *line = NULL;
	size_t n = 0;
	unsigned number = 1;

	if (!next_line(&text, &len, &line, &n) || !is_line(line, n, FIRST_LINE))
		return error_set(e, -EINVAL,
				 HOST_INDEX ", line 1: not \"" FIRST_LINE
					    "\", the only form that this version reads");
	host_store_set_index(s, false);
	while (next_line(&text, &len, &line, &n)) {
		int r = 0;

		number++;
		if (number == 2 && is_line(line, n, PARTIAL))
			host_store_set_index(s, true);
		else
			r = parse_statement(line, n, s, e);
		if (r < 0)
			return r == -ENOMEM ? r
					    : error_prefix(e, r, HOST_INDEX ", line %u", number);
	}
	if (len > 0)
		return error_set(e, -EINVAL, HOST_INDEX ", line %u: does not end", number + 1);
	return 0;
}

/* --- printing ------------------------------------------------------------------------ */

struct order {
	const char *name;
	uint32_t at;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct order *)a)->name, ((const struct order *)b)->name);
}

static int walk(const struct host_store *s, uint32_t dir, struct buf *path, host_index_visit *visit,
		void *arg)
{
	AUTO_FREE struct order *order = NULL;
	size_t n = 0, len = path->len;
	int r = 0;

	for (uint32_t at = host_store_node(s, dir)->child; at; at = host_store_node(s, at)->sibling)
		n++;
	if (n == 0)
		return 0;
	order = calloc(n, sizeof(*order));
	if (!order)
		return -ENOMEM;
	n = 0;
	for (uint32_t at = host_store_node(s, dir)->child; at; at = host_store_node(s, at)->sibling)
		order[n++] = (struct order){ .name = host_store_name(s, at), .at = at };
	qsort(order, n, sizeof(*order), by_name);
	for (size_t i = 0; r == 0 && i < n; i++) {
		buf_printf(path, "/%s", order[i].name);
		r = buf_error(path);
		if (r == 0)
			r = visit(arg, order[i].at, buf_text(path));
		if (r == 0)
			r = walk(s, order[i].at, path, visit, arg);
		if (path->data) {
			path->len = len;
			path->data[len] = '\0';
		}
	}
	return r;
}

int host_index_walk(const struct host_store *s, host_index_visit *visit, void *arg)
{
	AUTO_BUF struct buf path = { 0 };

	return walk(s, HOST_STORE_ROOT, &path, visit, arg);
}

struct printer {
	const struct host_store *s;
	struct buf *out;
	const char *path;
};

static void say(const struct printer *p, const char *word, int error)
{
	buf_printf(p->out, "%s ", word);
	if (error < 0)
		buf_printf(p->out, "%s ", strerrorname_np(-error));
	put_path(p->out, p->path);
	buf_puts(p->out, "\n");
}

/* What is there, and no member of its own shows it. */
static void say_state(const struct printer *p, const struct host_node *n)
{
	bool is_complete = host_store_node(p->s, n->parent)->is_listed;

	switch ((enum host_state)n->state) {
	case HOST_STATE_ABSENT:
		if (!is_complete || n->is_named)
			say(p, "absent", 0);
		break;
	case HOST_STATE_BLIND:
		say(p, "blind", n->error);
		break;
	case HOST_STATE_FILE:
		if (!n->was_read)
			say(p, "file", 0);
		break;
	case HOST_STATE_OTHER:
		say(p, "other", 0);
		break;
	case HOST_STATE_DIR:
	case HOST_STATE_LINK:
	case HOST_STATE_NAME:
	case HOST_STATE_NONE:
		break;
	}
}

static int print_node(void *arg, uint32_t at, const char *path)
{
	struct printer *p = arg;
	const struct host_node *n = host_store_node(p->s, at);

	/* The capture itself makes this folder, also where the host had none. */
	if (n->state == HOST_STATE_ABSENT && strcmp(path, HOST_ANSWERS) == 0)
		return 0;
	p->path = path;
	if (n->is_listed)
		say(p, "all", 0);
	if (n->state == HOST_STATE_NAME || (n->is_named && n->state < HOST_STATE_NAME))
		say(p, "name", 0);
	say_state(p, n);
	if (n->was_read && n->read_error)
		say(p, "read", n->read_error);
	if (n->was_listed && n->list_error)
		say(p, "list", n->list_error);
	return buf_error(p->out);
}

int host_index_print(const struct host_store *s, struct buf *ret)
{
	struct printer p = { .s = s, .out = ret, .path = "/" };

	buf_puts(ret, FIRST_LINE "\n");
	if (host_store_is_partial(s))
		buf_puts(ret, PARTIAL "\n");
	if (host_store_node(s, HOST_STORE_ROOT)->is_listed)
		say(&p, "all", 0);
	return host_index_walk(s, print_node, &p);
}
