/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a report is printed.  One file per format; nothing is computed here. */
#ifndef CMD_RENDER_H
#define CMD_RENDER_H

#include <stdbool.h>
#include <stdio.h>

struct error;
struct report;

struct render_style {
	const char *tool_version;
	bool colour; /* of text; never the only carrier of a meaning */
};

struct renderer {
	const char *name;
	/* 0 or -ENOMEM; whether @out took it all is for the caller to ask of @out. */
	int (*report)(const struct report *r, const struct render_style *style, FILE *out,
		      struct error *e);
};

extern const struct renderer render_text, render_json;

#endif
