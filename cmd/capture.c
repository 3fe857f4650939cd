/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture_file.h"
#include "command.h"
#include "complain.h"
#include "help.h"
#include "options.h"
#include "outfile.h"

#include <sriovctl/buf.h>
#include <sriovctl/capture.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/inventory.h>
#include <sriovctl/lasting.h>
#include <sriovctl/pfstate.h>
#include <sriovctl/report.h>
#include <sriovctl/rivals.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdio.h>

#define BLOCKED_SHOWN 10

struct capture_args {
	const char *root, *file;
	bool redact;
};

static const struct option_def options[] = {
	{ .name = "file",
	  .letter = 'o',
	  .metavar = "FILE",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct capture_args, file),
	  .help = "the file to make, which must not be there yet; - is standard output" },
	{ .name = "redact",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct capture_args, redact),
	  .help = "put others in place of MAC addresses, serial numbers, UUIDs and host names, "
		  "the same everywhere for the same" },
	{ .name = "root",
	  .metavar = "ROOT",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct capture_args, root),
	  .help = "make it of another capture, or of a host that was copied below a folder, "
		  "instead of this host" },
};

static const char *const examples[] = {
	"sriovctl capture",
	"sriovctl capture --redact -o /tmp/case-17.tar.gz",
	"ssh root@host sriovctl capture -o - > host.tar.gz",
	"sriovctl check --root=sriovctl-capture.tar.gz",
	NULL,
};

static const char *const exits[] = {
	"0  captured, with what could not be read noted as such",
	"1  the file could not be written; there is none then",
	"2  a wrong option, a file that is there already, or a root that is no host's tree",
	NULL,
};

/* What provisioning would look at.  Its values are of no interest here. */
static int ask_states(const struct host *h, const struct inventory *v)
{
	AUTO_PFSTATES struct pfstates states = { 0 };
	AUTO_STRV struct strv functions = { 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < v->n; i++)
		r = strv_add(&functions, v->pfs[i].facts[INVENTORY_PF_BDF].text);
	return r < 0 ? r : pfstates_read(h, &functions, &states, NULL);
}

/* All that any command asks. */
static int ask(const struct host *h, struct error *e)
{
	static const struct report_options all = { 0 };
	AUTO_REPORT struct report r = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };
	AUTO_STRV struct strv words = { 0 }, bdfs = { 0 };
	const struct lasting *boot = NULL;
	const struct rivals *rivals = NULL;
	int err = report_run(h, &all, &r, e);

	if (err == 0)
		err = inventory_select(h, &words, &bdfs, NULL);
	if (err == 0)
		err = inventory_read(h, &bdfs, &v, NULL);
	if (err == 0)
		err = ask_states(h, &v);
	/* No check asks where there are no VFs. */
	if (err == 0)
		err = lasting_get(h, &boot, NULL);
	if (err == 0)
		err = rivals_get(h, &rivals, NULL);
	if (err == -ENOMEM)
		return error_nomem(e);
	/* Where there is nothing to be listed, that is what was captured. */
	if (host_ran_out(h))
		return error_nomem(e);
	return capture_ask(h, e);
}

static void tell_blocked(const struct host *h)
{
	AUTO_STRV struct strv paths = { 0 };
	AUTO_BUF struct buf text = { 0 };

	if (capture_blocked(h, &paths) < 0 || paths.n == 0)
		return;
	for (size_t i = 0; i < paths.n && i < BLOCKED_SHOWN; i++)
		buf_printf(&text, "%s%s", i ? ", " : "", paths.items[i]);
	if (paths.n > BLOCKED_SHOWN)
		buf_printf(&text, ", and %zu more", paths.n - BLOCKED_SHOWN);
	complain("not captured, since somebody holds its lock: %s", buf_text(&text));
}

/* The exit code; the file, if it is one, is open already. */
static int capture(const struct capture_args *args, struct outfile *f, struct error *e)
{
	AUTO_HOST struct host *h = NULL;
	int r;

	if (capture_open(args->root, &h, e) < 0)
		return EXIT_USAGE;
	r = ask(h, e);
	if (r == 0)
		r = args->redact ? capture_redact(&h, e) : capture_replay(&h, e);
	if (r == 0)
		r = capture_file_write(h, f, e);
	if (r == 0)
		tell_blocked(h);
	return r == 0 ? EXIT_READY : EXIT_NOT_READY;
}

static int open_and_capture(const struct capture_args *args, struct error *e)
{
	AUTO_OUTFILE struct outfile f = { .fd = -1 };
	int code = capture_file_open(args->file, &f, e);

	return code == EXIT_READY ? capture(args, &f, e) : code;
}

static int run_capture(int argc, char **argv)
{
	struct capture_args args = { .root = "/", .file = "sriovctl-capture.tar.gz" };
	struct error e = { 0 };
	bool help;
	int code = EXIT_USAGE;

	if (options_parse(&cmd_capture, argc, argv, &args, &help, &e) == 0) {
		if (help)
			help_command(&cmd_capture, stdout);
		code = help ? EXIT_READY : open_and_capture(&args, &e);
	}
	if (e.code < 0 && code != EXIT_READY)
		complain("%s", e.text);
	return code;
}

const struct command cmd_capture = {
	.name = "capture",
	.summary = "save what the other commands read of this host, as a file",
	.description =
		"Runs all checks and the list, notes all that they ask and what the host answers, "
		"asks besides what they would only ask elsewhere, and makes "
		"sriovctl-capture.tar.gz "
		"of it (or FILE). Changes nothing. \"check\" and \"list\" with --root=FILE then "
		"say "
		"what they say on the host.\n"
		"An ordinary user may run it; that something is for root alone is captured, too. "
		"What is in a capture, tar shows; its first member is the report.",
	.options = options,
	.n_options = ARRAY_SIZE(options),
	.examples = examples,
	.exits = exits,
	.run = run_capture,
};
