/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes a host have its VFs again after each boot, as files below a root: the running
 * system's, or one that is being installed, of which nothing else is read or run.
 *
 *   /etc/sriovctl/provision.json     the spec, as it was given; without it all else is inert
 *   /etc/sriovctl/installed          what of all this was put there, to be removed exactly
 *   /etc/systemd/system/...          a link that enables the unit, and the units themselves, the
 *   /etc/udev/rules.d/...            rule and the file for networkd, where no package has
 *   /etc/systemd/network/...         brought them
 *
 * What is installed was looked at and judged before the first change.  Files appear whole or not
 * at all, in an order in which whatever was cut off does nothing or what it did before; the next
 * run of either kind goes on from there.  A file that somebody has edited is not overwritten and
 * not removed, but refused.
 */
#ifndef SRIOVCTL_PERSIST_H
#define SRIOVCTL_PERSIST_H

#include <sriovctl/base.h>

struct error;
struct persist;
struct strv;

#define PERSIST_SPEC	 "/etc/sriovctl/provision.json"
#define PERSIST_IDENTITY "/var/lib/sriovctl/identity.json"

/*
 * What would have to be done so that @spec is kept; NULL: so that nothing is.  @replace: what
 * was edited as well; and which cards it was that a boot has found is forgotten.
 * -EEXIST: somebody has edited files, named in @e; -ENOEXEC: the root has no sriovctl that a
 * boot could start; else what prevented looking.  Until it is freed no other run has the root.
 */
int persist_plan(const char *root, const char *spec, bool replace, struct persist **ret,
		 struct error *e) MUST_USE;
void persist_free(struct persist *p);
void persist_free_p(struct persist **p);
#define AUTO_PERSIST CLEANUP(persist_free_p)

/* What it would do, a line for each change: "write PATH", "link PATH", "remove PATH". */
const struct strv *persist_changes(const struct persist *p);
int persist_carry_out(struct persist *p, struct error *e) MUST_USE;

#endif
