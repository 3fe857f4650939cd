/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kargs_entry.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/kargs.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <string.h>

#define BLANKS	   " \t"
#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
#define ENV_HEAD   "# GRUB Environment Block\n"

/* The value of a line "KEY VALUE" and its length; NULL: it is of another key. */
static const char *value_of(const char *line, size_t len, const char *key, size_t *ret_len)
{
	const char *end = line + len, *p = line;
	size_t n = strlen(key);

	while (p < end && strchr(BLANKS, *p))
		p++;
	if ((size_t)(end - p) < n || strncmp(p, key, n) != 0)
		return NULL;
	p += n;
	if (p < end && !strchr(BLANKS, *p))
		return NULL;
	while (p < end && strchr(BLANKS, *p))
		p++;
	*ret_len = (size_t)(end - p);
	return p;
}

bool kargs_entry_is_linux(const char *text)
{
	const char *line;
	size_t len, n;

	while (parse_line(&text, &line, &len))
		if (value_of(line, len, "linux", &n))
			return true;
	return false;
}

/* The name of a variable, "$NAME" or "${NAME}", at @text; its length with all signs, or 0. */
static size_t variable_at(const char *text, const char **ret, size_t *ret_len)
{
	size_t brace = text[0] == '$' && text[1] == '{';

	if (text[0] != '$')
		return 0;
	*ret = text + 1 + brace;
	*ret_len = strspn(*ret, NAME_CHARS);
	if (*ret_len == 0 || (brace && (*ret)[*ret_len] != '}'))
		return 0;
	return 1 + 2 * brace + *ret_len;
}

bool kargs_entry_has_variable(const char *text)
{
	const char *name;
	size_t len;

	for (; *text; text++)
		if (variable_at(text, &name, &len) && len == strlen(KARGS_ENTRY_VARIABLE) &&
		    strncmp(name, KARGS_ENTRY_VARIABLE, len) == 0)
			return true;
	return false;
}

/* The value of NAME=VALUE in the block and its length; NULL: there is none. */
static const char *env_value(const char *env, const char *name, size_t name_len, size_t *ret_len)
{
	const char *line;
	size_t len;

	while (parse_line(&env, &line, &len)) {
		if (len > name_len && strncmp(line, name, name_len) == 0 && line[name_len] == '=') {
			*ret_len = len - name_len - 1;
			return line + name_len + 1;
		}
	}
	return NULL;
}

/* What GRUB makes of @value: a variable that is not there is empty. */
static void expand(const char *value, size_t len, const char *env, struct buf *ret)
{
	AUTO_BUF struct buf copy = { 0 };
	const char *p;

	buf_append(&copy, value, len);
	for (p = buf_text(&copy); *p;) {
		const char *name = NULL, *found = NULL;
		size_t name_len = 0, found_len = 0, n = variable_at(p, &name, &name_len);

		if (n > 0)
			found = env_value(env, name, name_len, &found_len);
		if (found)
			buf_append(ret, found, found_len);
		else if (n == 0)
			buf_append(ret, p, 1);
		p += n ? n : 1;
	}
	if (buf_error(&copy) < 0)
		ret->error = buf_error(&copy);
}

/* All options lines, one behind the other, as the kernel gets them. */
static int expand_all(const char *text, const char *env, struct buf *ret)
{
	const char *line;
	size_t len, n = 0;

	while (parse_line(&text, &line, &len)) {
		const char *value = value_of(line, len, "options", &n);

		if (!value)
			continue;
		buf_puts(ret, ret->len ? " " : "");
		expand(value, n, env, ret);
	}
	return buf_error(ret);
}

static size_t count_options(const char *text)
{
	const char *line;
	size_t len, n, count = 0;

	while (parse_line(&text, &line, &len))
		count += value_of(line, len, "options", &n) != NULL;
	return count;
}

static void put_edited(const char *value, size_t len, const struct kargs *k, bool adds,
		       struct buf *ret)
{
	AUTO_BUF struct buf copy = { 0 };

	buf_append(&copy, value, len);
	if (buf_error(&copy) < 0)
		ret->error = buf_error(&copy);
	if (adds)
		kargs_add(buf_text(&copy), k, ret);
	else
		kargs_remove(buf_text(&copy), k, ret);
}

/* @text with each options line (or only the last, where words are added) edited. */
static void edit_options(const char *text, const struct kargs *k, bool adds, struct buf *ret)
{
	size_t len, n = 0, left = count_options(text);
	const char *line, *from = text;

	if (adds && left == 0 && k->add.n > 0) {
		buf_puts(ret, text);
		if (ret->len && ret->data[ret->len - 1] != '\n')
			buf_puts(ret, "\n");
		buf_puts(ret, "options ");
		put_edited("", 0, k, true, ret);
		buf_puts(ret, "\n");
		return;
	}
	while (parse_line(&text, &line, &len)) {
		const char *value = value_of(line, len, "options", &n);

		if (!value || (--left > 0 && adds))
			continue;
		buf_append(ret, from, (size_t)(value - from));
		put_edited(value, n, k, adds, ret);
		from = value + n;
	}
	buf_puts(ret, from);
}

static int keep_missing(const char *words, const struct kargs *k, struct kargs *ret)
{
	for (size_t i = 0; i < k->add.n; i++)
		if (!kargs_has(words, k->add.items[i]) && strv_add(&ret->add, k->add.items[i]) < 0)
			return -ENOMEM;
	return 0;
}

/* Whether a word is there is asked of what GRUB makes of the entry, not of its text. */
int kargs_entry_edit(const char *path, const char *text, const char *env, const struct kargs *k,
		     struct buf *ret, struct error *e)
{
	AUTO_KARGS struct kargs missing = { 0 };
	AUTO_BUF struct buf less = { 0 }, words = { 0 };

	edit_options(text, k, false, &less);
	if (buf_error(&less) < 0 || expand_all(buf_text(&less), env, &words) < 0 ||
	    keep_missing(buf_text(&words), k, &missing) < 0)
		return error_nomem(e);
	if (missing.add.n > 0)
		edit_options(buf_text(&less), &missing, true, ret);
	else
		buf_append(ret, buf_text(&less), less.len);
	buf_clear(&words);
	if (buf_error(ret) < 0 || expand_all(buf_text(ret), env, &words) < 0)
		return error_nomem(e);
	return kargs_holds(buf_text(&words), k)
		       ? 0
		       : error_set(e, -ENOTSUP,
				   "%s: with GRUB's variables it would still give \"%s\"", path,
				   buf_text(&words));
}

/* The block's own size, again: filled up by '#' behind the last line. */
static int pad(const char *path, size_t size, struct buf *ret, struct error *e)
{
	if (buf_error(ret) < 0)
		return error_nomem(e);
	if (ret->len > size)
		return error_set(e, -ENOTSUP, "%s: its %zu bytes have no room for the words", path,
				 size);
	while (ret->len < size && buf_error(ret) == 0)
		buf_puts(ret, "#");
	return buf_error(ret) < 0 ? error_nomem(e) : 0;
}

int kargs_entry_edit_env(const char *path, const char *text, const struct kargs *k, struct buf *ret,
			 struct error *e)
{
	size_t size = strlen(text), len = 0, used = size;
	const char *value =
		env_value(text, KARGS_ENTRY_VARIABLE, strlen(KARGS_ENTRY_VARIABLE), &len);
	AUTO_BUF struct buf less = { 0 }, words = { 0 };

	if (!parse_has_prefix(text, ENV_HEAD))
		return error_set(e, -ENOTSUP, "%s:1: not an environment block of GRUB", path);
	if (!value)
		return error_set(e, -ENOTSUP,
				 "%s: has no " KARGS_ENTRY_VARIABLE ", to which entries refer",
				 path);
	if (memchr(value, '\\', len))
		return error_set(e, -ENOTSUP,
				 "%s: " KARGS_ENTRY_VARIABLE
				 " has an escape, which is not understood",
				 path);
	while (used > 0 && text[used - 1] == '#')
		used--;
	buf_append(&words, value, len);
	kargs_edit(buf_text(&words), k, &less);
	if (buf_error(&words) < 0 || buf_error(&less) < 0)
		return error_nomem(e);
	if (!kargs_holds(buf_text(&less), k))
		return error_set(e, -ENOTSUP,
				 "%s: a quote in " KARGS_ENTRY_VARIABLE " is not closed", path);
	buf_append(ret, text, (size_t)(value - text));
	buf_append(ret, buf_text(&less), less.len);
	buf_append(ret, value + len, used - (size_t)(value + len - text));
	return pad(path, size, ret, e);
}
