/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Input: a byte that chooses the length of the space, what it is filled with and who finds
 * the capabilities, then patches: offset (2 bytes), length (1), bytes.  An odd offset of
 * 0x1001 or more is no patch but a capability that is said to be at the rest of it.
 */
#include <sriovctl/pciconf.h>

#include "../../checks/host/pciconf_parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LENGTH	 0x03
#define ONES	 0x04 /* not zeroes */
#define AS_TOLD	 0x08 /* the list is what the input says, not what it leads to */
#define WHO	 0xf0
#define LIBPCI	 0xa0 /* asked as well; seldom, as it takes a process */
#define RARELY	 16
#define TOLD_MAX 64
#define HEADER	 64

/* As many as there are places to come by in both walks. */
struct told {
	struct pciconf_libpci_cap caps[64 + PCICONF_MAX / 4];
	size_t n;
};

static void tell(struct told *t, uint16_t at)
{
	if (t->n < TOLD_MAX)
		t->caps[t->n++] = (struct pciconf_libpci_cap){
			.extended = at & 0x2000,
			.offset = at & 0xffe,
		};
}

static void apply(const uint8_t *data, size_t size, struct pciconf *c, struct told *t)
{
	while (size >= 3) {
		uint16_t at = (uint16_t)(data[0] | data[1] << 8);
		size_t n = data[2] < size - 3 ? data[2] : size - 3;

		if (at > PCICONF_MAX && (at & 1)) {
			tell(t, at);
			n = 0;
		} else if (at < PCICONF_MAX) {
			n = n < (size_t)PCICONF_MAX - at ? n : (size_t)PCICONF_MAX - at;
			memcpy(c->data + at, data + 3, n);
		}
		data += 3 + n;
		size -= 3 + n;
	}
}

/* As libpci walks: from anywhere to anywhere, until it comes by again. */
static void walk(const struct pciconf *c, bool extended, struct told *t)
{
	uint8_t seen[PCICONF_MAX] = { 0 };
	unsigned at = extended ? 0x100 : c->data[0x34] & 0xfcu;

	while (at && !seen[at]) {
		uint32_t head = pciconf_u32(c, at);
		bool ends = extended ? head == 0 || head == UINT32_MAX : (head & 0xff) == 0xff;

		if (ends)
			return;
		seen[at] = 1;
		t->caps[t->n++] = (struct pciconf_libpci_cap){
			.extended = extended,
			.offset = (uint16_t)at,
		};
		at = extended ? head >> 20 & 0xffc : head >> 8 & 0xfc;
	}
}

/* Each is where the one before it leads to. */
static void check_list(const struct pciconf *c)
{
	unsigned at = c->data[0x34] & 0xfc;

	if (c->n_caps > 48 || c->n_ext_caps > 960 || c->cap_end >= 0 || c->ext_cap_end >= 0)
		abort();
	for (size_t i = 0; i < c->n_caps; i++) {
		if (c->caps[i] != at || at < 0x40 || at > 0xfc || at + 2 > c->len)
			abort();
		at = c->data[at + 1] & 0xfc;
	}
	at = 0x100;
	for (size_t i = c->n_caps; i < c->n_caps + c->n_ext_caps; i++) {
		if (c->caps[i] != at || at < 0x100 || at + 4 > c->len)
			abort();
		at = pciconf_u32(c, at) >> 20 & 0xffc;
	}
}

/* Nothing is taken that nobody found. */
static void check_told(const struct pciconf *c, const struct told *t)
{
	for (size_t i = 0; i < c->n_caps + c->n_ext_caps; i++) {
		size_t j = 0;

		while (j < t->n &&
		       (t->caps[j].offset != c->caps[i] || t->caps[j].extended != (i >= c->n_caps)))
			j++;
		if (j == t->n)
			abort();
	}
}

static void expect_answer(int r)
{
	if (r != 0 && r != -ENOENT && r != -EACCES && r != -ENODATA && r != -EBADMSG)
		abort();
}

static void decode_all(const struct pciconf *c)
{
	struct pciconf_express x;
	struct pciconf_sriov s;
	struct pciconf_acs acs;
	struct pciconf_ari ari;
	struct pciconf_msix msix;
	struct pciconf_msi msi;
	struct pciconf_power p;
	bool has;

	expect_answer(pciconf_express(c, &x));
	expect_answer(pciconf_sriov(c, &s));
	expect_answer(pciconf_acs(c, &acs));
	expect_answer(pciconf_ari(c, &ari));
	expect_answer(pciconf_msix(c, &msix));
	expect_answer(pciconf_msi(c, &msi));
	expect_answer(pciconf_power(c, &p));
	expect_answer(pciconf_ea_has_vf_bar(c, &has));
}

/* Memory of just the size of the space, so that reading one byte too many shows. */
static void ask_libpci(const struct pciconf *c)
{
	AUTO_FREE uint8_t *exact = malloc(c->len);
	struct pciconf other;

	if (!exact)
		return;
	memcpy(exact, c->data, c->len);
	if (pciconf_parse(exact, c->len, &other, NULL) < 0)
		return;
	if (other.n_caps != c->n_caps || other.n_ext_caps != c->n_ext_caps ||
	    other.cap_end != c->cap_end || other.ext_cap_end != c->ext_cap_end ||
	    memcmp(other.caps, c->caps, (c->n_caps + c->n_ext_caps) * sizeof(c->caps[0])) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t lengths[] = { HEADER, 256, PCICONF_MAX, 0x180 };
	struct pciconf c;
	static struct told t;

	if (size < 1)
		return 0;
	memset(&c, 0xff, sizeof(c));
	c.known = NULL;
	c.len = lengths[data[0] & LENGTH];
	memset(c.data, data[0] & ONES ? 0xff : 0, c.len);
	t.n = 0;
	apply(data + 1, size - 1, &c, &t);
	if (!(data[0] & AS_TOLD)) {
		t.n = 0;
		walk(&c, false, &t);
		walk(&c, true, &t);
	}
	pciconf_parse_accept(&c, t.caps, t.n);
	check_list(&c);
	check_told(&c, &t);
	decode_all(&c);
	if ((data[0] & (WHO | AS_TOLD)) == LIBPCI && size % RARELY == 0)
		ask_libpci(&c);
	return 0;
}
