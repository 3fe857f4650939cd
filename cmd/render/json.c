/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as JSON, schema 1: the contract that tests/contract/report.schema.json states. */
#include "render.h"

#include <sriovctl/buf.h>
#include <sriovctl/json.h>
#include <sriovctl/report.h>

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

static struct json *remedy_json(const struct finding *f)
{
	struct json *list = json_array();

	for (size_t i = 0; i < f->remedy.n; i++)
		json_add_str(list, f->remedy.items[i]);
	return list;
}

static struct json *result_json(const struct result *it)
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
	json_set(j, "remedy", remedy_json(&it->finding));
	json_set_str(j, "reference", it->check->reference);
	return j;
}

static int json_report(const struct report *r, const struct render_style *style, FILE *out,
		       struct error *e)
{
	AUTO_JSON struct json *j = json_object();
	AUTO_BUF struct buf text = { 0 };
	struct json *results = json_array();
	int err;

	json_set_int(j, "schema", 1);
	json_set(j, "tool", tool_json(style));
	json_set(j, "host", host_json(r));
	json_set_str(j, "profile", r->profile);
	json_set_str(j, "verdict", readiness_name(r->readiness));
	json_set(j, "counts", counts_json(r));
	for (size_t i = 0; i < r->n_results; i++)
		json_add(results, result_json(&r->results[i]));
	json_set(j, "results", results);
	err = json_print(j, &text, e);
	if (err == 0)
		(void)fputs(buf_text(&text), out);
	return err;
}

const struct renderer render_json = { .name = "json", .report = json_report };
