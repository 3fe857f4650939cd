/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/kargs_plan.h>

#include "kargs_bootc.h"
#include "kargs_entry.h"
#include "kargs_files.h"
#include "kargs_grub.h"

#include <sriovctl/bootcfg_remedy.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/kargs.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define GRUB_DEFAULT "/etc/default/grub"
#define CMDLINE	     "/etc/kernel/cmdline"

/* A way that is gone here, and what of it. */
struct way {
	enum kargs_generator generator;
	const char *result;
	bool entries;	  /* boot loader entries are edited themselves */
	bool defaults;	  /* what GRUB's generator reads, is edited */
	const char *line; /* a file that is one command line, for kernels to come */
	bool image;	  /* the files of an image, from which machines are made */
};

static const struct way *way_of(enum bootcfg_method method)
{
	static const struct way ways[BOOTCFG_METHOD_MAX] = {
		/* As grubby does it: entries, and what entries to come are made of. */
		[BOOTCFG_GRUBBY] = { .entries = true, .defaults = true, .line = CMDLINE },
		[BOOTCFG_GRUBBY_MISSING] = { .entries = true, .defaults = true, .line = CMDLINE },
		[BOOTCFG_UPDATE_GRUB] = { .defaults = true,
					  .generator = KARGS_GENERATOR_UPDATE_GRUB,
					  .result = "/boot/grub/grub.cfg" },
		[BOOTCFG_GRUB_MKCONFIG] = { .defaults = true,
					    .generator = KARGS_GENERATOR_GRUB_MKCONFIG,
					    .result = "/boot/grub/grub.cfg" },
		[BOOTCFG_GRUB2_MKCONFIG] = { .defaults = true,
					     .generator = KARGS_GENERATOR_GRUB2_MKCONFIG,
					     .result = "/boot/grub2/grub.cfg" },
		/* In place, as "ostree admin kargs edit-in-place": deployments inherit it. */
		[BOOTCFG_RPM_OSTREE] = { .entries = true },
		[BOOTCFG_BOOTC] = { .entries = true, .image = true },
		[BOOTCFG_KERNEL_INSTALL] = { .entries = true, .line = CMDLINE },
		[BOOTCFG_KERNEL_INSTALL_BOOT] = { .entries = true, .line = CMDLINE },
		[BOOTCFG_LOADER_ENTRIES] = { .entries = true },
		[BOOTCFG_CMDLINE_TXT] = { .line = "/boot/firmware/cmdline.txt" },
	};
	const struct way *w = &ways[method];

	return w->entries || w->defaults || w->line ? w : NULL;
}

static int add_edit(struct kargs_plan *p, const char *path, const struct buf *before,
		    const struct buf *after, struct error *e)
{
	struct kargs_edit edit = { .path = strdup(path), .is_new = !before };
	struct kargs_edit *edits = base_room(p->edits, p->n, sizeof(*edits));

	if (before)
		buf_append(&edit.before, buf_text(before), before->len);
	buf_append(&edit.after, buf_text(after), after->len);
	if (edits)
		p->edits = edits;
	if (!edit.path || buf_error(&edit.before) < 0 || buf_error(&edit.after) < 0 || !edits) {
		free(edit.path);
		buf_done(&edit.before);
		buf_done(&edit.after);
		return error_nomem(e);
	}
	p->edits[p->n++] = edit;
	return 0;
}

/* Where nothing changes, there is no edit. */
static int add_change(struct kargs_plan *p, const char *path, const struct buf *before,
		      const struct buf *after, struct error *e)
{
	if (before->len == after->len && memcmp(buf_text(before), buf_text(after), after->len) == 0)
		return 0;
	return add_edit(p, path, before, after, e);
}

static int plan_grub(const struct host *h, const struct way *w, const struct kargs *k,
		     struct kargs_plan *p, struct error *e)
{
	AUTO_KARGS_FILES struct kargs_files files = { 0 };
	int r = kargs_files_grub(h, w->generator, &files, e);

	/* GRUB's entries can do without. */
	if (r == -ENOENT && w->entries)
		return 0;
	if (r == 0)
		r = kargs_grub_edit(files.items, files.n, k, e);
	for (size_t i = 0; r == 0 && i < files.n; i++)
		r = add_change(p, files.items[i].path, &files.items[i].before,
			       &files.items[i].after, e);
	return r;
}

/* What the generator made last may be of other files than there are now. */
static int ask_generator(const struct host *h, const struct way *w, const struct kargs *k,
			 struct kargs_plan *p, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = kargs_files_read(h, w->result, &text, NULL);

	if (r == 0)
		r = kargs_grub_staged(w->result, buf_text(&text), k, NULL);
	if (r == -ENOMEM)
		return error_nomem(e);
	p->result = w->result;
	if (p->n > 0 || r < 0)
		p->generator = w->generator;
	return 0;
}

/*
 * Whether a line that begins with '#' is left out differs with who makes entries of the file;
 * of @one the boot loader takes one line (the Raspberry Pi's firmware).
 */
static int judge_lines(const char *path, const char *text, bool one, struct error *e)
{
	unsigned number = 0, found = 0;
	const char *line;
	size_t len;

	while (parse_line(&text, &line, &len)) {
		size_t blank = 0;

		number++;
		while (blank < len && strchr(" \t\r", line[blank]))
			blank++;
		if (blank == len)
			continue;
		if (line[blank] == '#')
			return error_set(e, -ENOTSUP,
					 "%s:%u: whether this line is a comment is not known: take "
					 "it out",
					 path, number);
		if (found++ > 0 && one)
			return error_set(e, -ENOTSUP,
					 "%s:%u: a command line is one line here: join it to the "
					 "one before, or take it out",
					 path, number);
	}
	return 0;
}

static int plan_line(const struct host *h, const char *path, const struct kargs *k,
		     struct kargs_plan *p, struct error *e)
{
	AUTO_BUF struct buf before = { 0 }, after = { 0 };
	int r = kargs_files_read(h, path, &before, e);

	if (r == 0)
		r = judge_lines(path, buf_text(&before), strcmp(path, CMDLINE) != 0, e);
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	kargs_edit(buf_text(&before), k, &after);
	if (buf_error(&after) < 0)
		return error_nomem(e);
	if (!kargs_holds(buf_text(&after), k))
		return error_set(e, -ENOTSUP, "%s:1: a quote in it is not closed", path);
	return add_change(p, path, &before, &after, e);
}

/* The block of variables as it will be, in @ret; empty where no entry refers to it. */
static int plan_env(const struct host *h, const struct kargs_files *entries, const struct kargs *k,
		    struct kargs_plan *p, struct buf *ret, struct error *e)
{
	static const char path[] = "/boot/grub2/grubenv";
	AUTO_BUF struct buf before = { 0 };
	bool is_needed = false;
	int r = kargs_files_read(h, path, &before, e);

	for (size_t i = 0; i < entries->n; i++)
		is_needed |= kargs_entry_has_variable(buf_text(&entries->items[i].before));
	if (r < 0 && (is_needed || r == -ENOMEM))
		return r;
	if (!is_needed) {
		buf_append(ret, buf_text(&before), before.len);
		return buf_error(ret) < 0 ? error_nomem(e) : 0;
	}
	r = kargs_entry_edit_env(path, buf_text(&before), k, ret, e);
	return r < 0 ? r : add_change(p, path, &before, ret, e);
}

static int plan_entries(const struct host *h, const struct kargs *k, struct kargs_plan *p,
			struct error *e)
{
	AUTO_KARGS_FILES struct kargs_files entries = { 0 };
	AUTO_BUF struct buf env = { 0 };
	size_t found = 0;
	int r = kargs_files_entries(h, &entries, e);

	if (r == 0)
		r = plan_env(h, &entries, k, p, &env, e);
	for (size_t i = 0; r == 0 && i < entries.n; i++) {
		struct kargs_grub_file *f = &entries.items[i];

		if (!kargs_entry_is_linux(buf_text(&f->before)))
			continue;
		found++;
		r = kargs_entry_edit(f->path, buf_text(&f->before), buf_text(&env), k, &f->after,
				     e);
		if (r == 0)
			r = add_change(p, f->path, &f->before, &f->after, e);
	}
	return r == 0 && found == 0
		       ? error_set(e, -ENOTSUP,
				   "there is no boot loader entry of a Linux kernel in "
				   "/boot/loader/entries or on the EFI partition")
		       : r;
}

static int plan_image(const struct host *h, const struct kargs *k, struct kargs_plan *p,
		      struct error *e)
{
	AUTO_BUF struct buf before = { 0 }, after = { 0 };
	bool is_new = false;
	int r = kargs_bootc_edit(h, k, &before, &after, &is_new, e);

	if (r < 0 || (is_new && after.len == 0))
		return r;
	return is_new ? add_edit(p, KARGS_BOOTC_FILE, NULL, &after, e)
		      : add_change(p, KARGS_BOOTC_FILE, &before, &after, e);
}

static int refuse(enum bootcfg_method method, const struct kargs *k, struct error *e)
{
	const struct bootcfg cfg = { .method = method };
	AUTO_BUF struct buf text = { 0 };

	for (size_t i = 0; i < k->add.n; i++) {
		buf_puts(&text, " ");
		bootcfg_remedy_add(&cfg, k->add.items[i], &text);
	}
	for (size_t i = 0; i < k->remove.n; i++) {
		buf_puts(&text, " ");
		bootcfg_remedy_remove(&cfg, k->remove.items[i], &text);
	}
	return buf_error(&text) < 0 ? error_nomem(e)
				    : error_set(e, -ENOTSUP, "this program does not do it here:%s",
						buf_text(&text));
}

static int make(const struct host *h, enum bootcfg_method method, const struct kargs *k,
		struct kargs_plan *p, struct error *e)
{
	const struct way *w = way_of(method);
	int r = kargs_check(k, e);

	if (r < 0)
		return r;
	if (!w)
		return refuse(method, k, e);
	if (w->image && !host_is_live(h) && host_exists(h, KARGS_BOOTC_DIR) == 0)
		return plan_image(h, k, p, e);
	if (w->entries)
		r = plan_entries(h, k, p, e);
	if (r == 0 && w->defaults)
		r = plan_grub(h, w, k, p, e);
	if (r == 0 && w->line)
		r = plan_line(h, w->line, k, p, e);
	if (r == 0 && w->generator)
		r = ask_generator(h, w, k, p, e);
	return r;
}

int kargs_plan_make(const struct host *h, enum bootcfg_method method, const struct kargs *k,
		    struct kargs_plan *ret, struct error *e)
{
	AUTO_KARGS_PLAN struct kargs_plan p = { 0 };
	int r = k->add.n + k->remove.n > 0 ? make(h, method, k, &p, e) : 0;

	if (host_ran_out(h))
		return error_nomem(e);
	if (r < 0)
		return r;
	/* Of files that there need not be. */
	if (e)
		*e = (struct error){ 0 };
	*ret = p;
	p = (struct kargs_plan){ 0 };
	return 0;
}

void kargs_plan_done(struct kargs_plan *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->edits[i].path);
		buf_done(&p->edits[i].before);
		buf_done(&p->edits[i].after);
	}
	free(p->edits);
	*p = (struct kargs_plan){ 0 };
}
