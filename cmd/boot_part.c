/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot_part.h"

#include "command.h"
#include "specfile.h"
#include "wish.h"

#include <sriovctl/host.h>
#include <sriovctl/identities_file.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/persist.h>
#include <sriovctl/spec.h>
#include <sriovctl/strv.h>
#include <sriovctl/udev.h>
#include <sriovctl/waiting.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Drivers that make no network interface of a network function, and are ready without. */
static const char *const without_interface[] = { "vfio-pci", "pci-pf-stub", "igb_uio" };

int boot_parts_read(struct boot_parts *ret, struct error *e)
{
	AUTO_BOOT_PARTS struct boot_parts v = { 0 };
	AUTO_SPEC struct spec *all = NULL;
	int r = specfile_read(PERSIST_SPEC, &all, e);

	if (r == -ENOENT)
		return error_set(e, r,
				 "nothing is kept: " PERSIST_SPEC " is not there, which "
				 "\"sriovctl provision --persist\" installs");
	if (r < 0)
		return r;
	v.items = calloc(spec_count(all) + 1, sizeof(*v.items));
	if (!v.items)
		return error_nomem(e);
	for (size_t i = 0; r == 0 && i < spec_count(all); i++) {
		struct buf match = { 0 };

		v.n = i + 1;
		spec_print_match(all, i, &match);
		v.items[i].match = buf_take(&match);
		r = v.items[i].match ? spec_part(all, i, &v.items[i].spec, e) : error_nomem(e);
	}
	if (r < 0)
		return r;
	*ret = v;
	v = (struct boot_parts){ 0 };
	return 0;
}

void boot_parts_done(struct boot_parts *v)
{
	for (size_t i = 0; i < v->n; i++) {
		spec_free(v->items[i].spec);
		free(v->items[i].match);
	}
	free(v->items);
	*v = (struct boot_parts){ 0 };
}

/* --- is it ready? ------------------------------------------------------------------------------
 */

static bool is_through(const struct host *h, const char *netdev)
{
	uint64_t index;

	return host_attr_u64(h, 10, &index, NULL, "/sys/class/net/%s/ifindex", netdev) == 0 &&
	       udev_is_through((unsigned)index);
}

static int judge(const struct host *h, const struct pcidev *d, struct error *e)
{
	AUTO_STRV struct strv netdevs = { 0 };

	if (d->driver_error == -ENOENT)
		return error_set(e, -ENXIO,
				 "%s has no driver: it gets its VFs when it has one, so load the "
				 "module of its driver, or see in the kernel's log why that fails",
				 d->name);
	if (!pcidev_is_network(d) || !d->driver || PARSE_IS_ONE_OF(d->driver, without_interface))
		return 0;
	if (pcidev_list_netdevs(h, d->name, &netdevs, NULL) < 0 || netdevs.n == 0)
		return error_set(e, -EAGAIN, "%s has no network interface, of the driver %s",
				 d->name, d->driver);
	if (!is_through(h, netdevs.items[0]))
		return error_set(e, -EAGAIN, "udev is not through with %s of %s", netdevs.items[0],
				 d->name);
	return 0;
}

bool boot_part_may_come(const struct host *h)
{
	const struct pcidevs *devices = NULL;
	bool may = pcidevs_get(h, &devices, NULL) < 0;

	for (size_t i = 0; !may && i < devices->n; i++) {
		const struct pcidev *d = &devices->items[i];

		may = pcidev_is_network(d) && !d->is_vf && d->driver_error == -ENOENT;
	}
	return may;
}

int boot_part_find(const struct boot_part *p, const struct host *h, struct buf *ret,
		   struct error *e)
{
	AUTO_IDENTITIES struct identities known = { 0 };
	AUTO_BUF struct buf moved = { 0 };
	const struct pcidevs *devices = NULL;
	const struct pcidev *d = NULL;
	int r = identities_file_read(h, &known, e);

	if (r == 0)
		r = identities_match(&known, p->spec, h, ret, &moved, e);
	if (r == 0 && pcidevs_get(h, &devices, NULL) == 0)
		d = pcidevs_find(devices, buf_text(ret));
	return r == 0 && d ? judge(h, d, e) : r;
}

/* --- its turn ----------------------------------------------------------------------------------
 */

/* Noted is what has worked; that it could not be noted does not undo that. */
static void note(struct boot_part *p, const char *bdf)
{
	AUTO_HOST struct host *h = NULL;

	if (host_open("/", &h, &p->why) < 0 || identities_file_note(h, p->match, bdf, &p->why) < 0)
		p->code = EXIT_NOT_READY;
}

static void mark(struct boot_part *p, const char *bdf, bool is_pending)
{
	if (is_pending)
		(void)printf("%s: what waits for carrier is set by sriovctl-carrier.service, when "
			     "that comes\n",
			     bdf);
	if ((is_pending ? waiting_add(bdf, &p->why) : waiting_remove(bdf, &p->why)) < 0)
		p->code = EXIT_NOT_READY;
}

void boot_part_run(struct boot_part *p, const struct boot_options *o, const char *bdf)
{
	struct wish w = { .spec = p->spec, .skip = o->skip };
	const struct change_wish wish = wish_change(&w);
	struct change_options options = o->change;
	bool is_pending = false;
	struct bdf at;

	p->is_done = true;
	p->why = (struct error){ 0 };
	options.await_others = true;
	options.ret_pending = &is_pending;
	/* What is not on PCI is found by its match alone. */
	if (parse_bdf(bdf, &at) == 0 && spec_settle(p->spec, bdf) < 0) {
		(void)error_nomem(&p->why);
		p->code = EXIT_NOT_READY;
		return;
	}
	(void)printf("%s, for %s:\n", bdf, p->match);
	p->code = change_host(&wish, &options, &p->why);
	mark(p, bdf, is_pending);
	if (p->code == EXIT_READY)
		note(p, bdf);
}
