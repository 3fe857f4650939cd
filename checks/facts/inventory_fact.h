/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the facts of an inventory are filled: memory that runs out is noted with the
 * reader, and told once at the end.
 */
#ifndef CHECKS_FACTS_INVENTORY_FACT_H
#define CHECKS_FACTS_INVENTORY_FACT_H

#include <sriovctl/base.h>
#include <sriovctl/error.h>

struct host;
struct inventory;
struct inventory_fact;
struct inventory_pf;
struct links;
struct links_item;
struct pcidev;
struct pcidevs;
struct strv;

struct inventory_reader {
	const struct host *h;
	const struct pcidevs *devices;
	const struct links *links; /* NULL: @links_error says why */
	struct error links_error;
};

void inventory_fact_text(struct inventory_reader *rd, struct inventory_fact *f, const char *text);
void inventory_fact_number(struct inventory_fact *f, int64_t number);
/* @error -ENOENT: there is none. */
void inventory_fact_error(struct inventory_reader *rd, struct inventory_fact *f, int error,
			  const char *why);

/*
 * -ENODATA for an -ENOENT below a function of which not even the file "resource" was kept,
 * which each has: a dump of configuration spaces made into a tree.
 */
int inventory_fact_absence(const struct inventory_reader *rd, const char *bdf, int error);
/* Why, where a reader below has no sentence of its own. */
const char *inventory_fact_why(const struct inventory_reader *rd, int error);

/*
 * Of the interfaces of a device, by its folder: does this one stand for a VF, in switchdev
 * mode?
 */
bool inventory_net_is_representor(const struct host *h, const char *folder, const char *name);
/* The first network interface of the function that stands for the function and not for a VF of it.
 */
void inventory_net_name(struct inventory_reader *rd, const char *bdf, struct inventory_fact *ret);
/* All that rtnetlink and the driver tell of a PF whose name is known, and of its VFs. */
void inventory_net_fill(struct inventory_reader *rd, const struct pcidev *dev,
			struct inventory_pf *pf);

/* Who uses the functions that are listed. */
int inventory_users_fill(struct inventory_reader *rd, struct inventory *v,
			 struct error *e) MUST_USE;

#endif
