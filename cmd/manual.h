/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The manual page and bash's completion, made from the tables of commands, options and checks. */
#ifndef CMD_MANUAL_H
#define CMD_MANUAL_H

#include <stddef.h>
#include <stdio.h>

struct command;

/* For man(7) of groff and mandoc. */
void manual_page(const struct command *const *commands, size_t n, FILE *out);
/* A script that bash reads. */
void manual_completion(const struct command *const *commands, size_t n, FILE *out);

#endif
