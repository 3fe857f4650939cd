/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat_version.h"

#include <sriovctl/error.h>

#include <errno.h>

static void read_limit(const struct compat_table *t, uint32_t at, const struct version_scheme *s,
		       struct version *ret)
{
	if (version_parse(s, compat_text(t, at), ret, NULL) < 0)
		*ret = (struct version){ 0 };
}

void compat_version_limits(const struct compat_table *t, const struct compat_range *range,
			   const struct version_scheme *s, struct compat_limits *ret)
{
	*ret = (struct compat_limits){ .has_from = range->from != 0,
				       .has_to = range->to != 0,
				       .is_below = range->below };
	if (range->from)
		read_limit(t, range->from, s, &ret->from);
	if (range->to)
		read_limit(t, range->to, s, &ret->to);
}

enum compat_place compat_version_among(const struct compat_limits *l, const struct version *v)
{
	enum version_order from = VERSION_SAME, to = VERSION_OLDER;

	if (l->has_from)
		from = version_compare(v, &l->from);
	if (from == VERSION_APART)
		return COMPAT_APART;
	if (from == VERSION_OLDER)
		return COMPAT_BELOW;
	if (l->has_to)
		to = version_compare(v, &l->to);
	if (to == VERSION_APART)
		return COMPAT_APART;
	if (to == VERSION_NEWER || (to == VERSION_SAME && l->is_below))
		return COMPAT_ABOVE;
	return COMPAT_WITHIN;
}

enum compat_place compat_version_place(const struct compat_table *t,
				       const struct compat_range *range,
				       const struct version_scheme *s, const struct version *v)
{
	struct compat_limits l;

	compat_version_limits(t, range, s, &l);
	return compat_version_among(&l, v);
}

int compat_version_range(const struct compat_table *t, const struct compat_range *range,
			 const struct version_scheme *s, struct error *e)
{
	const char *from = compat_text(t, range->from), *to = compat_text(t, range->to);
	enum version_order order;
	struct version a, b;

	if ((range->from && version_parse(s, from, &a, e) < 0) ||
	    (range->to && version_parse(s, to, &b, e) < 0))
		return -EINVAL;
	if (range->from == range->to && !range->below)
		return 0;
	if ((range->from && !version_has_order(&a)) || (range->to && !version_has_order(&b)))
		return error_set(e, -EINVAL, "\"%s\" is no limit: such versions have no order",
				 range->from && !version_has_order(&a) ? from : to);
	if (!range->from || !range->to)
		return 0;
	order = version_compare(&a, &b);
	if (order == VERSION_APART)
		return error_set(e, -EINVAL, "\"%s\" and \"%s\" have no order", from, to);
	if (order == VERSION_NEWER || (order == VERSION_SAME && range->below))
		return error_set(e, -EINVAL, "no version is from \"%s\" on and %s \"%s\"", from,
				 range->below ? "below" : "up to", to);
	return 0;
}
