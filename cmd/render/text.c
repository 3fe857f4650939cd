/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for a person in a hurry: the verdict, then what to fix in the order to fix
 * it, then what could not be answered, then the rest in a line each.
 */
#include "render.h"

#include "wrap.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/report.h>

#include <string.h>

#define INDENT	  4
#define ID_COLUMN 20

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

/* Where it is printed, and what the lines are made in. */
struct page {
	FILE *out;
	struct buf first, line;
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
		   r->counts[VERDICT_PASS], r->counts[VERDICT_FAIL], r->counts[VERDICT_UNKNOWN],
		   r->counts[VERDICT_NA]);
	if (r->left_out)
		buf_printf(&p->line, "; %u required left out", r->left_out);
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

/* All there is to say of a result that somebody has to act on. */
static void print_full(const struct result *it, struct page *p)
{
	const struct finding *f = &it->finding;

	buf_puts(&p->line, it->check->id);
	if (strcmp(it->subject, "host") != 0)
		buf_printf(&p->line, " of %s%s%s%s", it->subject, it->name ? " (" : "",
			   it->name ? it->name : "", it->name ? ")" : "");
	buf_printf(&p->line, " - %s", severity_name(f->severity));
	if (it->verdict == VERDICT_FAIL)
		buf_printf(&p->line, ", to be fixed by: %s", actor_name(f->actor));
	(void)fputc('\n', p->out);
	end_line(p, "  ", INDENT);
	wrap_print(p->out, "    ", INDENT, f->summary);
	for (size_t i = 0; i < f->n_evidence; i++)
		print_evidence(&f->evidence[i], p);
	for (size_t i = 0; i < f->remedy.n; i++)
		wrap_print(p->out, "    do    ", INDENT + 6, f->remedy.items[i]);
}

static void print_brief(const struct result *it, struct page *p)
{
	buf_clear(&p->first);
	buf_printf(&p->first, "  %-*s ", ID_COLUMN, it->check->id);
	if (strcmp(it->subject, "host") != 0)
		buf_printf(&p->line, "%s: ", it->name ? it->name : it->subject);
	buf_puts(&p->line, it->finding.summary);
	end_line(p, buf_text(&p->first), ID_COLUMN + 3);
}

typedef void print_result(const struct result *it, struct page *p);

/* A titled section of the results with this verdict and severity (SEVERITY_MAX: any). */
static void print_section(const struct report *r, const char *title, enum verdict verdict,
			  enum severity severity, print_result *print, struct page *p)
{
	bool titled = false;

	for (size_t i = 0; i < r->n_results; i++) {
		const struct result *it = &r->results[i];

		if (it->verdict != verdict ||
		    (severity != SEVERITY_MAX && it->finding.severity != severity))
			continue;
		if (!titled)
			(void)fprintf(p->out, "\n%s:\n", title);
		titled = true;
		print(it, p);
	}
}

static int text_report(const struct report *r, const struct render_style *style, FILE *out,
		       struct error *e)
{
	struct page p = { .out = out };
	int err;

	print_headline(r, style, &p);
	print_host(r, &p);
	print_asked(r, &p);
	print_section(r, "To fix, in this order", VERDICT_FAIL, SEVERITY_REQUIRED, print_full, &p);
	print_section(r, "Warnings", VERDICT_FAIL, SEVERITY_RECOMMENDED, print_full, &p);
	print_section(r, "Could not be answered", VERDICT_UNKNOWN, SEVERITY_MAX, print_full, &p);
	print_section(r, "Not so, for information", VERDICT_FAIL, SEVERITY_INFO, print_brief, &p);
	print_section(r, "Passed", VERDICT_PASS, SEVERITY_MAX, print_brief, &p);
	print_section(r, "Not applicable", VERDICT_NA, SEVERITY_MAX, print_brief, &p);
	err = buf_error(&p.first) < 0 || buf_error(&p.line) < 0 ? error_nomem(e) : 0;
	buf_done(&p.first);
	buf_done(&p.line);
	return err;
}

const struct renderer render_text = {
	.name = "text",
	.report = text_report,
	.table = render_table_text,
};
