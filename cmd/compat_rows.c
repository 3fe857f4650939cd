/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat_rows.h"

#include <sriovctl/buf.h>
#include <sriovctl/compat_host.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/inventory.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>
#include <sriovctl/table.h>

#include <errno.h>
#include <string.h>

enum {
	ROW_ID,
	ROW_FAMILY,
	ROW_JUDGES,
	ROW_SAYS,
	ROW_VERSIONS,
	ROW_DRIVER,
	ROW_FAULT,
	ROW_FIX,
	ROW_WEIGHT,
	ROW_SURE,
	ROW_SOURCE,
	ROW_COLUMNS
};

static const struct table_column columns[ROW_COLUMNS] = {
	[ROW_ID] = { .key = "id", .header = "ROW" },
	[ROW_FAMILY] = { .key = "family", .header = "OF" },
	[ROW_JUDGES] = { .key = "judges", .header = "JUDGES" },
	[ROW_SAYS] = { .key = "says", .header = "SAYS" },
	[ROW_VERSIONS] = { .key = "versions", .header = "VERSIONS", .folds = true },
	[ROW_DRIVER] = { .key = "with", .header = "WITH", .folds = true },
	[ROW_FAULT] = { .key = "fault", .header = "FAULT", .folds = true },
	[ROW_FIX] = { .key = "fix", .header = "FIX", .folds = true },
	[ROW_WEIGHT] = { .key = "weight", .header = "WEIGHT", .folds = true },
	[ROW_SURE] = { .key = "sure", .header = "SURE", .folds = true },
	[ROW_SOURCE] = { .key = "source", .header = "SOURCE", .folds = true },
};

/* --- one row ------------------------------------------------------------------------------- */

static void put_list(struct buf *out, const struct compat_table *t, uint32_t list)
{
	COMPAT_EACH(it, t, list)
	buf_printf(out, "%s%s", out->len ? ", " : "", it);
}

/* Of a row by ids, each family once. */
static void put_families_of(struct buf *out, const struct compat *c, const struct compat_hit *hit)
{
	const struct compat_table *t = NULL, *last_table = NULL;
	const struct compat_family *family = NULL, *last = NULL;

	COMPAT_EACH(id, hit->table, hit->row->pci)
	{
		uint64_t vendor, device;
		char part[5] = { 0 };

		memcpy(part, id, 4);
		if (parse_u64(part, 16, UINT16_MAX, &vendor) < 0)
			continue;
		memcpy(part, id + 5, 4);
		for (char *x = part; (x = strchr(x, 'x'));)
			*x = '0';
		if (parse_u64(part, 16, UINT16_MAX, &device) < 0 ||
		    !compat_family_of(c, (uint16_t)vendor, (uint16_t)device, &t, &family) ||
		    (family == last && t == last_table))
			continue;
		buf_printf(out, "%s%s", out->len ? ", " : "", compat_text(t, family->id));
		last = family;
		last_table = t;
	}
}

static void put_range(struct buf *out, const struct compat_table *t, const struct compat_range *r)
{
	const char *from = compat_text(t, r->from), *to = compat_text(t, r->to);

	if (r->from && r->to && strcmp(from, to) == 0 && !r->below)
		buf_puts(out, from);
	else
		buf_printf(out, "%s%s%s%s%s", *from ? "from " : "", from, *from && *to ? " " : "",
			   *to ? (r->below ? "below " : "to ") : "", to);
}

static void put_versions(struct buf *out, const struct compat_hit *hit)
{
	put_range(out, hit->table, &hit->row->version);
	if (!hit->row->fixed_in)
		return;
	buf_puts(out, out->len ? "; fixed in " : "fixed in ");
	COMPAT_EACH(it, hit->table, hit->row->fixed_in)
	buf_printf(out, "%s%s", it == compat_text(hit->table, hit->row->fixed_in) ? "" : ", ", it);
	if (hit->row->mainline)
		buf_printf(out, ", %s", compat_text(hit->table, hit->row->mainline));
}

static void put_conditions(struct buf *out, const struct compat_hit *hit)
{
	static const char *const trees[] = { [COMPAT_ANY_TREE] = "",
					     [COMPAT_IN_TREE] = "the kernel's own driver",
					     [COMPAT_OUT_OF_TREE] = "a driver of its vendor" };
	const struct compat_table *t = hit->table;
	const struct compat_row *r = hit->row;

	buf_puts(out, trees[r->tree]);
	if (r->driver.from || r->driver.to) {
		buf_puts(out, out->len ? ", " : "driver ");
		put_range(out, t, &r->driver);
	}
	if (r->with)
		buf_printf(out, "%s%s", out->len ? ", " : "", compat_text(t, r->with));
	if (r->distribution)
		buf_printf(out, "%s%s", out->len ? ", " : "", compat_text(t, r->distribution));
	if (r->config)
		buf_printf(out, "%sCONFIG_%s", out->len ? ", " : "", compat_text(t, r->config));
	if (r->config_off)
		buf_printf(out, "%sno CONFIG_%s", out->len ? ", " : "",
			   compat_text(t, r->config_off));
	if (r->vfs)
		buf_printf(out, "%s%u VFs or more", out->len ? ", " : "", r->vfs);
	if (r->subsystem) {
		buf_puts(out, out->len ? ", cards " : "cards ");
		put_list(out, t, r->subsystem);
	}
}

static void add_row(const struct compat *c, const struct compat_hit *hit, struct table *ret)
{
	static const char *const judges[] = { "firmware", "driver", "kernel", "bios" };
	static const char *const says[] = { "bad", "minimum", "pairs", "tested" };
	static const char *const weights[] = {
		[COMPAT_FAULT] = "fault", [COMPAT_NOTE] = "note", [COMPAT_GRAVE] = "grave"
	};
	AUTO_BUF struct buf of = { 0 }, versions = { 0 }, with = { 0 };
	const struct compat_table *t = hit->table;
	const struct compat_row *r = hit->row;
	struct table_row *row = table_add(ret);

	put_list(&of, t, r->families);
	if (r->pci && of.len == 0)
		put_families_of(&of, c, hit);
	if (r->drivers && of.len == 0)
		put_list(&of, t, r->drivers);
	if (of.len == 0)
		buf_puts(&of, r->vendor ? compat_text(t, r->vendor) : "all");
	put_versions(&versions, hit);
	put_conditions(&with, hit);
	table_set_text(row, ROW_ID, compat_text(t, r->id));
	table_set_text(row, ROW_FAMILY, buf_text(&of));
	table_set_text(row, ROW_JUDGES, judges[r->judges]);
	table_set_text(row, ROW_SAYS, says[r->says]);
	table_set_text(row, ROW_VERSIONS, buf_text(&versions));
	table_set_text(row, ROW_DRIVER, with.len ? buf_text(&with) : NULL);
	table_set_text(row, ROW_FAULT, r->fault ? compat_text(t, r->fault) : NULL);
	table_set_text(row, ROW_FIX, r->fix ? compat_text(t, r->fix) : NULL);
	if (r->says <= COMPAT_MINIMUM)
		table_set_text(row, ROW_WEIGHT, weights[r->weight]);
	table_set_text(row, ROW_SURE, r->sure == COMPAT_VERIFIED ? "verified" : "derived");
	table_set_text(row, ROW_SOURCE, compat_text(t, r->source));
}

/* --- which --------------------------------------------------------------------------------- */

/* What is judged of a function as it is now, and of what was tested the newest. */
static int find_of(const struct host *h, const struct compat *c, const struct pcidev *d,
		   struct compat_hits *ret)
{
	AUTO_COMPAT_JUDGEMENT struct compat_judgement firmware = { 0 }, driver = { 0 };
	AUTO_COMPAT_KERNEL struct compat_kernel kernel = { 0 };
	AUTO_COMPAT_HOST struct compat_host is = { 0 };
	int r = compat_host_read(h, d, true, &is, NULL);

	if (r == 0 && is.f.firmware)
		r = compat_judge_firmware(c, &is.f, &firmware, NULL);
	if (r == 0 && is.f.driver)
		r = compat_judge_driver(c, &is.f, &driver, NULL);
	if (r == 0 && is.f.kernel)
		r = compat_judge_kernel(c, &is.f, &kernel);
	if (r == 0)
		r = compat_judge_hits(c, &is.f, &firmware, &driver, &kernel, ret);
	return r;
}

static int find_of_all(const struct host *h, const struct compat *c, const struct strv *bdfs,
		       struct compat_hits *ret, struct error *e)
{
	const struct pcidevs *all = NULL;
	int r = pcidevs_get(h, &all, e);

	for (size_t i = 0; r == 0 && i < all->n; i++) {
		const struct pf *pf = pf_of(h, &all->items[i]);
		bool is_meant =
			bdfs->n ? strv_has(bdfs, all->items[i].name) : pf && pf_is_subject(pf);

		if (is_meant && find_of(h, c, &all->items[i], ret) < 0)
			r = error_nomem(e);
	}
	return r == -ENOENT ? 0 : r;
}

static bool is_of_driver(const struct compat *c, const struct compat_hit *hit, const char *driver)
{
	AUTO_BUF struct buf families = { 0 };

	if (compat_lists(hit->table, hit->row->drivers, driver))
		return true;
	put_list(&families, hit->table, hit->row->families);
	if (hit->row->pci)
		put_families_of(&families, c, hit);
	for (size_t i = 0; i < c->n; i++) {
		const struct compat_table *t = c->tables[i];

		for (size_t k = 0; k < t->n_families; k++) {
			const char *id = compat_text(t, t->families[k].id);
			const char *at = strstr(buf_text(&families), id);
			size_t len = strlen(id);

			if (at && (at == buf_text(&families) || at[-1] == ' ') &&
			    (at[len] == '\0' || at[len] == ',') &&
			    strcmp(compat_text(t, t->families[k].driver), driver) == 0)
				return true;
		}
	}
	return false;
}

static int find_of_driver(const struct compat *c, const char *driver, struct compat_hits *ret,
			  struct error *e)
{
	AUTO_COMPAT_HITS struct compat_hits all = { 0 };
	int r = compat_all(c, &all);

	for (size_t i = 0; r == 0 && i < all.n; i++)
		if (is_of_driver(c, &all.items[i], driver))
			r = compat_hits_add(ret, &all.items[i]);
	return r < 0 ? error_nomem(e) : 0;
}

int compat_rows_find(const struct host *h, const struct compat *c, const char *word,
		     struct table *ret, struct error *e)
{
	AUTO_COMPAT_HITS struct compat_hits hits = { 0 };
	AUTO_STRV struct strv words = { 0 }, bdfs = { 0 };
	int r = word ? find_of_driver(c, word, &hits, e) : 0;

	*ret = (struct table){
		.key = "rows",
		.empty = word ? "No row is about it."
			      : "No row is about a function of this host; one of a driver: "
				"sriovctl compat show DRIVER.",
		.columns = columns,
		.n_columns = ROW_COLUMNS,
	};
	if (r == 0 && word && hits.n == 0) {
		if (strv_add(&words, word) < 0)
			return error_nomem(e);
		r = inventory_select(h, &words, &bdfs, e);
		if (r == -EINVAL)
			return error_set(e, r,
					 "\"%s\" names no function of this host, and no "
					 "driver that a row is about",
					 word);
	}
	if (r == 0 && hits.n == 0)
		r = find_of_all(h, c, &bdfs, &hits, e);
	for (size_t i = 0; r == 0 && i < hits.n; i++)
		add_row(c, &hits.items[i], ret);
	return r;
}
