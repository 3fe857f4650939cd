/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Help, printed from the tables of commands and options. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include <stddef.h>
#include <stdio.h>

struct command;

void help_commands(const struct command *const *commands, size_t n, FILE *out);
void help_command(const struct command *c, FILE *out);

#endif
