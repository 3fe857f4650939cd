/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How an address is derived, from the highest bit down:
 *
 *     6 bits  upper part of @field     1  locally administered     0  unicast
 *     4 bits  lower part of @field    12 bits  VF index modulo 4096
 *    24 bits  the lower half of the PF's permanent address, as it is
 *
 *    field = hash(upper half of the PF's address) xor (VF index / 4096), 10 bits
 *
 * So one sees the card and the VF in the address: VF 5 of ..:..:..:1a:2b:3c ends in
 * "05:1a:2b:3c", before it "X0".  What holds:
 *
 * - PFs of one vendor prefix (the same upper half): any two pairs of PF and VF index below
 *   2^22 have different addresses.  A VF index of PCI has 16 bits.
 * - PFs of prefixes that hash differently: the same for VF indexes below 4096.
 * - PFs of prefixes that hash alike (of two prefixes one in 1024): VFs of the same index
 *   collide if the cards also have the same lower half.
 * - No derived address is a multicast one, or one that a vendor gave out, as those are not
 *   locally administered.  One that a hypervisor or an administrator made up can be met:
 *   spec_resolve() refuses it.
 *
 * Two PFs with one permanent address get the same addresses for their VFs, which is refused
 * on one host and not seen across hosts.  The construction never changes: addresses are in
 * leases, ACLs and licences.
 */
#include <sriovctl/macs.h>

#include <sriovctl/buf.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define MULTICAST   (UINT64_C(1) << 40)
#define LOCAL	    (UINT64_C(1) << 41)
#define TEXT_LEN    17 /* "02:00:00:00:00:01" */
#define INDEX_BITS  12
#define FIELD_BITS  10
#define FIELD_LOW   4 /* bits of it below the two flags */
#define NIC_BITS    24
#define MASK(bits)  ((UINT64_C(1) << (bits)) - 1)
#define FIELD_LOWER (NIC_BITS + INDEX_BITS)

int macs_parse(const char *text, uint64_t *ret)
{
	char hex[2 * 6 + 1] = { 0 };
	uint64_t value;
	int r;

	if (strlen(text) != TEXT_LEN)
		return -EINVAL;
	for (size_t i = 0; i < TEXT_LEN; i++) {
		if (i % 3 == 2 && text[i] != ':')
			return -EINVAL;
		if (i % 3 != 2)
			hex[i - i / 3] = text[i];
	}
	/* "0x" in front would be taken for part of the number. */
	if (hex[1] == 'x' || hex[1] == 'X')
		return -EINVAL;
	r = parse_u64(hex, 16, MASK(48), &value);
	if (r < 0)
		return -EINVAL;
	*ret = value;
	return 0;
}

void macs_print(uint64_t mac, struct buf *ret)
{
	for (int shift = 40; shift >= 0; shift -= 8)
		buf_printf(ret, "%02x%s", (unsigned)(mac >> shift & 0xff), shift ? ":" : "");
}

bool macs_is_multicast(uint64_t mac)
{
	return mac & MULTICAST;
}

/* Knuth's multiplicative hash: the upper bits of the product with 2^32 / golden ratio. */
static uint64_t hash(uint32_t prefix)
{
	return (uint32_t)(prefix * UINT32_C(2654435769)) >> (32 - FIELD_BITS);
}

uint64_t macs_derive(uint64_t permanent, uint32_t vf)
{
	uint32_t prefix = (uint32_t)(permanent >> NIC_BITS & MASK(24));
	uint64_t field = (hash(prefix) ^ vf >> INDEX_BITS) & MASK(FIELD_BITS);

	return (field >> FIELD_LOW) << 42 | LOCAL | (field & MASK(FIELD_LOW)) << FIELD_LOWER |
	       (vf & MASK(INDEX_BITS)) << NIC_BITS | (permanent & MASK(NIC_BITS));
}
