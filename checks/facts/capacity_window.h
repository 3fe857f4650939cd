/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a port lets through to the functions below it, by its registers (PCI-to-PCI Bridge
 * Architecture, 3.2.5.6 and 3.2.5.8): an address outside of its windows reaches none of them.
 */
#ifndef FACTS_CAPACITY_WINDOW_H
#define FACTS_CAPACITY_WINDOW_H

#include <sriovctl/base.h>

struct host;
struct pf;

/* Is a VF BAR known to be at an address that the port above is known not to let through? */
bool capacity_window_shuts_out(const struct host *h, const struct pf *pf);

#endif
