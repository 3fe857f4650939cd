/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processors that show by what is in them: root ports and functions of no other than Arm's. */
#ifndef CHECKS_FACTS_MACHINE_SOC_H
#define CHECKS_FACTS_MACHINE_SOC_H

#include <sriovctl/base.h>

struct host;

/* True where one was found; false proves nothing. */
bool machine_soc_is_arm(const struct host *h);

#endif
