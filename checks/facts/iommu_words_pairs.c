/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "iommu_words_item.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What an item has to be; @value of a boolean or an option's name, NULL: any. */
struct pattern {
	const char *key, *value;
};

enum winner {
	WINNER_LAST,   /* the one that comes later */
	WINNER_FIRST,  /* always @a */
	WINNER_VOID_B, /* @a leaves @b nothing to do */
};

#define OFF_A .winner = WINNER_VOID_B

static const struct pair {
	struct pattern a, b;
	enum winner winner;
} pairs[] = {
	{ .a = { .key = "intel_iommu", .value = "on" },
	  .b = { .key = "intel_iommu", .value = "off" },
	  .winner = WINNER_LAST },
	{ .a = { .key = "intel_iommu", .value = "sm_on" },
	  .b = { .key = "intel_iommu", .value = "sm_off" },
	  .winner = WINNER_LAST },
	{ .a = { .key = "amd_iommu", .value = "pgtbl_v1" },
	  .b = { .key = "amd_iommu", .value = "pgtbl_v2" },
	  .winner = WINNER_LAST },
	{ .a = { .key = "amd_iommu_intr", .value = "legacy" },
	  .b = { .key = "amd_iommu_intr", .value = "vapic" },
	  .winner = WINNER_LAST },
	{ .a = { .key = "iommu", .value = "pt" },
	  .b = { .key = "iommu", .value = "nopt" },
	  .winner = WINNER_LAST },
	{ .a = { .key = "iommu", .value = "force" },
	  .b = { .key = "iommu", .value = "noforce" },
	  .winner = WINNER_LAST },
	{ .a = { .key = "iommu", .value = "pt" },
	  .b = { .key = "iommu.passthrough", .value = "0" },
	  .winner = WINNER_LAST },
	{ .a = { .key = "iommu", .value = "nopt" },
	  .b = { .key = "iommu.passthrough", .value = "1" },
	  .winner = WINNER_LAST },
	{ .a = { .key = "iommu.passthrough", .value = "1" },
	  .b = { .key = "iommu.passthrough", .value = "0" },
	  .winner = WINNER_LAST },
	{ .a = { .key = "iommu.strict", .value = "1" },
	  .b = { .key = "iommu.strict", .value = "0" },
	  .winner = WINNER_LAST },
	{ .a = { .key = "intremap", .value = "on" },
	  .b = { .key = "intremap", .value = "off" },
	  .winner = WINNER_LAST },
	{ .a = { .key = "intremap", .value = "on" },
	  .b = { .key = "nointremap" },
	  .winner = WINNER_LAST },
	/* The drivers' own parsers run after that of iommu.strict, and only make it strict. */
	{ .a = { .key = "intel_iommu", .value = "strict" },
	  .b = { .key = "iommu.strict", .value = "0" },
	  .winner = WINNER_FIRST },
	{ .a = { .key = "amd_iommu", .value = "fullflush" },
	  .b = { .key = "iommu.strict", .value = "0" },
	  .winner = WINNER_FIRST },
	/* no_iommu is looked at before what the drivers were told. */
	{ .a = { .key = "iommu", .value = "off" },
	  .b = { .key = "intel_iommu", .value = "on" },
	  .winner = WINNER_FIRST },
	{ .a = { .key = "iommu", .value = "off" },
	  .b = { .key = "amd_iommu", .value = "force_enable" },
	  .winner = WINNER_FIRST },
	{ .a = { .key = "amd_iommu", .value = "off" },
	  .b = { .key = "amd_iommu", .value = "force_enable" },
	  .winner = WINNER_FIRST },
	{ .a = { .key = "nox2apic" }, .b = { .key = "x2apic_phys" }, .winner = WINNER_FIRST },
	{ .a = { .key = "nox2apic" },
	  .b = { .key = "intremap", .value = "no_x2apic_optout" },
	  .winner = WINNER_FIRST },
	{ .a = { .key = "intremap", .value = "nopost" },
	  .b = { .key = "intremap", .value = "posted_msi" },
	  .winner = WINNER_FIRST },
	{ .a = { .key = "iommu", .value = "off" }, .b = { .key = "iommu", .value = "pt" }, OFF_A },
	{ .a = { .key = "iommu", .value = "off" }, .b = { .key = "iommu.passthrough" }, OFF_A },
	{ .a = { .key = "iommu", .value = "off" }, .b = { .key = "iommu.strict" }, OFF_A },
	{ .a = { .key = "amd_iommu", .value = "off" },
	  .b = { .key = "iommu", .value = "pt" },
	  OFF_A },
	{ .a = { .key = "amd_iommu", .value = "off" }, .b = { .key = "iommu.passthrough" }, OFF_A },
	{ .a = { .key = "amd_iommu", .value = "off" }, .b = { .key = "iommu.strict" }, OFF_A },
	{ .a = { .key = "amd_iommu", .value = "off" },
	  .b = { .key = "intremap", .value = "on" },
	  OFF_A },
	{ .a = { .key = "intel_iommu", .value = "off" },
	  .b = { .key = "iommu", .value = "pt" },
	  OFF_A },
	{ .a = { .key = "intel_iommu", .value = "off" },
	  .b = { .key = "iommu.passthrough" },
	  OFF_A },
	{ .a = { .key = "intel_iommu", .value = "off" }, .b = { .key = "iommu.strict" }, OFF_A },
	{ .a = { .key = "intremap", .value = "off" },
	  .b = { .key = "intremap", .value = "no_x2apic_optout" },
	  OFF_A },
	{ .a = { .key = "intremap", .value = "off" },
	  .b = { .key = "intremap", .value = "nosid" },
	  OFF_A },
	{ .a = { .key = "intremap", .value = "off" },
	  .b = { .key = "intremap", .value = "nopost" },
	  OFF_A },
	{ .a = { .key = "nointremap" },
	  .b = { .key = "intremap", .value = "no_x2apic_optout" },
	  OFF_A },
	{ .a = { .key = "nointremap" }, .b = { .key = "intremap", .value = "nosid" }, OFF_A },
	{ .a = { .key = "nointremap" }, .b = { .key = "intremap", .value = "nopost" }, OFF_A },
};

/* The last item that fits; NULL: none. */
static const struct iommu_words_item *find_item(const struct iommu_words_state *s,
						const struct pattern *p)
{
	for (size_t i = s->n; i-- > 0;) {
		const struct iommu_words_item *it = &s->items[i];
		const char *value = it->option ? it->option->name : it->value;

		if (strcmp(it->key->name, p->key) != 0)
			continue;
		if (!p->value || (value && strcmp(value, p->value) == 0))
			return it;
	}
	return NULL;
}

static char *spell_item(const struct iommu_words_item *it)
{
	const char *value = it->option ? it->option->name : it->value;

	return iommu_words_spell(it->key, value, value ? strlen(value) : 0);
}

/* Is @a itself undone, so that what it does to others need not be told? */
static bool is_undone(const struct iommu_words_state *s, const struct iommu_words_item *a)
{
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		const struct iommu_words_item *x = find_item(s, &pairs[i].a),
					      *y = find_item(s, &pairs[i].b);

		if (pairs[i].winner == WINNER_LAST && x && y && (x == a || y == a) &&
		    (x > y ? x : y) != a)
			return true;
	}
	return false;
}

static int judge_pair(struct iommu_words_state *s, const struct pair *p)
{
	const struct iommu_words_item *a = find_item(s, &p->a), *b = find_item(s, &p->b);
	AUTO_BUF struct buf effect = { 0 };
	AUTO_FREE char *winner = NULL;

	if (!a || !b || (p->winner != WINNER_LAST && (is_undone(s, a) || is_undone(s, b))))
		return 0;
	if (p->winner == WINNER_LAST && b > a) {
		const struct iommu_words_item *first = a;

		a = b;
		b = first;
	}
	winner = spell_item(a);
	if (!winner)
		return -ENOMEM;
	if (p->winner == WINNER_VOID_B)
		buf_printf(&effect, "has nothing to do beside %s", winner);
	else
		buf_printf(&effect, "contradicts %s, which wins", winner);
	if (buf_error(&effect) < 0)
		return -ENOMEM;
	return iommu_words_add(s->ret, spell_item(b), false, buf_text(&effect));
}

int iommu_words_judge_pairs(struct iommu_words_state *s)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(pairs); i++)
		r = judge_pair(s, &pairs[i]);
	return r;
}
