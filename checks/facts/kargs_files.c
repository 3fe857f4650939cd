/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kargs_files.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A grub.cfg of a machine with hundreds of kernels. */
#define FILE_MAX      (4u << 20)
#define GRUB_DEFAULT  "/etc/default/grub"
#define GRUB_DEFAULTS "/etc/default/grub.d"

int kargs_files_read(const struct host *h, const char *path, struct buf *ret, struct error *e)
{
	int r = host_read(h, FILE_MAX, ret, NULL, "%s", path);

	if (r == -ENOMEM)
		return error_nomem(e);
	/* Below a root to be written to, a folder that is not there is no gap of a copy. */
	if (r == -ENODATA && host_link(h, ret, NULL, "%s", path) < 0)
		r = -ENOENT;
	if (r < 0)
		return error_set(e, r, "%s: %s", path, host_why(h, r));
	if (memchr(buf_text(ret), '\0', ret->len))
		return error_set(e, -ENOTSUP, "%s: not text", path);
	return 0;
}

int kargs_files_add(struct kargs_files *f, const struct host *h, const char *path, struct error *e)
{
	struct kargs_grub_file *items = base_room(f->items, f->n, sizeof(*items));
	struct kargs_grub_file file = { 0 };
	int r = kargs_files_read(h, path, &file.before, e);

	if (items)
		f->items = items;
	file.path = strdup(path);
	if (r == 0 && (!file.path || !items))
		r = error_nomem(e);
	if (r < 0) {
		free(file.path);
		buf_done(&file.before);
		return r;
	}
	f->items[f->n++] = file;
	return 0;
}

void kargs_files_done(struct kargs_files *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->items[i].path);
		buf_done(&f->items[i].before);
		buf_done(&f->items[i].after);
	}
	free(f->items);
	*f = (struct kargs_files){ 0 };
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* As a shell's * has them, which is not the order of numbers. */
static int list_sorted(const struct host *h, const char *dir, struct strv *ret, struct error *e)
{
	int r = host_list(h, ret, NULL, "%s", dir);

	if (r == -ENOMEM)
		return error_nomem(e);
	/* Nobody can be told of what was not copied. */
	if (r == -ENOENT || r == -ENODATA)
		return 0;
	if (r < 0)
		return error_set(e, r, "%s: %s", dir, host_why(h, r));
	if (ret->n > 1)
		qsort(ret->items, ret->n, sizeof(*ret->items), compare);
	return 0;
}

static bool has_ending(const char *name, const char *ending)
{
	size_t len = strlen(name), n = strlen(ending);

	return name[0] != '.' && len > n && strcmp(name + len - n, ending) == 0;
}

static int add_folder(struct kargs_files *f, const struct host *h, const char *dir,
		      const char *ending, struct error *e)
{
	AUTO_STRV struct strv names = { 0 };
	int r = list_sorted(h, dir, &names, e);

	for (size_t i = 0; r == 0 && i < names.n; i++) {
		AUTO_BUF struct buf path = { 0 };

		if (!has_ending(names.items[i], ending))
			continue;
		buf_printf(&path, "%s/%s", dir, names.items[i]);
		r = buf_error(&path) < 0 ? error_nomem(e)
					 : kargs_files_add(f, h, buf_text(&path), e);
	}
	return r;
}

/* Debian's generator reads a folder besides; that of others may, which its own text shows. */
static bool reads_folder(const struct host *h, enum kargs_generator generator)
{
	static const char *const scripts[] = { "/usr/sbin/grub2-mkconfig",
					       "/usr/sbin/grub-mkconfig",
					       "/usr/bin/grub-mkconfig" };

	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++) {
		AUTO_BUF struct buf text = { 0 };

		if (host_read(h, FILE_MAX, &text, NULL, "%s", scripts[i]) == 0)
			return strstr(buf_text(&text), "default/grub.d") != NULL;
	}
	return generator == KARGS_GENERATOR_UPDATE_GRUB;
}

int kargs_files_grub(const struct host *h, enum kargs_generator generator, struct kargs_files *ret,
		     struct error *e)
{
	int r = kargs_files_add(ret, h, GRUB_DEFAULT, e);

	if (r == 0 && reads_folder(h, generator))
		r = add_folder(ret, h, GRUB_DEFAULTS, ".cfg", e);
	return r;
}

static const char *const boots[] = { "/boot", "/efi", "/boot/efi" };

static int refuse_images(const struct host *h, const char *boot, struct error *e)
{
	AUTO_BUF struct buf dir = { 0 };
	AUTO_STRV struct strv names = { 0 };
	int r;

	buf_printf(&dir, "%s/EFI/Linux", boot);
	if (buf_error(&dir) < 0)
		return error_nomem(e);
	r = list_sorted(h, buf_text(&dir), &names, e);
	for (size_t i = 0; r == 0 && i < names.n; i++)
		if (has_ending(names.items[i], ".efi"))
			r = error_set(e, -ENOTSUP,
				      "%s/%s has its command line inside, perhaps signed: build it "
				      "anew with what is wanted",
				      buf_text(&dir), names.items[i]);
	return r;
}

int kargs_files_entries(const struct host *h, struct kargs_files *ret, struct error *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(boots); i++) {
		AUTO_BUF struct buf dir = { 0 }, link = { 0 };

		/* Another name for what is seen by its own. */
		if (host_link(h, &link, NULL, "%s", boots[i]) == 0)
			continue;
		buf_printf(&dir, "%s/loader/entries", boots[i]);
		if (buf_error(&dir) < 0)
			return error_nomem(e);
		r = refuse_images(h, boots[i], e);
		if (r == 0)
			r = add_folder(ret, h, buf_text(&dir), ".conf", e);
	}
	return r;
}
