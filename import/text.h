/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines and words of what people send: ends of any kind, blanks of any number, anything between.
 * Nothing is taken for granted, nothing is written to, and of an endless line only its beginning
 * is looked at.  What is parsed moves the cursor behind it; what is not leaves it where it was.
 */
#ifndef IMPORT_TEXT_H
#define IMPORT_TEXT_H

#include <sriovctl/parse.h>

struct buf;

#define TEXT_LINE_MAX 16384
/* "0000:3b:00.0", with a domain of up to eight digits. */
#define TEXT_BDF_MAX 18

/* The next line, without its end and the blanks before that; false: there is none. */
bool text_line(const char **cursor, struct buf *ret);

/* Behind @prefix where @text begins with it, behind the first @word in it; NULL otherwise. */
const char *text_after(const char *text, const char *prefix);
const char *text_behind(const char *text, const char *word);

const char *text_skip_blanks(const char *text);
bool text_is_indented(const char *line);
/*
 * How wide a terminal was that broke or cut the lines; 0: none did.  Many are as long as the
 * longest then, and few nearly so.
 */
size_t text_width(const char *text);
/* Does a line stand for others that were left out: "[...]", "<snip>", "--" of grep? */
bool text_is_gap(const char *line);

/* A number of at most @most digits; 0x before a hexadecimal one may be there. */
bool text_hex(const char **at, unsigned most, uint64_t *ret);
bool text_decimal(const char **at, uint64_t *ret);
/* "0000:3b:00.0", or "3b:00.0" of domain 0; nothing of a word may follow. */
bool text_bdf(const char **at, struct bdf *ret);
/*
 * The function of an interface whose name systemd made of an address: "enp175s0f0np0", "enP2p1s0"
 * (systemd.net-naming-scheme, ID_NET_NAME_PATH).  A VF's ends in "v0" and more: not of those.
 */
bool text_interface_bdf(const char *name, struct bdf *ret);
void text_bdf_name(const struct bdf *at, char ret[TEXT_BDF_MAX]);

/* What stands behind @word: 1 for "+", 0 for "-", -1 where it is not there so. */
int text_flag(const char *text, const char *word);

#endif
