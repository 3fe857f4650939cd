/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/pcidev.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The links virtfn0 ... in the function's folder. */
static uint32_t count_vfs(const struct host *h, const char *name)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_STRV struct strv names = { 0 };
	uint32_t n = 0;

	buf_printf(&path, PCIDEV_PATH "/%s", name);
	if (buf_error(&path) < 0 || host_list(h, buf_text(&path), &names, NULL) < 0)
		return 0;
	for (size_t i = 0; i < names.n; i++)
		n += parse_has_prefix(names.items[i], "virtfn");
	return n;
}

static int read_one(const struct host *h, const char *name, struct pcidev *ret)
{
	AUTO_BUF struct buf group = { 0 };
	uint64_t total = 0;
	struct pcidev d = { .is_vf = host_exists(h, PCIDEV_PATH "/%s/physfn", name) == 0 };

	d.name = strdup(name);
	if (!d.name)
		return -ENOMEM;
	if (host_link_name(h, &group, NULL, PCIDEV_PATH "/%s/iommu_group", name) == 0)
		d.group = buf_take(&group);
	d.totalvfs_error =
		host_attr_u64(h, 10, &total, NULL, PCIDEV_PATH "/%s/sriov_totalvfs", name);
	/* A VF id has 16 bits (PCIe Base Specification, SR-IOV capability, TotalVFs). */
	if (d.totalvfs_error == 0 && total > UINT16_MAX)
		d.totalvfs_error = -EINVAL;
	if (d.totalvfs_error == 0) {
		d.totalvfs = (uint32_t)total;
		d.numvfs = count_vfs(h, name);
	}
	*ret = d;
	return 0;
}

static int read_pcidevs(const struct host *h, struct pcidevs *ret, struct error *e)
{
	AUTO_STRV struct strv names = { 0 };
	struct bdf bdf;
	int r = host_list(h, PCIDEV_PATH, &names, e);

	if (r < 0)
		return r;
	ret->items = calloc(names.n + 1, sizeof(*ret->items));
	if (!ret->items)
		return error_nomem(e);
	for (size_t i = 0; i < names.n; i++) {
		if (parse_bdf(names.items[i], &bdf) < 0)
			continue;
		if (read_one(h, names.items[i], &ret->items[ret->n]) < 0) {
			pcidevs_done(ret);
			return error_nomem(e);
		}
		ret->n++;
	}
	return 0;
}
HOST_FACT_DEFINE(pcidevs, read_pcidevs)

void pcidevs_done(struct pcidevs *v)
{
	for (size_t i = 0; i < v->n; i++) {
		free(v->items[i].name);
		free(v->items[i].group);
	}
	free(v->items);
	*v = (struct pcidevs){ 0 };
}

int pcidev_netdev(const struct host *h, const struct pcidev *d, struct buf *ret)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_STRV struct strv names = { 0 };
	int r;

	buf_clear(ret);
	buf_printf(&path, PCIDEV_PATH "/%s/net", d->name);
	if (buf_error(&path) < 0)
		return buf_error(&path);
	r = host_list(h, buf_text(&path), &names, NULL);
	if (r < 0)
		return r;
	for (size_t i = 0; i < names.n; i++)
		buf_printf(ret, "%s%s", i ? " " : "", names.items[i]);
	return names.n == 0 ? -ENOENT : buf_error(ret);
}
