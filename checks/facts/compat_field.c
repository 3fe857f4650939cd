/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat_model.h"

#include <sriovctl/error.h>
#include <sriovctl/json.h>
#include <sriovctl/suggest.h>

#include <errno.h>
#include <string.h>

static int wants(struct compat_draft *d, const struct json *j, const char *what)
{
	return compat_draft_refuse(d, json_offset(j), "\"%s\" wants %s", json_key(j), what);
}

/* Nobody finds a source of blanks alone. */
static bool is_blank(const char *text)
{
	return !text || text[strspn(text, " \t\r\n")] == '\0';
}

static int read_text(struct compat_draft *d, const struct json *j, uint32_t *ret)
{
	const char *text = json_text(j);

	if (is_blank(text))
		return wants(d, j, "a text that is not empty");
	*ret = compat_draft_put(d, text, strlen(text));
	return 0;
}

static int read_list(struct compat_draft *d, const struct json *j, uint32_t *ret)
{
	AUTO_BUF struct buf all = { 0 };
	const struct json *it;

	JSON_EACH(it, json_is_array(j) ? j : NULL)
	{
		const char *text = json_text(it);

		if (is_blank(text))
			return wants(d, j, "texts that are not empty");
		buf_append(&all, text, strlen(text) + 1);
	}
	if (buf_error(&all) < 0)
		return error_nomem(d->e);
	if (all.len == 0)
		return wants(d, j, "an array of one text at least");
	*ret = compat_draft_put(d, buf_text(&all), all.len);
	return 0;
}

static int read_limits(struct compat_draft *d, const struct json *j, struct compat_range *ret)
{
	const struct json *it;
	int r = 0;

	JSON_EACH(it, j)
	{
		const char *key = json_key(it);
		bool is_upper = strcmp(key, "to") == 0 || strcmp(key, "below") == 0;

		if (!is_upper && strcmp(key, "from") != 0)
			return compat_draft_refuse(d, json_offset(it),
						   "unknown key \"%s\"; a range has \"from\", and "
						   "\"to\" or \"below\"",
						   key);
		if (is_upper && ret->to)
			return compat_draft_refuse(d, json_offset(it),
						   "a range has either \"to\" or \"below\"");
		ret->below |= strcmp(key, "below") == 0;
		r = read_text(d, it, is_upper ? &ret->to : &ret->from);
		if (r < 0)
			return r;
	}
	return ret->from || ret->to ? 0 : wants(d, j, "a limit at least");
}

/* "9.57", or an object of limits. */
static int read_range(struct compat_draft *d, const struct json *j, struct compat_range *ret)
{
	int r;

	if (json_is_object(j))
		return read_limits(d, j, ret);
	r = read_text(d, j, &ret->from);
	ret->to = ret->from;
	return r;
}

static int read_word(struct compat_draft *d, const struct json *j, const struct compat_field *f,
		     uint8_t *ret)
{
	const char *text = json_text(j);
	AUTO_BUF struct buf all = { 0 };

	for (uint8_t i = 0; f->words[i]; i++) {
		if (text && strcmp(text, f->words[i]) == 0) {
			*ret = i;
			return 0;
		}
		if (*f->words[i])
			buf_printf(&all, "%s\"%s\"", all.len ? ", " : "one of ", f->words[i]);
	}
	return buf_error(&all) < 0 ? error_nomem(d->e) : wants(d, j, buf_text(&all));
}

static int read_number(struct compat_draft *d, const struct json *j, uint32_t *ret)
{
	uint64_t value;

	if (json_read_u64(j, &value) < 0 || value == 0 || value > UINT16_MAX)
		return wants(d, j, "a number from 1 to 65535");
	*ret = (uint32_t)value;
	return 0;
}

static int read_value(struct compat_draft *d, const struct json *j, const struct compat_field *f,
		      void *ret)
{
	void *to = (char *)ret + f->at;

	switch (f->kind) {
	case COMPAT_IS_TEXT:
		return read_text(d, j, to);
	case COMPAT_IS_LIST:
		return read_list(d, j, to);
	case COMPAT_IS_RANGE:
		return read_range(d, j, to);
	case COMPAT_IS_WORD:
		return read_word(d, j, f, to);
	case COMPAT_IS_NUMBER:
		return read_number(d, j, to);
	case COMPAT_IS_TEXTS:
		break;
	}
	if (!json_is_object(j))
		return wants(d, j, "an object");
	return compat_field_read(d, j, f->fields, ret);
}

static int refuse_unknown(struct compat_draft *d, const struct json *j,
			  const struct compat_field *fields)
{
	struct suggest s = { .word = json_key(j) };

	for (; fields->name; fields++)
		suggest_offer(&s, fields->name);
	return compat_draft_refuse(d, json_offset(j), "unknown key \"%s\"%s%s%s", json_key(j),
				   s.best ? "; did you mean \"" : "", s.best ? s.best : "",
				   s.best ? "\"?" : "");
}

int compat_field_read(struct compat_draft *d, const struct json *j,
		      const struct compat_field *fields, void *ret)
{
	const struct json *it;
	int r = 0;

	if (!json_is_object(j))
		return compat_draft_refuse(d, json_offset(j), "an object is wanted here");
	JSON_EACH(it, j)
	{
		const struct compat_field *f = fields;

		while (f->name && strcmp(f->name, json_key(it)) != 0)
			f++;
		r = f->name ? read_value(d, it, f, ret) : refuse_unknown(d, it, fields);
		if (r < 0)
			return r;
	}
	for (; fields->name; fields++)
		if (fields->is_wanted && !json_get(j, fields->name))
			return compat_draft_refuse(d, json_offset(j), "\"%s\" is missing",
						   fields->name);
	return 0;
}
