/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <sriovctl/smt.h>

#define CPUS	 "/sys/devices/system/cpu/"
#define SIBLINGS "/topology/thread_siblings_list"

static const struct {
	const char *text;
	unsigned n; /* 0: no such list */
} lists[] = {
	{ .text = "0", .n = 1 },
	{ .text = "0,64", .n = 2 },
	{ .text = "0-7", .n = 8 },
	{ .text = "0-1,8,10-11", .n = 5 },
	{ .text = "" },
	{ .text = "," },
	{ .text = "0-" },
	{ .text = "3-1" },
	{ .text = "0,x" },
	{ .text = "0-1 " },
	{ .text = "99999999999999" },
	{ .text = "-1" },
	{ .text = "0,,1" },
};

TEST(lists_are_counted)
{
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		unsigned n = 0;
		int r = smt_count_list(lists[i].text, &n);

		EXPECT(lists[i].n ? r == 0 && n == lists[i].n : r < 0 && n == 0);
		if (lists[i].n != n)
			printf("# \"%s\": %u\n", lists[i].text, n);
	}
}

/* Many ranges of the widest kind are too much, and no wrap of the count. */
TEST(a_long_list_is_no_small_number)
{
	AUTO_BUF struct buf text = { 0 };
	unsigned n = 0;

	for (int i = 0; i < 70000; i++)
		buf_printf(&text, "%s0-65535", i ? "," : "");
	EXPECT(smt_count_list(buf_text(&text), &n) == -EINVAL);
}

static const struct smt *get(const struct tree *t)
{
	const struct smt *s = NULL;

	return smt_get(t->h, &s, NULL) == 0 ? s : NULL;
}

TEST(two_threads_share_a_core)
{
	AUTO_TREE struct tree t = { 0 };
	const struct smt *s;

	TREE(&t, { .path = CPUS "cpu0" SIBLINGS, .text = "0,2\n" },
	     { .path = CPUS "cpu1" SIBLINGS, .text = "1,3\n" },
	     { .path = CPUS "cpu2" SIBLINGS, .text = "0,2\n" },
	     { .path = CPUS "cpu3" SIBLINGS, .text = "1,3\n" }, { .path = CPUS "cpuidle/x" },
	     { .path = CPUS "cpufreq/x" });
	s = get(&t);
	EXPECT(s && s->n_cpus == 4 && s->n_cores == 2);
	EXPECT(s && s->min_threads == 2 && s->max_threads == 2);
}

TEST(cores_of_one_package_differ)
{
	AUTO_TREE struct tree t = { 0 };
	const struct smt *s;

	TREE(&t, { .path = CPUS "cpu0" SIBLINGS, .text = "0-1\n" },
	     { .path = CPUS "cpu1" SIBLINGS, .text = "0-1\n" },
	     { .path = CPUS "cpu2" SIBLINGS, .text = "2\n" });
	s = get(&t);
	EXPECT(s && s->n_cores == 2 && s->min_threads == 1 && s->max_threads == 2);
}

TEST(cpuinfo_serves_where_the_topology_is_not_there)
{
	AUTO_TREE struct tree t = { 0 };
	const struct smt *s;

	TREE(&t, { .path = "/proc/cpuinfo",
		   .text = "processor\t: 0\nvendor_id\t: GenuineIntel\nsiblings\t: 64\n"
			   "cpu cores\t: 32\nflags\t\t: ht\n" });
	s = get(&t);
	EXPECT(s && s->min_threads == 2 && s->max_threads == 2 && s->n_cores == 0);
}

/* 24 threads on 16 cores: some have two, and which is not told. */
TEST(an_average_is_no_answer)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/proc/cpuinfo",
		   .text = "processor\t: 0\nvendor_id\t: GenuineIntel\nsiblings\t: 24\n"
			   "cpu cores\t: 16\nflags\t\t: ht\n" });
	EXPECT(get(&t) == NULL);
}

TEST(a_kernel_that_runs_one_thread_a_core_says_so)
{
	AUTO_TREE struct tree one = { 0 }, more = { 0 };
	const struct smt *s;

	TREE(&one, { .path = CPUS "smt/active", .text = "0\n" },
	     { .path = CPUS "online", .text = "0-3,8\n" });
	s = get(&one);
	EXPECT(s && s->n_cpus == 5 && s->n_cores == 5);
	EXPECT(s && s->min_threads == 1 && s->max_threads == 1);
	TREE(&more, { .path = CPUS "smt/active", .text = "1\n" },
	     { .path = CPUS "online", .text = "0-3\n" });
	EXPECT(get(&more) == NULL);
}
