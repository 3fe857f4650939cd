/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration space of a PCI function, and what stands in it, by libpci.  PCI Express
 * Base Specification, chapters 7 and 9; offsets as in Linux include/uapi/linux/pci_regs.h.
 *
 * An ordinary user gets 64 bytes, a host without ECAM 256: what lies beyond is not absent but
 * not readable, also where a copy was filled up with zeroes.  Every look-up and decoder says:
 *   0         found
 *   -ENOENT   the list was walked to its end and does not have it
 *   -EACCES   the list goes on beyond the 64 bytes that an ordinary user may read
 *   -ENODATA  the list goes on beyond what there is: extended space not readable, a shorter
 *             capture, registers that answer all ones, a CardBus bridge
 *   -EBADMSG  the list loops or points outside, the capability does not end inside, or
 *             the extended space mirrors the first 256 bytes
 * A space that was made of what somebody printed is known in part (-ENODATA for the rest).
 */
#ifndef SRIOVCTL_PCICONF_H
#define SRIOVCTL_PCICONF_H

#include <sriovctl/base.h>
#include <sriovctl/pciconf_express.h>

struct error;
struct host;

#define PCICONF_MAX 4096
/* A capability takes a dword at least, and none begins below 0x40. */
#define PCICONF_CAPS_MAX ((PCICONF_MAX - 0x40) / 4)

/* Made by pciconf_read() and pciconf_parse() only. */
struct pciconf {
	size_t len; /* bytes read: 64, 256 or 4096, or what a capture holds */
	uint8_t data[PCICONF_MAX];
	/* A set bit for each that is known, as the host keeps it; NULL: all @len bytes are. */
	const uint8_t *known;

	/* Where capabilities begin, in the order of their list; why others were not found. */
	size_t n_caps, n_ext_caps;
	uint16_t caps[PCICONF_CAPS_MAX]; /* the extended ones follow the others */
	int cap_end, ext_cap_end;
};

/*
 * The space of the function @bdf.  Errors as in sriovctl/host.h, and
 *   -EINVAL   @bdf is no address
 *   -EAGAIN   the function is suspended, and reading would wake it (running system only)
 *   -ENODATA  also: it answers all ones (gone, or without power), or there is no whole header
 *   -EIO      libpci did not get through it
 * pciconf_get() looks once and keeps it with the host; pciconf_read() makes a copy of that, and
 * pciconf_read_now() looks again, for what may change.  pciconf_read_ahead() keeps what can be
 * read of @n functions, with one helper process for many.
 */
int pciconf_get(const struct host *h, const char *bdf, const struct pciconf **ret,
		struct error *e) MUST_USE;
int pciconf_read(const struct host *h, const char *bdf, struct pciconf *ret,
		 struct error *e) MUST_USE;
int pciconf_read_now(const struct host *h, const char *bdf, struct pciconf *ret,
		     struct error *e) MUST_USE;
void pciconf_read_ahead(const struct host *h, char *const *bdfs, size_t n);

/* The same of a space that something else holds: a register dump of 64 to 4096 bytes. */
int pciconf_parse(const void *data, size_t len, struct pciconf *ret, struct error *e) MUST_USE;

/* Offset of the first with an id, PCI_CAP_ID_*; or PCI_EXT_CAP_ID_*, of PCI Express alone. */
int pciconf_cap(const struct pciconf *c, uint8_t id, uint16_t *ret) MUST_USE;
int pciconf_ext_cap(const struct pciconf *c, uint16_t id, uint16_t *ret) MUST_USE;

/* What a negative answer of a look-up or decoder means, for a sentence: "... : %s". */
const char *pciconf_why(int r);

/* Are the bits of @mask, from @offset on, known? */
bool pciconf_knows(const struct pciconf *c, size_t offset, uint32_t mask);
/* All ones where nothing was read, bits that are not known are 0. */
uint16_t pciconf_u16(const struct pciconf *c, size_t offset);
uint32_t pciconf_u32(const struct pciconf *c, size_t offset);

/* --- what stands there; each decoder returns as the look-ups above, pciconf_express() too - */

/* A 64-bit BAR takes two places: the second does not exist. */
struct pciconf_vf_bar {
	/* A 32-bit BAR that is not prefetchable and has no address yet reads as none. */
	bool exists, is_64, prefetchable;
	uint64_t address;
};

struct pciconf_sriov {
	/* Of a space that is known in part all but the total may lack; what lacks is 0. */
	bool knows_control, knows_initial, knows_places, knows_link, knows_bars;
	bool vf_enable, vf_memory, ari_hierarchy;
	uint16_t initial_vfs, total_vfs, num_vfs, first_offset, stride, vf_device;
	uint8_t dependency_link;
	uint32_t page_sizes, page_size; /* bit n: 2^(n + 12) bytes */
	struct pciconf_vf_bar bar[6];
};
int pciconf_sriov(const struct pciconf *c, struct pciconf_sriov *ret) MUST_USE;

struct pciconf_acs {
	uint16_t cap, ctrl; /* SV 0x01, TB 0x02, RR 0x04, CR 0x08, UF 0x10, EC 0x20, DT 0x40 */
};
int pciconf_acs(const struct pciconf *c, struct pciconf_acs *ret) MUST_USE;

struct pciconf_ari {
	uint8_t next_function;
};
int pciconf_ari(const struct pciconf *c, struct pciconf_ari *ret) MUST_USE;

struct pciconf_msix {
	bool enabled, masked;
	unsigned table_size; /* vectors; 0: not known */
};
int pciconf_msix(const struct pciconf *c, struct pciconf_msix *ret) MUST_USE;

struct pciconf_msi {
	bool enabled;
	unsigned capable, allocated; /* vectors; only 1 to 32 are defined */
	uint64_t address;
	uint16_t data;
};
int pciconf_msi(const struct pciconf *c, struct pciconf_msi *ret) MUST_USE;

struct pciconf_power {
	unsigned state; /* 0: D0 ... 3: D3 */
};
int pciconf_power(const struct pciconf *c, struct pciconf_power *ret) MUST_USE;

/* Enhanced Allocation: -ENOENT without; true when an entry is for a VF BAR. */
int pciconf_ea_has_vf_bar(const struct pciconf *c, bool *ret) MUST_USE;

bool pciconf_is_bridge(const struct pciconf *c);	/* header type 1 */
bool pciconf_is_multifunction(const struct pciconf *c); /* header type bit 7 */
uint8_t pciconf_secondary_bus(const struct pciconf *c); /* of a bridge only, as the next */
uint8_t pciconf_subordinate_bus(const struct pciconf *c);

#endif
