/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/firmware.h>

#include <sriovctl/acpi.h>
#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/cpuinfo.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A DMAR of a large machine has 20 KB. */
#define TABLE_MAX (4 * 1024 * 1024)

/* Units stand at the top of a device tree or in a bus below it. */
#define TREE_DEPTH 3

/*
 * May a table that is not in the list be taken for absent?  0: yes; else why the list
 * says nothing.
 */
static int read_names(const struct host *h, struct strv *ret)
{
	int r = host_list(h, ret, NULL, FIRMWARE_TABLES);

	/* A kernel that runs without ACPI makes no such folder. */
	if (r == -ENOENT)
		return host_is_partial(h) ? -ENODATA : 0;
	if (r == 0 && host_is_partial(h) && !strv_has(ret, "FACP"))
		return -ENODATA;
	return r;
}

static int read_table(const struct host *h, const char *signature, int names_error,
		      const struct strv *names, struct buf *ret)
{
	int r;

	if (names_error == 0 && !strv_has(names, signature))
		return -ENOENT;
	r = host_read(h, TABLE_MAX, ret, NULL, FIRMWARE_TABLES "/%s", signature);
	if (r == 0 || strv_has(names, signature))
		/* Its name was there a moment ago. */
		return r == -ENOENT ? -ENODATA : r;
	/* Some tables may have been sent alone. */
	return r == -ENOMEM ? r : names_error;
}

static const uint8_t *bytes(const struct buf *b)
{
	return (const uint8_t *)buf_text(b);
}

/* True when the list of tables is complete. */
static bool read_tables(const struct host *h, struct firmware *f)
{
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf b = { 0 };
	int list = read_names(h, &names);

	f->dmar_error = read_table(h, "DMAR", list, &names, &b);
	if (f->dmar_error == 0)
		f->dmar_error = acpi_dmar_parse(bytes(&b), b.len, &f->dmar, NULL);
	f->ivrs_error = read_table(h, "IVRS", list, &names, &b);
	if (f->ivrs_error == 0)
		f->ivrs_error = acpi_ivrs_parse(bytes(&b), b.len, &f->ivrs, NULL);
	f->iort_error = read_table(h, "IORT", list, &names, &b);
	if (f->iort_error == 0)
		f->iort_error = acpi_iort_parse(bytes(&b), b.len, &f->iort_smmus, NULL);
	f->viot_error = read_table(h, "VIOT", list, &names, &b);
	if (f->viot_error == 0)
		f->viot_error = acpi_viot_parse(bytes(&b), b.len, &f->viot_iommu, NULL);
	f->madt_error = read_table(h, "APIC", list, &names, &b);
	if (f->madt_error == 0)
		f->madt_error = acpi_madt_parse(bytes(&b), b.len, &f->madt, NULL);
	f->fadt_error = read_table(h, "FACP", list, &names, &b);
	if (f->fadt_error == 0)
		f->fadt_error = acpi_fadt_parse(bytes(&b), b.len, &f->no_msi, NULL);
	return list == 0 && names.n > 0;
}

/* "compatible" is a list of strings, each with its NUL. */
static bool lists_iommu(const struct buf *compatible)
{
	static const char *const names[] = { "arm,smmu", "arm,mmu-", "virtio,pci-iommu" };
	const char *s = buf_text(compatible), *end = s + compatible->len;

	for (; s < end; s += strlen(s) + 1)
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			if (parse_has_prefix(s, names[i]))
				return true;
	return false;
}

/*
 * 1: @node is an IOMMU (Documentation/devicetree/bindings/iommu) in use, which is one
 * without "status" or with "okay" there (Devicetree specification, 2.3.4); 0 or -ENOMEM.
 */
static int is_iommu_node(const struct host *h, const char *node)
{
	AUTO_BUF struct buf compatible = { 0 }, status = { 0 };
	int r = host_read(h, HOST_ATTR_MAX, &compatible, NULL, "%s/compatible", node);

	if (r < 0 || !lists_iommu(&compatible))
		return r == -ENOMEM ? r : 0;
	r = host_read(h, HOST_ATTR_MAX, &status, NULL, "%s/status", node);
	if (r == -ENOMEM)
		return r;
	return r < 0 || parse_has_prefix(buf_text(&status), "ok");
}

/* Into @ret the first IOMMU at or below @path, NULL without any; 0 or -ENOMEM. */
static int find_node(const struct host *h, const char *path, unsigned depth, char **ret)
{
	AUTO_STRV struct strv names = { 0 };
	int r = is_iommu_node(h, path);

	if (r > 0) {
		*ret = strdup(path);
		return *ret ? 0 : -ENOMEM;
	}
	if (r == 0 && depth > 0)
		r = host_list(h, &names, NULL, "%s", path) == -ENOMEM ? -ENOMEM : 0;
	for (size_t i = 0; r == 0 && !*ret && i < names.n; i++) {
		AUTO_BUF struct buf child = { 0 };

		/* A node with registers has a unit address behind @; properties have none. */
		if (!strchr(names.items[i], '@') && strcmp(names.items[i], "soc") != 0)
			continue;
		buf_printf(&child, "%s/%s", path, names.items[i]);
		r = buf_error(&child);
		if (r == 0)
			r = find_node(h, buf_text(&child), depth - 1, ret);
	}
	return r;
}

/* A table that was not parsed for want of memory must not pass for one that is not known. */
static bool lacks_memory(const struct firmware *f)
{
	const int errors[] = { f->dmar_error, f->ivrs_error, f->iort_error,
			       f->viot_error, f->madt_error, f->fadt_error };

	for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
		if (errors[i] == -ENOMEM)
			return true;
	return false;
}

static bool is_x86(const struct host *h)
{
	const struct cpuinfo *cpu = NULL;

	return cpuinfo_get(h, &cpu, NULL) == 0 && cpu->arch == CPUINFO_X86;
}

/* Told so, the kernel looks at no table, and shows none. */
static void forget_tables(struct firmware *ret)
{
	int *const errors[] = { &ret->dmar_error, &ret->ivrs_error, &ret->iort_error,
				&ret->viot_error, &ret->madt_error, &ret->fadt_error };

	for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
		if (*errors[i] == -ENODATA)
			*errors[i] = -ENOENT;
}

static int read_firmware(const struct host *h, struct firmware *ret, struct error *e)
{
	bool has_acpi = read_tables(h, ret);

	if (lacks_memory(ret))
		return error_nomem(e);
	if (!has_acpi && firmware_is_off_by_cmdline(h))
		forget_tables(ret);
	/* With ACPI the kernel takes no IOMMU from a device tree, and on x86 never. */
	ret->tree_error = has_acpi || is_x86(h) ? -ENOENT : host_exists(h, FIRMWARE_TREE);
	if (ret->tree_error < 0)
		return 0;
	if (find_node(h, FIRMWARE_TREE, TREE_DEPTH, &ret->tree_iommu) < 0)
		return error_nomem(e);
	ret->tree_error = ret->tree_iommu ? 0 : -ENOENT;
	return 0;
}
HOST_FACT_DEFINE(firmware, read_firmware)

void firmware_done(struct firmware *f)
{
	acpi_dmar_done(&f->dmar);
	acpi_ivrs_done(&f->ivrs);
	acpi_madt_done(&f->madt);
	free(f->tree_iommu);
	*f = (struct firmware){ 0 };
}

bool firmware_is_off_by_cmdline(const struct host *h)
{
	static const char *const words[] = { "force", "off" };
	const struct cmdline *c = NULL;

	return cmdline_get(h, &c, NULL) == 0 && cmdline_last_item(c, "acpi", words, 2) == 1;
}
