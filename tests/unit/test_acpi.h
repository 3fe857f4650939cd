/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables byte by byte: table_begin(), then what the test wants, then table_end(),
 * which sets the length and the checksum.  Numbers are little-endian.
 */
#ifndef TESTS_UNIT_TEST_ACPI_H
#define TESTS_UNIT_TEST_ACPI_H

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

static inline void put(struct buf *b, unsigned bytes, uint64_t value)
{
	while (bytes-- > 0) {
		char c = (char)(value & 0xff);

		buf_append(b, &c, 1);
		value >>= 8;
	}
}

static inline void set(struct buf *b, size_t at, unsigned bytes, uint64_t value)
{
	while (bytes-- > 0) {
		b->data[at++] = (char)(value & 0xff);
		value >>= 8;
	}
}

static inline void zeros(struct buf *b, unsigned bytes)
{
	while (bytes-- > 0)
		put(b, 1, 0);
}

static inline const uint8_t *bytes(const struct buf *b)
{
	return (const uint8_t *)b->data;
}

static inline void table_begin(struct buf *b, const char *signature)
{
	buf_append(b, signature, 4);
	zeros(b, 4);
	put(b, 1, 1);
	zeros(b, 27);
}

static inline void table_end(struct buf *b)
{
	uint8_t sum = 0;

	set(b, 4, 4, b->len);
	set(b, 9, 1, 0);
	for (size_t i = 0; i < b->len; i++)
		sum = (uint8_t)(sum + bytes(b)[i]);
	set(b, 9, 1, (uint8_t)-sum);
}

#endif
