/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/nics.h>

#include <sriovctl/buf.h>
#include <sriovctl/data.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/json.h>
#include <sriovctl/kernel.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "8086:10c9", or "1425:50xx": a digit x counts for any. */
#define ID_LEN	   9
#define DEVICE_AT  5
#define BDF_MARKER "{bdf}"
#define VF_BARS	   6

static int damaged(struct error *e, const struct json *at)
{
	const char *key = json_key(at);

	return error_set(e, -EINVAL,
			 "the table of network adapters inside this program is damaged%s%s",
			 key ? " at " : "", key ? key : "");
}

static int parse_id(const char *text, struct nics_id *ret)
{
	char device[5] = { 0 }, vendor[5] = { 0 };
	uint64_t v = 0, d = 0;

	if (!text || strlen(text) != ID_LEN || text[4] != ':')
		return -EINVAL;
	memcpy(vendor, text, 4);
	memcpy(device, text + DEVICE_AT, 4);
	ret->mask = 0;
	for (unsigned i = 0; i < 4; i++) {
		ret->mask = (uint16_t)(ret->mask << 4 | (device[i] == 'x' ? 0 : 0xf));
		if (device[i] == 'x')
			device[i] = '0';
	}
	if (parse_u64(vendor, 16, UINT16_MAX, &v) < 0 || parse_u64(device, 16, UINT16_MAX, &d) < 0)
		return -EINVAL;
	ret->vendor = (uint16_t)v;
	ret->device = (uint16_t)d;
	return 0;
}

static int read_ids(const struct json *list, const struct nics_family *family, bool is_vf,
		    struct nics *n, struct error *e)
{
	const struct json *it;

	JSON_EACH(it, list)
	{
		struct nics_id *id = &n->ids[n->n_ids];

		if (parse_id(json_text(it), id) < 0)
			return damaged(e, it);
		id->is_vf = is_vf;
		id->family = family;
		n->n_ids++;
	}
	return 0;
}

static int read_family(const struct json *j, struct nics *n, struct error *e)
{
	struct nics_family *f = &n->families[n->n_families++];
	int r;

	f->name = json_text(json_get(j, "name"));
	f->driver = json_text(json_get(j, "driver"));
	f->vf_driver = json_text(json_get(j, "vf_driver"));
	if (!f->vf_driver)
		f->vf_driver = f->driver;
	f->switch_on = json_text(json_get(j, "switch"));
	if (!f->name || !f->driver)
		return damaged(e, j);
	r = read_ids(json_get(j, "pfs"), f, false, n, e);
	return r < 0 ? r : read_ids(json_get(j, "vfs"), f, true, n, e);
}

/* "6.12"; NULL: any. */
static int parse_release(const char *text, struct nics_release *ret)
{
	const char *dot = text ? strchr(text, '.') : NULL;
	AUTO_BUF struct buf major = { 0 };
	uint64_t a = 0, b = 0;

	if (!dot)
		return text ? -EINVAL : 0;
	buf_append(&major, text, (size_t)(dot - text));
	if (buf_error(&major) < 0)
		return -ENOMEM;
	if (parse_u64(buf_text(&major), 10, 255, &a) < 0 || parse_u64(dot + 1, 10, 255, &b) < 0)
		return -EINVAL;
	ret->major = (unsigned)a;
	ret->minor = (unsigned)b;
	return 0;
}

static int read_driver(const struct json *j, struct nics *n, struct error *e)
{
	struct nics_driver *d = &n->drivers[n->n_drivers++];
	int r = json_read_bool(json_get(j, "creates"), &d->creates);

	d->name = json_text(json_get(j, "name"));
	d->how = json_text(json_get(j, "how"));
	d->config = json_text(json_get(j, "config"));
	if (r == -ENOENT)
		d->creates = true;
	if (!d->name || (r < 0 && r != -ENOENT))
		return damaged(e, j);
	r = parse_release(json_text(json_get(j, "since")), &d->since);
	if (r == 0)
		r = parse_release(json_text(json_get(j, "config_since")), &d->config_since);
	if (r == -ENOMEM)
		return error_nomem(e);
	return r < 0 ? damaged(e, j) : 0;
}

/* A row: "vfs", "bars" and where that was seen. */
static int read_vf_bars(const struct json *j, struct nics *n, struct error *e)
{
	const struct json *it;
	unsigned bars = 0;

	JSON_EACH(it, json_get(j, "bars"))
	{
		uint64_t bar;

		if (json_read_u64(it, &bar) < 0 || bar >= VF_BARS)
			return damaged(e, it);
		bars |= 1u << bar;
	}
	if (bars == 0 || !json_text(json_get(j, "source")))
		return damaged(e, j);
	JSON_EACH(it, json_get(j, "vfs"))
	{
		struct nics_vf_bars *b = &n->vf_bars[n->n_vf_bars++];

		if (parse_id(json_text(it), &b->id) < 0)
			return damaged(e, it);
		b->bars = bars;
	}
	return 0;
}

static int allocate(struct nics *n, struct error *e)
{
	const struct json *families = json_get(n->table, "families"), *it;
	size_t ids = 0, vfs = 0;

	JSON_EACH(it, families)
	ids += json_count(json_get(it, "pfs")) + json_count(json_get(it, "vfs"));
	JSON_EACH(it, json_get(n->table, "vf_bars"))
	vfs += json_count(json_get(it, "vfs"));
	n->vf_bars = calloc(vfs + 1, sizeof(*n->vf_bars));
	n->families = calloc(json_count(families) + 1, sizeof(*n->families));
	n->ids = calloc(ids + 1, sizeof(*n->ids));
	n->drivers = calloc(json_count(json_get(n->table, "drivers")) + 1, sizeof(*n->drivers));
	return n->families && n->ids && n->drivers && n->vf_bars ? 0 : error_nomem(e);
}

int nics_load(struct nics *ret, struct error *e)
{
	const struct json *it;
	int r = json_parse(data_nics, data_nics_len, &ret->table, e);

	if (r == 0)
		r = allocate(ret, e);
	if (r < 0)
		return r;
	JSON_EACH(it, json_get(ret->table, "families"))
	{
		r = read_family(it, ret, e);
		if (r < 0)
			return r;
	}
	JSON_EACH(it, json_get(ret->table, "drivers"))
	{
		r = read_driver(it, ret, e);
		if (r < 0)
			return r;
	}
	JSON_EACH(it, json_get(ret->table, "vf_bars"))
	{
		r = read_vf_bars(it, ret, e);
		if (r < 0)
			return r;
	}
	return 0;
}

static int read_nics(const struct host *h, struct nics *ret, struct error *e)
{
	(void)h;
	return nics_load(ret, e);
}
HOST_FACT_DEFINE(nics, read_nics)

void nics_done(struct nics *n)
{
	json_free(n->table);
	free(n->families);
	free(n->ids);
	free(n->drivers);
	free(n->vf_bars);
	*n = (struct nics){ 0 };
}

const struct nics_id *nics_find(const struct nics *n, uint16_t vendor, uint16_t device)
{
	for (size_t i = 0; i < n->n_ids; i++)
		if (n->ids[i].vendor == vendor && n->ids[i].device == (device & n->ids[i].mask))
			return &n->ids[i];
	return NULL;
}

bool nics_vf_bars(const struct nics *n, uint16_t vendor, uint16_t vf_device, unsigned *ret)
{
	for (size_t i = 0; i < n->n_vf_bars; i++) {
		const struct nics_id *id = &n->vf_bars[i].id;

		if (id->vendor != vendor || id->device != vf_device)
			continue;
		*ret = n->vf_bars[i].bars;
		return true;
	}
	return false;
}

const struct nics_id *nics_find_title(const struct nics *n, const char *title)
{
	size_t len = strlen(title), best = 0;
	struct nics_id id = { 0 };
	const struct json *it;

	JSON_EACH(it, json_get(n->table, "names"))
	{
		const char *name = json_text(it);
		size_t own = name ? strlen(name) : 0;

		/* Of two that it ends with the longer is the name, the rest the vendor's. */
		if (own <= best || own >= len || title[len - own - 1] != ' ' ||
		    strcmp(title + len - own, name) != 0 || parse_id(json_key(it), &id) < 0)
			continue;
		best = own;
	}
	return best ? nics_find(n, id.vendor, id.device) : NULL;
}

const struct nics_driver *nics_find_driver(const struct nics *n, const char *name)
{
	for (size_t i = 0; i < n->n_drivers; i++)
		if (strcmp(n->drivers[i].name, name) == 0)
			return &n->drivers[i];
	return NULL;
}

static bool is_since(const struct kernel *k, const struct nics_release *r)
{
	return r->major == 0 || (k && kernel_is_at_least(k, r->major, r->minor));
}

const char *nics_lacks(const struct nics *n, const char *driver, const struct kernel *k,
		       const struct kconfig *config)
{
	const struct nics_driver *d = nics_find_driver(n, driver);

	if (!d || !d->config || !config || !is_since(k, &d->config_since))
		return NULL;
	return kconfig_is_on(config, d->config) ? NULL : d->config;
}

enum nics_creates nics_creates(const struct nics *n, const char *driver, const struct kernel *k,
			       const struct kconfig *config)
{
	const struct nics_driver *d = nics_find_driver(n, driver);

	if (!d)
		return NICS_CREATES_UNKNOWN;
	if (!d->creates)
		return NICS_CREATES_NOT;
	if (!is_since(k, &d->since) || nics_lacks(n, driver, k, config))
		return NICS_CREATES_UNKNOWN;
	return NICS_CREATES;
}

bool nics_switch_on(const struct nics_family *f, const char *bdf, struct buf *ret)
{
	const char *marker;

	if (!f || !f->switch_on)
		return false;
	marker = strstr(f->switch_on, BDF_MARKER);
	if (!marker) {
		buf_puts(ret, f->switch_on);
		return true;
	}
	buf_append(ret, f->switch_on, (size_t)(marker - f->switch_on));
	buf_puts(ret, bdf);
	buf_puts(ret, marker + strlen(BDF_MARKER));
	return true;
}
