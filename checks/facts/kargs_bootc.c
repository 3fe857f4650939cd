/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kargs_bootc.h"

#include "kargs_files.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/kargs.h>

#include <errno.h>
#include <string.h>

#define BLANKS	  " \t\r\n"
#define CONDITION "match-architectures"

struct toml {
	const char *path, *text;
	size_t at;
};

static int refuse(const struct toml *t, const char *why, struct error *e)
{
	unsigned line = 1;

	for (size_t i = 0; i < t->at; i++)
		line += t->text[i] == '\n';
	return error_set(e, -ENOTSUP, "%s:%u: %s", t->path, line, why);
}

/* Blanks, ends of lines and comments. */
static void skip(struct toml *t)
{
	for (;;) {
		t->at += strspn(t->text + t->at, BLANKS);
		if (t->text[t->at] != '#')
			return;
		t->at += strcspn(t->text + t->at, "\n");
	}
}

/* A string on one line, without escapes (TOML 1.0, String). */
static int take_string(struct toml *t, struct buf *ret, struct error *e)
{
	char quote = t->text[t->at];
	size_t len;

	if (quote != '"' && quote != '\'')
		return refuse(t, "a string in quotes is expected here", e);
	len = strcspn(t->text + t->at + 1, quote == '"' ? "\"\\\n" : "'\n");
	if (t->text[t->at + 1 + len] != quote)
		return refuse(t, "this string is not understood", e);
	buf_append(ret, t->text + t->at + 1, len);
	t->at += len + 2;
	return 0;
}

static int take_array(struct toml *t, struct buf *ret, struct error *e)
{
	int r = 0;

	if (t->text[t->at] != '[')
		return refuse(t, "an array is expected here", e);
	t->at++;
	for (skip(t); r == 0 && t->text[t->at] != ']'; skip(t)) {
		buf_puts(ret, ret->len ? " " : "");
		r = take_string(t, ret, e);
		skip(t);
		if (r == 0 && t->text[t->at] == ',')
			t->at++;
		else if (r == 0 && t->text[t->at] != ']')
			r = refuse(t, "a comma or the end of the array is expected here", e);
	}
	t->at += r == 0;
	return r;
}

/* "kargs" and "match-architectures" are all that there is; of the second, only what it is. */
static int take_key(struct toml *t, struct buf *ret, struct error *e)
{
	static const char *const keys[] = { "kargs", CONDITION };
	AUTO_BUF struct buf architectures = { 0 };
	size_t len = strcspn(t->text + t->at, BLANKS "=");

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strlen(keys[i]) != len || strncmp(keys[i], t->text + t->at, len) != 0)
			continue;
		t->at += len;
		t->at += strspn(t->text + t->at, " \t");
		if (t->text[t->at] != '=')
			return refuse(t, "\"=\" is expected here", e);
		t->at++;
		skip(t);
		return take_array(t, i == 0 ? ret : &architectures, e);
	}
	return refuse(t, "only kargs and match-architectures are understood", e);
}

int kargs_bootc_parse(const char *path, const char *text, struct buf *ret, struct error *e)
{
	struct toml t = { .path = path, .text = text };
	int r = 0;

	for (skip(&t); r == 0 && t.text[t.at]; skip(&t))
		r = take_key(&t, ret, e);
	return r == 0 && buf_error(ret) < 0 ? error_nomem(e) : r;
}

/* Do the others have what is to be removed, or all that is to be added? */
static int weigh(const struct kargs_files *others, const struct kargs *k, struct kargs *ret_left,
		 struct error *e)
{
	AUTO_BUF struct buf all = { 0 };

	for (size_t i = 0; i < others->n; i++) {
		const struct kargs_grub_file *f = &others->items[i];
		AUTO_BUF struct buf words = { 0 };
		int r = kargs_bootc_parse(f->path, buf_text(&f->before), &words, e);

		for (size_t n = 0; r == 0 && n < k->remove.n; n++)
			if (kargs_has_any(buf_text(&words), k->remove.items[n]))
				r = error_set(e, -ENOTSUP, "%s has %s: remove it there", f->path,
					      k->remove.items[n]);
		if (r < 0)
			return r;
		/* Those are not for every machine. */
		if (!strstr(buf_text(&f->before), CONDITION))
			buf_printf(&all, " %s", buf_text(&words));
	}
	for (size_t i = 0; i < k->add.n; i++)
		if (!kargs_has(buf_text(&all), k->add.items[i]) &&
		    strv_add(&ret_left->add, k->add.items[i]) < 0)
			return error_nomem(e);
	return buf_error(&all) < 0 ? error_nomem(e) : 0;
}

static void print(const char *words, struct buf *ret)
{
	size_t n = 0, len;
	const char *p = words;

	buf_puts(ret, "# Written by sriovctl provision --kernel-args.\nkargs = [");
	for (; *(p += strspn(p, BLANKS)); p += len) {
		len = strcspn(p, BLANKS);
		buf_puts(ret, n++ ? ", \"" : "\"");
		buf_append(ret, p, len);
		buf_puts(ret, "\"");
	}
	buf_puts(ret, "]\n");
}

static int read_folder(const struct host *h, struct kargs_files *others, struct buf *own,
		       bool *ret_is_new, struct error *e)
{
	AUTO_STRV struct strv names = { 0 };
	int r = host_list(h, &names, NULL, KARGS_BOOTC_KARGS);

	*ret_is_new = true;
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		AUTO_BUF struct buf path = { 0 };
		size_t len = strlen(names.items[i]);

		if (len < 6 || strcmp(names.items[i] + len - 5, ".toml") != 0)
			continue;
		buf_printf(&path, KARGS_BOOTC_KARGS "/%s", names.items[i]);
		if (buf_error(&path) < 0)
			return error_nomem(e);
		if (strcmp(buf_text(&path), KARGS_BOOTC_FILE) != 0) {
			r = kargs_files_add(others, h, buf_text(&path), e);
			continue;
		}
		*ret_is_new = false;
		r = kargs_files_read(h, buf_text(&path), own, e);
	}
	return r == -ENOENT || r == -ENODATA ? 0 : r;
}

int kargs_bootc_edit(const struct host *h, const struct kargs *k, struct buf *before,
		     struct buf *ret_after, bool *ret_is_new, struct error *e)
{
	AUTO_KARGS_FILES struct kargs_files others = { 0 };
	AUTO_KARGS struct kargs left = { 0 };
	AUTO_BUF struct buf words = { 0 }, less = { 0 }, more = { 0 };
	int r = read_folder(h, &others, before, ret_is_new, e);

	if (r == 0)
		r = weigh(&others, k, &left, e);
	if (r == 0)
		r = kargs_bootc_parse(KARGS_BOOTC_FILE, buf_text(before), &words, e);
	if (r == 0 && strstr(buf_text(before), CONDITION))
		r = error_set(e, -ENOTSUP,
			      KARGS_BOOTC_FILE ": has " CONDITION
					       ", which this program did not write");
	if (r < 0)
		return r;
	kargs_remove(buf_text(&words), k, &less);
	kargs_add(buf_text(&less), &left, &more);
	if (!kargs_holds(buf_text(&more), &left))
		return error_set(e, -ENOTSUP, KARGS_BOOTC_FILE ": a quote in it is not closed");
	if (strcmp(buf_text(&more), buf_text(&words)) == 0)
		buf_append(ret_after, buf_text(before), before->len);
	else
		print(buf_text(&more), ret_after);
	return buf_error(&less) < 0 || buf_error(&more) < 0 || buf_error(ret_after) < 0
		       ? error_nomem(e)
		       : 0;
}
