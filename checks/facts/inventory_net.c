/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "inventory_fact.h"

#include <sriovctl/buf.h>
#include <sriovctl/drvinfo.h>
#include <sriovctl/host.h>
#include <sriovctl/inventory.h>
#include <sriovctl/links.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/strv.h>

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define ELSEWHERE    "in another network namespace"
#define PF_ELSEWHERE "the PF's network interface is " ELSEWHERE

/*
 * In switchdev mode an interface for each VF belongs to the PF, too.  The physical port
 * is "p0", the others are "pf0vf3", "c1pf0vf3", "pf0sf5" (net/core/devlink or
 * net/devlink/port.c, devlink_port_phys_port_name_get).
 */
bool inventory_net_is_representor(const struct host *h, const char *folder, const char *name)
{
	AUTO_BUF struct buf port = { 0 };
	const char *text;

	if (host_attr(h, &port, NULL, "%s/net/%s/phys_port_name", folder, name) < 0)
		return false;
	text = buf_text(&port);
	return parse_has_prefix(text, "pf") || (text[0] == 'c' && isdigit((unsigned char)text[1]));
}

void inventory_net_name(struct inventory_reader *rd, const char *bdf, struct inventory_fact *ret)
{
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf folder = { 0 };
	struct error e = { 0 };
	size_t i = 0;
	int r = pcidev_list_netdevs(rd->h, bdf, &names, &e);

	buf_printf(&folder, PCIDEV_PATH "/%s", bdf);
	if (r < 0) {
		bool is_known = inventory_fact_absence(rd, bdf, r) == r;

		inventory_fact_error(rd, ret, is_known ? r : -ENODATA,
				     is_known ? e.text : inventory_fact_why(rd, -ENODATA));
		return;
	}
	while (names.n > 1 && i < names.n &&
	       inventory_net_is_representor(rd->h, buf_text(&folder), names.items[i]))
		i++;
	/* A driver leaves the folder as long as it has the interface, wherever that is. */
	if (i == names.n)
		inventory_fact_error(rd, ret, INVENTORY_ELSEWHERE, ELSEWHERE);
	else
		inventory_fact_text(rd, ret, names.items[i]);
}

/* --- of the PF -------------------------------------------------------------------- */

/* Is the interface of this name here another one?  /sys may show another namespace than ours. */
static bool is_other(const char *device, const char *bdf)
{
	struct bdf at;

	return device && parse_bdf(device, &at) == 0 && strcmp(device, bdf) != 0;
}

static void read_driver_words(struct inventory_reader *rd, const char *bdf, const char *name,
			      struct inventory_fact *ret)
{
	struct drvinfo info = { 0 };
	struct error e = { 0 };
	int r = drvinfo_read(rd->h, name, &info, &e);

	if (r == -ENODEV || (r == 0 && is_other(info.bus, bdf)))
		inventory_fact_error(rd, ret, -ENODEV, PF_ELSEWHERE);
	else if (r < 0)
		/* Of ioctl() this is an error as any other, and not the absence of a firmware. */
		inventory_fact_error(rd, ret, r == -ENOENT ? -EIO : r, e.text);
	else if (!info.firmware[0] || strcmp(info.firmware, "N/A") == 0)
		inventory_fact_error(rd, ret, -EOPNOTSUPP, links_why(-EOPNOTSUPP));
	else
		inventory_fact_text(rd, ret, info.firmware);
}

static void read_nvme_firmware(struct inventory_reader *rd, const char *bdf,
			       struct inventory_fact *ret)
{
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf text = { 0 };
	struct error e = { 0 };
	int r = host_list(rd->h, &names, &e, PCIDEV_PATH "/%s/nvme", bdf);

	if (r == 0 && names.n > 0)
		r = host_attr(rd->h, &text, &e, PCIDEV_PATH "/%s/nvme/%s/firmware_rev", bdf,
			      names.items[0]);
	if (r == 0 && text.len > 0)
		inventory_fact_text(rd, ret, buf_text(&text));
	else if (r == 0 || r == -ENOENT)
		inventory_fact_error(rd, ret, -ENODATA, "no driver that would tell it");
	else
		inventory_fact_error(rd, ret, r, e.text);
}

static void read_firmware(struct inventory_reader *rd, const char *bdf,
			  const struct inventory_fact *name, struct inventory_fact *ret)
{
	if (name->error == 0)
		read_driver_words(rd, bdf, name->text, ret);
	else if (name->error == -ENOENT)
		read_nvme_firmware(rd, bdf, ret);
	else if (name->error == INVENTORY_ELSEWHERE)
		inventory_fact_error(rd, ret, -ENODEV, PF_ELSEWHERE);
	else
		inventory_fact_error(rd, ret, name->error, name->text);
}

/* --- of its VFs ------------------------------------------------------------------- */

static void set_vf_error(struct inventory_reader *rd, struct inventory_vf *vf, int error,
			 const char *why)
{
	for (enum inventory_vf_fact i = INVENTORY_VF_MAC; i <= INVENTORY_VF_STATE; i++)
		inventory_fact_error(rd, &vf->facts[i], error, why);
}

static void set_switch(struct inventory_reader *rd, int error, bool on, struct inventory_fact *ret)
{
	if (error < 0)
		inventory_fact_error(rd, ret, error, links_why(error));
	else
		inventory_fact_number(ret, on);
}

static void set_mac(struct inventory_reader *rd, const struct links_address *mac,
		    struct inventory_fact *ret)
{
	AUTO_BUF struct buf text = { 0 };

	links_address_text(mac, &text);
	if (buf_error(&text) < 0)
		(void)host_nomem(rd->h, NULL);
	if (mac->len > 0)
		inventory_fact_text(rd, ret, buf_text(&text));
	else
		inventory_fact_error(rd, ret, -ENOENT, NULL);
}

static void set_vf(struct inventory_reader *rd, const struct links_vf *l, struct inventory_vf *vf)
{
	static const char *const states[] = { [LINKS_VF_AUTO] = "auto",
					      [LINKS_VF_ENABLE] = "enable",
					      [LINKS_VF_DISABLE] = "disable" };
	struct inventory_fact *f = vf->facts;

	set_mac(rd, &l->mac, &f[INVENTORY_VF_MAC]);
	set_switch(rd, l->spoofchk_error, l->spoofchk, &f[INVENTORY_VF_SPOOFCHK]);
	set_switch(rd, l->trust_error, l->trust, &f[INVENTORY_VF_TRUST]);
	if (l->vlan_error < 0)
		inventory_fact_error(rd, &f[INVENTORY_VF_VLAN], l->vlan_error,
				     links_why(l->vlan_error));
	else if (l->vlan == 0 && l->qos == 0)
		inventory_fact_error(rd, &f[INVENTORY_VF_VLAN], -ENOENT, NULL);
	else
		inventory_fact_number(&f[INVENTORY_VF_VLAN], l->vlan);
	if (l->state_error < 0)
		inventory_fact_error(rd, &f[INVENTORY_VF_STATE], l->state_error,
				     links_why(l->state_error));
	else
		inventory_fact_text(rd, &f[INVENTORY_VF_STATE], states[l->state]);
}

/* The interface of a PF as rtnetlink has it; or NULL, and why not. */
static const struct links_item *find_link(const struct inventory_reader *rd,
					  const struct inventory_pf *pf, int *error,
					  const char **why)
{
	const struct inventory_fact *name = &pf->facts[INVENTORY_PF_NAME];
	const struct links_item *item = NULL;

	*error = name->error;
	*why = name->error < 0 ? name->text : "";
	if (name->error == INVENTORY_ELSEWHERE) {
		*error = -ENODEV;
		*why = PF_ELSEWHERE;
	} else if (name->error == 0 && !rd->links) {
		*error = rd->links_error.code;
		*why = rd->links_error.text;
	} else if (name->error == 0) {
		item = links_find(rd->links, name->text);
		if (!item || is_other(item->device, pf->facts[INVENTORY_PF_BDF].text)) {
			*error = -ENODEV;
			*why = PF_ELSEWHERE;
			item = NULL;
		} else if (item->vfs_error < 0) {
			*error = item->vfs_error;
			*why = links_why(item->vfs_error);
		}
	}
	return item;
}

void inventory_net_fill(struct inventory_reader *rd, const struct pcidev *dev,
			struct inventory_pf *pf)
{
	const struct inventory_fact *name = &pf->facts[INVENTORY_PF_NAME];
	const struct links_item *item;
	const char *why;
	int error;

	if (host_ran_out(rd->h))
		return;
	read_firmware(rd, dev->name, name, &pf->facts[INVENTORY_PF_FIRMWARE]);
	item = find_link(rd, pf, &error, &why);
	/* A storage controller has no such settings; a network card without interface hides them.
	 */
	if (error == -ENOENT && pcidev_is_network(dev)) {
		error = -ENODATA;
		why = "the PF has no network interface that would tell it";
	}
	for (size_t i = 0; i < pf->n_vfs; i++) {
		struct inventory_vf *vf = &pf->vfs[i];
		const struct links_vf *l =
			item && error == 0
				? links_find_vf(item,
						(uint32_t)vf->facts[INVENTORY_VF_INDEX].number)
				: NULL;

		if (l)
			set_vf(rd, l, vf);
		else
			set_vf_error(rd, vf, error ? error : -EOPNOTSUPP,
				     error ? why : "the driver does not answer for this VF");
	}
}
