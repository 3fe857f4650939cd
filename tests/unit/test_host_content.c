/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the getters make of what they read. */
#include <sriovctl/host.h>

#include "tree_attr.h"

#include <sriovctl/strv.h>

static int read_of(size_t size, size_t max, struct buf *ret)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf content = { 0 };

	for (size_t i = 0; i < size; i++)
		buf_puts(&content, "x");
	tree_new(&t);
	tree_put(&t, "/proc/file", buf_text(&content));
	return host_read(t.h, max, ret, NULL, "/proc/file");
}

TEST(a_file_of_the_largest_size_is_read_and_a_larger_one_is_not)
{
	/* Around the size of a chunk, too. */
	static const size_t sizes[] = { 1, 16383, 16384, 16385, 40000 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		AUTO_BUF struct buf text = { 0 };

		EXPECT(read_of(sizes[i], sizes[i], &text) == 0);
		EXPECT(text.len == sizes[i] && strlen(buf_text(&text)) == sizes[i]);
		EXPECT(read_of(sizes[i], sizes[i] - 1, &text) == -EFBIG);
		EXPECT(text.len == 0);
	}
}

TEST(an_empty_file_is_read)
{
	AUTO_BUF struct buf text = { 0 };

	EXPECT(read_of(0, 0, &text) == 0);
	EXPECT(text.len == 0);
}

TEST(an_attribute_holds_a_page_and_no_more)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf page = { 0 }, text = { 0 };

	for (size_t i = 0; i < HOST_ATTR_MAX; i++)
		buf_puts(&page, "x");
	tree_new(&t);
	tree_put(&t, "/proc/page", buf_text(&page));
	buf_puts(&page, "x");
	tree_put(&t, "/proc/more", buf_text(&page));
	EXPECT(host_attr(t.h, &text, NULL, "%s", "/proc/page") == 0 && text.len == HOST_ATTR_MAX);
	EXPECT(host_attr(t.h, &text, NULL, "%s", "/proc/more") == -EFBIG);
}

TEST(an_attribute_is_text_without_its_newline)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/proc/a", .text = "value\n" }, { .path = "/proc/b", .text = "" },
	     { .path = "/proc/c", .text = "\n" }, { .path = "/proc/d", .text = " two\nlines\n" });
	tree_put_bytes(&t, "/proc/e", "a\0b", 3);
	EXPECT(tree_reads(&t, "/proc/a", "value"));
	EXPECT(tree_reads(&t, "/proc/b", ""));
	EXPECT(tree_reads(&t, "/proc/c", ""));
	EXPECT(tree_reads(&t, "/proc/d", " two\nlines"));
	EXPECT(tree_code(&t, "/proc/e") == -EINVAL);
}

TEST(what_was_in_the_buffer_before_is_gone)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 };

	TREE(&t, { .path = "/proc/a", .text = "new\n" });
	buf_puts(&text, "old");
	EXPECT(host_attr(t.h, &text, NULL, "%s", "/proc/a") == 0 && same(buf_text(&text), "new"));
	EXPECT(host_attr(t.h, &text, NULL, "%s", "/proc/none") == -ENOENT && text.len == 0);
}

TEST(an_attribute_as_a_number)
{
	static const struct {
		const char *text;
		unsigned base;
		int code;
		uint64_t value;
	} rows[] = {
		{ .text = "64\n", .base = 10, .value = 64 },
		{ .text = "0x8086\n", .base = 0, .value = 0x8086 },
		{ .text = "d2008c222f0606\n", .base = 16, .value = 0xd2008c222f0606 },
		{ .text = "-1\n", .base = 10, .code = -EINVAL },
		{ .text = "\n", .base = 10, .code = -EINVAL },
		{ .text = "64 of 64\n", .base = 10, .code = -EINVAL },
		{ .text = "18446744073709551616\n", .base = 10, .code = -EINVAL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		uint64_t value = 7;

		TREE(&t, { .path = "/proc/number", .text = rows[i].text });
		EXPECT(host_attr_u64(t.h, rows[i].base, &value, NULL, "/proc/%s", "number") ==
		       rows[i].code);
		EXPECT(value == (rows[i].code ? 7 : rows[i].value));
	}
}

TEST(names_in_a_folder_are_sorted_with_their_numbers)
{
	static const char *const sorted[] = { ".hidden", "driver", "virtfn1", "virtfn9",
					      "virtfn10" };
	AUTO_TREE struct tree t = { 0 };
	AUTO_STRV struct strv names = { 0 };

	TREE(&t, { .path = "/sys/virtfn10", .text = "" }, { .path = "/sys/virtfn9", .text = "" },
	     { .path = "/sys/driver" }, { .path = "/sys/.hidden", .text = "" },
	     { .path = "/sys/virtfn1", .link = "nowhere" });
	EXPECT(host_list(t.h, &names, NULL, "/sys") == 0);
	EXPECT(names.n == ARRAY_SIZE(sorted));
	for (size_t i = 0; i < names.n && i < ARRAY_SIZE(sorted); i++)
		EXPECT(same(names.items[i], sorted[i]));
}

TEST(a_link_is_named_by_its_last_part)
{
	static const struct {
		const char *target, *name;
	} rows[] = {
		{ .target = "../../../../bus/pci/drivers/ice", .name = "ice" },
		{ .target = "/sys/kernel/iommu_groups/7", .name = "7" },
		{ .target = "7", .name = "7" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_BUF struct buf name = { 0 };

		TREE(&t, { .path = "/sys/link", .link = rows[i].target });
		EXPECT(host_link_name(t.h, &name, NULL, "/sys/%s", "link") == 0);
		EXPECT(same(buf_text(&name), rows[i].name));
	}
}

TEST(a_file_is_no_link)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf name = { 0 };

	TREE(&t, { .path = "/sys/file", .text = "x" });
	EXPECT(host_link_name(t.h, &name, NULL, "/sys/file") == -EINVAL);
}

TEST(registers_are_of_the_running_system_only)
{
	AUTO_TREE struct tree t = { 0 };
	uint32_t cpuid[4];
	uint64_t msr;

	TREE(&t, { .path = "/dev/cpu/0/msr", .text = "01234567" });
	EXPECT(host_msr(t.h, 0x1b, &msr, NULL) == -ENODATA);
	EXPECT(host_cpuid(t.h, 1, cpuid) == -ENODATA);
}
