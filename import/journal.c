/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exports of a journal ("journalctl -o export", "-o json"), as the log that the kernel wrote: its
 * own messages, with their stamps, and a mark between boots (systemd, docs/JOURNAL_EXPORT_FORMATS).
 */
#include "bootlog.h"

#include <sriovctl/error.h>
#include <sriovctl/json.h>

#include <errno.h>
#include <string.h>

#define MICROSECONDS 1000000u

/* What is wanted of a record. */
enum field {
	FIELD_MESSAGE,
	FIELD_TRANSPORT,
	FIELD_BOOT,
	FIELD_SOURCE_TIME,
	FIELD_TIME,
	FIELD_WALL_TIME,
	FIELD_HOST,
	FIELD_END
};

static const char *const names[FIELD_END] = {
	[FIELD_MESSAGE] = "MESSAGE",
	[FIELD_TRANSPORT] = "_TRANSPORT",
	[FIELD_BOOT] = "_BOOT_ID",
	[FIELD_SOURCE_TIME] = "_SOURCE_MONOTONIC_TIMESTAMP",
	[FIELD_TIME] = "__MONOTONIC_TIMESTAMP",
	[FIELD_WALL_TIME] = "__REALTIME_TIMESTAMP",
	[FIELD_HOST] = "_HOSTNAME",
};

struct record {
	struct buf fields[FIELD_END];
};

struct journal {
	struct record now;
	struct buf boot, log;
	size_t n;
	uint64_t last; /* by the clock of the wall */
	size_t ahead, back;
	/* In the boot of now: messages that no kernel prints before its first one, and that one. */
	size_t n_later;
	bool has_first;
	bool is_odd, is_odd_backwards; /* something stands before a first message, or behind it */
};

static void clear(struct record *r)
{
	for (unsigned k = 0; k < FIELD_END; k++)
		buf_clear(&r->fields[k]);
}

/* Which way time runs, and whether the first message of a kernel is where it would be. */
static void look_at_order(struct journal *j, bool is_new_boot)
{
	const char *message = buf_text(&j->now.fields[FIELD_MESSAGE]);
	const char *time = buf_text(&j->now.fields[FIELD_WALL_TIME]);
	uint64_t usec = 0;

	if (is_new_boot) {
		j->n_later = 0;
		j->has_first = false;
	}
	if (text_after(message, "Linux version ")) {
		j->has_first = true;
		j->is_odd = j->is_odd || j->n_later > 0;
	} else if (!text_after(message, "microcode") && !text_after(message, "Booting Linux")) {
		j->n_later++;
		j->is_odd_backwards = j->is_odd_backwards || j->has_first;
	}
	if (!text_decimal(&time, &usec))
		return;
	j->ahead += j->last > 0 && usec > j->last;
	j->back += j->last > 0 && usec < j->last;
	j->last = usec;
}

/* Of the kernel's own messages each has a time since its boot. */
static void finish(struct journal *j)
{
	const struct record *r = &j->now;
	const char *boot = buf_text(&r->fields[FIELD_BOOT]);
	const char *time = buf_text(&r->fields[FIELD_SOURCE_TIME]);
	uint64_t usec = 0;

	if (strcmp(buf_text(&r->fields[FIELD_TRANSPORT]), "kernel") == 0 &&
	    r->fields[FIELD_MESSAGE].len > 0) {
		const char *host = buf_text(&r->fields[FIELD_HOST]);
		bool is_new_boot = j->n > 0 && strcmp(boot, buf_text(&j->boot)) != 0;

		look_at_order(j, is_new_boot);
		if (is_new_boot)
			buf_puts(&j->log, "-- Reboot --\n");
		buf_clear(&j->boot);
		buf_puts(&j->boot, boot);
		if (*time == '\0')
			time = buf_text(&r->fields[FIELD_TIME]);
		(void)text_decimal(&time, &usec);
		buf_printf(&j->log, "[%5llu.%06llu] %s%s%s\n",
			   (unsigned long long)(usec / MICROSECONDS),
			   (unsigned long long)(usec % MICROSECONDS), host,
			   *host ? " kernel: " : "", buf_text(&r->fields[FIELD_MESSAGE]));
		j->n++;
	}
	clear(&j->now);
}

/* --- export: a field a line, an empty line behind a record ------------------------------------ */

static void take_field(struct journal *j, const char *line)
{
	for (unsigned k = 0; k < FIELD_END; k++) {
		const char *value = text_after(line, names[k]);

		if (!value || *value != '=')
			continue;
		buf_clear(&j->now.fields[k]);
		buf_puts(&j->now.fields[k], value + 1);
	}
}

/* --- json: a record a line ---------------------------------------------------------------------
 */

/* A record that is no JSON, or was cut, is none; so is a message that is no text. */
static int take_object(struct journal *j, const char *line, size_t len)
{
	AUTO_JSON struct json *object = NULL;
	int r = json_parse(line, len, &object, NULL);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (unsigned k = 0; k < FIELD_END; k++) {
		const char *text = json_text(json_get(object, names[k]));

		if (text)
			buf_puts(&j->now.fields[k], text);
	}
	finish(j);
	return 0;
}

/* --- either ------------------------------------------------------------------------------------
 */

enum form { FORM_NONE, FORM_EXPORT, FORM_JSON };

/* Each record has a cursor; the order of the fields is not said to be any. */
static enum form form_of(const char *text)
{
	size_t len;

	text += strspn(text, "\n\r ");
	len = strcspn(text, "\n");
	if (text_after(text, "__CURSOR="))
		return FORM_EXPORT;
	return text[0] == '{' && memmem(text, len, "\"__CURSOR\"", 10) ? FORM_JSON : FORM_NONE;
}

bool journal_is_export(const char *text)
{
	return form_of(text) != FORM_NONE;
}

static int read_all(struct journal *j, const char *text, enum form form)
{
	AUTO_BUF struct buf line = { 0 };
	int r = 0;

	while (r == 0 && text_line(&text, &line)) {
		if (form == FORM_JSON)
			r = take_object(j, buf_text(&line), line.len);
		else if (line.len == 0)
			finish(j);
		else
			take_field(j, buf_text(&line));
	}
	finish(j);
	return r < 0 ? r : buf_error(&line);
}

/* As if it had been read from its beginning on; of one whose order is none, nothing. */
static size_t take_log(struct import *i, const struct import_text *t, const struct journal *j,
		       import_take *take)
{
	AUTO_BUF struct buf turned = { 0 };
	const struct buf *log = &j->log;

	if (j->back > j->ahead ? j->is_odd_backwards : j->is_odd) {
		import_dispute(i,
			       "%s: a kernel's first message is not the first of its boot: the "
			       "order of this journal, and so all that it tells",
			       t->name);
		return 0;
	}
	if (j->back > j->ahead) {
		bootlog_turn(buf_text(log), &turned);
		import_note(i, &turned);
		log = &turned;
	}
	return take(i, &(struct import_text){
			       .name = t->name, .data = buf_text(log), .len = log->len });
}

static size_t take_journal(struct import *i, const struct import_text *t, import_take *take)
{
	enum form form = form_of(t->data);
	struct journal j = { 0 };
	size_t n = 0;
	int r = form == FORM_NONE ? 0 : read_all(&j, t->data, form);

	for (unsigned k = 0; k < FIELD_END; k++)
		r = r < 0 ? r : buf_error(&j.now.fields[k]);
	if (r == 0)
		r = buf_error(&j.log);
	if (r == 0)
		r = buf_error(&j.boot);
	if (r < 0)
		i->error = -ENOMEM;
	else if (j.n > 0)
		n = take_log(i, t, &j, take);
	for (unsigned k = 0; k < FIELD_END; k++)
		buf_done(&j.now.fields[k]);
	buf_done(&j.boot);
	buf_done(&j.log);
	return n;
}

size_t journal_take(struct import *i, const struct import_text *t)
{
	return take_journal(i, t, bootlog_take);
}

size_t journal_look(struct import *i, const struct import_text *t)
{
	return take_journal(i, t, bootlog_look);
}
