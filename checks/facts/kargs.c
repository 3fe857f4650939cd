/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/kargs.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <string.h>

#define BLANKS " \t\r\n"

/* One word as it stands in the text, its quotes in it.  Nothing here needs memory to be judged. */
struct word {
	const char *start, *end;
};

/* The next behind @w; false at the end of what is the kernel's. */
static bool next_word(struct word *w)
{
	const char *p = w->end + strspn(w->end, BLANKS), *end = p;
	bool quoted = false;

	for (; *end && (quoted || !strchr(BLANKS, *end)); end++)
		quoted ^= *end == '"';
	if (end == p || (end - p == 2 && p[0] == '-' && p[1] == '-'))
		return false;
	*w = (struct word){ .start = p, .end = end };
	return true;
}

static struct word before_first(const char *text)
{
	return (struct word){ .start = text, .end = text };
}

static const char *skip_quotes(const char *p, const char *end)
{
	while (p < end && *p == '"')
		p++;
	return p;
}

static char letter(char c, bool is_name)
{
	return is_name && c == '-' ? '_' : c;
}

/* Behind @len bytes of @text, which @p has but for its quotes; NULL: it has not. */
static const char *match(const char *p, const char *end, const char *text, size_t len, bool is_name)
{
	for (size_t i = 0; i < len; i++) {
		p = skip_quotes(p, end);
		if (p == end || letter(*p, is_name) != letter(text[i], is_name))
			return NULL;
		p++;
	}
	return skip_quotes(p, end);
}

/* The "=" behind the name of @word, or the end of a word that has none; NULL: another name. */
static const char *match_name(const struct word *w, const char *word)
{
	const char *p = match(w->start, w->end, word, strcspn(word, "="), true);

	return p && (p == w->end || *p == '=') ? p : NULL;
}

static const char *value_of(const char *word)
{
	const char *equals = strchr(word, '=');

	return equals ? equals + 1 : NULL;
}

/* Of a comma list the item behind that at @p; NULL: there is none. */
static const char *next_item(const char *p, const char *end)
{
	p = memchr(p, ',', (size_t)(end - p));
	return p ? p + 1 : NULL;
}

static bool is_item(const char *p, const char *end, const char *wanted)
{
	const char *behind = match(p, end, wanted, strlen(wanted), false);

	return behind && (behind == end || *behind == ',');
}

/* Is what stands behind the "=" at @p just what @word wants, or one item of it? */
static bool has_all(const char *p, const char *end, const char *word)
{
	const char *wanted = value_of(word);

	if (!wanted || p == end)
		return !wanted && p == end;
	return match(p + 1, end, wanted, strlen(wanted), false) == end;
}

static bool has_item(const char *p, const char *end, const char *word)
{
	const char *wanted = value_of(word);

	for (const char *item = wanted && p < end ? p + 1 : NULL; item; item = next_item(item, end))
		if (is_item(item, end, wanted))
			return true;
	return false;
}

bool kargs_has(const char *text, const char *word)
{
	struct word w = before_first(text);
	bool has = false;

	while (next_word(&w)) {
		const char *p = match_name(&w, word);

		if (p)
			has = has_all(p, w.end, word) || has_item(p, w.end, word);
	}
	return has;
}

/* Is all of @w removed by @word? */
static bool removes_all(const struct word *w, const char *word)
{
	const char *p = match_name(w, word);

	return p && (!value_of(word) || has_all(p, w->end, word));
}

bool kargs_has_any(const char *text, const char *word)
{
	struct word w = before_first(text);

	while (next_word(&w)) {
		const char *p = match_name(&w, word);

		if (p && (!value_of(word) || has_all(p, w.end, word) || has_item(p, w.end, word)))
			return true;
	}
	return false;
}

bool kargs_holds(const char *text, const struct kargs *k)
{
	for (size_t i = 0; i < k->add.n; i++)
		if (!kargs_has(text, k->add.items[i]))
			return false;
	for (size_t i = 0; i < k->remove.n; i++)
		if (kargs_has_any(text, k->remove.items[i]))
			return false;
	return true;
}

static bool removes_item(const struct word *w, const char *item, const struct kargs *k)
{
	for (size_t i = 0; i < k->remove.n; i++) {
		const char *word = k->remove.items[i];

		if (value_of(word) && match_name(w, word) && is_item(item, w->end, value_of(word)))
			return true;
	}
	return false;
}

static void put_plain(const char *p, const char *end, struct buf *ret)
{
	for (; p < end; p++)
		if (*p != '"')
			buf_append(ret, p, 1);
}

/* "name=a,b,c" without some of its items, in quotes if it had any; nothing where none is left. */
static void put_list(const struct word *w, const char *equals, const struct kargs *k,
		     struct buf *ret)
{
	const char *quote = memchr(w->start, '"', (size_t)(w->end - w->start)) ? "\"" : "";
	bool any = false;

	for (const char *item = equals + 1; item; item = next_item(item, w->end)) {
		const char *behind = next_item(item, w->end);

		if (removes_item(w, item, k))
			continue;
		if (!any) {
			put_plain(w->start, equals + 1, ret);
			buf_puts(ret, quote);
		}
		buf_puts(ret, any ? "," : "");
		put_plain(item, behind ? behind - 1 : w->end, ret);
		any = true;
	}
	if (any)
		buf_puts(ret, quote);
}

static bool loses_item(const struct word *w, const char *equals, const struct kargs *k)
{
	const char *item = equals < w->end && *equals == '=' ? equals + 1 : NULL;

	for (; item; item = next_item(item, w->end))
		if (removes_item(w, item, k))
			return true;
	return false;
}

/* @w as it stays: as it was, in part, or not at all. */
static void put_word(const struct word *w, const struct kargs *k, struct buf *ret)
{
	const char *equals = memchr(w->start, '=', (size_t)(w->end - w->start));

	for (size_t i = 0; i < k->remove.n; i++)
		if (removes_all(w, k->remove.items[i]))
			return;
	if (equals && loses_item(w, equals, k))
		put_list(w, equals, k, ret);
	else
		buf_append(ret, w->start, (size_t)(w->end - w->start));
}

static void cut(struct buf *b, size_t len)
{
	if (!b->data || buf_error(b) < 0)
		return;
	b->len = len;
	b->data[len] = '\0';
}

/* The blanks before a word go with it; those of the first word stay for the one behind. */
void kargs_remove(const char *text, const struct kargs *k, struct buf *ret)
{
	struct word w = before_first(text);
	const char *from = text;
	size_t begin = ret->len;

	while (next_word(&w)) {
		size_t before = ret->len, kept;

		if (ret->len > begin || from == text)
			buf_append(ret, from, (size_t)(w.start - from));
		kept = ret->len;
		put_word(&w, k, ret);
		if (ret->len == kept)
			cut(ret, from == text ? kept : before);
		from = w.end;
	}
	if (ret->len == begin)
		from += strspn(from, " \t");
	buf_puts(ret, from);
}

void kargs_add(const char *text, const struct kargs *k, struct buf *ret)
{
	struct word w = before_first(text);
	size_t begin = ret->len;

	while (next_word(&w))
		;
	buf_append(ret, text, (size_t)(w.end - text));
	for (size_t i = 0; i < k->add.n; i++) {
		if (kargs_has(text, k->add.items[i]))
			continue;
		buf_printf(ret, "%s%s", ret->len > begin ? " " : "", k->add.items[i]);
	}
	/* Behind what was nothing but init's words. */
	if (w.end == text && ret->len > begin && text[0] && !strchr(BLANKS, text[0]))
		buf_puts(ret, " ");
	buf_puts(ret, w.end);
}

void kargs_edit(const char *text, const struct kargs *k, struct buf *ret)
{
	AUTO_BUF struct buf less = { 0 };

	kargs_remove(text, k, &less);
	if (buf_error(&less) < 0)
		ret->error = buf_error(&less);
	kargs_add(buf_text(&less), k, ret);
}

int kargs_check_word(const char *word, struct error *e)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-.,:=/+@%";
	size_t len = strspn(word, plain);

	if (!*word || *word == '=' || *word == '-')
		return error_set(e, -EINVAL, "\"%s\" is no word of a kernel command line", word);
	if (word[len])
		return error_set(e, -EINVAL,
				 "\"%s\": character %zu is none that stands for itself in the "
				 "files of all boot loaders",
				 word, len + 1);
	return 0;
}

int kargs_check(const struct kargs *k, struct error *e)
{
	for (size_t i = 0; i < k->add.n; i++)
		for (size_t n = 0; n < k->remove.n; n++)
			if (kargs_has_any(k->add.items[i], k->remove.items[n]))
				return error_set(e, -EINVAL,
						 "%s is to be added, and %s to be removed",
						 k->add.items[i], k->remove.items[n]);
	return 0;
}

void kargs_done(struct kargs *k)
{
	strv_done(&k->add);
	strv_done(&k->remove);
}
