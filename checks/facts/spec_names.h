/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the network interfaces of VFs are to be called: read from an entry, where the name has
 * SPEC_NAME_INDEX in it unless it is of one VF, and made for each VF, no two of them the same, and
 * none that of another interface of the host.
 * 0, -EINVAL with the place, or -ENOMEM.
 */
#ifndef CHECKS_FACTS_SPEC_NAMES_H
#define CHECKS_FACTS_SPEC_NAMES_H

#include "spec_model.h"

struct json;

/* What was taken is in @ret. */
int spec_names_read(const struct spec *s, const struct json *j, const struct spec_place *at,
		    struct spec_entry *ret, struct error *e) MUST_USE;
/* Of those VFs of @want whose driver makes an interface. */
int spec_names_make(const struct spec *s, const struct host *h, const struct pfstates *is,
		    struct pfstates *want, struct error *e) MUST_USE;

#endif
