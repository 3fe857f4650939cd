/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between iommu_words.c and its parts: the words that there are, and what of them was taken.
 */
#ifndef CHECKS_FACTS_IOMMU_WORDS_ITEM_H
#define CHECKS_FACTS_IOMMU_WORDS_ITEM_H

#include <sriovctl/iommu_words.h>

#define IOMMU_WORDS_GART \
	"is for the GART of early Opterons, and does nothing on a machine with an IOMMU"

enum iommu_words_form {
	IOMMU_WORDS_FORM_LIST, /* items between commas */
	IOMMU_WORDS_FORM_BOOL, /* as kstrtobool() takes it */
	IOMMU_WORDS_FORM_FLAG, /* no value, or any: nothing more is looked at */
};

/* Who reads the word. */
enum iommu_words_reader {
	IOMMU_WORDS_READER_ALL,
	IOMMU_WORDS_READER_X86,
	IOMMU_WORDS_READER_INTEL,
	IOMMU_WORDS_READER_AMD,
	IOMMU_WORDS_READER_ARM
};

struct iommu_words_option {
	const char *name;
	enum iommu_words_reader reader; /* where it is not that of the whole key */
	const char *effect; /* of one that is known and does nothing today; NULL: it works */
};

struct iommu_words_key {
	const char *name;
	enum iommu_words_form form;
	enum iommu_words_reader reader;
	const struct iommu_words_option *options;
	size_t n;
};

/* Every word that is looked at. */
extern const struct iommu_words_key iommu_words_keys[];
extern const size_t iommu_words_n_keys;

/* One that is taken as an item of a word: "intel_iommu=on,sm_on" has two. */
struct iommu_words_item {
	const struct iommu_words_key *key;
	const struct iommu_words_option *option; /* NULL but of lists */
	const char *value;			 /* "1" or "0" of a boolean, else NULL */
};

struct iommu_words_state {
	enum iommu_words_platform platform;
	struct iommu_words_item *items;
	size_t n;
	bool is_alone; /* the word that is looked at has one item, and can be taken out whole */
	struct iommu_words *ret;
};

int iommu_words_add(struct iommu_words *w, char *word, bool is_void, const char *effect);
/* "key", or "key=value" with @len bytes of @value. */
char *iommu_words_spell(const struct iommu_words_key *key, const char *value, size_t len);

/* Notes which of the items that were taken undo each other. */
int iommu_words_judge_pairs(struct iommu_words_state *s);

#endif
