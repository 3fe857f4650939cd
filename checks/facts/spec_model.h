/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A spec as it was read: what each key of each entry says and where, before entries are laid
 * over each other.  spec_read.c makes it; the other files of the spec read it.
 */
#ifndef CHECKS_FACTS_SPEC_MODEL_H
#define CHECKS_FACTS_SPEC_MODEL_H

#include <sriovctl/setting.h>
#include <sriovctl/spec.h>

/* What a number of VFs may be at most: the kernel's u16. */
#define SPEC_VFS_MAX 65535
/* Entries of one function. */
#define SPEC_ENTRIES_MAX 4096

/* Where a thing was said; @key is its name, of static storage, or NULL. */
struct spec_place {
	size_t offset;
	const char *key;
};

struct spec_value {
	bool is_set;
	struct spec_place at;
	uint64_t number;
};

/* The keys of a VF. */
enum spec_key {
	SPEC_MAC,
	SPEC_VLAN,
	SPEC_VLAN_PROTO, /* an index into spec_protos */
	SPEC_QOS,
	SPEC_TRUST,
	SPEC_SPOOFCHK,
	SPEC_MIN_RATE,
	SPEC_MAX_RATE,
	SPEC_LINK_STATE,
	SPEC_RSS_QUERY,
	SPEC_MTU,
	SPEC_QUEUES,
	SPEC_DRIVER, /* an enum spec_driver */
	SPEC_NAME,
	SPEC_KEYS
};

enum spec_driver {
	SPEC_DRIVER_NAMED,
	SPEC_DRIVER_NONE,
	SPEC_DRIVER_DEFAULT,
};

/* Stands for the index of a VF. */
#define SPEC_NAME_INDEX "{vf}"

/* One entry of "vf". */
struct spec_entry {
	struct spec_place at;
	bool is_all;
	uint32_t first, last;
	struct spec_value values[SPEC_KEYS];
	char driver[SETTING_NAME_MAX];
	char name[SETTING_NAME_MAX]; /* with SPEC_NAME_INDEX in it, where there are several VFs */
	uint32_t required;	     /* a bit for each setting */
};

struct spec_target {
	struct spec_place at;
	/* Exactly one of these. */
	bool by_mac, by_id;
	char *pci, *slot, *netdev;
	uint64_t mac;
	uint16_t vendor, device;
	struct spec_value node, port;
};

enum spec_policy {
	SPEC_POLICY_DERIVE,
	SPEC_POLICY_POOL,
	SPEC_POLICY_KEEP,
	SPEC_POLICY_NONE,
};

struct spec_pf {
	struct spec_place at;
	struct spec_target target;
	struct spec_value vfs;
	bool max_vfs;
	struct spec_value mtu, eswitch;
	struct spec_value policy, first; /* of "mac" */
	/* "*", then by width from wide to narrow: the later one wins. */
	struct spec_entry *entries;
	size_t n_entries;
};

struct spec {
	char *name; /* of the file; NULL: these are options of a command line */
	char *text;
	struct spec_pf *pfs;
	size_t n;
};

/* -EINVAL, behind "NAME:LINE:COLUMN: KEY: " or "--OPTION: ". */
int spec_refuse(const struct spec *s, const struct spec_place *at, struct error *e, const char *fmt,
		...) PRINTF(4, 5);
/* "LINE:COLUMN" */
void spec_where(const struct spec *s, const struct spec_place *at, struct buf *ret);

void spec_pf_done(struct spec_pf *pf);

/* What all entries together say of a VF. */
void spec_overlay(const struct spec_pf *pf, uint32_t vf, struct spec_entry *ret);
/* -EINVAL: @entry, of the VF @vf, says what cannot be. */
int spec_judge(const struct spec *s, const struct spec_entry *entry, struct error *e);
/* Queues of the VF that is to have most; 0: none is asked for. */
uint32_t spec_queues(const struct spec_pf *pf);
/* -EINVAL: an entry is of VFs beyond @count. */
int spec_within(const struct spec *s, const struct spec_pf *pf, uint32_t count, struct error *e);

/* --- spec_read.c ------------------------------------------------------------------ */

/* Fills @s, whose name and text, of @len bytes, are set. */
int spec_read(struct spec *s, size_t len, struct error *e) MUST_USE;

/* --- spec_entry.c ----------------------------------------------------------------- */

struct json;

/* The "vf" of a function.  0, -EINVAL, -ENOMEM; what was taken is in @ret in any case. */
int spec_entry_read(const struct spec *s, const struct json *j, struct spec_pf *ret,
		    struct error *e) MUST_USE;
/* Of the whole function: -EINVAL where entries leave open what holds, or it cannot be. */
int spec_entry_judge(const struct spec *s, const struct spec_pf *pf, struct error *e) MUST_USE;

/* --- spec_macs.c ------------------------------------------------------------------ */

/* The addresses of @want by their policy, where no entry has one; notes as spec_resolve(). */
int spec_macs_make(const struct spec *s, const struct pfstates *is, struct pfstates *want,
		   struct strv *ret_notes, struct error *e) MUST_USE;

/* --- spec_clash.c ----------------------------------------------------------------- */

/* -EINVAL: an address is somebody else's. */
int spec_clash_check(const struct spec *s, const struct host *h, const struct pfstates *is,
		     const struct pfstates *want, struct error *e) MUST_USE;

#endif
