/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bootnext_form.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct parser {
	enum bootnext_form form;
	const char *path;
	struct bootnext_file *ret;
	struct buf title; /* of what follows */
	int r;
};

static struct bootnext_entry *add_entry(struct parser *p)
{
	struct bootnext_entry *items = reallocarray(p->ret->items, p->ret->n + 1, sizeof(*items)),
			      *e;

	if (!items) {
		p->r = -ENOMEM;
		return NULL;
	}
	p->ret->items = items;
	e = &items[p->ret->n++];
	*e = (struct bootnext_entry){ .path = strdup(p->path),
				      .name = strdup(buf_text(&p->title)),
				      .kernel = strdup("") };
	e->is_rescue = strcasestr(buf_text(&p->title), "rescue") ||
		       strcasestr(buf_text(&p->title), "recovery");
	if (!e->path || !e->name || !e->kernel)
		p->r = -ENOMEM;
	return p->r == 0 ? e : NULL;
}

static void add_words(struct parser *p, struct bootnext_entry *e, const char *text)
{
	AUTO_BUF struct buf word = { 0 };

	while (p->r == 0 && cmdline_next_word(&text, &word)) {
		const char *w = buf_text(&word);

		if (bootnext_form_is_rescue(w))
			e->is_rescue = true;
		else
			p->r = strv_add(&e->words, w);
	}
	if (buf_error(&word) < 0)
		p->r = -ENOMEM;
}

static void set_kernel(struct parser *p, struct bootnext_entry *e, const char *word, size_t len)
{
	free(e->kernel);
	e->kernel = strndup(word, len);
	if (!e->kernel)
		p->r = -ENOMEM;
}

/* Of files with one entry each, or labels, the one that is being read. */
static struct bootnext_entry *current(struct parser *p)
{
	return p->ret->n > 0 ? &p->ret->items[p->ret->n - 1] : add_entry(p);
}

/* In grub.cfg each is an entry; elsewhere it is a part of one. */
static void take_kernel(struct parser *p, const char *rest)
{
	struct bootnext_entry *e = p->form == BOOTNEXT_GRUB ? add_entry(p) : current(p);
	const char *word;
	size_t len;

	if (!e || !parse_word(&rest, &word, &len))
		return;
	set_kernel(p, e, word, len);
	if (p->r == 0)
		add_words(p, e, rest);
}

static void take_words(struct parser *p, const char *rest)
{
	struct bootnext_entry *e = current(p);

	if (e)
		add_words(p, e, rest);
}

static void set_variable(struct parser *p, const char *name, const char *value)
{
	if (strv_add(&p->ret->names, name) < 0 || strv_add(&p->ret->values, value) < 0)
		p->r = -ENOMEM;
}

static void take_title(struct parser *p, const char *rest)
{
	buf_clear(&p->title);
	bootnext_form_unquote(rest, &p->title);
	if (!bootnext_form_variable(p->ret, BOOTNEXT_FIRST))
		set_variable(p, BOOTNEXT_FIRST, buf_text(&p->title));
	if (p->form == BOOTNEXT_EXTLINUX)
		(void)add_entry(p);
	/* That of loader/entries has its name from its file, and is the only one in it. */
	if (p->form == BOOTNEXT_ENTRY && strcasestr(rest, "rescue") && current(p))
		current(p)->is_rescue = true;
}

static void take_variable(struct parser *p, const char *rest)
{
	AUTO_BUF struct buf name = { 0 }, value = { 0 };
	size_t n = strcspn(rest, "=");

	if (!rest[n])
		return;
	buf_append(&name, rest, n);
	bootnext_form_unquote(rest + n + 1, &value);
	if (buf_error(&name) < 0 || buf_error(&value) < 0)
		p->r = -ENOMEM;
	else
		set_variable(p, buf_text(&name), buf_text(&value));
}

/* In which the first entry is not the first of the menu. */
static void take_submenu(struct parser *p, const char *rest)
{
	(void)rest;
	if (!bootnext_form_variable(p->ret, BOOTNEXT_FIRST))
		set_variable(p, BOOTNEXT_FIRST, "");
}

static void take_bls(struct parser *p, const char *rest)
{
	(void)rest;
	p->ret->has_bls = true;
}

/* Of these is known that they set no command line and choose no entry. */
static bool is_harmless_file(const char *name)
{
	static const char *const names[] = { "user.cfg", "bootuuid.cfg", "console.cfg",
					     "grub-snapshot.cfg" };

	return PARSE_IS_ONE_OF(name, names);
}

/* Another file takes its place here; what stands in it may be the first of the menu. */
static void take_source(struct parser *p, const char *rest)
{
	AUTO_BUF struct buf path = { 0 };
	const char *name;

	bootnext_form_unquote(rest, &path);
	name = parse_base_name(buf_text(&path));
	if (is_harmless_file(name))
		return;
	if (strcmp(name, BOOTNEXT_CUSTOM) == 0)
		p->ret->has_custom = true;
	else
		p->ret->has_source = true;
	if (!bootnext_form_variable(p->ret, BOOTNEXT_FIRST))
		set_variable(p, BOOTNEXT_FIRST, "");
	if (buf_error(&path) < 0)
		p->r = -ENOMEM;
}

/* What it starts is the hypervisor, and its lines are others. */
static void take_hypervisor(struct parser *p, const char *rest)
{
	struct bootnext_entry *e = add_entry(p);

	(void)rest;
	if (e)
		e->is_unsure = true;
}

static void take_default(struct parser *p, const char *rest)
{
	AUTO_BUF struct buf text = { 0 };

	if (p->form != BOOTNEXT_EXTLINUX)
		return;
	buf_printf(&text, "default=%s", rest);
	if (buf_error(&text) < 0)
		p->r = -ENOMEM;
	else
		take_variable(p, buf_text(&text));
}

static const struct {
	const char *word;
	void (*take)(struct parser *p, const char *rest);
} takers[] = {
	{ .word = "linux", .take = take_kernel },
	{ .word = "linuxefi", .take = take_kernel },
	{ .word = "linux16", .take = take_kernel },
	{ .word = "kernel", .take = take_kernel },
	{ .word = "options", .take = take_words },
	{ .word = "append", .take = take_words },
	{ .word = "menuentry", .take = take_title },
	{ .word = "submenu", .take = take_submenu },
	{ .word = "title", .take = take_title },
	{ .word = "label", .take = take_title },
	{ .word = "set", .take = take_variable },
	{ .word = "blscfg", .take = take_bls },
	{ .word = "source", .take = take_source },
	{ .word = ".", .take = take_source },
	{ .word = "multiboot", .take = take_hypervisor },
	{ .word = "multiboot2", .take = take_hypervisor },
	{ .word = "xen_hypervisor", .take = take_hypervisor },
	{ .word = "default", .take = take_default },
};

static void take_line(struct parser *p, const char *line)
{
	const char *rest = line, *word;
	size_t len;

	if (p->form == BOOTNEXT_PLAIN)
		return take_words(p, line);
	if (p->form == BOOTNEXT_ENV)
		return take_variable(p, line);
	if (!parse_word(&rest, &word, &len))
		return;
	rest += strspn(rest, " \t");
	for (size_t i = 0; i < ARRAY_SIZE(takers); i++)
		if (strlen(takers[i].word) == len && strncasecmp(takers[i].word, word, len) == 0)
			return takers[i].take(p, rest);
}

int bootnext_parse(enum bootnext_form form, const char *path, const char *text,
		   struct bootnext_file *ret)
{
	struct parser p = { .form = form, .path = path, .ret = ret };
	AUTO_BUF struct buf kept = { 0 };
	const char *cursor, *line;
	size_t len;

	bootnext_sieve(form, text, strlen(text), &kept);
	cursor = buf_text(&kept);
	if (form == BOOTNEXT_ENTRY) {
		buf_puts(&p.title, parse_base_name(path));
		(void)add_entry(&p);
	}
	while (p.r == 0 && parse_line(&cursor, &line, &len)) {
		AUTO_FREE char *copy = strndup(line, len);

		if (!copy)
			p.r = -ENOMEM;
		else
			take_line(&p, copy);
	}
	if (buf_error(&kept) < 0 || buf_error(&p.title) < 0)
		p.r = -ENOMEM;
	buf_done(&p.title);
	return p.r;
}

void bootnext_file_done(struct bootnext_file *f)
{
	struct bootnext b = { .items = f->items, .n = f->n };

	bootnext_done(&b);
	strv_done(&f->names);
	strv_done(&f->values);
	*f = (struct bootnext_file){ 0 };
}

const char *bootnext_form_variable(const struct bootnext_file *f, const char *name)
{
	for (size_t i = f->names.n; i-- > 0;)
		if (strcmp(f->names.items[i], name) == 0)
			return f->values.items[i];
	return NULL;
}

/* That of "$name" or "${name}" and nothing else; false for any other word with a variable. */
static bool variable_name(const char *word, struct buf *ret)
{
	bool braced = word[1] == '{';
	const char *start = word + 1 + braced;
	size_t n = strspn(start, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	buf_append(ret, start, n);
	return word[0] == '$' && n > 0 && strcmp(start + n, braced ? "}" : "") == 0;
}

/* Variables that hold no word that matters, where they are not set to one (Ubuntu, SUSE). */
static bool is_harmless(const char *name)
{
	return strcmp(name, "vt_handoff") == 0 || strcmp(name, "extra_cmdline") == 0 ||
	       strcmp(name, "tuned_params") == 0 || strcmp(name, "tuned_initrd") == 0;
}

static int expand_word(struct bootnext_entry *e, const char *word,
		       const struct bootnext_file *const *files, size_t n, struct strv *ret)
{
	AUTO_BUF struct buf name = { 0 };
	struct parser into = { 0 };
	struct bootnext_entry values = { 0 };
	const char *value = NULL;
	bool is_name;

	if (!strchr(word, '$'))
		return strv_add(ret, word);
	is_name = variable_name(word, &name);
	for (size_t i = 0; is_name && !value && i < n; i++)
		value = bootnext_form_variable(files[i], buf_text(&name));
	if (!value) {
		e->is_unsure = e->is_unsure || !is_name || !is_harmless(buf_text(&name));
		return buf_error(&name);
	}
	add_words(&into, &values, value);
	for (size_t i = 0; into.r == 0 && i < values.words.n; i++) {
		if (strchr(values.words.items[i], '$'))
			e->is_unsure = true;
		else
			into.r = strv_add(ret, values.words.items[i]);
	}
	strv_done(&values.words);
	return into.r;
}

int bootnext_form_expand(struct bootnext_entry *e, const struct bootnext_file *const *files,
			 size_t n)
{
	struct strv words = { 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < e->words.n; i++)
		r = expand_word(e, e->words.items[i], files, n, &words);
	strv_done(&e->words);
	e->words = words;
	return r;
}
