/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/platform.h>

#include <sriovctl/buf.h>
#include <sriovctl/data.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/json.h>

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

static const struct {
	const char *key, *title;
} items[] = {
	[PLATFORM_IOMMU] = { .key = "iommu", .title = "DMA remapping" },
	[PLATFORM_VTX] = { .key = "vtx", .title = "CPU virtualization" },
	[PLATFORM_SRIOV] = { .key = "sriov", .title = "SR-IOV" },
	[PLATFORM_INTREMAP] = { .key = "intremap", .title = "interrupt remapping" },
	[PLATFORM_X2APIC] = { .key = "x2apic", .title = "x2APIC" },
	[PLATFORM_ACS] = { .key = "acs", .title = "ACS" },
	[PLATFORM_ARI] = { .key = "ari", .title = "ARI" },
	[PLATFORM_ABOVE4G] = { .key = "above4g", .title = "device memory above 4 GB" },
	[PLATFORM_LINKSPEED] = { .key = "linkspeed", .title = "PCIe link speed" },
	[PLATFORM_NIC] = { .key = "nic", .title = "SR-IOV of the network adapter" },
};
_Static_assert(ARRAY_SIZE(items) == PLATFORM_ITEM_MAX, "one row per item");

static const char *const cpus[] = {
	[PLATFORM_CPU_UNKNOWN] = "",
	[PLATFORM_CPU_INTEL] = "intel",
	[PLATFORM_CPU_AMD] = "amd",
	[PLATFORM_CPU_ARM] = "arm",
};

/* A row of the table and the platform it belongs to. */
struct row {
	const struct json *platform, *item;
};

/* True also where there is no list: no condition. */
static bool matches(const struct json *patterns, const char *text)
{
	const struct json *it;

	if (!patterns)
		return true;
	JSON_EACH(it, patterns)
	{
		const char *pattern = json_text(it);

		if (pattern && fnmatch(pattern, text ? text : "", FNM_CASEFOLD) == 0)
			return true;
	}
	return false;
}

static bool is_for(const struct json *row, const struct platform *p, const char *item)
{
	const char *key = json_text(json_get(row, "item"));
	const char *cpu = json_text(json_get(row, "cpu"));

	return key && strcmp(key, item) == 0 && (!cpu || strcmp(cpu, cpus[p->cpu]) == 0) &&
	       matches(json_get(row, "products"), p->product);
}

/* The first row that fits.  The last platform of the table fits everything. */
static bool find_row(const struct json *table, const struct platform *p, const char *item,
		     struct row *ret)
{
	const struct json *platform, *row;

	JSON_EACH(platform, json_get(table, "platforms"))
	{
		if (!matches(json_get(platform, "vendors"), p->vendor) ||
		    !matches(json_get(platform, "products"), p->product))
			continue;
		JSON_EACH(row, json_get(platform, "items"))
		{
			if (!is_for(row, p, item))
				continue;
			*ret = (struct row){ .platform = platform, .item = row };
			return true;
		}
	}
	return false;
}

/* How much of where an item is found is said. */
enum detail { DETAIL_NONE, DETAIL_MENU, DETAIL_ALL };

/* (menu; command), (menu; attribute X), or as much of it as there is. */
static void put_place(const struct json *row, enum detail detail, struct buf *ret)
{
	const char *menu = json_text(json_get(row, "menu"));
	const char *command = json_text(json_get(row, "command"));
	const char *attribute = json_text(json_get(row, "attribute"));

	if (detail != DETAIL_ALL)
		command = attribute = NULL;
	if (detail == DETAIL_NONE || (!menu && !command && !attribute))
		return;
	buf_puts(ret, " (");
	if (menu)
		buf_puts(ret, menu);
	if (menu && (command || attribute))
		buf_puts(ret, "; ");
	if (command)
		buf_puts(ret, command);
	else if (attribute)
		buf_printf(ret, "attribute %s", attribute);
	buf_puts(ret, ")");
}

/* The sentence without its full stop. */
static void put_setting(const struct json *row, enum detail detail, struct buf *ret)
{
	const char *note = json_text(json_get(row, "note"));

	buf_printf(ret, "In firmware setup, set \"%s\" to %s", json_text(json_get(row, "name")),
		   json_text(json_get(row, "set")));
	put_place(row, detail, ret);
	if (note && detail == DETAIL_ALL)
		buf_printf(ret, "; %s", note);
}

static void put_sentence(const struct row *row, const struct row *followed, enum platform_item item,
			 enum detail detail, struct buf *ret)
{
	const char *say = json_text(json_get(row->item, "say"));

	if (say) {
		buf_puts(ret, say);
		return;
	}
	if (json_text(json_get(row->item, "name"))) {
		put_setting(row->item, detail, ret);
		buf_puts(ret, ".");
		return;
	}
	if (!followed) {
		buf_printf(ret,
			   "Look for a firmware update: no item for %s is known in the setup "
			   "of %s.",
			   items[item].title, json_text(json_get(row->platform, "vendor")));
		return;
	}
	put_setting(followed->item, detail == DETAIL_ALL ? DETAIL_MENU : detail, ret);
	buf_printf(ret, ": %s has no item of its own and follows it.", items[item].title);
}

/* As much detail as fits. */
static int put_fitting(const struct row *row, const struct row *followed, enum platform_item item,
		       struct buf *ret, struct error *e)
{
	static const enum detail details[] = { DETAIL_ALL, DETAIL_MENU, DETAIL_NONE };
	AUTO_BUF struct buf b = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(details); i++) {
		buf_clear(&b);
		put_sentence(row, followed, item, details[i], &b);
		if (b.len <= PLATFORM_REMEDY_MAX)
			break;
	}
	buf_append(ret, b.data, b.len);
	return buf_error(&b) || buf_error(ret) ? error_nomem(e) : 0;
}

static int damaged(struct error *e)
{
	return error_set(e, -EINVAL, "the platform table inside this program is damaged");
}

static int read_platforms(const struct host *h, struct platforms *ret, struct error *e)
{
	(void)h;
	return json_parse(data_platforms, data_platforms_len, &ret->table, e);
}
HOST_FACT_DEFINE(platforms, read_platforms)

void platforms_done(struct platforms *t)
{
	json_free(t->table);
	*t = (struct platforms){ 0 };
}

int platform_remedy(const struct platforms *t, const struct platform *p, enum platform_item item,
		    struct buf *ret, struct error *e)
{
	const char *follows;
	struct row row, followed;

	if (!find_row(t->table, p, items[item].key, &row))
		return damaged(e);
	follows = json_text(json_get(row.item, "follows"));
	if (!follows)
		return put_fitting(&row, NULL, item, ret, e);
	if (!find_row(t->table, p, follows, &followed))
		return damaged(e);
	/* Without a name to give, only what it follows can be said. */
	if (!json_get(followed.item, "name"))
		return put_fitting(&followed, NULL, item, ret, e);
	return put_fitting(&row, &followed, item, ret, e);
}
