/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot_part.h"
#include "change.h"
#include "command.h"
#include "complain.h"
#include "help.h"
#include "keep.h"
#include "options.h"
#include "render/render.h"
#include "spec_ask.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/inventory.h>
#include <sriovctl/pfstate.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct deprovision_args {
	struct strv words;
	bool all;
	struct change_options change;
	struct keep_options keep;
};

enum use {
	USE_LIVE = 1 << 0,
	USE_FILES = 1 << 1, /* of another root's boots */
};

static const struct option_def options[] = {
	{ .name = "all",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct deprovision_args, all),
	  .help = "all functions that have VFs" },
	{ .name = "persist",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct deprovision_args, keep.persist),
	  .help = "the functions that provision --persist has kept, and keep them no more" },
	{ .name = "root",
	  .metavar = "DIR",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct deprovision_args, keep.root),
	  .help = "with --persist: only remove files, below DIR" },
	{ .name = "replace",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct deprovision_args, keep.replace),
	  .help = "with --persist: remove files that were edited, too" },
	{ .name = "dry-run",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct deprovision_args, change.dry_run),
	  .help = "show what would be done, and change nothing" },
	{ .name = "allow-disruption",
	  .uses = USE_LIVE,
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct deprovision_args, change.allow_disruption),
	  .help = "a PF that carries the default route, or is in a bond, may be interrupted" },
	{ .name = "timeout",
	  .uses = USE_LIVE,
	  .metavar = "SECONDS",
	  .type = OPTION_COUNT,
	  .offset = offsetof(struct deprovision_args, change.timeout),
	  .help = "how long the kernel may take for each step (60, and 4 more for each VF that is "
		  "made or removed)" },
	{ .name = "output",
	  .metavar = "FORMAT",
	  .type = OPTION_CHOICE,
	  .choices = render_names,
	  .offset = offsetof(struct deprovision_args, change.output),
	  .help = "how to print the plan and what came of it" },
};

static const char *const examples[] = {
	"sriovctl deprovision ens2f0",
	"sriovctl deprovision --all --dry-run",
	"sriovctl deprovision --persist",
	NULL,
};

static const char *const exits[] = {
	"0  the VFs are gone, or there were none",
	"1  it failed, and what was done was undone",
	"2  a wrong option, or a PF that is not there; nothing was changed",
	"3  the state of the host could not be read; nothing was changed",
	"4  refused: a VF is in use; nothing was changed",
	"5  between two states: the journal is kept, see sriovctl provision --recover",
	NULL,
};

/* All that have VFs, and those of which that cannot be told: what comes of them is said. */
static bool may_have_vfs(const struct inventory_pf *pf)
{
	return pf->n_vfs > 0 || pf->facts[INVENTORY_PF_NOW].error < 0;
}

/* Those that are there of what is kept: the others have no VFs. */
static int match_kept(const struct host *h, struct strv *ret_functions, struct error *e)
{
	AUTO_BOOT_PARTS struct boot_parts v = { 0 };
	int r = boot_parts_read(&v, e);

	for (size_t i = 0; r == 0 && i < v.n; i++) {
		AUTO_BUF struct buf bdf = { 0 };

		if (boot_part_find(&v.items[i], h, &bdf, e) == -ENOMEM)
			return -ENOMEM;
		if (bdf.len > 0 && !strv_has(ret_functions, buf_text(&bdf)) &&
		    strv_add(ret_functions, buf_text(&bdf)) < 0)
			r = error_nomem(e);
	}
	if (r == -ENOENT || r == 0)
		*e = (struct error){ 0 };
	return r == -ENOENT ? 0 : r;
}

/* By address; all of them where none is named. */
static int match(void *ctx, const struct host *h, struct strv *ret_functions, struct error *e)
{
	const struct deprovision_args *args = ctx;
	AUTO_INVENTORY struct inventory v = { 0 };
	int r;

	if (args->keep.persist && !args->all)
		return match_kept(h, ret_functions, e);
	if (!args->all)
		return spec_ask_select(h, &args->words, ret_functions, e);
	r = inventory_read(h, ret_functions, &v, e);
	for (size_t i = 0; r == 0 && i < v.n; i++)
		if (may_have_vfs(&v.pfs[i]))
			r = strv_add(ret_functions, v.pfs[i].facts[INVENTORY_PF_BDF].text);
	return r == -ENOMEM ? error_nomem(e) : r;
}

static int want(void *ctx, const struct host *h, const struct pfstates *is, struct pfstates *ret,
		struct strv *ret_notes, struct error *e)
{
	(void)ctx;
	(void)h;
	(void)ret_notes;
	ret->items = calloc(is->n + 1, sizeof(*ret->items));
	if (!ret->items)
		return error_nomem(e);
	for (; ret->n < is->n; ret->n++) {
		struct pfstate *p = &ret->items[ret->n];

		p->bdf = strdup(is->items[ret->n].bdf);
		p->set[SETTING_VFS] = setting_number(0);
		if (!p->bdf)
			return error_nomem(e);
	}
	return 0;
}

static int require(const struct deprovision_args *args, struct error *e)
{
	const bool named = args->words.n > 0;
	const struct option_def *other =
		options_find_other(&cmd_deprovision, args, args->keep.root ? USE_FILES : USE_LIVE);

	if (named && args->keep.persist)
		return error_set(
			e, -EINVAL,
			"--persist is about all functions that are kept: leave out \"%s\"; "
			"to keep others, provision --persist a spec of those",
			args->words.items[0]);
	if (named && args->all)
		return error_set(e, -EINVAL, "--all and \"%s\" exclude each other",
				 args->words.items[0]);
	if (args->all && args->keep.root)
		return error_set(e, -EINVAL, "--all and --root exclude each other");
	if (args->keep.persist && other)
		return error_set(e, -EINVAL,
				 "--root is about files, and touches no hardware: leave out --%s",
				 other->name);
	if (!named && !args->all && !args->keep.persist)
		return error_set(e, -EINVAL, "of what? name functions, or give --all or --persist");
	return keep_require(&args->keep, e);
}

/* The exit code. */
static int deprovision(struct deprovision_args *args, struct error *e)
{
	AUTO_KEEP struct keep keep = { 0 };
	struct change_wish wish = { .match = match, .want = want, .ctx = args };
	int code = EXIT_READY;

	if (require(args, e) < 0)
		return change_fail(&args->change, EXIT_USAGE, e);
	if (args->keep.persist)
		code = keep_begin(&args->keep, NULL, &keep, e);
	if (code != EXIT_READY)
		return change_fail(&args->change, code, e);
	if (args->keep.root)
		return keep_offline(&keep, &args->change, e);
	/* To take them away is what was asked for. */
	args->change.recreate = true;
	wish.keep = args->keep.persist ? &keep : NULL;
	return change_host(&wish, &args->change, e);
}

static int run_deprovision(int argc, char **argv)
{
	struct deprovision_args args = { .change = { .output = "text" } };
	struct error e = { 0 };
	bool help;
	int code = EXIT_USAGE;

	if (options_parse(&cmd_deprovision, argc, argv, &args, &help, &e) == 0) {
		if (help)
			help_command(&cmd_deprovision, stdout);
		code = help ? EXIT_READY : deprovision(&args, &e);
	}
	if (e.code < 0)
		complain("%s", e.text);
	strv_done(&args.words);
	return code;
}

const struct command cmd_deprovision = {
	.name = "deprovision",
	.summary = "take VFs away, but none that is in use",
	.description = "Removes the VFs of the functions that are named, under the same guards as "
		       "provision, and undoes what it did where that fails.",
	.options = options,
	.n_options = ARRAY_SIZE(options),
	.args = "[PF...]",
	.args_help = "the functions, each by its PCI address or its network interface",
	.args_offset = offsetof(struct deprovision_args, words),
	.examples = examples,
	.exits = exits,
	.run = run_deprovision,
};
