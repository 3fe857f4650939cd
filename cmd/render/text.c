/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for a person in a hurry: the verdict, then what to fix in the order to fix
 * it, then what could not be answered, then the rest in a line each.
 */
#include "render.h"

#include "wrap.h"

#include <sriovctl/buf.h>
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

static void print_headline(const struct report *r, const struct render_style *style, FILE *out)
{
	(void)fprintf(out, "%s%s%s\n", style->colour ? colours[r->readiness] : "",
		      headlines[r->readiness], style->colour ? "\033[0m" : "");
}

static void print_host(const struct report *r, FILE *out)
{
	AUTO_BUF struct buf line = { 0 };

	if (r->vendor || r->product)
		buf_printf(&line, "%s %s, ", r->vendor ? r->vendor : "",
			   r->product ? r->product : "");
	if (r->bios)
		buf_printf(&line, "BIOS %s, ", r->bios);
	buf_printf(&line, "Linux %s", r->kernel ? r->kernel : "of unknown release");
	if (strcmp(r->root, "/") != 0)
		buf_printf(&line, ", from %s", r->root);
	wrap_print(out, "", 0, buf_text(&line));
	buf_clear(&line);
	buf_printf(&line, "%u passed, %u failed, %u unknown, %u not applicable",
		   r->counts[VERDICT_PASS], r->counts[VERDICT_FAIL], r->counts[VERDICT_UNKNOWN],
		   r->counts[VERDICT_NA]);
	if (r->left_out)
		buf_printf(&line, "; %u required left out", r->left_out);
	wrap_print(out, "", 0, buf_text(&line));
}

static void print_evidence(const struct evidence *v, FILE *out)
{
	AUTO_BUF struct buf line = { 0 };

	buf_printf(&line, "%s: %s", v->source, *v->observed ? v->observed : "(empty)");
	if (*v->expected)
		buf_printf(&line, " (expected: %s)", v->expected);
	wrap_print(out, "    seen  ", INDENT + 6, buf_text(&line));
}

/* All there is to say of a result that somebody has to act on. */
static void print_full(const struct result *it, FILE *out)
{
	const struct finding *f = &it->finding;

	(void)fprintf(out, "\n  %s", it->check->id);
	if (strcmp(it->subject, "host") != 0)
		(void)fprintf(out, " of %s%s%s%s", it->subject, it->name ? " (" : "",
			      it->name ? it->name : "", it->name ? ")" : "");
	(void)fprintf(out, " - %s", severity_name(f->severity));
	if (it->verdict == VERDICT_FAIL)
		(void)fprintf(out, ", for %s", actor_name(f->actor));
	(void)fputc('\n', out);
	wrap_print(out, "    ", INDENT, f->summary);
	for (size_t i = 0; i < f->n_evidence; i++)
		print_evidence(&f->evidence[i], out);
	for (size_t i = 0; i < f->remedy.n; i++)
		wrap_print(out, "    do    ", INDENT + 6, f->remedy.items[i]);
}

static void print_brief(const struct result *it, FILE *out)
{
	AUTO_BUF struct buf first = { 0 }, text = { 0 };

	buf_printf(&first, "  %-*s ", ID_COLUMN, it->check->id);
	if (strcmp(it->subject, "host") != 0)
		buf_printf(&text, "%s: ", it->name ? it->name : it->subject);
	buf_puts(&text, it->finding.summary);
	wrap_print(out, buf_text(&first), ID_COLUMN + 3, buf_text(&text));
}

typedef void print_result(const struct result *it, FILE *out);

/* A titled section of the results with this verdict and severity (SEVERITY_MAX: any). */
static void print_section(const struct report *r, const char *title, enum verdict verdict,
			  enum severity severity, print_result *print, FILE *out)
{
	bool titled = false;

	for (size_t i = 0; i < r->n_results; i++) {
		const struct result *it = &r->results[i];

		if (it->verdict != verdict ||
		    (severity != SEVERITY_MAX && it->finding.severity != severity))
			continue;
		if (!titled)
			(void)fprintf(out, "\n%s:\n", title);
		titled = true;
		print(it, out);
	}
}

static int text_report(const struct report *r, const struct render_style *style, FILE *out,
		       struct error *e)
{
	(void)e;
	print_headline(r, style, out);
	print_host(r, out);
	print_section(r, "To fix, in this order", VERDICT_FAIL, SEVERITY_REQUIRED, print_full, out);
	print_section(r, "Warnings", VERDICT_FAIL, SEVERITY_RECOMMENDED, print_full, out);
	print_section(r, "Could not be answered", VERDICT_UNKNOWN, SEVERITY_MAX, print_full, out);
	print_section(r, "Not so, for information", VERDICT_FAIL, SEVERITY_INFO, print_brief, out);
	print_section(r, "Passed", VERDICT_PASS, SEVERITY_MAX, print_brief, out);
	print_section(r, "Not applicable", VERDICT_NA, SEVERITY_MAX, print_brief, out);
	return 0;
}

const struct renderer render_text = {
	.name = "text",
	.report = text_report,
	.table = render_table_text,
};
