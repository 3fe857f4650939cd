/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/explain.h>

#include <sriovctl/data.h>
#include <sriovctl/error.h>
#include <sriovctl/json.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int damaged(struct error *e, const char *at)
{
	return error_set(e, -EINVAL, "the explanations inside this program are damaged at \"%s\"",
			 at);
}

static int read_actor(const struct json *j, enum actor *ret)
{
	const char *name = json_text(j);

	for (enum actor a = 0; name && a < ACTOR_MAX; a++) {
		if (strcmp(actor_name(a), name) == 0) {
			*ret = a;
			return 0;
		}
	}
	return -EINVAL;
}

static int read_cause(const struct json *j, struct explain_cause *ret)
{
	ret->what = json_text(json_get(j, "what"));
	ret->means = json_text(json_get(j, "means"));
	return ret->what && ret->means ? read_actor(json_get(j, "actor"), &ret->actor) : -EINVAL;
}

static int read_check(const struct json *j, const struct check *c, struct explain_check *ret,
		      struct error *e)
{
	const struct json *causes = json_get(j, "causes"), *it;

	ret->check = c;
	ret->decides = json_text(json_get(j, "decides"));
	ret->note = json_text(json_get(j, "note"));
	if (!ret->decides)
		return damaged(e, c->id);
	ret->causes = calloc(json_count(causes) + 1, sizeof(*ret->causes));
	if (!ret->causes)
		return error_nomem(e);
	JSON_EACH(it, causes)
	{
		if (read_cause(it, &ret->causes[ret->n_causes++]) < 0)
			return damaged(e, c->id);
	}
	return 0;
}

static int read_checks(const struct json *list, struct explain *x, struct error *e)
{
	const struct check *c;
	size_t n = 0;
	int r = 0;

	while (check_at(n))
		n++;
	x->checks = calloc(n + 1, sizeof(*x->checks));
	if (!x->checks)
		return error_nomem(e);
	if (json_count(list) != n)
		return damaged(e, "checks");
	for (size_t i = 0; r == 0 && (c = check_at(i)); i++)
		r = read_check(json_get(list, c->id), c, &x->checks[x->n_checks++], e);
	return r;
}

static int read_topic(const struct json *j, struct explain_topic *ret, struct error *e)
{
	const struct json *it;

	ret->name = json_key(j);
	ret->title = json_text(json_get(j, "title"));
	if (!ret->title)
		return damaged(e, ret->name);
	JSON_EACH(it, json_get(j, "text"))
	{
		if (!json_text(it))
			return damaged(e, ret->name);
		if (strv_add(&ret->paragraphs, json_text(it)) < 0)
			return error_nomem(e);
	}
	return ret->paragraphs.n ? 0 : damaged(e, ret->name);
}

static int read_topics(const struct json *list, struct explain *x, struct error *e)
{
	const struct json *it;
	int r = 0;

	x->topics = calloc(json_count(list) + 1, sizeof(*x->topics));
	if (!x->topics)
		return error_nomem(e);
	JSON_EACH(it, list)
	{
		if (r == 0)
			r = read_topic(it, &x->topics[x->n_topics++], e);
	}
	return r;
}

int explain_read(struct explain *ret, struct error *e)
{
	AUTO_EXPLAIN struct explain x = { 0 };
	int r = json_parse(data_explain, data_explain_len, &x.table, e);

	if (r == 0)
		r = read_checks(json_get(x.table, "checks"), &x, e);
	if (r == 0)
		r = read_topics(json_get(x.table, "topics"), &x, e);
	if (r < 0)
		return r;
	*ret = x;
	x = (struct explain){ 0 };
	return 0;
}

void explain_done(struct explain *x)
{
	for (size_t i = 0; i < x->n_checks; i++)
		free(x->checks[i].causes);
	free(x->checks);
	for (size_t i = 0; i < x->n_topics; i++)
		strv_done(&x->topics[i].paragraphs);
	free(x->topics);
	json_free(x->table);
	*x = (struct explain){ 0 };
}

const struct explain_check *explain_find(const struct explain *x, const char *id)
{
	for (size_t i = 0; i < x->n_checks; i++)
		if (strcmp(x->checks[i].check->id, id) == 0)
			return &x->checks[i];
	return NULL;
}

const struct explain_topic *explain_topic(const struct explain *x, const char *name)
{
	for (size_t i = 0; i < x->n_topics; i++)
		if (strcmp(x->topics[i].name, name) == 0)
			return &x->topics[i];
	return NULL;
}
