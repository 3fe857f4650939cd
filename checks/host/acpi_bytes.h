/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parsers of ACPI tables share and nobody else needs: little-endian
 * loads, and the walk over structures that carry their own length.
 */
#ifndef CHECKS_HOST_ACPI_BYTES_H
#define CHECKS_HOST_ACPI_BYTES_H

#include <sriovctl/base.h>

/* The caller has made sure that the bytes are there; no alignment is needed. */
static inline uint16_t acpi_bytes_u16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t acpi_bytes_u32(const uint8_t *p)
{
	return acpi_bytes_u16(p) | (uint32_t)acpi_bytes_u16(p + 2) << 16;
}

static inline uint64_t acpi_bytes_u64(const uint8_t *p)
{
	return acpi_bytes_u32(p) | (uint64_t)acpi_bytes_u32(p + 4) << 32;
}

/* A run of structures, or one of them from its type on. */
struct acpi_bytes {
	const uint8_t *data;
	size_t len;
};

/*
 * Cut the next structure off the front of @run; its length stands at @at and has
 * @width (1 or 2) bytes.  1: here it is; 0: the end; -EBADMSG: its length is less
 * than @min (0 included) or more than there is, and @ret->len is that length.
 */
int acpi_bytes_next(struct acpi_bytes *run, size_t at, size_t width, size_t min,
		    struct acpi_bytes *ret) MUST_USE;

#endif
