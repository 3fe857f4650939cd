/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "inventory_fact.h"

#include <sriovctl/host.h>
#include <sriovctl/inventory.h>
#include <sriovctl/pcidev.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void inventory_fact_number(struct inventory_fact *f, int64_t number)
{
	free(f->text);
	*f = (struct inventory_fact){ .number = number };
}

void inventory_fact_text(struct inventory_reader *rd, struct inventory_fact *f, const char *text)
{
	char *copy = strdup(text);

	inventory_fact_number(f, 0);
	f->text = copy;
	if (!copy)
		(void)host_nomem(rd->h, NULL);
}

void inventory_fact_error(struct inventory_reader *rd, struct inventory_fact *f, int error,
			  const char *why)
{
	if (error == -ENOENT)
		inventory_fact_number(f, 0);
	else
		inventory_fact_text(rd, f, why);
	f->error = error;
	if (error == -ENOMEM)
		(void)host_nomem(rd->h, NULL);
}

int inventory_fact_absence(const struct inventory_reader *rd, const char *bdf, int error)
{
	const struct pcidev *d = pcidevs_find(rd->devices, bdf);

	if (error != -ENOENT || !d)
		return error;
	return d->rows_error == -ENOENT || d->rows_error == -ENODATA ? -ENODATA : -ENOENT;
}

const char *inventory_fact_why(const struct inventory_reader *rd, int error)
{
	return host_why(rd->h, error);
}
