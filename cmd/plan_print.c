/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plan_print.h"

#include "render/render.h"
#include "render/wrap.h"

#include <config.h>
#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/step.h>
#include <sriovctl/table.h>

#include <stdlib.h>

static const struct pfstate *pf_of_step(const struct pfstates *is, const struct step *s)
{
	return &is->items[s->pf];
}

/* Those that only keep a value, for undoing, are for programs: what is lost is in the notes. */
static bool is_shown(const struct step *s)
{
	return !s->keep && !plan_holds(s);
}

/* The same is done to the VF behind it. */
static bool goes_on(const struct step *s, const struct step *next)
{
	return plan_goes_with(s, next) && next->vf == s->vf + 1 && is_shown(next) &&
	       next->needs_carrier == s->needs_carrier && next->before.state == s->before.state &&
	       (s->before.state != SETTING_KNOWN ||
		setting_equal(s->what, &next->before, &s->before)) &&
	       setting_equal(s->what, &next->after, &s->after);
}

/* How many steps, from this one on, do the same to VFs that are one behind the other. */
static size_t count_alike(const struct plan *p, size_t i)
{
	size_t n = 1;

	while (i + n < p->n && goes_on(&p->steps[i + n - 1], &p->steps[i + n]))
		n++;
	return n;
}

static void print_step(const struct plan_page *p, const struct step *s, uint32_t last, FILE *out,
		       struct buf *line)
{
	const char *hazard = step_interrupts(pf_of_step(p->is, s), s);

	buf_clear(line);
	plan_describe_vfs(p->is, s, last, line);
	if (hazard)
		buf_printf(line, "; %s", hazard);
	if (s->needs_carrier)
		buf_puts(line, "; needs carrier");
	wrap_print(out, "step  ", 6, buf_text(line));
}

static int print_steps(const struct plan_page *p, FILE *out, struct error *e)
{
	AUTO_BUF struct buf line = { 0 };

	for (size_t i = 0, n; i < p->plan->n; i += n) {
		n = count_alike(p->plan, i);
		if (is_shown(&p->plan->steps[i]))
			print_step(p, &p->plan->steps[i], p->plan->steps[i + n - 1].vf, out, &line);
	}
	return buf_error(&line) < 0 ? error_nomem(e) : 0;
}

void plan_print_sentences(const struct strv *v, const char *mark, FILE *out)
{
	for (size_t i = 0; v && i < v->n; i++)
		wrap_print(out, mark, 6, v->items[i]);
}

size_t plan_print_count(const struct plan *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += is_shown(&p->steps[i]);
	return n;
}

int plan_print_text(const struct plan_page *p, FILE *out, struct error *e)
{
	bool any = p->plan->n > 0 || p->plan->n_refusals > 0;
	int r;

	if (!any && !(p->files && p->files->n > 0))
		(void)fputs("Nothing to do: all is as wanted.\n", out);
	r = print_steps(p, out, e);
	plan_print_sentences(p->files, "file  ", out);
	if (any)
		plan_print_sentences(p->capacity, "room  ", out);
	plan_print_sentences(&p->plan->notes, "note  ", out);
	plan_print_sentences(p->notes, "note  ", out);
	plan_print_sentences(p->preflight, "check ", out);
	/* Before what is said on the other output. */
	(void)fflush(out);
	return r;
}

enum { HEAD_RESULT, HEAD_ERROR, HEAD_COLUMNS };

static const struct table_column head_columns[HEAD_COLUMNS] = {
	[HEAD_RESULT] = { .key = "result" },
	[HEAD_ERROR] = { .key = "error" },
};

enum { KIND, FUNCTION, VF, SETTING, BEFORE, AFTER, INTERRUPTS, TEXT, COLUMNS };

static const struct table_column columns[COLUMNS] = {
	[KIND] = { .key = "kind" },
	[FUNCTION] = { .key = "function" },
	[VF] = { .key = "vf", .type = TABLE_INT },
	[SETTING] = { .key = "setting" },
	[BEFORE] = { .key = "before" },
	[AFTER] = { .key = "after" },
	[INTERRUPTS] = { .key = "interrupts" },
	[TEXT] = { .key = "text" },
};

/* A value that is not known, or was not there, has no cell. */
static void set_value(struct table_row *row, size_t column, enum setting s,
		      const struct setting_value *v)
{
	AUTO_BUF struct buf text = { 0 };

	if (v->state != SETTING_KNOWN)
		return;
	setting_print(s, v, &text);
	table_set_text(row, column, buf_text(&text));
}

static void add_step(const struct plan_page *p, const struct step *s, struct table *t)
{
	struct table_row *row = table_add(t);
	AUTO_BUF struct buf text = { 0 };

	plan_describe(p->is, s, &text);
	table_set_text(row, KIND, is_shown(s) ? "step" : "keep");
	table_set_text(row, FUNCTION, pf_of_step(p->is, s)->bdf);
	if (s->vf != PLAN_OF_PF)
		table_set_int(row, VF, s->vf);
	table_set_text(row, SETTING, setting_name(s->what));
	set_value(row, BEFORE, s->what, &s->before);
	set_value(row, AFTER, s->what, &s->after);
	table_set_text(row, INTERRUPTS, step_interrupts(pf_of_step(p->is, s), s));
	table_set_text(row, TEXT, buf_text(&text));
}

static void add_sentence(struct table *t, const char *kind, const char *text)
{
	struct table_row *row = table_add(t);

	table_set_text(row, KIND, kind);
	table_set_text(row, TEXT, text);
}

static void add_sentences(struct table *t, const char *kind, const struct strv *v)
{
	for (size_t i = 0; v && i < v->n; i++)
		add_sentence(t, kind, v->items[i]);
}

static const char *refusal_name(enum plan_refusal_kind k)
{
	switch (k) {
	case PLAN_IN_USE:
		return "in-use";
	case PLAN_RECREATE:
		return "recreate";
	case PLAN_DISRUPTION:
		return "disruption";
	case PLAN_UNKNOWN:
		return "unknown";
	case PLAN_IMPOSSIBLE:
		break;
	}
	return "impossible";
}

static void fill(const struct plan_page *p, struct table *t)
{
	for (size_t i = 0; i < p->plan->n; i++)
		add_step(p, &p->plan->steps[i], t);
	add_sentences(t, "file", p->files);
	add_sentences(t, "capacity", p->capacity);
	add_sentences(t, "note", &p->plan->notes);
	add_sentences(t, "note", p->notes);
	add_sentences(t, "preflight", p->preflight);
	add_sentences(t, "lacks", p->lacks);
	for (size_t i = 0; i < p->plan->n_refusals; i++)
		add_sentence(t, refusal_name(p->plan->refusals[i].kind), p->plan->refusals[i].text);
}

int plan_print_json(const struct plan_page *p, const char *result, const char *error, FILE *out,
		    struct error *e)
{
	AUTO_TABLE struct table t = { .key = "plan", .columns = columns, .n_columns = COLUMNS };
	const struct render_style style = { .tool_version = VERSION };
	struct table_row *head = table_add_head(&t, head_columns, HEAD_COLUMNS);

	table_set_text(head, HEAD_RESULT, result);
	table_set_text(head, HEAD_ERROR, *error ? error : NULL);
	fill(p, &t);
	if (table_error(&t) < 0)
		return error_nomem(e);
	return render_find("json")->table(&t, &style, out, e);
}

void plan_print_progress(const struct pfstates *is, const struct step *s, size_t i, size_t n,
			 bool undo, FILE *out)
{
	AUTO_BUF struct buf line = { 0 };

	step_print(pf_of_step(is, s), s, undo ? &s->before : &s->after, &line);
	/* To the start of the line, and the rest of it away (ECMA-48 EL). */
	(void)fprintf(out, "\r%s[%zu/%zu] ", undo ? "undo " : "", i + 1, n);
	wrap_put(out, buf_text(&line), line.len < 60 ? line.len : 60);
	(void)fputs("\033[K", out);
	(void)fflush(out);
}
