/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What texts tell in two ways: it is not known, and that is told. */
#include "import_impl.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CONFLICTS_TOLD 20

void import_dispute(struct import *i, const char *fmt, ...)
{
	struct buf line = { 0 };
	AUTO_FREE char *text = NULL;

	BUF_FORMAT(&line, fmt);
	buf_puts(&line, ": it is not known");
	text = buf_take(&line);
	if (!text)
		i->error = -ENOMEM;
	else if (i->conflicts.n < CONFLICTS_TOLD && !strv_has(&i->conflicts, text) &&
		 strv_add(&i->conflicts, text) < 0)
		i->error = -ENOMEM;
}

static int compare(const void *a, const void *b)
{
	const struct function *const *one = a, *const *other = b;

	return strcmp((*one)->netdev, (*other)->netdev);
}

static void settle_name(struct import *i, struct function **same, size_t n)
{
	if (n < 2)
		return;
	import_dispute(i, "%s: it is said to be of %s and of %s", same[0]->netdev, same[0]->name,
		       same[1]->name);
	host_make_unknown(i->make, HOST_MAKE_ANSWERS "/drvinfo/%s", same[0]->netdev);
	for (size_t k = 0; k < n; k++)
		free(TAKE(same[k]->netdev));
}

/* Logs of older boots may be there; where none is of what runs, they are of another machine. */
static void settle_release(struct import *i)
{
	if (!i->release_by_text || !i->has_other_release || i->has_same_release)
		return;
	import_dispute(i, "the kernel's release: %s, and another by the log", i->release);
	if (!i->release_is_ours)
		return;
	host_make_unknown(i->make, "/proc/sys/kernel/osrelease");
	host_make_unknown(i->make, "/proc/version");
}

static void settle_cards(struct import *i)
{
	for (size_t k = 0; k < i->functions.n; k++) {
		struct function *f = i->functions.items[k];

		if (!f->has_other_ids)
			continue;
		import_dispute(i, "%s: two cards are said to be there", f->name);
		function_forget(f);
	}
}

/* Of a function at two moments, as before and after something was done. */
static void settle_moments(struct import *i)
{
	for (size_t k = 0; k < i->functions.n; k++) {
		struct function *f = i->functions.items[k];

		if (f->has_other_driver) {
			import_dispute(i, "%s: it is said to have two drivers, or one and none",
				       f->name);
			free(TAKE(f->driver));
			f->driver_state = FUNCTION_UNKNOWN;
		}
		if (f->has_group && f->has_other_group) {
			import_dispute(i, "%s: it is said to be in two groups", f->name);
			functions_add_nameless(&i->functions, f->group);
			f->has_group = false;
		}
		if (f->disputed)
			import_dispute(i,
				       "%s: two states of its registers differ; what they tell "
				       "in two ways",
				       f->name);
	}
}

#define MEMBERS "/sys/kernel/iommu_groups/%u/devices"

/* Groups that were listed, and have one more, or may have. */
static void settle_groups(struct import *i)
{
	struct functions *v = &i->functions;

	functions_settle_nameless(v);
	for (size_t k = 0; k < v->n_nameless; k++)
		if (host_make_knows(i->make, MEMBERS, v->nameless[k]))
			host_make_some(i->make, MEMBERS, v->nameless[k]);
}

static void settle_names(struct import *i)
{
	const struct functions *v = &i->functions;
	AUTO_FREE struct function **named = calloc(v->n + 1, sizeof(struct function *));
	size_t n = 0, first = 0;

	if (!named) {
		i->error = -ENOMEM;
		return;
	}
	for (size_t k = 0; k < v->n; k++)
		if (v->items[k]->netdev)
			named[n++] = v->items[k];
	qsort(named, n, sizeof(struct function *), compare);
	for (size_t k = 1; k <= n; k++) {
		if (k < n && strcmp(named[first]->netdev, named[k]->netdev) == 0)
			continue;
		settle_name(i, &named[first], k - first);
		first = k;
	}
}

void conflicts_settle(struct import *i)
{
	settle_release(i);
	settle_cards(i);
	settle_moments(i);
	settle_groups(i);
	settle_names(i);
}
