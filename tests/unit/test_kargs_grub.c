/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../../checks/facts/kargs_grub.h"

#include <sriovctl/error.h>
#include <sriovctl/kargs.h>

#include "test.h"

#include <errno.h>
#include <string.h>

#define FILES 3

/* One word is wanted, a=on, and one has to go, b=off. */
static void want(struct kargs *k)
{
	EXPECT(strv_add(&k->add, "a=on") == 0 && strv_add(&k->remove, "b=off") == 0);
}

struct row {
	const char *before[FILES], *after[FILES], *error;
};

static int edit(const struct row *r, struct kargs_grub_file *files, struct error *e)
{
	AUTO_KARGS struct kargs k = { 0 };
	size_t n = 0;

	want(&k);
	for (; n < FILES && r->before[n]; n++) {
		files[n].path =
			n ? (n == 1 ? strdup("/d/1.cfg") : strdup("/d/2.cfg")) : strdup("/g");
		buf_puts(&files[n].before, r->before[n]);
	}
	return kargs_grub_edit(files, n, &k, e);
}

static bool edits(const struct row *r)
{
	struct kargs_grub_file files[FILES] = { 0 };
	struct error e = { 0 };
	int code = edit(r, files, &e);
	bool good = r->error ? code == -ENOTSUP && strstr(e.text, r->error) : code == 0;

	for (size_t i = 0; i < FILES; i++) {
		const char *expected = r->after[i] ? r->after[i] : r->before[i];

		if (!r->error && r->before[i] && strcmp(buf_text(&files[i].after), expected) != 0) {
			printf("# became: %s\n", buf_text(&files[i].after));
			good = false;
		}
		free(files[i].path);
		buf_done(&files[i].before);
		buf_done(&files[i].after);
	}
	if (!good)
		printf("# %s: %d: %s\n", r->before[0], code, e.text);
	return good;
}

TEST(values_are_edited_where_they_stand)
{
	static const struct row rows[] = {
		{ .before = { "GRUB_CMDLINE_LINUX=\"\"\n" },
		  .after = { "GRUB_CMDLINE_LINUX=\"a=on\"\n" } },
		{ .before = { "GRUB_CMDLINE_LINUX=\n" },
		  .after = { "GRUB_CMDLINE_LINUX=\"a=on\"\n" } },
		{ .before = { "GRUB_CMDLINE_LINUX=quiet # why\n" },
		  .after = { "GRUB_CMDLINE_LINUX=\"quiet a=on\" # why\n" } },
		{ .before = { "export GRUB_CMDLINE_LINUX='q b=off'\nexport GRUB_CMDLINE_LINUX\n" },
		  .after = { "export GRUB_CMDLINE_LINUX='q a=on'\nexport GRUB_CMDLINE_LINUX\n" } },
		/* There is none, and the last line is not ended. */
		{ .before = { "X=1" }, .after = { "X=1\nGRUB_CMDLINE_LINUX=\"a=on\"\n" } },
		/* The second variable has it, and has what has to go. */
		{ .before = { "GRUB_CMDLINE_LINUX_DEFAULT=\"q a=on b=off\"\n" },
		  .after = { "GRUB_CMDLINE_LINUX_DEFAULT=\"q a=on\"\n" } },
		/* Lines that a backslash joins, one in the middle of a word, stay where nothing
		 * is to be changed. */
		{ .before = { "GRUB_CMDLINE_LINUX=\"q \\\n  b=o\\\nff r\"\n" },
		  .after = { "GRUB_CMDLINE_LINUX=\"q r a=on\"\n" } },
		{ .before = { "GRUB_CMDLINE_LINUX=\"q \\\n  a=on\"\n" } },
		/* Of others that begin alike, nothing. */
		{ .before = { "GRUB_CMDLINE_LINUX_RECOVERY=\"b=off\"\nGRUB_CMDLINE_LINUX=\"a="
			      "on\"" } },
		/* Commands, quotes over lines and comments in between. */
		{ .before = { "# GRUB_CMDLINE_LINUX=\"b=off\"\nD=`lsb_release -i || echo \"x`\n"
			      "E=\"$(sed 's, r .*$,,g' /etc/r)\"\nF='two\nlines'\n"
			      "if [ -n \"$GRUB_CMDLINE_LINUX\" ]; then\n  G=1\nfi\n"
			      "GRUB_CMDLINE_LINUX=\"x\"\n" },
		  .after = { "# GRUB_CMDLINE_LINUX=\"b=off\"\nD=`lsb_release -i || echo \"x`\n"
			     "E=\"$(sed 's, r .*$,,g' /etc/r)\"\nF='two\nlines'\n"
			     "if [ -n \"$GRUB_CMDLINE_LINUX\" ]; then\n  G=1\nfi\n"
			     "GRUB_CMDLINE_LINUX=\"x a=on\"\n" } },
		/* A file behind it adds to it, */
		{ .before = { "GRUB_CMDLINE_LINUX=\"x\"\n",
			      "GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX b=off y\"\n" },
		  .after = { "GRUB_CMDLINE_LINUX=\"x a=on\"\n",
			     "GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX y\"\n" } },
		/* or begins anew. */
		{ .before = { "GRUB_CMDLINE_LINUX=\"x\"\n", "GRUB_CMDLINE_LINUX=\"y\"\n",
			      "GRUB_CMDLINE_LINUX=\"${GRUB_CMDLINE_LINUX} $Z\"\n" },
		  .after = { NULL, "GRUB_CMDLINE_LINUX=\"y a=on\"\n" } },
		{ .before = { "GRUB_CMDLINE_LINUX=\"a=on\"\n", "GRUB_CMDLINE_LINUX=\"y\"\n" },
		  .after = { NULL, "GRUB_CMDLINE_LINUX=\"y a=on\"\n" } },
		{ .before = { "GRUB_CMDLINE_LINUX=\"a=on\"\n" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT(edits(&rows[i]));
}

TEST(what_is_not_understood_is_refused_by_its_line)
{
	static const struct row rows[] = {
		{ .before = { "\nGRUB_CMDLINE_LINUX=\"a `b`\"" }, .error = "/g:2: this value" },
		{ .before = { "GRUB_CMDLINE_LINUX=\"a $(b)\"" }, .error = "/g:1: this value" },
		{ .before = { "GRUB_CMDLINE_LINUX=\"a \\\"b\\\"\"" }, .error = "/g:1: this value" },
		{ .before = { "GRUB_CMDLINE_LINUX=\"a\"'b'" }, .error = "/g:1: this value" },
		{ .before = { "GRUB_CMDLINE_LINUX=$X" }, .error = "/g:1: this value" },
		{ .before = { "GRUB_CMDLINE_LINUX=a command" }, .error = "/g:1: this value" },
		{ .before = { "GRUB_CMDLINE_LINUX=a && b" }, .error = "/g:1: this value" },
		{ .before = { "if x; then\nGRUB_CMDLINE_LINUX=a\nfi\n" },
		  .error = "/g:2: whether this assignment is made" },
		{ .before = { "f() {\nGRUB_CMDLINE_LINUX=a\n}\n" }, .error = "/g:2: whether" },
		{ .before = { "if x; then GRUB_CMDLINE_LINUX=a; fi\n" },
		  .error = "/g:1: what this does" },
		{ .before = { "true && GRUB_CMDLINE_LINUX=a\n" }, .error = "/g:1: what this does" },
		{ .before = { "GRUB_CMDLINE_LINUX+=a\n" }, .error = "/g:1: what this does" },
		{ .before = { "unset GRUB_CMDLINE_LINUX_DEFAULT\n" },
		  .error = "/g:1: what this does" },
		{ .before = { "X=1\n", "\n\n. /etc/other\n" },
		  .error = "/d/1.cfg:3: what this may" },
		{ .before = { "cat <<E\nGRUB_CMDLINE_LINUX=a\nE\n" }, .error = "a here-document" },
		/* The one behind it would win. */
		{ .before = { "GRUB_CMDLINE_LINUX=\"\"\nGRUB_CMDLINE_LINUX_DEFAULT=\"a=off\"\n" },
		  .error = "would still give \"a=on a=off\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT(edits(&rows[i]));
}

TEST(all_entries_of_the_generator_count_and_no_others)
{
	static const char good[] = "### BEGIN /etc/grub.d/10_linux ###\nmenuentry x {\n"
				   "\tlinux\t/boot/v root=U ro a=on quiet\n}\n"
				   "\tlinux /boot/v root=U single a=on\n"
				   "### END /etc/grub.d/10_linux ###\n"
				   "### BEGIN /etc/grub.d/30_os-prober ###\n\tlinux /v b=off\n";
	static const char bad[] = "### BEGIN /etc/grub.d/10_linux ###\n\tlinux /v a=on\n"
				  "\tlinuxefi /v a=on b=off\n";
	AUTO_KARGS struct kargs k = { 0 };
	struct error e = { 0 };

	want(&k);
	EXPECT(kargs_grub_staged("/c", good, &k, &e) == 0);
	EXPECT(kargs_grub_staged("/c", bad, &k, &e) == -ESTALE && strstr(e.text, "/c:3: "));
	EXPECT(kargs_grub_staged("/c", "linux /v a=on\n", &k, &e) == -ENOTSUP);
}
