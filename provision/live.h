/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How each setting is written to the running system, and read back from it anew: never from
 * what was read before.  Every function may block; the process that runs them is one that
 * may be left behind (effector_live.c).
 */
#ifndef PROVISION_LIVE_H
#define PROVISION_LIVE_H

#include <sriovctl/holders.h>
#include <sriovctl/links.h>
#include <sriovctl/plan.h>

struct error;
struct nl_sock;

/* The last look at who uses VFs: of VF @first the first of @holders, and so on. */
struct live_users {
	uint32_t pf, first, last; /* what was asked for; there may be fewer VFs */
	bool holds;
	struct holders holders;
};

struct live {
	const struct pfstates *is;
	struct nl_sock *route; /* opened when first used */
	int kmsg;	       /* /dev/kmsg, at its end before each write; -1: none */
	int events;	       /* of devices; -1: none */
	/* The interface of PF @links_of with all VFs: until something is written, or waited for. */
	struct links links;
	uint32_t links_of; /* PLAN_OF_PF: none holds */
	struct live_users users;
	int64_t since;	     /* the first of the waits that go on */
	uint64_t driverless; /* one more than the PF of whose VFs no driver took one; 0: none */
};

void live_open(const struct pfstates *is, struct live *ret);
void live_close(struct live *l);

/* As in struct effector. */
int live_write(struct live *l, const struct step *s, const struct setting_value *v,
	       struct error *e) MUST_USE;
int live_read(struct live *l, const struct step *s, struct setting_value *ret,
	      struct error *e) MUST_USE;
int live_look(struct live *l, uint32_t pf, uint32_t first, uint32_t last, struct error *e) MUST_USE;
int live_guard(struct live *l, const struct step *s, struct error *e) MUST_USE;
int live_wait(struct live *l, const struct step *s, unsigned tries) MUST_USE;
int live_carrier(struct live *l, uint32_t pf, struct error *e) MUST_USE;

/* A request about one setting of one function. */
struct live_target {
	struct live *live;
	const struct pfstate *pf;
	uint32_t vf; /* or PLAN_OF_PF */
	enum setting what;
};

typedef int live_writer(const struct live_target *t, const struct setting_value *v,
			struct error *e);
typedef int live_reader(const struct live_target *t, struct setting_value *ret, struct error *e);

/* live_sysfs.c */
live_writer live_sysfs_write_number, live_sysfs_write_override, live_sysfs_write_msix;
live_reader live_sysfs_read_number, live_sysfs_read_override, live_sysfs_read_msix;
live_reader live_sysfs_read_vfs;
/* live_driver.c */
live_writer live_driver_write;
live_reader live_driver_read;
/* live_link.c */
live_writer live_link_write, live_link_write_vf;
live_reader live_link_read, live_link_read_vf;
/* live_name.c */
live_writer live_name_write;
live_reader live_name_read;
/* live_generic.c */
live_writer live_generic_write_eswitch, live_generic_write_channels;
live_reader live_generic_read_eswitch, live_generic_read_channels;
/* live_nvme.c */
live_writer live_nvme_write;
live_reader live_nvme_read;

/* The directory of the VF in sysfs, which is there; and the name of its network interface. */
int live_sysfs_vf(const struct live_target *t, struct buf *ret, struct error *e) MUST_USE;
int live_sysfs_vf_netdev(const struct live_target *t, struct buf *ret, struct error *e) MUST_USE;
/* The index of the PF's own interface, and of the VF's. */
int live_sysfs_index(const struct live_target *t, int *ret, struct error *e) MUST_USE;
int live_sysfs_vf_index(const struct live_target *t, int *ret, struct error *e) MUST_USE;
/* By its own name, of the interface of the VF. */
int live_link_rename(const struct live_target *t, int index, const char *name,
		     struct error *e) MUST_USE;
/* The last part of what a link points at. */
int live_sysfs_link(const char *path, struct buf *ret) MUST_USE;
/* @text to a file at once: 0 or a negative errno. */
int live_sysfs_put(const char *path, const char *text) MUST_USE;

#endif
