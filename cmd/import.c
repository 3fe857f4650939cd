/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture_file.h"
#include "command.h"
#include "complain.h"
#include "help.h"
#include "options.h"
#include "outfile.h"

#include <sriovctl/bundle.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/import.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdio.h>

struct import_args {
	const char *file;
	struct strv paths;
};

static const struct option_def options[] = {
	{ .name = "file",
	  .letter = 'o',
	  .metavar = "FILE",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct import_args, file),
	  .help = "the capture to make, which must not be there yet; - is standard output" },
};

static const char *const examples[] = {
	"sriovctl import sosreport-host-2024.tar.gz -o host.tar.gz",
	"sriovctl import lspci.txt dmesg.txt interrupts.txt -o case.tar.gz",
	"sriovctl check --root=case.tar.gz",
	NULL,
};

static const char *const exits[] = {
	"0  made, of what was recognised",
	"1  the capture could not be written; there is none then",
	"2  a wrong option, a path that cannot be read, a file that is there already, or nothing "
	"that was recognised",
	NULL,
};

static int add_paths(const struct import_args *args, struct bundle *b, struct error *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < args->paths.n; i++)
		r = bundle_add(b, args->paths.items[i], e);
	return r;
}

/* To a person, beside a capture on standard output. */
static void tell(const struct strv *told)
{
	for (size_t i = 0; i < told->n; i++)
		complain("%s", told->items[i]);
}

static int import(const struct import_args *args, struct outfile *f, struct error *e)
{
	AUTO_BUNDLE struct bundle *b = NULL;
	AUTO_STRV struct strv told = { 0 };
	AUTO_HOST struct host *h = NULL;
	int r;

	if (bundle_new(&b, e) < 0)
		return EXIT_NOT_READY;
	if (add_paths(args, b, e) < 0)
		return EXIT_USAGE;
	r = import_run(b, args->file, &h, &told, e);
	if (r < 0)
		return EXIT_NOT_READY;
	tell(&told);
	if (r == 0) {
		(void)error_set(e, -EINVAL, "nothing in what was given was recognised");
		return EXIT_USAGE;
	}
	return capture_file_write(h, f, e) < 0 ? EXIT_NOT_READY : EXIT_READY;
}

static int open_and_import(const struct import_args *args, struct error *e)
{
	AUTO_OUTFILE struct outfile f = { .fd = -1 };
	int code;

	if (!args->file || args->paths.n == 0) {
		(void)error_set(e, -EINVAL, "%s; see sriovctl import --help",
				args->file ? "import needs what to read: a file or a folder"
					   : "import needs the capture to make: -o FILE");
		return EXIT_USAGE;
	}
	code = capture_file_open(args->file, &f, e);
	return code == EXIT_READY ? import(args, &f, e) : code;
}

static int run_import(int argc, char **argv)
{
	struct import_args args = { 0 };
	struct error e = { 0 };
	int code = EXIT_USAGE;
	bool help;

	if (options_parse(&cmd_import, argc, argv, &args, &help, &e) == 0) {
		if (help)
			help_command(&cmd_import, stdout);
		code = help ? EXIT_READY : open_and_import(&args, &e);
	}
	if (e.code < 0 && code != EXIT_READY)
		complain("%s", e.text);
	strv_done(&args.paths);
	return code;
}

const struct command cmd_import = {
	.name = "import",
	.summary = "make a capture of texts and files that somebody sent",
	.args = "PATH...",
	.args_help = "a file, a folder with all that is below it, or a tar file",
	.args_offset = offsetof(struct import_args, paths),
	.description =
		"Makes a capture, as \"check\" and \"list\" take it with --root, out of what "
		"people "
		"send: a sosreport (a folder, or a tar file), or texts under any names: lspci of "
		"any kind, kernel logs, exports of a journal, /proc/interrupts and other files of "
		"/proc, lscpu, listings of IOMMU groups, ip link, ethtool, dmidecode, tables of "
		"ACPI and SMBIOS, what was done in a shell, and trees of /proc and /sys. Each may "
		"be packed with gzip, xz or bzip2.\n"
		"Each is recognised by what is in it, and a line tells what was taken of each. "
		"What "
		"none of them shows is not known, and makes no check pass or fail.",
	.options = options,
	.n_options = ARRAY_SIZE(options),
	.examples = examples,
	.exits = exits,
	.run = run_import,
};
