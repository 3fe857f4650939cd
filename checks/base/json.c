/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/json.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/json_scan.h>
#include <sriovctl/utf8.h>

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A struct json is a cJSON item under a name of ours.  Two of its fields mean more here:
 * an item of type cJSON_Invalid is one where memory ran out (cJSON refuses to print it),
 * and valueint of a parsed item is its offset by json_scan() (cJSON prints valuedouble).
 */
static cJSON *item_of(struct json *j)
{
	return (cJSON *)j;
}

static const cJSON *const_item_of(const struct json *j)
{
	return (const cJSON *)j;
}

static struct json *json_of(cJSON *item)
{
	return (struct json *)item;
}

static const struct json *const_json_of(const cJSON *item)
{
	return (const struct json *)item;
}

void json_free(struct json *j)
{
	cJSON_Delete(item_of(j));
}

void json_free_p(struct json **j)
{
	json_free(*j);
}

struct json *json_object(void)
{
	return json_of(cJSON_CreateObject());
}

struct json *json_array(void)
{
	return json_of(cJSON_CreateArray());
}

static void clean(const char *text, struct buf *ret)
{
	size_t left = strlen(text);

	while (left) {
		size_t n = utf8_len(text, left);

		if (n)
			buf_append(ret, text, n);
		else
			buf_puts(ret, "\xef\xbf\xbd"); /* U+FFFD */
		n = n ? n : 1;
		text += n;
		left -= n;
	}
}

struct json *json_str(const char *text)
{
	AUTO_BUF struct buf b = { 0 };

	if (!text)
		return json_null();
	clean(text, &b);
	return buf_error(&b) ? NULL : json_of(cJSON_CreateString(buf_text(&b)));
}

struct json *json_int(int64_t value)
{
	/* cJSON prints 15 digits and takes what is near enough: beyond that it would round. */
	static const int64_t exact = 1000000000000000;
	AUTO_BUF struct buf b = { 0 };

	if (value > -exact && value < exact)
		return json_of(cJSON_CreateNumber((double)value));
	buf_printf(&b, "%" PRId64, value);
	return buf_error(&b) ? NULL : json_of(cJSON_CreateRaw(buf_text(&b)));
}

struct json *json_bool(bool value)
{
	return json_of(cJSON_CreateBool(value));
}

struct json *json_null(void)
{
	return json_of(cJSON_CreateNull());
}

static void put(cJSON *parent, cJSON *item, bool done)
{
	if (done)
		return;
	cJSON_Delete(item);
	if (parent)
		parent->type = cJSON_Invalid;
}

void json_set(struct json *object, const char *key, struct json *item)
{
	cJSON *parent = item_of(object), *child = item_of(item);
	AUTO_BUF struct buf b = { 0 };

	clean(key, &b);
	put(parent, child, !buf_error(&b) && cJSON_AddItemToObject(parent, buf_text(&b), child));
}

void json_add(struct json *array, struct json *item)
{
	cJSON *parent = item_of(array), *child = item_of(item);

	put(parent, child, cJSON_AddItemToArray(parent, child));
}

void json_set_str(struct json *object, const char *key, const char *text)
{
	json_set(object, key, json_str(text));
}

void json_set_int(struct json *object, const char *key, int64_t value)
{
	json_set(object, key, json_int(value));
}

void json_add_str(struct json *array, const char *text)
{
	json_add(array, json_str(text));
}

int json_print(const struct json *j, struct buf *ret, struct error *e)
{
	char *text = j ? cJSON_PrintBuffered(const_item_of(j), 4096, true) : NULL;

	if (!text)
		return error_nomem(e);
	buf_puts(ret, text);
	buf_puts(ret, "\n");
	cJSON_free(text);
	return buf_error(ret) ? error_nomem(e) : 0;
}

static int compare_keys(const void *a, const void *b)
{
	const cJSON *const *left = a, *const *right = b;
	int order = strcmp((*left)->string, (*right)->string);

	if (order)
		return order;
	return ((*left)->valueint > (*right)->valueint) - ((*left)->valueint < (*right)->valueint);
}

static int refuse(const char *text, const cJSON *item, const char *what, struct error *e)
{
	struct json_place at = json_place(text, json_offset(const_json_of(item)));

	return error_set(e, -EINVAL, "%u:%u: %s", at.line, at.column, what);
}

static int refuse_doubles(const char *text, const cJSON *object, struct error *e)
{
	size_t i, n = (size_t)cJSON_GetArraySize(object);
	AUTO_FREE const cJSON **members = NULL;
	const cJSON *member;

	if (n < 2)
		return 0;
	members = calloc(n, sizeof(*members));
	if (!members)
		return error_nomem(e);
	i = 0;
	cJSON_ArrayForEach(member, object) members[i++] = member;
	qsort(members, n, sizeof(*members), compare_keys);
	for (i = 1; i < n; i++) {
		if (strcmp(members[i - 1]->string, members[i]->string) == 0)
			return refuse(text, members[i], "this key is already in its object", e);
	}
	return 0;
}

/* Give @item and what is in it their places, in the order json_scan() noted them. */
static int settle(const char *text, cJSON *item, const char **places, struct error *e)
{
	cJSON *child;
	int r;

	memcpy(&item->valueint, *places, sizeof(item->valueint));
	*places += sizeof(item->valueint);
	if (cJSON_IsNumber(item) && !isfinite(item->valuedouble))
		return refuse(text, item, "the number is too large", e);
	cJSON_ArrayForEach(child, item)
	{
		r = settle(text, child, places, e);
		if (r)
			return r;
	}
	return cJSON_IsObject(item) ? refuse_doubles(text, item, e) : 0;
}

int json_parse(const char *text, size_t len, struct json **ret, struct error *e)
{
	AUTO_JSON struct json *root = NULL;
	AUTO_BUF struct buf places = { 0 };
	const char *cursor;
	int r = json_scan(text, len, &places, e);

	if (r)
		return r;
	/* The text is known to be JSON: only memory can be missing now. */
	root = json_of(cJSON_ParseWithLength(text, len));
	if (!root)
		return error_nomem(e);
	cursor = places.data;
	r = settle(text, item_of(root), &cursor, e);
	if (r)
		return r;
	*ret = TAKE(root);
	return 0;
}

/* Comments become blanks, so that all else keeps its line and column. */
static void blank_comments(char *text, size_t len)
{
	bool in_string = false;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"' || text[i] == '\n')
			in_string = text[i] == '"' && !in_string;
		else if (in_string && text[i] == '\\' && i + 1 < len && text[i + 1] != '\n')
			i++;
		else if (!in_string && text[i] == '/' && i + 1 < len && text[i + 1] == '/')
			for (; i < len && text[i] != '\n'; i++)
				text[i] = ' ';
	}
}

int json_parse_commented(const char *text, size_t len, struct json **ret, struct error *e)
{
	AUTO_BUF struct buf b = { 0 };

	buf_append(&b, text, len);
	if (buf_error(&b))
		return error_nomem(e);
	if (b.len)
		blank_comments(b.data, b.len);
	return json_parse(buf_text(&b), b.len, ret, e);
}

const struct json *json_get(const struct json *object, const char *key)
{
	if (!cJSON_IsObject(const_item_of(object)))
		return NULL;
	return const_json_of(cJSON_GetObjectItemCaseSensitive(const_item_of(object), key));
}

const struct json *json_first(const struct json *j)
{
	return j ? const_json_of(const_item_of(j)->child) : NULL;
}

const struct json *json_next(const struct json *j)
{
	return j ? const_json_of(const_item_of(j)->next) : NULL;
}

size_t json_count(const struct json *j)
{
	return (size_t)cJSON_GetArraySize(const_item_of(j));
}

const char *json_text(const struct json *j)
{
	return cJSON_IsString(const_item_of(j)) ? const_item_of(j)->valuestring : NULL;
}

const char *json_key(const struct json *j)
{
	return j ? const_item_of(j)->string : NULL;
}

bool json_is_object(const struct json *j)
{
	return cJSON_IsObject(const_item_of(j));
}

bool json_is_array(const struct json *j)
{
	return cJSON_IsArray(const_item_of(j));
}

int json_read_u64(const struct json *j, uint64_t *ret)
{
	double value;

	if (!j)
		return -ENOENT;
	value = cJSON_IsNumber(const_item_of(j)) ? const_item_of(j)->valuedouble : -1;
	/* From 2^53 on neighbouring integers are one double (IEEE 754, binary64). */
	if (!(value >= 0 && value < 0x1p53) || value != (double)(uint64_t)value)
		return -EINVAL;
	*ret = (uint64_t)value;
	return 0;
}

int json_read_bool(const struct json *j, bool *ret)
{
	if (!j)
		return -ENOENT;
	if (!cJSON_IsBool(const_item_of(j)))
		return -EINVAL;
	*ret = cJSON_IsTrue(const_item_of(j));
	return 0;
}

size_t json_offset(const struct json *j)
{
	return j ? (size_t)const_item_of(j)->valueint : 0;
}

struct json_place json_place(const char *text, size_t offset)
{
	struct json_place place = { .line = 1, .column = 1 };

	for (size_t i = 0; i < offset; i++, place.column++) {
		if (text[i] == '\n')
			place = (struct json_place){ .line = place.line + 1 };
	}
	return place;
}
