/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which firmware, drivers and kernels go with which cards, and which are known to break VFs:
 * data/compat.json, which the build turns into constant tables (data/compat_gen.c), and files of
 * the same form that add rows, or replace those of the same id.  A row says what it holds for,
 * what it says of which versions, by which source and how sure that is.  Texts are offsets into
 * the strings of their table, so that the tables need nothing done to them at start; 0 is
 * none.  A list is texts one behind the other, with an empty one behind the last.
 */
#ifndef SRIOVCTL_COMPAT_H
#define SRIOVCTL_COMPAT_H

#include <sriovctl/base.h>

struct error;
struct host;

enum compat_judges { COMPAT_FIRMWARE, COMPAT_DRIVER, COMPAT_KERNEL, COMPAT_BIOS, COMPAT_JUDGES };
enum compat_says {
	COMPAT_BAD,	/* has the fault */
	COMPAT_MINIMUM, /* older ones have the fault */
	COMPAT_PAIRS,	/* is the one for this version of the driver */
	COMPAT_TESTED,	/* somebody had it at work */
	COMPAT_SAYS
};
enum compat_sure { COMPAT_VERIFIED, COMPAT_DERIVED, COMPAT_SURE };
/* The driver is of the kernel's own tree, or not. */
enum compat_tree { COMPAT_ANY_TREE, COMPAT_IN_TREE, COMPAT_OUT_OF_TREE, COMPAT_TREES };

/* A note is never the reason of a failure; grave takes down host or guest, and is told first. */
enum compat_weight { COMPAT_FAULT, COMPAT_NOTE, COMPAT_GRAVE, COMPAT_WEIGHTS };

/* From @from on, to @to: that included, or excluded where it is @below.  0: without a limit. */
struct compat_range {
	uint32_t from, to;
	bool below;
};

struct compat_row {
	uint32_t id, source, fault, fix, by;
	/* Lists of what it holds for; where there are several, each of them has to fit. */
	uint32_t families, drivers, pci, subsystem;
	uint32_t vendor, product; /* of the machine: for COMPAT_BIOS */
	uint32_t distribution;
	uint32_t config, config_off; /* symbols of the kernel's configuration: on; off */
	uint32_t fixed_in, mainline; /* releases of stable branches, a list; and the first of all */
	uint32_t with;		     /* for a person: the driver that it was tested with */
	uint32_t ddp_os, ddp_comms, ddp_wireless; /* packages of Intel's 800 series */
	uint32_t vfs;				  /* from so many VFs on */
	struct compat_range version;		  /* of what it judges */
	struct compat_range driver, firmware;	  /* conditions */
	uint8_t judges, says, sure, tree, weight;
};

struct compat_family {
	uint32_t id, name, driver, scheme, update, pfs;
	uint32_t line; /* "16": what each version of its firmware begins with */
};

/* A PCI id and whose it is; sorted by vendor, then device. */
struct compat_id {
	uint16_t vendor, device, mask;
	uint16_t family;
};

/* What rows are found by: a family's id, a driver, "8086:1572", or "" for all; sorted. */
struct compat_key {
	uint32_t name, row;
};

/* A stable branch of which each release up to @to was looked through. */
struct compat_changelog {
	uint32_t branch, to, source;
};

struct compat_table {
	const char *strings;
	size_t len; /* of the strings */
	const struct compat_family *families;
	const struct compat_id *ids;
	const struct compat_row *rows;
	const struct compat_key *keys;
	const struct compat_changelog *changelogs;
	size_t n_families, n_ids, n_rows, n_keys, n_changelogs;
	char *name; /* of the file; NULL: the one inside the program */
};

extern const struct compat_table compat_built_in;

const char *compat_text(const struct compat_table *t, uint32_t at);
/* The text behind @text in its list; an empty one: there is none. */
const char *compat_next(const char *text);
#define COMPAT_EACH(it, t, list) \
	for (const char *it = compat_text(t, list); *it; it = compat_next(it))
bool compat_lists(const struct compat_table *t, uint32_t list, const char *text);

/*
 * -EINVAL with "NAME:LINE:COLUMN: " and what would be right: no such form, a row without a
 * source, an empty range, an id twice, rows that contradict each other ...  Families of @base are
 * known besides its own; NULL: there is none.
 */
int compat_parse(const char *text, size_t len, const char *name, const struct compat_table *base,
		 struct compat_table **ret, struct error *e) MUST_USE;
void compat_table_free(struct compat_table *t);
void compat_table_free_p(struct compat_table **t);
#define AUTO_COMPAT_TABLE CLEANUP(compat_table_free_p)

/* Of several tables a row counts unless a later one has its id. */
struct compat {
	const struct compat_table **tables;
	size_t n;
	struct compat_table **own; /* those that end with it */
	size_t n_own;
};

#define COMPAT_DIR "/etc/sriovctl/compat.d"

/* That of the program and, over it, the files *.json in COMPAT_DIR of the host, by their names.
 * -EINVAL: one of these is wrong. */
int compat_get(const struct host *h, const struct compat **ret, struct error *e) MUST_USE;
void compat_done(struct compat *c);
#define AUTO_COMPAT CLEANUP(compat_done)
/* The tables of @base, which has to live as long; and one more over them, owned from the call on.
 */
int compat_over(const struct compat *base, struct compat *ret, struct error *e) MUST_USE;
int compat_add(struct compat *c, struct compat_table *over, struct error *e) MUST_USE;

struct compat_hit {
	const struct compat_table *table;
	const struct compat_row *row;
};
struct compat_hits {
	struct compat_hit *items;
	size_t n, size;
};
/* A row that is there already is not added. */
int compat_hits_add(struct compat_hits *v, const struct compat_hit *hit) MUST_USE;
void compat_hits_done(struct compat_hits *v);
#define AUTO_COMPAT_HITS CLEANUP(compat_hits_done)

/* The rows that are about what @name is, and judge this; in the order of their tables. */
int compat_find(const struct compat *c, enum compat_judges judges, const char *name,
		struct compat_hits *ret) MUST_USE;
/* Each row once, in the order of their tables. */
int compat_all(const struct compat *c, struct compat_hits *ret) MUST_USE;
/* The family of a function; false: there is none. */
bool compat_family_of(const struct compat *c, uint16_t vendor, uint16_t device,
		      const struct compat_table **ret_table, const struct compat_family **ret);

#endif
