/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Listings of IOMMU groups: what the scripts print that go around ("IOMMU Group 29:", a function
 * a line, below or behind it), and paths below /sys/kernel/iommu_groups as find and ls give them.
 */
#include "import_impl.h"
#include "lspci.h"

#include <sriovctl/buf.h>

#include <string.h>

#define GROUPS "/sys/kernel/iommu_groups"

static size_t add_member(struct import *i, const char **at, uint64_t group)
{
	struct function *f;
	struct bdf bdf;

	if (group > INT32_MAX || !text_bdf(at, &bdf))
		return 0;
	f = functions_get(&i->functions, &bdf);
	if (!f)
		return 0;
	if (f->has_group && f->group != group) {
		f->has_other_group = true;
		functions_add_nameless(&i->functions, (uint32_t)group);
	}
	if (!f->has_group) {
		f->has_group = true;
		f->group = (uint32_t)group;
	}
	/* Who lists a group lists all of it. */
	if (f->group == group)
		host_make_all(i->make, GROUPS "/%u/devices", (unsigned)group);
	return 1;
}

/* "08:01.0 PCI bridge [0604]: ASMedia ..." */
static size_t add_line(struct import *i, const char *line, uint64_t group)
{
	const char *p = text_skip_blanks(line), *rest;
	struct bdf bdf;
	int class;
	size_t n;

	line = p;
	n = add_member(i, &p, group);
	if (n > 0 && lspci_header(line, &bdf, &class, &rest))
		function_set_class(&i->functions, functions_get(&i->functions, &bdf),
				   (uint32_t) class << 8);
	return n;
}

/* ".../iommu_groups/29/devices/0000:09:00.0", anywhere in a line. */
static size_t add_path(struct import *i, const char *line)
{
	const char *p = text_behind(line, "iommu_groups/");
	uint64_t group;

	if (!p || !text_decimal(&p, &group) || !(p = text_after(p, "/devices/")))
		return 0;
	return add_member(i, &p, group);
}

static const char *behind_title(const char *line)
{
	const char *p = text_after(text_skip_blanks(line), "IOMMU Group ");

	return p ? p : text_after(text_skip_blanks(line), "IOMMU group ");
}

size_t groups_take(struct import *i, const struct import_text *t)
{
	AUTO_BUF struct buf line = { 0 };
	const char *text = t->data;
	uint64_t group = UINT64_MAX;
	size_t n = 0;

	while (text_line(&text, &line)) {
		const char *l = buf_text(&line), *p = behind_title(l);

		if (p && text_decimal(&p, &group)) {
			p += *p == ':';
			n += add_line(i, p, group);
		} else if (group != UINT64_MAX && text_is_indented(l)) {
			n += add_line(i, l, group);
		} else if (*l) {
			group = UINT64_MAX;
			n += add_path(i, l);
		}
	}
	import_note(i, &line);
	return n;
}
