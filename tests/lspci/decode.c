/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decode FILE: what sriovctl/pciconf.h makes of each function in a register dump, as lines
 * "ADDRESS NAME VALUE".  The dump has a line that begins with an address for each function,
 * and "NN: xx xx ..." lines below it.  The value of a decoder that found nothing is negative,
 * its errno.
 */
#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/parse.h>
#include <sriovctl/pciconf.h>

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dump {
	char *name; /* of the function that is being read */
	struct buf space;
};

static void put(const char *name, const char *what, unsigned long long value)
{
	printf("%s %s %llu\n", name, what, value);
}

static bool failed(const char *name, const char *what, int r)
{
	if (r < 0)
		printf("%s %s %d\n", name, what, r);
	else
		put(name, what, 1);
	return r < 0;
}

static void put_express(const char *name, const struct pciconf *c)
{
	struct pciconf_express x;

	if (failed(name, "express", pciconf_express(c, &x)))
		return;
	put(name, "express.type", x.type);
	put(name, "express.version", x.version);
	put(name, "express.flr", x.flr);
	put(name, "express.has_link", x.has_link);
	put(name, "express.max_speed", x.max_speed);
	put(name, "express.max_width", x.max_width);
	put(name, "express.cur_speed", x.cur_speed);
	put(name, "express.cur_width", x.cur_width);
	put(name, "express.training", x.training);
	put(name, "express.bandwidth_changed", x.bandwidth_changed);
	put(name, "express.autonomous_change", x.autonomous_change);
	put(name, "express.target_speed", x.target_speed);
	put(name, "express.ari_capable", x.ari_forwarding_capable);
	put(name, "express.ari", x.ari_forwarding);
}

static void put_vf_bars(const char *name, const struct pciconf_sriov *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(s->bar); i++) {
		char what[16];

		if (!s->bar[i].exists)
			continue;
		(void)snprintf(what, sizeof(what), "sriov.bar%zu", i);
		put(name, what, s->bar[i].address | s->bar[i].is_64 | s->bar[i].prefetchable << 1);
	}
}

static void put_sriov(const char *name, const struct pciconf *c)
{
	struct pciconf_sriov s;

	if (failed(name, "sriov", pciconf_sriov(c, &s)))
		return;
	put(name, "sriov.enable", s.vf_enable);
	put(name, "sriov.memory", s.vf_memory);
	put(name, "sriov.ari_hierarchy", s.ari_hierarchy);
	put(name, "sriov.initial", s.initial_vfs);
	put(name, "sriov.total", s.total_vfs);
	put(name, "sriov.number", s.num_vfs);
	put(name, "sriov.dependency", s.dependency_link);
	put(name, "sriov.offset", s.first_offset);
	put(name, "sriov.stride", s.stride);
	put(name, "sriov.device", s.vf_device);
	put(name, "sriov.page_sizes", s.page_sizes);
	put(name, "sriov.page_size", s.page_size);
	put_vf_bars(name, &s);
}

static void put_interrupts(const char *name, const struct pciconf *c)
{
	struct pciconf_msi msi;
	struct pciconf_msix msix;

	if (!failed(name, "msi", pciconf_msi(c, &msi))) {
		put(name, "msi.enable", msi.enabled);
		put(name, "msi.capable", msi.capable);
		put(name, "msi.allocated", msi.allocated);
		put(name, "msi.address", msi.address);
	}
	if (!failed(name, "msix", pciconf_msix(c, &msix))) {
		put(name, "msix.enable", msix.enabled);
		put(name, "msix.masked", msix.masked);
		put(name, "msix.count", msix.table_size);
	}
}

static void put_others(const char *name, const struct pciconf *c)
{
	struct pciconf_acs acs;
	struct pciconf_ari ari;
	struct pciconf_power power;
	bool has;

	if (!failed(name, "acs", pciconf_acs(c, &acs))) {
		put(name, "acs.cap", acs.cap & 0x7f);
		put(name, "acs.ctrl", acs.ctrl & 0x7f);
	}
	if (!failed(name, "ari", pciconf_ari(c, &ari)))
		put(name, "ari.next", ari.next_function);
	if (!failed(name, "power", pciconf_power(c, &power)))
		put(name, "power.state", power.state);
	if (!failed(name, "ea", pciconf_ea_has_vf_bar(c, &has)))
		put(name, "ea.vf", has);
}

static void end_function(struct dump *d)
{
	struct pciconf c;
	struct error e = { 0 };
	int r;

	if (!d->name)
		return;
	r = pciconf_parse(buf_text(&d->space), d->space.len, &c, &e);
	if (!failed(d->name, "space", r)) {
		put(d->name, "bytes", c.len);
		put(d->name, "header", c.data[0x0e] & 0x7f);
		if (pciconf_is_bridge(&c)) {
			put(d->name, "bridge.secondary", pciconf_secondary_bus(&c));
			put(d->name, "bridge.subordinate", pciconf_subordinate_bus(&c));
		}
		put_express(d->name, &c);
		put_sriov(d->name, &c);
		put_interrupts(d->name, &c);
		put_others(d->name, &c);
	}
	free(TAKE(d->name));
	buf_clear(&d->space);
}

/* The bytes of "NN: xx xx ...", where they follow what is there already. */
static void take_bytes(struct dump *d, const char *at, const char *bytes, size_t len)
{
	const char *end = bytes + len, *word;
	uint64_t offset, byte;
	size_t n;

	if (!d->name || parse_u64(at, 16, PCICONF_MAX, &offset) < 0 || offset != d->space.len)
		return;
	while (bytes < end && parse_word(&bytes, &word, &n)) {
		AUTO_FREE char *text = strndup(word, n);

		if (!text || n != 2 || word >= end || parse_u64(text, 16, UINT8_MAX, &byte) < 0)
			return;
		buf_append(&d->space, &(uint8_t){ (uint8_t)byte }, 1);
	}
}

static void take_line(struct dump *d, const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len), *blank = memchr(line, ' ', len);
	size_t n = blank ? (size_t)(blank - line) : len;
	AUTO_FREE char *first = strndup(line, n);

	if (!first || !colon || !isxdigit((unsigned char)line[0]))
		return;
	if (blank == colon + 1) {
		first[colon - line] = '\0';
		take_bytes(d, first, blank, len - n);
	} else if (memchr(line, '.', n)) {
		end_function(d);
		d->name = TAKE(first);
	}
}

int main(int argc, char **argv)
{
	static struct dump d;
	AUTO_BUF struct buf text = { 0 };
	const char *cursor, *line;
	FILE *in = argc == 2 ? fopen(argv[1], "re") : NULL;
	size_t n = 1, len;

	if (!in)
		return 2;
	while (n > 0) {
		char chunk[4096];

		n = fread(chunk, 1, sizeof(chunk), in);
		buf_append(&text, chunk, n);
	}
	(void)fclose(in);
	cursor = buf_text(&text);
	while (parse_line(&cursor, &line, &len))
		take_line(&d, line, len);
	end_function(&d);
	buf_done(&d.space);
	return 0;
}
