/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preflight.h"

#include "change.h"
#include "command.h"
#include "spec_ask.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/pfstate.h>
#include <sriovctl/report.h>
#include <sriovctl/spec.h>

#include <errno.h>

/* "ID of SUBJECT: summary. Remedy" */
static int tell(const struct result *it, const char *what, struct strv *notes)
{
	AUTO_BUF struct buf line = { 0 };
	const struct strv *remedy = &it->finding.remedy;

	buf_printf(&line, "%s %s of %s: %s.", it->check->id, what, it->subject,
		   it->finding.summary);
	for (size_t i = 0; i < remedy->n; i++)
		buf_printf(&line, " %s", remedy->items[i]);
	return buf_error(&line) < 0 ? -ENOMEM : strv_add(notes, buf_text(&line));
}

/* Only what a required check says stops; a failure that may be is told all the same. */
static int weigh(const struct report *r, const struct strv *skip, struct strv *notes,
		 struct error *e)
{
	int code = EXIT_READY, failed = 0;

	for (size_t i = 0; failed == 0 && i < r->n_results; i++) {
		const struct result *it = &r->results[i];
		bool fails = it->verdict == VERDICT_FAIL;

		if (!fails && it->verdict != VERDICT_UNKNOWN)
			continue;
		failed = tell(it, fails ? "fails" : "is not known", notes);
		if (!fails || it->finding.severity != SEVERITY_REQUIRED ||
		    strv_has(skip, it->check->id))
			continue;
		if (code == EXIT_READY)
			(void)error_set(e, -EPERM,
					"nothing was changed: %s fails: %s (--skip-preflight=%s "
					"goes on all the same)",
					it->check->id, it->finding.summary, it->check->id);
		code = EXIT_NOT_READY;
	}
	if (failed < 0) {
		(void)error_nomem(e);
		return EXIT_NOT_READY;
	}
	return code;
}

/* Where the plan gives a VF its vectors, those that it has now are not judged. */
static void let_be_given(struct spec_ask *a, const struct pfstates *is)
{
	for (size_t i = 0; i < a->options.pfs.n; i++) {
		const struct pfstate *p = pfstates_find(is, a->options.pfs.items[i]);

		if (p && p->queues == PFSTATE_QUEUES_MSIX)
			a->wishes[i].queues = 0;
	}
}

int preflight_run(const struct spec *s, const struct host *h, const struct pfstates *is,
		  const struct strv *skip, struct strv *notes, struct error *e)
{
	AUTO_SPEC_ASK struct spec_ask ask = { 0 };
	AUTO_REPORT struct report r = { 0 };

	int failed = spec_ask_make(s, NULL, h, &ask, e);

	if (failed < 0)
		return change_exit_of(failed);
	if (spec_preflight(s, &ask.options.only) < 0) {
		(void)error_nomem(e);
		return EXIT_NOT_READY;
	}
	let_be_given(&ask, is);
	if (ask.options.pfs.n == 0 || ask.options.only.n == 0)
		return EXIT_READY;
	if (report_run(h, &ask.options, &r, e) < 0)
		return EXIT_NOT_READY;
	return weigh(&r, skip, notes, e);
}
