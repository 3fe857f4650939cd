/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/iommu.h>

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/error.h>
#include <sriovctl/firmware.h>
#include <sriovctl/host.h>
#include <sriovctl/klog.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
	[IOMMU_NONE] = "no IOMMU", [IOMMU_INTEL] = "Intel VT-d",    [IOMMU_AMD] = "AMD-Vi",
	[IOMMU_SMMU] = "Arm SMMU", [IOMMU_VIRTIO] = "virtio IOMMU", [IOMMU_OTHER] = "another IOMMU",
};
_Static_assert(ARRAY_SIZE(kind_names) == IOMMU_KIND_MAX, "every kind has a name");

const char *iommu_kind_name(enum iommu_kind k)
{
	return kind_names[k];
}

static enum iommu_kind kind_of_unit(const char *name)
{
	static const struct {
		const char *prefix;
		enum iommu_kind kind;
	} kinds[] = {
		{ .prefix = "dmar", .kind = IOMMU_INTEL },
		{ .prefix = "ivhd", .kind = IOMMU_AMD },
		{ .prefix = "smmu", .kind = IOMMU_SMMU },
		{ .prefix = "virtio", .kind = IOMMU_VIRTIO },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (parse_has_prefix(name, kinds[i].prefix))
			return kinds[i].kind;
	return IOMMU_OTHER;
}

/* Does firmware give one of the units this extended feature register? */
static bool is_efr_of_firmware(const struct host *h, uint64_t value)
{
	const struct firmware *f = NULL;

	if (firmware_get(h, &f, NULL) < 0 || f->ivrs_error < 0)
		return false;
	for (size_t i = 0; i < f->ivrs.n_units; i++)
		if (f->ivrs.units[i].efr == value && value != 0)
			return true;
	return false;
}

/*
 * "features" is the register alone (to 5.x), "EFR2:EFR" (6.1), or "EFR:EFR2" (6.12):
 * drivers/iommu/amd/init.c amd_iommu_show_features() of each.  The order is not told
 * by the kernel's number, as it was backported; EFR2 is nearly always zero.
 */
static int choose_efr(const struct host *h, const char *text, uint64_t *ret)
{
	const char *colon = strchr(text, ':');
	AUTO_FREE char *left = colon ? strndup(text, (size_t)(colon - text)) : strdup(text);
	uint64_t a, b = 0;

	if (!left)
		return -ENOMEM;
	if (parse_u64(left, 16, UINT64_MAX, &a) < 0 ||
	    (colon && parse_u64(colon + 1, 16, UINT64_MAX, &b) < 0))
		return -EINVAL;
	if (a != 0 && b != 0 && is_efr_of_firmware(h, a) == is_efr_of_firmware(h, b))
		return -ENODATA;
	*ret = b == 0 || (a != 0 && is_efr_of_firmware(h, a)) ? a : b;
	return 0;
}

static int read_registers(const struct host *h, struct iommu_unit *u)
{
	AUTO_BUF struct buf features = { 0 };
	int r;

	switch (u->kind) {
	case IOMMU_INTEL:
		r = host_attr_u64(h, 16, &u->cap, NULL, IOMMU_CLASS "/%s/intel-iommu/cap", u->name);
		if (r < 0)
			return r;
		return host_attr_u64(h, 16, &u->ecap, NULL, IOMMU_CLASS "/%s/intel-iommu/ecap",
				     u->name);
	case IOMMU_AMD:
		r = host_attr(h, &features, NULL, IOMMU_CLASS "/%s/amd-iommu/features", u->name);
		return r < 0 ? r : choose_efr(h, buf_text(&features), &u->efr);
	case IOMMU_NONE:
	case IOMMU_SMMU:
	case IOMMU_VIRTIO:
	case IOMMU_OTHER:
	case IOMMU_KIND_MAX:
		break;
	}
	return -ENOENT;
}

/* What has none of the names we know must at least belong to the class. */
static bool is_unit(const struct host *h, const char *name)
{
	AUTO_BUF struct buf class = { 0 };

	return kind_of_unit(name) != IOMMU_OTHER ||
	       (host_link_name(h, &class, NULL, IOMMU_CLASS "/%s/subsystem", name) == 0 &&
		strcmp(buf_text(&class), "iommu") == 0);
}

int iommu_list(const struct host *h, const char *folder, struct strv *ret, struct error *e)
{
	int r = host_list(h, ret, NULL, "%s", folder);

	if (r == -ENOENT && host_is_partial(h))
		r = -ENODATA;
	return r < 0 ? error_set(e, r, "%s: not known", folder) : 0;
}

static int read_units(const struct host *h, struct iommu_units *ret, struct error *e)
{
	AUTO_STRV struct strv names = { 0 };
	int r = iommu_list(h, IOMMU_CLASS, &names, e);

	if (r < 0)
		return r;
	ret->items = calloc(names.n + 1, sizeof(*ret->items));
	if (!ret->items)
		return error_nomem(e);
	for (size_t i = 0; i < names.n; i++) {
		struct iommu_unit *u = &ret->items[ret->n];

		if (!is_unit(h, names.items[i]))
			continue;

		u->name = strdup(names.items[i]);
		if (!u->name)
			return error_nomem(e);
		ret->n++;
		u->kind = kind_of_unit(u->name);
		u->registers_error = read_registers(h, u);
		if (u->registers_error == -ENOMEM)
			return error_nomem(e);
	}
	/* A folder that is no such class, whatever it is. */
	if (names.n > 0 && ret->n == 0)
		return error_set(e, -EBADMSG, IOMMU_CLASS ": no IOMMU among its entries");
	return 0;
}
HOST_FACT_DEFINE(iommu_units, read_units)

void iommu_units_done(struct iommu_units *v)
{
	for (size_t i = 0; i < v->n; i++)
		free(v->items[i].name);
	free(v->items);
	*v = (struct iommu_units){ 0 };
}

static bool is_listed(const struct host *h, const char *table)
{
	return host_exists(h, FIRMWARE_TABLES "/%s", table) == 0;
}

enum iommu_kind iommu_kind(const struct host *h)
{
	const struct iommu_units *units = NULL;
	const struct firmware *f = NULL;

	if (iommu_units_get(h, &units, NULL) == 0 && units->n > 0)
		return units->items[0].kind;
	if (firmware_get(h, &f, NULL) < 0)
		return IOMMU_NONE;
	/* Listed is enough here, readable or not. */
	if (f->dmar_error == 0 || is_listed(h, "DMAR"))
		return IOMMU_INTEL;
	if (f->ivrs_error == 0 || is_listed(h, "IVRS"))
		return IOMMU_AMD;
	if (f->iort_error == 0 && f->iort_smmus > 0)
		return IOMMU_SMMU;
	if (f->viot_error == 0 && f->viot_iommu)
		return IOMMU_VIRTIO;
	return f->tree_error == 0 ? IOMMU_SMMU : IOMMU_NONE;
}

/* The graphics of Stoney Ridge (drivers/iommu/amd/init.c, detect_ivrs). */
const char *iommu_left_off_by(const struct host *h)
{
	static const char *const forced[] = { "force_enable" };
	const struct pcidevs *v = NULL;
	const struct cmdline *c = NULL;

	if (iommu_kind(h) != IOMMU_AMD || pcidevs_get(h, &v, NULL) < 0 ||
	    cmdline_get(h, &c, NULL) < 0 || cmdline_last_item(c, "amd_iommu", forced, 1) == 0)
		return NULL;
	for (size_t i = 0; i < v->n; i++)
		if (v->items[i].id_error == 0 && v->items[i].vendor == 0x1002 &&
		    v->items[i].device == 0x98e4)
			return v->items[i].name;
	return NULL;
}
