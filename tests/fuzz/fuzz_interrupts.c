/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/base.h>
#include <sriovctl/interrupts.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum interrupt_kind kinds[] = { INTERRUPT_OTHER, INTERRUPT_PLAIN,
						     INTERRUPT_REMAPPED };
	AUTO_FREE char *text = strndup((const char *)data, size);
	struct interrupts v = { 0 };
	size_t counted = 0;
	int r;

	if (!text)
		abort();
	r = interrupts_parse(text, &v);
	if (r < 0 && r != -EINVAL)
		abort();
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t n = interrupts_count(&v, kinds[i]);

		if ((n > 0) != (interrupts_first(&v, kinds[i]) != NULL))
			abort();
		counted += n;
	}
	for (size_t i = 0; i < v.n; i++)
		if (!v.items[i].chip || !v.items[i].action ||
		    !interrupts_find(&v, v.items[i].number))
			abort();
	if (counted != v.n)
		abort();
	interrupts_done(&v);
	return 0;
}
