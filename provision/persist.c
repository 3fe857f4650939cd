/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/persist.h>

#include "manifest.h"
#include "persist_items.h"
#include "rootdir.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LOCKED	    "/etc"
#define FOLDER	    "/etc/sriovctl"
#define MANIFEST    FOLDER "/installed"
#define STATE	    "/var/lib/sriovctl"
#define FOLDER_MODE 0755

struct persist {
	struct rootdir root;
	int lock;
	bool replace;
	struct persist_items wanted; /* none: nothing is to stay */
	/* What was recorded, what is to be at the end, and what may be there on the way. */
	struct manifest was, will, on_the_way;
	struct strv folders, writes, removals; /* paths, in their order */
	struct strv changes, edited;
	bool forgets; /* which cards it was */
};

/* --- looking ---------------------------------------------------------------------------------- */

enum look { LOOK_ABSENT, LOOK_SAME, LOOK_OURS, LOOK_EDITED };

static int judge_file(const struct persist *p, const char *path, const struct persist_item *want,
		      enum look *ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 }, digest = { 0 };
	uint32_t mode = 0;
	int r = rootdir_read(&p->root, path, &text, &mode, e);

	if (r < 0)
		return r;
	manifest_digest(&text, &digest);
	if (buf_error(&digest) < 0)
		return error_nomem(e);
	if (want && text.len == want->text.len &&
	    memcmp(buf_text(&text), buf_text(&want->text), text.len) == 0)
		*ret = mode == want->mode ? LOOK_SAME : LOOK_OURS;
	else
		*ret = manifest_has(&p->was, MANIFEST_FILE, buf_text(&digest), path) ? LOOK_OURS
										     : LOOK_EDITED;
	return 0;
}

static int judge_link(const struct persist *p, const char *path, const struct persist_item *want,
		      enum look *ret, struct error *e)
{
	AUTO_BUF struct buf target = { 0 };
	int r = rootdir_read_link(&p->root, path, &target, e);

	if (r < 0)
		return r;
	if (want && strcmp(buf_text(&target), buf_text(&want->text)) == 0)
		*ret = LOOK_SAME;
	else
		*ret = manifest_has(&p->was, MANIFEST_LINK, buf_text(&target), path) ? LOOK_OURS
										     : LOOK_EDITED;
	return 0;
}

/* What has the name @path, in view of what is wanted there (NULL: nothing) and was recorded. */
static int judge(const struct persist *p, const char *path, enum manifest_kind kind, enum look *ret,
		 struct error *e)
{
	const struct persist_item *want = persist_items_find(&p->wanted, path);
	int r = kind == MANIFEST_FILE ? judge_file(p, path, want, ret, e)
				      : judge_link(p, path, want, ret, e);

	if (r == -ENOENT)
		*ret = LOOK_ABSENT;
	if (r == -EMEDIUMTYPE || r == -EFBIG)
		*ret = LOOK_EDITED;
	return r == -ENOENT || r == -EMEDIUMTYPE || r == -EFBIG ? 0 : r;
}

/* --- planning --------------------------------------------------------------------------------- */

static int note(struct strv *v, const char *verb, const char *path)
{
	AUTO_BUF struct buf line = { 0 };

	buf_printf(&line, "%s %s", verb, path);
	return strv_take(v, buf_take(&line));
}

/* That a folder cannot be made is no news for when all else is done. */
static int require_nothing(const struct persist *p, const char *folder, struct error *e)
{
	AUTO_BUF struct buf target = { 0 };
	struct error own = { 0 };
	int r = rootdir_read_link(&p->root, folder, &target, &own);

	if (r == 0)
		return error_set(e, -ELOOP, "%s is a link to %s, which is not there", folder,
				 buf_text(&target));
	return r == -ENOENT ? r : error_set(e, r, "%s", own.text);
}

/* The folders above @path that are not there are made, and are ours to remove. */
static int plan_folders(struct persist *p, const char *path, struct error *e)
{
	AUTO_FREE char *folder = strdup(path);
	int r = folder ? 0 : error_nomem(e);

	for (char *slash = folder; r == 0 && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		r = rootdir_find(&p->root, folder, e);
		if (r == -ENOENT)
			r = require_nothing(p, folder, e);
		if (r == -ENOENT && !strv_has(&p->folders, folder)) {
			r = strv_add(&p->folders, folder);
			if (r == 0)
				r = manifest_add(&p->will, MANIFEST_FOLDER, NULL, folder);
			if (r < 0)
				return error_nomem(e);
		}
		r = r == -ENOENT ? 0 : r;
		*slash = '/';
	}
	return r;
}

static int record(struct persist *p, const struct persist_item *it)
{
	AUTO_BUF struct buf digest = { 0 };

	if (it->kind == MANIFEST_LINK)
		return manifest_add(&p->will, it->kind, buf_text(&it->text), it->path);
	manifest_digest(&it->text, &digest);
	return buf_error(&digest) < 0
		       ? -ENOMEM
		       : manifest_add(&p->will, it->kind, buf_text(&digest), it->path);
}

static int plan_item(struct persist *p, const struct persist_item *it, struct error *e)
{
	enum look look = LOOK_ABSENT;
	int r = judge(p, it->path, it->kind, &look, e);

	if (r == 0)
		r = plan_folders(p, it->path, e);
	if (r < 0)
		return r;
	if (look == LOOK_EDITED && strv_add(&p->edited, it->path) < 0)
		return error_nomem(e);
	if (look != LOOK_SAME &&
	    (strv_add(&p->writes, it->path) < 0 ||
	     note(&p->changes, it->kind == MANIFEST_LINK ? "link" : "write", it->path) < 0))
		return error_nomem(e);
	return record(p, it) < 0 ? error_nomem(e) : 0;
}

/* What was installed and is wanted no more, the last first. */
static int plan_removals(struct persist *p, struct error *e)
{
	int r = 0;

	for (size_t i = p->was.n; r == 0 && i-- > 0;) {
		const struct manifest_entry *it = &p->was.items[i];
		enum look look = LOOK_ABSENT;

		if (it->kind == MANIFEST_FOLDER || persist_items_find(&p->wanted, it->path) ||
		    strv_has(&p->removals, it->path))
			continue;
		r = judge(p, it->path, it->kind, &look, e);
		if (r < 0)
			return r;
		if ((look == LOOK_EDITED && strv_add(&p->edited, it->path) < 0) ||
		    strv_add(&p->removals, it->path) < 0 ||
		    (look != LOOK_ABSENT && note(&p->changes, "remove", it->path) < 0))
			r = error_nomem(e);
	}
	return r;
}

/* Folders that were made stay recorded as long as anything is. */
static int keep_folders(struct persist *p)
{
	int r = 0;

	for (size_t i = 0; r == 0 && p->wanted.n > 0 && i < p->was.n; i++)
		if (p->was.items[i].kind == MANIFEST_FOLDER)
			r = manifest_add(&p->will, MANIFEST_FOLDER, NULL, p->was.items[i].path);
	return r;
}

static int unite(struct persist *p)
{
	const struct manifest *of[] = { &p->was, &p->will };
	int r = 0;

	for (size_t k = 0; k < ARRAY_SIZE(of); k++)
		for (size_t i = 0; r == 0 && i < of[k]->n; i++)
			r = manifest_add(&p->on_the_way, of[k]->items[i].kind,
					 of[k]->items[i].detail, of[k]->items[i].path);
	return r;
}

static int refuse_edited(const struct persist *p, struct error *e)
{
	AUTO_BUF struct buf all = { 0 };

	for (size_t i = 0; i < p->edited.n; i++)
		buf_printf(&all, "%s%s", i ? ", " : "", p->edited.items[i]);
	if (buf_error(&all) < 0)
		return error_nomem(e);
	return error_set(e, -EEXIST,
			 "nothing was changed: %s %s not as sriovctl installed %s (--replace %s "
			 "all the same)",
			 buf_text(&all), p->edited.n > 1 ? "are" : "is",
			 p->edited.n > 1 ? "them" : "it",
			 p->wanted.n > 0 ? "overwrites" : "removes");
}

static int read_manifest(struct persist *p, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	uint32_t mode = 0;
	int r = rootdir_read(&p->root, MANIFEST, &text, &mode, e);

	if (r == -ENOENT)
		return 0;
	if (r == 0)
		r = manifest_parse(buf_text(&text), &p->was, e);
	return r == -EBADMSG ? error_prefix(e, r, MANIFEST) : r;
}

static int plan_identity(struct persist *p, struct error *e)
{
	int r;

	if (p->wanted.n > 0 && !p->replace)
		return 0;
	r = rootdir_find(&p->root, PERSIST_IDENTITY, e);
	p->forgets = r == 0;
	if (r == 0 && note(&p->changes, "remove", PERSIST_IDENTITY) < 0)
		return error_nomem(e);
	return r == -ENOENT ? 0 : r;
}

/* As of a file system that is read-only: found before VFs are made that could not be kept. */
static int require_writable(const struct persist *p, const struct strv *paths, struct error *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < paths->n; i++)
		r = rootdir_may_write(&p->root, paths->items[i], e);
	return r;
}

static int require_room(const struct persist *p, struct error *e)
{
	int r = p->changes.n > 0 ? rootdir_may_write(&p->root, MANIFEST, e) : 0;

	if (r == 0)
		r = require_writable(p, &p->writes, e);
	if (r == 0)
		r = require_writable(p, &p->removals, e);
	return r < 0 ? error_prefix(e, r, "nothing was changed") : 0;
}

static int plan(struct persist *p, const char *spec, struct error *e)
{
	int r = rootdir_lock(&p->root, LOCKED, &p->lock, e);

	if (r == 0)
		r = read_manifest(p, e);
	if (r == 0 && spec)
		r = persist_items_make(&p->root, spec, &p->wanted, e);
	if (r == 0 && keep_folders(p) < 0)
		r = error_nomem(e);
	for (size_t i = 0; r == 0 && i < p->wanted.n; i++)
		r = plan_item(p, &p->wanted.items[i], e);
	if (r == 0)
		r = plan_removals(p, e);
	if (r == 0)
		r = plan_identity(p, e);
	if (r == 0 && unite(p) < 0)
		r = error_nomem(e);
	if (r == 0 && p->edited.n > 0 && !p->replace)
		r = refuse_edited(p, e);
	return r < 0 ? r : require_room(p, e);
}

int persist_plan(const char *root, const char *spec, bool replace, struct persist **ret,
		 struct error *e)
{
	AUTO_PERSIST struct persist *p = calloc(1, sizeof(*p));
	int r;

	if (!p)
		return error_nomem(e);
	p->root.fd = p->lock = -1;
	p->replace = replace;
	r = rootdir_open(root, &p->root, e);
	if (r == 0)
		r = plan(p, spec, e);
	if (r < 0)
		return r;
	if (e)
		*e = (struct error){ 0 };
	*ret = TAKE(p);
	return 0;
}

void persist_free(struct persist *p)
{
	if (!p)
		return;
	persist_items_done(&p->wanted);
	manifest_done(&p->was);
	manifest_done(&p->will);
	manifest_done(&p->on_the_way);
	strv_done(&p->folders);
	strv_done(&p->writes);
	strv_done(&p->removals);
	strv_done(&p->changes);
	strv_done(&p->edited);
	base_close(&p->lock);
	rootdir_close(&p->root);
	free(p);
}

void persist_free_p(struct persist **p)
{
	persist_free(*p);
}

const struct strv *persist_changes(const struct persist *p)
{
	return &p->changes;
}

/* --- carrying out ------------------------------------------------------------------------------
 */

static int write_manifest(const struct persist *p, const struct manifest *m, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };

	manifest_print(m, &text);
	if (buf_error(&text) < 0)
		return error_nomem(e);
	return rootdir_write(&p->root, MANIFEST, 0600, &text, e);
}

static int write_items(const struct persist *p, struct error *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < p->writes.n; i++) {
		const struct persist_item *it = persist_items_find(&p->wanted, p->writes.items[i]);

		if (it->kind == MANIFEST_LINK)
			r = rootdir_link(&p->root, it->path, buf_text(&it->text), e);
		else
			r = rootdir_write(&p->root, it->path, it->mode, &it->text, e);
	}
	return r;
}

static int remove_items(const struct persist *p, struct error *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < p->removals.n; i++)
		r = rootdir_remove(&p->root, p->removals.items[i], e);
	if (r == 0 && p->forgets)
		r = rootdir_remove(&p->root, PERSIST_IDENTITY, e);
	return r;
}

/* The manifest goes last: till then the next run knows what is left to do. */
static int remove_rest(const struct persist *p, struct error *e)
{
	int r = 0;

	for (size_t i = p->was.n; r == 0 && i-- > 0;)
		if (p->was.items[i].kind == MANIFEST_FOLDER)
			r = rootdir_remove_folder(&p->root, p->was.items[i].path, e);
	if (r == 0)
		r = rootdir_remove(&p->root, MANIFEST, e);
	if (r == 0)
		r = rootdir_remove_folder(&p->root, FOLDER, e);
	return r < 0 ? r : rootdir_remove_folder(&p->root, STATE, e);
}

static bool is_recorded(const struct persist *p)
{
	bool all = p->was.n == p->will.n;

	for (size_t i = 0; all && i < p->was.n; i++)
		all = manifest_has(&p->will, p->was.items[i].kind, p->was.items[i].detail,
				   p->was.items[i].path);
	return all;
}

static int sweep(const struct persist *p, struct error *e)
{
	int r = rootdir_sweep(&p->root, MANIFEST, e);

	for (size_t i = 0; r == 0 && i < p->on_the_way.n; i++)
		if (p->on_the_way.items[i].kind != MANIFEST_FOLDER)
			r = rootdir_sweep(&p->root, p->on_the_way.items[i].path, e);
	return r;
}

int persist_carry_out(struct persist *p, struct error *e)
{
	int r = sweep(p, e);

	if (r < 0)
		return r;
	if (p->wanted.n > 0 && p->changes.n == 0 && is_recorded(p))
		return 0;
	if (p->wanted.n > 0)
		r = rootdir_make_folder(&p->root, FOLDER, FOLDER_MODE, e);
	if (r == 0 && p->wanted.n > 0)
		r = write_manifest(p, &p->on_the_way, e);
	for (size_t i = 0; r == 0 && i < p->folders.n; i++)
		r = rootdir_make_folder(&p->root, p->folders.items[i], FOLDER_MODE, e);
	if (r == 0)
		r = write_items(p, e);
	if (r == 0)
		r = remove_items(p, e);
	if (r < 0)
		return r;
	return p->wanted.n > 0 ? write_manifest(p, &p->will, e) : remove_rest(p, e);
}
