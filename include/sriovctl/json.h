/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON, both ways.  Writing never asks in between: what fails leaves its mark in the
 * tree and json_print() tells.  Reading is strict and knows line and column.  A number
 * is a double in JSON's practice: what has 64 bits (addresses, masks, ids, byte
 * counters) is carried as a string "0x...", by json_hex() and json_read_u64().  Every
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
struct json *json_hex(uint64_t value) MUST_USE;
struct json *json_bool(bool value) MUST_USE;
struct json *json_null(void) MUST_USE;

/* Put @item at the end of an object or array, which owns it from the call on, whatever happens. */
void json_set(struct json *object, const char *key, struct json *item);
void json_add(struct json *array, struct json *item);

void json_set_str(struct json *object, const char *key, const char *text);
void json_set_int(struct json *object, const char *key, int64_t value);
void json_set_hex(struct json *object, const char *key, uint64_t value);
void json_set_bool(struct json *object, const char *key, bool value);
void json_add_str(struct json *array, const char *text);

/* Indented, keys in the order they were set, a newline at the end.  -ENOMEM also for an earlier
 * failure. */
int json_print(const struct json *j, struct buf *ret, struct error *e) MUST_USE;

/*
 * -EINVAL with line and column in @e for anything but exactly one value (json_scan.h),
 * for a key twice in one object, and for a number beyond a double.
 * json_parse_commented() allows comments from // to the end of the line besides.
 */
int json_parse(const char *text, size_t len, struct json **ret, struct error *e) MUST_USE;
int json_parse_commented(const char *text, size_t len, struct json **ret, struct error *e) MUST_USE;

enum json_kind {
	JSON_NONE,
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

enum json_kind json_kind(const struct json *j);
const struct json *json_get(const struct json *object, const char *key);

/* The members or elements in their order; a member's key is NULL for an element. */
const struct json *json_first(const struct json *j);
const struct json *json_next(const struct json *j);
const char *json_key(const struct json *j);
#define JSON_EACH(it, container) for ((it) = json_first(container); (it); (it) = json_next(it))

/* The text of a string, or NULL. */
const char *json_text(const struct json *j);

/*
 * -ENOENT for NULL, -EINVAL for another kind, -ERANGE above @max; @ret is written only on 0.
 * json_read_u64() takes a whole number below 2^53 or a string "0x...".
 */
int json_read_u64(const struct json *j, uint64_t max, uint64_t *ret) MUST_USE;
int json_read_bool(const struct json *j, bool *ret) MUST_USE;

/* -EINVAL, its text preceded by the line and column of @j (its key, for a member) in what was
 * parsed. */
int json_refuse(const struct json *j, struct error *e, const char *fmt, ...) PRINTF(3, 4);

#endif
