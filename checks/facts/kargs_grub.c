/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kargs_grub.h"

#include "kargs_shell.h"

#include <sriovctl/error.h>
#include <sriovctl/kargs.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* All assignments of all files, as they follow one another. */
struct script {
	struct kargs_shell *parsed; /* one for each file */
	size_t n;
	struct buf values[KARGS_SHELL_NAMES];
};

static void script_done(struct script *s)
{
	for (size_t i = 0; i < s->n; i++)
		kargs_shell_done(&s->parsed[i]);
	free(s->parsed);
	for (size_t i = 0; i < KARGS_SHELL_NAMES; i++)
		buf_done(&s->values[i]);
}
#define AUTO_SCRIPT CLEANUP(script_done)

/* Between double quotes a backslash at its end joins a line to the next (POSIX, 2.2.1). */
static void put_joined(const char *text, const struct kargs_shell_set *set, struct buf *ret)
{
	for (size_t i = set->start; i < set->end; i++) {
		if (set->quote == '"' && strncmp(text + i, "\\\n", 2) == 0)
			i++;
		else
			buf_append(ret, text + i, 1);
	}
}

/* Other variables stay as they are written: they are opaque words. */
static void assign(struct script *s, const char *text, const struct kargs_shell_set *set)
{
	AUTO_BUF struct buf value = { 0 }, whole = { 0 };

	put_joined(text, set, &whole);
	for (size_t i = 0; i < whole.len;) {
		const char *at = buf_text(&whole) + i;
		enum kargs_shell_name name;
		size_t len = set->quote == '"' ? kargs_shell_reference(at, &name) : 0;

		if (len > 0)
			buf_append(&value, buf_text(&s->values[name]), s->values[name].len);
		else
			buf_append(&value, at, 1);
		i += len ? len : 1;
	}
	buf_clear(&s->values[set->name]);
	buf_append(&s->values[set->name], buf_text(&value), value.len);
	if (buf_error(&value) < 0 || buf_error(&whole) < 0)
		s->values[set->name].error = -ENOMEM;
}

static int run(const struct kargs_grub_file *files, size_t n, bool after, struct script *ret,
	       struct error *e)
{
	ret->parsed = calloc(n + 1, sizeof(*ret->parsed));
	if (!ret->parsed)
		return error_nomem(e);
	for (ret->n = 0; ret->n < n; ret->n++) {
		const struct kargs_grub_file *f = &files[ret->n];
		const char *text = buf_text(after ? &f->after : &f->before);
		struct kargs_shell *parsed = &ret->parsed[ret->n];
		int r = kargs_shell_parse(f->path, text, parsed, e);

		if (r < 0)
			return r;
		for (size_t i = 0; i < parsed->n; i++)
			assign(ret, text, &parsed->sets[i]);
	}
	for (size_t i = 0; i < KARGS_SHELL_NAMES; i++)
		if (buf_error(&ret->values[i]) < 0)
			return error_nomem(e);
	return 0;
}

/* What an entry that is not for recovery gets. */
static int join(const struct script *s, struct buf *ret)
{
	buf_printf(ret, "%s %s", buf_text(&s->values[KARGS_SHELL_LINUX]),
		   buf_text(&s->values[KARGS_SHELL_DEFAULT]));
	return buf_error(ret);
}

static bool builds_on(const struct kargs_grub_file *f, const struct kargs_shell_set *set)
{
	const char *text = buf_text(&f->before);
	enum kargs_shell_name name;

	for (size_t i = set->start; set->quote == '"' && i < set->end; i++)
		if (kargs_shell_reference(text + i, &name) > 0 && name == set->name)
			return true;
	return false;
}

/* Where a word is added: the last assignment that begins anew, since those behind build on it. */
static const struct kargs_shell_set *place_to_add(const struct kargs_grub_file *files,
						  const struct script *s)
{
	const struct kargs_shell_set *place = NULL;

	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->parsed[i].n; k++) {
			const struct kargs_shell_set *set = &s->parsed[i].sets[k];

			if (set->name == KARGS_SHELL_LINUX &&
			    (!place || !builds_on(&files[i], set)))
				place = set;
		}
	}
	return place;
}

/* The words that removing leaves wanting. */
static int find_missing(const struct script *s, const struct kargs *k, struct kargs *ret)
{
	AUTO_BUF struct buf joined = { 0 }, less = { 0 };

	if (join(s, &joined) < 0)
		return -ENOMEM;
	kargs_remove(buf_text(&joined), k, &less);
	if (buf_error(&less) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < k->add.n; i++)
		if (!kargs_has(buf_text(&less), k->add.items[i]) &&
		    strv_add(&ret->add, k->add.items[i]) < 0)
			return -ENOMEM;
	return 0;
}

static void put_value(const char *text, const struct kargs_shell_set *set, const struct kargs *k,
		      const struct kargs *missing, struct buf *ret)
{
	AUTO_BUF struct buf value = { 0 }, less = { 0 }, more = { 0 };
	const char *quote = set->quote == '\'' ? "'" : "\"";

	put_joined(text, set, &value);
	kargs_remove(buf_text(&value), k, &less);
	kargs_add(buf_text(&less), missing, &more);
	if (buf_error(&value) < 0 || buf_error(&less) < 0 || buf_error(&more) < 0)
		ret->error = -ENOMEM;
	if (strcmp(buf_text(&more), buf_text(&value)) == 0)
		buf_append(ret, text + set->start - !!set->quote,
			   set->end - set->start + 2 * !!set->quote);
	else
		buf_printf(ret, "%s%s%s", quote, buf_text(&more), quote);
}

static void edit_file(struct kargs_grub_file *f, const struct kargs_shell *parsed,
		      const struct kargs_shell_set *place, const struct kargs *k,
		      const struct kargs *missing)
{
	static const struct kargs nothing;
	const char *text = buf_text(&f->before);
	size_t from = 0;

	for (size_t i = 0; i < parsed->n; i++) {
		const struct kargs_shell_set *set = &parsed->sets[i];

		buf_append(&f->after, text + from, set->start - !!set->quote - from);
		put_value(text, set, k, set == place ? missing : &nothing, &f->after);
		from = set->end + !!set->quote;
	}
	buf_puts(&f->after, text + from);
}

static void add_line(struct kargs_grub_file *f, const struct kargs *missing)
{
	size_t len = f->after.len;

	if (len > 0 && f->after.data[len - 1] != '\n')
		buf_puts(&f->after, "\n");
	buf_printf(&f->after, "%s=\"", kargs_shell_name(KARGS_SHELL_LINUX));
	kargs_add("", missing, &f->after);
	buf_puts(&f->after, "\"\n");
}

static int verify(const struct kargs_grub_file *files, size_t n, const struct kargs *k,
		  struct error *e)
{
	AUTO_SCRIPT struct script s = { 0 };
	AUTO_BUF struct buf joined = { 0 };
	int r = run(files, n, true, &s, e);

	if (r < 0)
		return r;
	if (join(&s, &joined) < 0)
		return error_nomem(e);
	return kargs_holds(buf_text(&joined), k)
		       ? 0
		       : error_set(e, -ENOTSUP,
				   "%s and what is read behind it would still give \"%s\"",
				   files[0].path, buf_text(&joined));
}

int kargs_grub_edit(struct kargs_grub_file *files, size_t n, const struct kargs *k, struct error *e)
{
	AUTO_KARGS struct kargs missing = { 0 };
	AUTO_SCRIPT struct script s = { 0 };
	const struct kargs_shell_set *place;
	int r = run(files, n, false, &s, e);

	if (r < 0)
		return r;
	if (find_missing(&s, k, &missing) < 0)
		return error_nomem(e);
	place = place_to_add(files, &s);
	for (size_t i = 0; i < n; i++)
		edit_file(&files[i], &s.parsed[i], place, k, &missing);
	if (!place && missing.add.n > 0)
		add_line(&files[0], &missing);
	for (size_t i = 0; i < n; i++)
		if (buf_error(&files[i].after) < 0)
			return error_nomem(e);
	return verify(files, n, k, e);
}

/* The command line of a "linux IMAGE WORDS" line, or NULL. */
static const char *words_of_line(const char *line)
{
	static const char *const commands[] = { "linux", "linuxefi", "linux16" };
	const char *p = line + strspn(line, " \t");
	size_t len = strcspn(p, " \t");

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strlen(commands[i]) != len || strncmp(commands[i], p, len) != 0)
			continue;
		p += len + strspn(p + len, " \t");
		return p + strcspn(p, " \t");
	}
	return NULL;
}

int kargs_grub_staged(const char *path, const char *text, const struct kargs *k, struct error *e)
{
	AUTO_BUF struct buf copy = { 0 };
	unsigned number = 0, found = 0;
	bool is_ours = false;
	const char *line;
	size_t len;

	while (parse_line(&text, &line, &len)) {
		const char *words;

		number++;
		buf_clear(&copy);
		buf_append(&copy, line, len);
		if (buf_error(&copy) < 0)
			return error_nomem(e);
		if (parse_has_prefix(buf_text(&copy), "### BEGIN "))
			is_ours = strstr(buf_text(&copy), "/10_linux") != NULL;
		words = is_ours ? words_of_line(buf_text(&copy)) : NULL;
		if (!words)
			continue;
		found++;
		if (!kargs_holds(words, k))
			return error_set(e, -ESTALE, "%s:%u: this entry has not what is wanted:%s",
					 path, number, words);
	}
	return found ? 0 : error_set(e, -ENOTSUP, "%s: no entry of /etc/grub.d/10_linux", path);
}
