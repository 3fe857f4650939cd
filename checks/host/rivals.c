/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/rivals.h>

#include "absence.h"
#include "rivals_lines.h"
#include "rivals_places.h"
#include "rivals_units.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Longer than people write; a script that carries a payload is looked at no further. */
#define FILE_MAX (256 * 1024)

static void (*const parsers[])(struct rivals_file *f) = {
	[RIVALS_KEYFILE] = rivals_forms_keyfile,
	[RIVALS_IFCFG] = rivals_forms_ifcfg,
	[RIVALS_SYSTEMD] = rivals_forms_systemd,
	[RIVALS_SETTINGS] = rivals_forms_settings,
	[RIVALS_NETPLAN] = rivals_yaml_netplan,
	[RIVALS_NMSTATE] = rivals_yaml_nmstate,
	[RIVALS_OS_NET] = rivals_yaml_os_net,
	[RIVALS_OPERATOR] = rivals_yaml_operator,
	[RIVALS_LIBVIRT] = rivals_forms_libvirt,
	[RIVALS_WRITER] = rivals_writer_parse,
	[RIVALS_NAME] = NULL,
};
_Static_assert(ARRAY_SIZE(parsers) == RIVALS_FORM_MAX, "every form has a parser");

int rivals_parse(enum rivals_form form, const char *who, const char *path, const char *text,
		 struct rivals *ret)
{
	AUTO_BUF struct buf kept = { 0 };
	struct rivals_file f = { .who = who, .path = path, .ret = ret };

	/* So that a capture, which has no more, says the same. */
	rivals_sieve(text, strlen(text), &kept);
	if (buf_error(&kept) < 0)
		return -ENOMEM;
	f.text = buf_text(&kept);
	parsers[form](&f);
	return f.r;
}

static int note_blind(struct rivals *c, int r, const char *path)
{
	if (r == -ENOMEM || c->error < 0)
		return r == -ENOMEM ? r : 0;
	c->error = r;
	c->blind = strdup(path);
	return c->blind ? 0 : -ENOMEM;
}

/* Files that are read as one text, without what is not looked at. */
struct whole {
	struct buf text;
	struct rivals_part *parts;
	size_t n;
	unsigned lines;
};

static void whole_done(struct whole *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->parts[i].path);
	free(w->parts);
	buf_done(&w->text);
	*w = (struct whole){ 0 };
}
#define AUTO_WHOLE CLEANUP(whole_done)

static int whole_add(struct whole *w, const char *path, const char *text)
{
	struct rivals_part *parts = base_room(w->parts, w->n, sizeof(*parts));
	size_t before = w->text.len;

	if (!parts)
		return -ENOMEM;
	w->parts = parts;
	parts[w->n] = (struct rivals_part){ .path = strdup(path), .lines_before = w->lines };
	if (!parts[w->n].path)
		return -ENOMEM;
	w->n++;
	rivals_sieve(text, strlen(text), &w->text);
	buf_puts(&w->text, "\n");
	for (size_t i = before; buf_error(&w->text) == 0 && i < w->text.len; i++)
		w->lines += w->text.data[i] == '\n';
	return buf_error(&w->text);
}

static int whole_parse(const struct whole *w, const struct rivals_place *p, struct rivals *ret)
{
	struct rivals_file f = {
		.who = p->who,
		.path = w->parts[0].path,
		.text = buf_text(&w->text),
		.parts = w->parts,
		.n_parts = w->n,
		.ret = ret,
	};

	parsers[p->form](&f);
	return f.r;
}

/* --- one place after the other -------------------------------------------------------------- */

struct reading {
	const struct host *h;
	struct rivals *ret;
	struct strv seen;    /* names that hide others of their kind */
	struct strv scripts; /* that units, rules and others of them call */
	struct strv enabled; /* units, of all trees, once they are asked for */
	bool has_enabled;
	struct whole whole; /* of a manager whose files say one thing together */
};

static void reading_done(struct reading *rd)
{
	strv_done(&rd->seen);
	strv_done(&rd->scripts);
	strv_done(&rd->enabled);
	whole_done(&rd->whole);
}
#define AUTO_READING CLEANUP(reading_done)

/* The operator keeps what it set of a function in a file of that name. */
static int add_name(struct rivals *ret, const struct rivals_place *p, const char *path,
		    const char *name)
{
	static const char text[] = "a record of the function";
	const struct rivals_line l = { .start = text, .len = strlen(text) };
	struct rivals_file f = { .who = p->who, .path = path, .ret = ret };

	rivals_lines_add(&f, &l, name, strlen(name));
	return f.r;
}

/* Is it known that there is nothing, or what has no text? */
static bool is_no_text(const struct reading *rd, const char *path, int r)
{
	return absence_is_known(rd->h, path, r) || r == -EINVAL || r == -EISDIR || r == -ELOOP;
}

/* 1: it is there; 0: it is not, or could not be read, which is noted; -ENOMEM. */
static int read_text(struct reading *rd, const char *path, struct buf *ret_text)
{
	int r = host_read(rd->h, FILE_MAX, ret_text, NULL, "%s", path);

	/* A folder, a link to /dev/null, which masks, and one that leads nowhere. */
	if (is_no_text(rd, path, r))
		return 0;
	return r < 0 ? note_blind(rd->ret, r, path) : 1;
}

/* The names in a folder that are known; -ENOMEM. */
static int list(struct reading *rd, const char *dir, struct strv *ret)
{
	int r = absence_list(rd->h, dir, ret);

	return r < 0 ? note_blind(rd->ret, r, dir) : 0;
}

static int add_file(struct reading *rd, struct whole *w, const char *path)
{
	AUTO_BUF struct buf text = { 0 };
	int r = read_text(rd, path, &text);

	return r > 0 ? whole_add(w, path, buf_text(&text)) : r;
}

/* Files of a folder NAME.d, where @dir has one. */
static int add_drop_ins_of(struct reading *rd, struct whole *w, const char *dir, const char *name)
{
	AUTO_STRV struct strv beside = { 0 }, names = { 0 };
	AUTO_BUF struct buf folder = { 0 }, path = { 0 };
	int r;

	buf_printf(&folder, "%s.d", name);
	r = list(rd, dir, &beside);
	if (r < 0 || !strv_has(&beside, buf_text(&folder)))
		return buf_error(&folder) < 0 ? -ENOMEM : r;
	buf_clear(&folder);
	buf_printf(&folder, "%s/%s.d", dir, name);
	r = list(rd, buf_text(&folder), &names);
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		buf_clear(&path);
		buf_printf(&path, "%s/%s", buf_text(&folder), names.items[i]);
		if (buf_error(&path) < 0)
			return -ENOMEM;
		if (fnmatch("*.conf", names.items[i], 0) == 0)
			r = add_file(rd, w, buf_text(&path));
	}
	return buf_error(&folder) < 0 ? -ENOMEM : r;
}

/* With the drop-ins that all places of the manager have for it (systemd.link(5)). */
static int read_with_drop_ins(struct reading *rd, const struct rivals_place *p, const char *path,
			      const char *name)
{
	AUTO_WHOLE struct whole w = { 0 };
	int r = add_file(rd, &w, path);

	for (size_t i = 0; r == 0 && w.n > 0 && rivals_places_at(i); i++)
		if (rivals_places_at(i)->form == p->form)
			r = add_drop_ins_of(rd, &w, rivals_places_at(i)->dir, name);
	return r == 0 && w.n > 0 ? whole_parse(&w, p, rd->ret) : r;
}

static int read_file(struct reading *rd, const struct rivals_place *p, const char *path)
{
	AUTO_BUF struct buf text = { 0 };
	int r = read_text(rd, path, &text);

	if (r <= 0)
		return r;
	if (p->merges)
		return whole_add(&rd->whole, path, buf_text(&text));
	if (p->form == RIVALS_WRITER)
		r = rivals_calls(buf_text(&text), &rd->scripts, &rd->enabled);
	return r < 0 ? r : rivals_parse(p->form, p->who, path, buf_text(&text), rd->ret);
}

/* What is below a folder that was found, by a pattern or a name. */
static int read_below(struct reading *rd, const struct rivals_place *p, const char *dir)
{
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf path = { 0 };
	bool is_pattern = strchr(p->below, '*');
	int r = is_pattern ? list(rd, dir, &names) : strv_add(&names, p->below);

	for (size_t i = 0; r == 0 && i < names.n; i++) {
		buf_clear(&path);
		buf_printf(&path, "%s/%s", dir, names.items[i]);
		if (buf_error(&path) < 0)
			return -ENOMEM;
		if (fnmatch(p->below, names.items[i], 0) == 0)
			r = read_file(rd, p, buf_text(&path));
	}
	return r;
}

static int read_named(struct reading *rd, const struct rivals_place *p, const char *name)
{
	AUTO_BUF struct buf path = { 0 };

	if (fnmatch(p->glob, name, FNM_EXTMATCH) != 0 || (p->masks && strv_has(&rd->seen, name)))
		return 0;
	if (p->masks && strv_add(&rd->seen, name) < 0)
		return -ENOMEM;
	buf_printf(&path, "%s/%s", p->dir, name);
	if (buf_error(&path) < 0)
		return -ENOMEM;
	if (p->below)
		return read_below(rd, p, buf_text(&path));
	if (p->form == RIVALS_NAME)
		return add_name(rd->ret, p, buf_text(&path), name);
	if (p->form == RIVALS_SYSTEMD)
		return read_with_drop_ins(rd, p, buf_text(&path), name);
	return read_file(rd, p, buf_text(&path));
}

static int read_enabled(struct reading *rd)
{
	AUTO_BUF struct buf blind = { 0 };
	int r;

	if (rd->has_enabled)
		return 0;
	rd->has_enabled = true;
	r = rivals_units_enabled(rd->h, &rd->enabled, &blind);
	return r < 0 ? note_blind(rd->ret, r, buf_text(&blind)) : 0;
}

static int list_enabled(struct reading *rd, const struct rivals_place *p, struct strv *ret)
{
	AUTO_STRV struct strv there = { 0 };
	int r = read_enabled(rd);

	if (r == 0)
		r = list(rd, p->dir, &there);
	for (size_t i = 0; r == 0 && i < rd->enabled.n; i++)
		if (strv_has(&there, rd->enabled.items[i]))
			r = strv_add(ret, rd->enabled.items[i]);
	return r;
}

static int read_place(struct reading *rd, const struct rivals_place *p)
{
	AUTO_STRV struct strv names = { 0 };
	int r;

	if (!p->glob)
		return read_file(rd, p, p->dir);
	r = p->enabled ? list_enabled(rd, p, &names) : list(rd, p->dir, &names);
	for (size_t i = 0; r == 0 && i < names.n; i++)
		r = read_named(rd, p, names.items[i]);
	return r;
}

/* Also before /usr was one with /; 0, or as host_read(). */
static int read_script(struct reading *rd, const char **path, struct buf *ret)
{
	int r = host_read(rd->h, FILE_MAX, ret, NULL, "%s", *path);

	if (r < 0 && parse_has_prefix(*path, RIVALS_CALLS_UDEV) && is_no_text(rd, *path, r)) {
		*path += strlen("/usr");
		r = host_read(rd->h, FILE_MAX, ret, NULL, "%s", *path);
	}
	return is_no_text(rd, *path, r) || r == -EFBIG ? -ENOENT : r;
}

/* What something runs: a program, which is none of these, or a script, which may run others. */
static int read_scripts(struct reading *rd)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < rd->scripts.n; i++) {
		const char *path = rd->scripts.items[i];
		AUTO_BUF struct buf text = { 0 };
		size_t before = rd->ret->n;

		r = read_script(rd, &path, &text);
		if (r < 0) {
			r = r == -ENOENT ? 0 : note_blind(rd->ret, r, path);
			continue;
		}
		r = rivals_parse(RIVALS_WRITER, "a script that is called", path, buf_text(&text),
				 rd->ret);
		if (r == 0)
			r = rivals_calls(buf_text(&text), &rd->scripts, &rd->enabled);
		for (size_t k = before; k < rd->ret->n; k++)
			rd->ret->items[k].is_called = true;
	}
	return r;
}

/* Between two managers. */
static int end_manager(struct reading *rd, const struct rivals_place *last)
{
	int r = rd->whole.n > 0 ? whole_parse(&rd->whole, last, rd->ret) : 0;

	whole_done(&rd->whole);
	strv_done(&rd->seen);
	return r;
}

static int read_rivals(const struct host *h, struct rivals *ret, struct error *e)
{
	AUTO_READING struct reading rd = { .h = h, .ret = ret };
	const struct rivals_place *p, *next = rivals_places_at(0);
	int r = 0;

	for (size_t i = 0; r == 0 && (p = next); i++) {
		next = rivals_places_at(i + 1);
		r = read_place(&rd, p);
		if (r == 0 && (!next || strcmp(next->who, p->who) != 0))
			r = end_manager(&rd, p);
	}
	if (r == 0)
		r = read_scripts(&rd);
	if (r == 0)
		return 0;
	rivals_done(ret);
	return error_nomem(e);
}
HOST_FACT_DEFINE(rivals, read_rivals)

void rivals_done(struct rivals *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->items[i].path);
		free(c->items[i].text);
		free(c->items[i].target);
	}
	free(c->items);
	free(c->blind);
	*c = (struct rivals){ 0 };
}
