/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TEST(name) { ... } declares a test and registers it; one binary per file, TAP on
 * stdout.  EXPECT() notes a failure and goes on.  TEST_SKIP("reason") ends the test
 * as skipped.  Tests of one binary do not depend on their order.
 */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <stdio.h>
#include <stdlib.h>

/* clang would part the pointers of the section by red zones; gcc leaves named sections alone. */
#ifdef __clang__
#define TEST_NO_REDZONE no_sanitize("address")
#else
#define TEST_NO_REDZONE
#endif

struct test {
	const char *name;
	void (*run)(void);
};

#define TEST(id)                                                                             \
	static void id(void);                                                                \
	static const struct test test_##id = { .name = #id, .run = id };                     \
	static const struct test *const test_ptr_##id                                        \
		__attribute__((section("sriov_tests"), used, TEST_NO_REDZONE)) = &test_##id; \
	static void id(void)

static int test_failed;
static const char *test_skipped;

#define EXPECT(cond)                                                        \
	do {                                                                \
		if (!(cond)) {                                              \
			printf("# %s:%d: %s\n", __FILE__, __LINE__, #cond); \
			test_failed = 1;                                    \
		}                                                           \
	} while (0)

#define TEST_SKIP(reason)                \
	do {                             \
		test_skipped = (reason); \
		return;                  \
	} while (0)

extern const struct test *const __start_sriov_tests[];
extern const struct test *const __stop_sriov_tests[];

__attribute__((no_sanitize("address"))) int main(void)
{
	int n = 0, bad = 0;

	for (const struct test *const *t = __start_sriov_tests; t < __stop_sriov_tests; t++) {
		test_failed = 0;
		test_skipped = NULL;
		(*t)->run();
		printf("%s %d - %s%s%s\n", test_failed ? "not ok" : "ok", ++n, (*t)->name,
		       test_skipped ? " # SKIP " : "", test_skipped ? test_skipped : "");
		bad += test_failed;
	}
	printf("1..%d\n", n);
	return bad != 0;
}

#endif
