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
struct kconfig;
struct kernel;

struct nics_family {
	const char *name;      /* "ConnectX-5" */
	const char *driver;    /* of its physical functions */
	const char *vf_driver; /* of its VFs, where it is another; else the same */
	const char *switch_on; /* for nics_switch_on(); NULL: no command of its own is known */
};

struct nics_id {
	uint16_t vendor, device, mask; /* of the device id: the bits that count */
	bool is_vf;
	const struct nics_family *family;
};

enum nics_creates {
	NICS_CREATES_UNKNOWN, /* not in the table, in newer kernels only, or see nics_lacks() */
	NICS_CREATES,	      /* its sriov_configure answers a write of sriov_numvfs */
	NICS_CREATES_NOT,
};

/* Of a kernel; 0.0: any. */
struct nics_release {
	unsigned major, minor;
};

struct nics_driver {
	const char *name;
	bool creates;
	struct nics_release since; /* where it was first seen to */
	const char *how;	   /* how VFs are made without; NULL: they are not */
	/*
	 * A symbol of the kernel's configuration; NULL: none.  From @config_since on a driver
	 * built without made no VFs, until it was mended in releases of which no list is kept.
	 */
	const char *config;
	struct nics_release config_since;
};

/* Of a kind of VF, by its ids: bits for the VF BARs that it has, whole. */
struct nics_vf_bars {
	struct nics_id id;
	unsigned bars;
};

struct nics {
	struct json *table; /* the texts above are in it */
	struct nics_family *families;
	size_t n_families;
	struct nics_id *ids;
	size_t n_ids;
	struct nics_driver *drivers;
	size_t n_drivers;
	struct nics_vf_bars *vf_bars;
	size_t n_vf_bars;
};

/* Read once for a host.  -ENOMEM, or -EINVAL when it is damaged, which a test excludes. */
int nics_get(const struct host *h, const struct nics **ret, struct error *e) MUST_USE;
void nics_done(struct nics *n);

/* The same without a host. */
int nics_load(struct nics *ret, struct error *e) MUST_USE;

/* NULL: not in the table. */
const struct nics_id *nics_find(const struct nics *n, uint16_t vendor, uint16_t device);
/*
 * The adapter that lspci without -n calls @title, its vendor's name first; NULL: none, or several
 * have that name.
 */
const struct nics_id *nics_find_title(const struct nics *n, const char *title);
const struct nics_driver *nics_find_driver(const struct nics *n, const char *name);

/* Which VF BARs there are where the capability names these VFs; false: it is not known. */
bool nics_vf_bars(const struct nics *n, uint16_t vendor, uint16_t vf_device, unsigned *ret);

/* The kernel that the driver runs in, and its configuration: NULL where it is not known. */
enum nics_creates nics_creates(const struct nics *n, const char *driver, const struct kernel *k,
			       const struct kconfig *config);
/* The symbol that the driver needs and this kernel is known to lack; NULL: none. */
const char *nics_lacks(const struct nics *n, const char *driver, const struct kernel *k,
		       const struct kconfig *config);

/* Appends the sentence that switches VFs on in the firmware of the card at @bdf; false: none. */
bool nics_switch_on(const struct nics_family *f, const char *bdf, struct buf *ret);

#endif
