/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whom an entry of a report is about, in few words however many they are. */
#ifndef CMD_RENDER_SUBJECTS_H
#define CMD_RENDER_SUBJECTS_H

#include <sriovctl/base.h>

struct buf;
struct report;

/*
 * "0000:3b:00.0 (ens1f0), VFs 0-3,5 of 0000:3b:00.1 (ens1f1)"; @brief: "ens1f0, VFs 0-3,5 of
 * ens1f1".  Nothing for the host.  Returns how many they are.
 */
size_t subjects_print(const struct report *r, size_t entry, bool brief, struct buf *ret);

#endif
