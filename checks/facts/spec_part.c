/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/spec.h>

#include "spec_model.h"

#include <sriovctl/buf.h>
#include <sriovctl/macs.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *spec_text(const struct spec *s)
{
	return s->text;
}

/* Read anew, as the places of its values are those of the text. */
int spec_part(const struct spec *s, size_t i, struct spec **ret, struct error *e)
{
	AUTO_SPEC struct spec *all = NULL;
	struct spec_pf only;
	int r = spec_parse(s->text, strlen(s->text), s->name, &all, e);

	if (r < 0)
		return r;
	only = all->pfs[i];
	all->pfs[i] = all->pfs[0];
	all->pfs[0] = only;
	while (all->n > 1)
		spec_pf_done(&all->pfs[--all->n]);
	*ret = TAKE(all);
	return 0;
}

void spec_print_match(const struct spec *s, size_t i, struct buf *ret)
{
	const struct spec_target *t = &s->pfs[i].target;

	if (t->by_mac) {
		buf_puts(ret, "permanent_mac ");
		macs_print(t->mac, ret);
	} else if (t->by_id) {
		buf_printf(ret, "id %04x:%04x", t->vendor, t->device);
	} else {
		buf_printf(ret, "%s %s",
			   t->pci    ? "pci"
			   : t->slot ? "slot"
				     : "netdev",
			   t->pci    ? t->pci
			   : t->slot ? t->slot
				     : t->netdev);
	}
	if (t->node.is_set)
		buf_printf(ret, " numa_node %" PRIu64, t->node.number);
	if (t->port.is_set)
		buf_printf(ret, " port %" PRIu64, t->port.number);
}

int spec_settle(struct spec *s, const char *bdf)
{
	struct spec_target *t = &s->pfs[0].target;
	char *pci = strdup(bdf);

	if (!pci)
		return -ENOMEM;
	free(t->pci);
	free(t->slot);
	free(t->netdev);
	*t = (struct spec_target){ .at = t->at, .pci = pci };
	return 0;
}
