/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/json.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(const char *text, size_t len, const struct json *j)
{
	struct json_place at = json_place(text, json_offset(j));
	const struct json *it;
	uint64_t number;
	bool b;

	if (at.line == 0 || at.column == 0 || at.line > len + 1 || at.column > len + 1)
		abort();
	if (json_read_bool(j, &b) == 0 && json_read_u64(j, &number) == 0)
		abort();
	JSON_EACH(it, j)
	walk(text, len, it);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_JSON struct json *j = NULL;
	AUTO_JSON struct json *again = NULL;
	AUTO_BUF struct buf b = { 0 };
	const char *text = (const char *)data;
	struct error e;

	/* What is right without comments is right with them, and the same. */
	if (json_parse(text, size, &j, &e) == 0) {
		if (json_parse_commented(text, size, &again, &e) != 0)
			abort();
		json_free(TAKE(again));
	} else if (json_parse_commented(text, size, &j, &e) != 0) {
		return 0;
	}
	walk(text, size, j);
	if (json_print(j, &b, &e) != 0 || json_parse(buf_text(&b), b.len, &again, &e) != 0)
		abort();
	return 0;
}
