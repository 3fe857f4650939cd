/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "acpi_bytes.h"

#include <errno.h>

int acpi_bytes_next(struct acpi_bytes *run, size_t at, size_t width, size_t min,
		    struct acpi_bytes *ret)
{
	struct acpi_bytes part = { .data = run->data };

	if (run->len == 0)
		return 0;
	if (run->len >= at + width)
		part.len = width == 1 ? part.data[at] : acpi_bytes_u16(part.data + at);
	*ret = part;
	if (part.len < at + width || part.len < min || part.len > run->len)
		return -EBADMSG;
	run->data += part.len;
	run->len -= part.len;
	return 1;
}
