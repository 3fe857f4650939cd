/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One imperative sentence, with the exact command, that changes the kernel command line
 * the way bootcfg.h found; where that is unknown it names no tool.  Each ends in the reboot it
 * takes.  Failures stick to the buf.
 */
#ifndef SRIOVCTL_BOOTCFG_REMEDY_H
#define SRIOVCTL_BOOTCFG_REMEDY_H

#include <sriovctl/bootcfg.h>

struct buf;

/*
 * @words: one or more words of a command line, separated by blanks: "intel_iommu=on iommu=pt".
 * Words that a shell would read otherwise get the sentence without a command, and
 * their unprintable bytes become '?'.
 */
void bootcfg_remedy_add(const struct bootcfg *cfg, const char *words, struct buf *ret);
void bootcfg_remedy_remove(const struct bootcfg *cfg, const char *words, struct buf *ret);

#endif
