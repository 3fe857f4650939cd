/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the document to the model: what is there, in the order of the document. */
#include "spec_model.h"

#include "spec_target.h"
#include "spec_value.h"

#include <sriovctl/error.h>
#include <sriovctl/json.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- a function ------------------------------------------------------------------------ */

static int read_policy(const struct spec *s, const struct json *j, struct spec_pf *ret,
		       struct error *e)
{
	static const struct spec_rule rule = { .name = "policy", .words = spec_policies };
	static const char *const words[] = { "policy", "first", NULL };
	const struct spec_place at = spec_value_place(j, "mac"),
				first = spec_value_place(json_get(j, "first"), "first");
	const struct json *it;
	bool is_pool;
	int r = 0;

	if (!json_is_object(j))
		return spec_refuse(s, &at, e, "an object is expected");
	for (it = json_first(j); r == 0 && it; it = json_next(it)) {
		size_t key = spec_value_find(it, words);

		if (key == 0)
			r = spec_value_word(s, it, &rule, &ret->policy, e);
		else if (key == 1)
			r = spec_value_mac(s, it, &first, &ret->first, e);
		else
			r = spec_value_unknown(s, it, words, e);
	}
	if (r < 0)
		return r;
	is_pool = ret->policy.is_set && ret->policy.number == SPEC_POLICY_POOL;
	if (!ret->policy.is_set)
		return spec_refuse(s, &at, e, "a \"policy\" is expected");
	if (is_pool && !ret->first.is_set)
		return spec_refuse(s, &at, e, "a pool needs its \"first\" address");
	if (!is_pool && ret->first.is_set)
		return spec_refuse(s, &first, e, "goes with the policy \"pool\" only");
	return 0;
}

static int read_vfs(const struct spec *s, const struct json *j, struct spec_pf *ret,
		    struct error *e)
{
	const struct spec_place at = spec_value_place(j, "vfs");
	const char *text = json_text(j);
	uint64_t number = 0;

	ret->max_vfs = text && strcmp(text, "max") == 0;
	if (!ret->max_vfs && (json_read_u64(j, &number) < 0 || number > SPEC_VFS_MAX))
		return spec_refuse(s, &at, e,
				   "a whole number from 0 to %u, or \"max\", is expected",
				   SPEC_VFS_MAX);
	ret->vfs = (struct spec_value){ .is_set = true, .at = at, .number = number };
	return 0;
}

static int read_key(const struct spec *s, const struct json *j, struct spec_pf *ret,
		    struct error *e)
{
	static const char *const words[] = { "match", "vfs", "mtu", "eswitch", "mac", "vf", NULL };
	static const struct spec_rule mode = { .name = "eswitch", .words = spec_modes };
	static const struct spec_rule mtu = { .name = "mtu",
					      .min = SPEC_MTU_MIN,
					      .max = SPEC_MTU_MAX };

	switch (spec_value_find(j, words)) {
	case 0:
		return spec_target_read(s, j, &ret->target, e);
	case 1:
		return read_vfs(s, j, ret, e);
	case 2:
		return spec_value_number(s, j, &mtu, &ret->mtu, e);
	case 3:
		return spec_value_word(s, j, &mode, &ret->eswitch, e);
	case 4:
		return read_policy(s, j, ret, e);
	case 5:
		return spec_entry_read(s, j, ret, e);
	default:
		return spec_value_unknown(s, j, words, e);
	}
}

static int read_pf(const struct spec *s, const struct json *j, struct spec_pf *ret, struct error *e)
{
	const struct json *it;
	int r = 0;

	ret->at = spec_value_place(j, NULL);
	if (!json_is_object(j))
		return spec_refuse(s, &ret->at, e, "an object is expected");
	for (it = json_first(j); r == 0 && it; it = json_next(it))
		r = read_key(s, it, ret, e);
	if (r == 0 && !json_get(j, "match"))
		r = spec_refuse(s, &ret->at, e, "\"match\" is missing: which function is it?");
	return r < 0 ? r : spec_entry_judge(s, ret, e);
}

static int read_pfs(struct spec *s, const struct json *j, struct error *e)
{
	const struct spec_place at = spec_value_place(j, "pfs");
	const struct json *it;
	int r = 0;

	if (!json_is_array(j))
		return spec_refuse(s, &at, e, "an array is expected");
	s->pfs = calloc(json_count(j) + 1, sizeof(*s->pfs));
	if (!s->pfs)
		return error_nomem(e);
	for (it = json_first(j); r == 0 && it; it = json_next(it))
		r = read_pf(s, it, &s->pfs[s->n++], e);
	return r;
}

/* --- the document ----------------------------------------------------------------------- */

static int read_root(struct spec *s, const struct json *root, struct error *e)
{
	static const char *const words[] = { "schema", "pfs", NULL };
	const struct spec_place at = spec_value_place(root, NULL);
	const struct json *schema = json_get(root, "schema"), *pfs = json_get(root, "pfs"), *it;
	const struct spec_place schema_at = spec_value_place(schema, "schema");
	uint64_t version = 0;

	if (!json_is_object(root))
		return spec_refuse(s, &at, e, "an object is expected");
	/* First of all: another version has other keys. */
	if (!schema)
		return spec_refuse(s, &at, e, "\"schema\": 1 is missing");
	if (json_read_u64(schema, &version) < 0 || version != 1)
		return spec_refuse(s, &schema_at, e, "1 is expected: no other is known");
	JSON_EACH(it, root)
	{
		if (!words[spec_value_find(it, words)])
			return spec_value_unknown(s, it, words, e);
	}
	if (!pfs)
		return spec_refuse(s, &at, e, "\"pfs\" is missing");
	return read_pfs(s, pfs, e);
}

int spec_read(struct spec *s, size_t len, struct error *e)
{
	AUTO_JSON struct json *root = NULL;
	struct error own = { 0 };
	int r = json_parse_commented(s->text, len, &root, &own);

	if (r == -EINVAL)
		return error_set(e, r, "%s:%s", s->name ? s->name : "", own.text);
	return r < 0 ? error_nomem(e) : read_root(s, root, e);
}
