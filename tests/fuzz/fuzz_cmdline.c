/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/base.h>
#include <sriovctl/cmdline.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every word is found again by what stands before its "=". */
static void find_again(const struct cmdline *c)
{
	static const char *const prefixes[] = { "o", "on", "off", "nopt" };

	for (size_t i = 0; i < c->words.n; i++) {
		AUTO_FREE char *key = strdup(c->words.items[i]);
		int last;

		if (!key)
			abort();
		key[strcspn(key, "=")] = '\0';
		if (!cmdline_value(c, key))
			abort();
		(void)cmdline_has_item(c, key, "off");
		last = cmdline_last_item(c, key, prefixes, ARRAY_SIZE(prefixes));
		if (last < -1 || last >= (int)ARRAY_SIZE(prefixes))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = strndup((const char *)data, size);
	AUTO_CMDLINE struct cmdline c = { 0 };

	if (!text || cmdline_parse(text, &c) < 0)
		abort();
	find_again(&c);
	return 0;
}
