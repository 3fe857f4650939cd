/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remedies in this machine's own words: its vendor's setup item, its distribution's tools. */
#ifndef CHECKS_REMEDY_H
#define CHECKS_REMEDY_H

#include <sriovctl/check.h>
#include <sriovctl/irqremap.h>
#include <sriovctl/platform.h>

struct finding;
struct host;
struct modules_info;
struct pf;

/* Switch the item on in firmware setup. */
void remedy_setup(struct finding *f, const struct host *h, enum platform_item item);

/* Switch SR-IOV of a card on, which may be an item of firmware setup too. */
void remedy_switch_on(struct finding *f, const struct host *h, const struct pf *pf);

/*
 * Who has to act where no IOMMU is described: whoever told the kernel not to look, else
 * firmware, or the hypervisor that makes a guest's.
 */
enum actor remedy_iommu_actor(const struct host *h);

/* Who has to act where interrupts are not remapped, for this cause. */
enum actor remedy_irqremap_actor(const struct host *h, enum irqremap_cause cause);

/*
 * True in Xen's first domain, where what is asked is Xen's: noted with what it would be, and with
 * the line of "xl dmesg" or the word of "xl info" that answers it.
 */
bool remedy_ask_xen(struct finding *f, const struct host *h, const char *answer);

/* Edit the kernel command line. */
void remedy_cmdline_add(struct finding *f, const struct host *h, const char *word);
void remedy_cmdline_remove(struct finding *f, const struct host *h, const char *word);

/*
 * True where module_blacklist on the command line names the module, or what has to be loaded
 * before it: the kernel refuses it to everybody.  Noted, with the edit.
 */
bool remedy_module_blacklist(struct finding *f, const struct host *h,
			     const struct modules_info *info, const char *name);

/*
 * The same of what keeps udev alone from loading it: blacklist in modprobe.d, and
 * modprobe.blacklist on the command line, which all count (modprobe.d(5), modprobe(8)).  Which of
 * them is returned, NULL where neither names the module; @ret: who has to act.
 */
const char *remedy_autoload(struct finding *f, const struct host *h,
			    const struct modules_info *info, const char *name, enum actor *ret);

/* Take out the line of modprobe.d that loads nothing in its place (modules_info.blocks). */
void remedy_install(struct finding *f, const struct modules_info *info);

#endif
