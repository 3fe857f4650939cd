/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The errors of PCI Express that the kernel has counted of a function since boot (Linux
 * Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats), where that function reports
 * them.  -ENOENT: it does not, or the kernel (before 4.19, or pci=noaer) does not count.
 */
#ifndef SRIOVCTL_AER_H
#define SRIOVCTL_AER_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;

struct aer {
	uint64_t correctable, nonfatal, fatal;
};
int aer_read(const struct host *h, const char *bdf, struct aer *ret, struct error *e) MUST_USE;

/* The kinds that were counted, "BadTLP 3, RxErr 1", of "correctable", "nonfatal" or "fatal". */
void aer_kinds(const struct host *h, const char *bdf, const char *which, struct buf *ret);

/*
 * How many correctable errors of any function were counted within the second of a second
 * look, which is taken only where there were some before.  Not of a plain tree: -ENODATA.
 */
#define AER_SECONDS 1
struct aer_growth {
	struct aer_grown {
		char *bdf;
		uint64_t more;
	} * items; /* all that had some; by name */
	size_t n;
};
int aer_growth_get(const struct host *h, const struct aer_growth **ret, struct error *e) MUST_USE;
void aer_growth_done(struct aer_growth *g);
/* NULL: it was not looked at. */
const struct aer_grown *aer_growth_find(const struct aer_growth *g, const char *bdf);

/* The total in the text of one of the files, "TOTAL_ERR_COR 4"; -EBADMSG: there is none. */
int aer_parse_total(const char *text, uint64_t *ret) MUST_USE;
/* Lines "BDF MORE". */
int aer_parse_growth(const char *text, struct aer_growth *ret) MUST_USE;

#endif
