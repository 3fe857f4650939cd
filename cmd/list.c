/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command.h"
#include "complain.h"
#include "help.h"
#include "options.h"
#include "render/render.h"
#include "spec_ask.h"

#include <config.h>
#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/inventory.h>
#include <sriovctl/kernel.h>
#include <sriovctl/pfstate.h>
#include <sriovctl/spec.h>
#include <sriovctl/strv.h>
#include <sriovctl/table.h>

#include <errno.h>
#include <stdio.h>

struct list_args {
	const char *root, *output;
	bool spec;
	struct strv pfs;
};

static const struct option_def options[] = {
	{ .name = "root",
	  .metavar = "ROOT",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct list_args, root),
	  .help = "list what a capture shows, or the /sys that was copied below a folder, instead "
		  "of this host" },
	{ .name = "output",
	  .metavar = "FORMAT",
	  .type = OPTION_CHOICE,
	  .choices = render_names,
	  .offset = offsetof(struct list_args, output),
	  .help = "how to print the list" },
	{ .name = "spec",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct list_args, spec),
	  .help = "print the spec that asks for just what is there, as check -f reads it" },
};

static const char *const examples[] = {
	"sriovctl list",
	"sriovctl list ens1f0 0000:3b:00.1",
	"sriovctl list --spec ens1f0 > /etc/sriovctl.json",
	"sriovctl list --output=json | jq -r '.pfs[] | select(.vfs.now > 0).bdf'",
	NULL,
};

static const char *const exits[] = {
	"0  listed, also where there is nothing to be listed",
	"1  the list could not be written",
	"2  a wrong option, a root that is no host's tree, or a PF that is not there",
	"3  the PCI functions could not be read",
	NULL,
};

enum { HEAD_ROOT, HEAD_KERNEL, HEAD_COLUMNS };

static const struct table_column head_columns[HEAD_COLUMNS] = {
	[HEAD_ROOT] = { .key = "host.root" },
	[HEAD_KERNEL] = { .key = "host.kernel" },
};

static const struct table_column pf_columns[INVENTORY_PF_FACTS] = {
	[INVENTORY_PF_BDF] = { .key = "bdf", .header = "FUNCTION" },
	[INVENTORY_PF_NAME] = { .key = "name", .header = "NETDEV" },
	[INVENTORY_PF_DRIVER] = { .key = "driver", .header = "DRIVER" },
	[INVENTORY_PF_FIRMWARE] = { .key = "firmware", .header = "FIRMWARE", .folds = true },
	[INVENTORY_PF_NODE] = { .key = "numa",
				.header = "NUMA",
				.type = TABLE_INT,
				.align = TABLE_RIGHT },
	[INVENTORY_PF_SPEED] = { .key = "link.speed",
				 .header = "GT/S",
				 .unit = "GT/s",
				 .align = TABLE_RIGHT },
	[INVENTORY_PF_MAX_SPEED] = { .key = "link.max_speed", .unit = "GT/s" },
	[INVENTORY_PF_WIDTH] = { .key = "link.width",
				 .header = "LANES",
				 .type = TABLE_INT,
				 .align = TABLE_RIGHT },
	[INVENTORY_PF_MAX_WIDTH] = { .key = "link.max_width", .type = TABLE_INT },
	[INVENTORY_PF_GROUP] = { .key = "group", .header = "GROUP", .align = TABLE_RIGHT },
	[INVENTORY_PF_NOW] = { .key = "vfs.now",
			       .header = "VFS",
			       .type = TABLE_INT,
			       .align = TABLE_RIGHT },
	[INVENTORY_PF_MAX] = { .key = "vfs.max", .type = TABLE_INT },
	[INVENTORY_PF_USERS] = { .key = "users", .header = "USERS", .folds = true },
};

static const struct table_column vf_columns[INVENTORY_VF_FACTS] = {
	[INVENTORY_VF_BDF] = { .key = "bdf", .header = "FUNCTION" },
	[INVENTORY_VF_INDEX] = { .key = "index",
				 .header = "VF",
				 .type = TABLE_INT,
				 .align = TABLE_RIGHT },
	[INVENTORY_VF_NAME] = { .key = "name", .header = "NETDEV" },
	[INVENTORY_VF_DRIVER] = { .key = "driver", .header = "DRIVER" },
	[INVENTORY_VF_MAC] = { .key = "mac", .header = "MAC" },
	[INVENTORY_VF_VLAN] = { .key = "vlan",
				.header = "VLAN",
				.type = TABLE_INT,
				.align = TABLE_RIGHT },
	[INVENTORY_VF_SPOOFCHK] = { .key = "spoofchk",
				    .header = "SPOOF",
				    .type = TABLE_SWITCH,
				    .folds = true },
	[INVENTORY_VF_TRUST] = { .key = "trust",
				 .header = "TRUST",
				 .type = TABLE_SWITCH,
				 .folds = true },
	[INVENTORY_VF_STATE] = { .key = "link_state", .header = "LINK", .folds = true },
	[INVENTORY_VF_GROUP] = { .key = "group", .header = "GROUP", .align = TABLE_RIGHT },
	[INVENTORY_VF_USERS] = { .key = "in_use", .header = "IN USE", .folds = true },
};

static void set_cell(struct table_row *row, const struct table_column *columns, size_t i,
		     const struct inventory_fact *f)
{
	if (f->error == INVENTORY_ELSEWHERE)
		table_set_unknown(row, i, "(netns)", f->text);
	else if (f->error < 0 && f->error != -ENOENT)
		table_set_unknown(row, i, NULL, f->text);
	else if (f->error == -ENOENT)
		table_set_text(row, i, NULL);
	else if (columns[i].type == TABLE_TEXT)
		table_set_text(row, i, f->text);
	else
		table_set_int(row, i, f->number);
}

static void add_vfs(struct table_row *row, const struct inventory_pf *pf)
{
	const struct table like = { .key = "vf",
				    .columns = vf_columns,
				    .n_columns = INVENTORY_VF_FACTS };
	const struct inventory_fact *name = &pf->facts[INVENTORY_PF_NAME];
	AUTO_BUF struct buf title = { 0 };
	struct table *t;

	buf_printf(&title, "VFs of %s", pf->facts[INVENTORY_PF_BDF].text);
	if (name->error == 0)
		buf_printf(&title, " (%s)", name->text);
	buf_puts(&title, ":");
	t = table_add_sub(row, &like, buf_text(&title));
	for (size_t i = 0; i < pf->n_vfs; i++) {
		struct table_row *vf = table_add(t);

		for (size_t k = 0; k < INVENTORY_VF_FACTS; k++)
			set_cell(vf, vf_columns, k, &pf->vfs[i].facts[k]);
	}
}

static void fill(const struct host *h, const struct inventory *v, struct table *ret)
{
	struct table_row *head = table_add_head(ret, head_columns, HEAD_COLUMNS);
	const struct kernel *k = NULL;
	struct error e = { 0 };

	table_set_text(head, HEAD_ROOT, host_root(h));
	if (kernel_get(h, &k, &e) == 0)
		table_set_text(head, HEAD_KERNEL, k->release);
	else
		table_set_unknown(head, HEAD_KERNEL, NULL, e.text);
	for (size_t i = 0; i < v->n; i++) {
		struct table_row *row = table_add(ret);

		for (size_t n = 0; n < INVENTORY_PF_FACTS; n++)
			set_cell(row, pf_columns, n, &v->pfs[i].facts[n]);
		add_vfs(row, &v->pfs[i]);
	}
}

static int print(const struct host *h, const struct inventory *v, const char *output,
		 struct error *e)
{
	AUTO_TABLE struct table t = {
		.key = "pfs",
		.empty = "No PCI function that can have VFs was found.",
		.columns = pf_columns,
		.n_columns = INVENTORY_PF_FACTS,
	};
	const struct render_style style = { .tool_version = VERSION };

	fill(h, v, &t);
	if (table_error(&t) < 0)
		return error_nomem(e);
	return render_find(output)->table(&t, &style, stdout, e);
}

static bool is_unknown(const struct pfstate *p, enum setting s)
{
	if (!setting_is_of_vf(s))
		return p->set[s].state == SETTING_UNKNOWN;
	for (size_t i = 0; i < p->n_vfs; i++)
		if (p->vfs[i].set[s].state == SETTING_UNKNOWN)
			return true;
	return false;
}

/* The spec does not ask for what could not be read: that must not look like its absence. */
static void tell_unknown(const struct pfstate *p)
{
	AUTO_BUF struct buf names = { 0 };

	for (enum setting s = 0; s < SETTING_END; s++)
		if (s != SETTING_AUTOPROBE && s != SETTING_UP && is_unknown(p, s))
			buf_printf(&names, "%s%s", names.len ? ", " : "", setting_name(s));
	if (names.len > 0)
		complain("%s: not known, and not in the spec: %s", p->bdf, buf_text(&names));
}

/* Those that are named, or all that are listed. */
static int spec_functions(const struct host *h, const struct strv *words, struct strv *ret,
			  struct error *e)
{
	AUTO_INVENTORY struct inventory v = { 0 };
	int r;

	if (words->n > 0)
		return spec_ask_select(h, words, ret, e);
	r = inventory_read(h, ret, &v, e);
	if (r < 0)
		return r;
	for (size_t i = 0; r == 0 && i < v.n; i++)
		r = strv_add(ret, v.pfs[i].facts[INVENTORY_PF_BDF].text);
	return r < 0 ? error_nomem(e) : 0;
}

/* What is there as a spec. */
static int print_spec(const struct host *h, const struct strv *words, struct error *e)
{
	AUTO_PFSTATES struct pfstates is = { 0 };
	AUTO_STRV struct strv bdfs = { 0 };
	AUTO_BUF struct buf text = { 0 };
	int r = spec_functions(h, words, &bdfs, e);

	if (r == 0)
		r = pfstates_read(h, &bdfs, &is, e);
	if (r == 0)
		r = spec_print(&is, &text, e);
	if (r < 0)
		return r;
	(void)fputs(buf_text(&text), stdout);
	for (size_t i = 0; i < is.n; i++)
		tell_unknown(&is.items[i]);
	return 0;
}

static int error_code(int r)
{
	if (r == 0)
		return EXIT_READY;
	return r == -EINVAL ? EXIT_USAGE : r == -ENOMEM ? EXIT_NOT_READY : EXIT_UNKNOWN;
}

/* The exit code. */
static int list(const struct list_args *args, struct error *e)
{
	AUTO_HOST struct host *h = NULL;
	AUTO_STRV struct strv bdfs = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };
	int r;

	if (host_open(args->root, &h, e) < 0)
		return EXIT_USAGE;
	if (args->spec)
		return error_code(print_spec(h, &args->pfs, e));
	r = inventory_select(h, &args->pfs, &bdfs, e);
	if (r == 0)
		r = inventory_read(h, &bdfs, &v, e);
	if (r < 0)
		return error_code(r);
	return print(h, &v, args->output, e) < 0 ? EXIT_NOT_READY : EXIT_READY;
}

static int run_list(int argc, char **argv)
{
	struct list_args args = { .root = "/", .output = "text" };
	struct error e = { 0 };
	bool help;
	int code = EXIT_USAGE;

	if (options_parse(&cmd_list, argc, argv, &args, &help, &e) == 0) {
		if (help)
			help_command(&cmd_list, stdout);
		code = help ? EXIT_READY : list(&args, &e);
	}
	if (e.code < 0)
		complain("%s", e.text);
	strv_done(&args.pfs);
	return code;
}

const struct command cmd_list = {
	.name = "list",
	.summary = "show the functions that can have VFs, and their VFs",
	.description =
		"Shows each physical function with its network interface, driver, firmware, NUMA "
		"node, PCI Express link (now/at most), IOMMU group and VFs (now/at most), and each "
		"VF with what its PF has set for it and who uses it. Changes nothing.\n"
		"\"-\" is nothing, \"?\" is not known, and the reason stands below. Firmware and "
		"what a PF has set are known of a running host or its capture, and of interfaces "
		"in that network namespace; who uses a function to root only, outside of "
		"containers.",
	.options = options,
	.n_options = ARRAY_SIZE(options),
	.args = "[PF...]",
	.args_help = "these alone: a PCI address or a network interface each",
	.args_offset = offsetof(struct list_args, pfs),
	.examples = examples,
	.exits = exits,
	.run = run_list,
};
