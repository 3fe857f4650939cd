/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The "match" of a spec: which function is meant.  The port of a function is its function
 * number: it is there without a driver and for every class, and each PF of a card has its
 * own.  dev_port and phys_port_name are not looked at: they come and go with the driver, the
 * first tells apart interfaces of one PF, and the second is that of several where a port is
 * shared among PFs.
 */
#ifndef CHECKS_FACTS_SPEC_TARGET_H
#define CHECKS_FACTS_SPEC_TARGET_H

#include "spec_model.h"

struct json;

/* 0, -EINVAL, or -ENOMEM; what was taken is in @ret in any case, for spec_free(). */
int spec_target_read(const struct spec *s, const struct json *j, struct spec_target *ret,
		     struct error *e) MUST_USE;

#endif
