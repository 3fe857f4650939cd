/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sieve.h"

#include <sriovctl/bootnext.h>
#include <sriovctl/rivals.h>

bool sieve_is_for(const char *path)
{
	enum bootnext_form form;

	return rivals_is_sieved(path) || bootnext_form_of(path, &form);
}

void sieve_apply(const char *path, const char *data, size_t len, struct buf *ret)
{
	enum bootnext_form form;

	if (bootnext_form_of(path, &form))
		bootnext_sieve(form, data, len, ret);
	else
		rivals_sieve(data, len, ret);
}
