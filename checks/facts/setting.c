/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/setting.h>

#include <sriovctl/buf.h>
#include <sriovctl/macs.h>
#include <sriovctl/parse.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define PROTO_8021Q  0x8100
#define PROTO_8021AD 0x88a8

static const char *const switches[] = { "off", "on", NULL };
static const char *const modes[] = { "legacy", "switchdev", NULL };
static const char *const link_states[] = { "auto", "enable", "disable", NULL };

static void print_number(uint64_t number, struct buf *ret)
{
	buf_printf(ret, "%" PRIu64, number);
}

static void print_mac(uint64_t mac, struct buf *ret)
{
	if (mac == 0)
		buf_puts(ret, "none");
	else
		macs_print(mac, ret);
}

static bool is_no_vlan(uint64_t vlan)
{
	return SETTING_VLAN_ID(vlan) == 0 && SETTING_VLAN_QOS(vlan) == 0;
}

static void print_vlan(uint64_t vlan, struct buf *ret)
{
	if (is_no_vlan(vlan)) {
		buf_puts(ret, "none");
		return;
	}
	buf_printf(ret, "%u", SETTING_VLAN_ID(vlan));
	if (SETTING_VLAN_QOS(vlan))
		buf_printf(ret, ", qos %u", SETTING_VLAN_QOS(vlan));
	if (SETTING_VLAN_PROTO(vlan) == PROTO_8021AD)
		buf_puts(ret, ", 802.1ad");
	else if (SETTING_VLAN_PROTO(vlan) != PROTO_8021Q)
		buf_printf(ret, ", protocol 0x%04x", SETTING_VLAN_PROTO(vlan));
}

static void print_rate(uint64_t rate, struct buf *ret)
{
	uint32_t min = SETTING_RATE_MIN(rate), max = SETTING_RATE_MAX(rate);

	if (min)
		buf_printf(ret, "at least %" PRIu32 "%s", min, max ? ", " : "");
	if (max)
		buf_printf(ret, "at most %" PRIu32, max);
	buf_puts(ret, min || max ? " Mbit/s" : "no limit");
}

/* A row has @words, or else @print for its number; or it is a name. */
static const struct {
	const char *name;
	bool is_name;
	uint64_t max;
	const char *const *words;
	void (*print)(uint64_t number, struct buf *ret);
} settings[SETTING_END] = {
	[SETTING_AUTOPROBE] = { .name = "autoprobe", .max = 1, .words = switches },
	[SETTING_ESWITCH] = { .name = "eswitch", .max = 1, .words = modes },
	[SETTING_UP] = { .name = "up", .max = 1, .words = switches },
	[SETTING_MTU] = { .name = "mtu", .max = UINT32_MAX, .print = print_number },
	[SETTING_VFS] = { .name = "vfs", .max = UINT32_MAX, .print = print_number },
	[SETTING_MAC] = { .name = "mac", .max = UINT64_MAX >> 16, .print = print_mac },
	[SETTING_VLAN] = { .name = "vlan", .max = UINT64_MAX >> 16, .print = print_vlan },
	[SETTING_SPOOFCHK] = { .name = "spoofchk", .max = 1, .words = switches },
	[SETTING_TRUST] = { .name = "trust", .max = 1, .words = switches },
	[SETTING_RATE] = { .name = "rate", .max = UINT64_MAX, .print = print_rate },
	[SETTING_LINK_STATE] = { .name = "link_state", .max = 2, .words = link_states },
	[SETTING_RSS_QUERY] = { .name = "rss_query", .max = 1, .words = switches },
	[SETTING_QUEUES] = { .name = "queues", .max = UINT32_MAX, .print = print_number },
	[SETTING_OVERRIDE] = { .name = "driver_override", .is_name = true },
	[SETTING_DRIVER] = { .name = "driver", .is_name = true },
	[SETTING_VF_MTU] = { .name = "vf_mtu", .max = UINT32_MAX, .print = print_number },
	[SETTING_VF_NAME] = { .name = "name", .is_name = true },
};

const char *setting_name(enum setting s)
{
	return settings[s].name;
}

enum setting setting_find(const char *name)
{
	enum setting s = 0;

	while (s < SETTING_END && strcmp(settings[s].name, name) != 0)
		s++;
	return s;
}

bool setting_is_of_vf(enum setting s)
{
	return s >= SETTING_PF_END;
}

bool setting_is_name(enum setting s)
{
	return settings[s].is_name;
}

bool setting_equal(enum setting s, const struct setting_value *a, const struct setting_value *b)
{
	if (a->state != b->state || a->state == SETTING_UNKNOWN)
		return false;
	if (a->state != SETTING_KNOWN)
		return true;
	if (settings[s].is_name)
		return strcmp(a->name, b->name) == 0;
	/* No VLAN has no protocol either. */
	return a->number == b->number ||
	       (s == SETTING_VLAN && is_no_vlan(a->number) && is_no_vlan(b->number));
}

struct setting_value setting_number(uint64_t number)
{
	return (struct setting_value){ .state = SETTING_KNOWN, .number = number };
}

int setting_text(const char *name, struct setting_value *ret)
{
	struct setting_value v = { .state = SETTING_KNOWN };
	size_t len = strlen(name);

	if (len >= sizeof(v.name))
		return -ENAMETOOLONG;
	memcpy(v.name, name, len);
	*ret = v;
	return 0;
}

void setting_print(enum setting s, const struct setting_value *v, struct buf *ret)
{
	switch (v->state) {
	case SETTING_UNSET:
		buf_puts(ret, "as it is");
		return;
	case SETTING_UNSUPPORTED:
		buf_puts(ret, "not supported");
		return;
	case SETTING_UNKNOWN:
		buf_puts(ret, "not known");
		return;
	case SETTING_KNOWN:
		break;
	}
	if (settings[s].is_name)
		buf_puts(ret, v->name[0] ? v->name : "none");
	else if (settings[s].words && v->number <= settings[s].max)
		buf_puts(ret, settings[s].words[v->number]);
	else if (settings[s].print)
		settings[s].print(v->number, ret);
	else
		print_number(v->number, ret);
}

/* --- words of a journal ----------------------------------------------------------- */

/*
 *   -        unset                 123      a number
 *   lacks    unsupported           =name    a name; what is no letter, digit, '.', '_' or
 *   ?5       unknown, errno 5               '-' stands there as %20
 */
#define WORD_UNSET "-"
#define WORD_LACKS "lacks"

static bool is_plain(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("._-", c));
}

void setting_write(enum setting s, const struct setting_value *v, struct buf *ret)
{
	switch (v->state) {
	case SETTING_UNSET:
		buf_puts(ret, WORD_UNSET);
		return;
	case SETTING_UNSUPPORTED:
		buf_puts(ret, WORD_LACKS);
		return;
	case SETTING_UNKNOWN:
		buf_printf(ret, "?%u", (unsigned)-v->error);
		return;
	case SETTING_KNOWN:
		break;
	}
	if (!settings[s].is_name) {
		print_number(v->number, ret);
		return;
	}
	buf_puts(ret, "=");
	for (const char *c = v->name; *c; c++)
		buf_printf(ret, is_plain(*c) ? "%c" : "%%%02x", (unsigned char)*c);
}

static int unescape(const char *word, struct setting_value *ret)
{
	struct setting_value v = { .state = SETTING_KNOWN };
	size_t n = 0;

	while (*word && n < sizeof(v.name) - 1) {
		char hex[3] = { 0 };
		uint64_t byte = (unsigned char)*word++;

		if (byte == '%') {
			hex[0] = *word;
			hex[1] = *word ? word[1] : '\0';
			if (!hex[1] || parse_u64(hex, 16, UINT8_MAX, &byte) < 0)
				return -EINVAL;
			word += 2;
		}
		v.name[n++] = (char)byte;
	}
	if (*word)
		return -EINVAL;
	*ret = v;
	return 0;
}

static int read_word(enum setting s, const char *word, struct setting_value *ret)
{
	struct setting_value v = { 0 };
	uint64_t error;

	if (strcmp(word, WORD_UNSET) == 0) {
		v.state = SETTING_UNSET;
	} else if (strcmp(word, WORD_LACKS) == 0) {
		v.state = SETTING_UNSUPPORTED;
	} else if (word[0] == '?') {
		if (parse_u64(word + 1, 10, INT_MAX, &error) < 0)
			return -EINVAL;
		v.state = SETTING_UNKNOWN;
		v.error = -(int)error;
	} else if (settings[s].is_name) {
		return word[0] == '=' ? unescape(word + 1, ret) : -EINVAL;
	} else {
		v.state = SETTING_KNOWN;
		if (parse_u64(word, 10, settings[s].max, &v.number) < 0)
			return -EINVAL;
	}
	*ret = v;
	return 0;
}

int setting_parse(enum setting s, const char *word, struct setting_value *ret)
{
	AUTO_BUF struct buf again = { 0 };
	struct setting_value v;

	if (read_word(s, word, &v) < 0)
		return -EINVAL;
	/* One way to write each value: anything else was not written here. */
	setting_write(s, &v, &again);
	if (buf_error(&again) < 0)
		return -ENOMEM;
	if (strcmp(buf_text(&again), word) != 0)
		return -EINVAL;
	*ret = v;
	return 0;
}
