/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first byte chooses the decoder. */
#include <sriovctl/addresses.h>
#include <sriovctl/buf.h>
#include <sriovctl/channels.h>
#include <sriovctl/eswitch.h>
#include <sriovctl/routes.h>

#include <errno.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int r)
{
	if (r < 0 && r != -EBADMSG)
		abort();
}

static void decode_addresses(const uint8_t *data, size_t size)
{
	struct addresses a = { 0 };

	check(addresses_parse(data, size, &a, NULL));
	for (size_t i = 0; i < a.n; i++) {
		AUTO_BUF struct buf text = { 0 };

		addresses_text(&a.items[i], &text);
		if (text.len == 0)
			abort();
	}
	addresses_done(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct routes r = { 0 };
	struct channels c = { 0 };
	uint16_t mode = 0;

	if (size == 0)
		return 0;
	switch (*data) {
	case 'a':
		decode_addresses(data + 1, size - 1);
		break;
	case 'r':
		check(routes_parse(data + 1, size - 1, &r, NULL));
		routes_done(&r);
		break;
	case 'c':
		check(channels_parse(data + 1, size - 1, &c));
		break;
	case 'e':
		check(eswitch_parse(data + 1, size - 1, &mode));
		break;
	default:
		break;
	}
	return 0;
}
