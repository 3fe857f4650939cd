/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat_match.h"

#include "compat_model.h"
#include "compat_version.h"

#include <sriovctl/kernel.h>
#include <sriovctl/version_kernel.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool has_id(const struct compat_table *t, uint32_t list, uint16_t vendor, uint16_t device)
{
	struct compat_id id;

	COMPAT_EACH(text, t, list)
	{
		if (compat_draft_id(text, &id) == 0 && id.vendor == vendor &&
		    id.device == (device & id.mask))
			return true;
	}
	return false;
}

bool compat_match_is_about(const struct compat *c, const struct compat_hit *hit,
			   const struct compat_function *f)
{
	const struct compat_row *r = hit->row;
	const struct compat_table *t = NULL;
	const struct compat_family *family;

	if (r->drivers && !(f->driver && compat_lists(hit->table, r->drivers, f->driver)))
		return false;
	if (r->pci && !has_id(hit->table, r->pci, f->vendor, f->device))
		return false;
	if (!r->families)
		return true;
	return compat_family_of(c, f->vendor, f->device, &t, &family) &&
	       compat_lists(hit->table, r->families, compat_text(t, family->id));
}

static enum compat_holds in_range(const struct compat_table *t, const struct compat_range *range,
				  const struct version_scheme *s, const char *text)
{
	struct version v;

	if (!range->from && !range->to)
		return COMPAT_HOLDS;
	if (!s || !text || version_parse(s, text, &v, NULL) < 0)
		return COMPAT_HOLDS_MAYBE;
	switch (compat_version_place(t, range, s, &v)) {
	case COMPAT_WITHIN:
		return COMPAT_HOLDS;
	case COMPAT_APART:
		return COMPAT_HOLDS_MAYBE;
	case COMPAT_BELOW:
	case COMPAT_ABOVE:
		break;
	}
	return COMPAT_HOLDS_NOT;
}

/* A symbol that is not named may be one that this kernel does not have. */
static enum compat_holds is_configured(const struct kconfig *config, const char *symbol, bool on)
{
	enum kconfig_answer a = config && *symbol ? kconfig_ask(config, symbol + strlen("CONFIG_"))
						  : KCONFIG_ABSENT;

	if (!*symbol)
		return COMPAT_HOLDS;
	if (a == KCONFIG_ABSENT)
		return config && on ? COMPAT_HOLDS_NOT : COMPAT_HOLDS_MAYBE;
	return (a == KCONFIG_ON) == on ? COMPAT_HOLDS : COMPAT_HOLDS_NOT;
}

static enum compat_holds is_of_tree(const struct compat_row *r, const struct compat_function *f)
{
	if (r->tree == COMPAT_ANY_TREE)
		return COMPAT_HOLDS;
	if (f->tree == COMPAT_ANY_TREE)
		return COMPAT_HOLDS_MAYBE;
	return r->tree == f->tree ? COMPAT_HOLDS : COMPAT_HOLDS_NOT;
}

static enum compat_holds is_of_card(const struct compat_hit *hit, const struct compat_function *f)
{
	if (!hit->row->subsystem)
		return COMPAT_HOLDS;
	if (!f->sub_vendor)
		return COMPAT_HOLDS_MAYBE;
	return has_id(hit->table, hit->row->subsystem, f->sub_vendor, f->sub_device)
		       ? COMPAT_HOLDS
		       : COMPAT_HOLDS_NOT;
}

static enum compat_holds is_of_distribution(const struct compat_hit *hit,
					    const struct compat_function *f)
{
	const char *wanted = compat_text(hit->table, hit->row->distribution);

	if (!*wanted)
		return COMPAT_HOLDS;
	if (!f->kernel)
		return COMPAT_HOLDS_MAYBE;
	return f->kernel->distribution && strcasecmp(f->kernel->distribution, wanted) == 0
		       ? COMPAT_HOLDS
		       : COMPAT_HOLDS_NOT;
}

enum compat_holds compat_match_conditions(const struct compat_hit *hit,
					  const struct compat_function *f)
{
	const struct version_scheme *firmware =
		f->driver ? version_scheme_of(f->driver, f->vendor == 0x8086 ? f->device : 0)
			  : NULL;
	const struct compat_table *t = hit->table;
	const struct compat_row *r = hit->row;
	const enum compat_holds all[] = {
		r->vfs <= f->vfs ? COMPAT_HOLDS : COMPAT_HOLDS_NOT,
		is_of_tree(r, f),
		is_of_card(hit, f),
		is_of_distribution(hit, f),
		is_configured(f->config, compat_text(t, r->config), true),
		is_configured(f->config, compat_text(t, r->config_off), false),
		in_range(t, &r->driver, version_scheme_find(COMPAT_SCHEME_DRIVER),
			 f->driver_version),
		in_range(t, &r->firmware, firmware, f->firmware),
	};
	enum compat_holds worst = COMPAT_HOLDS;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i] < worst)
			worst = all[i];
	return worst;
}

static int find_of_card(const struct compat *c, enum compat_judges judges,
			const struct compat_function *f, struct compat_hits *ret)
{
	const struct compat_table *t = NULL;
	const struct compat_family *family;
	AUTO_BUF struct buf pci = { 0 };
	int r;

	if (!compat_family_of(c, f->vendor, f->device, &t, &family)) {
		buf_printf(&pci, "%04x:%04x", f->vendor, f->device);
		return buf_error(&pci) < 0 ? -ENOMEM : compat_find(c, judges, buf_text(&pci), ret);
	}
	r = compat_find(c, judges, compat_text(t, family->id), ret);
	COMPAT_EACH(id, t, family->pfs)
	{
		if (r == 0)
			r = compat_find(c, judges, id, ret);
	}
	return r;
}

/* By all that rows are found by, the narrowest first. */
static int find_all(const struct compat *c, enum compat_judges judges,
		    const struct compat_function *f, struct compat_hits *ret)
{
	int r = find_of_card(c, judges, f, ret);

	if (r == 0 && f->driver)
		r = compat_find(c, judges, f->driver, ret);
	return r == 0 ? compat_find(c, judges, "", ret) : r;
}

int compat_judge_rows(const struct compat *c, enum compat_judges judges,
		      const struct compat_function *f, struct compat_hits *ret)
{
	AUTO_COMPAT_HITS struct compat_hits all = { 0 };
	int r = find_all(c, judges, f, &all);

	for (size_t i = 0; r == 0 && i < all.n; i++) {
		/* What was tested of one card of a family is told of all. */
		bool is_of_kin = all.items[i].row->says == COMPAT_TESTED && all.items[i].row->pci;

		if (is_of_kin || compat_match_is_about(c, &all.items[i], f))
			r = compat_hits_add(ret, &all.items[i]);
	}
	return r;
}
