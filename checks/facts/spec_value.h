/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the keys of a VF may be, and how one value of a spec is read and refused.  Each returns 0,
 * or -EINVAL with the place, the key and what would be right, or -ENOMEM.
 */
#ifndef CHECKS_FACTS_SPEC_VALUE_H
#define CHECKS_FACTS_SPEC_VALUE_H

#include "spec_model.h"

struct json;

#define SPEC_MTU_MIN 68
#define SPEC_MTU_MAX 65535

/* What a key may be, and the setting that it is of, or a part of. */
struct spec_rule {
	const char *name;
	enum {
		SPEC_IS_NUMBER,
		SPEC_IS_SWITCH,
		SPEC_IS_WORD,
		SPEC_IS_MAC,
		SPEC_IS_DRIVER,
		SPEC_IS_NAME
	} kind;
	uint64_t min, max;	  /* of a number */
	const char *const *words; /* NULL behind the last; the value is the index */
	enum setting setting;
	bool is_network; /* takes a network interface to be set */
};
extern const struct spec_rule spec_rules[SPEC_KEYS];
#define SPEC_LINK_STATES 3
#define SPEC_MODES	 2
extern const char *const spec_modes[]; /* of the eswitch; by SETTING_ESWITCH */
extern const char *const spec_policies[];
/* The number that 802.1Q gives to each word of "vlan_proto". */
#define SPEC_PROTOS 2
uint16_t spec_proto(uint64_t word);

struct spec_place spec_value_place(const struct json *j, const char *key);
/* The index of the key of @j in @words, or of the NULL behind the last. */
size_t spec_value_find(const struct json *j, const char *const *words);

int spec_value_number(const struct spec *s, const struct json *j, const struct spec_rule *rule,
		      struct spec_value *ret, struct error *e) MUST_USE;
/* One of the rule's words: its index. */
int spec_value_word(const struct spec *s, const struct json *j, const struct spec_rule *rule,
		    struct spec_value *ret, struct error *e) MUST_USE;
/* An address that an interface can have. */
int spec_value_mac(const struct spec *s, const struct json *j, const struct spec_place *at,
		   struct spec_value *ret, struct error *e) MUST_USE;
/* A key of a VF. */
int spec_value_key(const struct spec *s, const struct json *j, enum spec_key k,
		   struct spec_entry *ret, struct error *e) MUST_USE;

/* -EINVAL: @j has a key that is none of @words, NULL behind the last. */
int spec_value_unknown(const struct spec *s, const struct json *j, const char *const *words,
		       struct error *e) MUST_USE;

#endif
