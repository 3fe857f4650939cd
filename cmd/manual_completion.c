/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "manual.h"

#include "command.h"
#include "options.h"

#include <sriovctl/check.h>
#include <sriovctl/explain.h>

#include <string.h>

/* What a value is made of, told by the name that --help gives it. */
static const struct {
	const char *metavar, *words; /* in bash */
	bool is_list;		     /* an ID may also be that of a VLAN */
} values[] = {
	{ .metavar = "FILE", .words = "files=-f" },
	{ .metavar = "SPEC", .words = "files=-f" },
	{ .metavar = "FILE", .words = "files=-f", .is_list = true },
	{ .metavar = "ROOT", .words = "files=-f" },
	{ .metavar = "PROFILE", .words = "files=-f words='sriov vfio'" },
	{ .metavar = "DIR", .words = "files=-d" },
	{ .metavar = "ID", .words = "words=$ids", .is_list = true },
	{ .metavar = "PF", .words = "words=$(_sriovctl_functions)" },
	{ .metavar = "on|off", .words = "words='on off'" },
	{ .metavar = "ID=LEVEL", .words = "words=$ids", .is_list = true },
	{ .metavar = "MODE", .words = "words='legacy switchdev'" },
	{ .metavar = "POLICY", .words = "words='derive keep none'" },
	{ .metavar = "NAME", .words = "words='vfio-pci none default'" },
};

/* And the words that are no options, by what --help calls them. */
static const struct {
	const char *args, *words;
	bool are_files;
} arguments[] = {
	{ .args = "[PF...]", .words = "$(_sriovctl_functions) " },
	{ .args = "[ID...]", .words = "$ids $topics " },
	{ .args = "PATH...", .words = "", .are_files = true },
	{ .args = "show [PF|DRIVER] | lint FILE",
	  .words = "$(_sriovctl_functions) ",
	  .are_files = true },
};

static void put_value(FILE *out, const struct command *c, const struct option_def *o)
{
	const char *words = "words=''";

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (strcmp(o->metavar, values[i].metavar) == 0 &&
		    values[i].is_list == (o->type == OPTION_LIST))
			words = values[i].words;
	(void)fprintf(out, "\t\"%s --%s\"", c->name, o->name);
	if (o->letter)
		(void)fprintf(out, " | \"%s -%c\"", c->name, o->letter);
	(void)fprintf(out, ") %s", o->choices ? "words='" : words);
	for (size_t i = 0; o->choices && o->choices[i]; i++)
		(void)fprintf(out, "%s%s", i ? " " : "", o->choices[i]);
	(void)fputs(o->choices ? "' ;;\n" : " ;;\n", out);
}

/* With "=" behind those that take a value, after which no blank is put. */
static void put_names(FILE *out, const struct command *c)
{
	const char *words = "";
	bool are_files = false;

	for (size_t i = 0; c->args && i < ARRAY_SIZE(arguments); i++) {
		if (strcmp(arguments[i].args, c->args) != 0)
			continue;
		words = arguments[i].words;
		are_files = arguments[i].are_files;
	}
	(void)fprintf(out, "\t\"%s \"*) %swords=\"%s", c->name, are_files ? "files=-f " : "",
		      words);
	if (c->verbs)
		(void)fprintf(out, "%s ", c->verbs);
	for (size_t i = 0; i < c->n_options; i++)
		(void)fprintf(out, "--%s%s ", c->options[i].name, c->options[i].metavar ? "=" : "");
	(void)fputs("--help\" ;;\n", out);
}

static void put_ids(FILE *out)
{
	(void)fputs("\tlocal ids=\"", out);
	for (size_t i = 0; check_at(i); i++)
		(void)fprintf(out, "%s%s", i ? " " : "", check_at(i)->id);
	(void)fputs("\"\n", out);
}

static void put_topics(FILE *out)
{
	AUTO_EXPLAIN struct explain x = { 0 };

	if (explain_read(&x, NULL) < 0)
		x.n_topics = 0;
	(void)fputs("\tlocal topics=\"", out);
	for (size_t i = 0; i < x.n_topics; i++)
		(void)fprintf(out, "%s%s", i ? " " : "", x.topics[i].name);
	(void)fputs("\"\n", out);
}

static const char begin[] = "# shellcheck shell=bash\n"
			    "# Made from the tables of the program, by sriovctl --completion.\n\n"
			    "_sriovctl_functions() {\n"
			    "\tlocal path\n"
			    "\tfor path in /sys/bus/pci/devices/*/sriov_totalvfs; do\n"
			    "\t\tpath=${path%/sriov_totalvfs}\n"
			    "\t\techo \"${path##*/}\"\n"
			    "\t\t[[ ! -d $path/net ]] || ls \"$path/net\"\n"
			    "\tdone 2>/dev/null\n"
			    "}\n\n"
			    "_sriovctl() {\n";

static const char head[] =
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}\n"
	"\tlocal words='' files='' list word\n"
	"\t# Bash parts a word at \"=\", and at the colons of an address.\n"
	"\t! declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref -n : cur\n"
	"\tif [[ $cur == = ]]; then\n"
	"\t\tcur=\n"
	"\telif [[ $option == = ]]; then\n"
	"\t\toption=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\tfi\n"
	"\t[[ $COMP_CWORD -gt 1 && $option == -* ]] || option=\n"
	"\tcase \"${COMP_WORDS[1]} $option\" in\n";

/* Not by compgen -W, which would carry out what a name of a file says. */
static const char tail[] =
	"\tCOMPREPLY=()\n"
	"\tif [[ -n $files ]]; then\n"
	"\t\tcompopt -o filenames\n"
	"\t\tmapfile -t COMPREPLY < <(compgen \"$files\" -- \"$cur\")\n"
	"\tfi\n"
	"\tread -rd '' -a list <<<\"$words\"\n"
	"\tfor word in \"${list[@]}\"; do\n"
	"\t\t[[ $word != \"$cur\"* ]] || COMPREPLY+=(\"$word\")\n"
	"\tdone\n"
	"\t[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace\n"
	"\t! declare -F __ltrim_colon_completions >/dev/null || __ltrim_colon_completions "
	"\"$cur\"\n"
	"}\n\ncomplete -F _sriovctl sriovctl\n";

void manual_completion(const struct command *const *commands, size_t n, FILE *out)
{
	(void)fputs(begin, out);
	put_ids(out);
	put_topics(out);
	(void)fputs(head, out);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < commands[i]->n_options; k++)
			if (commands[i]->options[k].metavar)
				put_value(out, commands[i], &commands[i]->options[k]);
	for (size_t i = 0; i < n; i++)
		put_names(out, commands[i]);
	(void)fputs("\tesac\n\tif [[ $COMP_CWORD -eq 1 ]]; then\n\t\twords=\"", out);
	for (size_t i = 0; i < n; i++)
		(void)fprintf(out, "%s ", commands[i]->name);
	(void)fputs("--help --version\"\n\tfi\n", out);
	(void)fputs(tail, out);
}
