/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command.h"
#include "complain.h"
#include "help.h"
#include "manual.h"
#include "options.h"

#include <config.h>
#include <sriovctl/suggest.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* In the order --help shows them. */
static const struct command *const commands[] = { &cmd_check,	    &cmd_list,	  &cmd_provision,
						  &cmd_deprovision, &cmd_capture, &cmd_import,
						  &cmd_compat,	    &cmd_explain };

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	struct suggest s = { .word = name };

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		suggest_offer(&s, commands[i]->name);
	if (s.best)
		complain("unknown command \"%s\"; did you mean %s?", name, s.best);
	else
		complain("unknown command \"%s\"; see sriovctl --help", name);
	return EXIT_USAGE;
}

static int run(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2) {
		help_commands(commands, ARRAY_SIZE(commands), stderr);
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		help_commands(commands, ARRAY_SIZE(commands), stdout);
		return EXIT_READY;
	}
	if (strcmp(argv[1], "--version") == 0) {
		(void)puts("sriovctl " VERSION);
		return EXIT_READY;
	}
	if (strcmp(argv[1], "--man") == 0) {
		manual_page(commands, ARRAY_SIZE(commands), stdout);
		return EXIT_READY;
	}
	if (strcmp(argv[1], "--completion") == 0) {
		manual_completion(commands, ARRAY_SIZE(commands), stdout);
		return EXIT_READY;
	}
	c = find_command(argv[1]);
	return c ? c->run(argc - 1, argv + 1) : unknown_command(argv[1]);
}

/*
 * Of those that are closed.  Otherwise a file that is opened later, as a capture or a journal,
 * would be where messages go.  What is opened by O_PATH refuses them as closed ones do.
 */
static void occupy_standard_fds(void)
{
	int fd;

	do
		fd = open("/", O_PATH | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		(void)close(fd);
}

int main(int argc, char **argv)
{
	int code;

	occupy_standard_fds();
	/* A closed pipe is an error of writing, told like a full disk. */
	(void)signal(SIGPIPE, SIG_IGN);
	/* So is a file that may grow no further. */
	(void)signal(SIGXFSZ, SIG_IGN);
	code = run(argc, argv);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		complain("cannot write the output: %s", strerror(errno));
		return code == EXIT_USAGE ? code : EXIT_NOT_READY;
	}
	return code;
}
