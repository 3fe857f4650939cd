/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bootlog.h"

#include <sriovctl/bundle.h>
#include <sriovctl/klog.h>

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
	if (*p == '+' || (end - p > 3 && end[-3] == ':' && isdigit((unsigned char)end[-1]))) {
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

/* "Nov 30 10:00:00 host kernel: text": what a process says in its own name is not the kernel's. */
static const char *skip_syslog(const char *text, struct bootlog_stamp *ret)
{
	const char *kernel = strstr(text, "kernel: "), *tag = strstr(text, ": "), *host;

	if (!kernel || kernel - text >= SYSLOG_MAX || tag < kernel ||
	    (kernel > text && kernel[-1] != ' '))
		return NULL;
	host = kernel > text ? kernel - 1 : text;
	while (host > text && host[-1] != ' ')
		host--;
	/* Without a host it is the time. */
	if (host < kernel && !memchr(host, ':', (size_t)(kernel - host))) {
		ret->host = host;
		ret->host_len = (size_t)(kernel - host) - 1;
	}
	return kernel + strlen("kernel: ");
}

const char *bootlog_stamp(const char *line, struct bootlog_stamp *ret)
{
	const char *text = skip_level(text_skip_blanks(line)), *p, *rest;
	struct bdf at;
	size_t len;

	*ret = (struct bootlog_stamp){ .time = -1 };
	p = skip_stamp(text, &ret->time);
	/* journalctl -o short-monotonic has the host behind the stamp. */
	len = p ? strcspn(p, " ") : 0;
	rest = p ? text_after(p + len, " kernel: ") : NULL;
	if (rest) {
		ret->host = p;
		ret->host_len = len;
	}
	if (p)
		return rest ? rest : p;
	rest = skip_syslog(text, ret);
	if (rest) {
		p = skip_stamp(rest, &ret->time);
		return p ? p : rest;
	}
	/* Without any stamp what a driver says of a function is all that is sure. */
	if (bootlog_device(text, &at, &len, &rest) && (*rest == ':' || strchr(rest, ':')))
		return text;
	return NULL;
}

const char *bootlog_message(const char *line)
{
	struct bootlog_stamp stamp;

	return bootlog_stamp(line, &stamp);
}

/* --- the last boot --------------------------------------------------------------------- */

struct reading {
	struct bootlog *l;
	struct buf message; /* so far: a mailer may have broken it */
	double time;
	size_t before; /* the length of the line before */
	bool has_stamps;
	struct buf host;  /* whose log it is; empty: not known yet */
	bool has_version; /* its first message was seen */
	bool has_others, is_of_two;
	size_t width;	 /* where a terminal broke or cut the lines; 0: it did not */
	bool is_broken;	 /* it broke them, and cut none */
	bool is_full;	 /* the last line of the message is as wide */
	bool left_out;	 /* something before the message that comes next */
	double wall;	 /* of the message, as bootlog_wall_time() */
	unsigned echoes; /* of the command line that this boot has had */
	bool has_ended;
};

static void start_again(struct bootlog *l)
{
	buf_clear(&l->text);
	free(TAKE(l->cmdline));
	l->n = 0;
	l->has_gap = false;
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

/* Another boot, of which the beginning was not logged, or not yet. */
static void begin_boot(struct reading *rd)
{
	start_again(rd->l);
	rd->l->has_start = false;
	rd->echoes = 0;
	rd->has_ended = false;
}

static bool ends_boot(const char *message)
{
	static const char *const ends[] = { "kexec_core: Starting new kernel",
					    "kexec: Starting new kernel",
					    "reboot: Restarting system",
					    "reboot: machine restart",
					    "reboot: Power down",
					    "reboot: System halted" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (text_after(message, ends[i]))
			return true;
	return false;
}

/* Each of both is printed once in a boot. */
static unsigned echo_of(const char *message)
{
	if (text_after(message, "Command line:"))
		return 1;
	return text_after(message, "Kernel command line:") ? 2 : 0;
}

/* No line of the message comes any more; what was cut in it is not taken. */
static void flush(struct reading *rd)
{
	struct bootlog *l = rd->l;
	const char *message = buf_text(&rd->message);
	bool is_cut;

	if (rd->message.len == 0)
		return;
	if (rd->has_ended || (rd->echoes & echo_of(message)))
		begin_boot(rd);
	rd->echoes |= echo_of(message);
	rd->has_ended = ends_boot(message);
	if (text_after(message, "Linux version ") ||
	    text_after(message, "Booting Linux on physical CPU")) {
		if (l->n > 1)
			begin_boot(rd);
		l->has_start = true;
		l->wall = rd->wall;
		rd->left_out = false;
	}
	l->n++;
	is_cut = rd->is_full && !rd->is_broken;
	if (rd->left_out)
		buf_puts(&l->text, KLOG_GAP "\n");
	l->has_gap = l->has_gap || rd->left_out || is_cut;
	rd->left_out = false;
	if (is_cut)
		buf_puts(&l->text, KLOG_GAP "\n");
	else if (!take_echo(l, message))
		buf_printf(&l->text, "%s\n", message);
	buf_clear(&rd->message);
}

/* What hosts are called before they know their name. */
static bool is_nameless(const struct bootlog_stamp *s)
{
	return s->host_len == 0 || text_after(s->host, "localhost") ||
	       text_after(s->host, "(none)");
}

/* Is the message of the host that the log is of?  That is the one whose kernel says that it is. */
static bool is_own(struct reading *rd, const struct bootlog_stamp *s, const char *message)
{
	bool is_version = text_after(message, "Linux version ") != NULL;

	if (is_nameless(s))
		return true;
	if (rd->host.len == s->host_len && memcmp(buf_text(&rd->host), s->host, s->host_len) == 0) {
		rd->has_version = rd->has_version || is_version;
		return true;
	}
	if (rd->host.len > 0) {
		rd->has_others = true;
		rd->is_of_two = rd->is_of_two || (is_version && rd->has_version);
		if (!is_version || rd->has_version)
			return false;
		flush(rd);
		start_again(rd->l);
	}
	rd->has_version = is_version;
	buf_clear(&rd->host);
	buf_append(&rd->host, s->host, s->host_len);
	return true;
}

static void take_line(struct reading *rd, const char *line)
{
	struct bootlog_stamp stamp;
	const char *message = bootlog_stamp(line, &stamp);
	const double time = stamp.time;

	if (message && !is_own(rd, &stamp, message)) {
		flush(rd);
		return;
	}

	if (text_after(line, "-- Reboot --") || text_after(line, "-- Boot ")) {
		flush(rd);
		begin_boot(rd);
	} else if (message) {
		flush(rd);
		/* The clock began anew. */
		if (time >= 0 && time < SECOND && rd->time > time + SECOND && rd->l->n > 0)
			begin_boot(rd);
		rd->time = time >= 0 ? time : rd->time;
		rd->wall = bootlog_wall_time(line);
		rd->has_stamps = rd->has_stamps || time >= 0;
		buf_puts(&rd->message, message);
		rd->is_full = rd->width && strlen(line) == rd->width;
	} else if (text_is_gap(line)) {
		flush(rd);
		rd->left_out = rd->l->n > 0;
	} else if (*line && rd->is_full && rd->message.len > 0) {
		buf_puts(&rd->message, line);
		rd->is_full = strlen(line) == rd->width;
	} else if (*line && rd->has_stamps && rd->message.len > 0 &&
		   rd->before + 1 + strcspn(line, " ") >= BROKEN_FROM) {
		buf_printf(&rd->message, " %s", text_skip_blanks(line));
	} else {
		flush(rd);
	}
}

/* Does something follow a line that is as wide, and is no message by itself? */
static bool is_broken(struct import *i, const char *text, size_t width)
{
	AUTO_BUF struct buf line = { 0 };
	bool was_full = false, found = false;

	while (width > 0 && !found && text_line(&text, &line)) {
		struct bootlog_stamp stamp;
		const char *l = buf_text(&line);

		found = was_full && line.len > 0 && !text_is_gap(l) && !bootlog_stamp(l, &stamp);
		was_full = line.len == width;
	}
	import_note(i, &line);
	return found;
}

static void read_lines(struct bootlog *l, const char *text)
{
	const size_t width = text_width(text);
	struct reading rd = { .l = l,
			      .time = -1,
			      .wall = -1,
			      .width = width,
			      .is_broken = is_broken(l->i, text, width) };
	AUTO_BUF struct buf line = { 0 };

	while (text_line(&text, &line)) {
		take_line(&rd, buf_text(&line));
		rd.before = line.len;
	}
	flush(&rd);
	if (rd.is_of_two)
		start_again(l);
	if (rd.has_others)
		import_dispute(l->i, "kernel log: lines of several hosts: %s",
			       rd.is_of_two ? "nothing was taken; what they tell"
					    : "what the others tell");
	if (buf_error(&line) < 0 || buf_error(&rd.message) < 0 || buf_error(&l->text) < 0 ||
	    buf_error(&rd.host) < 0)
		l->i->error = -ENOMEM;
	buf_done(&rd.message);
	buf_done(&rd.host);
}

void bootlog_read(struct bootlog *l, const char *text)
{
	AUTO_BUF struct buf turned = { 0 };

	if (bootlog_is_backwards(l->i, text)) {
		bootlog_turn(text, &turned);
		import_note(l->i, &turned);
		text = buf_text(&turned);
	}
	read_lines(l, text);
}

void bootlog_done(struct bootlog *l)
{
	buf_done(&l->text);
	free(l->cmdline);
}

/*
 * No filter that somebody asks for leaves these lines in, which each boot has some of: what lacks
 * them was looked for.
 */
bool bootlog_is_whole(const struct bootlog *l)
{
	return l->has_start && !l->has_gap && strstr(buf_text(&l->text), " hash table entries");
}

/* Of what is not whole the beginning is no beginning. */
static void append(struct buf *ret, const struct bootlog *l)
{
	const char *text = buf_text(&l->text);
	AUTO_BUF struct buf line = { 0 };

	if (!l->has_start || bootlog_is_whole(l)) {
		buf_append(ret, text, l->text.len);
		return;
	}
	while (text_line(&text, &line))
		if (!text_after(buf_text(&line), "Linux version "))
			buf_printf(ret, "%s\n", buf_text(&line));
	if (buf_error(&line) < 0)
		ret->error = buf_error(&line);
}

/* One boot, with its beginning first; what has another beginning is another boot. */
static void keep(struct import *i, const struct bootlog *l)
{
	AUTO_BUF struct buf older = i->log;
	bool has_start = i->log_has_start;

	i->log = (struct buf){ 0 };
	if (l->has_start && !has_start) {
		append(&i->log, l);
		if (older.len > 0 && older.len + l->text.len <= BUNDLE_CONTENT_MAX)
			buf_printf(&i->log, KLOG_GAP "\n%s", buf_text(&older));
	} else {
		buf_append(&i->log, older.data, older.len);
		/* As long as one text may be. */
		if (!l->has_start && older.len + l->text.len <= BUNDLE_CONTENT_MAX) {
			if (older.len > 0)
				buf_puts(&i->log, KLOG_GAP "\n");
			append(&i->log, l);
		}
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
	if (n > 0 && i->error == 0 && bootlog_is_last(&l)) {
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
