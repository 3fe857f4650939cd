/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bootlog.h"

#include <sriovctl/bundle.h>

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The stamp, host and process of syslog before "kernel: ". */
#define SYSLOG_MAX 100
/* A mailer breaks lines of some 72 columns. */
#define BROKEN_FROM 65
/* The kernel cuts the echo of a longer command line (kernel/printk, LOG_LINE_MAX). */
#define ECHO_MAX 900
#define SECOND	 1.0

/* --- stamps ------------------------------------------------------------------------------------
 */

/* "[    0.123456] ", "[T1] " behind it, "[Mon Nov 30 08:00:00 2020] "; the end, or NULL. */
static const char *skip_stamp(const char *text, double *ret)
{
	const char *p = text_after(text, "["), *end = p ? strchr(p, ']') : NULL;
	uint64_t seconds, fraction;

	if (!end || end - p > 30)
		return NULL;
	p = text_skip_blanks(p);
	if (*p == '+' || (end[-3] == ':' && isdigit((unsigned char)end[-1]))) {
		/* dmesg -H: "[Feb26 10:50] ", and then how much later each is. */
	} else if (text_decimal(&p, &seconds) && *p == '.' && (p++, true) &&
		   text_decimal(&p, &fraction) && p == end) {
		*ret = (double)seconds + (double)fraction / 1e6;
	} else if (end - text < 20 || end[-5] != ' ' || !isdigit((unsigned char)end[-1])) {
		return NULL;
	}
	p = end + 1;
	/* The caller's id (CONFIG_PRINTK_CALLER). */
	if (*p == '[' && (end = strchr(p, ']')) && end - p < 12)
		p = end + 1;
	return text_skip_blanks(p);
}

static const char *skip_level(const char *text)
{
	const char *p = text;

	if (*p != '<')
		return text;
	p++;
	while (isdigit((unsigned char)*p))
		p++;
	return *p == '>' ? p + 1 : text;
}

bool bootlog_device(const char *message, struct bdf *at, size_t *ret_driver, const char **ret_text)
{
	size_t len = strcspn(message, " :");
	const char *p = message + len;

	if (len == 0 || *p != ' ' || len > 64)
		return false;
	p++;
	/* The kernel always prints the domain. */
	if (strcspn(p, ":") < 4 || !text_bdf(&p, at) || (*p != ':' && *p != ' '))
		return false;
	*ret_driver = len;
	*ret_text = p;
	return true;
}

static const char *message_at(const char *line, double *ret_time)
{
	const char *text = skip_level(text_skip_blanks(line)), *p, *kernel, *rest;
	struct bdf at;
	size_t len;

	*ret_time = -1;
	p = skip_stamp(text, ret_time);
	/* journalctl -o short-monotonic has the host behind the stamp. */
	rest = p ? text_after(p + strcspn(p, " "), " kernel: ") : NULL;
	if (p)
		return rest ? rest : p;
	kernel = strstr(text, "kernel: ");
	if (kernel && kernel - text < SYSLOG_MAX) {
		kernel += strlen("kernel: ");
		p = skip_stamp(kernel, ret_time);
		return p ? p : kernel;
	}
	/* Without any stamp what a driver says of a function is all that is sure. */
	if (bootlog_device(text, &at, &len, &rest) && (*rest == ':' || strchr(rest, ':')))
		return text;
	return NULL;
}

const char *bootlog_message(const char *line)
{
	double time;

	return message_at(line, &time);
}

/* --- the last boot
 * -------------------------------------------------------------------------------- */

struct reading {
	struct bootlog *l;
	struct buf message; /* so far: a mailer may have broken it */
	double time;
	size_t before; /* the length of the line before */
	bool has_stamps;
};

static void start_again(struct bootlog *l)
{
	buf_clear(&l->text);
	free(TAKE(l->cmdline));
	l->n = 0;
}

/* "Command line: ", "Kernel command line: ": what was asked for, which proves nothing. */
static bool take_echo(struct bootlog *l, const char *message)
{
	const char *echo = text_after(message, "Command line: ");

	if (!echo)
		echo = text_after(message, "Kernel command line: ");
	if (!echo)
		return text_after(message, "Command line:") ||
		       text_after(message, "Kernel command line:");
	if (!l->cmdline && strlen(echo) < ECHO_MAX) {
		l->cmdline = strdup(echo);
		if (!l->cmdline)
			l->i->error = -ENOMEM;
	}
	return true;
}

/* The message is whole. */
static void flush(struct reading *rd)
{
	struct bootlog *l = rd->l;
	const char *message = buf_text(&rd->message);

	if (rd->message.len == 0)
		return;
	if (text_after(message, "Linux version ") ||
	    text_after(message, "Booting Linux on physical CPU")) {
		if (l->n > 1)
			start_again(l);
		l->has_start = true;
	}
	l->n++;
	if (!take_echo(l, message))
		buf_printf(&l->text, "%s\n", message);
	buf_clear(&rd->message);
}

static void take_line(struct reading *rd, const char *line)
{
	double time;
	const char *message = message_at(line, &time);

	if (text_after(line, "-- Reboot --") || text_after(line, "-- Boot ")) {
		flush(rd);
		start_again(rd->l);
		rd->l->has_start = false;
	} else if (message) {
		flush(rd);
		/* The clock began anew. */
		if (time >= 0 && time < SECOND && rd->time > time + SECOND && rd->l->n > 0) {
			start_again(rd->l);
			rd->l->has_start = false;
		}
		rd->time = time >= 0 ? time : rd->time;
		rd->has_stamps = rd->has_stamps || time >= 0;
		buf_puts(&rd->message, message);
	} else if (*line && rd->has_stamps && rd->message.len > 0 &&
		   rd->before + 1 + strcspn(line, " ") >= BROKEN_FROM) {
		buf_printf(&rd->message, " %s", text_skip_blanks(line));
	} else {
		flush(rd);
	}
}

void bootlog_read(struct bootlog *l, const char *text)
{
	struct reading rd = { .l = l, .time = -1 };
	AUTO_BUF struct buf line = { 0 };

	while (text_line(&text, &line)) {
		take_line(&rd, buf_text(&line));
		rd.before = line.len;
	}
	flush(&rd);
	if (buf_error(&line) < 0 || buf_error(&rd.message) < 0 || buf_error(&l->text) < 0)
		l->i->error = -ENOMEM;
	buf_done(&rd.message);
}

void bootlog_done(struct bootlog *l)
{
	buf_done(&l->text);
	free(l->cmdline);
}

/* One boot, with its beginning first; what has another beginning is another boot. */
static void keep(struct import *i, const struct bootlog *l)
{
	AUTO_BUF struct buf older = i->log;
	bool has_start = i->log_has_start;

	i->log = (struct buf){ 0 };
	if (l->has_start && !has_start) {
		buf_append(&i->log, l->text.data, l->text.len);
		if (older.len + l->text.len <= BUNDLE_CONTENT_MAX)
			buf_append(&i->log, older.data, older.len);
	} else {
		buf_append(&i->log, older.data, older.len);
		/* As long as one text may be. */
		if (!l->has_start && older.len + l->text.len <= BUNDLE_CONTENT_MAX)
			buf_append(&i->log, l->text.data, l->text.len);
	}
	i->log_has_start = has_start || l->has_start;
}

size_t bootlog_take(struct import *i, const struct import_text *t)
{
	struct bootlog l = { .i = i };
	size_t n;

	if (journal_is_export(t->data))
		return 0;
	bootlog_read(&l, t->data);
	n = l.n;
	if (n > 0 && i->error == 0) {
		bootlog_take_host(&l);
		bootlog_take_functions(&l);
		keep(i, &l);
	}
	bootlog_done(&l);
	return n;
}

void bootlog_put(struct import *i)
{
	if (buf_error(&i->log) < 0)
		i->error = -ENOMEM;
	else if (i->log.len > 0)
		host_make_file(i->make, i->log.data, i->log.len, "/var/log/dmesg");
}
