/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel logged, from dmesg, syslog or a journal, wrapped or not, with any stamps: of
 * several boots the last, without the command line's echo, a message a line.  A message is
 * taken for a fact only where the kernel prints it after the fact.
 */
#ifndef IMPORT_BOOTLOG_H
#define IMPORT_BOOTLOG_H

#include "import_impl.h"

struct bootlog {
	struct import *i;
	struct buf text; /* the messages */
	char *cmdline;	 /* the echo; NULL: none that is whole */
	size_t n;
	bool has_start; /* it has the beginning of the boot */
	double wall;	/* when that was, as bootlog_wall_time() */
	/* Lines were left out by a person, a terminal or a filter: silence says nothing. */
	bool has_gap;
};

struct bootlog_stamp {
	double time;	  /* since the boot; -1: it has none */
	const char *host; /* in the line, no string; NULL: none */
	size_t host_len;
};

/* The message of a line, and what stands before it; NULL: it is none. */
const char *bootlog_stamp(const char *line, struct bootlog_stamp *ret);

/* "Nov 30 10:05:09 ", "2026-11-30T10:05:09": in seconds, in an order alone; -1: none. */
double bootlog_wall_time(const char *line);

/* Does time run backwards in it, as with journalctl -r?  Its lines the other way round. */
bool bootlog_is_backwards(struct import *i, const char *text);
void bootlog_turn(const char *text, struct buf *ret);

/* The message of a line, behind its stamps; NULL: it is none. */
const char *bootlog_message(const char *line);
/* "ice 0000:e2:00.1 eth0: text": @ret_driver is the beginning, up to the address. */
bool bootlog_device(const char *message, struct bdf *at, size_t *ret_driver, const char **ret_text);

/* Of several logs: is this one of the last boot, or could it be?  What is not known is told. */
bool bootlog_is_last(const struct bootlog *l);

/* Is it an export of a journal, of which journal.c knows? */
bool journal_is_export(const char *text);

/* The messages of the last boot. */
void bootlog_read(struct bootlog *l, const char *text);
/* Does it tell what did not happen? */
bool bootlog_is_whole(const struct bootlog *l);
void bootlog_done(struct bootlog *l);

/* What they tell of the machine, and of its functions. */
void bootlog_take_host(struct bootlog *l);
void bootlog_take_functions(struct bootlog *l);

/* One message "BAR 7: assigned [mem ...]" and the like of a function: true where it had no room. */
bool bootlog_take_bar(struct function *f, const char *text);
/* What the messages of its driver show. */
void bootlog_take_driver(struct bootlog *l, struct function *f, const char *driver, size_t len,
			 const char *text);

#endif
