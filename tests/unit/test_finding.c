/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/finding.h>

#include "tree.h"

#define OUTSIDE "Run the check on the host, outside the container, where /proc/x can be read."

TEST(each_verdict_is_one_statement)
{
	struct finding f = { .actor = ACTOR_OS };

	EXPECT(finding_pass(&f, "%d units", 2) == VERDICT_PASS && same(f.summary, "2 units"));
	EXPECT(finding_na(&f, "none") == VERDICT_NA && same(f.summary, "none"));
	EXPECT(finding_unknown(&f, "unseen") == VERDICT_UNKNOWN && same(f.summary, "unseen"));
	EXPECT(f.actor == ACTOR_OS);
	EXPECT(finding_fail(&f, ACTOR_NIC, "off") == VERDICT_FAIL && same(f.summary, "off"));
	EXPECT(f.actor == ACTOR_NIC && f.error == 0);
	finding_done(&f);
}

TEST(evidence_stands_in_the_order_it_was_noted)
{
	struct finding f = { 0 };

	for (int i = 0; i < 20; i++)
		finding_note(&f, "/proc/x", i ? NULL : "1", "%d", i);
	EXPECT(f.n_evidence == 20);
	EXPECT(same(f.evidence[0].source, "/proc/x") && same(f.evidence[0].observed, "0"));
	EXPECT(same(f.evidence[0].expected, "1") && same(f.evidence[1].expected, ""));
	EXPECT(same(f.evidence[19].observed, "19"));
	finding_done(&f);
}

TEST(a_remedy_is_said_once)
{
	struct finding f = { 0 };

	finding_remedy(&f, "Do %s.", "this");
	finding_remedy(&f, "Do that.");
	finding_remedy(&f, "Do this.");
	EXPECT(f.remedy.n == 2 && same(f.remedy.items[1], "Do that."));
	finding_done(&f);
}

TEST(severity_is_raised_and_never_lowered)
{
	struct finding f = { .severity = SEVERITY_RECOMMENDED };

	finding_raise(&f, SEVERITY_INFO);
	EXPECT(f.severity == SEVERITY_RECOMMENDED);
	finding_raise(&f, SEVERITY_REQUIRED);
	EXPECT(f.severity == SEVERITY_REQUIRED);
}

TEST(running_out_of_memory_sticks_and_is_no_evidence)
{
	AUTO_TREE struct tree t = { 0 };
	struct finding f = { 0 };

	tree_new(&t);
	finding_unread(&f, t.h, "/proc/x", -ENOMEM);
	EXPECT(f.error == -ENOMEM && f.n_evidence == 0);
	finding_done(&f);
}

TEST(what_could_not_be_read_is_told_with_what_would_help)
{
	static const struct {
		int code;
		const char *observed, *foreign, *live;
	} rows[] = {
		{ .code = -EACCES,
		  .observed = "permission denied",
		  .foreign = "Give the user who runs the check access to the root.",
		  .live = "Run the check as root." },
		{ .code = -EPERM,
		  .observed = "permission denied",
		  .foreign = "Give the user who runs the check access to the root.",
		  .live = "Run the check as root." },
		{ .code = -ENODATA,
		  .observed = NULL,
		  .foreign = "Add /proc/x of the host to the captured root.",
		  .live = OUTSIDE },
		{ .code = -ENOENT,
		  .observed = "absent",
		  .foreign = "Add /proc/x of the host to the captured root.",
		  .live = OUTSIDE },
		{ .code = -EIO,
		  .observed = "unreadable: Input/output error",
		  .foreign = "Add /proc/x of the host to the captured root.",
		  .live = OUTSIDE },
	};
	AUTO_TREE struct tree t = { 0 };
	AUTO_HOST struct host *live = NULL;

	tree_new(&t);
	EXPECT(host_open("/", &live, NULL) == 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct finding f = { 0 }, l = { 0 };

		finding_unread(&f, t.h, "/proc/x", rows[i].code);
		finding_unread(&l, live, "/proc/x", rows[i].code);
		EXPECT(f.n_evidence == 1 && same(f.evidence[0].source, "/proc/x"));
		if (rows[i].observed)
			EXPECT(same(f.evidence[0].observed, rows[i].observed));
		EXPECT(same(f.remedy.n ? f.remedy.items[0] : NULL, rows[i].foreign));
		EXPECT(same(l.remedy.n ? l.remedy.items[0] : NULL, rows[i].live));
		finding_done(&f);
		finding_done(&l);
	}
}

TEST(what_is_seen_twice_is_noted_once)
{
	struct finding f = { 0 };

	finding_note(&f, "/proc/x", "a", "%s", "b");
	finding_note(&f, finding_path(&f, "/proc/%s", "x"), "a", "b");
	finding_note(&f, "/proc/x", NULL, "b");
	finding_note(&f, "/proc/x", "a", "c");
	finding_note(&f, finding_path(&f, "/proc/%s", "y"), "a", "b");
	EXPECT(f.error == 0 && f.n_evidence == 4);
	EXPECT(f.n_evidence == 4 && same(f.evidence[3].source, "/proc/y"));
	finding_done(&f);
}

TEST(a_text_that_is_not_whole_fails_the_finding)
{
	AUTO_BUF struct buf b = { 0 };
	struct finding f = { 0 };

	buf_puts(&b, "whole");
	EXPECT(same(finding_text(&f, &b), "whole") && f.error == 0);
	(void)buf_reserve(&b, SIZE_MAX);
	(void)finding_text(&f, &b);
	EXPECT(f.error < 0);
	finding_done(&f);
}
