/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one place that runs another program: what makes a boot loader's own files, from a fixed
 * list, by its absolute path, without a shell, with an empty environment and no descriptor but
 * its output, which is kept for the error.  It has minutes; then it and all its kin are ended.
 */
#ifndef PROVISION_GENERATOR_H
#define PROVISION_GENERATOR_H

#include <sriovctl/kargs_plan.h>

/* Its path, or the first of several; NULL: nothing is run. */
const char *generator_name(enum kargs_generator g);

/* -ENOENT: there is none; -EIO: it failed, and @e has the end of what it said. */
int generator_run(enum kargs_generator g, struct error *e) MUST_USE;

#endif
