/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/iommu_words.h>

#include "iommu_words_item.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/parse.h>
#include <sriovctl/suggest.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int iommu_words_add(struct iommu_words *w, char *word, bool is_void, const char *effect)
{
	struct iommu_words_fault *items = base_room(w->items, w->n, sizeof(*items));
	char *copy = strdup(effect);

	if (items)
		w->items = items;
	if (!items || !word || !copy) {
		free(word);
		free(copy);
		return -ENOMEM;
	}
	items[w->n++] =
		(struct iommu_words_fault){ .word = word, .effect = copy, .is_void = is_void };
	return 0;
}

char *iommu_words_spell(const struct iommu_words_key *key, const char *value, size_t len)
{
	struct buf b = { 0 };

	buf_puts(&b, key->name);
	if (value) {
		buf_puts(&b, "=");
		buf_append(&b, value, len);
	}
	return buf_take(&b);
}

static const char *platform_name(enum iommu_words_platform p)
{
	switch (p) {
	case IOMMU_WORDS_INTEL:
		return "Intel VT-d";
	case IOMMU_WORDS_AMD:
		return "AMD-Vi";
	case IOMMU_WORDS_ARM:
		return "Arm";
	case IOMMU_WORDS_X86:
	case IOMMU_WORDS_OTHER:
	case IOMMU_WORDS_UNKNOWN:
	case IOMMU_WORDS_ANY:
		break;
	}
	return "neither Intel's nor AMD's";
}

enum reads { READS, READS_NOT, READS_UNKNOWN };

static enum reads reads_of_x86(enum iommu_words_platform p, enum iommu_words_platform wanted)
{
	if (p == IOMMU_WORDS_ANY)
		return READS;
	return p == wanted ? READS : READS_NOT;
}

/* Does the kernel of this platform look at what @reader is for? */
static enum reads reads(enum iommu_words_platform p, enum iommu_words_reader reader)
{
	if (reader == IOMMU_WORDS_READER_ALL)
		return READS;
	if (p == IOMMU_WORDS_UNKNOWN)
		return READS_UNKNOWN;
	switch (reader) {
	case IOMMU_WORDS_READER_INTEL:
		return reads_of_x86(p, IOMMU_WORDS_INTEL);
	case IOMMU_WORDS_READER_AMD:
		return reads_of_x86(p, IOMMU_WORDS_AMD);
	case IOMMU_WORDS_READER_ARM:
		return p == IOMMU_WORDS_ARM ? READS : READS_NOT;
	case IOMMU_WORDS_READER_X86:
		/* Others have an "iommu" of their own, as POWER does. */
		if (p == IOMMU_WORDS_OTHER)
			return READS_UNKNOWN;
		return p == IOMMU_WORDS_ARM ? READS_NOT : READS;
	case IOMMU_WORDS_READER_ALL:
		break;
	}
	return READS;
}

/* 1: it is for another platform, which is noted; 0; -ENOMEM. */
static int judge_reader(struct iommu_words_state *s, const struct iommu_words_key *key,
			enum iommu_words_reader reader, const char *value, size_t len)
{
	AUTO_BUF struct buf effect = { 0 };

	switch (reads(s->platform, reader)) {
	case READS:
		return 0;
	case READS_UNKNOWN:
		if (!s->ret->undecidable)
			s->ret->undecidable = iommu_words_spell(key, value, len);
		return s->ret->undecidable ? 0 : -ENOMEM;
	case READS_NOT:
		break;
	}
	buf_printf(&effect, "does nothing on this platform, which is %s",
		   platform_name(s->platform));
	if (buf_error(&effect) < 0 || iommu_words_add(s->ret, iommu_words_spell(key, value, len),
						      true, buf_text(&effect)) < 0)
		return -ENOMEM;
	return 1;
}

static int keep(struct iommu_words_state *s, const struct iommu_words_item *item)
{
	struct iommu_words_item *items = base_room(s->items, s->n, sizeof(*items));

	if (!items)
		return -ENOMEM;
	s->items = items;
	s->items[s->n++] = *item;
	return 0;
}

/* The longest name that the item begins with: the kernel's "off" is also that of "offline". */
static const struct iommu_words_option *find_option(const struct iommu_words_key *key,
						    const char *value)
{
	const struct iommu_words_option *best = NULL;

	for (size_t i = 0; i < key->n; i++) {
		const struct iommu_words_option *o = &key->options[i];

		if (parse_has_prefix(value, o->name) &&
		    (!best || strlen(o->name) > strlen(best->name)))
			best = o;
	}
	return best;
}

static int fault_unknown(struct iommu_words_state *s, const struct iommu_words_key *key,
			 const char *value, size_t len)
{
	AUTO_FREE char *text = strndup(value, len);
	AUTO_BUF struct buf effect = { 0 };
	struct suggest like = { .word = text };

	if (!text)
		return -ENOMEM;
	/* arch/x86/kernel/amd_gart_64.c takes a number for the size of its aperture. */
	if (strcmp(key->name, "iommu") == 0 && *text >= '0' && *text <= '9')
		return iommu_words_add(s->ret, iommu_words_spell(key, value, len), s->is_alone,
				       IOMMU_WORDS_GART);
	for (size_t i = 0; i < key->n; i++)
		if (!key->options[i].effect)
			suggest_offer(&like, key->options[i].name);
	buf_puts(&effect, "is no option of the kernel, and ignored");
	if (like.best)
		buf_printf(&effect, "; \"%s\" may be meant", like.best);
	if (buf_error(&effect) < 0)
		return -ENOMEM;
	return iommu_words_add(s->ret, iommu_words_spell(key, value, len),
			       s->is_alone && !like.best, buf_text(&effect));
}

static int judge_item(struct iommu_words_state *s, const struct iommu_words_key *key,
		      const char *value, size_t len)
{
	AUTO_FREE char *text = strndup(value, len);
	const struct iommu_words_option *o;
	int r;

	if (!text)
		return -ENOMEM;
	o = find_option(key, text);
	if (!o)
		return fault_unknown(s, key, value, len);
	if (o->reader != IOMMU_WORDS_READER_ALL) {
		r = judge_reader(s, key, o->reader, value, len);
		if (r != 0)
			return r < 0 ? r : 0;
	}
	if (o->effect)
		return iommu_words_add(s->ret, iommu_words_spell(key, value, len), s->is_alone,
				       o->effect);
	return keep(s, &(struct iommu_words_item){ .key = key, .option = o });
}

static int judge_list(struct iommu_words_state *s, const struct iommu_words_key *key,
		      const char *list)
{
	int r = 0;

	if (!*list)
		return iommu_words_add(s->ret, iommu_words_spell(key, NULL, 0), s->is_alone,
				       "has no value, and is ignored");
	while (r == 0 && *(list += strspn(list, ","))) {
		size_t len = strcspn(list, ",");

		r = judge_item(s, key, list, len);
		list += len;
	}
	return r;
}

static int judge_bool(struct iommu_words_state *s, const struct iommu_words_key *key,
		      const char *value)
{
	bool on;

	if (parse_bool(value, &on) < 0)
		return iommu_words_add(s->ret,
				       iommu_words_spell(key, *value ? value : NULL, strlen(value)),
				       false, "is ignored: its value has to be 0 or 1");
	return keep(s, &(struct iommu_words_item){ .key = key, .value = on ? "1" : "0" });
}

static int judge_known(struct iommu_words_state *s, const struct iommu_words_key *key,
		       const char *value)
{
	size_t len = strlen(value);
	int r = judge_reader(s, key, key->reader, len ? value : NULL, len);

	s->ret->n_words++;
	if (r != 0)
		return r < 0 ? r : 0;
	switch (key->form) {
	case IOMMU_WORDS_FORM_LIST:
		return judge_list(s, key, value);
	case IOMMU_WORDS_FORM_BOOL:
		return judge_bool(s, key, value);
	case IOMMU_WORDS_FORM_FLAG:
		break;
	}
	return keep(s, &(struct iommu_words_item){ .key = key });
}

static bool looks_like_one(const char *name)
{
	static const char *const marks[] = { "iommu", "iomu", "immu", "intrem" };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (strstr(name, marks[i]))
			return true;
	return false;
}

/* A key that no kernel has, and that looks as if it were about an IOMMU. */
static int judge_foreign(struct iommu_words_state *s, const char *word)
{
	AUTO_FREE char *name = strndup(word, strcspn(word, "="));
	AUTO_BUF struct buf effect = { 0 };
	struct suggest like = { .word = name };

	if (!name)
		return -ENOMEM;
	/* Modules have their own, as iommufd has; s390 has one of this kind. */
	if (!looks_like_one(name) || strcmp(name, "s390_iommu") == 0 ||
	    (strchr(name, '.') && !parse_has_prefix(name, "iommu.")))
		return 0;
	for (size_t i = 0; i < iommu_words_n_keys; i++)
		suggest_offer(&like, iommu_words_keys[i].name);
	s->ret->n_words++;
	buf_puts(&effect, "is no word of the kernel's, and ignored");
	if (like.best)
		buf_printf(&effect, "; \"%s\" may be meant", like.best);
	if (buf_error(&effect) < 0)
		return -ENOMEM;
	return iommu_words_add(s->ret, strdup(word), s->is_alone && !like.best, buf_text(&effect));
}

static int judge_word(struct iommu_words_state *s, const char *word)
{
	s->is_alone = !strchr(word, ',');
	for (size_t i = 0; i < iommu_words_n_keys; i++) {
		const char *value = cmdline_word_value(word, iommu_words_keys[i].name);

		if (value)
			return judge_known(s, &iommu_words_keys[i], value);
	}
	return judge_foreign(s, word);
}

int iommu_words_judge(const struct cmdline *c, enum iommu_words_platform at,
		      struct iommu_words *ret)
{
	AUTO_IOMMU_WORDS struct iommu_words w = { 0 };
	struct iommu_words_state s = { .platform = at, .ret = &w };
	int r = 0;

	for (size_t i = 0; r == 0 && i < c->words.n; i++)
		r = judge_word(&s, c->words.items[i]);
	if (r == 0)
		r = iommu_words_judge_pairs(&s);
	free(s.items);
	if (r < 0)
		return r;
	*ret = w;
	w = (struct iommu_words){ 0 };
	return 0;
}

void iommu_words_done(struct iommu_words *w)
{
	for (size_t i = 0; i < w->n; i++) {
		free(w->items[i].word);
		free(w->items[i].effect);
	}
	free(w->items);
	free(w->undecidable);
	*w = (struct iommu_words){ 0 };
}
