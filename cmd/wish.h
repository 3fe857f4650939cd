/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a spec wishes, in the form that change_host() carries out. */
#ifndef CMD_WISH_H
#define CMD_WISH_H

#include "change.h"

struct spec;

struct wish {
	struct spec *spec;
	const struct strv *skip; /* ids of checks whose failure does not matter */
};

/* Its @ctx is @w. */
struct change_wish wish_change(struct wish *w);

#endif
