/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first byte chooses the decoder. */
#include <sriovctl/addresses.h>
#include <sriovctl/aer.h>
#include <sriovctl/awake.h>
#include <sriovctl/buf.h>
#include <sriovctl/channels.h>
#include <sriovctl/eswitch.h>
#include <sriovctl/linkmodes.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/routes.h>
#include <sriovctl/secondaries.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static void decode_secondaries(const uint8_t *data, size_t size)
{
	AUTO_SECONDARIES struct secondaries v = { 0 };
	uint64_t n = 0;
	int r = secondaries_parse(data, size, &v);

	check(r);
	for (uint32_t i = 0; r == 0 && i < v.n; i++)
		if (v.items[i].vf > 0 && !secondaries_find(&v, v.items[i].vf - 1u))
			abort();
	for (size_t i = 0; i < v.n; i++)
		if (secondaries_queues(&v.items[i], &n) == 0 && n != v.items[i].vi)
			abort();
}

static void decode_linkmodes(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = strndup((const char *)data, size);
	struct linkmodes m = { 0 };

	if (!text)
		return;
	check(linkmodes_parse(text, &m));
	if (m.supported > 1600000 || m.advertised > 1600000 || m.partner > 1600000)
		abort();
}

static void decode_growth(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = strndup((const char *)data, size);
	struct aer_growth g = { 0 };
	uint64_t total = 0;

	if (!text)
		return;
	check(aer_parse_total(text, &total));
	check(aer_parse_growth(text, &g));
	for (size_t i = 0; i < g.n; i++)
		if (!aer_growth_find(&g, g.items[i].bdf))
			abort();
	aer_growth_done(&g);
}

static void decode_awake(const uint8_t *data, size_t size)
{
	struct pciconf own, port;

	if (awake_parse(data, size, &own, &port, NULL) == 0 && own.len == 0)
		abort();
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
	case 'l':
		decode_linkmodes(data + 1, size - 1);
		break;
	case 'g':
		decode_growth(data + 1, size - 1);
		break;
	case 'w':
		decode_awake(data + 1, size - 1);
		break;
	case 's':
		decode_secondaries(data + 1, size - 1);
		break;
	default:
		break;
	}
	return 0;
}
