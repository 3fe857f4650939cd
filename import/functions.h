/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PCI functions of a host as several witnesses tell of them, of which none tells all.  The
 * first that tells a fact is believed: the best are heard first.  What one witness tells twice, and
 * in two ways, as of two moments, is not known.
 */
#ifndef IMPORT_FUNCTIONS_H
#define IMPORT_FUNCTIONS_H

#include "text.h"

#include <sriovctl/pcidev.h>

struct host_make;

/* More than a server has, VFs among them; with what is kept of each some 20 MB. */
#define FUNCTIONS_MAX 2048
/* Of those that can have VFs, of which each is judged by two dozen checks. */
#define FUNCTIONS_WITH_VFS_MAX 512

enum function_state { FUNCTION_UNKNOWN, FUNCTION_ABSENT, FUNCTION_PRESENT };

/* Of a link, as sysfs tells: an index as in the registers, lanes; 0: not known. */
struct function_link {
	unsigned speed, width, max_speed, max_width;
};

struct function {
	struct bdf at;
	char name[TEXT_BDF_MAX];
	/* Configuration space and which of its bits are known; NULL: nothing. */
	uint8_t *space, *known;
	uint8_t *disputed; /* bits that were told in two ways, and stay unknown; NULL: none */
	size_t len;	   /* of the space, or of a dump that holds no more */
	size_t dumped;	   /* so much of it is a dump's, which texts tell another time */
	bool has_ids, has_class;
	bool ids_by_title;  /* which may be of several cards */
	bool has_other_ids; /* another text, or place of one, has another card there */
	uint16_t vendor, device;
	uint32_t class;
	char *title; /* what lspci calls it */
	bool is_vf;
	enum function_state driver_state;
	char *driver;
	bool driver_by_lspci, has_other_driver, has_other_group;
	bool shows_no_driver; /* in the text that is read now, though it was seen to its end */
	bool has_node, has_group, group_by_log;
	uint32_t node, group;
	bool has_buses;
	uint8_t secondary, subordinate;
	bool has_rows;
	struct pcidev_row rows[PCIDEV_ROWS_IOV];
	enum function_state totalvfs_state; /* is there a file sriov_totalvfs? */
	struct function_link link;
	char *netdev;
	enum function_state carrier; /* of this interface, by the last that was told of it */
	/* By the log: its BARs were all told, so many VFs in its capability, MSI-X was switched on.
	 */
	bool is_enumerated, uses_msix;
	size_t tried; /* the line of the log where it was found, or had no room, at last */
	uint16_t total_vfs;
	/* VFs that its interface tells of: 0 to n - 1. */
	uint16_t told_vfs;
};

struct functions {
	struct function **items; /* by address */
	size_t n, size;
	/* Groups that have, or may have, one more than those that were told by their addresses. */
	uint32_t *nameless;
	size_t n_nameless, nameless_size;
	int error; /* 0, or -ENOMEM: sticks */
	bool is_full;
	/* A text that tells the group of each function that is in one told none. */
	bool has_no_group;
};

void functions_done(struct functions *v);
#define AUTO_FUNCTIONS CLEANUP(functions_done)

/* The function at an address, made where there is none; NULL: too many, or no memory. */
struct function *functions_get(struct functions *v, const struct bdf *at);
struct function *functions_find(const struct functions *v, const struct bdf *at);
int function_compare(const struct bdf *a, const struct bdf *b);

/* Tell bits of the space.  What was told otherwise before, at another moment, is not known. */
void function_set(struct functions *v, struct function *f, size_t offset, uint32_t value,
		  uint32_t mask);
/* The same by another dump; texts tell nothing else of what is in one. */
void function_retell(struct functions *v, struct function *f, size_t offset, uint32_t value,
		     uint32_t mask);
/* The same, and those that are known stay. */
void function_fill(struct functions *v, struct function *f, size_t offset, uint32_t value,
		   uint32_t mask);
/* What may be there, and is not known. */
void function_guess(struct functions *v, struct function *f, size_t offset, uint32_t value,
		    uint32_t mask);
bool function_knows(const struct function *f, size_t offset, uint32_t mask);
uint32_t function_get(const struct function *f, size_t offset);

/* Keep a copy of @text in *@ret where nothing is. */
void functions_keep(struct functions *v, char **ret, const char *text, size_t len);

/* All but where it is. */
void function_forget(struct function *f);

/* That a group has one more, or may have. */
void functions_add_nameless(struct functions *v, uint32_t group);
/* When all texts were read; then it is known of which groups that was said. */
void functions_settle_nameless(struct functions *v);
bool functions_is_nameless(const struct functions *v, uint32_t group);

void function_set_class(struct functions *v, struct function *f, uint32_t class);
void function_set_ids(struct functions *v, struct function *f, uint16_t vendor, uint16_t device);
void function_set_driver(struct functions *v, struct function *f, const char *name);
/* By lspci, which of two moments may tell two, or one and none. */
void function_tell_driver(struct functions *v, struct function *f, const char *name);
void function_deny_driver(struct function *f);

#endif
