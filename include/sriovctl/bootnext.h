/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel command line of the next boot, as far as the files of the boot loader tell it: of
 * GRUB (grub.cfg, with or without the entries of the Boot Loader Specification), systemd-boot,
 * extlinux and the firmware of Raspberry Pi.  GRUB's configuration is a program and is not run:
 * what depends on more than constants is "not sure".
 *
 * Of a command line only words that matter for SR-IOV are looked at (bootnext_matters()), and
 * of these files only they are captured (bootnext_sieve()): the rest may hold secrets.
 */
#ifndef SRIOVCTL_BOOTNEXT_H
#define SRIOVCTL_BOOTNEXT_H

#include <sriovctl/strv.h>

struct buf;
struct error;
struct host;

struct bootnext_entry {
	char *path;	   /* of the file that it is in */
	char *name;	   /* its title or, of an entry in a file of its own, that file's name */
	char *kernel;	   /* "" where it is not told */
	struct strv words; /* those that matter */
	bool is_rescue;
	/* Something else that may add words: a variable that is not known, a hypervisor. */
	bool is_unsure;
};

struct bootnext {
	struct bootnext_entry *items; /* those that the next boot may take, no rescue among them */
	size_t n;
	struct strv kernels; /* the paths of all, that GRUB would start */
	char *source;	     /* the file, or the folder, that tells; NULL: none was found */
	bool by_grub;	     /* which passes BOOT_IMAGE= on */
	bool firmware_adds;  /* words of its own, the same at each boot */
	/* 0, or why what could tell could not be read, and what that is. */
	int error;
	char *blind;
};

/* Is this word one that a check here asks for, or that moves or hides devices and interrupts? */
bool bootnext_matters(const char *word);

enum bootnext_form {
	BOOTNEXT_GRUB,	/* a grub.cfg */
	BOOTNEXT_ENV,	/* a grubenv */
	BOOTNEXT_ENTRY, /* a file of loader/entries */
	BOOTNEXT_EXTLINUX,
	BOOTNEXT_PLAIN, /* the words alone */
	BOOTNEXT_FORM_MAX
};

/* What a file says besides its entries. */
struct bootnext_file {
	struct bootnext_entry *items;
	size_t n;
	struct strv names, values; /* variables of GRUB that are set to constants, in pairs */
	bool has_bls;		   /* GRUB is to take the entries of loader/entries */
	bool has_custom;	   /* and what a file beside it says */
	bool has_source;	   /* and what a file says that is not looked for */
};
int bootnext_parse(enum bootnext_form form, const char *path, const char *text,
		   struct bootnext_file *ret) MUST_USE;
void bootnext_file_done(struct bootnext_file *f);
#define AUTO_BOOTNEXT_FILE CLEANUP(bootnext_file_done)

/* Which of the forms a file of this path has; false: none, it is not the boot loader's. */
bool bootnext_form_of(const char *path, enum bootnext_form *ret);
/* Leaves of each line what bootnext_parse() looks at. */
void bootnext_sieve(enum bootnext_form form, const char *text, size_t len, struct buf *ret);

int bootnext_get(const struct host *h, const struct bootnext **ret, struct error *e) MUST_USE;
void bootnext_done(struct bootnext *b);

#endif
