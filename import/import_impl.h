/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of an import share: what they read and where they put it.  A kind of text has
 * one file, and one function that takes from a text what is of this kind in it.
 */
#ifndef IMPORT_IMPORT_IMPL_H
#define IMPORT_IMPORT_IMPL_H

#include "functions.h"

#include <sriovctl/buf.h>
#include <sriovctl/host_make.h>
#include <sriovctl/nics.h>
#include <sriovctl/strv.h>

struct bundle;

/* A boot that was logged from its beginning on. */
struct import_boot {
	char *release, *cmdline; /* which may be NULL: not known */
	double wall;		 /* when it began, by the clock of the wall; -1: not known */
};

struct import {
	struct host_make *make;
	struct functions functions;
	struct nics nics;
	bool groups_seen; /* some function is in a group */
	char *release;	  /* of the kernel; NULL: not known */
	/* Told by what is no log, and logs of it or of another; nothing else had put it. */
	bool release_by_text, has_same_release, has_other_release, release_is_ours;
	char *image;	/* what the boot loader says that it loaded; NULL: not known */
	struct buf log; /* its messages, of the last boot */
	bool log_has_start;
	char *machine;		/* the board, by a log; NULL: not known */
	bool has_other_machine; /* by another log */
	struct import_boot *boots;
	size_t n_boots;
	unsigned beyond;       /* so many functions, and more: none was taken; 0: they were */
	size_t n_of_functions; /* how often only functions were taken of a text */
	struct strv conflicts; /* what texts tell in two ways, so that it is not known */
	int error;	       /* 0, or -ENOMEM: sticks */
};

/* One text or table. */
struct import_text {
	const char *name;
	const char *data; /* ends in a NUL; of a text there is none before */
	size_t len;
	bool is_binary;
	unsigned number; /* from 1 on */
};

/* What a failed buffer says, for the end: most do not care until then. */
static inline void import_note(struct import *i, const struct buf *b)
{
	if (buf_error(b) < 0)
		i->error = buf_error(b);
}

/* Told to the one who imports. */
void import_dispute(struct import *i, const char *fmt, ...) PRINTF(2, 3);
/* An address has one card, an interface one function, a host one kernel that runs. */
void conflicts_settle(struct import *i);

/* Can @text be what is in the file?  A complaint of a program cannot. */
bool content_fits(const char *path, const char *text);
bool content_is_cmdline(const char *text);
/*
 * Is a list of the flags of an x86 long enough to tell what is not in it?  The kernel prints them
 * in an order (arch/x86/include/asm/cpufeatures.h), in which all that is asked for comes before,
 * or next but one behind, "lahf_lm": what ends there was cut, by a terminal or a person.
 */
bool content_flags_are_whole(const char *flags);

/* As it was before people's programs had it; of one that is wide, each byte as a character. */
void paste_narrow(struct buf *content);
void paste_undo(struct buf *content);

/* What stands behind the prompt of a shell; NULL: there is none in the line. */
const char *shell_command(const char *line);

/* How many things of its kind were taken; 0: none of it is in the text. */
typedef size_t import_take(struct import *i, const struct import_text *t);

import_take acpi_take_table, acpi_take_dump;
import_take smbios_take_tables, smbios_take_text;
import_take proc_take_cmdline, proc_take_cpuinfo, proc_take_config, proc_take_interrupts,
	proc_take_iomem, proc_take_version;
import_take lscpu_take, groups_take, ethtool_take_driver, ethtool_take_channels,
	ethtool_take_coalescing, iplink_take;
import_take lspci_take_tree;
import_take shell_take, bootlog_look, bootlog_take, journal_look, journal_take, devlink_take,
	modinfo_take;

/* A tree of /proc and /sys among the members: puts it, and marks what it took in @taken. */
int tree_take(struct import *i, const struct bundle *b, size_t *taken, struct error *e) MUST_USE;

/* What was told of the kernel: its release. */
void proc_keep_release(struct import *i, const char *release, size_t len);
void proc_compare_release(struct import *i, const char *release, size_t len);
void bootlog_forget_boots(struct import *i);
/* The log, as a plain tree has it. */
void bootlog_put(struct import *i);

/* What is known of the functions, and of nothing else, as sysfs shows it. */
void sysfs_put(struct import *i);

#endif
