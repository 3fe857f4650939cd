/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a report or a table is printed.  One renderer per format; nothing is computed here. */
#ifndef CMD_RENDER_H
#define CMD_RENDER_H

#include <stdbool.h>
#include <stdio.h>

struct error;
struct explain;
struct report;
struct strv;
struct table;

struct render_style {
	const char *tool_version;
	bool colour; /* of text; never the only carrier of a meaning */
};

struct renderer {
	const char *name;
	/* 0 or -ENOMEM; whether @out took it all is for the caller to ask of @out. */
	int (*report)(const struct report *r, const struct render_style *style, FILE *out,
		      struct error *e);
	int (*table)(const struct table *t, const struct render_style *style, FILE *out,
		     struct error *e);
	/* Of the checks and topics that are named; without any: an overview, or all for programs.
	 */
	int (*explain)(const struct explain *x, const struct strv *words,
		       const struct render_style *style, FILE *out, struct error *e);
};

extern const struct renderer render_text, render_json;

/* Their names, NULL behind the last, for an option; and the one of such a name. */
extern const char *const render_names[];
const struct renderer *render_find(const char *name);

/* The other two of render_text. */
int render_table_text(const struct table *t, const struct render_style *style, FILE *out,
		      struct error *e);
int render_explain_text(const struct explain *x, const struct strv *words,
			const struct render_style *style, FILE *out, struct error *e);

#endif
