/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table inside the program, and the folder of a site's own. */
#include <sriovctl/compat.h>

#include <sriovctl/error.h>

#include "tree.h"

/* There may be rows in it that say what is bad. */
TEST(a_folder_of_tables_that_cannot_be_read_is_not_an_empty_one)
{
	AUTO_TREE struct tree none = { 0 }, refused = { 0 };
	const struct compat *c = NULL;
	struct error e = { 0 };

	tree_new(&none);
	EXPECT(compat_get(none.h, &c, &e) == 0 && c->n == 1);
	tree_make(&refused);
	tree_put_dir(&refused, "/proc");
	tree_put_dir(&refused, COMPAT_DIR);
	tree_put(&refused, "/.sriovctl/index", "sriovctl capture 1\nlist EACCES " COMPAT_DIR "\n");
	tree_open(&refused);
	EXPECT(compat_get(refused.h, &c, &e) == -EACCES && strstr(e.text, COMPAT_DIR ": "));
}

/* Each row is held against all others of its file: a stranger's capture may have many. */
TEST(a_folder_of_tables_without_end_is_refused)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 }, path = { 0 };
	const struct compat *c = NULL;
	struct error e = { 0 };

	buf_puts(&text, "{ \"schema\": 1, \"rows\": [] }");
	while (text.len < 1000000)
		buf_puts(&text, "          ");
	tree_make(&t);
	for (unsigned i = 0; i < 5; i++) {
		buf_clear(&path);
		buf_printf(&path, COMPAT_DIR "/%u.json", i);
		tree_put(&t, buf_text(&path), buf_text(&text));
	}
	tree_open(&t);
	EXPECT(compat_get(t.h, &c, &e) == -EFBIG && strstr(e.text, COMPAT_DIR ": more than 4 MB"));
}

TEST(the_built_in_table_is_sorted_and_whole)
{
	const struct compat_table *t = &compat_built_in;

	EXPECT(t->n_families >= 25 && t->n_rows > 800);
	for (size_t i = 1; i < t->n_keys; i++)
		EXPECT(strcmp(compat_text(t, t->keys[i - 1].name),
			      compat_text(t, t->keys[i].name)) <= 0);
	for (size_t i = 0; i < t->n_rows; i++) {
		EXPECT(*compat_text(t, t->rows[i].id) && *compat_text(t, t->rows[i].source));
		EXPECT(t->rows[i].source < t->len);
	}
}

TEST(families_are_found_by_their_ids)
{
	const struct compat_table *tables[] = { &compat_built_in }, *t = NULL;
	const struct compat c = { .tables = tables, .n = 1 };
	const struct compat_family *f = NULL;

	EXPECT(compat_family_of(&c, 0x8086, 0x1572, &t, &f));
	EXPECT(strcmp(compat_text(t, f->id), "intel-700") == 0);
	EXPECT(compat_family_of(&c, 0x1425, 0x5410, &t, &f));
	EXPECT(strcmp(compat_text(t, f->id), "cxgb4") == 0);
	EXPECT(!compat_family_of(&c, 0x8086, 0x0001, &t, &f));
	EXPECT(!compat_family_of(&c, 0x0001, 0x1572, &t, &f));
	EXPECT(!compat_family_of(&c, 0xffff, 0xffff, &t, &f));
}
