/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree that "lspci -t" draws, with -v or without: which bridge leads to which buses, and with
 * -v what each function is called.  A branch goes on below the column where it began.
 *
 *     -[0000:00]-+-01.0-[3b-3c]--+-00.0  Intel Corporation ...
 *                |               \-00.1  Intel Corporation ...
 */
#include "import_impl.h"
#include "lspci.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 256

struct bus {
	uint32_t domain;
	uint8_t number;
	bool is_known;
};

struct tree {
	struct import *i;
	struct bus branches[COLUMNS]; /* by the column of their "+" and "\" */
	struct bus now;
	struct function *last; /* in this line; NULL: none yet */
	size_t n;
};

/* "[0000:00]", at the root. */
static bool take_root(struct tree *t, const char **at)
{
	const char *p = text_after(*at, "[");
	size_t len = p ? strcspn(p, ":]") : 0;
	uint64_t domain, bus;

	if (!p || len < 4 || p[len] != ':' || !text_hex(&p, 8, &domain) || *p++ != ':' ||
	    !text_hex(&p, 2, &bus) || *p != ']')
		return false;
	t->now = (struct bus){ .domain = (uint32_t)domain,
			       .number = (uint8_t)bus,
			       .is_known = true };
	t->last = NULL;
	*at = p + 1;
	return true;
}

/* "[3b-3c]" or "[3b]", behind the bridge that leads there. */
static bool take_range(struct tree *t, const char **at)
{
	const char *p = text_after(*at, "[");
	uint64_t first, last;

	if (!p || !t->last || !text_hex(&p, 2, &first))
		return false;
	last = first;
	if (*p == '-' && (p++, !text_hex(&p, 2, &last)))
		return false;
	if (*p != ']' || last < first)
		return false;
	if (!t->last->has_buses) {
		t->last->has_buses = true;
		t->last->secondary = (uint8_t)first;
		t->last->subordinate = (uint8_t)last;
	}
	t->now.number = (uint8_t)first;
	t->last = NULL;
	*at = p + 1;
	return true;
}

/* "00.0" */
static bool take_place(struct tree *t, const char **at)
{
	struct bdf bdf = { .domain = t->now.domain, .bus = t->now.number };
	const char *p = *at;
	uint64_t device;

	if (!t->now.is_known || !isxdigit((unsigned char)p[0]) || !isxdigit((unsigned char)p[1]) ||
	    p[2] != '.' || p[3] < '0' || p[3] > '7' || isalnum((unsigned char)p[4]))
		return false;
	if (!text_hex(&p, 2, &device) || device > 31)
		return false;
	bdf.device = (uint8_t)device;
	bdf.function = (uint8_t)(p[1] - '0');
	t->last = functions_get(&t->i->functions, &bdf);
	t->n++;
	*at = p + 2;
	return true;
}

/* Behind what was drawn so far: which bus is this column's? */
static void take_branch(struct tree *t, size_t column, bool is_first)
{
	if (column >= COLUMNS) {
		t->now.is_known = false;
	} else if (is_first) {
		t->now = t->branches[column];
		t->last = NULL;
	} else {
		t->branches[column] = t->now;
	}
}

static void take_line(struct tree *t, const char *line)
{
	const char *p = line + strspn(line, " |");
	bool is_first = true;

	while (*p) {
		if (*p == '+' || *p == '\\') {
			take_branch(t, (size_t)(p - line), is_first);
			p++;
		} else if (*p == '-') {
			p++;
		} else if (!take_root(t, &p) && !take_range(t, &p) && !take_place(t, &p)) {
			break;
		}
		is_first = false;
	}
	if (t->last && p[0] == ' ' && p[1] == ' ')
		lspci_take_title(&t->i->functions, t->last, &t->i->nics, text_skip_blanks(p));
	t->last = NULL;
}

/* Does a line begin as only a tree's does: "-[0000:00]-", "-+-[0000:80]-", " \\-[0000:00]-"? */
static bool is_root_line(const char *line)
{
	struct tree t = { 0 };
	const char *p = line + strspn(line, " ");
	size_t len = strspn(p, "-+\\");

	p += len;
	return len >= 1 && len <= 3 && p[-1] == '-' && take_root(&t, &p) && *p == '-';
}

size_t lspci_take_tree(struct import *i, const struct import_text *text)
{
	AUTO_FREE struct tree *t = calloc(1, sizeof(*t));
	AUTO_BUF struct buf line = { 0 };
	const char *at = text->data;
	bool is_tree = false;

	if (!t) {
		i->error = -ENOMEM;
		return 0;
	}
	t->i = i;
	while (text_line(&at, &line)) {
		const char *l = buf_text(&line);

		is_tree = is_root_line(l) || (is_tree && strchr(" |+\\", l[0]) && *l);
		if (is_tree)
			take_line(t, l);
	}
	import_note(i, &line);
	return t->n;
}
