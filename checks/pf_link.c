/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: its PCI Express link, and its NUMA node. */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/buf.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/pcilink.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/strv.h>

#include <errno.h>

#define NODES_PATH "/sys/devices/system/node"

/* --- pf.link_speed, pf.link_width ------------------------------------------------------ */

/* "8 GT/s", "x16". */
static void append_value(struct buf *b, enum pcilink_aspect what, unsigned value)
{
	if (what == PCILINK_SPEED)
		buf_puts(b, pcilink_speed_name(value));
	else if (value)
		buf_printf(b, "x%u", value);
	else
		buf_puts(b, "an unknown width");
}

static void note_end(struct finding *f, const char *name, const struct pcilink_end *end)
{
	AUTO_BUF struct buf observed = { 0 };

	if (!end->speed && !end->max_speed && !end->width && !end->max_width)
		return;
	append_value(&observed, PCILINK_SPEED, end->speed);
	buf_puts(&observed, " ");
	append_value(&observed, PCILINK_WIDTH, end->width);
	buf_puts(&observed, " of ");
	append_value(&observed, PCILINK_SPEED, end->max_speed);
	buf_puts(&observed, " ");
	append_value(&observed, PCILINK_WIDTH, end->max_width);
	if (end->retrained)
		buf_puts(&observed, "; it retrained or changed its bandwidth since that was last "
				    "cleared");
	finding_note(f, finding_path(f, PCIDEV_PATH "/%s", name), "the best that both ends can",
		     "%s", finding_text(f, &observed));
}

static void remedy_again(struct finding *f)
{
	finding_remedy(f, "Put load on the function and check again: a link that rests may be "
			  "slower.");
}

static void remedy_root(const struct host *h, struct finding *f)
{
	finding_remedy(f, host_is_partial(h) ? "Capture the host again, as root, with the "
					       "config files of all its PCI functions."
					     : "Run the check as root.");
}

static enum verdict unknown_link(const struct host *h, struct finding *f, const struct pcilink *l)
{
	if (l->state == PCILINK_RESTING)
		remedy_again(f);
	else
		remedy_root(h, f);
	return finding_unknown(f, "the link cannot be judged now: %s", l->why);
}

static enum verdict fail_link(const struct check_input *in, struct finding *f,
			      const struct pcilink *l, enum pcilink_aspect what)
{
	AUTO_BUF struct buf text = { 0 };
	/* Only a port's own limit binds: that of a card is for software to use or not. */
	bool limited = what == PCILINK_SPEED && l->port.target_speed == l->own.speed &&
		       l->port.max_speed > l->own.speed;

	append_value(&text, what, pcilink_now(&l->own, what));
	buf_puts(&text, ", though the function can ");
	append_value(&text, what, pcilink_max(&l->own, what));
	buf_printf(&text, " and port %s ", l->port_name);
	append_value(&text, what, pcilink_max(&l->port, what));
	if (limited) {
		remedy_setup(f, in->host, PLATFORM_LINKSPEED);
		return finding_fail(f, ACTOR_FIRMWARE,
				    "the link runs at %s, to which the port is set",
				    finding_text(f, &text));
	}
	return finding_fail(f, ACTOR_HARDWARE, "the link runs at %s", finding_text(f, &text));
}

static enum verdict judge_link(const struct check_input *in, struct finding *f,
			       const struct pcilink *l, enum pcilink_aspect what)
{
	AUTO_BUF struct buf now = { 0 }, own = { 0 };

	append_value(&now, what, pcilink_now(&l->own, what));
	append_value(&own, what, pcilink_max(&l->own, what));
	switch (pcilink_judge(l, what)) {
	case PCILINK_BEST:
		return finding_pass(f, "the link runs at %s, all the function can",
				    finding_text(f, &now));
	case PCILINK_PORT_BEST:
		return finding_pass(f,
				    "the link runs at %s, all that port %s can; the function can "
				    "%s",
				    finding_text(f, &now), l->port_name, finding_text(f, &own));
	case PCILINK_DEGRADED:
		return fail_link(in, f, l, what);
	case PCILINK_SLOWED:
		if (l->is_unsure)
			remedy_root(in->host, f);
		remedy_again(f);
		return finding_unknown(
			f, "the link runs at %s of %s, %s", finding_text(f, &now),
			finding_text(f, &own),
			l->is_unsure	? "and whether the port changed it by itself, to "
					  "save power, takes root to see"
			: l->autonomous ? "and an end says it changed by itself, as it may "
					  "to save power"
					: "as that of an accelerator may while there is "
					  "nothing to do");
	case PCILINK_UNDECIDED:
		break;
	}
	finding_remedy(f, host_is_partial(in->host)
				  ? "Capture the host again, as root, with the port "
				    "above the function."
				  : "Run the check as root.");
	return finding_unknown(f, "the link runs at %s of %s, and what the port can is not known",
			       finding_text(f, &now), finding_text(f, &own));
}

static enum verdict run_link(const struct check_input *in, struct finding *f,
			     enum pcilink_aspect what)
{
	const struct pcilink *l = NULL;

	if (pcilink_get(in->host, in->pf->name, &l, NULL) < 0)
		return finding_nomem(f);
	note_end(f, in->pf->name, &l->own);
	if (l->port_name)
		note_end(f, l->port_name, &l->port);
	if (l->woken)
		finding_note(f,
			     finding_path(f, PCIDEV_PATH "/%s/power/runtime_status", in->pf->name),
			     NULL, "suspended; it was woken for this look");
	if (l->state == PCILINK_NONE)
		return finding_na(f, "the function has no link to be judged: %s", l->why);
	/* Sleep can make a link slower, and never faster. */
	if (l->state != PCILINK_STEADY && !(l->asleep && pcilink_judge(l, what) == PCILINK_BEST))
		return unknown_link(in->host, f, l);
	return judge_link(in, f, l, what);
}

static enum verdict run_speed(const struct check_input *in, struct finding *f)
{
	return run_link(in, f, PCILINK_SPEED);
}

static enum verdict run_width(const struct check_input *in, struct finding *f)
{
	return run_link(in, f, PCILINK_WIDTH);
}

/* --- pf.numa ---------------------------------------------------------------------------- */

/* The nodes; -ENOENT: a kernel without NUMA. */
static int count_nodes(const struct host *h, size_t *ret)
{
	AUTO_STRV struct strv names = { 0 };
	size_t n = 0;
	int r = host_list(h, &names, NULL, NODES_PATH);

	if (r < 0)
		return r;
	for (size_t i = 0; i < names.n; i++)
		n += parse_has_prefix(names.items[i], "node") && names.items[i][4] >= '0' &&
		     names.items[i][4] <= '9';
	*ret = n;
	return n == 0 ? -ENODATA : 0;
}

static enum verdict judge_no_node(const struct check_input *in, struct finding *f,
				  const char *source)
{
	size_t nodes = 0;
	int r = count_nodes(in->host, &nodes);

	if (r < 0 && (r != -ENOENT || host_is_partial(in->host))) {
		finding_unread(f, in->host, NODES_PATH, r == -ENOENT ? -ENODATA : r);
		return finding_unknown(f, "the function has no node, and how many the host has is "
					  "not known");
	}
	if (nodes < 2)
		return finding_na(f, "the host has no more than one NUMA node");
	finding_note(f, source, "a node", "none");
	finding_note(f, NODES_PATH, NULL, "%zu nodes", nodes);
	return finding_fail(f, ACTOR_FIRMWARE,
			    "firmware does not say on which of the %zu nodes the function is",
			    nodes);
}

static enum verdict run_numa(const struct check_input *in, struct finding *f)
{
	const struct pcidev *d = in->pf;
	const char *source = finding_path(f, PCIDEV_PATH "/%s/numa_node", d->name);

	/* A kernel without NUMA has no such file. */
	if (d->node_error < 0 && (d->node_error != -ENOENT || host_is_partial(in->host))) {
		finding_unread(f, in->host, source,
			       d->node_error == -ENOENT ? -ENODATA : d->node_error);
		return finding_unknown(f, "the function's node is not known");
	}
	if (d->node_error < 0 || d->node < 0)
		return judge_no_node(in, f, source);
	finding_note(f, source, "0 or above", "%d", d->node);
	return finding_pass(f, "the function is on NUMA node %d", d->node);
}

static const struct check checks[] = {
	{
		.id = "pf.link_speed",
		.title = "the link runs at the best speed that both ends support",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_PF,
		.run = run_speed,
		.actor = ACTOR_HARDWARE,
		.remedy =
			"Reseat the card and look for a link speed limit in firmware setup; if it "
			"stays, try another slot.",
		.impact = "All VFs share the link: they get less than the ports could carry.",
		.reference =
			"PCI Express Base Specification, 7.5.3.6 to 7.5.3.8 (Link Capabilities, "
			"Control, Status); Linux Documentation/ABI/testing/sysfs-bus-pci",
	},
	{
		.id = "pf.link_width",
		.title = "the link has the best width that both ends support",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_PF,
		.run = run_width,
		.actor = ACTOR_HARDWARE,
		.remedy =
			"Reseat the card: lanes are lost, or the slot is wired with fewer than its "
			"port has, or the port is split in firmware setup; else try another slot.",
		.impact = "All VFs share the link: they get less than the ports could carry.",
		.reference =
			"PCI Express Base Specification, 7.5.3.6 to 7.5.3.8 (Link Capabilities, "
			"Control, Status); Linux Documentation/ABI/testing/sysfs-bus-pci",
	},
	{
		.id = "pf.numa",
		.title = "the function's NUMA node is known",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_PF,
		.run = run_numa,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Update the firmware, whose tables do not give the node of this bus.",
		.impact = "Interrupts, queues and guests may be placed far from the card.",
		.reference = "ACPI Specification, 6.2.14 (_PXM); Linux "
			     "Documentation/ABI/testing/sysfs-bus-pci, numa_node",
	},
};
CHECK_GROUP(pf_link_checks, checks);
