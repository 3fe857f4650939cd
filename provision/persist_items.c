/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "persist_items.h"

#include "rootdir.h"

#include <sriovctl/data.h>
#include <sriovctl/error.h>
#include <sriovctl/persist.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define UNIT "sriovctl-provision.service"
/* What the units in data/ say, and what stands there for the program's own place. */
#define STARTED "/usr/sbin/sriovctl"

/* In the order of a login's PATH. */
static const char *const programs[] = { "/usr/local/sbin/sriovctl", "/usr/local/bin/sriovctl",
					STARTED, "/usr/bin/sriovctl", NULL };

/* Where packages put such files, and where those of an administrator win over them. */
struct place {
	const char *own, *shipped[3];
};
static const struct place units = { "/etc/systemd/system",
				    { "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
				      "/lib/systemd/system" } };
static const struct place rules = { "/etc/udev/rules.d",
				    { "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
				      "/lib/udev/rules.d" } };
static const struct place networks = { "/etc/systemd/network",
				       { "/usr/local/lib/systemd/network",
					 "/usr/lib/systemd/network", "/lib/systemd/network" } };

static const struct {
	const struct place *place;
	const char *name;
	const char *text;
	const uint32_t *len;
} shipped[] = {
	{ &networks, "00-sriovctl-vf.network", data_network, &data_network_len },
	{ &rules, "80-sriovctl.rules", data_rules, &data_rules_len },
	{ &units, "sriovctl-carrier.path", data_carrier_path, &data_carrier_path_len },
	{ &units, "sriovctl-carrier.service", data_carrier_service, &data_carrier_service_len },
	{ &units, "sriovctl-provision@.service", data_provision_template,
	  &data_provision_template_len },
	{ &units, UNIT, data_provision_service, &data_provision_service_len },
};

/* -ENOENT: in none of these folders. */
static int find_in(const struct rootdir *r, const struct place *p, const char *name,
		   struct buf *ret, struct error *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(p->shipped); i++) {
		int code;

		buf_clear(ret);
		buf_printf(ret, "%s/%s", p->shipped[i], name);
		if (buf_error(ret) < 0)
			return error_nomem(e);
		code = rootdir_find(r, buf_text(ret), e);
		if (code != -ENOENT)
			return code;
	}
	return -ENOENT;
}

static int find_program(const struct rootdir *r, const char **ret, struct error *e)
{
	for (size_t i = 0; programs[i]; i++) {
		int code = rootdir_find(r, programs[i], e);

		if (code == 0)
			*ret = programs[i];
		if (code != -ENOENT)
			return code;
	}
	return error_set(e, -ENOEXEC,
			 "the root has no sriovctl that its boots could start: it has to be in "
			 "/usr/sbin, /usr/bin, /usr/local/sbin or /usr/local/bin");
}

static struct persist_item *add(struct persist_items *v, enum manifest_kind kind, uint32_t mode,
				const char *folder, const char *name)
{
	struct persist_item *items = base_room(v->items, v->n, sizeof(*items));
	struct buf path = { 0 };
	struct persist_item *it;

	if (!items)
		return NULL;
	v->items = items;
	it = &v->items[v->n++];
	buf_printf(&path, "%s/%s", folder, name);
	*it = (struct persist_item){ .kind = kind, .mode = mode, .path = buf_take(&path) };
	return it->path ? it : NULL;
}

/* The text, with the place of the program put in. */
static void fill(const char *text, size_t len, const char *program, struct buf *ret)
{
	static const char mark[] = "ExecStart=" STARTED;
	const char *at = memmem(text, len, mark, sizeof(mark) - 1);

	if (!at) {
		buf_append(ret, text, len);
		return;
	}
	buf_append(ret, text, (size_t)(at - text));
	buf_printf(ret, "ExecStart=%s", program);
	at += sizeof(mark) - 1;
	buf_append(ret, at, len - (size_t)(at - text));
}

/* Those that no package has brought.  @ret_unit: where the one to be enabled is. */
static int add_shipped(const struct rootdir *r, struct persist_items *v, struct buf *ret_unit,
		       struct error *e)
{
	const char *program = NULL;
	int code = find_program(r, &program, e);

	for (size_t i = 0; code == 0 && i < ARRAY_SIZE(shipped); i++) {
		struct persist_item *it;

		code = find_in(r, shipped[i].place, shipped[i].name, ret_unit, e);
		if (code != -ENOENT)
			continue;
		code = 0;
		it = add(v, MANIFEST_FILE, 0644, shipped[i].place->own, shipped[i].name);
		if (!it)
			return error_nomem(e);
		fill(shipped[i].text, *shipped[i].len, program, &it->text);
		buf_clear(ret_unit);
		buf_puts(ret_unit, it->path);
	}
	return code;
}

int persist_items_make(const struct rootdir *r, const char *spec, struct persist_items *ret,
		       struct error *e)
{
	AUTO_PERSIST_ITEMS struct persist_items v = { 0 };
	AUTO_BUF struct buf unit = { 0 };
	struct persist_item *it;
	int code = add_shipped(r, &v, &unit, e);

	if (code < 0)
		return code;
	it = add(&v, MANIFEST_LINK, 0, units.own, "multi-user.target.wants/" UNIT);
	if (!it)
		return error_nomem(e);
	buf_puts(&it->text, buf_text(&unit));
	it = add(&v, MANIFEST_FILE, 0600, "", &PERSIST_SPEC[1]);
	if (!it)
		return error_nomem(e);
	buf_puts(&it->text, spec);
	for (size_t i = 0; i < v.n; i++)
		if (buf_error(&v.items[i].text) < 0)
			return error_nomem(e);
	if (e)
		*e = (struct error){ 0 };
	*ret = v;
	v = (struct persist_items){ 0 };
	return 0;
}

void persist_items_done(struct persist_items *v)
{
	for (size_t i = 0; i < v->n; i++) {
		free(v->items[i].path);
		buf_done(&v->items[i].text);
	}
	free(v->items);
	*v = (struct persist_items){ 0 };
}

const struct persist_item *persist_items_find(const struct persist_items *v, const char *path)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->items[i].path, path) == 0)
			return &v->items[i];
	return NULL;
}
