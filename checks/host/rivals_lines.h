/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between rivals.c and the parsers of its forms: a sieved text, line by line. */
#ifndef CHECKS_HOST_RIVALS_LINES_H
#define CHECKS_HOST_RIVALS_LINES_H

#include <sriovctl/rivals.h>

/* A line without the blanks around it; all point into the text. */
struct rivals_line {
	const char *start;
	size_t len, indent;
	unsigned number;
	const char *next; /* what is still to come */
};

/* Of files that are read as one: this one begins behind so many lines of the whole. */
struct rivals_part {
	char *path;
	unsigned lines_before;
};

/* Who says it, and where the claims go; r: 0 or -ENOMEM, sticks. */
struct rivals_file {
	const char *who, *path, *text;
	const struct rivals_part *parts; /* or NULL: all is of @path */
	size_t n_parts;
	struct rivals *ret;
	int r;
};

/* The next line that is not empty; @l starts as { .next = text }. */
bool rivals_lines_next(struct rivals_line *l);

/*
 * "key = value" and "key: value", with an optional "- " and quotes around the value: the
 * value's start and length; false for another key.  Letters are compared without case.
 */
bool rivals_lines_value(const struct rivals_line *l, const char *key, const char **ret,
			size_t *ret_len);

/* @target may be NULL.  One with a pattern, a variable or a blank in it names nothing. */
void rivals_lines_add(struct rivals_file *f, const struct rivals_line *l, const char *target,
		      size_t target_len);

/*
 * The programs that lines of units, udev's rules and scripts call by their paths, of folders where
 * scripts may be, and the services that rules start.  0 or -ENOMEM.
 */
int rivals_calls(const char *text, struct strv *ret_scripts, struct strv *ret_units) MUST_USE;
/* Where udev looks for what it runs by its name alone, and before /usr was one with /. */
#define RIVALS_CALLS_UDEV "/usr/lib/udev/"
/* Is it one of those programs? */
bool rivals_calls_is_script(const char *path);
/* Of a line that calls something what rivals_calls() needs, and of others nothing. */
void rivals_calls_sieve(const struct rivals_line *l, struct buf *ret);

/* The forms. */
void rivals_forms_keyfile(struct rivals_file *f);
void rivals_forms_settings(struct rivals_file *f);
void rivals_forms_ifcfg(struct rivals_file *f);
void rivals_forms_systemd(struct rivals_file *f);
void rivals_forms_libvirt(struct rivals_file *f);
void rivals_yaml_netplan(struct rivals_file *f);
void rivals_yaml_nmstate(struct rivals_file *f);
void rivals_yaml_os_net(struct rivals_file *f);
void rivals_yaml_operator(struct rivals_file *f);
void rivals_writer_parse(struct rivals_file *f);

#endif
