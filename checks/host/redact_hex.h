/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes in hexadecimal, as addresses and UUIDs are written, in texts that may end anywhere: a
 * caller sees to it that there are as many characters.
 */
#ifndef CHECKS_HOST_REDACT_HEX_H
#define CHECKS_HOST_REDACT_HEX_H

#include <sriovctl/base.h>

/* 0 to 15; -1: none. */
int redact_hex_digit(char c);

/* @n bytes of two digits each, @gap characters apart, whichever these are. */
bool redact_hex_take(const char *text, size_t n, size_t gap, uint8_t *ret);
void redact_hex_put(char *text, size_t n, size_t gap, const uint8_t *bytes);

#endif
