/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of the functions as the files and links that sysfs has of them. */
#include "import_impl.h"

#include <sriovctl/buf.h>
#include <sriovctl/pciconf.h>

#include <inttypes.h>
#include <linux/pci_regs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS	   "/sys/kernel/iommu_groups"
#define GROUPS_MAX 65536u
#define FUNCTIONS  8u /* of a slot */

/* --- what follows from several -------------------------------------------------------------- */

/* Functions beside each other in a slot are told by a bit in the header of each (7.5.1.1.9). */
static void tell_beside(struct functions *v)
{
	for (size_t k = 0; k < v->n; k++) {
		struct function *f = v->items[k];

		for (unsigned n = 0; n < FUNCTIONS && !f->is_vf && f->space; n++) {
			struct bdf at = f->at;
			const struct function *other;

			at.function = (uint8_t)n;
			other = n == f->at.function ? NULL : functions_find(v, &at);
			if (other && !other->is_vf)
				function_set(v, f, PCI_HEADER_TYPE, 0x80, 0x80);
		}
	}
}

/* Of a dump they are told as well; those of a VF are all ones (9.3.4.1.1). */
static void tell_ids(struct functions *v, struct function *f)
{
	uint32_t ids = function_get(f, PCI_VENDOR_ID);

	if (function_knows(f, PCI_VENDOR_ID, UINT32_MAX) && ids != UINT32_MAX)
		function_set_ids(v, f, (uint16_t)ids, (uint16_t)(ids >> 16));
	if (!f->has_class && function_knows(f, PCI_CLASS_REVISION, 0xffffff00u)) {
		f->has_class = true;
		f->class = function_get(f, PCI_CLASS_REVISION) >> 8;
	}
	/* What has an interface is a network's, of one kind or another. */
	if (!f->has_class && f->netdev) {
		f->has_class = true;
		f->class = PCIDEV_CLASS_NETWORK << 16;
	}
}

static bool find_sriov(const struct function *f, size_t *ret)
{
	size_t at = 0x100;

	/* The list as it was put or dumped; it is no longer than it has room for. */
	for (unsigned n = 0; f->space && at >= 0x100 && at + PCI_EXT_CAP_SRIOV_SIZEOF <= f->len &&
			     n < PCICONF_CAPS_MAX;
	     n++) {
		uint32_t head = function_get(f, at);

		if (PCI_EXT_CAP_ID(head) == PCI_EXT_CAP_ID_SRIOV &&
		    function_knows(f, at, UINT16_MAX)) {
			*ret = at;
			return true;
		}
		at = PCI_EXT_CAP_NEXT(head);
	}
	return false;
}

static void link_vf(struct import *i, const struct function *pf, struct function *vf, unsigned k)
{
	char target[TEXT_BDF_MAX + 3];

	vf->is_vf = true;
	(void)snprintf(target, sizeof(target), "../%s", vf->name);
	host_make_link(i->make, target, PCIDEV_PATH "/%s/virtfn%u", pf->name, k);
	(void)snprintf(target, sizeof(target), "../%s", pf->name);
	host_make_link(i->make, target, PCIDEV_PATH "/%s/physfn", vf->name);
}

/* How many VFs there may be of this function, by its registers: those that are on, or all. */
static unsigned count_places(const struct function *pf, size_t at, bool *ret_are_on)
{
	bool knows_on = function_knows(pf, at + PCI_SRIOV_CTRL, PCI_SRIOV_CTRL_VFE);

	*ret_are_on = knows_on && function_get(pf, at + PCI_SRIOV_CTRL) & PCI_SRIOV_CTRL_VFE &&
		      function_knows(pf, at + PCI_SRIOV_NUM_VF, UINT16_MAX);
	if (*ret_are_on)
		return function_get(pf, at + PCI_SRIOV_NUM_VF) & UINT16_MAX;
	if (!function_knows(pf, at + PCI_SRIOV_TOTAL_VF, UINT16_MAX))
		return 0;
	return function_get(pf, at + PCI_SRIOV_TOTAL_VF) & UINT16_MAX;
}

/*
 * The links between a PF and its VFs that are there too (PCIe 9.2.1.2): those of a PF with VFs
 * on; and what names itself a VF, as it may be of another moment than the PF's registers.
 */
static void put_vfs(struct import *i, struct function *pf)
{
	uint32_t id = (uint32_t)pf->at.bus << 8 | (uint32_t)pf->at.device << 3 | pf->at.function;
	uint32_t places;
	bool are_on;
	unsigned n;
	size_t at;

	if (!find_sriov(pf, &at) || !function_knows(pf, at + PCI_SRIOV_VF_OFFSET, UINT32_MAX))
		return;
	n = count_places(pf, at, &are_on);
	places = function_get(pf, at + PCI_SRIOV_VF_OFFSET);
	for (unsigned k = 0; k < n; k++) {
		uint32_t vf_id = id + (places & UINT16_MAX) + k * (places >> 16);
		struct bdf vf_at = pf->at;
		struct function *vf;

		vf_at.bus = (uint8_t)(vf_id >> 8);
		vf_at.device = vf_id >> 3 & 0x1f;
		vf_at.function = vf_id & 0x7;
		vf = vf_id <= UINT16_MAX ? functions_find(&i->functions, &vf_at) : NULL;
		if (vf && vf != pf && (are_on || vf->is_vf))
			link_vf(i, pf, vf, k);
	}
}

/* VFs of which it is told that they are there, and not where. */
static void put_told_vfs(struct import *i, const struct function *pf)
{
	for (unsigned k = 0; k < pf->told_vfs; k++)
		if (!host_make_knows(i->make, PCIDEV_PATH "/%s/virtfn%u", pf->name, k))
			host_make_name(i->make, PCIDEV_PATH "/%s/virtfn%u", pf->name, k);
}

/* --- one function ------------------------------------------------------------------------------
 */

/* A space of which nothing is known has no file. */
static void put_config(struct import *i, const struct function *f)
{
	size_t len = f->len ? f->len : f->space ? PCICONF_MAX : 0;
	bool is_known = true;

	if (len < PCI_STD_HEADER_SIZEOF || !f->space || !f->known)
		return;
	for (size_t k = 0; k < len; k++)
		is_known = is_known && f->known[k] == UINT8_MAX;
	if (!is_known && !host_make_knows(i->make, PCIDEV_PATH "/%s/config", f->name))
		host_make_file(i->make, f->known, len, HOST_MAKE_ANSWERS "/known/%s", f->name);
	host_make_file(i->make, f->space, len, PCIDEV_PATH "/%s/config", f->name);
}

PRINTF(4, 5)
static void put_attribute(struct import *i, const struct function *f, const char *name,
			  const char *fmt, ...)
{
	AUTO_BUF struct buf text = { 0 };

	BUF_FORMAT(&text, fmt);
	if (buf_error(&text) < 0)
		i->error = buf_error(&text);
	else
		host_make_text(i->make, buf_text(&text), PCIDEV_PATH "/%s/%s", f->name, name);
}

static void put_rows(struct import *i, const struct function *f)
{
	AUTO_BUF struct buf text = { 0 };

	for (size_t k = 0; k < ARRAY_SIZE(f->rows); k++)
		buf_printf(&text, "0x%016" PRIx64 " 0x%016" PRIx64 " 0x%016" PRIx64 "\n",
			   f->rows[k].start, f->rows[k].end, f->rows[k].flags);
	if (buf_error(&text) < 0)
		i->error = buf_error(&text);
	else
		host_make_file(i->make, text.data, text.len, PCIDEV_PATH "/%s/resource", f->name);
}

static void put_link_state(struct import *i, const struct function *f)
{
	static const char *const speeds[] = { NULL, "2.5", "5.0", "8.0", "16.0", "32.0", "64.0" };
	const struct function_link *l = &f->link;

	if (l->speed > 0 && l->speed < ARRAY_SIZE(speeds))
		put_attribute(i, f, "current_link_speed", "%s GT/s PCIe", speeds[l->speed]);
	if (l->max_speed > 0 && l->max_speed < ARRAY_SIZE(speeds))
		put_attribute(i, f, "max_link_speed", "%s GT/s PCIe", speeds[l->max_speed]);
	if (l->width > 0)
		put_attribute(i, f, "current_link_width", "%u", l->width);
	if (l->max_width > 0)
		put_attribute(i, f, "max_link_width", "%u", l->max_width);
}

static void put_driver(struct import *i, const struct function *f)
{
	AUTO_BUF struct buf target = { 0 };

	if (f->driver_state == FUNCTION_ABSENT)
		host_make_absent(i->make, PCIDEV_PATH "/%s/driver", f->name);
	if (f->driver_state != FUNCTION_PRESENT || !f->driver)
		return;
	buf_printf(&target, "../../drivers/%s", f->driver);
	if (buf_error(&target) < 0)
		i->error = buf_error(&target);
	else
		host_make_link(i->make, buf_text(&target), PCIDEV_PATH "/%s/driver", f->name);
}

static void put_group(struct import *i, const struct function *f)
{
	char target[64];

	if (!f->has_group)
		return;
	(void)snprintf(target, sizeof(target), "../../../../kernel/iommu_groups/%" PRIu32,
		       f->group);
	host_make_link(i->make, target, PCIDEV_PATH "/%s/iommu_group", f->name);
	(void)snprintf(target, sizeof(target), "../../../../bus/pci/devices/%s", f->name);
	host_make_link(i->make, target, GROUPS "/%" PRIu32 "/devices/%s", f->group, f->name);
	i->groups_seen = true;
}

static void put_function(struct import *i, const struct function *f)
{
	host_make_folder(i->make, PCIDEV_PATH "/%s", f->name);
	if (f->has_ids) {
		put_attribute(i, f, "vendor", "0x%04x", f->vendor);
		put_attribute(i, f, "device", "0x%04x", f->device);
	}
	if (f->has_class)
		put_attribute(i, f, "class", "0x%06" PRIx32, f->class);
	if (f->has_node)
		put_attribute(i, f, "numa_node", "%" PRIu32, f->node);
	if (f->has_buses) {
		put_attribute(i, f, "secondary_bus_number", "%u", f->secondary);
		put_attribute(i, f, "subordinate_bus_number", "%u", f->subordinate);
	}
	if (f->totalvfs_state == FUNCTION_ABSENT)
		host_make_absent(i->make, PCIDEV_PATH "/%s/sriov_totalvfs", f->name);
	if (f->totalvfs_state == FUNCTION_PRESENT)
		host_make_name(i->make, PCIDEV_PATH "/%s/sriov_totalvfs", f->name);
	if (f->has_rows)
		put_rows(i, f);
	if (f->netdev)
		host_make_folder(i->make, PCIDEV_PATH "/%s/net/%s", f->name, f->netdev);
	if (f->netdev)
		host_make_all(i->make, PCIDEV_PATH "/%s/net", f->name);
	if (f->netdev && f->carrier != FUNCTION_UNKNOWN)
		host_make_text(i->make, f->carrier == FUNCTION_PRESENT ? "1" : "0",
			       PCIDEV_PATH "/%s/net/%s/carrier", f->name, f->netdev);
	put_driver(i, f);
	put_group(i, f);
	put_link_state(i, f);
	put_config(i, f);
}

/* --- groups
 * --------------------------------------------------------------------------------------- */

/*
 * The kernel numbers groups from 0 on without a gap, so that a text which leaves functions out
 * mostly has one.  Without a gap, and with a group for all that has one at all, it is whole.
 */
static bool are_whole(const struct functions *v)
{
	AUTO_FREE bool *seen = calloc(GROUPS_MAX, sizeof(*seen));
	uint32_t end = 0;

	for (size_t k = 0; seen && k < v->n; k++) {
		if (!v->items[k]->has_group || v->items[k]->group >= GROUPS_MAX)
			continue;
		seen[v->items[k]->group] = true;
		if (v->items[k]->group >= end)
			end = v->items[k]->group + 1;
	}
	for (size_t k = 0; seen && k < v->n_nameless; k++)
		if (v->nameless[k] < GROUPS_MAX)
			seen[v->nameless[k]] = true;
	for (uint32_t g = 0; seen && g < end; g++)
		if (!seen[g])
			return false;
	return seen && end > 0;
}

/* Does a check ask about it?  As facts/pf.c decides, of what is known here. */
static bool is_judged(const struct import *i, const struct function *f)
{
	const struct nics_id *id = f->has_ids ? nics_find(&i->nics, f->vendor, f->device) : NULL;
	size_t at;

	return !f->is_vf &&
	       (f->totalvfs_state == FUNCTION_PRESENT || find_sriov(f, &at) || (id && !id->is_vf));
}

/* More than any machine has are none: what is known of some would look like all there are. */
static bool refuse_functions(struct import *i)
{
	struct functions *v = &i->functions;
	size_t n = 0;

	for (size_t k = 0; k < v->n; k++)
		n += is_judged(i, v->items[k]);
	if (v->is_full)
		i->beyond = FUNCTIONS_MAX;
	else if (n > FUNCTIONS_WITH_VFS_MAX)
		i->beyond = FUNCTIONS_WITH_VFS_MAX;
	return i->beyond > 0;
}

static void put_groups(struct import *i)
{
	struct functions *v = &i->functions;
	bool whole;

	host_make_all(i->make, GROUPS);
	whole = are_whole(v);
	for (size_t k = 0; whole && k < v->n; k++)
		if (v->items[k]->has_group && !functions_is_nameless(v, v->items[k]->group))
			host_make_all(i->make, GROUPS "/%" PRIu32 "/devices", v->items[k]->group);
}

void sysfs_put(struct import *i)
{
	struct functions *v = &i->functions;

	for (size_t k = 0; k < v->n; k++)
		tell_ids(v, v->items[k]);
	if (refuse_functions(i))
		return;
	for (size_t k = 0; k < v->n; k++)
		put_vfs(i, v->items[k]);
	tell_beside(v);
	for (size_t k = 0; k < v->n; k++)
		put_function(i, v->items[k]);
	for (size_t k = 0; k < v->n; k++)
		put_told_vfs(i, v->items[k]);
	if (v->n > 0)
		host_make_all(i->make, PCIDEV_PATH);
	if (i->groups_seen)
		put_groups(i);
	else if (v->has_no_group)
		host_make_all(i->make, GROUPS);
}
