/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_gen FILE: the constant tables of <sriovctl/compat.h> that FILE makes, as C, on standard
 * output.  Run by the build; what the reader refuses ends it, so that no program has it inside.
 */
#include <sriovctl/buf.h>
#include <sriovctl/compat.h>
#include <sriovctl/error.h>

#include <stdio.h>
#include <stdlib.h>

/* The reader knows no other table here. */
const struct compat_table compat_built_in;

static int read_file(const char *path, struct buf *ret)
{
	FILE *in = fopen(path, "re");
	size_t n;

	if (!in)
		return -1;
	do {
		char *to = buf_reserve(ret, 65536);

		n = to ? fread(to, 1, 65536, in) : 0;
		ret->len += n;
	} while (n > 0);
	n = (size_t)ferror(in) + (size_t)fclose(in);
	if (n == 0 && ret->data)
		ret->data[ret->len] = '\0';
	return n || buf_error(ret) < 0 ? -1 : 0;
}

/* One literal a text: an octal escape takes no more than three digits. */
static void print_strings(const struct compat_table *t)
{
	(void)printf("static const char strings[] =\n\t\"");
	for (size_t i = 0; i < t->len; i++) {
		unsigned char c = (unsigned char)t->strings[i];

		if (c == '\0')
			(void)printf("\\000%s", i + 1 < t->len ? "\"\n\t\"" : "");
		else if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?')
			(void)printf("\\%03o", c);
		else
			(void)putchar(c);
	}
	(void)printf("\";\n\n");
}

/* Arrays of numbers alone are printed as the numbers that they are made of. */
static void print_families(const struct compat_table *t)
{
	(void)printf("static const struct compat_family families[] = {\n");
	for (size_t i = 0; i < t->n_families; i++) {
		const struct compat_family *f = &t->families[i];

		(void)printf("\t{ .id = %u, .name = %u, .driver = %u, .scheme = %u, .update = %u, "
			     ".pfs = %u, .line = %u },\n",
			     f->id, f->name, f->driver, f->scheme, f->update, f->pfs, f->line);
	}
	(void)printf("};\n\nstatic const struct compat_id ids[] = {\n");
	for (size_t i = 0; i < t->n_ids; i++) {
		const struct compat_id *id = &t->ids[i];

		(void)printf("\t{ .vendor = %u, .device = %u, .mask = %u, .family = %u },\n",
			     id->vendor, id->device, id->mask, id->family);
	}
	(void)printf("};\n\nstatic const struct compat_changelog changelogs[] = {\n");
	for (size_t i = 0; i < t->n_changelogs; i++)
		(void)printf("\t{ .branch = %u, .to = %u, .source = %u },\n",
			     t->changelogs[i].branch, t->changelogs[i].to, t->changelogs[i].source);
	(void)printf("};\n\n");
}

static void print_number(const char *name, uint32_t value)
{
	if (value)
		(void)printf(" .%s = %u,", name, value);
}

static void print_range(const char *name, const struct compat_range *r)
{
	if (r->from || r->to)
		(void)printf(" .%s = { .from = %u, .to = %u, .below = %u },", name, r->from, r->to,
			     r->below);
}

static void print_row(const struct compat_row *r)
{
	const struct {
		const char *name;
		uint32_t value;
	} numbers[] = {
		{ .name = "id", .value = r->id },
		{ .name = "source", .value = r->source },
		{ .name = "fault", .value = r->fault },
		{ .name = "fix", .value = r->fix },
		{ .name = "by", .value = r->by },
		{ .name = "families", .value = r->families },
		{ .name = "drivers", .value = r->drivers },
		{ .name = "pci", .value = r->pci },
		{ .name = "subsystem", .value = r->subsystem },
		{ .name = "vendor", .value = r->vendor },
		{ .name = "product", .value = r->product },
		{ .name = "distribution", .value = r->distribution },
		{ .name = "config", .value = r->config },
		{ .name = "config_off", .value = r->config_off },
		{ .name = "fixed_in", .value = r->fixed_in },
		{ .name = "mainline", .value = r->mainline },
		{ .name = "with", .value = r->with },
		{ .name = "ddp_os", .value = r->ddp_os },
		{ .name = "ddp_comms", .value = r->ddp_comms },
		{ .name = "ddp_wireless", .value = r->ddp_wireless },
		{ .name = "vfs", .value = r->vfs },
		{ .name = "judges", .value = r->judges },
		{ .name = "says", .value = r->says },
		{ .name = "sure", .value = r->sure },
		{ .name = "tree", .value = r->tree },
		{ .name = "weight", .value = r->weight },
	};

	(void)printf("\t{");
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		print_number(numbers[i].name, numbers[i].value);
	print_range("version", &r->version);
	print_range("driver", &r->driver);
	print_range("firmware", &r->firmware);
	(void)printf(" },\n");
}

static void print_table(const struct compat_table *t)
{
	(void)printf("/* SPDX-License-Identifier: GPL-2.0-or-later */\n"
		     "/* Made by data/compat_gen.c of data/compat.json. */\n"
		     "#include <sriovctl/compat.h>\n\n");
	print_strings(t);
	print_families(t);
	(void)printf("static const struct compat_row rows[] = {\n");
	for (size_t i = 0; i < t->n_rows; i++)
		print_row(&t->rows[i]);
	(void)printf("};\n\nstatic const struct compat_key keys[] = {\n");
	for (size_t i = 0; i < t->n_keys; i++)
		(void)printf("\t{ .name = %u, .row = %u },\n", t->keys[i].name, t->keys[i].row);
	(void)printf("};\n\nconst struct compat_table compat_built_in = {\n"
		     "\t.strings = strings,\n\t.len = sizeof(strings),\n"
		     "\t.families = families,\n\t.ids = ids,\n\t.rows = rows,\n\t.keys = keys,\n"
		     "\t.changelogs = changelogs,\n"
		     "\t.n_families = ARRAY_SIZE(families),\n\t.n_ids = ARRAY_SIZE(ids),\n"
		     "\t.n_rows = ARRAY_SIZE(rows),\n\t.n_keys = ARRAY_SIZE(keys),\n"
		     "\t.n_changelogs = ARRAY_SIZE(changelogs),\n};\n");
}

int main(int argc, char **argv)
{
	AUTO_COMPAT_TABLE struct compat_table *t = NULL;
	AUTO_BUF struct buf text = { 0 };
	struct error e = { 0 };

	if (argc != 2 || read_file(argv[1], &text) < 0) {
		(void)fprintf(stderr, "usage: compat_gen FILE, which has to be there\n");
		return EXIT_FAILURE;
	}
	if (compat_parse(buf_text(&text), text.len, argv[1], NULL, &t, &e) < 0) {
		(void)fprintf(stderr, "%s\n", e.text);
		return EXIT_FAILURE;
	}
	print_table(t);
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
