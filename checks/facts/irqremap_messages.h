/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether interrupts are remapped by the messages that functions have to send (MSI), as their
 * configuration spaces show them.  Of a capture only: on the machine itself the chips tell.
 */
#ifndef CHECKS_FACTS_IRQREMAP_MESSAGES_H
#define CHECKS_FACTS_IRQREMAP_MESSAGES_H

#include <sriovctl/irqremap.h>

struct buf;

/* Into @observed a message that shows it. */
enum irqremap_state irqremap_messages_state(const struct host *h, struct buf *observed);

#endif
