/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --kernel-args shows: the words and who asks for them, the lines that change, the end. */
#ifndef CMD_KERNEL_ARGS_PRINT_H
#define CMD_KERNEL_ARGS_PRINT_H

#include <sriovctl/kargs.h>
#include <sriovctl/kargs_plan.h>

struct error;

struct kernel_args_page {
	const char *output;
	const struct kargs *words;
	const struct strv *add_by, *remove_by; /* of each word the checks; NULL: nobody was asked */
	const struct kargs_plan *plan;
	const struct strv *notes;
	bool runs; /* the generator of the plan is run here */
};

/* The first part of a text, or all of a JSON document; @result is one word. */
int kernel_args_print(const struct kernel_args_page *p, const char *result, struct error *e);
bool kernel_args_print_is_text(const struct kernel_args_page *p);

#endif
