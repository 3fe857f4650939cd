/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a check says of a host that was made of texts: its one result for a subject. */
#ifndef TESTS_JUDGED_H
#define TESTS_JUDGED_H

#include "imported.h"

#include <sriovctl/report.h>

#include <string.h>

static inline bool judged(const struct host *h, const char *id, const char *subject,
			  enum verdict verdict)
{
	AUTO_REPORT struct report r = { 0 };
	AUTO_STRV struct strv only = { 0 };
	struct report_options o = { 0 };
	struct error e = { 0 };
	bool found = false;

	EXPECT(strv_add(&only, id) == 0);
	o.only = only;
	EXPECT(report_run(h, &o, &r, &e) == 0);
	for (size_t i = 0; i < r.n_results; i++) {
		const struct result *it = &r.results[i];

		if (strcmp(it->subject, subject) != 0)
			continue;
		/* One subject has one result. */
		EXPECT(!found);
		found = true;
		if (it->verdict != verdict)
			printf("# %s of %s: %d, %s\n", id, subject, it->verdict,
			       it->finding.summary);
		else
			verdict = VERDICT_MAX;
	}
	return found && verdict == VERDICT_MAX;
}

#endif
