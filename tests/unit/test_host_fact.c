/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts are read once and kept with the host. */
#include <sriovctl/host.h>

#include "tree.h"

#include <sriovctl/error.h>

struct probe {
	uint64_t number;
};

/* How often each function of the facts below was called, by test. */
static struct {
	int reads, dones;
} calls;

static int read_probe(const struct host *h, const char *about, void *ret, struct error *e)
{
	struct probe *p = ret;

	calls.reads++;
	EXPECT(p->number == 0);
	return host_attr_u64(h, 10, &p->number, e, "/proc/number%s", about);
}

static void done_probe(void *fact)
{
	(void)fact;
	calls.dones++;
}

static const struct host_fact probe = { .size = sizeof(struct probe),
					.read = read_probe,
					.done = done_probe };

TEST(a_fact_is_read_once_and_stays_as_it_was)
{
	AUTO_TREE struct tree t = { 0 };
	const void *first = NULL, *second = NULL;

	calls.reads = calls.dones = 0;
	TREE(&t, { .path = "/proc/number", .text = "7\n" });
	EXPECT(host_fact(t.h, &probe, "", &first, NULL) == 0);
	tree_put(&t, "/proc/number", "8\n");
	EXPECT(host_fact(t.h, &probe, "", &second, NULL) == 0);
	EXPECT(first && first == second && ((const struct probe *)first)->number == 7);
	EXPECT(calls.reads == 1 && calls.dones == 0);
	host_close(TAKE(t.h));
	EXPECT(calls.dones == 1);
}

TEST(so_is_the_error_with_its_text)
{
	AUTO_TREE struct tree t = { 0 };
	const void *fact = &t;
	struct error first = { 0 }, second = { 0 };

	calls.reads = 0;
	tree_new(&t);
	EXPECT(host_fact(t.h, &probe, "", &fact, &first) == -ENOENT);
	tree_put(&t, "/proc/number", "8\n");
	EXPECT(host_fact(t.h, &probe, "", &fact, &second) == -ENOENT);
	EXPECT(fact == &t);
	EXPECT(second.code == -ENOENT && same(first.text, second.text));
	EXPECT(strstr(first.text, "/proc/number"));
	EXPECT(calls.reads == 1);
}

TEST(what_a_failed_read_left_is_released)
{
	AUTO_TREE struct tree t = { 0 };
	const void *fact;

	calls.dones = 0;
	tree_new(&t);
	EXPECT(host_fact(t.h, &probe, "", &fact, NULL) < 0);
	host_close(TAKE(t.h));
	EXPECT(calls.dones == 1);
}

static int read_outer(const struct host *h, const char *about, void *ret, struct error *e)
{
	const void *inner = NULL;
	int r = host_fact(h, &probe, about, &inner, e);

	if (r == 0)
		((struct probe *)ret)->number = ((const struct probe *)inner)->number + 1;
	return r;
}

TEST(a_fact_may_ask_for_another)
{
	static const struct host_fact outer = { .size = sizeof(struct probe),
						.read = read_outer,
						.done = done_probe };
	AUTO_TREE struct tree t = { 0 };
	const void *a = NULL, *b = NULL;

	calls.reads = calls.dones = 0;
	TREE(&t, { .path = "/proc/number", .text = "7\n" });
	EXPECT(host_fact(t.h, &outer, "", &a, NULL) == 0);
	EXPECT(host_fact(t.h, &probe, "", &b, NULL) == 0);
	EXPECT(a && ((const struct probe *)a)->number == 8);
	EXPECT(b && ((const struct probe *)b)->number == 7 && calls.reads == 1);
	host_close(TAKE(t.h));
	EXPECT(calls.dones == 2);
}

TEST(each_host_has_facts_of_its_own)
{
	AUTO_TREE struct tree s = { 0 }, t = { 0 };
	const void *a = NULL, *b = NULL;

	TREE(&s, { .path = "/proc/number", .text = "1\n" });
	TREE(&t, { .path = "/proc/number", .text = "2\n" });
	EXPECT(host_fact(s.h, &probe, "", &a, NULL) == 0 &&
	       host_fact(t.h, &probe, "", &b, NULL) == 0);
	EXPECT(a && b && ((const struct probe *)a)->number != ((const struct probe *)b)->number);
}

TEST(there_is_one_fact_about_each_thing)
{
	AUTO_TREE struct tree t = { 0 };
	const void *a = NULL, *b = NULL, *again = NULL;

	calls.reads = calls.dones = 0;
	TREE(&t, { .path = "/proc/number1", .text = "1\n" },
	     { .path = "/proc/number2", .text = "2\n" });
	EXPECT(host_fact(t.h, &probe, "1", &a, NULL) == 0);
	EXPECT(host_fact(t.h, &probe, "2", &b, NULL) == 0);
	EXPECT(host_fact(t.h, &probe, "3", &again, NULL) == -ENOENT);
	EXPECT(host_fact(t.h, &probe, "1", &again, NULL) == 0);
	EXPECT(a && ((const struct probe *)a)->number == 1 && a == again);
	EXPECT(b && ((const struct probe *)b)->number == 2 && calls.reads == 3);
	host_close(TAKE(t.h));
	EXPECT(calls.dones == 3);
}

TEST(what_is_kept_is_not_read)
{
	AUTO_TREE struct tree t = { 0 };
	const void *fact = NULL;

	calls.reads = calls.dones = 0;
	TREE(&t, { .path = "/proc/number1", .text = "1\n" });
	EXPECT(!host_fact_is_known(t.h, &probe, "1"));
	EXPECT(host_fact_keep(t.h, &probe, "1", &(struct probe){ .number = 7 }) == 0);
	EXPECT(host_fact_is_known(t.h, &probe, "1") && !host_fact_is_known(t.h, &probe, "2"));
	EXPECT(host_fact(t.h, &probe, "1", &fact, NULL) == 0 && calls.reads == 0);
	EXPECT(fact && ((const struct probe *)fact)->number == 7);
	host_close(TAKE(t.h));
	EXPECT(calls.dones == 1);
}
