/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of compatibility that a command line asks for: --compat FILE over those of the host.
 */
#ifndef CMD_COMPAT_ASK_H
#define CMD_COMPAT_ASK_H

#include <sriovctl/base.h>

struct compat;
struct error;
struct host;
struct strv;

/* -EINVAL, and others of files that cannot be read, each with the file's name. */
int compat_ask(const struct host *h, const struct strv *files, struct compat *ret,
	       struct error *e) MUST_USE;

#endif
