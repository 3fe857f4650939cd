/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: its network ports, and who uses it. */
#include "areas.h"

#include <sriovctl/buf.h>
#include <sriovctl/finding.h>
#include <sriovctl/holders.h>
#include <sriovctl/host.h>
#include <sriovctl/klog.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/ports.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* --- pf.carrier --------------------------------------------------------------------------- */

static const char *state_words(const struct ports_item *item)
{
	switch (item->state) {
	case PORTS_DOWN:
		return "down";
	case PORTS_NO_CARRIER:
		return "up, no carrier";
	case PORTS_CARRIER:
		return "up, carrier";
	case PORTS_UNKNOWN:
		break;
	}
	return "not known";
}

/* What it should run at: of what it is told to offer, else of what it can. */
static uint32_t wanted_speed(const struct ports_item *item)
{
	return item->modes.advertised ? item->modes.advertised : item->modes.supported;
}

static void note_port(struct finding *f, const struct ports_item *item)
{
	AUTO_BUF struct buf wanted = { 0 };

	finding_note(f, finding_path(f, "/sys/class/net/%s", item->name), "up, carrier", "%s",
		     state_words(item));
	if (item->state != PORTS_CARRIER || !item->modes.speed)
		return;
	if (wanted_speed(item))
		buf_printf(&wanted, "%" PRIu32 " Mb/s", wanted_speed(item));
	finding_note(f, finding_path(f, "ethtool %s", item->name),
		     wanted.len > 0 ? finding_text(f, &wanted) : NULL, "%" PRIu32 " Mb/s",
		     item->modes.speed);
}

/* A function's only port goes without a name in summaries: what is so of many is said once. */
static const char *name_of(const struct ports_function *own, const struct ports_item *item,
			   struct finding *f)
{
	return own->n > 1 ? finding_path(f, "%s: ", item->name) : "";
}

static enum verdict fail_slow(struct finding *f, const struct ports_item *item, const char *name)
{
	uint32_t partner = item->modes.partner, wanted = wanted_speed(item);

	if (partner && partner < wanted) {
		finding_remedy(
			f, "Look at the other end of %s: it offers no more than %" PRIu32 " Mb/s.",
			item->name, partner);
		return finding_fail(f, ACTOR_HARDWARE,
				    "%scarrier at %" PRIu32 " of %" PRIu32
				    " Mb/s, all that its peer offers",
				    name, item->modes.speed, wanted);
	}
	finding_remedy(f, "Look at the cable or module of %s, and at the port of the switch.",
		       item->name);
	return finding_fail(f, ACTOR_HARDWARE, "%scarrier at %" PRIu32 " of %" PRIu32 " Mb/s", name,
			    item->modes.speed, wanted);
}

/* @ret: of this port; false: nothing is wrong with it. */
static bool judge_port(struct finding *f, const struct ports_function *own,
		       const struct ports_item *item, enum verdict *ret)
{
	const char *name = name_of(own, item, f);

	switch (item->state) {
	case PORTS_UNKNOWN:
		return false;
	case PORTS_DOWN:
		finding_remedy(f, "Bring it up: ip link set %s up.", item->name);
		*ret = finding_fail(f, ACTOR_OS, "%sthe port is down", name);
		return true;
	case PORTS_NO_CARRIER:
		finding_remedy(f,
			       "Look at the cable or module of %s, and at the port of the switch.",
			       item->name);
		*ret = finding_fail(f, ACTOR_HARDWARE, "%sthe port is up and has no carrier", name);
		return true;
	case PORTS_CARRIER:
		break;
	}
	if (!item->modes.speed || item->modes.speed >= wanted_speed(item))
		return false;
	*ret = fail_slow(f, item, name);
	return true;
}

/*
 * Drivers whose cards tell of their modules log it of the function, with an interface or without
 * (mlx5/core/events.c): the last that was said.
 */
static bool is_unplugged(const struct check_input *in, struct finding *f)
{
	AUTO_BUF struct buf needle = { 0 }, said = { 0 };
	const struct klog *k = NULL;
	const char *last = NULL;

	buf_printf(&needle, " %s: Port module event: module ", in->pf->name);
	if (klog_get(in->host, &k, NULL) < 0)
		return false;
	for (const char *p = k->text; (p = strstr(p, finding_text(f, &needle))); p++)
		last = p;
	if (!last)
		return false;
	buf_append(&said, last + 1, strcspn(last, "\n") - 1);
	if (!strstr(buf_text(&said), "Cable unplugged"))
		return false;
	finding_note(f, "kernel log", "Cable plugged", "%s", finding_text(f, &said));
	return true;
}

static enum verdict unknown_ports(const struct check_input *in, struct finding *f, int error)
{
	const char *folder = finding_path(f, PCIDEV_PATH "/%s/net", in->pf->name);

	if (error == -EREMOTE) {
		finding_remedy(f, "Run the check in the network namespace of the interface.");
		return finding_unknown(f, "the interface is in another network namespace");
	}
	if (error == -ENOENT) {
		finding_note(f, folder, "an interface", "none");
		finding_remedy(f, "Bind the network driver of the card: see pf.driver.");
		return finding_unknown(f, "the function has no network interface that would tell");
	}
	if (is_unplugged(in, f))
		return finding_fail(f, ACTOR_HARDWARE, "no cable is plugged in");
	finding_unread(f, in->host, folder, error);
	return finding_unknown(f, "the network interfaces of the function are not known");
}

static enum verdict pass_carrier(struct finding *f, const struct ports_function *own)
{
	AUTO_BUF struct buf names = { 0 };

	for (size_t i = 0; i < own->n; i++) {
		buf_printf(&names, "%s%scarrier", i ? ", " : "", name_of(own, &own->items[i], f));
		if (own->items[i].modes.speed)
			buf_printf(&names, " at %" PRIu32 " Mb/s", own->items[i].modes.speed);
		if (!own->items[i].modes.speed)
			buf_puts(&names, ", at what speed is not known");
		else if (!wanted_speed(&own->items[i]))
			buf_puts(&names, ", and what the port can is not known");
	}
	return finding_pass(f, "%s", finding_text(f, &names));
}

static enum verdict unknown_class(const struct check_input *in, struct finding *f)
{
	finding_unread(f, in->host, finding_path(f, PCIDEV_PATH "/%s/class", in->pf->name),
		       in->pf->class_error);
	return finding_unknown(f, "whether it is a network adapter is not known");
}

static enum verdict run_carrier(const struct check_input *in, struct finding *f)
{
	const struct ports *p = NULL;
	const struct ports_function *own;
	enum verdict v;
	int r;

	if (in->pf->class_error < 0)
		return unknown_class(in, f);
	if (!pcidev_is_network(in->pf))
		return finding_na(f, "no network adapter: it has no ports");
	r = ports_get(in->host, &p, NULL);
	own = r == 0 ? ports_find(p, in->pf->name) : NULL;
	if (!own || own->error < 0)
		return unknown_ports(in, f, own ? own->error : r);
	for (size_t i = 0; i < own->n; i++)
		note_port(f, &own->items[i]);
	for (size_t i = 0; i < own->n; i++)
		if (judge_port(f, own, &own->items[i], &v))
			return v;
	for (size_t i = 0; i < own->n; i++)
		if (own->items[i].state == PORTS_UNKNOWN) {
			finding_remedy(f, "Look at \"ip link show %s\" where the interface is.",
				       own->items[i].name);
			return finding_unknown(f, "%swhether the port has carrier is not known",
					       name_of(own, &own->items[i], f));
		}
	return pass_carrier(f, own);
}

/* --- pf.in_use ---------------------------------------------------------------------------- */

/* Without the name of the interface, which the subject tells. */
static const char *brief(struct finding *f, const char *user)
{
	static const char mine[] = "its interface ";
	const char *at = strstr(user, mine);

	if (!at)
		return user;
	at += sizeof(mine) - 2;
	return finding_path(f, "%.*s%s", (int)(at - user), user, at + 1 + strcspn(at + 1, " "));
}

static enum verdict run_in_use(const struct check_input *in, struct finding *f)
{
	AUTO_HOLDERS struct holders v = { 0 };
	char *bdf = in->pf->name;
	const struct strv bdfs = { .items = &bdf, .n = 1 };
	const struct strv *users;

	if (holders_read(in->host, &bdfs, &v, NULL) < 0)
		return finding_nomem(f);
	users = &v.items[0].users;
	for (size_t i = 0; i < users->n; i++)
		finding_note(f, finding_path(f, PCIDEV_PATH "/%s", bdf), NULL, "%s",
			     users->items[i]);
	if (users->n > 0 && !v.items[0].is_doubt)
		return finding_pass(f, "in use: %s%s", brief(f, users->items[0]),
				    users->n > 1 ? ", and more" : "");
	if (!v.blind && users->n == 0) {
		finding_note(f, "/proc/*/fd, rtnetlink", NULL,
			     "no process, address, route, bond or bridge");
		return finding_pass(f, "nobody uses it");
	}
	if (v.blind)
		finding_note(f, "the look for users", NULL, "%s", v.blind);
	finding_remedy(f, host_is_partial(in->host)
				  ? "Capture the host with \"sriovctl capture\", as root."
				  : "Run the check as root, outside of containers.");
	return finding_unknown(f, "nobody is seen to use it, and not all can be seen");
}

static const struct check checks[] = {
	{
		.id = "pf.carrier",
		.title = "the ports of the function are up, with carrier at their speed",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_PF,
		.run = run_carrier,
		.actor = ACTOR_HARDWARE,
		.remedy = "Look at the cable or module, and at the port of the switch.",
		.impact = "VFs reach nothing outside of the card, and some settings of VFs are "
			  "refused until there is carrier.",
		.reference = "Linux Documentation/networking/operstates.rst; "
			     "Documentation/ABI/testing/sysfs-class-net, speed",
	},
	{
		.id = "pf.in_use",
		.title = "who uses the function is known",
		.severity = SEVERITY_INFO,
		.scope = SCOPE_PF,
		.run = run_in_use,
		.actor = ACTOR_OS,
		.remedy = "Look at the interfaces of the function.",
		.impact = "Making VFs resets many cards: who uses the function is interrupted.",
		.reference = "Linux Documentation/PCI/pci-iov-howto.rst; ip-link(8), ip-route(8)",
	},
};
CHECK_GROUP(pf_port_checks, checks);
