/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rivals_lines.h"

#include "rivals_yaml.h"

#include <sriovctl/buf.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BLANKS	 " \t\r"
#define TEXT_MAX 120

/* Of the line at @text: what is left without the blanks around it. */
static void trim(const char *text, size_t len, struct rivals_line *ret)
{
	ret->indent = 0;
	while (ret->indent < len && strchr(BLANKS, text[ret->indent]))
		ret->indent++;
	ret->start = text + ret->indent;
	ret->len = len - ret->indent;
	while (ret->len && strchr(BLANKS, ret->start[ret->len - 1]))
		ret->len--;
}

bool rivals_lines_next(struct rivals_line *l)
{
	const char *line;
	size_t len;

	while (parse_line(&l->next, &line, &len)) {
		l->number++;
		trim(line, len, l);
		if (l->len > 0)
			return true;
	}
	return false;
}

bool rivals_lines_value(const struct rivals_line *l, const char *key, const char **ret,
			size_t *ret_len)
{
	const char *p = l->start, *end = l->start + l->len;
	size_t n = strlen(key), quoted;

	if (end - p > 2 && p[0] == '-' && p[1] == ' ')
		p += 1 + strspn(p + 1, BLANKS);
	quoted = p < end && (*p == '"' || *p == '\'');
	if ((size_t)(end - p) <= n + 2 * quoted || strncasecmp(p + quoted, key, n) != 0 ||
	    (quoted && p[1 + n] != *p))
		return false;
	p += n + 2 * quoted;
	while (p < end && strchr(BLANKS, *p))
		p++;
	if (p == end || (*p != '=' && *p != ':'))
		return false;
	p++;
	while (p < end && strchr(BLANKS "\"'", *p))
		p++;
	while (end > p && strchr(BLANKS "\"'", end[-1]))
		end--;
	*ret = p;
	*ret_len = (size_t)(end - p);
	return true;
}

/* Is it the one name of something?  Backslashes stand before colons in shells, and are no part. */
static bool take_target(const char *text, size_t len, struct buf *ret)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr("$*?[]{}%`|;& \t", text[i])) {
			buf_clear(ret);
			return false;
		}
		if (!strchr("\\\"'", text[i]))
			buf_append(ret, &text[i], 1);
	}
	return len > 0;
}

/* The file of a line, and its number there. */
static const char *path_of(const struct rivals_file *f, unsigned *line)
{
	size_t i = f->n_parts;

	while (i > 1 && f->parts[i - 1].lines_before >= *line)
		i--;
	if (i == 0)
		return f->path;
	*line -= f->parts[i - 1].lines_before;
	return f->parts[i - 1].path;
}

void rivals_lines_add(struct rivals_file *f, const struct rivals_line *l, const char *target,
		      size_t target_len)
{
	struct rivals_claim *items = reallocarray(f->ret->items, f->ret->n + 1, sizeof(*items));
	struct buf name = { 0 };
	struct rivals_claim c = { .who = f->who, .line = l->number };

	if (items)
		f->ret->items = items;
	c.path = strdup(path_of(f, &c.line));
	(void)take_target(target ? target : "", target_len, &name);
	c.text = strndup(l->start, l->len < TEXT_MAX ? l->len : TEXT_MAX);
	c.target = buf_take(&name);
	if (!items || !c.path || !c.text || !c.target) {
		free(c.path);
		free(c.text);
		free(c.target);
		f->r = -ENOMEM;
		return;
	}
	items[f->ret->n++] = c;
}

/* --- the sieve ------------------------------------------------------------------------------ */

/* The keys that the forms ask for. */
static const char *const kept_keys[] = {
	"interface-name", "mac-address", "total-vfs",		"device",
	"hwaddr",	  "match",	 "macaddress",		"name",
	"originalname",	  "path",	 "permanentmacaddress", "virtualfunction",
	"device_type",	  "numvfs",	 "pciaddress",		"sr-iovvirtualfunctions",
	"link",		  "identifier",	 "match-device",	"sriov-num-vfs",
	"network",	  "ethernets",	 "interfaces",		"sr-iov",
};
static const char *const kept_words[] = {
	"sriov_numvfs", "virtual-function-count", "embedded-switch-mode", "<pf ", "SRIOV_",
};
/* Of those, the ones that are keys where more than one stands in a line. */
static const char *const flow_keys[] = { "virtual-function-count", "embedded-switch-mode" };

static bool has_word(const struct rivals_line *l, const char *word)
{
	return memmem(l->start, l->len, word, strlen(word)) != NULL;
}

/* "name:" alone, which holds what is below it together; or a section. */
static bool is_structure(const struct rivals_line *l)
{
	if (l->start[0] == '[')
		return l->start[l->len - 1] == ']';
	if (l->start[l->len - 1] != ':')
		return false;
	for (size_t i = 0; i + 1 < l->len; i++)
		if (strchr(BLANKS ":=", l->start[i]))
			return false;
	return true;
}

static bool is_kept(const struct rivals_line *l)
{
	const char *value;
	size_t len;

	if (is_structure(l))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(kept_words); i++)
		if (has_word(l, kept_words[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(kept_keys); i++)
		if (rivals_lines_value(l, kept_keys[i], &value, &len))
			return true;
	return l->len > 3 && strncmp(l->start, "vf.", 3) == 0;
}

static bool is_kept_key(const struct rivals_node *n)
{
	for (size_t i = 0; i < ARRAY_SIZE(kept_keys); i++)
		if (strlen(kept_keys[i]) == n->key_len &&
		    strncasecmp(kept_keys[i], n->key, n->key_len) == 0)
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(flow_keys); i++)
		if (strlen(flow_keys[i]) == n->key_len &&
		    memcmp(flow_keys[i], n->key, n->key_len) == 0)
			return true;
	return false;
}

/* "key: {", "- {" and the like, as no shell has it. */
static bool is_flow(const struct rivals_line *l)
{
	size_t n = 0;

	while (n < l->len && !strchr("{[#", l->start[n]))
		n++;
	/* What writes is a command, wherever it stands. */
	if (n == l->len || l->start[n] == '#' || has_word(l, "sriov_numvfs"))
		return false;
	/* A section, and the test of a shell. */
	if (l->start[n] == '[' && !memchr(l->start, '{', l->len))
		return false;
	while (n > 0 && strchr(BLANKS, l->start[n - 1]))
		n--;
	return n == 0 || l->start[n - 1] == ':' || l->start[n - 1] == '-';
}

/* Of several keys in a line: the keys, what holds them together, and the values that matter. */
static void keep_flow(const struct rivals_line *l, struct buf *ret)
{
	AUTO_RIVALS_YAML struct rivals_yaml y = { 0 };
	char *to = buf_reserve(ret, l->len);

	if (!to || rivals_yaml_read_line(l, &y) < 0) {
		ret->error = -ENOMEM;
		return;
	}
	for (size_t i = 0; i < l->len; i++)
		to[i] = strchr(BLANKS "{}[],:-\"'", l->start[i]) ? l->start[i] : 'x';
	for (size_t i = 0; i < y.n; i++) {
		const struct rivals_node *n = &y.items[i];

		memcpy(to + (n->key - l->start), n->key, n->key_len);
		if (n->value_len && is_kept_key(n))
			memcpy(to + (n->value - l->start), n->value, n->value_len);
	}
	ret->len += l->len;
	to[l->len] = '\0';
}

/* Where an entry of a list begins, whatever of it comes first. */
static bool is_item(const struct rivals_line *l)
{
	return l->len > 1 && l->start[0] == '-' && strchr(BLANKS, l->start[1]);
}

static void keep_line(const char *text, const struct rivals_line *l, struct buf *ret)
{
	bool is_comment = *l->start == '#' || *l->start == ';', flows;
	AUTO_BUF struct buf calls = { 0 };

	if (is_comment)
		return;
	flows = is_flow(l);
	rivals_calls_sieve(l, &calls);
	if (!flows && is_kept(l)) {
		buf_append(ret, text, l->indent + l->len);
	} else if (flows || (is_item(l) && calls.len == 0)) {
		buf_append(ret, text, l->indent);
		keep_flow(l, ret);
	} else {
		buf_append(ret, text, is_item(l) ? l->indent : 0);
		buf_puts(ret, is_item(l) ? "- " : "");
		buf_append(ret, calls.data, calls.len);
	}
	ret->error = ret->error ? ret->error : calls.error;
}

/* Lines keep their numbers; what stands behind a NUL is no text. */
void rivals_sieve(const char *text, size_t len, struct buf *ret)
{
	const char *end = text + strnlen(text, len);

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t n = newline ? (size_t)(newline - text) : (size_t)(end - text);
		struct rivals_line l = { 0 };

		trim(text, n, &l);
		if (l.len)
			keep_line(text, &l, ret);
		if (newline)
			buf_puts(ret, "\n");
		text += n + (newline != NULL);
	}
}
