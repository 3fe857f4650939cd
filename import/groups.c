/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Listings of IOMMU groups: what the scripts print that go around ("IOMMU Group 29:", a function
 * a line, below or behind it), and paths below /sys/kernel/iommu_groups as find and ls give them.
 * They go group by group: one is whole where another follows, and the last one may have been cut.
 * What has a line for each member may have been looked through for some: it is whole where no
 * number of a group is missing, as the kernel counts from 0 on.
 */
#include "import_impl.h"
#include "lspci.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS "/sys/kernel/iommu_groups"

/* The groups of a text, in its order, once for all of a group that stand together. */
struct listing {
	struct import *i;
	uint32_t *groups;
	size_t n, size;
	bool has_end; /* something else follows the last member */
	bool by_line; /* each member has its own, with the number of its group */
};

static void note_group(struct listing *l, uint32_t group)
{
	l->has_end = false;
	if (l->n > 0 && l->groups[l->n - 1] == group)
		return;
	if (l->n == l->size) {
		size_t size = l->size ? l->size * 2 : 64;
		uint32_t *groups = reallocarray(l->groups, size, sizeof(*groups));

		if (!groups) {
			l->i->error = -ENOMEM;
			return;
		}
		l->groups = groups;
		l->size = size;
	}
	l->groups[l->n++] = group;
}

static size_t add_member(struct listing *l, const char **at, uint64_t group)
{
	struct import *i = l->i;
	struct function *f;
	struct bdf bdf;

	if (group > INT32_MAX || !text_bdf(at, &bdf))
		return 0;
	f = functions_get(&i->functions, &bdf);
	if (!f)
		return 0;
	if (f->has_group && f->group != group) {
		f->has_other_group = true;
		functions_add_nameless(&i->functions, (uint32_t)group);
	}
	if (!f->has_group) {
		f->has_group = true;
		f->group = (uint32_t)group;
	}
	note_group(l, (uint32_t)group);
	/* Who lists a group lists all of it. */
	if (f->group == group)
		host_make_all(i->make, GROUPS "/%u/devices", (unsigned)group);
	return 1;
}

/* "08:01.0 PCI bridge [0604]: ASMedia ..." */
static size_t add_line(struct listing *l, const char *line, uint64_t group)
{
	const char *p = text_skip_blanks(line), *rest;
	struct bdf bdf;
	int class;
	size_t n;

	line = p;
	n = add_member(l, &p, group);
	if (n > 0 && lspci_header(line, &bdf, &class, &rest))
		function_set_class(&l->i->functions, functions_get(&l->i->functions, &bdf),
				   (uint32_t) class << 8);
	return n;
}

/* ".../iommu_groups/29/devices/0000:09:00.0", anywhere in a line. */
static size_t add_path(struct listing *l, const char *line)
{
	const char *p = text_behind(line, "iommu_groups/");
	uint64_t group;

	if (!p || !text_decimal(&p, &group) || !(p = text_after(p, "/devices/")))
		return 0;
	return add_member(l, &p, group);
}

static const char *behind_title(const char *line)
{
	const char *p = text_after(text_skip_blanks(line), "IOMMU Group ");

	return p ? p : text_after(text_skip_blanks(line), "IOMMU group ");
}

static int compare(const void *a, const void *b)
{
	const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	return (one > other) - (one < other);
}

static void leave_open(struct listing *l)
{
	struct functions *v = &l->i->functions;
	uint32_t last = l->n > 0 ? l->groups[l->n - 1] : 0;
	bool comes_back = false, is_missing;

	if (l->n == 0)
		return;
	qsort(l->groups, l->n, sizeof(*l->groups), compare);
	is_missing = l->by_line && l->groups[0] != 0;
	for (size_t k = 1; k < l->n; k++) {
		/* What goes by addresses may go on with any group behind its end. */
		comes_back = comes_back || l->groups[k - 1] == l->groups[k];
		is_missing = is_missing || (l->by_line && l->groups[k] > l->groups[k - 1] + 1);
	}
	if (!l->has_end)
		functions_add_nameless(v, last);
	for (size_t k = 0; k < l->n && (is_missing || (comes_back && !l->has_end)); k++)
		functions_add_nameless(v, l->groups[k]);
}

size_t groups_take(struct import *i, const struct import_text *t)
{
	struct listing l = { .i = i };
	AUTO_BUF struct buf line = { 0 };
	const char *text = t->data;
	uint64_t group = UINT64_MAX;
	size_t n = 0;

	while (text_line(&text, &line)) {
		const char *words = buf_text(&line), *p = behind_title(words);
		size_t before = n;

		if (p && text_decimal(&p, &group)) {
			p += *p == ':';
			n += add_line(&l, p, group);
			l.by_line = l.by_line || n > before;
		} else if (group != UINT64_MAX && text_is_indented(words)) {
			n += add_line(&l, words, group);
		} else if (*words) {
			group = UINT64_MAX;
			n += add_path(&l, words);
			l.by_line = l.by_line || n > before;
		}
		/* Another group, or what comes behind all. */
		l.has_end = l.has_end || (n == before && *words && !text_is_gap(words));
	}
	leave_open(&l);
	free(l.groups);
	import_note(i, &line);
	return n;
}
