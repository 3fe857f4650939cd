/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/report.h>

#include <sriovctl/buf.h>
#include <sriovctl/dmi.h>
#include <sriovctl/error.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/machine.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>

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

/* The severity counts here, and the row's own is what a run function starts from. */
static enum verdict run_check(const struct check *c, const struct check_input *in,
			      struct finding *f)
{
	enum verdict v;

	f->actor = c->actor;
	f->severity = c->severity;
	if ((c->needs & NEED_X86) && machine_is_not_x86(in->host))
		return finding_na(f, "this is no x86 machine, and %s is a matter of x86", c->id);
	v = c->run(in, f);
	if (v == VERDICT_FAIL && f->remedy.n == 0)
		finding_remedy(f, "%s", c->remedy);
	return v;
}

static struct result *new_result(struct report *r)
{
	size_t size = r->size ? r->size * 2 : 32;
	struct result *results;

	if (r->n_results == r->size) {
		results = reallocarray(r->results, size, sizeof(*results));
		if (!results)
			return NULL;
		r->results = results;
		r->size = size;
	}
	r->results[r->n_results] = (struct result){ 0 };
	return &r->results[r->n_results++];
}

static int add_result(struct report *r, const struct check *c, const struct check_input *in,
		      struct error *e)
{
	AUTO_BUF struct buf name = { 0 };
	struct result *result = new_result(r);
	int r_name;

	if (!result)
		return error_nomem(e);
	result->check = c;
	result->subject = strdup(in->pf ? in->pf->name : HOST_SUBJECT);
	r_name = in->pf ? pcidev_netdev(in->host, in->pf, &name) : -ENOENT;
	if (r_name == 0)
		result->name = buf_take(&name);
	result->verdict = run_check(c, in, &result->finding);
	if (!result->subject || r_name == -ENOMEM || (r_name == 0 && !result->name) ||
	    result->finding.error < 0)
		return error_nomem(e);
	return 0;
}

static bool is_wanted(const struct report_options *o, const struct check *c)
{
	return (o->only.n == 0 || strv_has(&o->only, c->id)) && !strv_has(&o->skip, c->id);
}

/* Every wanted check of this scope on this subject. */
static int run_scope(struct report *r, const struct report_options *o, enum scope scope,
		     const struct check_input *in, struct error *e)
{
	const struct check *c;
	int err = 0;

	for (size_t i = 0; err == 0 && (c = check_at(i)); i++)
		if (c->scope == scope && is_wanted(o, c))
			err = add_result(r, c, in, e);
	return err;
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

static int run_functions(struct report *r, const struct host *h, const struct report_options *o,
			 struct error *e)
{
	const struct check *capability = check_find("pf.sriov_capability");
	struct check_input in = { .host = h, .vfs = o->vfs, .queues = o->queues };
	const struct pcidevs *devices = NULL;
	size_t subjects = 0;
	int err = 0;

	if (pcidevs_get(h, &devices, NULL) == 0) {
		for (size_t i = 0; err == 0 && i < devices->n; i++) {
			in.pf = &devices->items[i];
			if (!is_subject(o, h, in.pf))
				continue;
			subjects++;
			err = run_scope(r, o, SCOPE_PF, &in, e);
		}
	}
	/* No function at all is an answer of its own: it must not look like a ready host. */
	in.pf = NULL;
	if (err == 0 && subjects == 0 && is_wanted(o, capability))
		err = add_result(r, capability, &in, e);
	return err;
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
		r->left_out += c->severity == SEVERITY_REQUIRED && !is_wanted(o, c);
	for (size_t i = 0; i < r->n_results; i++)
		r->counts[r->results[i].verdict]++;
	r->readiness = judge(r);
}

/* @ret: a copy of what the firmware says, or NULL where it says nothing; false: no memory. */
static bool copy_text(const struct dmi_text *text, char **ret)
{
	*ret = text->text ? strdup(text->text) : NULL;
	return !text->text || *ret;
}

static bool copy_bios(const struct dmi *d, char **ret)
{
	struct buf bios = { 0 };

	if (!d->bios_version.text)
		return true;
	buf_puts(&bios, d->bios_version.text);
	if (d->bios_date.text)
		buf_printf(&bios, " of %s", d->bios_date.text);
	*ret = buf_take(&bios);
	return *ret;
}

/* What is not known stays NULL; only memory can fail. */
static int identify(struct report *r, const struct host *h, struct error *e)
{
	const struct kernel *kernel = NULL;
	const struct dmi *dmi = NULL;
	bool complete;

	r->profile = "sriov";
	r->root = strdup(host_root(h));
	complete = r->root;
	if (kernel_get(h, &kernel, NULL) == 0)
		complete = (r->kernel = strdup(kernel->release)) && complete;
	if (dmi_get(h, &dmi, NULL) == 0)
		complete = complete && copy_text(&dmi->vendor, &r->vendor) &&
			   copy_text(&dmi->product, &r->product) && copy_bios(dmi, &r->bios);
	return complete ? 0 : error_nomem(e);
}

int report_run(const struct host *h, const struct report_options *o, struct report *ret,
	       struct error *e)
{
	AUTO_REPORT struct report r = { 0 };
	int err = identify(&r, h, e);

	if (err == 0)
		err = run_scope(&r, o, SCOPE_HOST, &(struct check_input){ .host = h }, e);
	if (err == 0)
		err = run_functions(&r, h, o, e);
	/* Most of it took running out of memory for "not known": nothing of it holds. */
	if (err == 0 && host_ran_out(h))
		err = error_nomem(e);
	if (err < 0)
		return err;
	summarize(&r, o);
	*ret = r;
	r = (struct report){ 0 };
	return 0;
}

void report_done(struct report *r)
{
	for (size_t i = 0; i < r->n_results; i++) {
		free(r->results[i].subject);
		free(r->results[i].name);
		finding_done(&r->results[i].finding);
	}
	free(r->results);
	free(r->root);
	free(r->kernel);
	free(r->vendor);
	free(r->product);
	free(r->bios);
	*r = (struct report){ 0 };
}
