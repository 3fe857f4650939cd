/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/cmdline.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <string.h>

bool cmdline_next_word(const char **cursor, struct buf *ret)
{
	const char *p = *cursor + strspn(*cursor, " \t\r\n");
	bool quoted = false;

	buf_clear(ret);
	if (!*p)
		return false;
	for (; *p && (quoted || !strchr(" \t\r\n", *p)); p++) {
		if (*p == '"')
			quoted = !quoted;
		else
			buf_append(ret, p, 1);
	}
	*cursor = p;
	return true;
}

int cmdline_parse(const char *text, struct cmdline *ret)
{
	AUTO_CMDLINE struct cmdline c = { 0 };
	AUTO_BUF struct buf word = { 0 };

	while (cmdline_next_word(&text, &word)) {
		if (buf_error(&word) < 0)
			return buf_error(&word);
		if (strcmp(buf_text(&word), "--") == 0)
			break;
		if (strv_add(&c.words, buf_text(&word)) < 0)
			return -ENOMEM;
	}
	*ret = c;
	c = (struct cmdline){ 0 };
	return 0;
}

void cmdline_done(struct cmdline *c)
{
	strv_done(&c->words);
}

static bool same_letter(char a, char b)
{
	return (a == '-' ? '_' : a) == (b == '-' ? '_' : b);
}

const char *cmdline_word_value(const char *word, const char *key)
{
	while (*key && *word && same_letter(*word, *key)) {
		word++;
		key++;
	}
	if (*key)
		return NULL;
	if (*word == '=')
		return word + 1;
	return *word ? NULL : word;
}

const char *cmdline_value(const struct cmdline *c, const char *key)
{
	const char *last = NULL;

	for (size_t i = 0; i < c->words.n; i++) {
		const char *value = cmdline_word_value(c->words.items[i], key);

		if (value)
			last = value;
	}
	return last;
}

static bool next_item(const char **list, const char **ret, size_t *ret_len)
{
	*list += strspn(*list, ",");
	*ret = *list;
	*ret_len = strcspn(*list, ",");
	*list += *ret_len;
	return *ret_len > 0;
}

bool cmdline_list_has(const char *list, const char *item)
{
	const char *start;
	size_t len;

	while (next_item(&list, &start, &len))
		if (len == strlen(item) && strncmp(start, item, len) == 0)
			return true;
	return false;
}

bool cmdline_has_item(const struct cmdline *c, const char *key, const char *item)
{
	for (size_t i = 0; i < c->words.n; i++) {
		const char *list = cmdline_word_value(c->words.items[i], key);

		if (list && cmdline_list_has(list, item))
			return true;
	}
	return false;
}

/* Which of @prefixes the item begins with; -1: none. */
static int find_prefix(const char *item, const char *const *prefixes, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (parse_has_prefix(item, prefixes[k]))
			return (int)k;
	return -1;
}

int cmdline_last_item(const struct cmdline *c, const char *key, const char *const *prefixes,
		      size_t n)
{
	int last = -1;

	for (size_t i = 0; i < c->words.n; i++) {
		const char *list = cmdline_word_value(c->words.items[i], key);
		const char *start;
		size_t len;

		while (list && next_item(&list, &start, &len)) {
			int found = find_prefix(start, prefixes, n);

			last = found < 0 ? last : found;
		}
	}
	return last;
}

/* The boot configuration may add to what a boot loader can pass (admin-guide/bootconfig.rst). */
#define CMDLINE_MAX (64 * 1024)

static int read_cmdline(const struct host *h, struct cmdline *ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_read(h, CMDLINE_MAX, &text, e, CMDLINE_PATH);

	if (r < 0)
		return r;
	if (memchr(buf_text(&text), '\0', text.len))
		return error_set(e, -EINVAL, CMDLINE_PATH ": not text");
	return cmdline_parse(buf_text(&text), ret) < 0 ? error_nomem(e) : 0;
}
HOST_FACT_DEFINE(cmdline, read_cmdline)
