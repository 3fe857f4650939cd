/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON, both ways.  Writing never asks in between: what fails leaves its mark in the
 * tree and json_print() tells.  Reading is strict and knows line and column.  Every
 * function takes NULL for a tree and then does nothing or finds nothing.
 */
#ifndef SRIOVCTL_JSON_H
#define SRIOVCTL_JSON_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct json;

void json_free(struct json *j);
void json_free_p(struct json **j);
#define AUTO_JSON CLEANUP(json_free_p)

/*
 * New values; NULL when out of memory, which json_set() and json_add() know.
 * json_str(): bytes that are not UTF-8 become U+FFFD; NULL gives null.
 */
struct json *json_object(void) MUST_USE;
struct json *json_array(void) MUST_USE;
struct json *json_str(const char *text) MUST_USE;
struct json *json_int(int64_t value) MUST_USE;
struct json *json_bool(bool value) MUST_USE;
struct json *json_null(void) MUST_USE;

/* Put @item at the end of an object or array, which owns it from then on, whatever happens. */
void json_set(struct json *object, const char *key, struct json *item);
void json_add(struct json *array, struct json *item);

void json_set_str(struct json *object, const char *key, const char *text);
void json_set_int(struct json *object, const char *key, int64_t value);
void json_add_str(struct json *array, const char *text);

/* Indented, keys in their order, a newline at the end.  -ENOMEM also for an earlier failure. */
int json_print(const struct json *j, struct buf *ret, struct error *e) MUST_USE;

/*
 * -EINVAL, with "LINE:COLUMN: " in front of what is wrong, for anything but exactly one value
 * (json_scan.h), for a key twice in one object, and for a number beyond a double.
 * json_parse_commented() takes comments as well, from // to the end of the line.
 */
int json_parse(const char *text, size_t len, struct json **ret, struct error *e) MUST_USE;
int json_parse_commented(const char *text, size_t len, struct json **ret, struct error *e) MUST_USE;

/*
 * Where a value starts, or of a member its key, in the @text it was parsed from: an offset,
 * and the line and column of one, in bytes and from 1.
 */
size_t json_offset(const struct json *j);
struct json_place {
	unsigned line, column;
};
struct json_place json_place(const char *text, size_t offset);

const struct json *json_get(const struct json *object, const char *key);

/* The members or elements in their order. */
const struct json *json_first(const struct json *j);
const struct json *json_next(const struct json *j);
size_t json_count(const struct json *j);
#define JSON_EACH(it, container) for ((it) = json_first(container); (it); (it) = json_next(it))

/* The key of a member; NULL for what is no member. */
const char *json_key(const struct json *j);

bool json_is_object(const struct json *j);
bool json_is_array(const struct json *j);

/* The text of a string, or NULL. */
const char *json_text(const struct json *j);

/*
 * -ENOENT for NULL, -EINVAL for what is no boolean, or no whole number from 0 on that a
 * double holds exactly; @ret is written only on 0.
 */
int json_read_bool(const struct json *j, bool *ret) MUST_USE;
int json_read_u64(const struct json *j, uint64_t *ret) MUST_USE;

#endif
