/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/report.h>

#include "pf_subject.h"
#include "report_entries.h"

#include <sriovctl/buf.h>
#include <sriovctl/dmi.h>
#include <sriovctl/error.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/machine.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>
#include <sriovctl/profile.h>
#include <sriovctl/vfs.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HOST_SUBJECT "host"

static const char *const readiness_names[] = {
	[READINESS_READY] = "ready",
	[READINESS_WARNINGS] = "warnings",
	[READINESS_NOT_READY] = "not-ready",
	[READINESS_UNKNOWN] = "unknown",
};
_Static_assert(ARRAY_SIZE(readiness_names) == READINESS_MAX, "every readiness has a name");

const char *readiness_name(enum readiness r)
{
	return readiness_names[r];
}

/* The severity counts here, and the profile's is what a run function starts from. */
static enum verdict run_check(const struct check *c, const struct check_input *in,
			      const struct profile *profile, struct finding *f)
{
	enum verdict v;

	f->actor = c->actor;
	f->severity = profile_severity(profile, c);
	if ((c->needs & NEED_X86) && machine_is_not_x86(in->host))
		return finding_na(f, "this is no x86 machine, and %s is a matter of x86", c->id);
	if ((c->needs & NEED_X86_OR_ARM) && machine_is_not_x86(in->host) &&
	    !machine_is_arm(in->host))
		return finding_na(f, "%s is known of x86 and Arm alone, and this is neither",
				  c->id);
	if (c->scope == SCOPE_PF && in->pf && !pf_subject_get(in, f, &v))
		return v;
	v = c->run(in, f);
	if (v == VERDICT_FAIL && f->remedy.n == 0)
		finding_remedy(f, "%s", c->remedy);
	return v;
}

/* What is being judged, and where the results go. */
struct run {
	struct report *report;
	const struct report_options *options;
	struct check_input in;
	const char *name;    /* the network interface of the subject, or NULL */
	const char *pf_name; /* of in.pf, where in.vf is the subject; or NULL */
};

/* NULL where @text is, and where memory ran out, which the host remembers. */
static char *copy(const struct host *h, const char *text)
{
	char *to = text ? strdup(text) : NULL;

	if (text && !to)
		(void)host_nomem(h, NULL);
	return to;
}

static struct result *new_result(struct report *r)
{
	struct result *results = base_room(r->results, r->n_results, sizeof(*results));

	if (!results)
		return NULL;
	r->results = results;
	r->results[r->n_results] = (struct result){ 0 };
	return &r->results[r->n_results++];
}

static void free_result(struct result *it)
{
	free(it->subject);
	free(it->name);
	free(it->pf);
	free(it->pf_name);
	finding_done(&it->finding);
}

static const char *subject_of(const struct check_input *in)
{
	if (in->vf && in->vf->dev)
		return in->vf->dev->name;
	return in->pf ? in->pf->name : HOST_SUBJECT;
}

static void add_result(const struct run *u, const struct check *c)
{
	struct result *result = new_result(u->report);

	if (!result) {
		(void)host_nomem(u->in.host, NULL);
		return;
	}
	result->check = c;
	result->subject = copy(u->in.host, subject_of(&u->in));
	result->name = copy(u->in.host, u->name);
	if (u->in.vf && u->in.vf->dev && u->in.pf) {
		result->pf = copy(u->in.host, u->in.pf->name);
		result->pf_name = copy(u->in.host, u->pf_name);
		result->index = u->in.vf->index;
	}
	result->verdict = run_check(c, &u->in, u->options->profile, &result->finding);
}

static bool is_wanted(const struct report_options *o, const struct check *c)
{
	return (o->only.n == 0 || strv_has(&o->only, c->id)) && !strv_has(&o->skip, c->id);
}

/* Every wanted check of this scope. */
static void run_scope(const struct run *u, enum scope scope)
{
	const struct check *c;

	for (size_t i = 0; (c = check_at(i)); i++)
		if (c->scope == scope && is_wanted(u->options, c))
			add_result(u, c);
}

static struct report_wish wish_of(const struct report_options *o, const char *bdf)
{
	for (size_t i = 0; o->wishes && i < o->pfs.n; i++)
		if (strcmp(o->pfs.items[i], bdf) == 0)
			return o->wishes[i];
	return o->wish;
}

static bool is_of_spec(const struct report_options *o, const char *bdf)
{
	return o->wishes && strv_has(&o->pfs, bdf);
}

static void run_function(const struct run *u, const struct pcidev *d)
{
	const struct report_wish wish = wish_of(u->options, d->name);
	AUTO_BUF struct buf name = { 0 };
	struct run own = *u;

	own.in.pf = d;
	own.in.vfs = wish.vfs;
	own.in.queues = wish.queues;
	own.in.entry = wish.entry;
	own.in.spec = is_of_spec(u->options, d->name) ? u->options->wanted : NULL;
	if (pcidev_netdev(u->in.host, d, &name) == 0)
		own.name = buf_text(&name);
	run_scope(&own, SCOPE_PF);
}

/* The functions that were named, or else those that have VFs or are of a kind that can. */
static bool is_subject(const struct report_options *o, const struct host *h, const struct pcidev *d)
{
	const struct pf *pf;

	if (o->pfs.n > 0)
		return strv_has(&o->pfs, d->name);
	pf = pf_of(h, d);
	return pf && pf_is_subject(pf);
}

static bool is_judged(const struct host *h, const struct pcidev *d)
{
	const struct pf *pf = pf_of(h, d);

	return pf && pf_subject_is_judged(pf);
}

static void run_functions(const struct run *u)
{
	const struct check *capability = check_find("pf.sriov_capability");
	const struct host *h = u->in.host;
	const struct pcidevs *devices = NULL;
	size_t judged = 0, n = pcidevs_get(h, &devices, NULL) == 0 ? devices->n : 0;

	for (size_t i = 0; i < n; i++) {
		if (!is_subject(u->options, h, &devices->items[i]))
			continue;
		judged += is_judged(h, &devices->items[i]);
		run_function(u, &devices->items[i]);
	}
	/* No function at all is an answer of its own: it must not look like a ready host. */
	if (judged == 0 && is_wanted(u->options, capability))
		add_result(u, capability);
}

/* --- VFs ---------------------------------------------------------------------------------- */

static bool is_vf_wanted(const struct run *u, const struct vf *vf)
{
	const struct strv *pfs = &u->options->pfs;

	return pfs->n == 0 || (vf->dev && strv_has(pfs, vf->dev->name)) ||
	       (vf->pf && strv_has(pfs, vf->pf->name));
}

/* One check of one VF. */
static void run_vf(const struct run *u, const struct check *c, const struct vf *vf)
{
	AUTO_BUF struct buf name = { 0 }, pf_name = { 0 };
	struct run own = *u;

	own.in.vf = vf;
	own.in.pf = vf->pf;
	if (pcidev_netdev(u->in.host, vf->dev ? vf->dev : vf->pf, &name) == 0)
		own.name = buf_text(&name);
	if (vf->pf && pcidev_netdev(u->in.host, vf->pf, &pf_name) == 0)
		own.pf_name = buf_text(&pf_name);
	if (vf->pf && is_of_spec(u->options, vf->pf->name)) {
		own.in.spec = u->options->wanted;
		own.in.entry = wish_of(u->options, vf->pf->name).entry;
	}
	add_result(&own, c);
}

/* A VF whose place is not known cannot be a subject: its function is, and the worst counts. */
static void run_unseen(const struct run *u, const struct check *c, const struct vfs *v)
{
	static const int worst[VERDICT_MAX] = {
		[VERDICT_FAIL] = 3, [VERDICT_UNKNOWN] = 2, [VERDICT_PASS] = 1
	};
	struct report *r = u->report;

	for (size_t k = v->n; k < v->n + v->n_unseen; k++) {
		const struct vf *vf = &v->items[k];
		struct result *now, *before;

		if (!is_vf_wanted(u, vf))
			continue;
		run_vf(u, c, vf);
		if (k == v->n || v->items[k - 1].pf != vf->pf || r->n_results < 2)
			continue;
		now = &r->results[r->n_results - 1];
		before = now - 1;
		if (worst[now->verdict] > worst[before->verdict]) {
			const struct result swap = *before;

			*before = *now;
			*now = swap;
		}
		free_result(now);
		r->n_results--;
	}
}

/* Check by check: what is so of many VFs is then found together. */
static void run_vfs(const struct run *u)
{
	const struct vfs *v = NULL;
	const struct check *c;

	for (size_t i = 0; (c = check_at(i)); i++) {
		if (c->scope != SCOPE_VF || !is_wanted(u->options, c))
			continue;
		/* Where they cannot be listed, vf.present says so of their functions. */
		if (vfs_get(u->in.host, &v, NULL) < 0)
			return;
		for (size_t k = 0; k < v->n; k++)
			if (is_vf_wanted(u, &v->items[k]))
				run_vf(u, c, &v->items[k]);
		if (c->needs & NEED_SETTINGS)
			run_unseen(u, c, v);
	}
}

static enum readiness judge(const struct report *r)
{
	enum readiness verdict = READINESS_READY;

	for (size_t i = 0; i < r->n_results; i++) {
		const struct result *it = &r->results[i];
		enum severity severity = it->finding.severity;

		if (it->verdict == VERDICT_FAIL && severity == SEVERITY_REQUIRED)
			return READINESS_NOT_READY;
		if (it->verdict == VERDICT_UNKNOWN && severity == SEVERITY_REQUIRED)
			verdict = READINESS_UNKNOWN;
		if (it->verdict == VERDICT_FAIL && severity == SEVERITY_RECOMMENDED &&
		    verdict == READINESS_READY)
			verdict = READINESS_WARNINGS;
	}
	return r->left_out > 0 ? READINESS_UNKNOWN : verdict;
}

static void summarize(struct report *r, const struct report_options *o)
{
	const struct check *c;

	for (size_t i = 0; (c = check_at(i)); i++)
		r->left_out +=
			profile_severity(o->profile, c) == SEVERITY_REQUIRED && !is_wanted(o, c);
	for (size_t i = 0; i < r->n_results; i++)
		r->counts[r->results[i].verdict]++;
	r->readiness = judge(r);
}

static char *copy_bios(const struct host *h, const struct dmi *d)
{
	AUTO_BUF struct buf bios = { 0 };

	if (!d->bios_version.text)
		return NULL;
	buf_puts(&bios, d->bios_version.text);
	if (d->bios_date.text)
		buf_printf(&bios, " of %s", d->bios_date.text);
	if (buf_error(&bios) < 0)
		(void)host_nomem(h, NULL);
	return copy(h, buf_text(&bios));
}

static void note_profile(struct report *r, const struct host *h, const struct profile *p)
{
	r->profile = copy(h, p ? p->name : profile_names[0]);
	for (size_t i = 0; p && i < p->overrides.n; i++)
		if (strv_add(&r->overrides, p->overrides.items[i]) < 0)
			(void)host_nomem(h, NULL);
	r->is_default_profile = !p || (p->overrides.n == 0 && p->n == 0);
}

/* What is not known stays NULL. */
static void identify(struct report *r, const struct host *h)
{
	const struct kernel *kernel = NULL;
	const struct dmi *dmi = NULL;

	r->root = copy(h, host_root(h));
	if (kernel_get(h, &kernel, NULL) == 0)
		r->kernel = copy(h, kernel->release);
	if (dmi_get(h, &dmi, NULL) < 0)
		return;
	r->vendor = copy(h, dmi->vendor.text);
	r->product = copy(h, dmi->product.text);
	r->bios = copy_bios(h, dmi);
}

static void note_asked(struct report *r, const struct host *h, const struct report_options *o)
{
	if (!o->wishes)
		return;
	r->spec = copy(h, o->spec);
	r->asked = calloc(o->pfs.n + 1, sizeof(*r->asked));
	if (!r->asked)
		(void)host_nomem(h, NULL);
	for (; r->asked && r->n_asked < o->pfs.n; r->n_asked++)
		r->asked[r->n_asked] =
			(struct report_asked){ .subject = copy(h, o->pfs.items[r->n_asked]),
					       .wish = o->wishes[r->n_asked] };
}

/* Most of a report takes running out of memory for "not known": nothing of it holds then. */
static bool ran_out(const struct report *r, const struct host *h)
{
	for (size_t i = 0; i < r->n_results; i++)
		if (r->results[i].finding.error < 0)
			return true;
	return host_ran_out(h);
}

int report_run(const struct host *h, const struct report_options *o, struct report *ret,
	       struct error *e)
{
	AUTO_REPORT struct report r = { 0 };
	const struct run run = {
		.report = &r,
		.options = o,
		.in.host = h,
		.in.guest_modules = o->guest_modules,
		.in.compat = o->compat,
	};

	note_profile(&r, h, o->profile);
	identify(&r, h);
	note_asked(&r, h, o);
	run_scope(&run, SCOPE_HOST);
	run_functions(&run);
	run_vfs(&run);
	if (ran_out(&r, h))
		return error_nomem(e);
	summarize(&r, o);
	report_entries_make(&r);
	*ret = r;
	r = (struct report){ 0 };
	return 0;
}

void report_done(struct report *r)
{
	for (size_t i = 0; i < r->n_results; i++)
		free_result(&r->results[i]);
	free(r->results);
	for (size_t i = 0; i < r->n_asked; i++)
		free(r->asked[i].subject);
	free(r->asked);
	free(r->spec);
	free(r->profile);
	strv_done(&r->overrides);
	free(r->root);
	free(r->kernel);
	free(r->vendor);
	free(r->product);
	free(r->bios);
	*r = (struct report){ 0 };
}
