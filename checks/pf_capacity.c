/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: how many VFs it can have, and what bounds them. */
#include "areas.h"
#include "pf_subject.h"
#include "remedy.h"

#include <sriovctl/buf.h>
#include <sriovctl/capacity.h>
#include <sriovctl/finding.h>
#include <sriovctl/pf.h>

#include <inttypes.h>

static const enum actor limit_actors[] = {
	[CAPACITY_DRIVER] = ACTOR_OS,	   [CAPACITY_TOTAL] = ACTOR_NIC,
	[CAPACITY_INITIAL] = ACTOR_VENDOR, [CAPACITY_LINK] = ACTOR_VENDOR,
	[CAPACITY_MMIO] = ACTOR_FIRMWARE,  [CAPACITY_BUS] = ACTOR_FIRMWARE,
	[CAPACITY_ARI] = ACTOR_FIRMWARE,   [CAPACITY_MSIX] = ACTOR_NIC,
};
_Static_assert(ARRAY_SIZE(limit_actors) == CAPACITY_MAX, "every limit has one who acts");

/* Those that are known; with @all the others too, to show what is missing. */
static void note_bounds(const struct capacity *c, bool all, struct finding *f)
{
	for (unsigned i = 0; i < CAPACITY_MAX; i++) {
		const struct capacity_bound *b = &c->bounds[i];

		if (!b->source || b->at_least == CAPACITY_ANY)
			continue;
		if (b->at_least == b->at_most)
			finding_note(f, b->source, NULL, "%s: at most %" PRIu32, b->detail,
				     b->at_most);
		else if (b->at_most != CAPACITY_ANY)
			finding_note(f, b->source, NULL, "%s: at most %" PRIu32 " to %" PRIu32,
				     b->detail, b->at_least, b->at_most);
		else if (all && b->at_least > 0)
			finding_note(f, b->source, NULL, "%s: %" PRIu32 " at least", b->detail,
				     b->at_least);
		else if (all)
			finding_note(f, b->source, NULL, "%s", b->detail);
	}
}

static void say_limit(const struct host *h, const struct pf *pf, const struct capacity *c,
		      struct finding *f)
{
	switch (c->bounded_by) {
	case CAPACITY_DRIVER:
		if (pf->dev->totalvfs_error < 0 || pf->dev->totalvfs == 0)
			finding_follows(f, "pf.sriov_capability");
		else if (pf->creates == NICS_CREATES_NOT)
			finding_follows(f, "pf.driver");
		break;
	case CAPACITY_TOTAL:
		if (c->at_most == 0)
			finding_follows(f, "pf.sriov_capability");
		else
			remedy_switch_on(f, h, pf);
		break;
	case CAPACITY_MMIO:
		finding_follows(f, "pf.vf_mmio");
		break;
	case CAPACITY_BUS:
		finding_follows(f, "pf.vf_bus");
		break;
	case CAPACITY_MSIX:
		finding_follows(f, "pf.msix");
		break;
	case CAPACITY_INITIAL:
	case CAPACITY_LINK:
		finding_remedy(f, "Update the card's firmware.");
		break;
	case CAPACITY_ARI:
	case CAPACITY_MAX:
		break;
	}
	if (c->at_most > 0)
		finding_remedy(f, "Or ask for %" PRIu32 " VFs or fewer.", c->at_most);
}

static enum verdict fail_count(const struct host *h, const struct pf *pf, const struct capacity *c,
			       struct finding *f)
{
	const struct capacity_bound *b = &c->bounds[c->bounded_by];
	const char *name = capacity_limit_name(c->bounded_by);
	enum actor actor = limit_actors[c->bounded_by];

	say_limit(h, pf, c, f);
	if (c->at_most == 0)
		return finding_fail(f, actor, "no VF is possible: %s (%s)", name, b->detail);
	if (c->at_least == c->at_most)
		return finding_fail(f, actor,
				    "%" PRIu32 " VFs are wanted, %" PRIu32 " are possible: %s (%s)",
				    c->wanted, c->at_most, name, b->detail);
	return finding_fail(
		f, actor, "%" PRIu32 " VFs are wanted, no more than %" PRIu32 " possible: %s (%s)",
		c->wanted, c->at_most, name, b->detail);
}

/* What would answer it depends on the bound that is not known. */
static enum verdict judge_unsure(const struct host *h, const struct pf *pf,
				 const struct capacity *c, struct finding *f)
{
	const struct capacity_bound *b = &c->bounds[c->unsure];

	if (pf->sriov_error < 0)
		pf_subject_unread(f, h, pf, pf->sriov_error);
	if (c->unsure == CAPACITY_ARI)
		finding_follows(f, "pf.ari");
	if (c->unsure == CAPACITY_DRIVER)
		finding_follows(f, "pf.driver");
	if (c->unsure == CAPACITY_MSIX)
		finding_remedy(f, "Make one VF and check again: its vectors show only then.");
	if (c->unsure == CAPACITY_MMIO) {
		finding_follows(f, "pf.vf_mmio");
		finding_remedy(f, "Do what pf.vf_mmio asks for.");
	}
	if (c->unsure == CAPACITY_BUS)
		finding_remedy(f, "Run the check as root on the host itself.");
	return finding_unknown(
		f, "whether %" PRIu32 " VFs are possible is not known, %" PRIu32 " are: %s (%s)",
		c->wanted, c->at_least, capacity_limit_name(c->unsure),
		b->detail ? b->detail : "not known");
}

static enum verdict run_count(const struct check_input *in, struct finding *f)
{
	AUTO_CAPACITY struct capacity c = { 0 };
	enum verdict v;
	const struct pf *pf = pf_subject_get(in, f, &v);

	if (!pf)
		return v;
	if (capacity_read(in->host, pf, in->vfs, in->queues, &c, NULL) < 0)
		return finding_nomem(f);
	note_bounds(&c, c.at_most > 0 && (c.wanted_error < 0 || c.wanted > c.at_least), f);
	if (c.at_most == 0 || (c.wanted_error == 0 && c.wanted > c.at_most))
		return fail_count(in->host, pf, &c, f);
	if (c.wanted_error < 0) {
		pf_subject_unread(f, in->host, pf, c.wanted_error);
		return finding_unknown(f, "how many VFs the function has is not known");
	}
	if (c.wanted == 0)
		return finding_na(f, "the function offers no VFs: see pf.sriov_capability");
	if (c.wanted > c.at_least)
		return judge_unsure(in->host, pf, &c, f);
	if (c.at_least < c.at_most)
		return finding_pass(f,
				    "%" PRIu32 " VFs are possible, and up to %" PRIu32 " certain",
				    c.wanted, c.at_least);
	return finding_pass(f, "%" PRIu32 " VFs are possible; %" PRIu32 " at most, by %s", c.wanted,
			    c.at_most, capacity_limit_name(c.bounded_by));
}

static const struct check checks[] = {
	{
		.id = "pf.vf_count",
		.title = "the wanted number of VFs is possible",
		.severity = SEVERITY_REQUIRED,
		.scope = SCOPE_PF,
		.run = run_count,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Ask for fewer VFs.",
		.impact = "A write of sriov_numvfs fails, or makes fewer VFs than asked for.",
		.reference = "PCI Express Base Specification, 9.3.3; Linux drivers/pci/iov.c, "
			     "sriov_enable()",
	},
};
CHECK_GROUP(pf_capacity_checks, checks);
