/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef SRIOVCTL_UTF8_H
#define SRIOVCTL_UTF8_H

#include <sriovctl/base.h>

/* The length of the well-formed sequence at @text, 0 when there is none. */
size_t utf8_len(const char *text, size_t left);

#endif
