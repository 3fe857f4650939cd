/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the checks of VFIO. */
#ifndef CHECKS_VFIO_H
#define CHECKS_VFIO_H

#include <sriovctl/check.h>

struct modules_info;

/* vfio.safe: no switch that gives up a protection is on, nor will be at the next load. */
enum verdict vfio_safe_run(const struct check_input *in, struct finding *f);

/* modprobe.d has a command for a module, and what it does is not clear. */
void vfio_note_unclear(struct finding *f, const struct modules_info *info);

#endif
