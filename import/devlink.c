/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "devlink dev info" prints, for a person or (-j) for a program. */
#include "import_impl.h"

#include <sriovctl/buf.h>
#include <sriovctl/json.h>

#include <errno.h>
#include <string.h>

static const char *const groups[] = { "fixed", "running", "stored" };
static const char *const words[] = { "driver", "serial_number", "board.serial_number" };

/* The answer about one device, as captures have it (sriovctl/devinfo.h). */
struct answer {
	struct import *i;
	const struct import_text *source;
	bool has_commands;  /* what is asked again is answered anew */
	struct function *f; /* NULL: of none that is on PCI */
	struct buf text;
	const char *group; /* one of @groups, or NULL */
	size_t n;
};

static void begin(struct answer *a, const char *handle)
{
	const char *at = text_after(handle, "pci/");
	struct bdf bdf;

	buf_clear(&a->text);
	a->group = NULL;
	a->f = NULL;
	if (at && text_bdf(&at, &bdf) && (*at == ':' || *at == '\0'))
		a->f = functions_get(&a->i->functions, &bdf);
}

static void end(struct answer *a)
{
	if (a->f && a->text.len > 0 && buf_error(&a->text) == 0) {
		const struct host_make_claim c = { .source = a->source->number,
						   .is_in_order = a->has_commands,
						   .data = buf_text(&a->text),
						   .len = a->text.len };

		if (!host_make_claim(a->i->make, &c, HOST_MAKE_ANSWERS "/devinfo/pci.%s",
				     a->f->name))
			import_dispute(a->i, "devlink dev info of %s: two answers differ",
				       a->f->name);
		a->n++;
	}
	import_note(a->i, &a->text);
	a->f = NULL;
}

static void keep_word(struct answer *a, const char *word, const char *value, size_t len)
{
	AUTO_BUF struct buf copy = { 0 };

	buf_append(&copy, value, len);
	buf_rtrim(&copy);
	import_note(a->i, &copy);
	if (copy.len == 0)
		return;
	buf_printf(&a->text, "%s %s\n", word, buf_text(&copy));
	if (strcmp(word, "driver") == 0)
		function_set_driver(&a->i->functions, a->f, buf_text(&copy));
}

/* --- for a person --------------------------------------------------------------------------- */

/* "driver ice", and of older tools "driver ice serial_number 00-..." in one line. */
static bool take_words(struct answer *a, const char *line)
{
	bool any = false;

	for (size_t k = 0; k < ARRAY_SIZE(words); k++) {
		const char *value = text_after(line, words[k]), *more;

		if (!value || *value != ' ')
			continue;
		value = text_skip_blanks(value);
		more = strstr(value, "serial_number ");
		if (more && more > value)
			(void)take_words(a, strncmp(more - strlen("board."), "board.", 6) == 0
						    ? more - strlen("board.")
						    : more);
		keep_word(a, words[k], value, more ? strcspn(value, " ") : strlen(value));
		any = true;
	}
	return any;
}

static const char *group_of(const char *line)
{
	for (size_t k = 0; k < ARRAY_SIZE(groups); k++) {
		const char *p = text_after(line, groups[k]);

		if (p && strcmp(p, ":") == 0)
			return groups[k];
	}
	return NULL;
}

/* False: it is no line of such an answer. */
static bool take_line(struct answer *a, const char *line)
{
	const char *group = group_of(line);

	if (group)
		a->group = group;
	else if (a->group)
		buf_printf(&a->text, "%s %s\n", a->group, line);
	else if (strcmp(line, "versions:") != 0)
		return take_words(a, line);
	return true;
}

/* More of it may have stood where the text goes on with something else, or not at all. */
static void end_early(struct answer *a)
{
	if (a->f && a->text.len > 0)
		buf_puts(&a->text, "cut\n");
	end(a);
}

/* Another answer, or a prompt, is behind all of it. */
static bool follows(const char *line)
{
	size_t len = strlen(line);

	return shell_command(line) || strchr(line, '/') || (len > 0 && strchr("#$", line[len - 1]));
}

static void take_text(struct answer *a, const char *text)
{
	AUTO_BUF struct buf line = { 0 };

	while (text_line(&text, &line)) {
		const char *l = buf_text(&line);

		if (!text_is_indented(l)) {
			if (follows(l))
				end(a);
			else
				end_early(a);
			a->has_commands = a->has_commands || shell_command(l);
			begin(a, l);
		} else if (a->f && !take_line(a, text_skip_blanks(l))) {
			a->f = NULL;
		}
	}
	/* Under its own name a report has what the command printed, to its end. */
	if (strstr(a->source->name, "devlink_dev_info"))
		end(a);
	else
		end_early(a);
	import_note(a->i, &line);
}

/* --- for a program -------------------------------------------------------------------------- */

/* The object that begins at @text; 0: it does not end. */
static size_t object_length(const char *text)
{
	bool is_quoted = false;
	unsigned depth = 0;

	for (size_t n = 0; text[n]; n++) {
		if (is_quoted && text[n] == '\\' && text[n + 1])
			n++;
		else if (text[n] == '"')
			is_quoted = !is_quoted;
		else if (!is_quoted && text[n] == '{')
			depth++;
		else if (!is_quoted && text[n] == '}' && --depth == 0)
			return n + 1;
	}
	return 0;
}

static void put_json(struct answer *a, const char *before, const char *name, const struct json *j)
{
	const char *value = json_text(j);

	if (value && !strpbrk(value, "\n\r"))
		buf_printf(&a->text, "%s%s %s\n", before, name, value);
}

static void take_versions(struct answer *a, const struct json *versions)
{
	for (size_t k = 0; k < ARRAY_SIZE(groups); k++) {
		const struct json *it;

		JSON_EACH(it, json_get(versions, groups[k]))
		{
			AUTO_BUF struct buf before = { 0 };

			buf_printf(&before, "%s ", groups[k]);
			import_note(a->i, &before);
			if (json_key(it) && !strpbrk(json_key(it), " \n\r"))
				put_json(a, buf_text(&before), json_key(it), it);
		}
	}
}

static void take_device(struct answer *a, const struct json *device)
{
	const char *driver = json_text(json_get(device, "driver"));

	begin(a, json_key(device) ? json_key(device) : "");
	if (!a->f)
		return;
	if (driver)
		function_set_driver(&a->i->functions, a->f, driver);
	for (size_t k = 0; k < ARRAY_SIZE(words); k++)
		put_json(a, "", words[k], json_get(device, words[k]));
	take_versions(a, json_get(device, "versions"));
	end(a);
}

/* So many beginnings are looked at, each as far as the text goes. */
#define JSON_TRIES 64

static void take_json(struct answer *a, const char *text)
{
	const char *p = text;
	unsigned tries = 0;

	while (tries < JSON_TRIES && (p = strchr(p, '{'))) {
		AUTO_JSON struct json *j = NULL;
		const struct json *it;
		bool is_info = text_after(p + 1 + strspn(p + 1, " \t\r\n"), "\"info\"");
		size_t len = is_info ? object_length(p) : 0;
		int r = len > 0 ? json_parse(p, len, &j, NULL) : 0;

		if (r == -ENOMEM)
			a->i->error = r;
		if (r == 0 && j)
			JSON_EACH(it, json_get(j, "info"))
		take_device(a, it);
		tries += is_info;
		p += len > 0 ? len : 1;
	}
}

size_t devlink_take(struct import *i, const struct import_text *t)
{
	struct answer a = { .i = i, .source = t };

	take_text(&a, t->data);
	/* Not in the order of the text any more. */
	a.has_commands = false;
	take_json(&a, t->data);
	buf_done(&a.text);
	return a.n;
}
