/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/bootnext.h>

#include "absence.h"
#include "bootnext_form.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX    (1024 * 1024)
#define ENTRIES	    "/loader/entries"
#define LOADER_INFO "/sys/firmware/efi/efivars/LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"

static int note_blind(struct bootnext *b, int r, const char *path)
{
	if (r == -ENOMEM || b->error < 0)
		return r == -ENOMEM ? r : 0;
	b->error = r;
	b->blind = strdup(path);
	return b->blind ? 0 : -ENOMEM;
}

/* What could not be read is of no interest any more. */
static void forget_blind(struct bootnext *b)
{
	free(b->blind);
	b->blind = NULL;
	b->error = 0;
}

/* 1: it is there; 0: it is not, or not readable, which is noted; -ENOMEM. */
static int read_file(const struct host *h, enum bootnext_form form, const char *path,
		     struct bootnext_file *f, struct bootnext *ret)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_read(h, FILE_MAX, &text, NULL, "%s", path);

	if (absence_is_known(h, path, r))
		return 0;
	if (r < 0)
		return note_blind(ret, r, path);
	r = bootnext_parse(form, path, buf_text(&text), f);
	return r < 0 ? r : 1;
}

static int set_source(struct bootnext *ret, const char *path)
{
	free(ret->source);
	ret->source = strdup(path);
	return ret->source ? 1 : -ENOMEM;
}

static int move_entries(struct bootnext_file *from, struct bootnext *ret)
{
	struct bootnext_entry *items =
		reallocarray(ret->items, ret->n + from->n + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	ret->items = items;
	for (size_t i = 0; i < from->n; i++)
		items[ret->n++] = from->items[i];
	from->n = 0;
	return 0;
}

/* --- loader/entries ------------------------------------------------------------------------- */

static int read_entries_of(const struct host *h, const char *top, struct bootnext *ret)
{
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf dir = { 0 };
	int r, found = 0;

	buf_printf(&dir, "%s" ENTRIES, top);
	if (buf_error(&dir) < 0)
		return -ENOMEM;
	r = host_list(h, &names, NULL, "%s", buf_text(&dir));
	if (absence_is_known(h, buf_text(&dir), r))
		return 0;
	if (r < 0)
		return note_blind(ret, r, buf_text(&dir));
	for (size_t i = 0; i < names.n; i++) {
		AUTO_BOOTNEXT_FILE struct bootnext_file f = { 0 };
		AUTO_BUF struct buf path = { 0 };
		enum bootnext_form form;

		buf_printf(&path, "%s/%s", buf_text(&dir), names.items[i]);
		if (buf_error(&path) < 0)
			return -ENOMEM;
		if (!bootnext_form_of(buf_text(&path), &form) || form != BOOTNEXT_ENTRY)
			continue;
		r = read_file(h, form, buf_text(&path), &f, ret);
		if (r < 0 || move_entries(&f, ret) < 0)
			return -ENOMEM;
		found = 1;
	}
	return found ? set_source(ret, buf_text(&dir)) : 0;
}

/* The boot partition itself, and the two places of the EFI partition. */
static int read_entries(const struct host *h, struct bootnext *ret)
{
	static const char *const tops[] = { "/boot", "/efi", "/boot/efi" };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(tops); i++)
		r = read_entries_of(h, tops[i], ret);
	return r;
}

/* --- GRUB ------------------------------------------------------------------------------------- */

static bool is_of_grub(const char *cfg)
{
	return parse_has_prefix(cfg, "/boot/grub/");
}

/* Beside the menu, but of Red Hat's on EFI, where /boot has a link to it. */
static int read_environment(const struct host *h, const char *cfg, struct bootnext_file *f,
			    struct bootnext *ret)
{
	const char *path = is_of_grub(cfg) ? "/boot/grub/grubenv" : "/boot/grub2/grubenv";
	int r = read_file(h, BOOTNEXT_ENV, path, f, ret);

	return r < 0 ? r : 0;
}

/* Appended to what @cfg says, as GRUB's own menus take it in at their end. */
static int read_custom(const struct host *h, struct bootnext_file *cfg, struct bootnext *ret)
{
	static const char *const paths[] = { "/boot/grub2/" BOOTNEXT_CUSTOM,
					     "/boot/grub/" BOOTNEXT_CUSTOM };
	int r = read_file(h, BOOTNEXT_GRUB, paths[is_of_grub(ret->source)], cfg, ret);

	return r < 0 ? r : 0;
}

static bool is_name_of(const struct bootnext_entry *e, const char *name)
{
	size_t n = strlen(name);

	/* grubenv names a file of loader/entries without its ending. */
	return strncmp(e->name, name, n) == 0 &&
	       (e->name[n] == '\0' || strcmp(e->name + n, ".conf") == 0);
}

/* Which entry GRUB takes by itself: an index, or -1 where that is not told. */
static ptrdiff_t find_default(const struct bootnext *b, const struct bootnext_file *cfg,
			      const struct bootnext_file *env)
{
	const char *chosen = bootnext_form_variable(env, "next_entry");
	const char *by_cfg = bootnext_form_variable(cfg, "default");

	if (!chosen || !*chosen)
		chosen = by_cfg && !strchr(by_cfg, '$') && *by_cfg
				 ? by_cfg
				 : bootnext_form_variable(env, "saved_entry");
	if (!chosen)
		return -1;
	/* The entries of loader/entries are sorted by a rule of their own. */
	if (strcmp(chosen, "0") == 0 && !cfg->has_bls)
		chosen = bootnext_form_variable(cfg, BOOTNEXT_FIRST);
	if (!chosen || !*chosen)
		return -1;
	for (size_t i = 0; i < b->n; i++)
		if (is_name_of(&b->items[i], chosen))
			return (ptrdiff_t)i;
	return -1;
}

static void entry_done(struct bootnext_entry *e)
{
	free(e->path);
	free(e->name);
	free(e->kernel);
	strv_done(&e->words);
}

/* Only those stay that may be the next: the default, or all but rescues. */
static void keep_possible(struct bootnext *b, ptrdiff_t chosen)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		if (chosen >= 0 ? i == (size_t)chosen : !b->items[i].is_rescue)
			b->items[n++] = b->items[i];
		else
			entry_done(&b->items[i]);
	}
	b->n = n;
}

static int finish_grub(const struct host *h, struct bootnext_file *cfg, struct bootnext *ret)
{
	AUTO_BOOTNEXT_FILE struct bootnext_file env = { 0 };
	const struct bootnext_file *const files[] = { &env, cfg };
	int r = read_environment(h, ret->source, &env, ret);

	if (r == 0 && cfg->has_custom)
		r = read_custom(h, cfg, ret);
	if (r == 0)
		r = move_entries(cfg, ret);
	if (r == 0 && cfg->has_bls)
		r = read_entries(h, ret);
	for (size_t i = 0; i < ret->n; i++)
		ret->items[i].is_unsure |= cfg->has_source;
	for (size_t i = 0; r >= 0 && i < ret->n; i++)
		r = bootnext_form_expand(&ret->items[i], files, ARRAY_SIZE(files));
	if (r < 0)
		return r;
	for (size_t i = 0; i < ret->n; i++)
		if (strv_add(&ret->kernels, ret->items[i].kernel) < 0)
			return -ENOMEM;
	ret->by_grub = true;
	keep_possible(ret, find_default(ret, cfg, &env));
	return ret->source ? 1 : 0;
}

/* Of Red Hat the links in /etc lead to where it is; on EFI the firmware's file is the one. */
static int read_grub(const struct host *h, struct bootnext *ret)
{
	static const char *const paths[] = { "/etc/grub2-efi.cfg", "/etc/grub2.cfg",
					     "/boot/grub2/grub.cfg", "/boot/grub/grub.cfg" };
	AUTO_BOOTNEXT_FILE struct bootnext_file cfg = { 0 };
	bool is_efi = host_exists(h, "/sys/firmware/efi") == 0;
	int r = 0;

	for (size_t i = is_efi ? 0 : 1; r == 0 && ret->error != -EACCES && i < ARRAY_SIZE(paths);
	     i++) {
		r = read_file(h, BOOTNEXT_GRUB, paths[i], &cfg, ret);
		if (r <= 0)
			continue;
		forget_blind(ret);
		r = set_source(ret, paths[i]);
	}
	return r > 0 ? finish_grub(h, &cfg, ret) : r;
}

/* --- the others ------------------------------------------------------------------------------- */

/* The boot loader says itself that it was this one, in a variable of the firmware. */
static bool is_systemd_boot(const struct host *h)
{
	static const char name[] = "s\0y\0s\0t\0e\0m\0d\0-\0b\0o\0o\0t";
	AUTO_BUF struct buf raw = { 0 };

	return host_read(h, HOST_ATTR_MAX, &raw, NULL, LOADER_INFO) == 0 &&
	       raw.len >= 4 + sizeof(name) && memcmp(raw.data + 4, name, sizeof(name)) == 0;
}

static int read_systemd_boot(const struct host *h, struct bootnext *ret)
{
	int r = is_systemd_boot(h) ? read_entries(h, ret) : 0;

	if (r > 0)
		keep_possible(ret, -1);
	return r;
}

static int read_one(const struct host *h, enum bootnext_form form, const char *path,
		    struct bootnext *ret)
{
	AUTO_BOOTNEXT_FILE struct bootnext_file f = { 0 };
	int r = read_file(h, form, path, &f, ret);

	if (r > 0)
		r = move_entries(&f, ret) < 0 ? -ENOMEM : set_source(ret, path);
	if (r > 0)
		keep_possible(ret, -1);
	return r;
}

static int read_plain(const struct host *h, struct bootnext *ret)
{
	int r = read_one(h, BOOTNEXT_PLAIN, "/boot/firmware/cmdline.txt", ret);

	ret->firmware_adds = r > 0;
	return r;
}

static int read_extlinux(const struct host *h, struct bootnext *ret)
{
	int r = read_one(h, BOOTNEXT_EXTLINUX, "/boot/extlinux/extlinux.conf", ret);

	return r == 0 ? read_one(h, BOOTNEXT_EXTLINUX, "/boot/extlinux.conf", ret) : r;
}

static int read_bootnext(const struct host *h, struct bootnext *ret, struct error *e)
{
	static int (*const readers[])(const struct host *h, struct bootnext *ret) = {
		read_plain,
		read_systemd_boot,
		read_grub,
		read_extlinux,
	};
	int r = 0;

	/* What is there and may not be read is the one that tells. */
	for (size_t i = 0; r == 0 && ret->error != -EACCES && i < ARRAY_SIZE(readers); i++) {
		if (!ret->source)
			forget_blind(ret);
		r = readers[i](h, ret);
	}
	if (r >= 0)
		return 0;
	bootnext_done(ret);
	return error_nomem(e);
}
HOST_FACT_DEFINE(bootnext, read_bootnext)

void bootnext_done(struct bootnext *b)
{
	for (size_t i = 0; i < b->n; i++)
		entry_done(&b->items[i]);
	free(b->items);
	strv_done(&b->kernels);
	free(b->source);
	free(b->blind);
	*b = (struct bootnext){ 0 };
}
