/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PCI Express link of a function to the port above it, as both ends know it: from
 * config space, else from sysfs (PCI Express Base Specification, 7.5.3; Linux
 * Documentation/ABI/testing/sysfs-bus-pci, current_link_speed and the like).
 *
 * Speeds are indices as in the registers, 1 = 2.5 GT/s ... 6 = 64 GT/s, widths are
 * lanes; 0 is not known for both.  A link that rests or changes is not judged.
 */
#ifndef SRIOVCTL_PCILINK_H
#define SRIOVCTL_PCILINK_H

#include <sriovctl/base.h>

struct error;
struct host;

struct pcilink_end {
	unsigned max_speed, max_width, speed, width;
	unsigned target_speed; /* that software has set for it; 0: not known */
	bool retrained;	       /* for reliability, since the bit was last cleared (LBMS) */
	int error;	       /* 0, or why nothing of it is known */
};

enum pcilink_state {
	PCILINK_STEADY,
	PCILINK_NONE,	 /* integrated, conventional, virtual or tunnelled: none to be judged */
	PCILINK_RESTING, /* not in D0, or changing: look again */
	PCILINK_UNKNOWN,
};

struct pcilink {
	enum pcilink_state state;
	const char *why;      /* a phrase; NULL when steady */
	bool asleep;	      /* resting, because an end is not in D0 */
	bool woken;	      /* it slept, and was held awake for this look */
	bool autonomous;      /* an end says that it changed by itself, to save power */
	bool is_unsure;	      /* or could, whose registers were not read */
	bool rests_by_itself; /* a kind of device that slows its link without saying so */
	struct pcilink_end own, port;
	char *port_name; /* NULL: not known */
};

/*
 * Looked at once, and kept with the host.  -ENOMEM only; all else is in the state.  @bdf is a
 * PF: the link of a VF is its PF's.
 */
int pcilink_get(const struct host *h, const char *bdf, const struct pcilink **ret,
		struct error *e) MUST_USE;

/* What is asked of a link, and the answer. */
enum pcilink_aspect { PCILINK_SPEED, PCILINK_WIDTH };
enum pcilink_judgement {
	PCILINK_BEST,	   /* all that the card can */
	PCILINK_PORT_BEST, /* all that the port can, which is less than the card can */
	PCILINK_SLOWED,	   /* less than both can, and perhaps only while there is nothing to do */
	PCILINK_DEGRADED,  /* less than both can */
	PCILINK_UNDECIDED,
};
enum pcilink_judgement pcilink_judge(const struct pcilink *l, enum pcilink_aspect what);

unsigned pcilink_now(const struct pcilink_end *end, enum pcilink_aspect what);
unsigned pcilink_max(const struct pcilink_end *end, enum pcilink_aspect what);

/* "8 GT/s"; "an unknown speed". */
const char *pcilink_speed_name(unsigned index);

#endif
