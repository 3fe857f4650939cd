/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known about network adapters that a host cannot say itself (data/nics.json):
 * which can have VFs, so that a capability switched off in a card's firmware is found,
 * how it is switched on there, and which drivers make VFs when sriov_numvfs is written.
 * A card or driver that is not in the table is not known, which is no answer.
 */
#ifndef SRIOVCTL_NICS_H
#define SRIOVCTL_NICS_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;
struct kernel;

struct nics_family {
	const char *name;      /* "ConnectX-5" */
	const char *driver;    /* of its physical functions */
	const char *vf_driver; /* of its virtual ones; NULL: not known */
	const char *switch_on; /* for nics_switch_on(); NULL: no command of its own is known */
	uint32_t limit;	       /* VFs that the driver allows at most; 0: it depends on the card */
};

struct nics_id {
	uint16_t vendor, device, mask; /* of the device id: the bits that count */
	bool is_vf;
	const struct nics_family *family;
};

enum nics_creates {
	NICS_CREATES_UNKNOWN, /* not in the table, or in newer kernels than this only */
	NICS_CREATES,	      /* its sriov_configure answers a write of sriov_numvfs */
	NICS_CREATES_NOT,
};

struct nics_driver {
	const char *name;
	bool creates;
	unsigned major, minor; /* of the kernel where it was first seen to; 0.0: any */
	const char *how;       /* how VFs are made without; NULL: they are not */
};

struct nics {
	struct json *table; /* the texts above are in it */
	struct nics_family *families;
	size_t n_families;
	struct nics_id *ids;
	size_t n_ids;
	struct nics_driver *drivers;
	size_t n_drivers;
};

/* The table, read once for a host.  -ENOMEM, or -EINVAL when it is damaged, which a test excludes.
 */
int nics_get(const struct host *h, const struct nics **ret, struct error *e) MUST_USE;
void nics_done(struct nics *n);

/* NULL: not in the table. */
const struct nics_id *nics_find(const struct nics *n, uint16_t vendor, uint16_t device);
const struct nics_driver *nics_find_driver(const struct nics *n, const char *name);

/* @k: the kernel that the driver runs in, NULL where it is not known. */
enum nics_creates nics_creates(const struct nics *n, const char *driver, const struct kernel *k);

/* Appends the sentence that switches VFs on in the firmware of the card at @bdf; false: none. */
bool nics_switch_on(const struct nics_family *f, const char *bdf, struct buf *ret);

#endif
