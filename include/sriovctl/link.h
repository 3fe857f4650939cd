/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PCI Express link of a function to the port above it, as both ends know it: from
 * config space, else from sysfs (PCI Express Base Specification, 7.5.3; Linux
 * Documentation/ABI/testing/sysfs-bus-pci, current_link_speed and the like).
 *
 * Speeds are indices as in the registers, 1 = 2.5 GT/s ... 6 = 64 GT/s, widths are
 * lanes; 0 is not known for both.  A link that rests or changes is not judged.
 */
#ifndef SRIOVCTL_LINK_H
#define SRIOVCTL_LINK_H

#include <sriovctl/base.h>

struct error;
struct host;

struct link_end {
	unsigned max_speed, max_width, speed, width;
	unsigned target_speed; /* that software has set for it; 0: not known */
	bool retrained;	       /* for reliability, since the bit was last cleared (LBMS) */
	int error;	       /* 0, or why nothing of it is known */
};

enum link_state {
	LINK_STEADY,
	LINK_NONE,    /* integrated, conventional, virtual or tunnelled: none to be judged */
	LINK_RESTING, /* not in D0, or changing: look again */
	LINK_UNKNOWN,
};

struct link {
	enum link_state state;
	const char *why;      /* a phrase; NULL when steady */
	bool asleep;	      /* resting, because an end is not in D0 */
	bool woken;	      /* it slept, and was held awake for this look */
	bool autonomous;      /* an end says that it changed by itself, to save power */
	bool rests_by_itself; /* a kind of device that slows its link without saying so */
	struct link_end own, port;
	char *port_name; /* NULL: not known */
};

/*
 * Looked at once, and kept with the host.  -ENOMEM only; all else is in the state.  @bdf is a
 * PF: the link of a VF is its PF's.
 */
int link_get(const struct host *h, const char *bdf, const struct link **ret,
	     struct error *e) MUST_USE;

/* What is asked of a link, and the answer. */
enum link_aspect { LINK_SPEED, LINK_WIDTH };
enum link_judgement {
	LINK_BEST,	/* all that the card can */
	LINK_PORT_BEST, /* all that the port can, which is less than the card can */
	LINK_SLOWED,	/* less than both can, and perhaps only while there is nothing to do */
	LINK_DEGRADED,	/* less than both can */
	LINK_UNDECIDED,
};
enum link_judgement link_judge(const struct link *l, enum link_aspect what);

unsigned link_now(const struct link_end *end, enum link_aspect what);
unsigned link_max(const struct link_end *end, enum link_aspect what);

/* "8 GT/s"; "an unknown speed". */
const char *link_speed_name(unsigned index);

#endif
