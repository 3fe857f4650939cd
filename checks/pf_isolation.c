/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: is it, and are its VFs, apart from everything else? */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/acs.h>
#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/iommu.h>
#include <sriovctl/kernel.h>
#include <sriovctl/machine.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pcitree.h>

#include <errno.h>
#include <string.h>

/* --- pf.acs -------------------------------------------------------------------------- */

/* "needed ACS bits are off: RR CR" */
static void describe(const struct acs *a, struct buf *ret)
{
	buf_puts(ret, a->why);
	if (a->lacking) {
		buf_puts(ret, ":");
		acs_append_bits(ret, a->lacking);
	}
	if (a->error)
		buf_printf(ret, " (%s)", pciconf_why(a->error));
}

static void note_ports(struct finding *f, const struct acs_path *p)
{
	for (size_t i = 0; i < p->n; i++) {
		AUTO_BUF struct buf observed = { 0 };
		const struct acs *a = &p->ports[i].acs;

		describe(a, &observed);
		if (a->capable)
			buf_printf(&observed, "; capability 0x%04x, control 0x%04x", a->cap,
				   a->ctrl);
		finding_note(f, finding_path(f, PCIDEV_PATH "/%s/config", p->ports[i].node->name),
			     "ACS: SV RR CR UF", "%s", finding_text(f, &observed));
	}
}

static bool keeps_bits_off(const struct host *h)
{
	static const char *const words[] = { "disable_acs_redir", "config_acs" };
	const struct cmdline *c = NULL;

	return cmdline_get(h, &c, NULL) == 0 &&
	       cmdline_last_item(c, "pci", words, ARRAY_SIZE(words)) >= 0;
}

/* The port would isolate, had the kernel asked it to; two ways to have it asked. */
static enum actor remedy_late(struct finding *f, const struct host *h, const char *port)
{
	const struct kernel *k = NULL;

	if (kernel_get(h, &k, NULL) == 0 && kernel_is_at_least(k, 6, 12)) {
		remedy_cmdline_add(f, h, finding_path(f, "pci=config_acs=xx111x1@%s", port));
		return ACTOR_CMDLINE;
	}
	finding_remedy(f,
		       "Have the kernel look at the port again, now that it knows of the IOMMU, "
		       "at each boot before what is below %s is used: write 1 to " PCIDEV_PATH
		       "/%s/remove, then to /sys/bus/pci/rescan. From Linux 6.12 on "
		       "pci=config_acs=xx111x1@%s on the kernel command line does it.",
		       port, port, port);
	return ACTOR_OS;
}

/* Who can make this port isolate, and how. */
static enum actor remedy_port(struct finding *f, const struct host *h, const struct acs_port *port)
{
	if (port->acs.capable && keeps_bits_off(h)) {
		finding_remedy(f, "Take disable_acs_redir and config_acs out of pci= on the kernel "
				  "command line.");
		return ACTOR_CMDLINE;
	}
	if (port->acs.capable && acs_is_asked_late(h))
		return remedy_late(f, h, port->node->name);
	remedy_setup(f, h, PLATFORM_ACS);
	if (port->acs.capable)
		return ACTOR_FIRMWARE;
	finding_remedy(f, "If %s has no ACS then either, move the card to a slot whose ports have.",
		       port->node->name);
	return ACTOR_HARDWARE;
}

static enum verdict fail_acs(const struct host *h, struct finding *f, const struct acs_path *p)
{
	AUTO_BUF struct buf text = { 0 };
	const struct acs_port *port = acs_path_blame(p);
	enum actor actor = remedy_port(f, h, port);
	size_t more = 0;

	for (size_t i = 0; i < p->n; i++)
		more += p->ports[i].acs.state == ACS_SHARES && &p->ports[i] != port;
	describe(&port->acs, &text);
	if (more)
		return finding_fail(f, actor, "port %s does not isolate, nor do %zu below it: %s",
				    port->node->name, more, finding_text(f, &text));
	return finding_fail(f, actor, "port %s does not isolate: %s", port->node->name,
			    finding_text(f, &text));
}

static void remedy_unread(struct finding *f, const struct host *h, int r)
{
	switch (r) {
	case -EACCES:
	case -EPERM:
		finding_remedy(f, host_is_partial(h) ? "Capture the host again, as root."
						     : "Run the check as root.");
		return;
	case -EAGAIN:
		finding_remedy(f, "Bring the function's interface up, which wakes the ports above "
				  "it, and check again.");
		return;
	case -ENODATA:
	case -ENOENT:
		finding_remedy(f, host_is_partial(h)
					  ? "Capture the host again, as root, with the config "
					    "files of all its PCI functions."
					  : "Run the check as root, on the host itself, with "
					    "extended configuration space (no pci=nommconf).");
		return;
	default:
		finding_remedy(f, "Read the ports' configuration space with lspci -vvv as root.");
	}
}

/* The registers do not decide: what the kernel makes of the port does, where it has. */
static void remedy_undecided(struct finding *f, const struct host *h)
{
	AUTO_BUF struct buf observed = { 0 };
	const char *source;

	switch (iommu_state(h, &source, &observed)) {
	case IOMMU_ON:
		finding_remedy(f, "See by pf.iommu_group, and by the groups of the VFs once they "
				  "exist, what the kernel makes of the port.");
		break;
	case IOMMU_OFF:
		finding_remedy(f, "Switch the IOMMU on, boot, and see by pf.iommu_group what the "
				  "kernel makes of the port.");
		break;
	case IOMMU_UNKNOWN:
		finding_remedy(f, "Do what iommu.active says, and check again: the bits tell only "
				  "where it is known whether an IOMMU is at work.");
		break;
	}
}

static enum verdict unknown_acs(const struct host *h, struct finding *f, const struct acs_path *p)
{
	const struct acs_port *port = NULL;
	AUTO_BUF struct buf text = { 0 };

	for (size_t i = 0; i < p->n && !port; i++)
		if (p->ports[i].acs.state == ACS_UNKNOWN)
			port = &p->ports[i];
	if (!port) {
		remedy_unread(f, h, p->error);
		return finding_unknown(f, "which ports are above the function is not known");
	}
	describe(&port->acs, &text);
	if (port->acs.error)
		remedy_unread(f, h, port->acs.error);
	else
		remedy_undecided(f, h);
	return finding_unknown(f, "whether port %s isolates is not known: %s", port->node->name,
			       finding_text(f, &text));
}

static enum verdict pass_acs(struct finding *f, const struct acs_path *p)
{
	bool future = false;

	for (size_t i = 0; i < p->n; i++)
		future = future || p->ports[i].acs.future;
	if (p->n == 0)
		return finding_pass(f, "the function is on a root bus, with no port above it");
	if (future)
		return finding_pass(f,
				    "the ports up to the root (%zu) can isolate, and will once the "
				    "IOMMU is at work",
				    p->n);
	return finding_pass(f, "%s up to the root isolate%s",
			    p->n == 1 ? "the only port" : "all ports", p->n == 1 ? "s" : "");
}

static enum verdict run_acs(const struct check_input *in, struct finding *f)
{
	AUTO_ACS_PATH struct acs_path p = { 0 };
	int r = acs_path_read(in->host, in->pf->name, &p, NULL);

	if (r < 0) {
		finding_unread(f, in->host, PCIDEV_PATH, r);
		return finding_unknown(f, "which ports are above the function is not known");
	}
	note_ports(f, &p);
	if (p.n == 0)
		finding_note(f, finding_path(f, PCIDEV_PATH "/%s", in->pf->name), NULL,
			     "on a root bus");
	switch (p.state) {
	case ACS_SHARES:
		return fail_acs(in->host, f, &p);
	case ACS_UNKNOWN:
		return unknown_acs(in->host, f, &p);
	case ACS_ISOLATES:
		break;
	}
	return pass_acs(f, &p);
}

/* --- pf.iommu_group -------------------------------------------------------------------- */

static void append_names(struct buf *b, const char *what, const struct strv *names)
{
	/* More do not help anybody, and a root bus can give a hundred. */
	const size_t most = 8;

	if (names->n == 0)
		return;
	buf_printf(b, "%s%s", b->len ? "; " : "", what);
	for (size_t i = 0; i < names->n && i < most; i++)
		buf_printf(b, " %s", names->items[i]);
	if (names->n > most)
		buf_printf(b, " and %zu more", names->n - most);
}

static void note_group(struct finding *f, const struct acs_group *g)
{
	AUTO_BUF struct buf observed = { 0 };
	const char *text;

	append_names(&observed, "others:", &g->others);
	append_names(&observed, "VFs of the same slot:", &g->vfs);
	append_names(&observed, "of the same slot:", &g->siblings);
	append_names(&observed, "bridges:", &g->bridges);
	text = finding_text(f, &observed);
	finding_note(f, finding_path(f, IOMMU_GROUPS "/%s/devices", g->name),
		     "nothing but the function, and bridges", "%s",
		     *text ? text : "the function alone");
}

/* The port that made the group so, by the walk; into @ret as the end of a sentence. */
static enum actor blame(const struct host *h, const struct check_input *in, struct finding *f,
			struct buf *ret)
{
	AUTO_ACS_PATH struct acs_path p = { 0 };
	const struct acs_port *port = NULL;

	if (acs_path_read(h, in->pf->name, &p, NULL) == 0) {
		note_ports(f, &p);
		port = acs_path_blame(&p);
	}
	if (!port) {
		finding_remedy(f, "Run pf.acs as root; where no port is at fault, an alias of the "
				  "hardware or an older kernel made the group.");
		return ACTOR_FIRMWARE;
	}
	f->follows = "pf.acs"; /* which blames the same port, and says the same of it */
	buf_printf(ret, ": port %s, ", port->node->name);
	describe(&port->acs, ret);
	return remedy_port(f, h, port);
}

static enum verdict fail_group(const struct check_input *in, struct finding *f,
			       const struct acs_group *g)
{
	AUTO_BUF struct buf why = { 0 };
	enum actor actor = blame(in->host, in, f, &why);

	if (g->others.n > 0)
		return finding_fail(
			f, actor, "group %s also holds %s%s%s", g->name, g->others.items[0],
			g->others.n > 1 ? " and other functions" : "", finding_text(f, &why));
	return finding_fail(f, actor, "VFs %s in the function's own group %s%s",
			    g->vfs.n ? "are" : "would be", g->name, finding_text(f, &why));
}

/* A VF that has company: its name, and the company's, into @ret. */
static bool find_company(const struct check_input *in, struct buf *ret)
{
	const struct pcitree *t = NULL;

	if (pcitree_get(in->host, &t, NULL) < 0)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		AUTO_ACS_GROUP struct acs_group g = { 0 };
		const struct pcitree_node *n = &t->nodes[i];
		const struct strv *company;

		if (!n->pf || strcmp(n->pf->name, in->pf->name) != 0 ||
		    acs_group_read(in->host, n->name, &g, NULL) < 0)
			continue;
		company = g.others.n ? &g.others : g.siblings.n ? &g.siblings : &g.vfs;
		if (company->n == 0)
			continue;
		buf_printf(ret, "%s shares group %s with %s", n->name, g.name, company->items[0]);
		return true;
	}
	return false;
}

static bool offers_vfs(const struct pcidev *d)
{
	return d->totalvfs_error == 0 ? d->totalvfs > 0 : d->totalvfs_error != -ENOENT;
}

static enum verdict pass_group(const struct check_input *in, struct finding *f,
			       const struct acs_group *g)
{
	if (g->port_above && !offers_vfs(in->pf))
		return finding_na(f, "it offers no VFs; its group holds it and bridges only");
	if (g->siblings.n > 0)
		return finding_pass(f, "its group holds functions of its own slot only; VFs have "
				       "groups of their own");
	return finding_pass(f, "%s in its group; VFs have groups of their own",
			    g->bridges.n ? "with bridges only" : "alone");
}

static enum verdict judge_group(const struct check_input *in, struct finding *f,
				const struct acs_group *g)
{
	AUTO_BUF struct buf company = { 0 };
	bool vfs_inside =
		g->vfs.n > 0 || (g->port_above && offers_vfs(in->pf) && in->pf->numvfs == 0);

	note_group(f, g);
	if (g->others.n > 0 || vfs_inside)
		return fail_group(in, f, g);
	if (find_company(in, &company)) {
		f->follows = "pf.acs";
		finding_remedy(f, "Do what pf.acs says of the ports above.");
		return finding_fail(f, ACTOR_FIRMWARE, "VF %s", finding_text(f, &company));
	}
	if (!g->complete && host_is_partial(in->host)) {
		finding_remedy(f, "Add " IOMMU_GROUPS " of the host to the captured root.");
		return finding_unknown(f, "who else is in group %s is not known", g->name);
	}
	if (!g->port_known && g->bridges.n > 0) {
		remedy_unread(f, in->host, -ENODATA);
		return finding_unknown(f,
				       "whether VFs would join group %s is not known: the port "
				       "above the function may be in it",
				       g->name);
	}
	return pass_group(in, f, g);
}

/*
 * Of these the kernel learns by firmware's description of each device, which it reads when a
 * driver takes the device (drivers/base/dd.c, before 6.15).
 */
static bool joins_with_driver(const struct check_input *in)
{
	enum iommu_kind kind = iommu_kind(in->host);

	return in->pf->driver_error == -ENOENT && (kind == IOMMU_SMMU || kind == IOMMU_VIRTIO);
}

/* It has no group, while others have. */
static enum verdict judge_without(const struct check_input *in, struct finding *f)
{
	finding_note(f, finding_path(f, PCIDEV_PATH "/%s/iommu_group", in->pf->name), "a group",
		     "absent");
	if (joins_with_driver(in)) {
		finding_follows(f, "pf.driver");
		return finding_unknown(f, "the function is in no group yet: it joins one when a "
					  "driver takes it");
	}
	finding_remedy(f, "Update the firmware, whose tables leave this function out, or move the "
			  "card to another slot.");
	return finding_fail(f, ACTOR_FIRMWARE,
			    "the function is in no group: no IOMMU translates its DMA");
}

static enum verdict run_group(const struct check_input *in, struct finding *f)
{
	AUTO_ACS_GROUP struct acs_group g = { 0 };
	AUTO_BUF struct buf observed = { 0 };
	const char *source;
	enum iommu_state state = iommu_state(in->host, &source, &observed);
	int r;

	if (state != IOMMU_ON && machine_is_xen_control(in->host))
		return finding_na(f, "Xen makes no groups: pf.acs says what shares a path");
	if (state == IOMMU_OFF) {
		finding_note(f, source, NULL, "%s", buf_text(&observed));
		return finding_na(f, "there are no groups while no IOMMU is at work; pf.acs says "
				     "what they would be");
	}
	r = acs_group_read(in->host, in->pf->name, &g, NULL);
	if (r == -ENOENT && state == IOMMU_ON)
		return judge_without(in, f);
	if (r < 0) {
		finding_unread(f, in->host,
			       finding_path(f, PCIDEV_PATH "/%s/iommu_group", in->pf->name), r);
		return finding_unknown(f, "the function's group is not known");
	}
	return judge_group(in, f, &g);
}

static const struct check checks[] = {
	{
		.id = "pf.acs",
		.title = "every port from the function to the root isolates",
		.severity = SEVERITY_REQUIRED,
		.scope = SCOPE_PF,
		.run = run_acs,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Switch ACS on in firmware setup, or move the card to another slot.",
		.impact = "Below a port without ACS functions can reach each other past the IOMMU, "
			  "and the kernel puts them and all their VFs into one group.",
		.reference =
			"PCI Express Base Specification, 6.12 (Access Control Services); Linux "
			"drivers/pci/pci.c, pci_acs_path_enabled()",
	},
	{
		.id = "pf.iommu_group",
		.title = "the function's group, and its VFs', hold nothing that must be shared",
		.severity = SEVERITY_REQUIRED,
		.scope = SCOPE_PF,
		.run = run_group,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Give the card a path that isolates.",
		.impact =
			"VFIO gives away a group as a whole: a VF that shares its group cannot be "
			"given to a guest.",
		.reference =
			"Linux Documentation/driver-api/vfio.rst, Groups, Devices, and IOMMUs; "
			"drivers/iommu/iommu.c, pci_device_group()",
	},
};
CHECK_GROUP(pf_isolation_checks, checks);
