/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/linkmodes.h>

#include "host_answer.h"
#include "host_live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define SETS	  3   /* supported, advertised, the peer's */
#define WORDS_MAX 127 /* of 32 modes, in one set: the kernel counts them in a signed byte */
#define SPEED_MAX INT32_MAX

/*
 * What each bit of a set is, by runs; 0: no speed but a connector, a pause or an error
 * correction.  Numbers, as the headers that this is built with may be older than the kernel
 * (enum ethtool_link_mode_bit_indices of Linux 6.19).
 */
static const struct {
	uint8_t last;
	uint32_t speed;
} runs[] = {
	{ 1, 10 },	  { 3, 100 },	  { 5, 1000 },	   { 11, 0 },	    { 12, 10000 },
	{ 14, 0 },	  { 15, 2500 },	  { 16, 0 },	   { 17, 1000 },    { 19, 10000 },
	{ 20, 0 },	  { 22, 20000 },  { 26, 40000 },   { 30, 56000 },   { 33, 25000 },
	{ 35, 50000 },	  { 39, 100000 }, { 40, 50000 },   { 41, 1000 },    { 46, 10000 },
	{ 47, 2500 },	  { 48, 5000 },	  { 51, 0 },	   { 56, 50000 },   { 61, 100000 },
	{ 66, 200000 },	  { 67, 100 },	  { 68, 1000 },	   { 73, 400000 },  { 74, 0 },
	{ 79, 100000 },	  { 84, 200000 }, { 89, 400000 },  { 91, 100 },	    { 92, 10 },
	{ 98, 800000 },	  { 102, 10 },	  { 108, 200000 }, { 114, 400000 }, { 120, 800000 },
	{ 124, 1600000 },
};

/* --- the kernel's answer ------------------------------------------------------------------ */

/* The first question is answered with how many words a set has, below zero. */
static int ask(const char *interface, struct ethtool_link_settings *s)
{
	struct ifreq request = { .ifr_data = (void *)s };
	AUTO_CLOSE int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	memcpy(request.ifr_name, interface, strlen(interface));
	s->cmd = ETHTOOL_GLINKSETTINGS;
	return fd < 0 || ioctl(fd, SIOCETHTOOL, &request) < 0 ? -errno : 0;
}

static void put_set(struct buf *out, const char *name, const uint32_t *words, size_t n)
{
	buf_puts(out, name);
	for (size_t i = 0; i < n; i++)
		buf_printf(out, " %x", words[i]);
	buf_puts(out, "\n");
}

int linkmodes_answer(const char *which, struct buf *ret)
{
	struct ethtool_link_settings first = { 0 };
	AUTO_FREE struct ethtool_link_settings *s = NULL;
	size_t n;
	int r;

	if (strlen(which) >= IFNAMSIZ)
		return -ENODEV;
	r = ask(which, &first);
	if (r < 0)
		return r;
	if (first.link_mode_masks_nwords >= 0)
		return -EBADMSG;
	n = (size_t)-first.link_mode_masks_nwords;
	s = calloc(1, sizeof(*s) + SETS * n * sizeof(uint32_t));
	if (!s)
		return -ENOMEM;
	s->link_mode_masks_nwords = (int8_t)n;
	r = ask(which, s);
	if (r < 0)
		return r;
	buf_printf(ret, "speed %x\n", s->speed);
	put_set(ret, "supported", s->link_mode_masks, n);
	put_set(ret, "advertised", s->link_mode_masks + n, n);
	put_set(ret, "partner", s->link_mode_masks + 2 * n, n);
	return buf_error(ret);
}

/* --- what it says ------------------------------------------------------------------------- */

/* The speed of a mode; false: it is not known. */
static bool speed_of(unsigned mode, uint32_t *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		if (mode > runs[i].last)
			continue;
		*ret = runs[i].speed;
		return true;
	}
	return false;
}

static void add_word(unsigned word, uint64_t bits, uint32_t *best, bool *has_unknown)
{
	for (unsigned i = 0; i < 32; i++) {
		uint32_t speed = 0;

		if (!(bits >> i & 1))
			continue;
		if (!speed_of(word * 32 + i, &speed))
			*has_unknown = true;
		else if (speed > *best)
			*best = speed;
	}
}

static int next_number(const char **cursor, uint64_t *ret)
{
	char digits[9] = { 0 };
	const char *word;
	size_t len;

	if (!parse_word(cursor, &word, &len))
		return -ENOENT;
	if (len >= sizeof(digits))
		return -EBADMSG;
	memcpy(digits, word, len);
	return parse_u64(digits, 16, UINT32_MAX, ret) < 0 ? -EBADMSG : 0;
}

/* A line of @text that begins with @name, with its numbers; each set is one. */
static int take_set(const char *text, const char *name, uint32_t *best, bool *has_unknown)
{
	size_t len;
	const char *line;

	while (parse_line(&text, &line, &len)) {
		AUTO_FREE char *copy = strndup(line, len);
		const char *cursor = copy;
		uint64_t bits;
		int r = 0;

		if (!copy)
			return -ENOMEM;
		if (!parse_has_prefix(copy, name) || copy[strlen(name)] != ' ')
			continue;
		cursor += strlen(name);
		for (unsigned i = 0; i <= WORDS_MAX && r == 0; i++) {
			r = next_number(&cursor, &bits);
			if (r == 0)
				add_word(i, bits, best, has_unknown);
		}
		return r == -ENOENT ? 0 : -EBADMSG;
	}
	return -EBADMSG;
}

static int take_speed(const char *text, uint32_t *ret)
{
	const char *line;
	uint64_t speed;
	size_t len;

	if (!parse_line(&text, &line, &len) || !parse_has_prefix(line, "speed "))
		return -EBADMSG;
	line += strlen("speed");
	if (next_number(&line, &speed) < 0)
		return -EBADMSG;
	/* SPEED_UNKNOWN is all ones. */
	*ret = speed <= SPEED_MAX ? (uint32_t)speed : 0;
	return 0;
}

int linkmodes_parse(const char *text, struct linkmodes *ret)
{
	struct linkmodes m = { 0 };
	bool ignored = false;
	int r = take_speed(text, &m.speed);

	if (r == 0)
		r = take_set(text, "supported", &m.supported, &m.has_unknown);
	if (r == 0)
		r = take_set(text, "advertised", &m.advertised, &ignored);
	if (r == 0)
		r = take_set(text, "partner", &m.partner, &ignored);
	if (r < 0)
		return r;
	*ret = m;
	return 0;
}

int linkmodes_read(const struct host *h, const char *interface, struct linkmodes *ret,
		   struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };
	int r = host_answer(h, "linkmodes", interface, &answer, e);

	if (r < 0)
		return error_prefix(e, r, "link modes of %s", interface);
	r = linkmodes_parse(buf_text(&answer), ret);
	if (r == -ENOMEM)
		return error_nomem(e);
	return r < 0 ? error_set(e, r, "link modes of %s: the answer is damaged", interface) : 0;
}
