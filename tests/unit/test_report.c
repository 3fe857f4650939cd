/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runner with a registry of the test's own, so that each rule can be seen alone: the
 * source is part of this file, under other names.
 */
#define check_at       registry_at
#define check_find     registry_find
#define report_run     run_report
#define report_done    done_report
#define readiness_name name_of_readiness

#include "../../checks/report.c" /* first, with these names for all it declares */

#include "tree.h"

#define CAPABILITY "pf.sriov_capability"

static struct check registry[8];
static size_t n_registry;

const struct check *registry_at(size_t i)
{
	return i < n_registry ? &registry[i] : NULL;
}

const struct check *registry_find(const char *id)
{
	for (size_t i = 0; i < n_registry; i++)
		if (strcmp(registry[i].id, id) == 0)
			return &registry[i];
	return NULL;
}

static enum verdict pass(const struct check_input *in, struct finding *f)
{
	(void)in;
	return finding_pass(f, "seen");
}

static enum verdict fail(const struct check_input *in, struct finding *f)
{
	(void)in;
	return finding_fail(f, ACTOR_NIC, "seen otherwise");
}

static enum verdict na(const struct check_input *in, struct finding *f)
{
	(void)in;
	return finding_na(f, "no such thing here");
}

static enum verdict unknown(const struct check_input *in, struct finding *f)
{
	(void)in;
	return finding_unknown(f, "not seen");
}

static enum verdict raise_and_fail(const struct check_input *in, struct finding *f)
{
	finding_raise(f, SEVERITY_REQUIRED);
	return fail(in, f);
}

static enum verdict lower_and_fail(const struct check_input *in, struct finding *f)
{
	finding_raise(f, SEVERITY_INFO);
	return fail(in, f);
}

static enum verdict fail_with_remedy(const struct check_input *in, struct finding *f)
{
	finding_remedy(f, "Do this.");
	return fail(in, f);
}

static enum verdict say_subject(const struct check_input *in, struct finding *f)
{
	return finding_pass(f, "%s", in->pf ? in->pf->name : "host");
}

static void add(const char *id, enum severity severity, enum scope scope,
		enum verdict (*run)(const struct check_input *in, struct finding *f))
{
	registry[n_registry++] = (struct check){
		.id = id,
		.severity = severity,
		.scope = scope,
		.run = run,
		.actor = ACTOR_OS,
		.remedy = "Do that.",
	};
}

/* A function with VFs, so that pf.sriov_capability is asked of it. */
static void one_function(struct tree *t)
{
	TREE(t, { .path = PCIDEV_PATH "/0000:3b:00.0/sriov_totalvfs", .text = "8\n" });
}

static void run_all(const struct tree *t, struct report *r)
{
	static const struct report_options all = { 0 };

	EXPECT(report_run(t->h, &all, r, NULL) == 0);
}

/* --- readiness --------------------------------------------------------------------- */

static const struct row {
	const char *rule;
	struct {
		enum severity severity;
		enum verdict (*run)(const struct check_input *in, struct finding *f);
	} checks[3];
	enum readiness readiness;
} rows[] = {
	{ .rule = "all pass",
	  .checks = { { .severity = SEVERITY_REQUIRED, .run = pass },
		      { .severity = SEVERITY_RECOMMENDED, .run = pass } },
	  .readiness = READINESS_READY },
	{ .rule = "what does not apply does not count",
	  .checks = { { .severity = SEVERITY_REQUIRED, .run = na },
		      { .severity = SEVERITY_RECOMMENDED, .run = na } },
	  .readiness = READINESS_READY },
	{ .rule = "information does not count",
	  .checks = { { .severity = SEVERITY_INFO, .run = fail },
		      { .severity = SEVERITY_INFO, .run = unknown } },
	  .readiness = READINESS_READY },
	{ .rule = "a recommended one that is unknown is no warning",
	  .checks = { { .severity = SEVERITY_RECOMMENDED, .run = unknown } },
	  .readiness = READINESS_READY },
	{ .rule = "a recommended one that failed is a warning",
	  .checks = { { .severity = SEVERITY_REQUIRED, .run = pass },
		      { .severity = SEVERITY_RECOMMENDED, .run = fail } },
	  .readiness = READINESS_WARNINGS },
	{ .rule = "a required one that is unknown",
	  .checks = { { .severity = SEVERITY_REQUIRED, .run = unknown },
		      { .severity = SEVERITY_REQUIRED, .run = pass } },
	  .readiness = READINESS_UNKNOWN },
	{ .rule = "unknown is worse than a warning, before it",
	  .checks = { { .severity = SEVERITY_REQUIRED, .run = unknown },
		      { .severity = SEVERITY_RECOMMENDED, .run = fail } },
	  .readiness = READINESS_UNKNOWN },
	{ .rule = "and behind it",
	  .checks = { { .severity = SEVERITY_RECOMMENDED, .run = fail },
		      { .severity = SEVERITY_REQUIRED, .run = unknown } },
	  .readiness = READINESS_UNKNOWN },
	{ .rule = "a required one that failed is worse than unknown, before it",
	  .checks = { { .severity = SEVERITY_REQUIRED, .run = fail },
		      { .severity = SEVERITY_REQUIRED, .run = unknown } },
	  .readiness = READINESS_NOT_READY },
	{ .rule = "and behind it",
	  .checks = { { .severity = SEVERITY_REQUIRED, .run = unknown },
		      { .severity = SEVERITY_RECOMMENDED, .run = fail },
		      { .severity = SEVERITY_REQUIRED, .run = fail } },
	  .readiness = READINESS_NOT_READY },
	{ .rule = "a raised severity counts",
	  .checks = { { .severity = SEVERITY_RECOMMENDED, .run = raise_and_fail } },
	  .readiness = READINESS_NOT_READY },
	{ .rule = "none is lowered",
	  .checks = { { .severity = SEVERITY_REQUIRED, .run = lower_and_fail } },
	  .readiness = READINESS_NOT_READY },
};

TEST(readiness)
{
	static const char *const ids[] = { "a.a", "a.b", "a.c" };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_REPORT struct report r = { 0 };

		n_registry = 0;
		for (size_t k = 0; k < ARRAY_SIZE(ids) && rows[i].checks[k].run; k++)
			add(ids[k], rows[i].checks[k].severity, SCOPE_HOST, rows[i].checks[k].run);
		add(CAPABILITY, SEVERITY_REQUIRED, SCOPE_PF, pass);
		one_function(&t);
		run_all(&t, &r);
		EXPECT(r.readiness == rows[i].readiness);
		if (r.readiness != rows[i].readiness)
			printf("# %s: %s\n", rows[i].rule, readiness_name(r.readiness));
	}
}

/* --- choice ---------------------------------------------------------------------------- */

static enum readiness run_chosen(const char *only, const char *skip, struct report *r)
{
	AUTO_TREE struct tree t = { 0 };
	struct report_options o = { 0 };

	n_registry = 0;
	add("a.required", SEVERITY_REQUIRED, SCOPE_HOST, pass);
	add("a.failing", SEVERITY_REQUIRED, SCOPE_HOST, fail);
	add("a.recommended", SEVERITY_RECOMMENDED, SCOPE_HOST, pass);
	add(CAPABILITY, SEVERITY_REQUIRED, SCOPE_PF, pass);
	if (only)
		EXPECT(strv_add(&o.only, only) == 0);
	if (skip)
		EXPECT(strv_add(&o.skip, skip) == 0);
	one_function(&t);
	EXPECT(report_run(t.h, &o, r, NULL) == 0);
	strv_done(&o.only);
	strv_done(&o.skip);
	return r->readiness;
}

TEST(what_was_left_out_and_is_required_is_not_known)
{
	AUTO_REPORT struct report r = { 0 };

	EXPECT(run_chosen(NULL, "a.failing", &r) == READINESS_UNKNOWN);
	EXPECT(r.left_out == 1 && r.n_results == 3);
}

TEST(what_fails_decides_whatever_was_left_out)
{
	AUTO_REPORT struct report r = { 0 };

	EXPECT(run_chosen("a.failing", NULL, &r) == READINESS_NOT_READY);
	EXPECT(r.left_out == 2 && r.n_results == 1);
}

TEST(one_that_passes_alone_does_not_make_a_host_ready)
{
	AUTO_REPORT struct report r = { 0 };

	EXPECT(run_chosen("a.required", NULL, &r) == READINESS_UNKNOWN);
	EXPECT(r.left_out == 2 && r.n_results == 1);
}

TEST(skip_outweighs_only)
{
	AUTO_REPORT struct report r = { 0 };

	EXPECT(run_chosen("a.required", "a.required", &r) == READINESS_UNKNOWN);
	EXPECT(r.n_results == 0 && r.left_out == 3);
}

TEST(what_is_only_recommended_may_be_left_out)
{
	AUTO_REPORT struct report r = { 0 };

	EXPECT(run_chosen(NULL, "a.recommended", &r) == READINESS_NOT_READY);
	EXPECT(r.left_out == 0 && r.n_results == 3);
}

/* --- subjects ---------------------------------------------------------------------------- */

#define DEVICE(name) PCIDEV_PATH "/0000:3b:" name

TEST(physical_functions_are_asked_one_by_one)
{
	static const char *const subjects[] = { "host", "0000:3b:00.0", "0000:3b:00.0",
						"0000:3b:00.1", "0000:3b:00.1" };
	AUTO_TREE struct tree t = { 0 };
	AUTO_REPORT struct report r = { 0 };

	n_registry = 0;
	add("pf.other", SEVERITY_REQUIRED, SCOPE_PF, say_subject);
	add("a.host", SEVERITY_REQUIRED, SCOPE_HOST, say_subject);
	add(CAPABILITY, SEVERITY_REQUIRED, SCOPE_PF, say_subject);
	TREE(&t, { .path = DEVICE("00.0/sriov_totalvfs"), .text = "8\n" },
	     { .path = DEVICE("00.0/net/ens1f0") },
	     { .path = DEVICE("00.1/sriov_totalvfs"), .text = "0\n" },
	     { .path = DEVICE("02.0/physfn"), .link = "../0000:3b:00.0" },
	     { .path = DEVICE("02.0/sriov_totalvfs"), .text = "8\n" },
	     { .path = DEVICE("03.0/vendor"), .text = "0x8086\n" });
	run_all(&t, &r);
	EXPECT(r.n_results == ARRAY_SIZE(subjects));
	for (size_t i = 0; i < r.n_results && i < ARRAY_SIZE(subjects); i++) {
		EXPECT(same(r.results[i].subject, subjects[i]));
		EXPECT(same(r.results[i].finding.summary, subjects[i]));
	}
	EXPECT(r.n_results > 2 && r.results[1].name && same(r.results[1].name, "ens1f0"));
	EXPECT(r.n_results > 3 && !r.results[3].name);
}

TEST(vfs_come_behind_and_are_named_by_function_and_number)
{
	static const char *const subjects[] = { "0000:3b:00.0", "0000:3b:02.0", "0000:3b:02.1",
						"0000:3b:09.0" };
	AUTO_TREE struct tree t = { 0 };
	AUTO_REPORT struct report r = { 0 };

	n_registry = 0;
	add("vf.other", SEVERITY_REQUIRED, SCOPE_VF, pass);
	add(CAPABILITY, SEVERITY_REQUIRED, SCOPE_PF, pass);
	TREE(&t, { .path = DEVICE("00.0/sriov_totalvfs"), .text = "8\n" },
	     { .path = DEVICE("00.0/virtfn0"), .link = "../0000:3b:02.0" },
	     { .path = DEVICE("00.0/virtfn1"), .link = "../0000:3b:02.1" },
	     { .path = DEVICE("00.0/net/ens1f0") },
	     { .path = DEVICE("02.0/physfn"), .link = "../0000:3b:00.0" },
	     { .path = DEVICE("02.1/physfn"), .link = "../0000:3b:00.0" },
	     /* Of a function that is elsewhere. */
	     { .path = DEVICE("09.0/vendor"), .text = "0x8086\n" },
	     { .path = DEVICE("09.0/device"), .text = "0x10ca\n" });
	run_all(&t, &r);
	EXPECT(r.n_results == ARRAY_SIZE(subjects));
	for (size_t i = 0; i < r.n_results && i < ARRAY_SIZE(subjects); i++)
		EXPECT(same(r.results[i].subject, subjects[i]));
	EXPECT(r.n_results == 4 && r.results[2].index == 1 && same(r.results[2].pf, subjects[0]));
	EXPECT(r.n_results == 4 && same(r.results[2].pf_name, "ens1f0") && !r.results[3].pf);
	EXPECT(r.n_results == 4 && r.results[2].entry == 1 && r.results[0].entry == 0);
}

/* No function at all is an answer of its own: it must not look like a ready host. */
TEST(without_any_the_capability_is_asked_of_the_host)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_REPORT struct report r = { 0 };

	n_registry = 0;
	add("pf.other", SEVERITY_REQUIRED, SCOPE_PF, say_subject);
	add(CAPABILITY, SEVERITY_REQUIRED, SCOPE_PF, say_subject);
	TREE(&t, { .path = DEVICE("03.0/vendor"), .text = "0x8086\n" });
	run_all(&t, &r);
	EXPECT(r.n_results == 1 && same(r.results[0].check->id, CAPABILITY));
	EXPECT(r.n_results == 1 && same(r.results[0].subject, "host"));
}

/* --- what a result has ------------------------------------------------------------------------ */

TEST(the_row_answers_what_a_run_function_leaves_open)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_REPORT struct report r = { 0 };

	n_registry = 0;
	add("a.general", SEVERITY_INFO, SCOPE_HOST, fail);
	add("a.own", SEVERITY_INFO, SCOPE_HOST, fail_with_remedy);
	add("a.pass", SEVERITY_INFO, SCOPE_HOST, pass);
	add(CAPABILITY, SEVERITY_INFO, SCOPE_PF, pass);
	one_function(&t);
	run_all(&t, &r);
	EXPECT(r.results[0].finding.remedy.n == 1);
	EXPECT(same(r.results[0].finding.remedy.items[0], "Do that."));
	EXPECT(r.results[1].finding.remedy.n == 1);
	EXPECT(same(r.results[1].finding.remedy.items[0], "Do this."));
	EXPECT(r.results[2].finding.remedy.n == 0);
	EXPECT(r.results[0].finding.actor == ACTOR_NIC && r.results[2].finding.actor == ACTOR_OS);
}

TEST(what_a_profile_says_is_where_a_run_function_starts)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_REPORT struct report r = { 0 };
	struct profile_level levels[] = {
		{ .check = &registry[0], .severity = SEVERITY_INFO },
		{ .check = &registry[1], .severity = SEVERITY_INFO },
		{ .check = &registry[2], .severity = SEVERITY_REQUIRED },
	};
	const struct profile p = { .levels = levels, .n = ARRAY_SIZE(levels) };
	const struct report_options o = { .profile = &p };

	n_registry = 0;
	add("a.lowered", SEVERITY_REQUIRED, SCOPE_HOST, fail);
	add("a.raised_again", SEVERITY_RECOMMENDED, SCOPE_HOST, raise_and_fail);
	add("a.not_lowered", SEVERITY_INFO, SCOPE_HOST, lower_and_fail);
	add(CAPABILITY, SEVERITY_INFO, SCOPE_PF, pass);
	one_function(&t);
	EXPECT(report_run(t.h, &o, &r, NULL) == 0);
	EXPECT(r.results[0].finding.severity == SEVERITY_INFO);
	EXPECT(r.results[1].finding.severity == SEVERITY_REQUIRED);
	EXPECT(r.results[2].finding.severity == SEVERITY_REQUIRED);
}

TEST(a_matter_of_x86_does_not_arise_elsewhere)
{
	static const struct {
		const char *cpuinfo, *config;
		enum verdict x86, arm_too;
	} hosts[] = {
		{ .cpuinfo = "processor\t: 0\nflags\t\t: fpu\n",
		  .x86 = VERDICT_FAIL,
		  .arm_too = VERDICT_FAIL },
		{ .cpuinfo = "processor\t: 0\nCPU implementer\t: 0x41\n",
		  .x86 = VERDICT_NA,
		  .arm_too = VERDICT_FAIL },
		{ .cpuinfo = "processor\t: 0\nhart\t\t: 0\n",
		  .config = "CONFIG_RISCV=y\n",
		  .x86 = VERDICT_NA,
		  .arm_too = VERDICT_NA },
		/* Not known to be another: the question arises. */
		{ .cpuinfo = "", .x86 = VERDICT_FAIL, .arm_too = VERDICT_FAIL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_REPORT struct report r = { 0 };

		n_registry = 0;
		add("a.x86", SEVERITY_REQUIRED, SCOPE_HOST, fail);
		add("a.arm", SEVERITY_REQUIRED, SCOPE_HOST, fail);
		add(CAPABILITY, SEVERITY_REQUIRED, SCOPE_PF, pass);
		registry[0].needs = NEED_X86;
		registry[1].needs = NEED_X86_OR_ARM;
		TREE(&t, { .path = "/proc/cpuinfo", .text = hosts[i].cpuinfo },
		     { .path = "/proc/sys/kernel/osrelease", .text = "6.1.0\n" },
		     { .path = "/boot/config-6.1.0",
		       .text = hosts[i].config ? hosts[i].config : "" });
		run_all(&t, &r);
		EXPECT(r.results[0].verdict == hosts[i].x86);
		EXPECT(r.results[1].verdict == hosts[i].arm_too);
	}
}

TEST(counts)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_REPORT struct report r = { 0 };

	n_registry = 0;
	add("a.1", SEVERITY_INFO, SCOPE_HOST, pass);
	add("a.2", SEVERITY_INFO, SCOPE_HOST, fail);
	add("a.3", SEVERITY_INFO, SCOPE_HOST, na);
	add("a.4", SEVERITY_INFO, SCOPE_HOST, unknown);
	add("a.5", SEVERITY_INFO, SCOPE_HOST, unknown);
	add(CAPABILITY, SEVERITY_REQUIRED, SCOPE_PF, pass);
	one_function(&t);
	run_all(&t, &r);
	EXPECT(r.counts[VERDICT_PASS] == 2 && r.counts[VERDICT_FAIL] == 1);
	EXPECT(r.counts[VERDICT_NA] == 1 && r.counts[VERDICT_UNKNOWN] == 2);
}

TEST(the_machine_is_named_as_far_as_it_is_known)
{
	AUTO_TREE struct tree some = { 0 }, none = { 0 };
	AUTO_REPORT struct report r = { 0 }, q = { 0 };

	n_registry = 0;
	add(CAPABILITY, SEVERITY_REQUIRED, SCOPE_PF, pass);
	TREE(&some, { .path = "/proc/sys/kernel/osrelease", .text = "6.1.0\n" },
	     { .path = "/sys/class/dmi/id/sys_vendor", .text = "Dell Inc.\n" },
	     { .path = "/sys/class/dmi/id/product_name", .text = "PowerEdge R750\n" },
	     { .path = "/sys/class/dmi/id/bios_version", .text = "1.2.3\n" },
	     { .path = "/sys/class/dmi/id/bios_date", .text = "01/02/2023\n" });
	run_all(&some, &r);
	EXPECT(same(r.root, some.dir) && same(r.kernel, "6.1.0"));
	EXPECT(same(r.vendor, "Dell Inc.") && same(r.product, "PowerEdge R750"));
	EXPECT(same(r.bios, "1.2.3 of 01/02/2023"));
	tree_new(&none);
	run_all(&none, &q);
	EXPECT(same(q.root, none.dir) && !q.kernel && !q.vendor && !q.product && !q.bios);
}

TEST(every_readiness_has_a_name)
{
	static const char *const names[] = { "ready", "warnings", "not-ready", "unknown" };

	for (int i = 0; i < READINESS_MAX; i++)
		EXPECT(same(readiness_name((enum readiness)i), names[i]));
}
