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
	AUTO_STRV struct strv names = { 0 };
	uint32_t n = 0;

	/* Some may be known where the whole folder is not. */
	if (host_list(h, &names, NULL, PCIDEV_PATH "/%s", name) < 0) {
		while (n <= UINT16_MAX && host_exists(h, PCIDEV_PATH "/%s/virtfn%u", name, n) == 0)
			n++;
		return n;
	}
	for (size_t i = 0; i < names.n; i++)
		n += parse_has_prefix(names.items[i], "virtfn");
	return n;
}

static void read_vfs(const struct host *h, struct pcidev *d)
{
	uint64_t total = 0;
	int r = host_attr_u64(h, 10, &total, NULL, PCIDEV_PATH "/%s/sriov_totalvfs", d->name);

	/* A VF id has 16 bits (PCIe Base Specification, SR-IOV capability, TotalVFs). */
	if (r == 0 && total > UINT16_MAX)
		r = -EINVAL;
	d->totalvfs_error = r;
	d->shows_totalvfs =
		r == 0 || host_exists(h, PCIDEV_PATH "/%s/sriov_totalvfs", d->name) == 0;
	if (r == 0)
		d->totalvfs = (uint32_t)total;
	/* Without the file there is no capability, and so no VF; that was read or not. */
	if (r != -ENOENT)
		d->numvfs = count_vfs(h, d->name);
}

/* --- the file "resource" ------------------------------------------------------------ */

/* One number of three, and the blanks behind it. */
static int take_number(const char **cursor, uint64_t *ret)
{
	AUTO_BUF struct buf text = { 0 };
	const char *word;
	size_t len;

	if (!parse_word(cursor, &word, &len))
		return -EINVAL;
	buf_append(&text, word, len);
	return buf_error(&text) < 0 ? -ENOMEM : parse_u64(buf_text(&text), 16, UINT64_MAX, ret);
}

static int parse_row(const char *line, size_t len, struct pcidev_row *ret)
{
	AUTO_BUF struct buf text = { 0 };
	const char *cursor, *word;
	struct pcidev_row row;
	int r;

	buf_append(&text, line, len);
	if (buf_error(&text) < 0)
		return -ENOMEM;
	cursor = buf_text(&text);
	r = take_number(&cursor, &row.start);
	if (r == 0)
		r = take_number(&cursor, &row.end);
	if (r == 0)
		r = take_number(&cursor, &row.flags);
	if (r < 0)
		return r;
	if (parse_word(&cursor, &word, &len))
		return -EINVAL;
	*ret = row;
	return 0;
}

int pcidev_parse_rows(const char *text, struct pcidev *ret)
{
	struct pcidev_row rows[PCIDEV_ROWS_MAX] = { 0 };
	const char *line;
	size_t n = 0, len;

	while (n < PCIDEV_ROWS_MAX && parse_line(&text, &line, &len)) {
		int r = parse_row(line, len, &rows[n]);

		if (r < 0)
			return r;
		n++;
	}
	if (n < PCIDEV_ROWS_PLAIN)
		return -EINVAL;
	memcpy(ret->rows, rows, sizeof(rows));
	ret->n_rows = n;
	return 0;
}

bool pcidev_row_is_assigned(const struct pcidev_row *row)
{
	return row->start != 0 && row->end >= row->start &&
	       !(row->flags & (PCIDEV_UNSET | PCIDEV_DISABLED));
}

uint64_t pcidev_row_size(const struct pcidev_row *row)
{
	return row->end > row->start ? row->end - row->start + 1 : 0;
}

static void read_rows(const struct host *h, struct pcidev *d)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_attr(h, &text, NULL, PCIDEV_PATH "/%s/resource", d->name);

	if (r == 0)
		r = pcidev_parse_rows(buf_text(&text), d);
	d->rows_error = r == -ENOMEM ? host_nomem(h, NULL) : r;
}

/* --- one function ------------------------------------------------------------------- */

/* An attribute "0x8086" of a function: a number up to @max. */
static int read_number(const struct host *h, const struct pcidev *d, const char *attr, uint64_t max,
		       uint64_t *ret)
{
	uint64_t value = 0;
	int r = host_attr_u64(h, 16, &value, NULL, PCIDEV_PATH "/%s/%s", d->name, attr);

	if (r == 0 && value > max)
		return -EINVAL;
	*ret = value;
	return r;
}

static void read_identity(const struct host *h, struct pcidev *d)
{
	uint64_t vendor = 0, device = 0, class = 0;
	int r = read_number(h, d, "vendor", UINT16_MAX, &vendor);

	if (r == 0)
		r = read_number(h, d, "device", UINT16_MAX, &device);
	d->id_error = r;
	d->vendor = (uint16_t)vendor;
	d->device = (uint16_t)device;
	d->class_error = read_number(h, d, "class", 0xffffff, &class);
	d->class = (uint32_t) class;
}

static void read_node(const struct host *h, struct pcidev *d)
{
	AUTO_BUF struct buf text = { 0 };
	uint64_t node = 0;
	int r = host_attr(h, &text, NULL, PCIDEV_PATH "/%s/numa_node", d->name);

	d->node = -1;
	if (r == 0 && strcmp(buf_text(&text), "-1") != 0) {
		r = parse_u64(buf_text(&text), 10, INT32_MAX, &node);
		if (r == 0)
			d->node = (int)node;
	}
	d->node_error = r;
}

/* The name that a link leads to. */
static int read_link(const struct host *h, const struct pcidev *d, const char *link, char **ret)
{
	AUTO_BUF struct buf name = { 0 };
	int r = host_link_name(h, &name, NULL, PCIDEV_PATH "/%s/%s", d->name, link);

	if (r < 0)
		return r;
	*ret = buf_take(&name);
	return *ret ? 0 : host_nomem(h, NULL);
}

/*
 * Every function has a file "resource".  Where not even that was kept, as with a dump of
 * configuration spaces made into a tree, that other names are not listed proves nothing.
 */
static void doubt_absence(const struct host *h, struct pcidev *d)
{
	AUTO_STRV struct strv names = { 0 };

	if (d->rows_error != -ENOENT && d->rows_error != -ENODATA)
		return;
	/* Of a folder that was not listed each absence was told by itself. */
	if (host_list(h, &names, NULL, PCIDEV_PATH "/%s", d->name) < 0)
		return;
	if (d->driver_error == -ENOENT)
		d->driver_error = -ENODATA;
	if (d->totalvfs_error == -ENOENT)
		d->totalvfs_error = -ENODATA;
}

static void read_one(const struct host *h, struct pcidev *ret)
{
	ret->is_vf = host_exists(h, PCIDEV_PATH "/%s/physfn", ret->name) == 0;
	read_identity(h, ret);
	ret->driver_error = read_link(h, ret, "driver", &ret->driver);
	(void)read_link(h, ret, "iommu_group", &ret->group);
	read_node(h, ret);
	read_rows(h, ret);
	read_vfs(h, ret);
	doubt_absence(h, ret);
}

bool pcidev_is_network(const struct pcidev *d)
{
	return d->class_error == 0 && d->class >> 16 == PCIDEV_CLASS_NETWORK;
}

bool pcidev_is_bridge(const struct pcidev *d)
{
	return d->class_error == 0 && d->class >> 16 == PCIDEV_CLASS_BRIDGE;
}

/* --- all of them -------------------------------------------------------------------- */

static int read_pcidevs(const struct host *h, struct pcidevs *ret, struct error *e)
{
	AUTO_STRV struct strv names = { 0 };
	struct bdf bdf;
	int r = host_list(h, &names, e, PCIDEV_PATH);

	if (r < 0)
		return r;
	ret->items = calloc(names.n + 1, sizeof(*ret->items));
	if (!ret->items)
		return error_nomem(e);
	for (size_t i = 0; i < names.n; i++) {
		struct pcidev *d = &ret->items[ret->n];

		if (parse_bdf(names.items[i], &bdf) < 0)
			continue;
		d->name = strdup(names.items[i]);
		if (!d->name)
			return error_nomem(e);
		ret->n++;
		read_one(h, d);
	}
	return 0;
}
HOST_FACT_DEFINE(pcidevs, read_pcidevs)

void pcidevs_done(struct pcidevs *v)
{
	for (size_t i = 0; i < v->n; i++) {
		free(v->items[i].name);
		free(v->items[i].driver);
		free(v->items[i].group);
	}
	free(v->items);
	*v = (struct pcidevs){ 0 };
}

static int compare_name(const void *name, const void *dev)
{
	return strverscmp(name, ((const struct pcidev *)dev)->name);
}

/* They are in the order of strv_sort(). */
const struct pcidev *pcidevs_find(const struct pcidevs *v, const char *name)
{
	return v->n > 0 ? bsearch(name, v->items, v->n, sizeof(*v->items), compare_name) : NULL;
}

/* The interface of a virtio function belongs to the device virtio0 below it. */
static int list_virtio(const struct host *h, const char *bdf, struct strv *ret, struct error *e)
{
	AUTO_STRV struct strv names = { 0 };
	int r = host_list(h, &names, e, PCIDEV_PATH "/%s", bdf);

	for (size_t i = 0; r == 0 && i < names.n; i++)
		if (parse_has_prefix(names.items[i], "virtio"))
			return host_list(h, ret, e, PCIDEV_PATH "/%s/%s/net", bdf, names.items[i]);
	return r < 0 ? r : -ENOENT;
}

int pcidev_list_netdevs(const struct host *h, const char *bdf, struct strv *ret, struct error *e)
{
	int r = host_list(h, ret, e, PCIDEV_PATH "/%s/net", bdf);

	return r == -ENOENT ? list_virtio(h, bdf, ret, e) : r;
}

int pcidev_netdev(const struct host *h, const struct pcidev *d, struct buf *ret)
{
	AUTO_STRV struct strv names = { 0 };
	int r = pcidev_list_netdevs(h, d->name, &names, NULL);

	buf_clear(ret);
	if (r < 0)
		return r;
	for (size_t i = 0; i < names.n; i++)
		buf_printf(ret, "%s%s", i ? " " : "", names.items[i]);
	if (buf_error(ret) < 0)
		return host_nomem(h, NULL);
	return names.n == 0 ? -ENOENT : 0;
}
