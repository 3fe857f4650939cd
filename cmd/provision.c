/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot.h"
#include "change.h"
#include "command.h"
#include "complain.h"
#include "help.h"
#include "kernel_args.h"
#include "options.h"
#include "keep.h"
#include "render/render.h"
#include "spec_ask.h"
#include "specfile.h"
#include "wish.h"

#include <sriovctl/error.h>
#include <sriovctl/parse.h>
#include <sriovctl/spec.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct provision_args {
	const char *file;
	struct kernel_args_options kernel;
	bool kernel_args;
	struct spec_line line;
	struct strv skip;
	struct change_options change;
	bool recover;
	struct keep_options keep;
	bool boot, await_carrier;
	uint32_t wait;
};

#define CARRIER_WAIT 60 /* seconds */

/* What the command is used for: each option belongs to some of it. */
enum use {
	USE_MAKE = 1 << 0,  /* VFs, now, and with --persist from now on */
	USE_FILES = 1 << 1, /* of another root's boots */
	USE_RECOVER = 1 << 2,
	USE_BOOT = 1 << 3,
	USE_CARRIER = 1 << 4,
	USE_KERNEL = 1 << 5,
};
/* What is asked for, and a function's VFs by options. */
#define USE_SPEC (USE_MAKE | USE_FILES | USE_KERNEL)

static const struct option_def options[] = {
	{ .name = "file",
	  .once = "one spec names all functions",
	  .uses = USE_SPEC,
	  .letter = 'f',
	  .metavar = "FILE",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct provision_args, file),
	  .help = "the spec: what is wanted, as JSON; - for standard input" },
	{ .name = "pf",
	  .once = "it is one function; a spec (--file) names more",
	  .uses = USE_SPEC | USE_BOOT,
	  .metavar = "PF",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct provision_args, line.pf),
	  .help = "instead of a spec: this function, by its PCI address or network interface" },
	{ .name = "vfs",
	  .uses = USE_SPEC,
	  .metavar = "N",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct provision_args, line.vfs),
	  .help = "with --pf: how many VFs; max: as many as there can be" },
	{ .name = "mac",
	  .uses = USE_SPEC,
	  .metavar = "POLICY",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct provision_args, line.mac),
	  .help = "with --pf: derive (from the PF's own address, the same on every boot), keep, "
		  "none, or the first address of a row" },
	{ .name = "queues",
	  .uses = USE_SPEC,
	  .metavar = "N",
	  .type = OPTION_COUNT,
	  .offset = offsetof(struct provision_args, line.queues),
	  .help = "with --pf: queues of each VF" },
	{ .name = "driver",
	  .uses = USE_SPEC,
	  .metavar = "NAME",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct provision_args, line.driver),
	  .help = "with --pf: the driver of each VF; none: no driver; default: the kernel's "
		  "choice" },
	{ .name = "vlan",
	  .uses = USE_SPEC,
	  .metavar = "ID",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct provision_args, line.vlan),
	  .help = "with --pf: the VLAN of each VF; 0: none" },
	{ .name = "trust",
	  .uses = USE_SPEC,
	  .metavar = "on|off",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct provision_args, line.trust),
	  .help = "with --pf: may VFs do what only a trusted one may" },
	{ .name = "spoofchk",
	  .uses = USE_SPEC,
	  .metavar = "on|off",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct provision_args, line.spoofchk),
	  .help = "with --pf: must VFs send from their own address" },
	{ .name = "mtu",
	  .uses = USE_SPEC,
	  .metavar = "BYTES",
	  .type = OPTION_COUNT,
	  .offset = offsetof(struct provision_args, line.mtu),
	  .help = "with --pf: the PF's MTU" },
	{ .name = "eswitch",
	  .uses = USE_SPEC,
	  .metavar = "MODE",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct provision_args, line.eswitch),
	  .help = "with --pf: legacy or switchdev" },
	{ .name = "dry-run",
	  .uses = USE_MAKE | USE_FILES,
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct provision_args, change.dry_run),
	  .help = "show what would be done, and change nothing" },
	{ .name = "recreate",
	  .uses = USE_MAKE | USE_BOOT | USE_CARRIER,
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct provision_args, change.recreate),
	  .help = "another count may take away the VFs that are there and make them anew; never "
		  "one that is in use" },
	{ .name = "allow-disruption",
	  .uses = USE_MAKE | USE_BOOT | USE_CARRIER,
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct provision_args, change.allow_disruption),
	  .help = "a PF that carries the default route, or is in a bond, may be interrupted" },
	{ .name = "skip-preflight",
	  .uses = USE_MAKE | USE_BOOT | USE_CARRIER,
	  .metavar = "ID",
	  .type = OPTION_LIST,
	  .offset = offsetof(struct provision_args, skip),
	  .help = "go on although this check fails; may be given again" },
	{ .name = "carrier-wait",
	  .uses = USE_MAKE,
	  .metavar = "SECONDS",
	  .type = OPTION_COUNT,
	  .offset = offsetof(struct provision_args, change.carrier_wait),
	  .help = "how long to wait for carrier, for settings that need it (60)" },
	{ .name = "timeout",
	  .uses = USE_MAKE | USE_RECOVER | USE_BOOT | USE_CARRIER,
	  .metavar = "SECONDS",
	  .type = OPTION_COUNT,
	  .offset = offsetof(struct provision_args, change.timeout),
	  .help = "how long the kernel may take for each step (60, and 4 more for each VF that is "
		  "made or removed)" },
	{ .name = "recover",
	  .uses = USE_RECOVER,
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct provision_args, recover),
	  .help = "only deal with what an earlier run left that was killed" },
	{ .name = "persist",
	  .uses = USE_MAKE | USE_FILES,
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct provision_args, keep.persist),
	  .help = "and have it so after each boot: keeps the spec in /etc/sriovctl, and enables "
		  "what carries it out" },
	{ .name = "root",
	  .uses = USE_SPEC,
	  .metavar = "DIR",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct provision_args, keep.root),
	  .help = "with --persist: only install files, below DIR, for the boots of what is there; "
		  "no hardware is looked at; with --kernel-args: the system below DIR, and not "
		  "this "
		  "one; no generator is run" },
	{ .name = "replace",
	  .uses = USE_MAKE | USE_FILES,
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct provision_args, keep.replace),
	  .help = "with --persist: overwrite files that were edited, and accept other cards than "
		  "those of earlier boots" },
	{ .name = "boot",
	  .uses = USE_BOOT | USE_CARRIER,
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct provision_args, boot),
	  .help = "carry out what --persist has kept, as the units do: wait for each function, and "
		  "let none fail for another; with --pf: this function alone, without waiting" },
	{ .name = "wait",
	  .uses = USE_BOOT,
	  .metavar = "SECONDS",
	  .type = OPTION_COUNT,
	  .offset = offsetof(struct provision_args, wait),
	  .help = "with --boot: how long to wait for functions and their drivers (60)" },
	{ .name = "await-carrier",
	  .uses = USE_CARRIER,
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct provision_args, await_carrier),
	  .help = "with --boot: only set what waits for carrier, as that comes" },
	{ .name = "kernel-args",
	  .uses = USE_KERNEL,
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct provision_args, kernel_args),
	  .help = "show how the kernel command line has to be edited, for the checks that fail, in "
		  "this distribution's own files; makes no VFs" },
	{ .name = "apply",
	  .uses = USE_KERNEL,
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct provision_args, kernel.apply),
	  .help = "with --kernel-args: make the edit, keep what was as FILE" KARGS_APPLY_BACKUP
		  ", and see that the next boot has it; never reboots" },
	{ .name = "add-arg",
	  .uses = USE_KERNEL,
	  .metavar = "WORD",
	  .type = OPTION_LIST,
	  .offset = offsetof(struct provision_args, kernel.words.add),
	  .help = "with --kernel-args: this word is wanted, whatever the checks say; may be given "
		  "again" },
	{ .name = "remove-arg",
	  .uses = USE_KERNEL,
	  .metavar = "WORD",
	  .type = OPTION_LIST,
	  .offset = offsetof(struct provision_args, kernel.words.remove),
	  .help = "with --kernel-args: this word has to go, whatever the checks say; may be given "
		  "again" },
	{ .name = "output",
	  .metavar = "FORMAT",
	  .type = OPTION_CHOICE,
	  .choices = render_names,
	  .offset = offsetof(struct provision_args, change.output),
	  .help = "how to print the plan and what came of it" },
};

static const char *const examples[] = {
	"sriovctl provision --pf ens2f0 --vfs 8 --mac derive --driver vfio-pci",
	"sriovctl provision -f /etc/sriovctl/spec.json --dry-run",
	"sriovctl provision -f spec.json --persist",
	"sriovctl provision -f spec.json --persist --root /mnt/sysimage",
	"sriovctl list --spec > spec.json",
	"sriovctl provision --kernel-args --apply",
	NULL,
};

static const char *const exits[] = {
	"0  the host is as wanted, or was already",
	"1  it failed and what was done was undone; a check failed; a setting waits for carrier",
	"2  a wrong option or spec; nothing was changed",
	"3  the state of the host could not be read; nothing was changed",
	"4  refused: a VF is in use, or an option would allow it; nothing was changed",
	"5  between two states: the journal is kept, see --recover",
	NULL,
};

/* The first that was given of those that say what is wanted of --pf; NULL: none. */
static const char *line_option(const struct spec_line *l)
{
	return l->vfs	     ? "--vfs"
	       : l->mac	     ? "--mac"
	       : l->queues   ? "--queues"
	       : l->driver   ? "--driver"
	       : l->vlan     ? "--vlan"
	       : l->trust    ? "--trust"
	       : l->spoofchk ? "--spoofchk"
	       : l->mtu	     ? "--mtu"
	       : l->eswitch  ? "--eswitch"
			     : NULL;
}

static int read_spec(const struct provision_args *args, struct spec **ret, struct error *e)
{
	const char *other = line_option(&args->line);

	if (args->file && args->line.pf)
		return error_set(e, -EINVAL, "--file and --pf exclude each other");
	if (args->file && other)
		return error_set(e, -EINVAL, "the spec says what is wanted: leave out %s", other);
	if (!args->file && !args->line.pf)
		return error_set(e, -EINVAL,
				 "what is wanted? give --file=FILE, or --pf=PF and --vfs=N");
	return args->file ? specfile_read(args->file, ret, e) : spec_from_line(&args->line, ret, e);
}

static int boot(const struct provision_args *args, struct error *e)
{
	const struct boot_options o = {
		.only = args->line.pf,
		.skip = &args->skip,
		.wait = args->wait ? args->wait : BOOT_WAIT,
		.change = args->change,
	};

	return args->await_carrier ? boot_await_carrier(&o, e) : boot_provision(&o, e);
}

static int exit_of_input(int r)
{
	return r == -ENOMEM ? EXIT_NOT_READY : EXIT_USAGE;
}

static int provision_spec(struct provision_args *args, struct error *e)
{
	AUTO_SPEC struct spec *spec = NULL;
	AUTO_KEEP struct keep keep = { 0 };
	struct wish w = { .skip = &args->skip };
	struct change_wish wish = wish_change(&w);
	int code = EXIT_READY, r = read_spec(args, &spec, e);

	if (r < 0)
		return change_fail(&args->change, exit_of_input(r), e);
	w.spec = spec;
	if (args->keep.persist)
		code = keep_begin(&args->keep, spec_text(spec), &keep, e);
	if (code != EXIT_READY)
		return change_fail(&args->change, code, e);
	if (args->keep.root)
		return keep_offline(&keep, &args->change, e);
	wish.keep = args->keep.persist ? &keep : NULL;
	if (args->change.carrier_wait == 0)
		args->change.carrier_wait = CARRIER_WAIT;
	return change_host(&wish, &args->change, e);
}

static int read_spec_of_kernel(const struct provision_args *args, struct spec **ret,
			       struct error *e)
{
	const struct kargs *words = &args->kernel.words;
	const char *option = args->file ? "--file" : args->line.pf ? "--pf" : NULL;

	if (!option)
		option = line_option(&args->line);
	if (!option)
		return 0;
	if (words->add.n + words->remove.n > 0)
		return error_set(e, -EINVAL, "--%s-arg says what is wanted: leave out %s",
				 words->add.n > 0 ? "add" : "remove", option);
	return read_spec(args, ret, e);
}

static int edit_kernel_args(struct provision_args *args, struct error *e)
{
	AUTO_SPEC struct spec *spec = NULL;
	int r = read_spec_of_kernel(args, &spec, e);

	args->kernel.spec = spec;
	args->kernel.root = args->keep.root;
	args->kernel.output = args->change.output;
	return r < 0 ? kernel_args_fail(&args->kernel, exit_of_input(r), e)
		     : kernel_args(&args->kernel, e);
}

static enum use use_of(const struct provision_args *args)
{
	if (args->kernel_args)
		return USE_KERNEL;
	if (args->recover)
		return USE_RECOVER;
	if (args->boot)
		return args->await_carrier ? USE_CARRIER : USE_BOOT;
	return args->keep.persist && args->keep.root ? USE_FILES : USE_MAKE;
}

static int refuse_other(enum use use, const struct option_def *o, struct error *e)
{
	const char *what = use == USE_KERNEL	? "--kernel-args makes no VFs"
			   : use == USE_RECOVER ? "--recover is about an earlier run"
			   : use == USE_BOOT	? "--boot is about what --persist has kept"
			   : use == USE_CARRIER ? "--await-carrier is about all that waits for it"
			   : use == USE_FILES	? "--root is about files, and touches no hardware"
						: NULL;

	if (what)
		return error_set(e, -EINVAL, "%s: leave out --%s", what, o->name);
	return error_set(e, -EINVAL, "--%s goes with --%s only", o->name,
			 o->uses & USE_KERNEL ? "kernel-args" : "boot");
}

static int require(const struct provision_args *args, struct error *e)
{
	const enum use use = use_of(args);
	const struct option_def *other = options_find_other(&cmd_provision, args, use);
	struct bdf at;

	if (other)
		return refuse_other(use, other, e);
	if (use == USE_BOOT && args->line.pf && parse_bdf(args->line.pf, &at) < 0)
		return error_set(e, -EINVAL,
				 "with --boot, --pf is an address like \"0000:3b:00.0\"");
	if ((use == USE_BOOT || use == USE_CARRIER) && strcmp(args->change.output, "text") != 0)
		return error_set(e, -EINVAL,
				 "--boot tells of one function after the other, as text: leave out "
				 "--output");
	if (use == USE_MAKE && keep_require(&args->keep, e) < 0)
		return -EINVAL;
	return spec_ask_require_ids("--skip-preflight", &args->skip, e);
}

/* The exit code. */
static int provision(struct provision_args *args, struct error *e)
{
	int r = require(args, e);

	if (r < 0 && args->kernel_args) {
		args->kernel.output = args->change.output;
		return kernel_args_fail(&args->kernel, exit_of_input(r), e);
	}
	if (r < 0)
		return change_fail(&args->change, exit_of_input(r), e);
	if (args->kernel_args)
		return edit_kernel_args(args, e);
	if (args->recover)
		return change_recover(&args->change, e);
	return args->boot ? boot(args, e) : provision_spec(args, e);
}

static int run_provision(int argc, char **argv)
{
	struct provision_args args = { .change = { .output = "text" } };
	struct error e = { 0 };
	bool help;
	int code = EXIT_USAGE;

	if (options_parse(&cmd_provision, argc, argv, &args, &help, &e) == 0) {
		if (help)
			help_command(&cmd_provision, stdout);
		code = help ? EXIT_READY : provision(&args, &e);
	}
	if (e.code < 0)
		complain("%s", e.text);
	strv_done(&args.skip);
	kargs_done(&args.kernel.words);
	return code;
}

const struct command cmd_provision = {
	.name = "provision",
	.summary = "make VFs and set them as a spec says, or leave all as it was",
	.description =
		"Looks at the functions that the spec names, plans what leads from what is to what "
		"is wanted, and carries it out step by step: each is written down before, and read "
		"back after. What fails is undone. Run again it finds nothing to do.\n"
		"A VF that somebody uses is never taken away.",
	.options = options,
	.n_options = ARRAY_SIZE(options),
	.examples = examples,
	.exits = exits,
	.run = run_provision,
};
