/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON, schema 1.  The report: the contract that tests/contract/report.schema.json states.
 * A table: an array of objects with every column's key, null for none and for what is not
 * known; of the latter the object "unknown" has the reasons by key.
 */
#include "render.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/explain.h>
#include <sriovctl/json.h>
#include <sriovctl/report.h>
#include <sriovctl/table.h>

#include <string.h>

static struct json *tool_json(const struct render_style *style)
{
	struct json *j = json_object();

	json_set_str(j, "name", "sriovctl");
	json_set_str(j, "version", style->tool_version);
	return j;
}

static struct json *host_json(const struct report *r)
{
	struct json *j = json_object();

	json_set_str(j, "root", r->root);
	json_set_str(j, "kernel", r->kernel);
	json_set_str(j, "vendor", r->vendor);
	json_set_str(j, "product", r->product);
	json_set_str(j, "bios", r->bios);
	return j;
}

static struct json *counts_json(const struct report *r)
{
	struct json *j = json_object();

	for (enum verdict v = 0; v < VERDICT_MAX; v++)
		json_set_int(j, verdict_name(v), r->counts[v]);
	return j;
}

static struct json *evidence_json(const struct finding *f)
{
	struct json *list = json_array();

	for (size_t i = 0; i < f->n_evidence; i++) {
		struct json *j = json_object();

		json_set_str(j, "source", f->evidence[i].source);
		json_set_str(j, "observed", f->evidence[i].observed);
		json_set_str(j, "expected", f->evidence[i].expected);
		json_add(list, j);
	}
	return list;
}

static struct json *texts_json(const struct strv *texts)
{
	struct json *list = json_array();

	for (size_t i = 0; i < texts->n; i++)
		json_add_str(list, texts->items[i]);
	return list;
}

static struct json *result_json(const struct report *r, const struct result *it)
{
	struct json *j = json_object();

	json_set_str(j, "id", it->check->id);
	json_set_str(j, "subject", it->subject);
	json_set_str(j, "name", it->name);
	json_set_str(j, "verdict", verdict_name(it->verdict));
	json_set_str(j, "severity", severity_name(it->finding.severity));
	json_set_str(j, "summary", it->finding.summary);
	json_set(j, "evidence", evidence_json(&it->finding));
	json_set_str(j, "actor", actor_name(it->finding.actor));
	json_set(j, "remedy", texts_json(&it->finding.remedy));
	json_set_str(j, "reference", it->check->reference);
	json_set_str(j, "follows",
		     &r->results[it->cause] == it ? NULL : r->results[it->cause].check->id);
	return j;
}

static struct json *count_json(uint32_t count)
{
	return count ? json_int(count) : json_null();
}

/* What a spec asked for; null of a number: as many as the function offers. */
static struct json *asked_json(const struct report *r)
{
	struct json *j, *list;

	if (!r->spec)
		return json_null();
	j = json_object();
	list = json_array();
	json_set_str(j, "spec", r->spec);
	for (size_t i = 0; i < r->n_asked; i++) {
		struct json *one = json_object();

		json_set_str(one, "subject", r->asked[i].subject);
		json_set(one, "vfs", count_json(r->asked[i].wish.vfs));
		json_set(one, "queues", count_json(r->asked[i].wish.queues));
		json_add(list, one);
	}
	json_set(j, "functions", list);
	return j;
}

static struct json *document(const struct render_style *style)
{
	struct json *j = json_object();

	json_set_int(j, "schema", 1);
	json_set(j, "tool", tool_json(style));
	return j;
}

static int print(const struct json *j, FILE *out, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int err = json_print(j, &text, e);

	if (err == 0)
		(void)fputs(buf_text(&text), out);
	return err;
}

/* Deeper by two levels: a new line is between values only, as within texts it is escaped. */
static void indent(const char *text, struct buf *ret)
{
	for (size_t len; *text; text += len) {
		len = strcspn(text, "\n");
		buf_append(ret, text, len);
		if (text[len] == '\n') {
			buf_puts(ret, text[++len] ? "\n\t\t" : "");
		}
	}
}

/* The results one by one, as a value of each at once would take many times what its text does. */
static int add_results(const struct report *r, struct buf *ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };

	for (size_t i = 0; i < r->n_results; i++) {
		AUTO_JSON struct json *j = result_json(r, &r->results[i]);
		int err;

		buf_clear(&text);
		err = json_print(j, &text, e);
		if (err < 0)
			return err;
		buf_puts(ret, i ? ", " : "");
		indent(buf_text(&text), ret);
	}
	return buf_error(ret) < 0 ? error_nomem(e) : 0;
}

static int json_report(const struct report *r, const struct render_style *style, FILE *out,
		       struct error *e)
{
	AUTO_JSON struct json *j = document(style);
	AUTO_BUF struct buf text = { 0 };
	int err;

	json_set(j, "host", host_json(r));
	json_set_str(j, "profile", r->profile);
	json_set(j, "overrides", texts_json(&r->overrides));
	json_set(j, "asked", asked_json(r));
	json_set_str(j, "verdict", readiness_name(r->readiness));
	json_set(j, "counts", counts_json(r));
	json_set(j, "results", json_array());
	err = json_print(j, &text, e);
	if (err < 0)
		return err;
	/* "[]", the end of the object and of the line */
	text.len -= strlen("]\n}\n");
	err = add_results(r, &text, e);
	if (err < 0)
		return err;
	buf_puts(&text, "]\n}\n");
	if (buf_error(&text) < 0)
		return error_nomem(e);
	(void)fputs(buf_text(&text), out);
	return 0;
}

/* --- explanations ------------------------------------------------------------------ */

static struct json *causes_json(const struct explain_check *x)
{
	struct json *list = json_array();

	for (size_t i = 0; i < x->n_causes; i++) {
		struct json *j = json_object();

		json_set_str(j, "what", x->causes[i].what);
		json_set_str(j, "actor", actor_name(x->causes[i].actor));
		json_set_str(j, "means", x->causes[i].means);
		json_add(list, j);
	}
	return list;
}

static struct json *explained_json(const struct explain_check *x)
{
	const struct check *c = x->check;
	struct json *j = json_object();

	json_set_str(j, "id", c->id);
	json_set_str(j, "claim", c->title);
	json_set_str(j, "severity", severity_name(c->severity));
	json_set_str(j, "impact", c->impact);
	json_set_str(j, "decides", x->decides);
	json_set_str(j, "note", x->note);
	json_set(j, "causes", causes_json(x));
	json_set_str(j, "remedy", c->remedy);
	json_set_str(j, "reference", c->reference);
	return j;
}

static struct json *topic_json(const struct explain_topic *t)
{
	struct json *j = json_object();

	json_set_str(j, "name", t->name);
	json_set_str(j, "title", t->title);
	json_set(j, "text", texts_json(&t->paragraphs));
	return j;
}

static int json_explain(const struct explain *x, const struct strv *words,
			const struct render_style *style, FILE *out, struct error *e)
{
	AUTO_JSON struct json *j = document(style);
	struct json *checks = json_array(), *topics = json_array();

	for (size_t i = 0; i < x->n_checks; i++)
		if (words->n == 0 || strv_has(words, x->checks[i].check->id))
			json_add(checks, explained_json(&x->checks[i]));
	for (size_t i = 0; i < x->n_topics; i++)
		if (words->n == 0 || strv_has(words, x->topics[i].name))
			json_add(topics, topic_json(&x->topics[i]));
	json_set(j, "checks", checks);
	json_set(j, "topics", topics);
	return print(j, out, e);
}

/* --- tables ----------------------------------------------------------------------- */

static struct json *cell_json(const struct table_column *column, const struct table_cell *cell)
{
	AUTO_BUF struct buf text = { 0 };

	if (cell->state != TABLE_KNOWN)
		return json_null();
	switch (column->type) {
	case TABLE_INT:
		return json_int(cell->number);
	case TABLE_SWITCH:
		return json_bool(cell->number != 0);
	case TABLE_TEXT:
		break;
	}
	buf_puts(&text, cell->text);
	if (column->unit)
		buf_printf(&text, " %s", column->unit);
	return buf_error(&text) < 0 ? NULL : json_str(buf_text(&text));
}

/* The object that the columns "link.speed" and "link.width" share; their columns are neighbours. */
static void set_members(const struct table *t, const struct table_row *row, struct json *into)
{
	AUTO_BUF struct buf name = { 0 };
	struct json *object = NULL;

	for (size_t i = 0; i < t->n_columns; i++) {
		const char *key = t->columns[i].key;
		const char *dot = strchr(key, '.');
		struct json *cell = cell_json(&t->columns[i], &row->cells[i]);

		if (!dot) {
			json_set(into, key, cell);
			continue;
		}
		if (!name.len || name.len != (size_t)(dot - key) ||
		    strncmp(buf_text(&name), key, name.len) != 0) {
			buf_clear(&name);
			buf_append(&name, key, (size_t)(dot - key));
			object = json_object();
			json_set(into, buf_text(&name), object);
		}
		json_set(object, dot + 1, cell);
	}
}

static struct json *unknown_json(const struct table *t, const struct table_row *row)
{
	struct json *j = json_object();

	for (size_t i = 0; i < t->n_columns; i++)
		if (row->cells[i].state == TABLE_UNKNOWN)
			json_set_str(j, t->columns[i].key, row->cells[i].text);
	return j;
}

/* As deep as the tables of a command nest. */
static struct json *rows_json(const struct table *t)
{
	struct json *list = json_array();

	for (size_t i = 0; i < t->n; i++) {
		struct json *j = json_object();

		set_members(t, t->rows[i], j);
		json_set(j, "unknown", unknown_json(t, t->rows[i]));
		if (t->rows[i]->sub)
			json_set(j, t->rows[i]->sub->key, rows_json(t->rows[i]->sub));
		json_add(list, j);
	}
	return list;
}

static int json_table(const struct table *t, const struct render_style *style, FILE *out,
		      struct error *e)
{
	AUTO_JSON struct json *j = document(style);

	if (t->head) {
		set_members(t->head, t->head->rows[0], j);
		json_set(j, "unknown", unknown_json(t->head, t->head->rows[0]));
	}
	json_set(j, t->key, rows_json(t));
	return print(j, out, e);
}

const struct renderer render_json = {
	.name = "json",
	.report = json_report,
	.table = json_table,
	.explain = json_explain,
};
