/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/acpi.h>

#include "acpi_bytes.h"

#include <errno.h>
#include <string.h>

#include <sriovctl/error.h>

/* The header all tables begin with: ACPI specification 6.5, section 5.2.6. */
#define HEADER_LEN 36

int acpi_table_open(const uint8_t *data, size_t len, const char *signature, size_t min,
		    struct acpi_table *ret, struct error *e)
{
	uint32_t want;
	uint8_t sum = 0;

	if (len < 8)
		return error_set(e, -ENODATA, "%s: cut after %zu bytes", signature, len);
	if (memcmp(data, signature, 4))
		return error_set(e, -EINVAL, "%s: not such a table", signature);
	want = acpi_bytes_u32(data + 4);
	if (want < HEADER_LEN || want < min)
		return error_set(e, -EINVAL, "%s: a table of %u bytes has no room for its header",
				 signature, want);
	if (want > len)
		return error_set(e, -ENODATA, "%s: cut after %zu of %u bytes", signature, len,
				 want);
	for (size_t i = 0; i < want; i++)
		sum = (uint8_t)(sum + data[i]);
	*ret = (struct acpi_table){ .data = data, .len = want, .checksum_ok = sum == 0 };
	return 0;
}

/*
 * IAPC_BOOT_ARCH, section 5.2.9.3.  ACPICA takes a table of up to 132 bytes for one
 * of ACPI 1.0, where the field is reserved, and clears it (acpi_tb_convert_fadt()).
 */
#define FADT_V2_LEN    132
#define FADT_BOOT_ARCH 109
#define FADT_NO_MSI    (1 << 3)

int acpi_fadt_parse(const uint8_t *data, size_t len, bool *ret_no_msi, struct error *e)
{
	struct acpi_table t;
	int r = acpi_table_open(data, len, "FACP", HEADER_LEN, &t, e);

	if (r < 0)
		return r;
	*ret_no_msi =
		t.len > FADT_V2_LEN && (acpi_bytes_u16(t.data + FADT_BOOT_ARCH) & FADT_NO_MSI);
	return 0;
}

/* Nodes that carry their own length, and a count of them, at @offset of the table. */
static int open_nodes(const struct acpi_table *t, const char *signature, uint32_t offset,
		      uint32_t min, struct acpi_bytes *ret, struct error *e)
{
	if (offset < min || offset > t->len)
		return error_set(e, -EINVAL, "%s: its nodes begin at byte %u of %zu", signature,
				 offset, t->len);
	*ret = (struct acpi_bytes){ .data = t->data + offset, .len = t->len - offset };
	return 0;
}

/* Arm DEN 0049E.e, section 3, and drivers/acpi/arm64/iort.c. */
#define IORT_FIXED	48
#define IORT_NODE_FIXED 16
#define IORT_SMMU_FIXED 24
#define IORT_SMMU_V1_V2 3
#define IORT_SMMU_V3	4

int acpi_iort_parse(const uint8_t *data, size_t len, size_t *ret_smmus, struct error *e)
{
	struct acpi_table t;
	struct acpi_bytes run, node;
	size_t smmus = 0;
	int r = acpi_table_open(data, len, "IORT", IORT_FIXED, &t, e);

	if (r == 0)
		r = open_nodes(&t, "IORT", acpi_bytes_u32(t.data + 40), IORT_FIXED, &run, e);
	if (r < 0)
		return r;
	/* Behind a damaged node there is no telling what else is listed. */
	for (uint32_t n = acpi_bytes_u32(t.data + 36); n > 0; n--) {
		if (acpi_bytes_next(&run, 1, 2, IORT_NODE_FIXED, &node) <= 0)
			break;
		smmus += (node.data[0] == IORT_SMMU_V1_V2 || node.data[0] == IORT_SMMU_V3) &&
			 node.len >= IORT_SMMU_FIXED;
	}
	*ret_smmus = smmus;
	return 0;
}

/* Section 5.2.34, and drivers/acpi/viot.c. */
#define VIOT_FIXED	 48
#define VIOT_NODE_FIXED	 4
#define VIOT_IOMMU_FIXED 16
#define VIOT_IOMMU_PCI	 3
#define VIOT_IOMMU_MMIO	 4

int acpi_viot_parse(const uint8_t *data, size_t len, bool *ret_iommu, struct error *e)
{
	struct acpi_table t;
	struct acpi_bytes run, node;
	bool found = false;
	int r = acpi_table_open(data, len, "VIOT", VIOT_FIXED, &t, e);

	if (r == 0)
		r = open_nodes(&t, "VIOT", acpi_bytes_u16(t.data + 38), VIOT_FIXED, &run, e);
	if (r < 0)
		return r;
	for (unsigned n = acpi_bytes_u16(t.data + 36); n > 0 && !found; n--) {
		r = acpi_bytes_next(&run, 2, 2, VIOT_NODE_FIXED, &node);
		if (r <= 0)
			return error_set(e, -EINVAL, "VIOT: a node has no sensible length");
		found = (node.data[0] == VIOT_IOMMU_PCI || node.data[0] == VIOT_IOMMU_MMIO) &&
			node.len >= VIOT_IOMMU_FIXED;
	}
	*ret_iommu = found;
	return 0;
}
