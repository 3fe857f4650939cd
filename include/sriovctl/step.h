/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is to be known of a step: whom it disturbs and what it needs.  Much of that is up to
 * the PF's driver; step_driver.c is the one table of it, with its sources.
 */
#ifndef SRIOVCTL_STEP_H
#define SRIOVCTL_STEP_H

#include <sriovctl/plan.h>

#define STEP_TAKES	(1u << 0) /* a VF, or its driver, is taken from who uses it */
#define STEP_RESETS	(1u << 1) /* the VF is reset below who uses it */
#define STEP_INTERRUPTS (1u << 2) /* the PF does not carry traffic for a while */

/* Of writing @to where @from was: STEP_* of a step done, or undone. */
unsigned step_hazards(const struct pfstate *pf, const struct step *s,
		      const struct setting_value *from, const struct setting_value *to);
/* The same in words, or NULL: "resets the link of 0000:3b:00.0". */
const char *step_interrupts(const struct pfstate *pf, const struct step *s);

/* Has this value been reached?  "default" is reached by any driver. */
bool step_reached(const struct step *s, const struct setting_value *wanted,
		  const struct setting_value *now);

/* "set VF 3 of 0000:3b:00.0: vlan 100"; without the value where @v is NULL. */
void step_print(const struct pfstate *pf, const struct step *s, const struct setting_value *v,
		struct buf *ret);
/* The same of all VFs from the step's to @last: "set VFs 0-3 of 0000:3b:00.0: vlan 100". */
void step_print_vfs(const struct pfstate *pf, const struct step *s, uint32_t last,
		    const struct setting_value *v, struct buf *ret);

/* "trust on", "vlan 100". */
void step_print_value(enum setting s, const struct setting_value *v, struct buf *ret);

/* When a driver lets the mode of its embedded switch be changed. */
enum step_eswitch {
	STEP_ESWITCH_ANY,
	STEP_ESWITCH_NO_VFS,
	STEP_ESWITCH_WITH_VFS, /* switchdev only where there are VFs */
};

#define STEP_BIT(setting) (1u << (setting))

struct step_driver {
	const char *name; /* NULL: any that is not listed */
	uint32_t up;	  /* settings that want the PF up; a bit for each */
	uint32_t carrier; /* settings that want to know the speed of its link */
	uint32_t resets;  /* settings of a VF that reset it, and of the PF that reset all VFs */
	bool links_reset; /* a change of the number of VFs resets the PF's link */
	bool no_min_rate; /* a minimum rate is refused */
	bool only_8021q;  /* 802.1ad is refused */
	enum step_eswitch eswitch;
};

const struct step_driver *step_driver_find(const char *name);

#endif
