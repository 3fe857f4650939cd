/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A check is a row of a constant table under its run function: a claim, and how to
 * find out whether it is true.  Run functions are pure: a host in, a verdict and its
 * evidence out.  They neither print nor change anything.
 *
 *   pass     evidence for the claim was seen
 *   fail     evidence against it was seen
 *   na       the question does not arise on this host
 *   unknown  it arises and could not be answered; the remedy says what would answer it
 *
 * Missing privilege is unknown, never fail.  A failed check of severity recommended is
 * what reports call a warning.
 */
#ifndef SRIOVCTL_CHECK_H
#define SRIOVCTL_CHECK_H

#include <sriovctl/base.h>
#include <sriovctl/kargs.h>
#include <sriovctl/strv.h>

struct compat;
struct host;
struct modules_guest;
struct pcidev;
struct spec;
struct vf;

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_NA, VERDICT_UNKNOWN, VERDICT_MAX };
enum severity { SEVERITY_INFO, SEVERITY_RECOMMENDED, SEVERITY_REQUIRED, SEVERITY_MAX };
enum scope { SCOPE_HOST, SCOPE_PF, SCOPE_VF };
/* Who has to act when the check fails. */
enum actor {
	ACTOR_FIRMWARE,
	ACTOR_CMDLINE,
	ACTOR_OS,
	ACTOR_NIC,
	ACTOR_HARDWARE,
	ACTOR_VENDOR,
	ACTOR_MAX
};

/* The question does not arise on other architectures; the runner says so. */
#define NEED_X86	(1u << 0)
#define NEED_X86_OR_ARM (1u << 1)
/* Of a VF it asks what its PF has set, and nothing of its own function. */
#define NEED_SETTINGS (1u << 2)

/* One thing that was looked at: where, what was seen, what would be right ("" where nothing is). */
struct evidence {
	char *source, *observed, *expected;
};

/* What a run function leaves behind besides its verdict. */
struct finding {
	char *summary;
	struct evidence *evidence;
	size_t n_evidence;
	struct strv remedy;
	struct kargs kargs; /* what of the remedy is about the kernel command line */
	struct strv paths;  /* of finding_path() */
	enum actor actor;
	/* Preset to the row's; a run function may raise it, never lower it. */
	enum severity severity;
	/* The id of the check of whose failure this is a consequence; NULL: of none. */
	const char *follows;
	/* 0, or -ENOMEM: sticks, asked once by the runner. */
	int error;
};

struct check_input {
	const struct host *host;
	const struct pcidev *pf; /* of SCOPE_PF; of SCOPE_VF where it is on this host; or NULL */
	const struct vf *vf;	 /* of SCOPE_VF; or NULL */
	/* What a spec wants: of the function it is the entry @entry.  NULL: there is no spec. */
	const struct spec *spec;
	size_t entry;
	/* Of the kernel of guests that are to have the VFs; NULL: not told. */
	const struct modules_guest *guest_modules;
	/* Tables of compatibility; NULL: those of the program and of the host. */
	const struct compat *compat;
	/* VFs wanted of a function, and vectors of each VF; 0: what they offer by themselves. */
	uint32_t vfs, queues;
};

struct check {
	const char *id;	   /* "irq.remapping": a public contract, never reused, never renamed */
	const char *title; /* the claim */
	enum severity severity;
	enum scope scope;
	unsigned needs;
	enum verdict (*run)(const struct check_input *in, struct finding *f);
	enum actor actor;      /* the usual one; a finding may name another */
	const char *remedy;    /* said when a failing run function gave none of its own */
	const char *impact;    /* what goes wrong when the failure is ignored */
	const char *reference; /* document and section */
};

struct check_group {
	const struct check *checks;
	size_t n_checks;
};

#define CHECK_GROUP(name, rows) \
	const struct check_group name = { .checks = (rows), .n_checks = ARRAY_SIZE(rows) }

/* The check of this id, or NULL; and all of them in report order, NULL behind the last. */
const struct check *check_find(const char *id);
const struct check *check_at(size_t i);

const char *verdict_name(enum verdict v);
const char *severity_name(enum severity s);
const char *actor_name(enum actor a);

#endif
