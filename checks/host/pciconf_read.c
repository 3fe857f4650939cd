/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/pciconf.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>

#include <errno.h>

/* -EAGAIN when the attribute @name of the function begins with @asleep. */
static int require_not(const struct host *h, const char *bdf, const char *name, const char *asleep,
		       struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_attr(h, &text, NULL, PCIDEV_PATH "/%s/%s", bdf, name);

	if (r == -ENOMEM)
		return error_nomem(e);
	if (r == 0 && parse_has_prefix(buf_text(&text), asleep))
		return error_set(e, -EAGAIN,
				 "%s: %s is %s, and reading its registers would wake it", bdf, name,
				 buf_text(&text));
	return 0;
}

/*
 * The kernel resumes what it must to read the space (drivers/pci/pci.c,
 * pci_config_pm_runtime_get()), and looking must not change anything.  Older kernels have
 * no power_state; without runtime_status nothing is ever suspended.
 */
static int require_awake(const struct host *h, const char *bdf, struct error *e)
{
	int r;

	if (!host_is_live(h))
		return 0;
	/* "suspended", and "suspending", which would be waited for and undone. */
	r = require_not(h, bdf, "power/runtime_status", "suspend", e);
	return r < 0 ? r : require_not(h, bdf, "power_state", "D3cold", e);
}

int pciconf_read(const struct host *h, const char *bdf, struct pciconf *ret, struct error *e)
{
	AUTO_BUF struct buf path = { 0 }, space = { 0 };
	struct bdf address;
	int r;

	if (parse_bdf(bdf, &address) < 0)
		return error_set(e, -EINVAL, "\"%s\" is no address of a PCI function", bdf);
	r = require_awake(h, bdf, e);
	if (r < 0)
		return r;
	buf_printf(&path, PCIDEV_PATH "/%s/config", bdf);
	if (buf_error(&path) < 0)
		return error_nomem(e);
	r = host_read(h, buf_text(&path), PCICONF_MAX, &space, e);
	if (r < 0)
		return r;
	r = pciconf_parse(buf_text(&space), space.len, ret, e);
	return r < 0 ? error_prefix(e, r, "%s", bdf) : 0;
}
