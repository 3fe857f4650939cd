/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/finding.h>

#include <sriovctl/buf.h>
#include <sriovctl/host.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The text as a string of its own; NULL with the error noted. */
static char *take_text(struct finding *f, struct buf *b)
{
	char *text = buf_take(b);

	if (!text)
		f->error = -ENOMEM;
	return text;
}

static void set_summary(struct finding *f, struct buf *b)
{
	free(f->summary);
	f->summary = take_text(f, b);
}

#define SUMMARIZE(f, fmt)              \
	do {                           \
		struct buf b_ = { 0 }; \
		BUF_FORMAT(&b_, fmt);  \
		set_summary(f, &b_);   \
	} while (0)

enum verdict finding_pass(struct finding *f, const char *fmt, ...)
{
	SUMMARIZE(f, fmt);
	return VERDICT_PASS;
}

enum verdict finding_na(struct finding *f, const char *fmt, ...)
{
	SUMMARIZE(f, fmt);
	return VERDICT_NA;
}

enum verdict finding_fail(struct finding *f, enum actor actor, const char *fmt, ...)
{
	SUMMARIZE(f, fmt);
	f->actor = actor;
	return VERDICT_FAIL;
}

enum verdict finding_unknown(struct finding *f, const char *fmt, ...)
{
	SUMMARIZE(f, fmt);
	return VERDICT_UNKNOWN;
}

const char *finding_path(struct finding *f, const char *fmt, ...)
{
	struct buf b = { 0 };
	char *path;

	BUF_FORMAT(&b, fmt);
	path = take_text(f, &b);
	if (strv_take(&f->paths, path) < 0) {
		f->error = -ENOMEM;
		return "";
	}
	return path;
}

const char *finding_text(struct finding *f, const struct buf *b)
{
	if (buf_error(b) < 0)
		f->error = -ENOMEM;
	return buf_text(b);
}

static void free_evidence(struct evidence *v)
{
	free(v->source);
	free(v->observed);
	free(v->expected);
}

static bool is_noted(const struct finding *f, const struct evidence *v)
{
	for (size_t i = 0; i < f->n_evidence; i++) {
		const struct evidence *it = &f->evidence[i];

		if (strcmp(it->source, v->source) == 0 && strcmp(it->observed, v->observed) == 0 &&
		    strcmp(it->expected, v->expected) == 0)
			return true;
	}
	return false;
}

void finding_note(struct finding *f, const char *source, const char *expected, const char *observed,
		  ...)
{
	struct evidence *all = base_room(f->evidence, f->n_evidence, sizeof(*all));
	struct buf seen = { 0 };
	struct evidence v;

	BUF_FORMAT(&seen, observed);
	v = (struct evidence){
		.source = strdup(source),
		.observed = take_text(f, &seen),
		.expected = strdup(expected ? expected : ""),
	};
	if (all)
		f->evidence = all;
	if (!all || !v.source || !v.observed || !v.expected)
		f->error = -ENOMEM;
	if (f->error < 0 || is_noted(f, &v))
		free_evidence(&v);
	else
		f->evidence[f->n_evidence++] = v;
}

/* What would let a foreign root, or this process, answer. */
static void remedy_unread(struct finding *f, const struct host *h, const char *source, int r)
{
	if (host_is_partial(h) && (r == -EACCES || r == -EPERM))
		finding_remedy(f, "Give the user who runs the check access to the root.");
	else if (host_is_partial(h))
		finding_remedy(f, "Add %s of the host to the captured root.", source);
	else if (r == -EACCES || r == -EPERM)
		finding_remedy(f, "Run the check as root.");
	else if (r == -ENOMEDIUM)
		finding_remedy(f, "Capture the host again, with this version of the program.");
	else if (r == -ETIMEDOUT)
		finding_remedy(f,
			       "Find the process that hangs in a write to /sys or in a change of a "
			       "network interface (state D in ps), end it, then run the check "
			       "again.");
	else
		finding_remedy(f,
			       "Run the check on the host, outside the container, where %s can be "
			       "read.",
			       source);
}

void finding_unread(struct finding *f, const struct host *h, const char *source, int r)
{
	switch (r) {
	case -ENOMEM:
		f->error = r;
		return;
	case -EACCES:
	case -EPERM:
		finding_note(f, source, NULL, "permission denied");
		break;
	case -ENOENT:
		finding_note(f, source, NULL, "absent");
		break;
	case -ENODATA:
		finding_note(f, source, NULL,
			     host_is_partial(h) ? "not captured" : "hidden from this process");
		break;
	case -ENOMEDIUM:
		finding_note(f, source, NULL, "not captured");
		break;
	default:
		finding_note(f, source, NULL, "unreadable: %s", host_why(h, r));
	}
	remedy_unread(f, h, source, r);
}

void finding_remedy(struct finding *f, const char *fmt, ...)
{
	struct buf b = { 0 };
	char *text;

	BUF_FORMAT(&b, fmt);
	text = take_text(f, &b);
	if (text && strv_has(&f->remedy, text))
		free(text);
	else if (strv_take(&f->remedy, text) < 0)
		f->error = -ENOMEM;
}

void finding_karg(struct finding *f, bool removal, const char *word)
{
	struct strv *v = removal ? &f->kargs.remove : &f->kargs.add;

	if (!strv_has(v, word) && strv_add(v, word) < 0)
		f->error = -ENOMEM;
}

void finding_follows(struct finding *f, const char *id)
{
	f->follows = id;
	finding_remedy(f, "First fix %s.", id);
}

enum verdict finding_nomem(struct finding *f)
{
	f->error = -ENOMEM;
	return VERDICT_UNKNOWN;
}

void finding_raise(struct finding *f, enum severity to)
{
	if (to > f->severity)
		f->severity = to;
}

void finding_done(struct finding *f)
{
	for (size_t i = 0; i < f->n_evidence; i++)
		free_evidence(&f->evidence[i]);
	free(f->evidence);
	free(f->summary);
	strv_done(&f->remedy);
	kargs_done(&f->kargs);
	strv_done(&f->paths);
	*f = (struct finding){ 0 };
}
