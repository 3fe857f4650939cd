/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/journal.h>

#include "journal_dir.h"
#include "journal_text.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "journal"
#define KEPT_NAME "journal.kept"

struct journal {
	struct journal_dir dir;
	char *boot;
	int fd;			  /* of the journal; -1: none */
	struct journal_text text; /* empty: nothing was left, or begun */
	size_t len;		  /* of the file */
	struct buf unsaid;	  /* what is not in the file yet */
	struct journal_text kept; /* what waits of functions that this run is not about */
};

static void forget(struct journal *j)
{
	journal_text_done(&j->text);
	if (j->fd >= 0)
		(void)close(j->fd);
	j->fd = -1;
	j->len = 0;
	buf_done(&j->unsaid);
}

/* Whatever it was about to tell, nobody else knows. */
static int say_unreadable(const struct journal *j, const char *name, int r, struct error *e)
{
	const struct error why = e ? *e : (struct error){ 0 };

	if (r != -EBADMSG)
		return error_prefix(e, r, "%s/%s", j->dir.path, name);
	return error_set(e, r,
			 "%s/%s: %s: what an earlier run has begun cannot be undone by it; see by "
			 "\"sriovctl list\" that the VFs are as they should be, and remove it",
			 j->dir.path, name, why.text);
}

/* A torn last line is cut off, so that what is appended begins a line. */
static int take_text(struct journal *j, const struct buf *text, struct error *e)
{
	int r = journal_text_parse(buf_text(text), text->len, &j->text, e);

	if (r < 0)
		return say_unreadable(j, FILE_NAME, r, e);
	if (!j->text.boot || strcmp(j->text.boot, j->boot) != 0) {
		forget(j);
		return 0;
	}
	j->len = j->text.len;
	if (ftruncate(j->fd, (off_t)j->len) < 0)
		return journal_dir_say(&j->dir, FILE_NAME, -errno, e);
	return 0;
}

static int read_journal(struct journal *j, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = journal_dir_read(&j->dir, FILE_NAME, &j->fd, &text, e);

	return r < 0 || j->fd < 0 ? r : take_text(j, &text, e);
}

static int read_kept(struct journal *j, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	AUTO_CLOSE int fd = -1;
	int r = journal_dir_read(&j->dir, KEPT_NAME, &fd, &text, e);

	if (r < 0 || fd < 0)
		return r;
	r = journal_text_parse(buf_text(&text), text.len, &j->kept, e);
	if (r < 0)
		return say_unreadable(j, KEPT_NAME, r, e);
	if (!j->kept.boot || strcmp(j->kept.boot, j->boot) != 0)
		journal_text_done(&j->kept);
	return 0;
}

/* A run that is over, of which nothing but what waits is left. */
static int start_text(const struct journal *j, struct journal_text *ret)
{
	*ret = (struct journal_text){ .boot = strdup(j->boot), .ended = true };
	return ret->boot ? 0 : -ENOMEM;
}

/* In place of the journal; @text is empty after. */
static int put_journal(struct journal *j, struct journal_text *text, struct error *e)
{
	AUTO_BUF struct buf printed = { 0 };
	int fd = -1, r;

	journal_text_print(text, &printed);
	r = journal_dir_replace(&j->dir, FILE_NAME, &printed, &fd, e);
	if (r < 0)
		return r;
	forget(j);
	j->fd = fd;
	j->len = printed.len;
	j->text = *text;
	*text = (struct journal_text){ 0 };
	return 0;
}

/* What waits of other functions than those of the last run belongs to the journal again. */
static int merge_kept(struct journal *j, struct error *e)
{
	AUTO_JOURNAL_TEXT struct journal_text all = { 0 };
	int r;

	if (j->kept.n == 0 || journal_state(j) == JOURNAL_BROKEN)
		return 0;
	if (start_text(j, &all) < 0 || journal_text_keep(&all, &j->text, NULL) < 0 ||
	    journal_text_keep(&all, &j->kept, NULL) < 0)
		return error_nomem(e);
	r = put_journal(j, &all, e);
	if (r == 0)
		r = journal_dir_remove(&j->dir, KEPT_NAME, e);
	if (r == 0)
		journal_text_done(&j->kept);
	return r;
}

int journal_open(const char *dir, const char *boot, struct journal **ret, struct error *e)
{
	AUTO_JOURNAL struct journal *j = calloc(1, sizeof(*j));
	int r;

	if (!j)
		return error_nomem(e);
	j->dir.fd = j->dir.lock = j->fd = -1;
	j->boot = strdup(boot);
	if (!j->boot)
		return error_nomem(e);
	r = journal_dir_open(dir, &j->dir, e);
	if (r == 0)
		r = read_journal(j, e);
	if (r == 0)
		r = read_kept(j, e);
	if (r == 0)
		r = merge_kept(j, e);
	if (r < 0)
		return r;
	*ret = TAKE(j);
	return 0;
}

int journal_await(const char *dir, struct error *e)
{
	return journal_dir_await(dir, e);
}

enum journal_state journal_state(const struct journal *j)
{
	if (j->text.n == 0)
		return JOURNAL_NONE;
	return j->text.ended ? JOURNAL_PENDING : JOURNAL_BROKEN;
}

void journal_close(struct journal *j)
{
	if (!j)
		return;
	forget(j);
	journal_text_done(&j->kept);
	journal_dir_close(&j->dir);
	free(j->boot);
	free(j);
}

void journal_close_p(struct journal **j)
{
	journal_close(*j);
}

int journal_functions(const struct journal *j, struct strv *ret)
{
	AUTO_STRV struct strv bdfs = { 0 };

	for (size_t i = 0; i < j->text.n_functions; i++)
		if (strv_add(&bdfs, j->text.functions[i].bdf) < 0)
			return -ENOMEM;
	*ret = bdfs;
	bdfs = (struct strv){ 0 };
	return 0;
}

/* A driver that was unbound meanwhile does not make it another function. */
int journal_compare(const struct journal *j, const struct pfstates *is, struct error *e)
{
	if (is->n != j->text.n_functions)
		return error_set(e, -ESTALE, "%s/" FILE_NAME " is about %zu functions, not %zu",
				 j->dir.path, j->text.n_functions, is->n);
	for (size_t i = 0; i < is->n; i++) {
		const struct journal_function *was = &j->text.functions[i];
		const struct pfstate *now = &is->items[i];

		if (strcmp(was->bdf, now->bdf) == 0 &&
		    (!was->mac || !now->permanent_mac || was->mac == now->permanent_mac) &&
		    !pfstate_identity_differs(&was->identity, &now->identity) &&
		    (!was->driver || !now->driver || strcmp(was->driver, now->driver) == 0))
			continue;
		return error_set(e, -ESTALE,
				 "another function is at %s than the one that an earlier run left "
				 "between two states; remove %s/" FILE_NAME " to forget that",
				 now->bdf, j->dir.path);
	}
	return 0;
}

/* Of a write that failed in part nothing stays, as it is tried again with what follows. */
int journal_sync(struct journal *j, struct error *e)
{
	int r = buf_error(&j->unsaid);

	if (r == 0 && j->unsaid.len == 0)
		return 0;
	if (r == 0)
		r = base_write(j->fd, j->unsaid.data, j->unsaid.len);
	if (r == 0 && fsync(j->fd) < 0)
		r = -errno;
	if (r == 0) {
		j->len += j->unsaid.len;
		buf_clear(&j->unsaid);
		return 0;
	}
	if (ftruncate(j->fd, (off_t)j->len) < 0)
		j->unsaid.error = -errno;
	return journal_dir_say(&j->dir, FILE_NAME, r, e);
}

static int describe(struct journal *j, const struct pfstates *is)
{
	j->text.boot = strdup(j->boot);
	if (!j->text.boot)
		return -ENOMEM;
	for (size_t i = 0; i < is->n; i++) {
		const struct pfstate *p = &is->items[i];

		const struct journal_function f = {
			.bdf = p->bdf,
			.driver = p->driver,
			.mac = p->permanent_mac,
			.identity = p->identity,
		};

		if (journal_text_add_function(&j->text, &f) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* On disk before the journal is another's. */
static int keep_others(struct journal *j, const struct pfstates *is, struct error *e)
{
	AUTO_JOURNAL_TEXT struct journal_text kept = { 0 };
	AUTO_BUF struct buf printed = { 0 };
	AUTO_CLOSE int fd = -1;
	int r;

	if (start_text(j, &kept) < 0 || journal_text_keep(&kept, &j->text, is) < 0 ||
	    journal_text_keep(&kept, &j->kept, is) < 0)
		return error_nomem(e);
	journal_text_print(&kept, &printed);
	if (kept.n > 0)
		r = journal_dir_replace(&j->dir, KEPT_NAME, &printed, &fd, e);
	else
		r = journal_dir_remove(&j->dir, KEPT_NAME, e);
	if (r < 0)
		return r;
	journal_text_done(&j->kept);
	j->kept = kept;
	kept = (struct journal_text){ 0 };
	return 0;
}

int journal_begin(struct journal *j, const struct pfstates *is, struct error *e)
{
	AUTO_BUF struct buf head = { 0 };
	int fd = -1, r = keep_others(j, is, e);

	if (r < 0)
		return r;
	forget(j);
	if (describe(j, is) < 0) {
		forget(j);
		return error_nomem(e);
	}
	journal_text_print_head(&j->text, &head);
	r = journal_dir_replace(&j->dir, FILE_NAME, &head, &fd, e);
	if (r < 0)
		return r;
	j->fd = fd;
	j->len = head.len;
	return 0;
}

int journal_forget(struct journal *j, const struct pfstates *is, struct error *e)
{
	AUTO_JOURNAL_TEXT struct journal_text rest = { 0 };
	int r;

	if (start_text(j, &rest) < 0 || journal_text_keep(&rest, &j->text, is) < 0)
		return error_nomem(e);
	if (rest.n > 0)
		return put_journal(j, &rest, e);
	r = journal_dir_remove(&j->dir, FILE_NAME, e);
	if (r == 0)
		forget(j);
	return r;
}

int journal_step(struct journal *j, const struct step *s)
{
	if (journal_text_add_step(&j->text, s) < 0)
		return -ENOMEM;
	journal_text_print_step(&j->text, j->text.n - 1, &j->unsaid);
	return buf_error(&j->unsaid);
}

void journal_mark(struct journal *j, size_t i, enum journal_mark mark)
{
	j->text.entries[i].mark = mark;
	if (mark == JOURNAL_UNDONE)
		j->text.ended = false;
	journal_text_print_mark(i, mark, &j->unsaid);
}

static bool waits(const struct journal *j)
{
	for (size_t i = 0; i < j->text.n; i++)
		if (j->text.entries[i].mark == JOURNAL_WAITS)
			return true;
	return false;
}

int journal_end(struct journal *j, struct error *e)
{
	if (!waits(j)) {
		/* What could not be removed is not forgotten: it has to be undone. */
		int r = journal_dir_remove(&j->dir, FILE_NAME, e);

		if (r == 0)
			forget(j);
		return r;
	}
	if (j->text.ended)
		return journal_sync(j, e);
	j->text.ended = true;
	journal_text_print_end(&j->unsaid);
	return journal_sync(j, e);
}

size_t journal_length(const struct journal *j)
{
	return j->text.n;
}

const struct journal_entry *journal_at(const struct journal *j, size_t i)
{
	return &j->text.entries[i];
}
