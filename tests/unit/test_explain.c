/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/explain.h>

#include "test.h"

#include <string.h>

TEST(every_check_is_explained_in_the_order_of_reports)
{
	AUTO_EXPLAIN struct explain x = { 0 };
	const struct check *c;
	size_t n;

	EXPECT(explain_read(&x, NULL) == 0);
	for (n = 0; (c = check_at(n)); n++) {
		const struct explain_check *of = explain_find(&x, c->id);

		EXPECT(of == &x.checks[n]);
		EXPECT(of->check == c && strlen(of->decides) > 20);
	}
	EXPECT(n == x.n_checks && n > 40);
}

/* What can fail tells how; what only tells has no cause, and says why in its note. */
TEST(causes_say_what_and_who)
{
	AUTO_EXPLAIN struct explain x = { 0 };

	EXPECT(explain_read(&x, NULL) == 0);
	for (size_t i = 0; i < x.n_checks; i++) {
		const struct explain_check *of = &x.checks[i];

		EXPECT(of->n_causes > 0 || of->note || of->check->severity == SEVERITY_INFO);
		for (size_t k = 0; k < of->n_causes; k++) {
			EXPECT(of->causes[k].actor < ACTOR_MAX);
			EXPECT(strlen(of->causes[k].what) > 2 && strlen(of->causes[k].means) > 20);
			for (size_t other = 0; other < k; other++)
				EXPECT(strcmp(of->causes[k].what, of->causes[other].what) != 0);
		}
	}
}

TEST(a_topic_is_no_check)
{
	AUTO_EXPLAIN struct explain x = { 0 };

	EXPECT(explain_read(&x, NULL) == 0);
	EXPECT(explain_topic(&x, "sriov") && explain_topic(&x, "sriov")->paragraphs.n > 3);
	for (size_t i = 0; i < x.n_topics; i++)
		EXPECT(!explain_find(&x, x.topics[i].name));
	EXPECT(!explain_find(&x, "nope") && !explain_topic(&x, "nope") && !explain_find(&x, ""));
}
