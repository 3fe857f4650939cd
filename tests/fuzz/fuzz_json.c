/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/json.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(const struct json *j)
{
	const struct json *it;
	struct error e;
	bool b;

	(void)json_refuse(j, &e, "%d", json_read_bool(j, &b));
	JSON_EACH(it, j)
	walk(it);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_JSON struct json *j = NULL;
	AUTO_JSON struct json *again = NULL;
	AUTO_BUF struct buf b = { 0 };
	struct error e;

	if (json_parse((const char *)data, size, &j, &e) != 0)
		return 0;
	walk(j);
	if (json_print(j, &b, &e) != 0 || json_parse(buf_text(&b), b.len, &again, &e) != 0)
		abort();
	return 0;
}
