/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What it promises. */
#ifndef SRIOVCTL_OWN_H
#define SRIOVCTL_OWN_H
#endif
