/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ethtool prints with -i.  There is no name in it: that is in the command before, or in the
 * file's name, and one command has one answer.  What cannot be an answer of this interface, by
 * its address or by another answer, is nobody's.
 */
#include "import_impl.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <string.h>

#define NAME_MAX_LEN 64

struct driver {
	struct import *i;
	const struct import_text *text;
	struct buf name, driver, version, firmware, bus;
	bool is_open;	   /* its first line was seen, and no end */
	bool has_commands; /* what is asked again is answered anew */
	size_t n;
};

static void keep(struct buf *ret, const char *line, const char *key)
{
	const char *value = text_after(line, key);

	if (value && ret->len == 0)
		buf_puts(ret, text_skip_blanks(value));
}

/* "ethtool -i eno1", in a prompt's line; sosreports have "ethtool_-i_eno1" as a file's name. */
static bool find_name(const char *text, const char *command, struct buf *ret)
{
	const char *p = text_behind(text, command);
	size_t len = p ? strcspn(p, " \t;|&'\"/:)`") : 0;

	if (!p)
		return false;
	buf_clear(ret);
	/* Of several in a row one may have had no answer; a variable is any of many. */
	if (len > 0 && len <= NAME_MAX_LEN && !text_behind(p, command) && !memchr(p, '$', len))
		buf_append(ret, p, len);
	return true;
}

static void forget(struct driver *d)
{
	buf_clear(&d->name);
	buf_clear(&d->driver);
	buf_clear(&d->bus);
	buf_clear(&d->firmware);
	buf_clear(&d->version);
	d->is_open = false;
}

static void put(struct driver *d, struct function *f)
{
	AUTO_BUF struct buf answer = { 0 };
	struct host_make_claim c;
	struct import *i = d->i;

	functions_keep(&i->functions, &f->netdev, buf_text(&d->name), d->name.len);
	buf_printf(&answer, "firmware %s\nbus %s\ndriver %s\nversion %s\n", buf_text(&d->firmware),
		   buf_text(&d->bus), buf_text(&d->driver), buf_text(&d->version));
	import_note(i, &answer);
	c = (struct host_make_claim){ .source = d->text->number,
				      .is_in_order = d->has_commands,
				      .data = buf_text(&answer),
				      .len = answer.len };
	if (!host_make_claim(i->make, &c, HOST_MAKE_ANSWERS "/drvinfo/%s", buf_text(&d->name)))
		import_dispute(i, "ethtool -i %s: two answers differ", buf_text(&d->name));
}

/* Does the interface have this name by another function's address? */
static bool is_of_another(const struct driver *d, const struct bdf *at)
{
	struct bdf own;

	return text_interface_bdf(buf_text(&d->name), &own) &&
	       (own.domain != at->domain || own.bus != at->bus || own.device != at->device ||
		own.function != at->function);
}

static void finish(struct driver *d)
{
	const char *at = buf_text(&d->bus);
	struct function *f = NULL;
	struct bdf bdf;

	if (d->driver.len > 0 && text_bdf(&at, &bdf) && *at == '\0')
		f = functions_get(&d->i->functions, &bdf);
	if (f) {
		function_set_driver(&d->i->functions, f, buf_text(&d->driver));
		if (d->name.len > 0 && is_of_another(d, &bdf))
			import_dispute(d->i, "ethtool -i %s: the answer is of %s",
				       buf_text(&d->name), f->name);
		else if (d->name.len > 0)
			put(d, f);
		d->n++;
	}
	forget(d);
}

/* Is it a line of an answer that has begun? */
static bool belongs(const char *line)
{
	static const char *const keys[] = { "driver:",	 "version:",  "firmware-version:",
					    "bus-info:", "supports-", "expansion-rom-version:" };

	for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
		if (text_after(line, keys[k]))
			return true;
	return false;
}

static void take_line(struct driver *d, const char *line)
{
	if (text_after(line, "driver:")) {
		if (d->is_open)
			finish(d);
		d->is_open = true;
	} else if (d->is_open && !belongs(line)) {
		finish(d);
	}
	if (find_name(line, "ethtool -i ", &d->name))
		d->has_commands = true;
	else if (shell_command(line) || text_after(line, "Cannot get driver information"))
		buf_clear(&d->name);
	if (!d->is_open)
		return;
	keep(&d->driver, line, "driver:");
	keep(&d->version, line, "version:");
	keep(&d->firmware, line, "firmware-version:");
	keep(&d->bus, line, "bus-info:");
}

size_t ethtool_take_driver(struct import *i, const struct import_text *t)
{
	struct driver d = { .i = i, .text = t };
	AUTO_BUF struct buf line = { 0 };
	const char *text = t->data;

	(void)find_name(t->name, "ethtool_-i_", &d.name);
	while (text_line(&text, &line))
		take_line(&d, buf_text(&line));
	finish(&d);
	import_note(i, &line);
	import_note(i, &d.firmware);
	import_note(i, &d.version);
	import_note(i, &d.name);
	import_note(i, &d.driver);
	import_note(i, &d.bus);
	buf_done(&d.name);
	buf_done(&d.driver);
	buf_done(&d.firmware);
	buf_done(&d.version);
	buf_done(&d.bus);
	return d.n;
}
