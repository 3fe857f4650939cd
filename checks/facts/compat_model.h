/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of compatibility while it is read: its strings grow in one buffer, its rows in arrays,
 * with the place of each in the file for what is said of it.
 */
#ifndef CHECKS_FACTS_COMPAT_MODEL_H
#define CHECKS_FACTS_COMPAT_MODEL_H

#include <sriovctl/buf.h>
#include <sriovctl/compat.h>

struct json;

#define COMPAT_SLOTS 4096

struct compat_draft {
	const char *text, *name; /* of the file */
	const struct compat_table *base;
	const struct json *tree; /* of @text */
	struct error *e;
	struct buf strings;
	uint32_t *slots; /* COMPAT_SLOTS offsets of strings that may come again; 0: none yet */
	struct compat_family *families;
	struct compat_id *ids;
	struct compat_row *rows;
	struct compat_key *keys;
	struct compat_changelog *changelogs;
	size_t n_families, n_ids, n_rows, n_keys, n_changelogs;
	size_t *places; /* of each row: where it starts in @text */
};

/* -EINVAL, of what stands at this offset of the text. */
int compat_draft_refuse(const struct compat_draft *d, size_t offset, const char *fmt, ...)
	PRINTF(3, 4);

/* The offset of these bytes, a NUL behind them; a failure sticks to the strings. */
uint32_t compat_draft_put(struct compat_draft *d, const void *data, size_t len);
/* The draft as far as it is, as a table; its arrays move while they grow. */
struct compat_table compat_draft_table(const struct compat_draft *d);

/* "8086:1572" or, where the last digits may be any, "1425:50xx". */
int compat_draft_id(const char *text, struct compat_id *ret) MUST_USE;

/* A key of an object, and what its value may be. */
struct compat_field {
	const char *name;
	enum {
		COMPAT_IS_TEXT,
		COMPAT_IS_LIST,
		COMPAT_IS_RANGE,
		COMPAT_IS_WORD,
		COMPAT_IS_NUMBER,
		COMPAT_IS_TEXTS, /* an object of texts, by @fields */
	} kind;
	size_t at;		  /* in the struct that is read */
	const char *const *words; /* NULL behind the last; the value is the index */
	const struct compat_field *fields;
	bool is_wanted; /* may not be missing */
};

/* compat_field.c: the members of @j into @ret, by fields of which the last has no name. */
int compat_field_read(struct compat_draft *d, const struct json *j,
		      const struct compat_field *fields, void *ret) MUST_USE;

/* compat_row.c */
int compat_row_read(struct compat_draft *d, const struct json *j, struct compat_row *ret) MUST_USE;
const char *compat_row_judges(unsigned judges);
const char *compat_row_says(unsigned says);

/* A family of the draft, or else of its base.  The texts are gone with the next that is put. */
struct compat_model_family {
	const char *id, *driver;
	const char *scheme; /* empty: its firmware tells no version */
	const char *line;   /* empty: versions may begin with any number */
};
/* compat_model.c: of this name; of this PCI id.  NULL: there is none; else @room. */
const struct compat_model_family *compat_model_find(const struct compat_draft *d, const char *id,
						    struct compat_model_family *room);
const struct compat_model_family *compat_model_of(const struct compat_draft *d, const char *pci,
						  struct compat_model_family *room);

/* compat_lint.c: what can be said of a row alone. */
bool compat_lint_is_id(const char *text);
int compat_lint_row(struct compat_draft *d, const struct compat_row *row,
		    const struct json *j) MUST_USE;
/* compat_names.c: drivers, distributions and symbols that nobody has; families that are not what
 * their base says of them, and changelogs of no branch of theirs. */
int compat_names_row(struct compat_draft *d, const struct compat_row *row,
		     const struct json *j) MUST_USE;
int compat_names_families(struct compat_draft *d, const struct json *list) MUST_USE;
int compat_names_changelogs(struct compat_draft *d, const struct json *list) MUST_USE;
/* compat_clash.c: and of all together. */
int compat_clash_find(struct compat_draft *d) MUST_USE;

#endif
