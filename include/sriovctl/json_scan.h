/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The strict half of reading JSON (RFC 8259), which the library behind json.h lacks:
 * whether a text is exactly one value, and where its values stand.  Well-formed UTF-8, no
 * control characters and no U+0000 in strings, paired surrogates, no leading zeros, nothing
 * after the end.
 */
#ifndef SRIOVCTL_JSON_SCAN_H
#define SRIOVCTL_JSON_SCAN_H

#include <sriovctl/base.h>

struct buf;
struct error;

/* How deep arrays and objects may nest, and how many characters a number may have. */
#define JSON_SCAN_DEPTH_MAX  32
#define JSON_SCAN_NUMBER_MAX 60

/*
 * 0, or -EINVAL with "LINE:COLUMN: " in front of what is wrong, or -ENOMEM.  @ret_places gets
 * one int for each value, a container before its contents: the offset of where the value
 * starts, or for a member of an object of where its key does.
 */
int json_scan(const char *text, size_t len, struct buf *ret_places, struct error *e) MUST_USE;

#endif
