/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lspci prints, of any version and with any of -v to -vvv, -x to -xxxx, -n, -nn, -k, back in
 * registers.  A bit that was not printed is not known; that a capability is absent is known only
 * of a list that was seen from its beginning to its end.
 */
#ifndef IMPORT_LSPCI_H
#define IMPORT_LSPCI_H

#include "functions.h"

struct nics;

/* Two passes, the dumps of all texts first: their bits are the function's own. */
size_t lspci_take_dumps(struct functions *v, const char *text);
/* How many functions it tells of; @n: names and ids of network adapters, or NULL. */
size_t lspci_take_text(struct functions *v, const struct nics *n, const char *text);

/* What lspci calls a function, with its ids where they are told or have that name. */
void lspci_take_title(struct functions *v, struct function *f, const struct nics *n,
		      const char *rest);

/* --- between the files of this module --------------------------------------------------- */

#define LSPCI_CAPS_MAX 64

struct lspci_cap {
	uint16_t offset;
	bool is_extended;
	int id; /* -1: not known */
};

/* What is told of one function, while its lines come. */
struct lspci_block {
	struct functions *functions;
	struct function *f; /* NULL: none, or too many */
	bool has_header;    /* what stands before the capabilities was printed */
	bool has_end;	    /* what follows them was */
	bool is_torn;	    /* a line was, or something stood between */
	bool is_denied, has_list, has_modules, has_driver;
	struct lspci_cap caps[LSPCI_CAPS_MAX];
	size_t n_caps;
	/* Of the capability whose lines come. */
	char register_name[12];
	bool has_page_size;
	unsigned ea_entry;
	size_t ea_at;
};

/* "Intel Corporation Device 10c9": what has no name in lspci's table has its id for one. */
bool lspci_ids_of_title(const char *title, uint16_t *ret_vendor, uint16_t *ret_device);
/* "Ethernet controller" or "Ethernet controller [0200]"; -1: no class that lspci names. */
int lspci_class(const char *name, size_t len);
/* The id of a capability by how lspci names it; -1: not known. */
int lspci_cap_id(const char *name, bool is_extended);

/* A line of a capability, its first one without "Capabilities: [..] ". */
void lspci_take_register(struct lspci_block *b, const struct lspci_cap *cap, const char *line,
			 bool is_first);
/* Puts the capabilities into lists, when all lines came. */
void lspci_chain(struct lspci_block *b);

/* The header of a function, and what stands behind the colon: its name; false: it is none. */
bool lspci_header(const char *line, struct bdf *at, int *ret_class, const char **ret_rest);

/* "40: 0d 60 ...", a row of a dump; its offset, or -1 where it is none. */
#define LSPCI_ROW 16
int lspci_take_row(const char **at, uint8_t bytes[LSPCI_ROW]);

#endif
