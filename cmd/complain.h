/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line on stderr, "sriovctl: ...", with nothing in it that a terminal would obey. */
#ifndef CMD_COMPLAIN_H
#define CMD_COMPLAIN_H

#include <sriovctl/base.h>

void complain(const char *fmt, ...) PRINTF(1, 2);

#endif
