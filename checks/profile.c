/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/profile.h>

#include <sriovctl/buf.h>
#include <sriovctl/data.h>
#include <sriovctl/error.h>
#include <sriovctl/json.h>
#include <sriovctl/suggest.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const profile_names[] = { "sriov", "vfio", NULL };

static const struct {
	const char *text;
	const uint32_t *len;
} built_in[] = {
	{ data_profile_sriov, &data_profile_sriov_len },
	{ data_profile_vfio, &data_profile_vfio_len },
};
_Static_assert(ARRAY_SIZE(built_in) + 1 == ARRAY_SIZE(profile_names), "every profile has a name");

/* The text that is read, for errors. */
struct reader {
	const char *text, *name;
	bool is_own; /* no profile of this program: what it says is shown with each report */
	struct error *e;
};

/* @what may have one %s, for @word. */
static int refuse(const struct reader *rd, const struct json *at, const char *what,
		  const char *word)
{
	struct json_place p = json_place(rd->text, json_offset(at));

	return error_set(rd->e, -EINVAL, "%s:%u:%u: %s \"%s\"", rd->name, p.line, p.column, what,
			 word);
}

static int find_severity(const char *text, enum severity *ret)
{
	for (enum severity s = 0; text && s < SEVERITY_MAX; s++) {
		if (strcmp(severity_name(s), text) == 0) {
			*ret = s;
			return 0;
		}
	}
	return -EINVAL;
}

static const char *like_id(const char *id)
{
	struct suggest s = { .word = id };
	const struct check *c;

	for (size_t i = 0; (c = check_at(i)); i++)
		suggest_offer(&s, c->id);
	return s.best;
}

static int add(struct profile *p, const struct check *c, enum severity severity)
{
	struct profile_level *levels = base_room(p->levels, p->n, sizeof(*levels));

	if (!levels)
		return -ENOMEM;
	p->levels = levels;
	p->levels[p->n++] = (struct profile_level){ .check = c, .severity = severity };
	return 0;
}

static int tell(struct profile *p, const struct check *c, enum severity severity)
{
	AUTO_BUF struct buf text = { 0 };

	buf_printf(&text, "%s=%s", c->id, severity_name(severity));
	return buf_error(&text) < 0 ? -ENOMEM : strv_add(&p->overrides, buf_text(&text));
}

static int read_level(const struct reader *rd, const struct json *j, struct profile *p)
{
	const char *id = json_key(j), *like;
	const struct check *c = check_find(id);
	enum severity severity;

	if (!c) {
		like = like_id(id);
		if (like)
			return refuse(rd, j, "this id no check has; did you mean", like);
		return refuse(rd, j, "no check has the id", id);
	}
	if (find_severity(json_text(j), &severity) < 0)
		return refuse(rd, j, "\"required\", \"recommended\" or \"info\" is wanted for", id);
	return add(p, c, severity) < 0 || (rd->is_own && tell(p, c, severity) < 0)
		       ? error_nomem(rd->e)
		       : 0;
}

static int set_name(const struct reader *rd, const struct json *j, struct profile *p)
{
	const char *name = json_text(j);

	if (!name || !*name)
		return refuse(rd, j, "a text is wanted for", "name");
	for (size_t i = 0; rd->is_own && profile_names[i]; i++)
		if (strcmp(profile_names[i], name) == 0)
			return refuse(rd, j, "a profile of this program has the name", name);
	free(p->name);
	p->name = strdup(name);
	return p->name ? 0 : error_nomem(rd->e);
}

static int read_levels(const struct reader *rd, const struct json *list, struct profile *p)
{
	const struct json *it;
	int r = 0;

	if (!json_is_object(list))
		return refuse(rd, list, "an object of ids and levels is wanted for", "severity");
	JSON_EACH(it, list)
	{
		if (r == 0)
			r = read_level(rd, it, p);
	}
	return r;
}

/* What it starts from: read before all else, wherever it stands. */
static int read_base(const struct reader *rd, const struct json *j, struct profile *p)
{
	const char *name = json_text(j);

	if (!name || profile_find(name, p, NULL) == -ENOENT)
		return refuse(rd, j, "the name of a profile of this program is wanted for", "base");
	return p->name ? 0 : error_nomem(rd->e);
}

static int read_member(const struct reader *rd, const struct json *j, struct profile *p)
{
	const char *key = json_key(j);
	uint64_t schema;

	if (strcmp(key, "schema") == 0)
		return json_read_u64(j, &schema) == 0 && schema == 1
			       ? 0
			       : refuse(rd, j, "1 is wanted for", key);
	if (strcmp(key, "name") == 0)
		return set_name(rd, j, p);
	if (strcmp(key, "about") == 0)
		return json_text(j) ? 0 : refuse(rd, j, "a text is wanted for", key);
	if (strcmp(key, "base") == 0)
		return 0; /* read already */
	if (strcmp(key, "severity") == 0)
		return read_levels(rd, j, p);
	return refuse(rd, j, "a profile has no key", key);
}

static int read_tree(const struct reader *rd, const struct json *tree, struct profile *p)
{
	const struct json *base = json_get(tree, "base"), *it;
	int r = base ? read_base(rd, base, p) : 0;

	if (!json_is_object(tree) || !json_get(tree, "schema") || !json_get(tree, "name"))
		return error_set(rd->e, -EINVAL,
				 "%s: a profile is an object with \"schema\": 1, \"name\" and "
				 "\"severity\"",
				 rd->name);
	JSON_EACH(it, tree)
	{
		if (r == 0)
			r = read_member(rd, it, p);
	}
	return r;
}

static int parse(const struct reader *rd, size_t len, struct profile *ret)
{
	AUTO_PROFILE struct profile p = { 0 };
	AUTO_JSON struct json *tree = NULL;
	struct error own = { 0 };
	int r = json_parse_commented(rd->text, len, &tree, &own);

	if (r < 0)
		return r == -EINVAL ? error_set(rd->e, r, "%s:%s", rd->name, own.text)
				    : error_nomem(rd->e);
	r = read_tree(rd, tree, &p);
	if (r < 0)
		return r;
	*ret = p;
	p = (struct profile){ 0 };
	return 0;
}

int profile_parse(const char *text, size_t len, const char *name, struct profile *ret,
		  struct error *e)
{
	const struct reader rd = { .text = text, .name = name, .is_own = true, .e = e };

	return parse(&rd, len, ret);
}

int profile_find(const char *name, struct profile *ret, struct error *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(built_in); i++) {
		const struct reader rd = { .text = built_in[i].text, .name = name, .e = e };

		if (strcmp(profile_names[i], name) == 0)
			return parse(&rd, *built_in[i].len, ret);
	}
	return error_set(e, -ENOENT, "no profile is called \"%s\"", name);
}

int profile_override(struct profile *p, const char *assignment, struct error *e)
{
	const char *equals = strchr(assignment, '='), *like;
	AUTO_BUF struct buf id = { 0 };
	enum severity severity;
	const struct check *c;

	if (!equals || find_severity(equals + 1, &severity) < 0)
		return error_set(e, -EINVAL,
				 "\"%s\" is no ID=LEVEL; the levels are required, recommended and "
				 "info",
				 assignment);
	buf_append(&id, assignment, (size_t)(equals - assignment));
	c = check_find(buf_text(&id));
	like = c ? NULL : like_id(buf_text(&id));
	if (!c && buf_error(&id) == 0)
		return error_set(e, -EINVAL, "no check is called \"%s\"%s%s", buf_text(&id),
				 like ? "; did you mean " : "", like ? like : "");
	if (!c || add(p, c, severity) < 0 || strv_add(&p->overrides, assignment) < 0)
		return error_nomem(e);
	return 0;
}

enum severity profile_severity(const struct profile *p, const struct check *c)
{
	for (size_t i = p ? p->n : 0; i > 0; i--)
		if (p->levels[i - 1].check == c)
			return p->levels[i - 1].severity;
	return c->severity;
}

void profile_done(struct profile *p)
{
	free(p->name);
	free(p->levels);
	strv_done(&p->overrides);
	*p = (struct profile){ 0 };
}
