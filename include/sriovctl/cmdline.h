/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel command line, split as the kernel splits it (kernel/params.c next_arg,
 * parse_args): blanks separate words, double quotes protect blanks, '-' and '_' in a
 * name are the same, and what stands behind "--" is not the kernel's.
 */
#ifndef SRIOVCTL_CMDLINE_H
#define SRIOVCTL_CMDLINE_H

#include <sriovctl/base.h>
#include <sriovctl/strv.h>

struct buf;
struct error;
struct host;

/*
 * The rules alone, for other texts that the kernel splits alike (options of modules).
 * The next word without its quotes; false at the end.  Behind "key=" in a word, "" when it
 * is the bare key, NULL when it is another.
 */
bool cmdline_next_word(const char **cursor, struct buf *ret);
const char *cmdline_word_value(const char *word, const char *key);

#define CMDLINE_PATH "/proc/cmdline"

struct cmdline {
	struct strv words;
};

/* 0 or -ENOMEM. */
int cmdline_parse(const char *text, struct cmdline *ret) MUST_USE;
void cmdline_done(struct cmdline *c);
#define AUTO_CMDLINE CLEANUP(cmdline_done)

/* The host's, as one fact; errors as in sriovctl/host.h. */
int cmdline_get(const struct host *h, const struct cmdline **ret, struct error *e) MUST_USE;

/* The value of the last "key=value", "" for a bare "key", NULL without either. */
const char *cmdline_value(const struct cmdline *c, const char *key);

/* Has the comma list @list the item @item? */
bool cmdline_list_has(const char *list, const char *item);
/* Has any "key=a,b,c" the item @item in its comma list? */
bool cmdline_has_item(const struct cmdline *c, const char *key, const char *item);

/*
 * Of the comma items of all "key=...", the last that begins with one of @prefixes (the
 * kernel's parsers of IOMMU options compare only beginnings): its index, or -1.
 */
int cmdline_last_item(const struct cmdline *c, const char *key, const char *const *prefixes,
		      size_t n);

#endif
