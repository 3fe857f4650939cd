/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the programs of people do to a text on its way: marks of its encoding, blanks that do not
 * break, quotes of a letter, an indentation.  What somebody wrote between the lines that he quotes
 * may stand for others that he left out.
 */
#include "import_impl.h"

#include <sriovctl/buf.h>

#include <string.h>

#define DEPTH_MAX 8
#define GAP	  "[...]"

/* UTF-16 with the lower byte first, as a shell of Windows writes it, of which kernels need ASCII.
 */
static bool is_wide(const struct buf *b)
{
	return b->len >= 2 && memcmp(b->data, "\xff\xfe", 2) == 0;
}

static void narrow(struct buf *b)
{
	size_t n = 0;

	for (size_t i = 2; i + 1 < b->len; i += 2)
		b->data[n++] = b->data[i + 1] ? '?' : b->data[i];
	b->len = n;
	b->data[n] = '\0';
}

static void replace_marks(struct buf *b)
{
	size_t n = 0, i = b->len >= 3 && memcmp(b->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	while (i < b->len) {
		bool is_blank = i + 1 < b->len && memcmp(&b->data[i], "\xc2\xa0", 2) == 0;

		b->data[n++] = is_blank ? ' ' : b->data[i];
		i += is_blank ? 2 : 1;
	}
	b->len = n;
	b->data[n] = '\0';
}

/* How often a line is quoted, "> > text"; and where the text begins. */
static unsigned depth_of(const char *line, size_t len, size_t *ret_at)
{
	unsigned depth = 0;
	size_t at = 0;

	while (at < len && line[at] == '>') {
		depth++;
		at++;
		at += at < len && line[at] == ' ';
	}
	*ret_at = at;
	return depth;
}

/* The depth of most lines; 0: most are no quotes, or not of one depth. */
static unsigned main_depth(const char *text)
{
	size_t counts[DEPTH_MAX + 1] = { 0 }, n = 0, at, len;
	const char *line;

	while (parse_line(&text, &line, &len)) {
		unsigned depth = depth_of(line, len, &at);

		if (at == len)
			continue;
		counts[depth < DEPTH_MAX ? depth : DEPTH_MAX]++;
		n++;
	}
	for (unsigned k = 1; k < DEPTH_MAX; k++)
		if (counts[k] > n / 2)
			return k;
	return 0;
}

static void unquote(struct buf *b, unsigned depth)
{
	AUTO_BUF struct buf out = { 0 };
	const char *text = buf_text(b), *line;
	size_t len, at;

	while (parse_line(&text, &line, &len)) {
		if (depth_of(line, len, &at) == depth)
			buf_append(&out, line + at, len - at);
		else if (at < len)
			buf_puts(&out, GAP);
		buf_puts(&out, "\n");
	}
	buf_clear(b);
	buf_append(b, buf_text(&out), out.len);
	if (buf_error(&out) < 0)
		b->error = buf_error(&out);
}

/* The blanks that all lines begin with. */
static size_t indentation(const char *text)
{
	const char *first = NULL, *line;
	size_t common = 0, len;

	while (parse_line(&text, &line, &len)) {
		size_t own = strspn(line, " \t"), n = 0;

		if (own >= len)
			continue;
		if (!first) {
			first = line;
			common = own;
		}
		while (n < common && n < own && line[n] == first[n])
			n++;
		common = n;
	}
	return common;
}

static void unindent(struct buf *b)
{
	size_t common = indentation(buf_text(b)), n = 0;
	bool is_start = true;

	for (size_t i = 0; common > 0 && i < b->len; i++) {
		if (is_start) {
			size_t blanks = strspn(&b->data[i], " \t");

			i += blanks < common ? blanks : common;
			if (i >= b->len)
				break;
		}
		is_start = b->data[i] == '\n';
		b->data[n++] = b->data[i];
	}
	if (common > 0) {
		b->len = n;
		b->data[n] = '\0';
	}
}

void paste_narrow(struct buf *content)
{
	if (is_wide(content))
		narrow(content);
}

void paste_undo(struct buf *content)
{
	unsigned depth;

	if (content->len == 0)
		return;
	replace_marks(content);
	depth = main_depth(buf_text(content));
	if (depth > 0)
		unquote(content, depth);
	if (buf_error(content) == 0 && content->len > 0)
		unindent(content);
}
