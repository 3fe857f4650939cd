/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: what the path from it to the root complex carries. */
#include "areas.h"
#include "pf_subject.h"

#include <sriovctl/buf.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/linkpath.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pciconf_path.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pcitree.h>
#include <sriovctl/pf.h>
#include <sriovctl/ports.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* --- pf.link_bandwidth ------------------------------------------------------------------ */

#define MBIT_IN_GBYTE 8000

static void append_rate(struct buf *b, uint64_t mbit)
{
	buf_printf(b, "%" PRIu64 ".%02" PRIu64 " GB/s", mbit / MBIT_IN_GBYTE,
		   mbit % MBIT_IN_GBYTE * 100 / MBIT_IN_GBYTE);
}

static void append_width(struct buf *b, const struct pcilink_end *end)
{
	buf_puts(b, pcilink_speed_name(end->speed));
	if (end->width)
		buf_printf(b, " x%u", end->width);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* Where one more fact would decide; and the hop that is told of. */
struct judged {
	const struct linkpath_hop *hop;
	struct linkpath_need need;
};

/* By what is known to be too little, by what may be, by what is there. */
struct judgement {
	struct judged fails, unknown, narrowest;
	int error;
};

static void note_hop(struct finding *f, const struct linkpath_hop *hop,
		     const struct linkpath_need *need)
{
	AUTO_BUF struct buf seen = { 0 }, wanted = { 0 };

	append_width(&seen, &hop->link->own);
	buf_printf(&seen, " to %s: ", hop->port);
	append_rate(&seen, hop->room.least);
	if (hop->room.most != LINKPATH_UNLIMITED) {
		buf_puts(&seen, " to ");
		append_rate(&seen, hop->room.most);
	}
	buf_puts(&seen, " of data");
	if (hop->payload)
		buf_printf(&seen, " in packets of %u bytes", hop->payload);
	if (need->least)
		append_rate(&wanted, need->least);
	else
		buf_puts(&wanted, "0");
	buf_printf(&wanted, "%s for %zu port%s", need->unknown ? " or more" : "", need->ports,
		   plural(need->ports));
	finding_note(f, finding_path(f, PCIDEV_PATH "/%s", hop->name), finding_text(f, &wanted),
		     "%s", finding_text(f, &seen));
}

static void note_ports(const struct host *h, struct finding *f, const char *bdf)
{
	const struct ports *p = NULL;
	const struct ports_function *own = ports_get(h, &p, NULL) == 0 ? ports_find(p, bdf) : NULL;

	for (size_t i = 0; own && i < own->n; i++) {
		const struct ports_item *item = &own->items[i];

		if (ports_most(item) != UINT32_MAX)
			finding_note(f, finding_path(f, "ethtool %s", item->name), NULL,
				     "%" PRIu32 " Mb/s at most", ports_most(item));
		else if (ports_least(item))
			finding_note(
				f, finding_path(f, PCIDEV_PATH "/%s/net/%s/speed", bdf, item->name),
				NULL, "%" PRIu32 " Mb/s now", ports_least(item));
	}
}

static void judge_hop(const struct linkpath_hop *hop, const struct linkpath_need *need,
		      struct judgement *j)
{
	const struct judged it = { .hop = hop, .need = *need };

	/* Of equal ones the nearest to the root, as the kernel names it. */
	if (need->least > hop->room.most &&
	    (!j->fails.hop || hop->room.most <= j->fails.hop->room.most))
		j->fails = it;
	else if (need->most > hop->room.least && !j->unknown.hop)
		j->unknown = it;
	if (!j->narrowest.hop || hop->room.least <= j->narrowest.hop->room.least)
		j->narrowest = it;
}

static int judge_path(const struct host *h, struct finding *f, const struct linkpath *p,
		      struct judgement *j)
{
	for (size_t i = 0; i < p->n; i++) {
		struct linkpath_need need = { 0 };
		int r = linkpath_need_read(h, p->hops[i].port, &need, NULL);

		if (r < 0)
			return r;
		note_hop(f, &p->hops[i], &need);
		judge_hop(&p->hops[i], &need, j);
	}
	return 0;
}

static bool is_own(const struct check_input *in, const struct linkpath_hop *hop)
{
	return strcmp(hop->name, in->pf->name) == 0;
}

/* Whose limit is it? */
static void remedy_narrow(const struct check_input *in, struct finding *f, const struct judged *it)
{
	const struct pcilink *l = it->hop->link;
	bool is_shared = l->own.speed && !is_own(in, it->hop);

	if (pcilink_judge(l, PCILINK_SPEED) == PCILINK_DEGRADED ||
	    pcilink_judge(l, PCILINK_WIDTH) == PCILINK_DEGRADED)
		finding_remedy(f,
			       "First see to the link of %s itself, which is below what both of "
			       "its ends can.",
			       it->hop->name);
	else if (is_shared)
		finding_remedy(f,
			       "Move the card, or another one below port %s, to a slot with a way "
			       "of its own to the CPU.",
			       it->hop->port);
	else if (pcilink_judge(l, PCILINK_SPEED) == PCILINK_PORT_BEST ||
		 pcilink_judge(l, PCILINK_WIDTH) == PCILINK_PORT_BEST)
		finding_remedy(f, "Move %s to a faster or wider slot: port %s is the limit.",
			       it->hop->name, it->hop->port);
	else
		finding_remedy(f,
			       "Do not plan for all ports of the card at once: its own link is the "
			       "limit, in any slot.");
}

static enum verdict fail_narrow(const struct check_input *in, struct finding *f,
				const struct judged *it)
{
	AUTO_BUF struct buf width = { 0 }, there = { 0 }, wanted = { 0 };

	append_width(&width, &it->hop->link->own);
	append_rate(&there, it->hop->room.most);
	append_rate(&wanted, it->need.least);
	remedy_narrow(in, f, it);
	return finding_fail(f, ACTOR_HARDWARE,
			    "%s (%s) carries %s at most, and the %zu port%s below it can have %s",
			    is_own(in, it->hop) ? "its link"
						: finding_path(f, "the link of %s", it->hop->name),
			    finding_text(f, &width), finding_text(f, &there), it->need.ports,
			    plural(it->need.ports), finding_text(f, &wanted));
}

static bool is_slowed(const struct pcilink *l)
{
	return pcilink_judge(l, PCILINK_SPEED) == PCILINK_SLOWED ||
	       pcilink_judge(l, PCILINK_WIDTH) == PCILINK_SLOWED;
}

static enum verdict unknown_narrow(const struct check_input *in, struct finding *f,
				   const struct judged *it)
{
	const struct linkpath_hop *hop = it->hop;
	AUTO_BUF struct buf there = { 0 }, wanted = { 0 };

	append_rate(&there, hop->room.least);
	append_rate(&wanted, it->need.most);
	if (it->need.unknown) {
		finding_remedy(f,
			       host_is_partial(in->host)
				       ? "Capture the host with \"sriovctl capture\" while the "
					 "driver of %s is bound: it asks for the speeds of ports."
				       : "Look again while the network driver of %s is bound, and "
					 "from the network namespace of its interfaces.",
			       it->need.unknown);
		return finding_unknown(f, "how fast the ports of %s can be is not known",
				       it->need.unknown);
	}
	if (hop->link->state != PCILINK_STEADY || is_slowed(hop->link)) {
		finding_remedy(f, "Look again, as root, while there is traffic.");
		return finding_unknown(
			f, "what %s carries is not known: %s",
			is_own(in, hop) ? "its link" : finding_path(f, "the link of %s", hop->name),
			hop->link->why	       ? hop->link->why
			: hop->link->is_unsure ? "it may have changed by itself"
					       : "it changed by itself");
	}
	finding_remedy(f, "Measure it: send at full rate on all ports.");
	return finding_unknown(f,
			       "%s carries about %s, too near to the %s that its ports can have to "
			       "tell by arithmetic",
			       is_own(in, hop) ? "its link"
					       : finding_path(f, "the link of %s", hop->name),
			       finding_text(f, &there), finding_text(f, &wanted));
}

static enum verdict pass_bandwidth(struct finding *f, const struct judged *it)
{
	AUTO_BUF struct buf width = { 0 }, there = { 0 }, wanted = { 0 };

	append_width(&width, &it->hop->link->own);
	append_rate(&there, it->hop->room.least);
	append_rate(&wanted, it->need.most);
	return finding_pass(f, "the narrowest link (%s) carries %s, and its %zu port%s can have %s",
			    finding_text(f, &width), finding_text(f, &there), it->need.ports,
			    plural(it->need.ports), finding_text(f, &wanted));
}

static enum verdict unknown_path(const struct check_input *in, struct finding *f)
{
	finding_remedy(f, host_is_partial(in->host)
				  ? "Capture the host again, with all its PCI functions."
				  : "Look again from outside of the container.");
	return finding_unknown(f, "not all ports from the function to the root are known");
}

static enum verdict run_bandwidth(const struct check_input *in, struct finding *f)
{
	AUTO_LINKPATH struct linkpath p = { 0 };
	struct judgement j = { 0 };

	if (in->pf->class_error < 0) {
		finding_unread(f, in->host, finding_path(f, PCIDEV_PATH "/%s/class", in->pf->name),
			       in->pf->class_error);
		return finding_unknown(f, "whether it is a network adapter is not known");
	}
	if (!pcidev_is_network(in->pf))
		return finding_na(f, "no network adapter: there are no ports whose speed a path "
				     "has to carry");
	if (linkpath_read(in->host, in->pf->name, &p, NULL) < 0)
		return unknown_path(in, f);
	if (p.n > 0 && p.hops[0].link->state == PCILINK_NONE)
		return finding_na(f, "the function has no link to be judged: %s",
				  p.hops[0].link->why);
	if (p.n == 0 && p.error == -ENOENT)
		return finding_na(f, "the function has no link to be judged: it is on a root bus, "
				     "with no port above it");
	note_ports(in->host, f, in->pf->name);
	if (judge_path(in->host, f, &p, &j) < 0)
		return unknown_path(in, f);
	if (j.fails.hop)
		return fail_narrow(in, f, &j.fails);
	if (p.error < 0 || !j.narrowest.hop)
		return unknown_path(in, f);
	return j.unknown.hop ? unknown_narrow(in, f, &j.unknown) : pass_bandwidth(f, &j.narrowest);
}

/* --- pf.payload --------------------------------------------------------------------------- */

static int read_payload(const struct host *h, const char *bdf, struct pciconf_payload *ret,
			bool *ret_has_ari)
{
	const struct pciconf *c = NULL;
	struct pciconf_ari ari;
	int r = pf_subject_space(h, bdf, &c);

	if (r < 0)
		return r;
	*ret_has_ari = pciconf_ari(c, &ari) == 0;
	return pciconf_payload(c, ret);
}

/* Of a device with ARI that of its function 0 counts (PCI Express Base Specification, 7.5.3.4). */
static int read_own_payload(const struct host *h, struct finding *f, const struct pf *pf,
			    struct pciconf_payload *ret)
{
	const char *first = finding_path(f, "%04x:%02x:00.0", pf->at.domain, pf->at.bus);
	struct pciconf_payload zero = { 0 };
	bool has_ari = false, ignored;
	int r = read_payload(h, pf->dev->name, ret, &has_ari);

	if (r < 0 || !has_ari || pf_devfn(pf) == 0)
		return r;
	r = read_payload(h, first, &zero, &ignored);
	ret->set = zero.set;
	return r;
}

static void note_payload(struct finding *f, const char *bdf, const struct pciconf_payload *p)
{
	finding_note(f, finding_path(f, PCIDEV_PATH "/%s/config", bdf), NULL,
		     "MaxPayload %u of %u bytes, MaxReadReq %u", p->set, p->capable,
		     p->read_request);
}

struct payloads {
	struct pciconf_payload own;
	unsigned capable;	      /* all on the path */
	const char *smaller, *larger; /* a port that is set to less, to more; NULL: none */
	const char *unread;
	int error;
};

static void add_port(const struct host *h, struct finding *f, const char *bdf, struct payloads *p)
{
	struct pciconf_payload port = { 0 };
	bool ignored;
	int r = read_payload(h, bdf, &port, &ignored);

	/* What leads to conventional PCI has none. */
	if (r == -ENOENT)
		return;
	if (r < 0) {
		p->error = r;
		p->unread = bdf;
		return;
	}
	note_payload(f, bdf, &port);
	if (port.capable < p->capable)
		p->capable = port.capable;
	if (port.set < p->own.set)
		p->smaller = bdf;
	if (port.set > p->own.set)
		p->larger = bdf;
}

static enum verdict fail_payload(struct finding *f, const struct payloads *p)
{
	finding_remedy(f, "Update the system's firmware, which sets the sizes; until then put "
			  "\"pci=pcie_bus_safe\" on the kernel's command line.");
	if (p->smaller)
		return finding_fail(f, ACTOR_FIRMWARE,
				    "the function sends packets of %u bytes, more than port %s "
				    "takes",
				    p->own.set, p->smaller);
	return finding_fail(f, ACTOR_FIRMWARE,
			    "port %s may send packets of more than the %u bytes that the function "
			    "takes, as it asks for %u at once",
			    p->larger, p->own.set, p->own.read_request);
}

static enum verdict judge_payload(const struct host *h, struct finding *f, const struct payloads *p)
{
	if (p->smaller || (p->larger && p->own.read_request > p->own.set))
		return fail_payload(f, p);
	if (p->unread) {
		pf_subject_unread_at(f, h, p->unread, p->error);
		return finding_unknown(f, "what size of packets %s is set to is not known",
				       p->unread);
	}
	if (p->capable > p->own.set)
		finding_remedy(f,
			       "Put \"pci=pcie_bus_safe\" on the kernel's command line, which has "
			       "it set the largest that all can, or look for a maximum payload "
			       "size in firmware setup and set it to automatic.");
	if (p->capable > p->own.set)
		return finding_fail(f, ACTOR_FIRMWARE,
				    "packets have %u bytes of data, though all on the path can %u",
				    p->own.set, p->capable);
	return finding_pass(f, "packets of %u bytes, all that the path can; reads of %u",
			    p->own.set, p->own.read_request);
}

static enum verdict run_payload(const struct check_input *in, struct finding *f)
{
	const struct pf *pf = pf_of(in->host, in->pf);
	const struct pcitree_node *n = NULL;
	struct payloads p = { 0 };
	int r = pf ? read_own_payload(in->host, f, pf, &p.own) : host_nomem(in->host, NULL);

	if (r == -ENOENT)
		return finding_na(f, "no PCI Express function");
	if (r < 0) {
		pf_subject_unread_at(f, in->host, in->pf->name, r);
		return finding_unknown(f, "the size of the function's packets is not known");
	}
	note_payload(f, in->pf->name, &p.own);
	r = pcitree_look(in->host, in->pf->name, &n, NULL);
	if (r < 0 || (!n->parent && n->parent_error != -ENOENT))
		return unknown_path(in, f);
	if (!n->parent)
		return finding_na(f, "the function is on a root bus, with no port above it");
	p.capable = p.own.capable;
	for (n = n->parent; n; n = n->parent)
		add_port(in->host, f, n->name, &p);
	return judge_payload(in->host, f, &p);
}

static const struct check checks[] = {
	{
		.id = "pf.link_bandwidth",
		.title = "the path to the root carries what the ports below it can have",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_PF,
		.run = run_bandwidth,
		.actor = ACTOR_HARDWARE,
		.remedy = "Move the card to a faster or wider slot.",
		.impact = "Ports, and so the VFs behind them, get less than their line rate.",
		.reference = "PCI Express Base Specification, 7.5.3.6 to 7.5.3.8; Linux "
			     "drivers/pci/pci.c, pcie_bandwidth_available()",
	},
	{
		.id = "pf.payload",
		.title = "packets on the path are as large as all on it can take",
		.severity = SEVERITY_INFO,
		.scope = SCOPE_PF,
		.run = run_payload,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Set the maximum payload size of PCI Express to automatic in firmware "
			  "setup.",
		.impact = "Small packets cost bandwidth; those larger than a port takes are "
			  "errors that stop the function.",
		.reference = "PCI Express Base Specification, 7.5.3.3 and 7.5.3.4; Linux "
			     "Documentation/admin-guide/kernel-parameters.txt, pcie_bus_safe",
	},
};
CHECK_GROUP(pf_path_checks, checks);
