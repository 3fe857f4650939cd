/* SPDX-License-Identifier: GPL-2.0-or-later */
/* VFs that exist: the addresses that their physical functions have set for them. */
#include "areas.h"
#include "vf_subject.h"

#include <sriovctl/buf.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/macs.h>
#include <sriovctl/pcidev.h>

#include <string.h>

#define OF_ITS_OWN "an address of its own"

/* NET_ADDR_RANDOM (Linux include/uapi/linux/netdevice.h): the driver made the address up. */
#define ADDR_RANDOM 1

static uint64_t number_of(const struct links_address *a)
{
	uint64_t mac = 0;

	for (size_t i = 0; a->len == 6 && i < a->len; i++)
		mac = mac << 8 | a->bytes[i];
	return mac;
}

/* --- whose it is as well ------------------------------------------------------------------ */

static void note_other(struct finding *f, const struct vf *vf, const char *fmt, ...) PRINTF(3, 4);
static void note_other(struct finding *f, const struct vf *vf, const char *fmt, ...)
{
	AUTO_BUF struct buf text = { 0 };

	macs_print(vf->set->set[SETTING_MAC].number, &text);
	buf_puts(&text, ", as ");
	BUF_FORMAT(&text, fmt);
	finding_note(f, vf_subject_source(vf, f), OF_ITS_OWN, "%s", finding_text(f, &text));
}

static bool find_vf(const struct check_input *in, struct finding *f)
{
	uint64_t mac = in->vf->set->set[SETTING_MAC].number;
	const struct vfs *v = NULL;
	bool found = false;

	if (vfs_get(in->host, &v, NULL) < 0)
		return false;
	for (size_t i = 0; i < v->n + v->n_unseen; i++) {
		const struct vf *other = &v->items[i];
		const struct setting_value *set = other->set ? &other->set->set[SETTING_MAC] : NULL;

		if (!set || other->set == in->vf->set || set->state != SETTING_KNOWN ||
		    set->number != mac)
			continue;
		note_other(f, in->vf, "VF %u of %s", other->index, vf_subject_pf(other));
		found = true;
	}
	return found;
}

/* Does it stand on this interface, as a VLAN does, at whatever distance? */
static bool stands_on(const struct links *l, const struct links_item *item, int index)
{
	for (size_t i = 0; item && i < l->n; i++) {
		if (item->lower == index)
			return true;
		item = item->lower ? links_find_index(l, item->lower) : NULL;
	}
	return false;
}

/*
 * Who shares the address of the VF's own interface rightly: that itself, what stands on it, the
 * bond or bridge that it is a member of, and what is in that besides.
 */
static bool is_kin(const struct links *l, const struct links_item *own,
		   const struct links_item *item)
{
	if (!own)
		return false;
	return item == own || stands_on(l, item, own->index) ||
	       (own->master && (item->index == own->master || item->master == own->master ||
				stands_on(l, item, own->master)));
}

/* The standby of a VF that was given to a guest has the same address, as libvirt's <teaming>
 * wants it; on the host that is a macvtap. */
static bool is_standby(const struct vf *vf, const struct links_item *item)
{
	return vf_is_passed_through(vf) && item->kind && strcmp(item->kind, "macvtap") == 0;
}

static bool find_interface(const struct check_input *in, struct finding *f)
{
	uint64_t mac = in->vf->set->set[SETTING_MAC].number;
	const char *netdev = in->vf->set->netdev;
	const struct links_item *own;
	const struct links *l = NULL;
	bool found = false;

	if (links_get(in->host, &l, NULL) < 0)
		return false;
	own = netdev ? links_find(l, netdev) : NULL;
	for (size_t i = 0; i < l->n; i++) {
		const struct links_item *item = &l->items[i];

		if ((number_of(&item->address) != mac && number_of(&item->permanent) != mac) ||
		    is_kin(l, own, item) || is_standby(in->vf, item))
			continue;
		/* Another VF's own interface is told as that VF. */
		if (item->device && in->vf->dev && strcmp(item->device, in->vf->dev->name) == 0)
			continue;
		note_other(f, in->vf, "%s", item->name);
		found = true;
	}
	return found;
}

/* --- the verdict -------------------------------------------------------------------------- */

/* Did the VF's driver make up the address that its interface has? */
static bool is_random(const struct check_input *in, struct finding *f)
{
	const struct pfstate_vf *set = in->vf->set;
	const char *path;
	uint64_t type = 0;

	if (!set->netdev)
		return false;
	path = finding_path(f, PCIDEV_PATH "/%s/net/%s/addr_assign_type", set->bdf, set->netdev);
	if (host_attr_u64(in->host, 10, &type, NULL, "%s", path) < 0 || type != ADDR_RANDOM)
		return false;
	finding_note(f, path, NULL, "%u: made up by the driver", ADDR_RANDOM);
	return true;
}

/* Addresses that others have are not to be changed with it. */
static void say_set(const struct vf *vf, struct finding *f)
{
	vf_subject_provision(vf, vf_subject_any_has(vf, SETTING_MAC) ? NULL : "--mac derive",
			     "an address of its own for each of them", f);
}

static enum verdict judge_zero(const struct check_input *in, struct finding *f)
{
	bool made_up;

	finding_note(f, vf_subject_source(in->vf, f), OF_ITS_OWN, "00:00:00:00:00:00");
	made_up = is_random(in, f);
	say_set(in->vf, f);
	if (made_up)
		return finding_fail(f, ACTOR_OS,
				    "no address is set, and the VF's driver made one up at random: "
				    "another at each start");
	return finding_fail(f, ACTOR_OS,
			    "no address is set: the VF's user has the one that it chooses");
}

static enum verdict run_mac(const struct check_input *in, struct finding *f)
{
	AUTO_BUF struct buf text = { 0 };
	bool of_vf, of_interface;
	enum verdict v;
	uint64_t mac;

	if (vf_subject_lacks(in, SETTING_MAC, f, &v))
		return v;
	mac = in->vf->set->set[SETTING_MAC].number;
	if (mac == 0)
		return judge_zero(in, f);
	macs_print(mac, &text);
	if (macs_is_multicast(mac)) {
		finding_note(f, vf_subject_source(in->vf, f), "a unicast address", "%s",
			     finding_text(f, &text));
		say_set(in->vf, f);
		return finding_fail(f, ACTOR_OS, "the address that is set is one of a group");
	}
	of_vf = find_vf(in, f);
	of_interface = find_interface(in, f);
	if (of_vf || of_interface) {
		say_set(in->vf, f);
		return finding_fail(f, ACTOR_OS, "the address that is set is another's as well");
	}
	finding_note(f, vf_subject_source(in->vf, f), OF_ITS_OWN, "%s", finding_text(f, &text));
	return finding_pass(f, "an address is set, and nothing else seen on this host has it");
}

static const struct check checks[] = {
	{
		.id = "vf.mac",
		.title = "the VF's address is set, unicast, and its own",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_VF,
		.needs = NEED_SETTINGS,
		.run = run_mac,
		.actor = ACTOR_OS,
		.remedy = "Set an address by the physical function.",
		.impact = "Without one a guest has another address at each start; where two have "
			  "the same, the card's switch gives each the other's packets.",
		.reference = "Linux include/uapi/linux/if_link.h, IFLA_VF_MAC; Documentation/ABI/"
			     "testing/sysfs-class-net, addr_assign_type",
	},
};
CHECK_GROUP(vf_mac_checks, checks);
