/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The name of a VF's network interface: by a .link file (systemd.link(5)) that sorts before all
 * others, for whenever the VF has a driver in this boot, and by renaming it now, since udev may
 * have given it a name already, and reads such files anew every few seconds only.  The file is
 * about an address, which another boot may give to another VF: it lies in /run.
 */
#include "live.h"

#include "rootdir.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/udev.h>

#include <errno.h>
#include <net/if.h>
#include <string.h>

#define FOLDER "/run/systemd/network"

/* What 99-default.link says besides names, as this file is taken in its place. */
static void print_file(const char *bdf, const char *name, struct buf *ret)
{
	buf_printf(ret,
		   "[Match]\nPath=pci-%s\n\n[Link]\nName=%s\n"
		   "AlternativeNamesPolicy=database onboard slot path\n"
		   "MACAddressPolicy=persistent\n",
		   bdf, name);
}

static int write_file(const char *bdf, const char *name, struct error *e)
{
	AUTO_ROOTDIR struct rootdir root = ROOTDIR_CLOSED;
	AUTO_BUF struct buf path = { 0 }, text = { 0 };
	int r = rootdir_open("/", &root, e);

	buf_printf(&path, FOLDER "/00-sriovctl-%s.link", bdf);
	print_file(bdf, name, &text);
	if (r == 0 && (buf_error(&path) < 0 || buf_error(&text) < 0))
		r = error_nomem(e);
	/* As systemd makes it, where it has not yet. */
	if (r == 0)
		r = rootdir_make_folder(&root, "/run/systemd", 0755, e);
	if (r == 0)
		r = rootdir_make_folder(&root, FOLDER, 0755, e);
	return r < 0 ? r : rootdir_write(&root, buf_text(&path), 0644, &text, e);
}

/* One that udev is not through with it would rename after us. */
static int require_through(const struct live_target *t, int index, struct error *e)
{
	return udev_is_through((unsigned)index)
		       ? 0
		       : error_set(e, -EAGAIN,
				   "udev is not through with the interface of VF %u of %s", t->vf,
				   t->pf->bdf);
}

/* The interface that has the name, if it is that of another VF of the same PF; else 0. */
static int find_sibling(const struct live_target *t, const char *name)
{
	AUTO_BUF struct buf path = { 0 }, vf = { 0 }, pf = { 0 };

	buf_printf(&path, "/sys/class/net/%s/device", name);
	if (buf_error(&path) < 0 || live_sysfs_link(buf_text(&path), &vf) < 0)
		return 0;
	buf_clear(&path);
	buf_printf(&path, "/sys/bus/pci/devices/%s/physfn", buf_text(&vf));
	if (buf_error(&path) < 0 || live_sysfs_link(buf_text(&path), &pf) < 0 ||
	    strcmp(buf_text(&pf), t->pf->bdf) != 0)
		return 0;
	return (int)if_nametoindex(name);
}

/*
 * Where the kernel names interfaces as they come, VFs that are bound in another order have each
 * other's names: who has this one gets that of @index, until it is his turn.
 */
static int swap_names(const struct live_target *t, int index, const char *now, const char *name,
		      struct error *e)
{
	const int other = find_sibling(t, name);
	int r;

	if (other == 0)
		return e ? e->code : -EEXIST;
	/* The kernel puts the first number there that makes a name of nobody. */
	r = live_link_rename(t, index, "sriovctl%d", e);
	if (r < 0)
		return r;
	r = live_link_rename(t, other, now, e);
	if (r < 0) {
		(void)!live_link_rename(t, index, now, NULL);
		return r;
	}
	return live_link_rename(t, index, name, e);
}

int live_name_write(const struct live_target *t, const struct setting_value *v, struct error *e)
{
	AUTO_BUF struct buf device = { 0 }, now = { 0 };
	int index = 0;
	int r = live_sysfs_vf(t, &device, e);

	if (r == 0)
		r = write_file(strrchr(buf_text(&device), '/') + 1, v->name, e);
	if (r == 0)
		r = live_sysfs_vf_index(t, &index, e);
	if (r == 0)
		r = require_through(t, index, e);
	if (r == 0)
		r = live_sysfs_vf_netdev(t, &now, e);
	if (r < 0 || strcmp(buf_text(&now), v->name) == 0)
		return r;
	r = live_link_rename(t, index, v->name, e);
	return r == -EEXIST ? swap_names(t, index, buf_text(&now), v->name, e) : r;
}

int live_name_read(const struct live_target *t, struct setting_value *ret, struct error *e)
{
	AUTO_BUF struct buf now = { 0 };
	int r = live_sysfs_vf_netdev(t, &now, e);

	return r < 0 ? r : setting_text(buf_text(&now), ret);
}
