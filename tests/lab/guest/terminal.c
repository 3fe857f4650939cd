/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal COMMAND...: runs it with a terminal of its own for its errors, and writes what comes
 * there: a line for each "\r" or "\n", escape sequences with "ESC" for their first byte. Ends as
 * the command does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char *text, ssize_t len)
{
	for (ssize_t i = 0; i < len; i++) {
		if (text[i] == '\033')
			fputs("ESC", stdout);
		else
			putchar(text[i] == '\r' ? '\n' : text[i]);
	}
}

int main(int argc, char **argv)
{
	int ours = posix_openpt(O_RDWR | O_NOCTTY), status = 0;
	char text[4096];
	ssize_t n;
	pid_t pid;

	if (argc < 2 || ours < 0 || grantpt(ours) < 0 || unlockpt(ours) < 0) {
		perror("terminal");
		return 2;
	}
	pid = fork();
	if (pid == 0) {
		int theirs = open(ptsname(ours), O_RDWR | O_NOCTTY);

		close(ours);
		if (theirs >= 0 && dup2(theirs, STDERR_FILENO) >= 0)
			execvp(argv[1], argv + 1);
		_exit(127);
	}
	/* EIO: nobody has the other end any more, or not yet. */
	while ((n = read(ours, text, sizeof(text))) > 0 ||
	       (n < 0 && errno == EIO && waitpid(pid, &status, WNOHANG) == 0))
		show(text, n);
	if (n >= 0)
		waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
