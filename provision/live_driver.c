/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/modules_load.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define PROBE "/sys/bus/pci/drivers_probe"

int live_driver_read(const struct live_target *t, struct setting_value *ret, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_BUF struct buf driver = { 0 };
	int r = live_sysfs_vf(t, &path, e);

	if (r < 0)
		return r;
	buf_puts(&path, "/driver");
	r = live_sysfs_link(buf_text(&path), &driver);
	if (r < 0 && r != -ENOENT)
		return error_set(e, r, "%s: %s", buf_text(&path), strerror(-r));
	/* No link is no driver, and leaves the name empty. */
	return setting_text(buf_text(&driver), ret);
}

static int unbind(const struct buf *device, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	int r;

	buf_printf(&path, "%s/driver/unbind", buf_text(device));
	r = live_sysfs_put(buf_text(&path), strrchr(buf_text(device), '/') + 1);
	return r < 0 ? error_set(e, r, "%s: %s", buf_text(&path), strerror(-r)) : 0;
}

/* A driver may be built in, or loaded: only one that is neither is asked of libkmod. */
static int have_driver(const char *name, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };

	buf_printf(&path, "/sys/bus/pci/drivers/%s", name);
	if (access(buf_text(&path), F_OK) == 0)
		return 0;
	return modules_load(name, e);
}

/* The value of a step: a name, or whichever driver takes the VF. */
static bool is_bound(const struct setting_value *now, const struct setting_value *wanted)
{
	if (strcmp(wanted->name, SETTING_DRIVER_DEFAULT) == 0)
		return now->name[0];
	return strcmp(now->name, wanted->name) == 0;
}

/* One that is bound already is of no interest; loading a driver may bind it. */
static int bind_driver(const struct live_target *t, const struct setting_value *v, const char *bdf,
		       struct error *e)
{
	struct setting_value now;
	int r = 0;

	if (strcmp(v->name, SETTING_DRIVER_DEFAULT) != 0)
		r = have_driver(v->name, e);
	if (r == 0)
		r = live_driver_read(t, &now, e);
	if (r < 0 || is_bound(&now, v))
		return r;
	r = live_sysfs_put(PROBE, bdf);
	return r < 0 ? error_set(e, r, "%s written to %s", bdf, PROBE) : 0;
}

/*
 * The probing says nothing of what came of it: what is bound afterwards does, when it is
 * read back.  driver_override decides who may bind; a step of its own has set it.
 */
int live_driver_write(const struct live_target *t, const struct setting_value *v, struct error *e)
{
	AUTO_BUF struct buf device = { 0 };
	struct setting_value now;
	int r = live_sysfs_vf(t, &device, e);

	if (r == 0)
		r = live_driver_read(t, &now, e);
	if (r < 0 || is_bound(&now, v))
		return r;
	if (now.name[0])
		r = unbind(&device, e);
	if (r < 0 || !v->name[0])
		return r;
	return bind_driver(t, v, strrchr(buf_text(&device), '/') + 1, e);
}
