/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What belongs together in a report. */
#include "../../checks/report_entries.h"

#include "test.h"

#include <sriovctl/finding.h>
#include <sriovctl/report.h>

#include <string.h>

static const struct check host_check = { .id = "a.host", .scope = SCOPE_HOST };
static const struct check pf_check = { .id = "b.pf", .scope = SCOPE_PF };
static const struct check vf_check = { .id = "c.vf", .scope = SCOPE_VF };

/* What a test says of a result; the rest is the same for all. */
struct row {
	const struct check *check;
	const char *subject, *pf, *summary, *remedy, *follows;
	enum verdict verdict;
	enum severity severity;
};

static struct result results[8];

static void make(struct report *r, const struct row *rows, size_t n)
{
	*r = (struct report){ .results = results, .n_results = n };
	for (size_t i = 0; i < n; i++) {
		struct result *it = &results[i];

		*it = (struct result){ .check = rows[i].check, .verdict = rows[i].verdict };
		it->subject = (char *)(uintptr_t)rows[i].subject;
		it->pf = (char *)(uintptr_t)rows[i].pf;
		it->finding.severity = rows[i].severity;
		it->finding.follows = rows[i].follows;
		if (rows[i].verdict == VERDICT_FAIL)
			(void)finding_fail(&it->finding, ACTOR_OS, "%s",
					   rows[i].summary ? rows[i].summary : "so");
		else
			(void)finding_pass(&it->finding, "%s",
					   rows[i].summary ? rows[i].summary : "so");
		if (rows[i].remedy)
			finding_remedy(&it->finding, "%s", rows[i].remedy);
	}
	report_entries_make(r);
}

static void done(struct report *r)
{
	for (size_t i = 0; i < r->n_results; i++)
		finding_done(&results[i].finding);
}

#define MAKE(r, ...)                                        \
	do {                                                \
		const struct row rows_[] = { __VA_ARGS__ }; \
		make(r, rows_, ARRAY_SIZE(rows_));          \
	} while (0)

TEST(what_says_the_same_is_one_entry)
{
	struct report r;

	MAKE(&r, { .check = &pf_check, .subject = "1", .verdict = VERDICT_FAIL, .remedy = "do" },
	     { .check = &vf_check, .subject = "1.1", .verdict = VERDICT_FAIL, .remedy = "do" },
	     { .check = &pf_check, .subject = "2", .verdict = VERDICT_FAIL, .remedy = "do" },
	     { .check = &pf_check, .subject = "3", .verdict = VERDICT_PASS },
	     { .check = &pf_check,
	       .subject = "4",
	       .verdict = VERDICT_FAIL,
	       .summary = "else",
	       .remedy = "do" },
	     { .check = &pf_check,
	       .subject = "5",
	       .verdict = VERDICT_FAIL,
	       .remedy = "do",
	       .severity = SEVERITY_REQUIRED });
	EXPECT(results[0].entry == 0 && results[1].entry == 1 && results[2].entry == 0);
	EXPECT(results[3].entry == 3 && results[4].entry == 4 && results[5].entry == 5);
	EXPECT(r.entries[VERDICT_FAIL] == 4 && r.entries[VERDICT_PASS] == 1);
	done(&r);
}

/* Remedies of a PF need not say whom they are for. */
TEST(another_remedy_is_another_entry_but_for_vfs)
{
	struct report r;

	MAKE(&r, { .check = &pf_check, .subject = "1", .verdict = VERDICT_FAIL, .remedy = "do" },
	     { .check = &pf_check, .subject = "2", .verdict = VERDICT_FAIL, .remedy = "do else" },
	     { .check = &vf_check, .subject = "1.1", .verdict = VERDICT_FAIL, .remedy = "of 1" },
	     { .check = &vf_check, .subject = "2.1", .verdict = VERDICT_FAIL, .remedy = "of 2" });
	EXPECT(results[1].entry == 1);
	EXPECT(results[3].entry == 2);
	done(&r);
}

TEST(a_consequence_goes_to_the_root_of_its_own_subject)
{
	struct report r;

	MAKE(&r,
	     { .check = &host_check,
	       .subject = "host",
	       .verdict = VERDICT_FAIL,
	       .severity = SEVERITY_RECOMMENDED },
	     { .check = &pf_check,
	       .subject = "1",
	       .verdict = VERDICT_FAIL,
	       .severity = SEVERITY_RECOMMENDED,
	       .follows = "a.host" },
	     { .check = &pf_check, .subject = "2", .verdict = VERDICT_PASS },
	     { .check = &vf_check,
	       .subject = "1.1",
	       .pf = "1",
	       .verdict = VERDICT_FAIL,
	       .severity = SEVERITY_REQUIRED,
	       .follows = "b.pf" },
	     { .check = &vf_check,
	       .subject = "2.1",
	       .pf = "2",
	       .verdict = VERDICT_FAIL,
	       .severity = SEVERITY_REQUIRED,
	       .follows = "b.pf" });
	EXPECT(results[1].root == 0 && results[3].cause == 1 && results[3].root == 0);
	/* What passed is no cause. */
	EXPECT(results[4].cause == 4 && results[4].root == 4);
	/* Said apart from the one that has no cause; the root is as grave as what it causes. */
	EXPECT(results[3].entry == 3 && results[4].entry == 4);
	EXPECT(results[0].is_root && results[0].weight == SEVERITY_REQUIRED);
	EXPECT(!results[4].is_root && results[1].weight == SEVERITY_RECOMMENDED);
	done(&r);
}

TEST(what_is_unknown_explains_no_failure)
{
	struct report r;

	MAKE(&r,
	     { .check = &host_check,
	       .subject = "host",
	       .verdict = VERDICT_UNKNOWN,
	       .severity = SEVERITY_REQUIRED },
	     { .check = &pf_check, .subject = "1", .verdict = VERDICT_FAIL, .follows = "a.host" },
	     { .check = &vf_check,
	       .subject = "1.1",
	       .verdict = VERDICT_UNKNOWN,
	       .follows = "a.host" });
	EXPECT(results[1].root == 1);
	EXPECT(results[2].root == 0);
	done(&r);
}

/* It stands in a list where there is no room for consequences. */
TEST(what_only_informs_is_no_cause)
{
	struct report r;

	MAKE(&r,
	     { .check = &host_check,
	       .subject = "host",
	       .verdict = VERDICT_FAIL,
	       .severity = SEVERITY_INFO },
	     { .check = &pf_check,
	       .subject = "1",
	       .verdict = VERDICT_FAIL,
	       .follows = "a.host",
	       .severity = SEVERITY_REQUIRED });
	EXPECT(results[1].root == 1 && !results[0].is_root);
	done(&r);
}

TEST(a_chain_that_bites_its_tail_has_an_end)
{
	struct report r;

	MAKE(&r,
	     { .check = &pf_check,
	       .subject = "1",
	       .verdict = VERDICT_FAIL,
	       .severity = SEVERITY_REQUIRED,
	       .follows = "c.vf" },
	     { .check = &vf_check,
	       .subject = "1",
	       .verdict = VERDICT_FAIL,
	       .severity = SEVERITY_REQUIRED,
	       .follows = "b.pf" });
	EXPECT(results[0].root == 0 && results[1].root == 1);
	done(&r);
}
