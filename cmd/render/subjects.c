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

/* Functions of which just the same VFs are told: "VFs 0-3 of each of ens0, ens1". */
struct run {
	struct buf numbers, names;
	size_t functions;
};

static void end_run(struct run *run, struct buf *ret)
{
	if (run->functions == 0)
		return;
	buf_printf(ret, "%s%s of %s%s", ret->len ? ", " : "", buf_text(&run->numbers),
		   run->functions > 1 ? "each of " : "", buf_text(&run->names));
	buf_clear(&run->numbers);
	buf_clear(&run->names);
	run->functions = 0;
}

/* The VFs of one function from member @i on; returns the last of them. */
static size_t add_function(const struct report *r, size_t i, bool brief, struct run *run,
			   size_t *count, struct buf *ret)
{
	AUTO_BUF struct buf numbers = { 0 };
	size_t last = print_numbers(r, i, count, &numbers);

	if (run->functions > 0 && strcmp(buf_text(&numbers), buf_text(&run->numbers)) != 0)
		end_run(run, ret);
	if (run->functions++ == 0)
		buf_puts(&run->numbers, buf_text(&numbers));
	else
		buf_puts(&run->names, ", ");
	print_name(r->results[i].pf, r->results[i].pf_name, brief, &run->names);
	return last;
}

size_t subjects_print(const struct report *r, size_t entry, bool brief, struct buf *ret)
{
	AUTO_BUF struct buf all = { 0 };
	struct run run = { 0 };
	size_t count = 0;

	for (size_t i = entry; i < r->n_results; i++) {
		const struct result *it = &r->results[i];

		if (!is_member(r, i, entry) || it->check->scope == SCOPE_HOST ||
		    strcmp(it->subject, "host") == 0)
			continue;
		/* Those of one function stand together. */
		if (it->pf) {
			i = add_function(r, i, brief, &run, &count, &all);
			continue;
		}
		if (all.len)
			buf_puts(&all, ", ");
		print_name(it->subject, it->name, brief, &all);
		count++;
	}
	end_run(&run, &all);
	buf_append(ret, all.data, all.len);
	buf_done(&run.numbers);
	buf_done(&run.names);
	return count;
}
