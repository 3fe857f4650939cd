/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for a person in a hurry: the verdict, then what to fix in the order to fix
 * it, causes first, then what could not be answered, then the rest in a line each.  What is so
 * of many functions is said once, with ranges of their numbers.
 */
#include "render.h"

#include "subjects.h"
#include "wrap.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/report.h>

#include <string.h>

#define INDENT 4

/* More of a kind help nobody who reads; --output=json has them all. */
#define MOST_LINES 8

static const char *const headlines[] = {
	[READINESS_READY] = "READY for SR-IOV",
	[READINESS_WARNINGS] = "READY for SR-IOV, with warnings",
	[READINESS_NOT_READY] = "NOT READY for SR-IOV",
	[READINESS_UNKNOWN] = "CANNOT TELL whether this host is ready for SR-IOV",
};
_Static_assert(ARRAY_SIZE(headlines) == READINESS_MAX, "every readiness has a headline");

static const char *const colours[] = {
	[READINESS_READY] = "\033[1;32m",
	[READINESS_WARNINGS] = "\033[1;33m",
	[READINESS_NOT_READY] = "\033[1;31m",
	[READINESS_UNKNOWN] = "\033[1;35m",
};
_Static_assert(ARRAY_SIZE(colours) == READINESS_MAX, "every readiness has a colour");

/* Where it is printed, what the lines are made in, and how wide the longest id is. */
struct page {
	FILE *out;
	struct buf first, line;
	size_t id_width;
};

/* The line so far, behind @first; then it is empty. */
static void end_line(struct page *p, const char *first, size_t rest)
{
	wrap_print(p->out, first, rest, buf_text(&p->line));
	buf_clear(&p->line);
}

static void print_headline(const struct report *r, const struct render_style *style, struct page *p)
{
	(void)fprintf(p->out, "%s%s%s\n", style->colour ? colours[r->readiness] : "",
		      headlines[r->readiness], style->colour ? "\033[0m" : "");
}

static void print_host(const struct report *r, struct page *p)
{
	if (r->vendor || r->product)
		buf_printf(&p->line, "%s %s, ", r->vendor ? r->vendor : "",
			   r->product ? r->product : "");
	if (r->bios)
		buf_printf(&p->line, "BIOS %s, ", r->bios);
	buf_printf(&p->line, "Linux %s", r->kernel ? r->kernel : "of unknown release");
	if (strcmp(r->root, "/") != 0)
		buf_printf(&p->line, ", from %s", r->root);
	end_line(p, "", 0);
	buf_printf(&p->line, "%u passed, %u failed, %u unknown, %u not applicable",
		   r->entries[VERDICT_PASS], r->entries[VERDICT_FAIL], r->entries[VERDICT_UNKNOWN],
		   r->entries[VERDICT_NA]);
	if (r->left_out)
		buf_printf(&p->line, "; %u required left out", r->left_out);
	end_line(p, "", 0);
}

/* Said where it is not what everybody expects. */
static void print_profile(const struct report *r, struct page *p)
{
	if (r->is_default_profile)
		return;
	buf_printf(&p->line, "by the profile %s", r->profile);
	for (size_t i = 0; i < r->overrides.n; i++)
		buf_printf(&p->line, ", %s", r->overrides.items[i]);
	end_line(p, "", 0);
}

static void print_asked(const struct report *r, struct page *p)
{
	for (size_t i = 0; i < r->n_asked; i++) {
		const struct report_asked *a = &r->asked[i];

		buf_printf(&p->line, "%s asks for ", r->spec);
		if (a->wish.vfs)
			buf_printf(&p->line, "%u VFs", a->wish.vfs);
		else
			buf_puts(&p->line, "all VFs");
		buf_printf(&p->line, " of %s", a->subject);
		if (a->wish.queues)
			buf_printf(&p->line, " with %u queues each", a->wish.queues);
		end_line(p, "", 0);
	}
}

static void print_evidence(const struct evidence *v, struct page *p)
{
	buf_printf(&p->line, "%s: %s", v->source, *v->observed ? v->observed : "(empty)");
	if (*v->expected)
		buf_printf(&p->line, " (expected: %s)", v->expected);
	end_line(p, "    seen  ", INDENT + 6);
}

/* --- an entry: one result, or all that say the same ------------------------------------------ */

static bool is_member(const struct report *r, size_t i, size_t entry)
{
	return r->results[i].entry == entry;
}

static bool is_consequence(const struct report *r, size_t i)
{
	return r->results[i].root != i;
}

static bool has_evidence(const struct finding *f, const struct evidence *v)
{
	for (size_t i = 0; i < f->n_evidence; i++)
		if (strcmp(f->evidence[i].source, v->source) == 0 &&
		    strcmp(f->evidence[i].observed, v->observed) == 0)
			return true;
	return false;
}

/* By a member before this one. */
static bool was_seen(const struct report *r, size_t entry, size_t before, const struct evidence *v)
{
	for (size_t i = entry; i < before; i++)
		if (is_member(r, i, entry) && has_evidence(&r->results[i].finding, v))
			return true;
	return false;
}

/* All that the first has, and of the others what it lacks, as long as there is room. */
static void print_evidences(const struct report *r, size_t entry, struct page *p)
{
	size_t room = r->results[entry].finding.n_evidence, more = 0;

	room = room > MOST_LINES ? room : MOST_LINES;
	for (size_t i = entry; i < r->n_results; i++) {
		const struct finding *f = &r->results[i].finding;

		for (size_t k = 0; is_member(r, i, entry) && k < f->n_evidence; k++) {
			if (was_seen(r, entry, i, &f->evidence[k]))
				continue;
			if (room == 0) {
				more++;
				continue;
			}
			print_evidence(&f->evidence[k], p);
			room--;
		}
	}
	if (more > 0) {
		buf_printf(&p->line, "and %zu more, which --output=json shows", more);
		end_line(p, "    seen  ", INDENT + 6);
	}
}

static bool was_said(const struct report *r, size_t entry, size_t before, const char *remedy)
{
	for (size_t i = entry; i < before; i++)
		if (is_member(r, i, entry) && strv_has(&r->results[i].finding.remedy, remedy))
			return true;
	return false;
}

static void print_remedies(const struct report *r, size_t entry, struct page *p)
{
	for (size_t i = entry; i < r->n_results; i++) {
		const struct strv *remedy = &r->results[i].finding.remedy;

		for (size_t k = 0; is_member(r, i, entry) && k < remedy->n; k++)
			if (!was_said(r, entry, i, remedy->items[k]))
				wrap_print(p->out, "    do    ", INDENT + 6, remedy->items[k]);
	}
}

/* What else will be mended with it. */
static void print_consequences(const struct report *r, size_t entry, struct page *p)
{
	for (size_t i = 0; i < r->n_results; i++) {
		const struct result *it = &r->results[i];
		AUTO_BUF struct buf subjects = { 0 };

		if (!is_consequence(r, i) || it->entry != i || r->results[it->root].entry != entry)
			continue;
		(void)subjects_print(r, i, true, &subjects);
		buf_printf(&p->line, "%s%s%s%s", p->line.len ? "; " : "", it->check->id,
			   subjects.len ? " of " : "", buf_text(&subjects));
	}
	if (p->line.len > 0) {
		buf_puts(&p->line, " (by this, see below)");
		end_line(p, "    also  ", INDENT + 6);
	}
}

/* All there is to say of what somebody has to act on. */
static void print_full(const struct report *r, size_t entry, struct page *p)
{
	const struct result *it = &r->results[entry];
	const struct finding *f = &it->finding;
	AUTO_BUF struct buf subjects = { 0 };

	(void)subjects_print(r, entry, false, &subjects);
	buf_printf(&p->line, "%s%s%s - %s", it->check->id, subjects.len ? " of " : "",
		   buf_text(&subjects), severity_name(it->weight));
	if (it->verdict == VERDICT_FAIL)
		buf_printf(&p->line, ", to be fixed by: %s", actor_name(f->actor));
	(void)fputc('\n', p->out);
	end_line(p, "  ", INDENT);
	wrap_print(p->out, "    ", INDENT, f->summary);
	print_evidences(r, entry, p);
	print_remedies(r, entry, p);
	print_consequences(r, entry, p);
}

static void print_brief(const struct report *r, size_t entry, struct page *p)
{
	const struct result *it = &r->results[entry];

	buf_clear(&p->first);
	buf_printf(&p->first, "  %-*s ", (int)p->id_width, it->check->id);
	if (subjects_print(r, entry, true, &p->line) > 0)
		buf_puts(&p->line, ": ");
	buf_puts(&p->line, it->finding.summary);
	end_line(p, buf_text(&p->first), p->id_width + 3);
}

/* --- sections ------------------------------------------------------------------------------ */

enum kind { KIND_ROOTS, KIND_OTHERS, KIND_CONSEQUENCES };

/* Which entries: of this verdict and severity (SEVERITY_MAX: any), of these kinds. */
struct section {
	const char *title;
	enum verdict verdict;
	enum severity severity;
	bool is_full;
	bool has_consequences;
	bool titled;
};

static bool is_in(const struct report *r, size_t i, const struct section *s, enum kind kind)
{
	const struct result *it = &r->results[i];

	if (it->entry != i || is_consequence(r, i) != (kind == KIND_CONSEQUENCES))
		return false;
	if (kind == KIND_CONSEQUENCES)
		return true;
	return it->verdict == s->verdict &&
	       (s->severity == SEVERITY_MAX || it->weight == s->severity) &&
	       it->is_root == (kind == KIND_ROOTS);
}

/* How many of the same check stood before it in the section. */
static size_t count_before(const struct report *r, size_t i, const struct section *s,
			   enum kind kind)
{
	size_t n = 0;

	for (size_t k = 0; k < i; k++)
		n += r->results[k].check == r->results[i].check && is_in(r, k, s, kind);
	return n;
}

static void print_more(const struct report *r, size_t i, size_t more, struct page *p)
{
	buf_clear(&p->first);
	buf_printf(&p->first, "  %-*s ", (int)p->id_width, r->results[i].check->id);
	buf_printf(&p->line, "and %zu more like these, which --output=json shows", more);
	end_line(p, buf_text(&p->first), p->id_width + 3);
}

static void print_entry(const struct report *r, size_t i, const struct section *s, enum kind kind,
			struct page *p)
{
	size_t before = s->is_full ? 0 : count_before(r, i, s, kind), all = before + 1;

	if (before < MOST_LINES) {
		(s->is_full ? print_full : print_brief)(r, i, p);
		return;
	}
	for (size_t k = i + 1; k < r->n_results; k++)
		all += r->results[k].check == r->results[i].check && is_in(r, k, s, kind);
	if (before == MOST_LINES)
		print_more(r, i, all - MOST_LINES, p);
}

static void print_kind(const struct report *r, struct section *s, enum kind kind, struct page *p)
{
	for (size_t i = 0; i < r->n_results; i++) {
		if (!is_in(r, i, s, kind))
			continue;
		if (!s->titled)
			(void)fprintf(p->out, "\n%s:\n", s->title);
		s->titled = true;
		print_entry(r, i, s, kind, p);
	}
}

static void print_sections(const struct report *r, struct page *p)
{
	struct section sections[] = {
		{ .title = "To fix, in this order",
		  .verdict = VERDICT_FAIL,
		  .severity = SEVERITY_REQUIRED,
		  .is_full = true },
		{ .title = "Warnings",
		  .verdict = VERDICT_FAIL,
		  .severity = SEVERITY_RECOMMENDED,
		  .is_full = true },
		{ .title = "Could not be answered",
		  .verdict = VERDICT_UNKNOWN,
		  .severity = SEVERITY_MAX,
		  .is_full = true },
		{ .title = "By these causes", .has_consequences = true },
		{ .title = "Not so, for information",
		  .verdict = VERDICT_FAIL,
		  .severity = SEVERITY_INFO },
		{ .title = "Passed", .verdict = VERDICT_PASS, .severity = SEVERITY_MAX },
		{ .title = "Not applicable", .verdict = VERDICT_NA, .severity = SEVERITY_MAX },
	};

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		if (sections[i].has_consequences) {
			print_kind(r, &sections[i], KIND_CONSEQUENCES, p);
			continue;
		}
		print_kind(r, &sections[i], KIND_ROOTS, p);
		print_kind(r, &sections[i], KIND_OTHERS, p);
	}
}

/* Of those that are shown in a line, each section with the same column. */
static size_t id_width(const struct report *r)
{
	size_t most = 0;

	for (size_t i = 0; i < r->n_results; i++) {
		size_t len = strlen(r->results[i].check->id);

		if (r->results[i].entry == i && len > most)
			most = len;
	}
	return most;
}

static int text_report(const struct report *r, const struct render_style *style, FILE *out,
		       struct error *e)
{
	struct page p = { .out = out, .id_width = id_width(r) };
	int err;

	print_headline(r, style, &p);
	print_host(r, &p);
	print_profile(r, &p);
	print_asked(r, &p);
	print_sections(r, &p);
	err = buf_error(&p.first) < 0 || buf_error(&p.line) < 0 ? error_nomem(e) : 0;
	buf_done(&p.first);
	buf_done(&p.line);
	return err;
}

const struct renderer render_text = {
	.name = "text",
	.report = text_report,
	.table = render_table_text,
	.explain = render_explain_text,
};
