/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat_version.h"

#include <sriovctl/error.h>

#include <errno.h>

/* Where @v is as seen from the limit @at. */
static enum version_order order_to(const struct compat_table *t, uint32_t at,
				   const struct version_scheme *s, const struct version *v)
{
	struct version limit;

	if (version_parse(s, compat_text(t, at), &limit, NULL) < 0)
		return VERSION_APART;
	return version_compare(v, &limit);
}

enum compat_place compat_version_place(const struct compat_table *t,
				       const struct compat_range *range,
				       const struct version_scheme *s, const struct version *v)
{
	enum version_order from = VERSION_SAME, to = VERSION_OLDER;

	if (range->from)
		from = order_to(t, range->from, s, v);
	if (from == VERSION_APART)
		return COMPAT_APART;
	if (from == VERSION_OLDER)
		return COMPAT_BELOW;
	if (range->to)
		to = order_to(t, range->to, s, v);
	if (to == VERSION_APART)
		return COMPAT_APART;
	if (to == VERSION_NEWER || (to == VERSION_SAME && range->below))
		return COMPAT_ABOVE;
	return COMPAT_WITHIN;
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
