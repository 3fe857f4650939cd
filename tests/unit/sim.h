/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host that behaves as the kernel does, for those who change it: sriov_numvfs goes by way
 * of 0 and takes all with it, drivers bind by override or autoprobe, settings want the PF up,
 * carrier, trust or no driver.  Each write and read may be made to fail, to lie, or to be the
 * last one.  A struct sim without padding that counts: two are compared by sim_equal().
 */
#ifndef TESTS_SIM_H
#define TESTS_SIM_H

#include <sriovctl/apply.h>
#include <sriovctl/step.h>

#include <setjmp.h>

#define SIM_PFS	   2
#define SIM_VFS	   12
#define SIM_NAME   16
#define SIM_DRIVER "vfdrv" /* knows the ids of the VFs */

/* What kind of PF this is; never changed by a write. */
struct sim_kind {
	const char *driver;
	uint32_t total, granted; /* granted: fewer are made than asked for */
	enum pfstate_queues queues;
	uint32_t unsupported; /* settings of a VF, a bit for each */
	bool no_autoprobe, no_eswitch;
	bool resets;		/* with the number of VFs the MTU and the eswitch fall back */
	bool spoof_wants_trust; /* spoofchk off only with trust; else as above */
	bool spoof_wants_mac;	/* no address is taken away with spoofchk on */
};

struct sim_vf {
	uint64_t n[SETTING_END];
	char driver[SIM_NAME], override[SIM_NAME];
	char name[SIM_NAME]; /* of its interface */
};

struct sim {
	uint64_t n[SIM_PFS][SETTING_PF_END];
	struct sim_vf vf[SIM_PFS][SIM_VFS];
};

enum sim_fault {
	SIM_FAILS,	 /* an error, and nothing happened */
	SIM_FAILS_LATE,	 /* an error, and it happened */
	SIM_LIES,	 /* success, and nothing happened */
	SIM_DIES_BEFORE, /* the writer is killed */
	SIM_DIES_AFTER,
	SIM_HANGS, /* -EINPROGRESS */
};

struct sim_host {
	struct sim now;
	struct sim_kind kind[SIM_PFS];
	/* What udev would call the interface of a VF; empty: as it likes. */
	char names[SIM_PFS][SIM_VFS][SIM_NAME];
	size_t n_pfs;
	bool carrier;
	uint32_t held;	   /* VFs of PF 0 that somebody has, a bit for each */
	unsigned comes_at; /* with this write somebody takes VF comes_to of PF 0; 0: nobody */
	uint32_t comes_to;
	/* What the last look saw. */
	uint32_t seen, seen_pf, seen_first, seen_last;
	/* Faults. */
	unsigned fault_at[2]; /* counts writes from 1; 0: none */
	enum sim_fault fault[2];
	unsigned again; /* every write says -EAGAIN so many times first */
	unsigned late;	/* every value can be read only at the so manyth look */
	bool stop_at_once;
	unsigned stop_after; /* writes; 0: never */
	jmp_buf killed;
	/* What was done. */
	unsigned writes, guards, peeks; /* looks at who uses VFs */
	unsigned tries, looks;
	bool blocked; /* a VF was taken from who had it: never to happen */
	bool unseen;  /* somebody was asked of who was not looked for: nor this */
};

void sim_init(struct sim_host *h);
bool sim_equal(const struct sim_host *a, const struct sim_host *b);
/* Prints where they differ. */
void sim_tell(const struct sim_host *a, const struct sim_host *b);
/* The state as pfstates_read() would tell it. */
void sim_read(const struct sim_host *h, struct pfstates *ret);
/* The same functions with nothing asked of them, and room for all VFs. */
void sim_wish(const struct sim_host *h, struct pfstates *ret);
struct effector sim_effector(struct sim_host *h);
/* One write by the rules alone. */
int sim_write(struct sim_host *h, const struct step *s, const struct setting_value *v);
/* For struct apply_options. */
bool sim_stop(void *ctx);

#endif
