/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spec_value.h"

#include "spec_model.h"
#include "spec_names.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/json.h>
#include <sriovctl/macs.h>
#include <sriovctl/suggest.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* MODULE_NAME_LEN of 64-bit kernels, less its NUL (Linux include/linux/moduleparam.h). */
#define DRIVER_NAME_MAX 55

const char *const spec_modes[] = { "legacy", "switchdev", NULL };
const char *const spec_policies[] = { "derive", "pool", "keep", "none", NULL };
static const char *const protos[] = { "802.1Q", "802.1ad", NULL };
static const char *const link_states[] = { "auto", "enable", "disable", NULL };

/* VLAN 4095 is reserved (IEEE 802.1Q, 9.6); an MTU is what IPv4 needs at least (RFC 791). */
const struct spec_rule spec_rules[SPEC_KEYS] = {
	[SPEC_MAC] = { .name = "mac",
		       .kind = SPEC_IS_MAC,
		       .setting = SETTING_MAC,
		       .is_network = true },
	[SPEC_VLAN] = { .name = "vlan", .max = 4094, .setting = SETTING_VLAN, .is_network = true },
	[SPEC_VLAN_PROTO] = { .name = "vlan_proto",
			      .kind = SPEC_IS_WORD,
			      .words = protos,
			      .setting = SETTING_VLAN,
			      .is_network = true },
	[SPEC_QOS] = { .name = "qos", .max = 7, .setting = SETTING_VLAN, .is_network = true },
	[SPEC_TRUST] = { .name = "trust",
			 .kind = SPEC_IS_SWITCH,
			 .setting = SETTING_TRUST,
			 .is_network = true },
	[SPEC_SPOOFCHK] = { .name = "spoofchk",
			    .kind = SPEC_IS_SWITCH,
			    .setting = SETTING_SPOOFCHK,
			    .is_network = true },
	[SPEC_MIN_RATE] = { .name = "min_rate",
			    .max = UINT32_MAX,
			    .setting = SETTING_RATE,
			    .is_network = true },
	[SPEC_MAX_RATE] = { .name = "max_rate",
			    .max = UINT32_MAX,
			    .setting = SETTING_RATE,
			    .is_network = true },
	[SPEC_LINK_STATE] = { .name = "link_state",
			      .kind = SPEC_IS_WORD,
			      .words = link_states,
			      .setting = SETTING_LINK_STATE,
			      .is_network = true },
	[SPEC_RSS_QUERY] = { .name = "rss_query",
			     .kind = SPEC_IS_SWITCH,
			     .setting = SETTING_RSS_QUERY,
			     .is_network = true },
	[SPEC_MTU] = { .name = "mtu",
		       .min = SPEC_MTU_MIN,
		       .max = SPEC_MTU_MAX,
		       .setting = SETTING_VF_MTU,
		       .is_network = true },
	[SPEC_QUEUES] = { .name = "queues", .min = 1, .max = 65535, .setting = SETTING_QUEUES },
	[SPEC_DRIVER] = { .name = "driver", .kind = SPEC_IS_DRIVER, .setting = SETTING_DRIVER },
	[SPEC_NAME] = { .name = "name",
			.kind = SPEC_IS_NAME,
			.setting = SETTING_VF_NAME,
			.is_network = true },
};

uint16_t spec_proto(uint64_t word)
{
	static const uint16_t numbers[] = { 0x8100, 0x88a8 };

	return numbers[word];
}

struct spec_place spec_value_place(const struct json *j, const char *key)
{
	return (struct spec_place){ .offset = json_offset(j), .key = key };
}

size_t spec_value_find(const struct json *j, const char *const *words)
{
	size_t i = 0;

	while (words[i] && strcmp(words[i], json_key(j)) != 0)
		i++;
	return i;
}

int spec_value_unknown(const struct spec *s, const struct json *j, const char *const *words,
		       struct error *e)
{
	const struct spec_place at = { .offset = json_offset(j) };
	struct suggest like = { .word = json_key(j) };
	AUTO_BUF struct buf all = { 0 };

	for (size_t i = 0; words[i]; i++) {
		suggest_offer(&like, words[i]);
		buf_printf(&all, "%s%s", i ? ", " : "", words[i]);
	}
	if (buf_error(&all) < 0)
		return error_nomem(e);
	if (like.best)
		return spec_refuse(s, &at, e, "unknown key \"%s\"; did you mean \"%s\"?", like.word,
				   like.best);
	return spec_refuse(s, &at, e, "unknown key \"%s\"; the keys here are: %s", like.word,
			   buf_text(&all));
}

static void set(struct spec_value *ret, const struct spec_place *at, uint64_t number)
{
	*ret = (struct spec_value){ .is_set = true, .at = *at, .number = number };
}

int spec_value_number(const struct spec *s, const struct json *j, const struct spec_rule *rule,
		      struct spec_value *ret, struct error *e)
{
	const struct spec_place at = spec_value_place(j, rule->name);
	uint64_t number;

	if (json_read_u64(j, &number) < 0 || number < rule->min || number > rule->max)
		return spec_refuse(s, &at, e,
				   "a whole number from %" PRIu64 " to %" PRIu64 " is expected",
				   rule->min, rule->max);
	set(ret, &at, number);
	return 0;
}

static int read_switch(const struct spec *s, const struct json *j, const struct spec_place *at,
		       struct spec_value *ret, struct error *e)
{
	bool on;

	if (json_read_bool(j, &on) < 0)
		return spec_refuse(s, at, e, "%s is expected",
				   s->name ? "true or false" : "on or off");
	set(ret, at, on);
	return 0;
}

int spec_value_word(const struct spec *s, const struct json *j, const struct spec_rule *rule,
		    struct spec_value *ret, struct error *e)
{
	const struct spec_place at = spec_value_place(j, rule->name);
	const char *text = json_text(j);
	AUTO_BUF struct buf all = { 0 };

	for (size_t i = 0; rule->words[i]; i++) {
		if (text && strcmp(text, rule->words[i]) == 0) {
			set(ret, &at, i);
			return 0;
		}
		buf_printf(&all, "%s\"%s\"", i ? ", " : "", rule->words[i]);
	}
	if (buf_error(&all) < 0)
		return error_nomem(e);
	return spec_refuse(s, &at, e, "one of %s is expected", buf_text(&all));
}

int spec_value_mac(const struct spec *s, const struct json *j, const struct spec_place *at,
		   struct spec_value *ret, struct error *e)
{
	const char *text = json_text(j);
	uint64_t mac;

	if (!text || macs_parse(text, &mac) < 0)
		return spec_refuse(s, at, e, "%san address like \"02:00:00:00:00:01\" is expected",
				   s->name ? "" : "derive, keep, none or ");
	if (mac == 0)
		return spec_refuse(s, at, e, "the address is zero, which is none");
	if (macs_is_multicast(mac))
		return spec_refuse(s, at, e,
				   "the address is one of a group: its first byte must be even");
	set(ret, at, mac);
	return 0;
}

static bool is_driver(const char *text)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	size_t len = strlen(text);

	return len > 0 && len <= DRIVER_NAME_MAX && strspn(text, allowed) == len;
}

static int read_driver(const struct spec *s, const struct json *j, const struct spec_place *at,
		       struct spec_entry *ret, struct error *e)
{
	struct spec_value *value = &ret->values[SPEC_DRIVER];
	const char *text = json_text(j);

	if (!text || !is_driver(text))
		return spec_refuse(s, at, e,
				   "a driver's name (letters, digits, '-' and '_', at most %u), "
				   "\"none\" or \"default\" is expected",
				   DRIVER_NAME_MAX);
	if (strcmp(text, "none") == 0) {
		set(value, at, SPEC_DRIVER_NONE);
	} else if (strcmp(text, "default") == 0) {
		set(value, at, SPEC_DRIVER_DEFAULT);
	} else {
		set(value, at, SPEC_DRIVER_NAMED);
		memcpy(ret->driver, text, strlen(text) + 1);
	}
	return 0;
}

int spec_value_key(const struct spec *s, const struct json *j, enum spec_key k,
		   struct spec_entry *ret, struct error *e)
{
	const struct spec_rule *rule = &spec_rules[k];
	const struct spec_place at = spec_value_place(j, rule->name);
	struct spec_value *value = &ret->values[k];

	switch (rule->kind) {
	case SPEC_IS_NUMBER:
		return spec_value_number(s, j, rule, value, e);
	case SPEC_IS_SWITCH:
		return read_switch(s, j, &at, value, e);
	case SPEC_IS_WORD:
		return spec_value_word(s, j, rule, value, e);
	case SPEC_IS_DRIVER:
		return read_driver(s, j, &at, ret, e);
	case SPEC_IS_NAME:
		return spec_names_read(s, j, &at, ret, e);
	case SPEC_IS_MAC:
		break;
	}
	if (ret->is_all || ret->first != ret->last)
		return spec_refuse(s, &at, e,
				   "an address is for one VF: name it, or have a policy");
	return spec_value_mac(s, j, &at, value, e);
}
