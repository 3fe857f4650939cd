/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of devices, and what they say of translation. */
#include <sriovctl/iommu.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/firmware.h>
#include <sriovctl/host.h>
#include <sriovctl/interrupts.h>
#include <sriovctl/klog.h>
#include <sriovctl/machine.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* VFIO makes groups of its own for devices without IOMMU (drivers/vfio/group.c). */
#define NOIOMMU_NAME "vfio-noiommu"

/* Owns @name from the call on. */
static int count_type(struct iommu_groups *g, char *name)
{
	struct iommu_group_type *types;

	if (!name)
		return -ENOMEM;
	for (size_t i = 0; i < g->n_types; i++) {
		if (strcmp(g->types[i].name, name) == 0) {
			g->types[i].n++;
			free(name);
			return 0;
		}
	}
	types = base_room(g->types, g->n_types, sizeof(*types));
	if (!types) {
		free(name);
		return -ENOMEM;
	}
	g->types = types;
	g->types[g->n_types++] = (struct iommu_group_type){ .name = name, .n = 1 };
	return 0;
}

static int count_functions(const struct host *h, const char *group, size_t *ret)
{
	AUTO_STRV struct strv names = { 0 };
	struct bdf bdf;
	size_t n = 0;
	int r = host_list(h, &names, NULL, IOMMU_GROUPS "/%s/devices", group);

	/* Each group has the folder, so that without it the group was not captured whole. */
	if (r < 0)
		return r == -ENOENT ? -ENODATA : r;
	for (size_t i = 0; i < names.n; i++)
		n += parse_bdf(names.items[i], &bdf) == 0;
	*ret = n;
	return 0;
}

static int add_group(const struct host *h, struct iommu_groups *g, const char *group)
{
	AUTO_BUF struct buf text = { 0 };
	size_t n = 0;
	int r;

	if (host_attr(h, &text, NULL, IOMMU_GROUPS "/%s/name", group) == 0 &&
	    strcmp(buf_text(&text), NOIOMMU_NAME) == 0) {
		g->n_noiommu++;
		return 0;
	}
	r = count_functions(h, group, &n);
	if (r < 0 || n == 0)
		return r;
	g->n_groups++;
	g->n_devices += n;
	if (host_attr(h, &text, NULL, IOMMU_GROUPS "/%s/type", group) < 0)
		return 0;
	return count_type(g, buf_take(&text));
}

static int read_groups(const struct host *h, struct iommu_groups *ret, struct error *e)
{
	AUTO_STRV struct strv names = { 0 };
	int r = iommu_list(h, IOMMU_GROUPS, &names, e);

	if (r < 0)
		return r;
	for (size_t i = 0; r == 0 && i < names.n; i++)
		r = add_group(h, ret, names.items[i]);
	return r < 0 ? error_set(e, r, IOMMU_GROUPS ": not known") : 0;
}
HOST_FACT_DEFINE(iommu_groups, read_groups)

void iommu_groups_done(struct iommu_groups *g)
{
	for (size_t i = 0; i < g->n_types; i++)
		free(g->types[i].name);
	free(g->types);
	*g = (struct iommu_groups){ 0 };
}

/*
 * VFIO makes a group for a function that its driver takes, and ends it when the driver goes: one
 * that no driver of VFIO has, as no bridge, is in a group because an IOMMU translates for it.
 */
static bool is_not_vfios(const struct pcidev *d)
{
	return d->driver_error == -ENOENT || pcidev_is_bridge(d) ||
	       (d->driver_error == 0 && !parse_has_prefix(d->driver, "vfio"));
}

/*
 * The links of the functions, for a root without the groups themselves.  A group alone
 * may be one of VFIO's own: only an IOMMU's function has a link to the unit, too.
 */
static enum iommu_state state_by_links(const struct host *h, struct buf *observed)
{
	const struct iommu_units *units = NULL;
	/* Where the units are known, and none runs, some group may be anybody's. */
	bool may_run = iommu_units_get(h, &units, NULL) < 0;
	const struct pcidevs *v = NULL;

	if (pcidevs_get(h, &v, NULL) < 0)
		return IOMMU_UNKNOWN;
	for (size_t i = 0; i < v->n; i++) {
		const struct pcidev *d = &v->items[i];

		if (!d->group || (host_exists(h, PCIDEV_PATH "/%s/iommu", d->name) < 0 &&
				  !(may_run && is_not_vfios(d))))
			continue;
		buf_printf(observed, "%s is in group %s", d->name, d->group);
		return IOMMU_ON;
	}
	return IOMMU_UNKNOWN;
}

/* AMD's driver takes the interrupt of a unit when it has switched the unit on. */
static enum iommu_state state_by_events(const struct host *h, struct buf *observed)
{
	const struct interrupts *v = NULL;

	for (size_t i = 0; interrupts_get(h, &v, NULL) == 0 && i < v->n; i++) {
		if (!parse_has_prefix(v->items[i].action, "AMD-Vi"))
			continue;
		buf_printf(observed, "interrupt %u of %s", v->items[i].number, v->items[i].action);
		return IOMMU_ON;
	}
	return IOMMU_UNKNOWN;
}

/* Lines that only a driver prints that has finished its start. */
static enum iommu_state state_by_log(const struct host *h, struct buf *observed)
{
	static const char *const on[] = {
		"DMAR: Intel(R) Virtualization Technology for Directed I/O",
		"Adding to iommu group ",
	};
	static const char *const off[] = { "DMAR: Parse DMAR table failure",
					   "IVRS invalid checksum" };

	for (size_t i = 0; i < ARRAY_SIZE(on); i++)
		/* VFIO's groups of its own are made by it, and say so. */
		if (klog_find(h, observed, "%s", on[i]) && !strstr(buf_text(observed), "vfio"))
			return IOMMU_ON;
	for (size_t i = 0; i < ARRAY_SIZE(off); i++)
		if (klog_find(h, observed, "%s", off[i]))
			return IOMMU_OFF;
	return IOMMU_UNKNOWN;
}

static enum iommu_state state_by_groups(const struct iommu_groups *g, struct buf *observed)
{
	if (g->n_groups > 0)
		buf_printf(observed, "%zu PCI functions in %zu groups", g->n_devices, g->n_groups);
	else
		buf_puts(observed, "no PCI function in a group");
	return g->n_groups > 0 ? IOMMU_ON : IOMMU_OFF;
}

static enum iommu_state state_by_units(const struct iommu_units *u, struct buf *observed)
{
	for (size_t i = 0; i < u->n; i++)
		buf_printf(observed, "%s%s", i ? " " : "", u->items[i].name);
	if (u->n == 0)
		buf_puts(observed, "empty");
	/* Firmware may lead a root complex past an SMMU or a virtio IOMMU; a VT-d or AMD-Vi covers
	 * all. */
	if (u->n > 0 && u->items[0].kind != IOMMU_INTEL && u->items[0].kind != IOMMU_AMD)
		return IOMMU_UNKNOWN;
	return u->n > 0 ? IOMMU_ON : IOMMU_OFF;
}

/* On x86 the kernel has no other way to learn of one. */
static bool has_no_table(const struct host *h)
{
	const struct firmware *f = NULL;
	const struct machine *m = NULL;

	if (firmware_get(h, &f, NULL) < 0)
		return false;
	/* I/O APICs are of x86. */
	return ((machine_get(h, &m, NULL) == 0 && m->arch_error == 0 && m->arch == CPUINFO_X86) ||
		(f->madt_error == 0 && f->madt.n_ioapics > 0)) &&
	       f->dmar_error == -ENOENT && f->ivrs_error == -ENOENT && f->iort_error == -ENOENT &&
	       f->viot_error == -ENOENT;
}

/* No table, or one that the kernel refuses, and does without. */
static enum iommu_state state_by_tables(const struct host *h, struct buf *observed)
{
	const struct firmware *f = NULL;
	const char *refused = NULL;

	if (firmware_get(h, &f, NULL) < 0)
		return IOMMU_UNKNOWN;
	if (f->dmar_error == 0)
		refused = f->dmar.refused;
	else if (f->ivrs_error == 0)
		refused = f->ivrs.refused;
	if (!refused && !has_no_table(h))
		return IOMMU_UNKNOWN;
	buf_clear(observed);
	buf_puts(observed, refused ? refused : "no table that describes an IOMMU");
	return IOMMU_OFF;
}

static enum iommu_state find_state(const struct host *h, const char **ret_source,
				   struct buf *observed)
{
	const struct iommu_groups *groups = NULL;
	const struct iommu_units *units = NULL;
	enum iommu_state s;
	int r;

	buf_clear(observed);
	*ret_source = IOMMU_GROUPS;
	r = iommu_groups_get(h, &groups, NULL);
	if (r == 0 && groups->n_groups > 0 && iommu_units_get(h, &units, NULL) == 0 &&
	    units->n == 0) {
		*ret_source = PCIDEV_PATH;
		return state_by_links(h, observed);
	}
	if (r == 0)
		return state_by_groups(groups, observed);
	if (r == -ENOENT) {
		buf_puts(observed, "absent: the kernel has no IOMMU support");
		return IOMMU_OFF;
	}
	*ret_source = PCIDEV_PATH;
	s = state_by_links(h, observed);
	if (s != IOMMU_UNKNOWN)
		return s;
	*ret_source = IOMMU_CLASS;
	if (iommu_units_get(h, &units, NULL) == 0)
		return state_by_units(units, observed);
	*ret_source = "/proc/interrupts";
	s = state_by_events(h, observed);
	if (s == IOMMU_UNKNOWN) {
		*ret_source = "kernel log";
		s = state_by_log(h, observed);
	}
	if (s == IOMMU_UNKNOWN && state_by_tables(h, observed) == IOMMU_OFF) {
		*ret_source = FIRMWARE_TABLES;
		s = IOMMU_OFF;
	}
	return s;
}

enum iommu_state iommu_state(const struct host *h, const char **ret_source, struct buf *observed)
{
	enum iommu_state s = find_state(h, ret_source, observed);

	if (buf_error(observed) < 0)
		(void)host_nomem(h, NULL);
	return s;
}
