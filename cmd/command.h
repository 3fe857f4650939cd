/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command is a constant at the end of its own file, and one line in main.c. */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <sriovctl/base.h>

struct option_def;

/* What scripts depend on; printed by --help. */
enum exit_code {
	EXIT_READY = 0,	    /* ready, or ready with warnings; done */
	EXIT_NOT_READY = 1, /* not ready; failed, and undone; or the report could not be written */
	EXIT_USAGE = 2,	    /* a wrong option or bad input; nothing was touched */
	EXIT_UNKNOWN = 3,   /* a required check could not be answered */
	EXIT_REFUSED = 4,   /* in use, or unsafe without an option; nothing was touched */
	EXIT_BETWEEN = 5,   /* between two states: the journal is kept for --recover */
};

struct command {
	const char *name;
	const char *summary;	 /* one line, for the list of commands */
	const char *description; /* paragraphs, parted by a newline */
	const struct option_def *options;
	size_t n_options;
	const char *args; /* how --help shows the words that are no options; NULL: it takes none */
	const char *args_help;	     /* what they are */
	const char *verbs;	     /* of which one comes first, parted by blanks; NULL: none */
	size_t args_offset;	     /* where they go in the values: a struct strv */
	const char *const *examples; /* NULL behind the last */
	const char *const *exits;    /* "0  meaning", NULL behind the last */
	/* argv[0] is the command's name. */
	int (*run)(int argc, char **argv);
};

extern const struct command cmd_check, cmd_list, cmd_provision, cmd_deprovision, cmd_capture,
	cmd_import, cmd_compat, cmd_explain;

#endif
