/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat_say.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/finding.h>
#include <sriovctl/pcidev.h>

#include <errno.h>
#include <string.h>

#define BDF_MARKER "{bdf}"

bool compat_say_tables(const struct check_input *in, struct finding *f, const struct compat **ret,
		       enum verdict *ret_verdict)
{
	struct error e = { 0 };
	int r = 0;

	if (in->compat)
		*ret = in->compat;
	else
		r = compat_get(in->host, ret, &e);
	if (r == 0)
		return true;
	if (r == -ENOMEM) {
		*ret_verdict = finding_nomem(f);
		return false;
	}
	if (r == -EACCES || r == -EPERM) {
		finding_unread(f, in->host, COMPAT_DIR, r);
		*ret_verdict = finding_unknown(f, "this site's own versions cannot be read");
		return false;
	}
	finding_note(f, COMPAT_DIR, NULL, "%s", e.text);
	finding_remedy(f, "Mend the file: sriovctl compat lint FILE says what is wrong with it.");
	*ret_verdict = finding_unknown(f, "a file of this site's own versions cannot be read");
	return false;
}

bool compat_say_has_rows(const struct compat *c, enum compat_judges judges,
			 const struct compat_function *of, struct finding *f,
			 enum verdict *ret_verdict)
{
	AUTO_COMPAT_HITS struct compat_hits rows = { 0 };

	if (compat_judge_rows(c, judges, of, &rows) < 0) {
		*ret_verdict = finding_nomem(f);
		return false;
	}
	if (rows.n > 0)
		return true;
	*ret_verdict = finding_na(f, "not in the table: it has no version of such a card");
	return false;
}

const char *compat_say_family(const struct compat *c, const struct pcidev *d, struct finding *f)
{
	const struct compat_table *t;
	const struct compat_family *family;

	if (compat_family_of(c, d->vendor, d->device, &t, &family))
		return compat_text(t, family->name);
	return finding_path(f, "%04x:%04x", d->vendor, d->device);
}

const char *compat_say_update(const struct compat *c, const struct pcidev *d, struct finding *f)
{
	const struct compat_family *family;
	const struct compat_table *t;
	AUTO_BUF struct buf out = { 0 };
	const char *text = "", *marker;

	if (compat_family_of(c, d->vendor, d->device, &t, &family))
		text = compat_text(t, family->update);
	if (!*text)
		return "Update it with its vendor's tool";
	while ((marker = strstr(text, BDF_MARKER))) {
		buf_append(&out, text, (size_t)(marker - text));
		buf_puts(&out, d->name);
		text = marker + strlen(BDF_MARKER);
	}
	buf_puts(&out, text);
	return finding_path(f, "%s", finding_text(f, &out));
}

/* --- rows ---------------------------------------------------------------------------------- */

static const char *version_of(const struct compat_hit *hit)
{
	return compat_text(hit->table, hit->row->version.from);
}

void compat_say_row(const struct compat_hit *hit, struct finding *f)
{
	static const char *const sure[] = {
		[COMPAT_VERIFIED] = "", [COMPAT_DERIVED] = ", derived"
	};
	const struct compat_table *t = hit->table;
	const struct compat_row *r = hit->row;
	AUTO_BUF struct buf says = { 0 };

	if (r->says == COMPAT_MINIMUM)
		buf_printf(&says, "%s or newer: ", version_of(hit));
	if (r->fault)
		buf_puts(&says, compat_text(t, r->fault));
	else
		buf_printf(&says, "%s%s%s%s%s", version_of(hit), r->by ? ": " : "",
			   compat_text(t, r->by), r->with ? ", with " : "",
			   compat_text(t, r->with));
	buf_printf(&says, " (%s%s)", compat_text(t, r->source), sure[r->sure]);
	finding_note(f, finding_path(f, "compat %s", compat_text(t, r->id)), NULL, "%s",
		     finding_text(f, &says));
}

static void say_newest(const struct compat_judgement *j, struct finding *f)
{
	if (j->newest.row && j->newest.row != j->because.row)
		compat_say_row(&j->newest, f);
}

static void say_notes(const struct compat_judgement *j, struct finding *f)
{
	for (size_t i = 0; i < j->notes.n; i++)
		compat_say_row(&j->notes.items[i], f);
}

/* --- verdicts ------------------------------------------------------------------------------ */

static enum verdict fail_bad(const struct compat_say *say, const struct compat_judgement *j,
			     struct finding *f)
{
	const struct compat_hit *hit = &j->because;
	const char *fault = compat_text(hit->table, hit->row->fault);
	AUTO_BUF struct buf how = { 0 };

	compat_say_row(hit, f);
	say_newest(j, f);
	if (j->newest.row)
		buf_printf(&how, ", as to %s", version_of(&j->newest));
	if (hit->row->fix)
		buf_printf(&how, ". What helps: %s", compat_text(hit->table, hit->row->fix));
	finding_remedy(f, "%s%s.", say->update, finding_text(f, &how));
	return finding_fail(f, say->actor, "%s is known to be bad: %s", say->what, fault);
}

static enum verdict fail_old(const struct compat_say *say, const struct compat_judgement *j,
			     struct finding *f)
{
	const struct compat_hit *hit = &j->because;

	compat_say_row(hit, f);
	say_newest(j, f);
	finding_remedy(f, "%s, to %s or newer.", say->update, version_of(hit));
	if (hit->row->says == COMPAT_PAIRS)
		return finding_fail(f, say->actor, "%s is older than %s, which goes with driver %s",
				    say->what, version_of(hit),
				    compat_text(hit->table, hit->row->driver.from));
	return finding_fail(f, say->actor, "%s is older than %s, the oldest that should be used",
			    say->what, version_of(hit));
}

static enum verdict unknown_new(const struct compat_say *say, const struct compat_judgement *j,
				struct finding *f)
{
	compat_say_row(&j->newest, f);
	finding_remedy(
		f,
		"Compare with the vendor's list of versions that go together; a row in " COMPAT_DIR
		" answers it for this site.");
	if (j->newest.row->says == COMPAT_PAIRS && j->because.row == j->newest.row)
		return finding_unknown(f, "%s is newer than %s, which goes with driver %s",
				       say->what, version_of(&j->newest),
				       compat_text(j->newest.table, j->newest.row->driver.from));
	return finding_unknown(f, "%s is newer than any tested; newest tested: %s", say->what,
			       version_of(&j->newest));
}

static enum verdict unknown_uncovered(const struct compat_say *say,
				      const struct compat_judgement *j, struct finding *f)
{
	say_newest(j, f);
	finding_remedy(
		f,
		"Compare with the vendor's list of versions that go together; a row in " COMPAT_DIR
		" answers it for this site.");
	if (!j->newest.row)
		return finding_unknown(f, "%s is not in the table", say->what);
	return finding_unknown(f, "%s is not in the table; newest tested: %s", say->what,
			       version_of(&j->newest));
}

static enum verdict unknown_condition(const struct compat_say *say,
				      const struct compat_judgement *j, struct finding *f)
{
	compat_say_row(&j->because, f);
	finding_remedy(f, "See whether this host is meant: sriovctl compat show tells what the row "
			  "holds for.");
	return finding_unknown(f, "%s may be bad: %s", say->what,
			       compat_text(j->because.table, j->because.row->fault));
}

static enum verdict pass_fits(const struct compat_say *say, const struct compat_judgement *j,
			      struct finding *f)
{
	if (j->because.row)
		compat_say_row(&j->because, f);
	say_newest(j, f);
	if (j->because.row && j->because.row->says == COMPAT_PAIRS)
		return finding_pass(f, "%s is the one that goes with driver %s", say->what,
				    compat_text(j->because.table, j->because.row->driver.from));
	if (!j->newest.row)
		return finding_pass(f, "nothing bad is known of %s, and it is not too old",
				    say->what);
	return finding_pass(f, "nothing bad is known of %s; newest tested: %s", say->what,
			    version_of(&j->newest));
}

enum verdict compat_say_judgement(const struct compat_say *say, const struct compat_judgement *j,
				  struct finding *f)
{
	say_notes(j, f);
	switch (j->verdict) {
	case COMPAT_NO_ROWS:
		return finding_na(f, "not in the table: it has no %s", say->kind);
	case COMPAT_UNREADABLE:
		finding_remedy(f, "Look at the version yourself, and report its form.");
		return finding_unknown(f, "the version cannot be read: %s", say->why->text);
	case COMPAT_IS_BAD:
		return fail_bad(say, j, f);
	case COMPAT_MAY_BE_BAD:
		return unknown_condition(say, j, f);
	case COMPAT_TOO_OLD:
		return fail_old(say, j, f);
	case COMPAT_FITS:
		return pass_fits(say, j, f);
	case COMPAT_TOO_NEW:
		return unknown_new(say, j, f);
	case COMPAT_NOT_COVERED:
	case COMPAT_VERDICTS:
		break;
	}
	return unknown_uncovered(say, j, f);
}
