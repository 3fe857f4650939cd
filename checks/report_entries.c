/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_entries.h"

#include <sriovctl/report.h>

#include <string.h>

/* Longer than any chain of checks; one that bites its tail ends here. */
#define CHAIN_MAX 16

/* --- causes ------------------------------------------------------------------------------- */

static bool is_subject_of(const struct result *cause, const struct result *it)
{
	return strcmp(cause->subject, it->subject) == 0 ||
	       (it->pf && strcmp(cause->subject, it->pf) == 0) || cause->check->scope == SCOPE_HOST;
}

/* What is only told is in no list of what to do, where a consequence could be shown with it. */
static bool explains(const struct result *cause, const struct result *it)
{
	if (cause->verdict == VERDICT_FAIL)
		return cause->finding.severity != SEVERITY_INFO;
	return cause->verdict == VERDICT_UNKNOWN && it->verdict == VERDICT_UNKNOWN;
}

static size_t find_cause(const struct report *r, size_t i)
{
	const struct result *it = &r->results[i];

	if (!it->finding.follows || (it->verdict != VERDICT_FAIL && it->verdict != VERDICT_UNKNOWN))
		return i;
	for (size_t k = 0; k < r->n_results; k++) {
		const struct result *cause = &r->results[k];

		if (k != i && strcmp(cause->check->id, it->finding.follows) == 0 &&
		    is_subject_of(cause, it) && explains(cause, it))
			return k;
	}
	return i;
}

static size_t find_root(const struct report *r, size_t i)
{
	size_t at = i;

	for (unsigned n = 0; n < CHAIN_MAX; n++) {
		if (r->results[at].cause == at)
			return at;
		at = r->results[at].cause;
	}
	return i;
}

static void find_causes(struct report *r)
{
	for (size_t i = 0; i < r->n_results; i++)
		r->results[i].cause = find_cause(r, i);
	for (size_t i = 0; i < r->n_results; i++)
		r->results[i].root = find_root(r, i);
}

/* --- those that say the same -------------------------------------------------------------- */

/* Remedies of VFs, and those that say what would answer a question, name what they are for. */
static bool names_its_subject(const struct result *it)
{
	return it->check->scope == SCOPE_VF || it->verdict == VERDICT_UNKNOWN;
}

static bool is_named(const struct result *it, const char *remedy)
{
	return strstr(remedy, it->subject) || (it->name && strstr(remedy, it->name));
}

/* Where they differ, each says what it is for: else they would not be told apart any more. */
static bool same_remedies(const struct result *a, const struct result *b)
{
	const struct strv *of_a = &a->finding.remedy, *of_b = &b->finding.remedy;

	for (size_t i = 0; i < of_a->n && of_a->n == of_b->n; i++)
		if (strcmp(of_a->items[i], of_b->items[i]) != 0 &&
		    !(is_named(a, of_a->items[i]) && is_named(b, of_b->items[i])))
			return false;
	return of_a->n == of_b->n;
}

static bool same(const struct result *a, const struct result *b)
{
	return a->check == b->check && a->verdict == b->verdict &&
	       a->finding.severity == b->finding.severity && a->finding.actor == b->finding.actor &&
	       strcmp(a->finding.summary, b->finding.summary) == 0 &&
	       (names_its_subject(a) || same_remedies(a, b));
}

static bool is_consequence(const struct report *r, size_t i)
{
	return r->results[i].root != i;
}

/* Among those before it.  Consequences come together where their causes do. */
static size_t find_entry(const struct report *r, size_t i)
{
	const struct result *it = &r->results[i];

	for (size_t k = 0; k < i; k++) {
		const struct result *first = &r->results[k];

		if (first->entry != k || is_consequence(r, k) != is_consequence(r, i) ||
		    !same(first, it))
			continue;
		if (!is_consequence(r, i) ||
		    r->results[first->root].entry == r->results[it->root].entry)
			return k;
	}
	return i;
}

static void find_entries(struct report *r)
{
	for (size_t i = 0; i < r->n_results; i++)
		if (!is_consequence(r, i))
			r->results[i].entry = find_entry(r, i);
		else
			r->results[i].entry = i;
	/* Now the entries of all roots are known. */
	for (size_t i = 0; i < r->n_results; i++)
		if (is_consequence(r, i))
			r->results[i].entry = find_entry(r, i);
}

/* A cause is as grave as what it causes: of an entry the gravest of its members counts. */
static void weigh(struct report *r)
{
	for (size_t i = 0; i < r->n_results; i++)
		r->results[i].weight = r->results[i].finding.severity;
	for (size_t i = 0; i < r->n_results; i++) {
		struct result *root = &r->results[r->results[r->results[i].root].entry];

		if (!is_consequence(r, i))
			continue;
		root->is_root = true;
		if (r->results[i].finding.severity > root->weight)
			root->weight = r->results[i].finding.severity;
	}
}

void report_entries_make(struct report *r)
{
	find_causes(r);
	find_entries(r);
	weigh(r);
	for (size_t i = 0; i < r->n_results; i++)
		r->entries[r->results[i].verdict] += r->results[i].entry == i;
}
