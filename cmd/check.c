/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command.h"
#include "compat_ask.h"
#include "complain.h"
#include "help.h"
#include "infile.h"
#include "options.h"
#include "profile_ask.h"
#include "render/render.h"
#include "spec_ask.h"
#include "specfile.h"

#include <config.h>
#include <sriovctl/compat.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/inventory.h>
#include <sriovctl/modules_guest.h>
#include <sriovctl/profile.h>
#include <sriovctl/report.h>
#include <sriovctl/spec.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct check_args {
	const char *root, *output, *file, *guest_modules, *profile;
	struct strv severities, compat;
	struct strv words; /* the functions as they were named */
	struct spec *spec;
	struct spec_ask ask;
	bool strict;
};

static const struct option_def options[] = {
	{ .name = "root",
	  .metavar = "ROOT",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct check_args, root),
	  .help = "judge the host of which ROOT is a capture, or below which its /proc, /sys, "
		  "/etc, /boot and /lib/modules were copied (and the kernel log as "
		  "var/log/dmesg), instead of this one" },
	{ .name = "output",
	  .metavar = "FORMAT",
	  .type = OPTION_CHOICE,
	  .choices = render_names,
	  .offset = offsetof(struct check_args, output),
	  .help = "how to print the report" },
	{ .name = "file",
	  .once = "one spec names all functions",
	  .letter = 'f',
	  .metavar = "SPEC",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct check_args, file),
	  .help = "ask for what this spec wants, of the functions that it names; - is standard "
		  "input" },
	{ .name = "only",
	  .metavar = "ID",
	  .type = OPTION_LIST,
	  .offset = offsetof(struct check_args, ask.options.only),
	  .help = "run this check alone; may be given again" },
	{ .name = "skip",
	  .metavar = "ID",
	  .type = OPTION_LIST,
	  .offset = offsetof(struct check_args, ask.options.skip),
	  .help = "leave this check out; may be given again" },
	{ .name = "vfs",
	  .metavar = "N",
	  .type = OPTION_COUNT,
	  .offset = offsetof(struct check_args, ask.options.wish.vfs),
	  .help = "VFs wanted of each function, instead of all that it offers" },
	{ .name = "queues",
	  .metavar = "N",
	  .type = OPTION_COUNT,
	  .offset = offsetof(struct check_args, ask.options.wish.queues),
	  .help = "interrupt vectors wanted of each VF" },
	{ .name = "guest-modules",
	  .metavar = "DIR",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct check_args, guest_modules),
	  .help = "the modules of a guest's kernel, as its /lib/modules/RELEASE: are the drivers "
		  "of "
		  "the VFs among them?" },
	{ .name = "compat",
	  .metavar = "FILE",
	  .type = OPTION_LIST,
	  .offset = offsetof(struct check_args, compat),
	  .help = "rows of firmware, drivers and kernels that add to those of the program, or "
		  "replace them (sriovctl compat); may be given again" },
	{ .name = "profile",
	  .metavar = "PROFILE",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct check_args, profile),
	  .help = "how severe each check is: sriov (if not given), vfio, or a file of your own" },
	{ .name = "severity",
	  .metavar = "ID=LEVEL",
	  .type = OPTION_LIST,
	  .offset = offsetof(struct check_args, severities),
	  .help = "how severe this check is: required, recommended or info; may be given again" },
	{ .name = "strict",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct check_args, strict),
	  .help = "exit 1 for warnings too" },
};

static const char *const examples[] = {
	"sriovctl check",
	"sriovctl check ens1f0 --vfs=16 --queues=4",
	"sriovctl check -f /etc/sriovctl.json",
	"sriovctl check --output=json | jq -r '.results[] | select(.verdict==\"fail\").id'",
	"sriovctl check --profile=vfio --severity=x2apic.active=required",
	"sriovctl check --root=host-17.tar.gz --strict",
	NULL,
};

static const char *const exits[] = {
	"0  ready, or ready with warnings",
	"1  not ready; with --strict also warnings; the report could not be written",
	"2  a wrong option or spec, a root that is no host's tree, or a PF that is not there",
	"3  a required check could not be answered, or was left out",
	NULL,
};

static int exit_code(const struct report *r, bool strict)
{
	switch (r->readiness) {
	case READINESS_READY:
		return EXIT_READY;
	case READINESS_WARNINGS:
		return strict ? EXIT_NOT_READY : EXIT_READY;
	case READINESS_UNKNOWN:
		return EXIT_UNKNOWN;
	case READINESS_NOT_READY:
	case READINESS_MAX:
		break;
	}
	return EXIT_NOT_READY;
}

static int print_report(const struct report *r, const char *format, struct error *e)
{
	const struct render_style style = {
		.tool_version = VERSION,
		.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"),
	};

	return render_find(format)->report(r, &style, stdout, e);
}

/* What the spec says is said once. */
static int refuse_both(const struct check_args *args, struct error *e)
{
	const struct report_wish *w = &args->ask.options.wish;

	if (args->words.n > 0)
		return error_set(e, -EINVAL, "the spec names the functions: leave out \"%s\"",
				 args->words.items[0]);
	if (w->vfs || w->queues)
		return error_set(e, -EINVAL, "the spec says how many: leave out --%s",
				 w->vfs ? "vfs" : "queues");
	return 0;
}

/* The functions and the wishes of the spec into the options of the report. */
static int read_spec(struct check_args *args, const struct host *h, struct error *e)
{
	const char *name = infile_name(args->file);
	struct spec_ask *a = &args->ask;
	int r = refuse_both(args, e);

	if (r == 0)
		r = specfile_read(args->file, &args->spec, e);
	if (r == 0)
		r = spec_ask_make(args->spec, name, h, a, e);
	if (r < 0)
		return r;
	if (a->others.n > 0)
		return error_set(e, -EINVAL, "%s: %s is no PCI function, and cannot be checked",
				 name, a->others.items[0]);
	if (a->options.pfs.n == 0)
		return error_set(e, -EINVAL, "%s: asks for no VFs, and so of the host for nothing",
				 name);
	return 0;
}

/* What only root may read of the host's own tables is unknown to the checks that ask for it. */
static int read_tables(struct check_args *args, const struct host *h, struct compat *ret,
		       struct error *e)
{
	const struct compat *own = NULL;
	int r;

	if (args->compat.n == 0 && compat_get(h, &own, NULL) == -EACCES)
		return 0;
	r = compat_ask(h, &args->compat, ret, e);
	args->ask.options.compat = ret;
	return r;
}

/* The exit code. */
static int check(struct check_args *args, struct error *e)
{
	AUTO_HOST struct host *h = NULL;
	AUTO_MODULES_GUEST struct modules_guest *guest = NULL;
	AUTO_REPORT struct report r = { 0 };
	AUTO_PROFILE struct profile profile = { 0 };
	AUTO_COMPAT struct compat compat = { 0 };

	args->ask.options.profile = &profile;
	if (profile_ask(args->profile, &args->severities, &profile, e) < 0 ||
	    spec_ask_require_ids("--only", &args->ask.options.only, e) < 0 ||
	    spec_ask_require_ids("--skip", &args->ask.options.skip, e) < 0 ||
	    host_open(args->root, &h, e) < 0 || (args->file && read_spec(args, h, e) < 0) ||
	    (args->words.n > 0 && inventory_select(h, &args->words, &args->ask.options.pfs, e) < 0))
		return EXIT_USAGE;
	if (args->guest_modules && modules_guest_open(args->guest_modules, &guest, e) < 0)
		return EXIT_USAGE;
	if (read_tables(args, h, &compat, e) < 0)
		return EXIT_USAGE;
	args->ask.options.guest_modules = guest;
	if (report_run(h, &args->ask.options, &r, e) < 0 || print_report(&r, args->output, e) < 0)
		return EXIT_NOT_READY;
	return exit_code(&r, args->strict);
}

static int run_check(int argc, char **argv)
{
	struct check_args args = { .root = "/", .output = "text", .profile = profile_names[0] };
	struct error e = { 0 };
	bool help;
	int code = EXIT_USAGE;

	if (options_parse(&cmd_check, argc, argv, &args, &help, &e) == 0) {
		if (help)
			help_command(&cmd_check, stdout);
		code = help ? EXIT_READY : check(&args, &e);
	}
	if (e.code < 0)
		complain("%s", e.text);
	strv_done(&args.words);
	strv_done(&args.severities);
	strv_done(&args.compat);
	spec_ask_done(&args.ask);
	spec_free(args.spec);
	return code;
}

const struct command cmd_check = {
	.name = "check",
	.summary = "say whether this host is ready for SR-IOV, and why",
	.description =
		"Looks at firmware, IOMMU, interrupts, kernel and physical functions, and says for "
		"each check whether it passed, failed, does not apply, or could not be answered, "
		"with what was seen and where. Changes nothing.\n"
		"An ordinary user may run it; what only root can read is then unknown, never "
		"failed.",
	.options = options,
	.n_options = ARRAY_SIZE(options),
	.args = "[PF...]",
	.args_help = "judge these physical functions alone, each by its PCI address or its network "
		     "interface, instead of all that have VFs or are of a kind that can",
	.args_offset = offsetof(struct check_args, words),
	.examples = examples,
	.exits = exits,
	.run = run_check,
};
