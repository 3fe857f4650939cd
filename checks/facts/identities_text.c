/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of them: JSON, as a person may have to read it. */
#include <sriovctl/identities.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/json.h>
#include <sriovctl/macs.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct json *card_json(const struct identity *it)
{
	struct json *j = json_object();
	AUTO_BUF struct buf id = { 0 }, mac = { 0 };

	buf_printf(&id, "%04x:%04x", it->vendor, it->device);
	macs_print(it->mac, &mac);
	json_set_str(j, "match", it->match);
	if (it->mac)
		json_set_str(j, "permanent_mac", buf_text(&mac));
	json_set_str(j, "place", it->place);
	json_set(j, "id", buf_error(&id) < 0 || buf_error(&mac) < 0 ? NULL : json_str(id.data));
	return j;
}

int identities_print(const struct identities *v, struct buf *ret, struct error *e)
{
	AUTO_JSON struct json *root = json_object();
	struct json *cards = json_array();

	json_set_int(root, "schema", 1);
	json_set_str(root, "machine", v->machine);
	for (size_t i = 0; i < v->n; i++)
		json_add(cards, card_json(&v->items[i]));
	json_set(root, "cards", cards);
	return json_print(root, ret, e);
}

static int read_id(const char *text, struct identity *ret)
{
	AUTO_FREE char *vendor = text ? strdup(text) : NULL;
	char *device = vendor ? strchr(vendor, ':') : NULL;
	uint64_t ids[2] = { 0 };

	if (!device)
		return -EINVAL;
	*device++ = '\0';
	if (parse_u64(vendor, 16, UINT16_MAX, &ids[0]) < 0 ||
	    parse_u64(device, 16, UINT16_MAX, &ids[1]) < 0)
		return -EINVAL;
	ret->vendor = (uint16_t)ids[0];
	ret->device = (uint16_t)ids[1];
	return 0;
}

/* What is taken is in @ret in any case. */
static int read_card(const struct json *j, struct identity *ret)
{
	const char *match = json_text(json_get(j, "match")),
		   *place = json_text(json_get(j, "place"));
	const char *mac = json_text(json_get(j, "permanent_mac"));

	if (!match || !place || (mac && macs_parse(mac, &ret->mac) < 0))
		return -EINVAL;
	ret->match = strdup(match);
	ret->place = strdup(place);
	if (!ret->match || !ret->place)
		return -ENOMEM;
	return read_id(json_text(json_get(j, "id")), ret);
}

static int read_all(const struct json *root, struct identities *ret)
{
	const struct json *cards = json_get(root, "cards"), *it;
	const char *machine = json_text(json_get(root, "machine"));
	uint64_t schema = 0;
	int r = 0;

	if (json_read_u64(json_get(root, "schema"), &schema) < 0 || schema != 1 ||
	    !json_is_array(cards))
		return -EINVAL;
	ret->items = calloc(json_count(cards) + 1, sizeof(*ret->items));
	ret->machine = machine ? strdup(machine) : NULL;
	if (!ret->items || (machine && !ret->machine))
		return -ENOMEM;
	for (it = json_first(cards); r == 0 && it; it = json_next(it))
		r = read_card(it, &ret->items[ret->n++]);
	return r;
}

int identities_parse(const char *text, size_t len, struct identities *ret, struct error *e)
{
	AUTO_IDENTITIES struct identities v = { 0 };
	AUTO_JSON struct json *root = NULL;
	int r = json_parse(text, len, &root, e);

	if (r == 0)
		r = read_all(root, &v);
	if (r == -ENOMEM)
		return error_nomem(e);
	if (r < 0)
		return root ? error_set(e, -EINVAL, "it is no list of cards, schema 1") : r;
	*ret = v;
	v = (struct identities){ 0 };
	return 0;
}
