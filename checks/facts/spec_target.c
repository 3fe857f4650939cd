/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spec_target.h"

#include "spec_value.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/json.h>
#include <sriovctl/macs.h>
#include <sriovctl/parse.h>

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = { "permanent_mac", "pci",  "slot", "netdev", "id",
				    "numa_node",     "port", NULL };
enum { KEY_MAC, KEY_PCI, KEY_SLOT, KEY_NETDEV, KEY_ID, KEY_NODE, KEY_PORT, KEYS };
#define KEYS_PRIMARY KEY_NODE /* one of those before it says which function */

/* Nodes are below MAX_NUMNODES, 1024 at most; a function has a number of 8 bits (ARI). */
static const struct spec_rule node_rule = { .name = "numa_node", .max = 1023 };
static const struct spec_rule port_rule = { .name = "port", .max = 255 };

static int read_id(const struct spec *s, const struct json *j, const struct spec_place *at,
		   struct spec_target *ret, struct error *e)
{
	const char *text = json_text(j);
	char part[2][5] = { 0 };
	uint64_t vendor = 0, device = 0;
	size_t i = 0;

	while (text && text[i] && i < 9 &&
	       (i == 4 ? text[i] == ':' : isxdigit((unsigned char)text[i]))) {
		if (i != 4)
			part[i / 5][i % 5] = text[i];
		i++;
	}
	if (i != 9 || text[i] || parse_u64(part[0], 16, UINT16_MAX, &vendor) < 0 ||
	    parse_u64(part[1], 16, UINT16_MAX, &device) < 0)
		return spec_refuse(s, at, e, "vendor and device like \"8086:1592\" are expected");
	ret->by_id = true;
	ret->vendor = (uint16_t)vendor;
	ret->device = (uint16_t)device;
	return 0;
}

static int keep_text(const char *text, char **ret, struct error *e)
{
	*ret = strdup(text);
	return *ret ? 0 : error_nomem(e);
}

static int read_pci(const struct spec *s, const struct json *j, const struct spec_place *at,
		    struct spec_target *ret, struct error *e)
{
	const char *text = json_text(j);
	AUTO_BUF struct buf whole = { 0 };
	struct bdf bdf;

	if (text)
		buf_printf(&whole, "%s%s", strlen(text) == strlen("00:00.0") ? "0000:" : "", text);
	if (buf_error(&whole) < 0)
		return error_nomem(e);
	if (!text || parse_bdf(buf_text(&whole), &bdf) < 0)
		return spec_refuse(s, at, e, "an address like \"0000:3b:00.0\" is expected");
	return keep_text(buf_text(&whole), &ret->pci, e);
}

static int read_name(const struct spec *s, const struct json *j, const struct spec_place *at,
		     char **ret, struct error *e)
{
	const char *text = json_text(j);

	if (!text || !*text || strchr(text, '/') || strcmp(text, ".") == 0 ||
	    strcmp(text, "..") == 0)
		return spec_refuse(s, at, e, "a name is expected");
	return keep_text(text, ret, e);
}

static int read_mac(const struct spec *s, const struct json *j, const struct spec_place *at,
		    struct spec_target *ret, struct error *e)
{
	struct spec_value v;
	int r = spec_value_mac(s, j, at, &v, e);

	if (r < 0)
		return r;
	ret->by_mac = true;
	ret->mac = v.number;
	return 0;
}

static int read_key(const struct spec *s, const struct json *j, size_t key, struct spec_target *ret,
		    struct error *e)
{
	const struct spec_place at = spec_value_place(j, keys[key]);

	switch (key) {
	case KEY_MAC:
		return read_mac(s, j, &at, ret, e);
	case KEY_PCI:
		return read_pci(s, j, &at, ret, e);
	case KEY_SLOT:
		return read_name(s, j, &at, &ret->slot, e);
	case KEY_NETDEV:
		return read_name(s, j, &at, &ret->netdev, e);
	case KEY_ID:
		return read_id(s, j, &at, ret, e);
	case KEY_NODE:
		return spec_value_number(s, j, &node_rule, &ret->node, e);
	case KEY_PORT:
		return spec_value_number(s, j, &port_rule, &ret->port, e);
	default:
		return spec_value_unknown(s, j, keys, e);
	}
}

int spec_target_read(const struct spec *s, const struct json *j, struct spec_target *ret,
		     struct error *e)
{
	const struct json *it;
	unsigned primary = 0;

	ret->at = spec_value_place(j, "match");
	if (!json_is_object(j))
		return spec_refuse(s, &ret->at, e, "an object is expected");
	JSON_EACH(it, j)
	{
		size_t key = spec_value_find(it, keys);
		int r = read_key(s, it, key, ret, e);

		if (r < 0)
			return r;
		primary += key < KEYS_PRIMARY;
	}
	if (primary != 1)
		return spec_refuse(s, &ret->at, e,
				   "one of permanent_mac, pci, slot, netdev and id is expected, "
				   "and one alone");
	if (ret->node.is_set && !ret->by_id)
		return spec_refuse(s, &ret->node.at, e, "goes with \"id\" only");
	if (ret->port.is_set && !ret->by_id && !ret->slot)
		return spec_refuse(s, &ret->port.at, e, "goes with \"id\" or \"slot\" only");
	return 0;
}
