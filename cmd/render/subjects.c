/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "subjects.h"

#include <sriovctl/buf.h>
#include <sriovctl/report.h>

#include <string.h>

static void print_name(const char *bdf, const char *name, bool brief, struct buf *ret)
{
	if (brief)
		buf_puts(ret, name ? name : bdf);
	else if (name)
		buf_printf(ret, "%s (%s)", bdf, name);
	else
		buf_puts(ret, bdf);
}

static bool is_member(const struct report *r, size_t i, size_t entry)
{
	return r->results[i].entry == entry;
}

/* The next member of the same function behind @i, or @i. */
static size_t next_of_function(const struct report *r, size_t i)
{
	const struct result *it = &r->results[i];

	for (size_t k = i + 1; k < r->n_results; k++) {
		const struct result *other = &r->results[k];

		if (is_member(r, k, it->entry) && other->pf && strcmp(other->pf, it->pf) == 0)
			return k;
	}
	return i;
}

/* The numbers of the VFs of one function from member @i on, "0-3,5"; returns the last member. */
static size_t print_numbers(const struct report *r, size_t i, size_t *count, struct buf *ret)
{
	size_t next = next_of_function(r, i);

	buf_puts(ret, next == i ? "VF " : "VFs ");
	for (bool first = true;; first = false) {
		uint32_t from = r->results[i].index, to = from;

		for (++*count; next != i && r->results[next].index == to + 1; ++*count) {
			to++;
			i = next;
			next = next_of_function(r, i);
		}
		buf_printf(ret, "%s%u", first ? "" : ",", from);
		if (to > from)
			buf_printf(ret, "-%u", to);
		if (next == i)
			return i;
		i = next;
		next = next_of_function(r, i);
	}
}

size_t subjects_print(const struct report *r, size_t entry, bool brief, struct buf *ret)
{
	size_t count = 0;

	for (size_t i = entry; i < r->n_results; i++) {
		const struct result *it = &r->results[i];

		if (!is_member(r, i, entry) || it->check->scope == SCOPE_HOST ||
		    strcmp(it->subject, "host") == 0)
			continue;
		if (count)
			buf_puts(ret, ", ");
		if (!it->pf) {
			print_name(it->subject, it->name, brief, ret);
			count++;
			continue;
		}
		/* Those of one function stand together. */
		i = print_numbers(r, i, &count, ret);
		buf_puts(ret, " of ");
		print_name(it->pf, it->pf_name, brief, ret);
	}
	return count;
}
