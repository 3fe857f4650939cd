/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ACPI tables of a root, each as small as a test needs it.  table_put_facp() stands for
 * "all tables were captured": see firmware.h.
 */
#ifndef TESTS_TABLES_H
#define TESTS_TABLES_H

#include "test_acpi.h"
#include "tree.h"

#define TABLES "/sys/firmware/acpi/tables"

static inline void table_save(const struct tree *t, struct buf *b, const char *name)
{
	AUTO_BUF struct buf path = { 0 };

	table_end(b);
	buf_printf(&path, TABLES "/%s", name);
	tree_put_bytes(t, buf_text(&path), buf_text(b), b->len);
}

/* A FADT of ACPI 6 with @boot_arch (IAPC_BOOT_ARCH; bit 3: no MSI). */
static inline void table_put_facp(const struct tree *t, uint16_t boot_arch)
{
	AUTO_BUF struct buf b = { 0 };

	table_begin(&b, "FACP");
	zeros(&b, 276 - 36);
	set(&b, 109, 2, boot_arch);
	table_save(t, &b, "FACP");
}

/* The MADT with I/O APICs @first and @second, and a processor with local APIC id 0. */
static inline void table_put_madt(const struct tree *t, uint8_t first, uint8_t second)
{
	AUTO_BUF struct buf b = { 0 };
	const uint8_t ids[] = { first, second };

	table_begin(&b, "APIC");
	put(&b, 4, 0xfee00000);
	put(&b, 4, 1);
	put(&b, 4, 0 | 8 << 8);
	put(&b, 4, 1);
	for (unsigned i = 0; i < 2; i++) {
		put(&b, 2, 1 | 12 << 8);
		put(&b, 2, ids[i]);
		put(&b, 4, 0xfec00000 + i * 0x1000);
		put(&b, 4, i * 24);
	}
	table_save(t, &b, "APIC");
}

/* One unit that covers all of segment 0 and the I/O APICs @first and @second. */
static inline void table_dmar(struct buf *b, uint8_t flags, uint8_t first, uint8_t second)
{
	const uint8_t ids[] = { first, second };

	table_begin(b, "DMAR");
	put(b, 1, 45);
	put(b, 1, flags);
	zeros(b, 10);
	put(b, 2, 0);
	put(b, 2, 16 + 2 * 8);
	put(b, 1, 1);
	zeros(b, 3);
	put(b, 8, 0xfed90000);
	for (unsigned i = 0; i < 2; i++) {
		put(b, 4, 3 | 8 << 8);
		put(b, 1, ids[i]);
		put(b, 1, 0xf0);
		put(b, 2, 0x1f);
	}
}

static inline void table_put_dmar(const struct tree *t, uint8_t flags, uint8_t first,
				  uint8_t second)
{
	AUTO_BUF struct buf b = { 0 };

	table_dmar(&b, flags, first, second);
	table_save(t, &b, "DMAR");
}

/* One block of type 0x11 with @efr, and the I/O APICs @first (the south bridge's) and @second. */
static inline void table_ivrs(struct buf *b, uint64_t efr, uint8_t first, uint8_t second)
{
	const uint8_t ids[] = { first, second };
	const uint16_t devids[] = { 0x00a0, 0x0001 };

	table_begin(b, "IVRS");
	put(b, 4, 1);
	zeros(b, 8);
	put(b, 2, 0x11);
	put(b, 2, 40 + 2 * 8);
	put(b, 2, 2);
	put(b, 2, 0x40);
	put(b, 8, 0xfd200000);
	zeros(b, 8);
	put(b, 8, efr);
	zeros(b, 8);
	for (unsigned i = 0; i < 2; i++) {
		put(b, 4, 0x48);
		put(b, 1, ids[i]);
		put(b, 2, devids[i]);
		put(b, 1, 1);
	}
}

static inline void table_put_ivrs(const struct tree *t, uint64_t efr, uint8_t first, uint8_t second)
{
	AUTO_BUF struct buf b = { 0 };

	table_ivrs(&b, efr, first, second);
	table_save(t, &b, "IVRS");
}

#endif
