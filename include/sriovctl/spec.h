/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a person wants of the functions of a host: a JSON document, strict (an unknown key, a
 * key twice, a wrong type is an error with line and column) but for // comments.
 *
 *   { "schema": 1, "pfs": [ {
 *       "match": one of {"permanent_mac": MAC} {"pci": BDF} {"slot": NAME, "port": N}
 *                {"netdev": NAME} {"id": "VVVV:DDDD", "numa_node": N, "port": N},
 *       "vfs": N | "max", "mtu": N, "eswitch": "legacy" | "switchdev",
 *       "mac": {"policy": "derive" | "pool" | "keep" | "none", "first": MAC},
 *       "vf": { "*" | "N" | "N-M": { "mac" "vlan" "vlan_proto" "qos" "trust" "spoofchk"
 *               "min_rate" "max_rate" "link_state" "rss_query" "mtu" "queues" "driver"
 *               "name" "required": [ ... ] } } } ] }
 *
 * "*" first, then ranges, the wider first, then single VFs; two of equal width that overlap
 * and set the same key are an error.  The README says what each key means.  The same struct is
 * made from the options of a command line, and errors then name the option instead of a place.
 * Only spec_match() and spec_resolve() look at a host.
 */
#ifndef SRIOVCTL_SPEC_H
#define SRIOVCTL_SPEC_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;
struct pfstates;
struct spec;
struct strv;

/* -EINVAL: @e says "NAME:LINE:COLUMN: what is wrong, what would be right". */
int spec_parse(const char *text, size_t len, const char *name, struct spec **ret,
	       struct error *e) MUST_USE;

/* One PF from the options of a command line; NULL and 0 where an option was not given. */
struct spec_line {
	const char *pf;	 /* a BDF, an interface or a permanent address */
	const char *vfs; /* a number or "max" */
	const char *mac; /* a policy, or the first address of a pool */
	const char *driver, *vlan;
	const char *trust, *spoofchk; /* "on", "off" */
	const char *eswitch;
	uint32_t queues;
	uint32_t mtu; /* of the PF */
};
int spec_from_line(const struct spec_line *line, struct spec **ret, struct error *e) MUST_USE;

/* --- parts: spec_part.c */

/* As it was given, or as a document that says what options said. */
const char *spec_text(const struct spec *s);
/* Another spec, of the function @i alone; errors still name the place in the whole. */
int spec_part(const struct spec *s, size_t i, struct spec **ret, struct error *e) MUST_USE;
/* The match of @i, for a key: "pci 0000:3b:00.0", "id 8086:1592 port 1". */
void spec_print_match(const struct spec *s, size_t i, struct buf *ret);
/* From now on the first function is the one at @bdf, whatever its match says. */
int spec_settle(struct spec *s, const char *bdf) MUST_USE;

void spec_free(struct spec *s);
void spec_free_p(struct spec **s);
#define AUTO_SPEC CLEANUP(spec_free_p)

/*
 * The functions that are meant, in the order of the spec: each match finds exactly one.
 * -EINVAL with the candidates in @e, also where two entries mean the same function.
 */
int spec_match(const struct spec *s, const struct host *h, struct strv *ret_bdfs,
	       struct error *e) MUST_USE;

/*
 * What is wanted, in the shape of @is, which is the state of the functions that
 * spec_match() found.  Addresses are made by their policy and checked: -EINVAL for one that
 * is multicast, zero, the PF's own, or there twice, in the spec or on the host.  What a
 * person should know but need not act on goes to @ret_notes, a sentence each.
 *
 * A driver that is named is two settings, DRIVER and OVERRIDE; "none" is DRIVER "" alone;
 * "default" is OVERRIDE "" alone: who takes an override away from a VF that is bound by it
 * has it probed anew.
 */
int spec_resolve(const struct spec *s, const struct host *h, const struct pfstates *is,
		 struct pfstates *ret, struct strv *ret_notes, struct error *e) MUST_USE;

/* The state as a spec that asks for just it. */
int spec_print(const struct pfstates *is, struct buf *ret, struct error *e) MUST_USE;

/* The ids of the checks that have to pass before this can be had.  0 or -ENOMEM. */
int spec_preflight(const struct spec *s, struct strv *ret_ids) MUST_USE;

/* What a check of the host is to be asked for a function. */
struct spec_wish {
	bool none;	 /* no VFs at all */
	uint32_t vfs;	 /* 0: it is not said how many */
	uint32_t queues; /* of the VF with most; 0: any */
};
/* Of the function @i, which spec_match() has found at @bdf; "max" as spec_resolve() has it. */
int spec_wish(const struct spec *s, size_t i, const struct host *h, const char *bdf,
	      struct spec_wish *ret, struct error *e) MUST_USE;

/*
 * The driver that is wanted of VF @vf of the function @i, of SETTING_NAME_MAX bytes; "": that none
 * is bound.  False: it is not asked for, or the kernel is to choose.
 */
bool spec_vf_driver(const struct spec *s, size_t i, uint32_t vf, char *ret);
size_t spec_count(const struct spec *s);

#endif
