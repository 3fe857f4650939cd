/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entries of "vf": for which VFs, what they say, and which of two wins. */
#include "spec_model.h"

#include "spec_value.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/json.h>
#include <sriovctl/parse.h>
#include <sriovctl/suggest.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* No sign, no blanks, no zeros in front: a VF has one name. */
static bool read_index(const char *text, size_t len, uint32_t *ret)
{
	char digits[6] = { 0 };
	uint64_t index;

	if (len == 0 || len >= sizeof(digits) || (text[0] == '0' && len > 1))
		return false;
	memcpy(digits, text, len);
	if (parse_u64(digits, 10, SPEC_VFS_MAX - 1, &index) < 0)
		return false;
	*ret = (uint32_t)index;
	return true;
}

static int read_selector(const struct spec *s, const char *text, struct spec_entry *ret,
			 struct error *e)
{
	const char *dash = strchrnul(text, '-');

	if (strcmp(text, "*") == 0) {
		ret->is_all = true;
		ret->last = SPEC_VFS_MAX;
		return 0;
	}
	if (!read_index(text, (size_t)(dash - text), &ret->first) ||
	    !read_index(*dash ? dash + 1 : text, strlen(*dash ? dash + 1 : text), &ret->last))
		return spec_refuse(s, &ret->at, e,
				   "\"%s\" names no VFs: \"*\", a VF like \"3\" or VFs like "
				   "\"0-3\" are expected, none above %u",
				   text, SPEC_VFS_MAX - 1);
	if (ret->last < ret->first)
		return spec_refuse(s, &ret->at, e, "\"%s\" ends before it begins", text);
	return 0;
}

static int require(const struct spec *s, const struct json *j, struct spec_entry *ret,
		   struct error *e)
{
	const struct spec_place at = spec_value_place(j, "required");
	const char *text = json_text(j);
	struct suggest like = { .word = text ? text : "" };

	for (enum spec_key k = 0; k < SPEC_KEYS; k++) {
		suggest_offer(&like, spec_rules[k].name);
		if (text && strcmp(text, spec_rules[k].name) == 0) {
			ret->required |= UINT32_C(1) << spec_rules[k].setting;
			return 0;
		}
	}
	if (!text)
		return spec_refuse(s, &at, e, "the name of a key of a VF is expected");
	if (like.best)
		return spec_refuse(s, &at, e,
				   "no key of a VF is called \"%s\"; did you mean "
				   "\"%s\"?",
				   text, like.best);
	return spec_refuse(s, &at, e, "no key of a VF is called \"%s\"", text);
}

static int read_required(const struct spec *s, const struct json *j, struct spec_entry *ret,
			 struct error *e)
{
	const struct spec_place at = spec_value_place(j, "required");
	const struct json *it;
	int r = 0;

	if (!json_is_array(j))
		return spec_refuse(s, &at, e, "an array is expected");
	for (it = json_first(j); r == 0 && it; it = json_next(it))
		r = require(s, it, ret, e);
	return r;
}

static int read_entry(const struct spec *s, const struct json *j, struct spec_entry *ret,
		      struct error *e)
{
	const char *words[SPEC_KEYS + 2] = { [SPEC_KEYS] = "required" };
	const struct json *it;
	int r;

	ret->at = spec_value_place(j, NULL);
	for (enum spec_key k = 0; k < SPEC_KEYS; k++)
		words[k] = spec_rules[k].name;
	r = read_selector(s, json_key(j), ret, e);
	if (r == 0 && !json_is_object(j))
		r = spec_refuse(s, &ret->at, e, "an object is expected");
	for (it = json_first(j); r == 0 && it; it = json_next(it)) {
		size_t key = spec_value_find(it, words);

		if (key < SPEC_KEYS)
			r = spec_value_key(s, it, (enum spec_key)key, ret, e);
		else if (key == SPEC_KEYS)
			r = read_required(s, it, ret, e);
		else
			r = spec_value_unknown(s, it, words, e);
	}
	return r;
}

static int compare_entries(const void *a, const void *b)
{
	const struct spec_entry *x = a, *y = b;
	uint32_t x_width = x->last - x->first, y_width = y->last - y->first;

	if (x->is_all != y->is_all)
		return x->is_all ? -1 : 1;
	if (x_width != y_width)
		return x_width > y_width ? -1 : 1;
	if (x->first != y->first)
		return x->first > y->first ? 1 : -1;
	return x->at.offset > y->at.offset ? 1 : -1;
}

static int refuse_same(const struct spec *s, const struct spec_entry *a, const struct spec_entry *b,
		       struct error *e)
{
	for (enum spec_key k = 0; k < SPEC_KEYS; k++) {
		const struct spec_value *x = &a->values[k], *y = &b->values[k];
		bool swap = x->at.offset > y->at.offset;
		AUTO_BUF struct buf where = { 0 };

		if (!x->is_set || !y->is_set)
			continue;
		spec_where(s, &(swap ? y : x)->at, &where);
		if (buf_error(&where) < 0)
			return error_nomem(e);
		return spec_refuse(s, &(swap ? x : y)->at, e,
				   "VF %u has it from %s as well, in an entry for as many VFs",
				   b->first, buf_text(&where));
	}
	return 0;
}

/* Of two that are as wide and overlap neither is the more exact one. */
static int refuse_overlaps(const struct spec *s, const struct spec_pf *pf, struct error *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < pf->n_entries; i++) {
		const struct spec_entry *a = &pf->entries[i];

		for (size_t k = i + 1; r == 0 && k < pf->n_entries; k++) {
			const struct spec_entry *b = &pf->entries[k];

			if (a->is_all || b->last - b->first != a->last - a->first ||
			    b->first > a->last)
				break;
			r = refuse_same(s, a, b, e);
		}
	}
	return r;
}

/* What holds for VFs changes only where an entry begins, and behind its end. */
static int judge_all(const struct spec *s, const struct spec_pf *pf, struct error *e)
{
	uint32_t vfs = pf->vfs.is_set && !pf->max_vfs ? (uint32_t)pf->vfs.number : SPEC_VFS_MAX;
	struct spec_entry all;
	int r = 0;

	for (size_t i = 0; r == 0 && i < pf->n_entries; i++) {
		const uint32_t points[] = { pf->entries[i].first, pf->entries[i].last + 1 };

		for (size_t k = 0; r == 0 && k < ARRAY_SIZE(points); k++) {
			if (points[k] >= vfs)
				continue;
			spec_overlay(pf, points[k], &all);
			r = spec_judge(s, &all, e);
		}
	}
	return r;
}

int spec_entry_read(const struct spec *s, const struct json *j, struct spec_pf *ret,
		    struct error *e)
{
	const struct spec_place at = spec_value_place(j, "vf");
	const struct json *it;
	size_t n = json_count(j);
	int r = 0;

	if (!json_is_object(j))
		return spec_refuse(s, &at, e, "an object is expected");
	if (n > SPEC_ENTRIES_MAX)
		return spec_refuse(s, &at, e, "%zu entries; at most %u", n, SPEC_ENTRIES_MAX);
	ret->entries = calloc(n + 1, sizeof(*ret->entries));
	if (!ret->entries)
		return error_nomem(e);
	for (it = json_first(j); r == 0 && it; it = json_next(it))
		r = read_entry(s, it, &ret->entries[ret->n_entries++], e);
	qsort(ret->entries, ret->n_entries, sizeof(*ret->entries), compare_entries);
	return r;
}

int spec_entry_judge(const struct spec *s, const struct spec_pf *pf, struct error *e)
{
	int r = 0;

	if (pf->vfs.is_set && !pf->max_vfs)
		r = spec_within(s, pf, (uint32_t)pf->vfs.number, e);
	if (r == 0)
		r = refuse_overlaps(s, pf, e);
	return r < 0 ? r : judge_all(s, pf, e);
}
