/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for a terminal of 80 columns: broken at blanks, the first line behind @first, the
 * others behind @rest blanks.  Bytes that are no printable text become '?', so that
 * nothing a host's files hold can reach the terminal as a command.
 */
#ifndef CMD_RENDER_WRAP_H
#define CMD_RENDER_WRAP_H

#include <stdio.h>

#define WRAP_COLUMNS 80

/* One piece of a line, and how many columns it takes. */
void wrap_put(FILE *out, const char *text, size_t len);
size_t wrap_columns(const char *text, size_t len);

void wrap_print(FILE *out, const char *first, size_t rest, const char *text);

#endif
