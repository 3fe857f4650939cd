/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several logs, before anything is taken of them: they may be of two machines, or of boots of which
 * only one was the last.  One that lacks the beginning of its boot may be of any, and is taken.
 */
#include "bootlog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The line of a log that begins with @word, to its end; NULL: there is none. */
static char *copy_behind(struct import *i, const char *text, const char *word, const char *end)
{
	AUTO_BUF struct buf line = { 0 };
	const char *found = NULL;
	char *copy;

	while (!found && text_line(&text, &line))
		found = text_after(buf_text(&line), word);
	import_note(i, &line);
	if (!found)
		return NULL;
	copy = strndup(found, strcspn(found, end));
	if (!copy)
		i->error = -ENOMEM;
	return copy;
}

/* The board, whatever its BIOS: that may be another after a boot. */
static void note_machine(struct bootlog *l)
{
	AUTO_FREE char *board = copy_behind(l->i, buf_text(&l->text), "DMI: ", "");
	char *bios = board ? strstr(board, ", BIOS ") : NULL;

	if (!bios)
		return;
	*bios = '\0';
	if (l->i->machine)
		l->i->has_other_machine =
			l->i->has_other_machine || strcmp(l->i->machine, board) != 0;
	else
		l->i->machine = TAKE(board);
}

/* Two texts of one boot may both lack the command line, or one of them. */
static bool is_same(const struct import_boot *a, const char *release, const char *cmdline)
{
	return strcmp(a->release, release) == 0 &&
	       (!a->cmdline || !cmdline || strcmp(a->cmdline, cmdline) == 0);
}

static void add_boot(struct bootlog *l, char *release)
{
	struct import *i = l->i;
	struct import_boot *boots = reallocarray(i->boots, i->n_boots + 1, sizeof(*boots));

	if (!boots) {
		i->error = -ENOMEM;
		free(release);
		return;
	}
	i->boots = boots;
	boots[i->n_boots++] = (struct import_boot){ .release = release,
						    .cmdline = TAKE(l->cmdline),
						    .wall = l->wall };
}

static void note_boot(struct bootlog *l)
{
	AUTO_FREE char *release = copy_behind(l->i, buf_text(&l->text), "Linux version ", " ");

	if (!l->has_start || !release)
		return;
	for (size_t k = 0; k < l->i->n_boots; k++) {
		struct import_boot *b = &l->i->boots[k];

		if (!is_same(b, release, l->cmdline))
			continue;
		b->wall = l->wall > b->wall ? l->wall : b->wall;
		if (!b->cmdline)
			b->cmdline = TAKE(l->cmdline);
		return;
	}
	add_boot(l, TAKE(release));
}

size_t bootlog_look(struct import *i, const struct import_text *t)
{
	struct bootlog l = { .i = i };

	if (journal_is_export(t->data))
		return 0;
	bootlog_read(&l, t->data);
	if (l.n > 0 && i->error == 0) {
		note_machine(&l);
		note_boot(&l);
	}
	bootlog_done(&l);
	return 0;
}

/* Half a year, as bootlog_wall_time() counts: most stamps have no year. */
#define HALF_A_YEAR (6.0 * 32 * 24 * 60 * 60)

static bool has_order(const struct import_boot *a, const struct import_boot *b)
{
	double apart = a->wall > b->wall ? a->wall - b->wall : b->wall - a->wall;

	return a->wall >= 0 && b->wall >= 0 && apart > 0 && apart < HALF_A_YEAR;
}

/* The newest by the clock of the wall, of those of the kernel that runs; NULL: it is not known. */
static const struct import_boot *last_boot(const struct import *i)
{
	const struct import_boot *last = NULL;
	bool is_known = true, runs = false;

	for (size_t k = 0; i->release_by_text && k < i->n_boots; k++)
		runs = runs || strcmp(i->boots[k].release, i->release) == 0;
	for (size_t k = 0; k < i->n_boots; k++) {
		const struct import_boot *b = &i->boots[k];

		if (runs && strcmp(b->release, i->release) != 0)
			continue;
		is_known = is_known && (!last || has_order(last, b));
		if (!last || b->wall > last->wall)
			last = b;
	}
	return is_known ? last : NULL;
}

bool bootlog_is_last(const struct bootlog *l)
{
	AUTO_FREE char *release = copy_behind(l->i, buf_text(&l->text), "Linux version ", " ");
	const struct import_boot *last = last_boot(l->i);

	if (l->i->has_other_machine) {
		import_dispute(l->i, "kernel logs: they are of several machines; what they tell");
		return false;
	}
	if (!l->has_start || !release || l->i->n_boots < 2)
		return true;
	if (!last)
		import_dispute(l->i, "kernel logs: they are of several boots; which was the last, "
				     "and so what they tell");
	return last && is_same(last, release, l->cmdline);
}

void bootlog_forget_boots(struct import *i)
{
	for (size_t k = 0; k < i->n_boots; k++) {
		free(i->boots[k].release);
		free(i->boots[k].cmdline);
	}
	free(i->boots);
	free(i->machine);
}
