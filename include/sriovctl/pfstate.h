/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A physical function and its VFs as a list of settings: what a host has now
 * (pfstates_read), and in the same shape what is wanted of it (spec_resolve), where each
 * value that is not asked for is SETTING_UNSET.  A plan is what leads from one to the other.
 */
#ifndef SRIOVCTL_PFSTATE_H
#define SRIOVCTL_PFSTATE_H

#include <sriovctl/setting.h>
#include <sriovctl/strv.h>

struct error;
struct host;
struct links_item;
struct pciconf;

/* How the queues of a VF are set, by its PF's driver. */
enum pfstate_queues {
	PFSTATE_QUEUES_UNKNOWN,
	PFSTATE_QUEUES_FIXED,	 /* at what the driver gives */
	PFSTATE_QUEUES_MSIX,	 /* sriov_vf_msix_count, of a VF without a driver */
	PFSTATE_QUEUES_CHANNELS, /* ethtool channels of the VF's own interface */
	PFSTATE_QUEUES_TOTAL,	 /* by how many VFs there are: ixgbe, ice */
	PFSTATE_QUEUES_NVME,	 /* NVMe virtualization management: VQ and VI resources */
};

struct pfstate_vf {
	char *bdf;			       /* NULL: not known, as of a wish */
	char *netdev;			       /* NULL: none here */
	struct setting_value set[SETTING_END]; /* from SETTING_PF_END on */
	/* Of a wish: a setting that the driver lacks is a failure; a bit for each. */
	uint32_t required;
	/* Of a host: who uses it, a sentence each; none: nobody was seen to. */
	struct strv holders;
};

/* Which card it is, whatever its address; each may not be known. */
struct pfstate_identity {
	char *ids;    /* "8086:10c9:8086:a03c": vendor and device, and those of the subsystem */
	char *serial; /* of an NVMe controller; one word */
	uint64_t dsn; /* Device Serial Number; 0: none */
};

struct pfstate {
	char *bdf;	 /* "0000:3b:00.0"; of netdevsim and the like the name of the device */
	char *sysfs;	 /* "/sys/bus/pci/devices/0000:3b:00.0" */
	char *netdev;	 /* NULL: none, or another namespace has it */
	char *driver;	 /* NULL: none bound */
	bool is_network; /* has VF settings by rtnetlink */
	uint64_t permanent_mac; /* 0: not known, and @mac_error says why */
	int mac_error;
	struct pfstate_identity identity;
	enum pfstate_queues queues;
	uint64_t queues_fixed; /* of PFSTATE_QUEUES_FIXED, TOTAL: what a VF has; 0: not known */
	uint32_t total;	       /* sriov_totalvfs */
	bool carrier;
	struct setting_value set[SETTING_PF_END];
	struct pfstate_vf *vfs; /* by index, all of them */
	size_t n_vfs;
	/* Who would notice that the PF is interrupted: default route, bond ...; a sentence each. */
	struct strv users;
	/*
	 * Not empty: the look for users of VFs could not be complete, why, and how to run
	 * instead; every VF bound to vfio then counts as held.
	 */
	char *blind;
};

struct pfstates {
	struct pfstate *items;
	size_t n;
};

/*
 * The state of these functions.  What cannot be read is in the values; a negative return is
 * -ENOMEM, -ENODEV (no such function, named in @e), or that the functions cannot be listed.
 */
int pfstates_read(const struct host *h, const struct strv *bdfs, struct pfstates *ret,
		  struct error *e) MUST_USE;
void pfstates_done(struct pfstates *v);
#define AUTO_PFSTATES CLEANUP(pfstates_done)

const struct pfstate *pfstates_find(const struct pfstates *v, const char *bdf);

/* Why something of a function is not known, for a person. */
const char *pfstate_why(int error);

void pfstate_identity_done(struct pfstate_identity *id);
/* What is not known of one of them speaks against nothing. */
bool pfstate_identity_differs(const struct pfstate_identity *a, const struct pfstate_identity *b);
int pfstate_identity_copy(const struct pfstate_identity *from,
			  struct pfstate_identity *ret) MUST_USE;

/*
 * What an interface says of one of its VFs, for who asks anew: @ret from SETTING_MAC to
 * SETTING_RSS_QUERY.  Believed only where it tells of VFs 0 to count - 1, each once.
 */
int pfstate_of_link(const struct links_item *link, uint32_t vf,
		    struct setting_value ret[SETTING_END]) MUST_USE;

/* What sriov_vf_msix_count of a VF was told, by its configuration space; as pciconf_msix(). */
int pfstate_vectors(const struct pfstate *pf, const struct pciconf *vf, uint64_t *ret) MUST_USE;

/* Room for @n VFs, each with nothing set: 0 or -ENOMEM.  What is there stays. */
int pfstate_set_vfs(struct pfstate *p, size_t n) MUST_USE;

#endif
