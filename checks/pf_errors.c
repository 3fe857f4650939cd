/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: errors of PCI Express on its path. */
#include "areas.h"
#include "pf_subject.h"

#include <sriovctl/aer.h>
#include <sriovctl/buf.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pciconf_path.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pcitree.h>

#include <errno.h>
#include <inttypes.h>

#define UPTIME_PATH	"/proc/uptime"
#define AER_DRIVER_PATH "/sys/bus/pci_express/drivers/aer"
#define DAY		86400

/* One function of the path. */
struct node {
	const char *bdf;
	int counted_error; /* of @counted, as aer_read() */
	struct aer counted;
	int registers_error; /* of @registers, as pciconf_aer() */
	struct pciconf_aer registers;
};

/* The first of each kind; NULL: none. */
struct path {
	const char *uncorrectable, *growing, *many, *standing, *unread;
	int unread_error;
	size_t with_aer;
	bool handled; /* the kernel takes what the root port reports */
	uint64_t correctable;
};

static int read_registers(const struct host *h, const char *bdf, struct pciconf_aer *ret)
{
	const struct pciconf *c = NULL;
	int r = pf_subject_space(h, bdf, &c);

	return r < 0 ? r : pciconf_aer(c, ret);
}

/* Whole days since boot; false: not known. */
static bool read_days(const struct host *h, uint64_t *ret)
{
	AUTO_BUF struct buf text = { 0 };
	uint64_t seconds = 0;
	const char *p;

	if (host_attr(h, &text, NULL, UPTIME_PATH) < 0)
		return false;
	p = buf_text(&text);
	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9' && seconds < UINT32_MAX; p++)
		seconds = seconds * 10 + (uint64_t)(*p - '0');
	*ret = seconds / DAY;
	return true;
}

/* The service of a root port, "0000:00:03.0:pcie002" (drivers/pci/pcie/portdrv.c). */
static bool is_handled(const struct host *h, const char *root_port)
{
	return host_exists(h, AER_DRIVER_PATH "/%s:pcie002", root_port) == 0;
}

/* --- one function ------------------------------------------------------------------------ */

static void note_kinds(const struct check_input *in, struct finding *f, const struct node *n,
		       const char *which, uint64_t count)
{
	AUTO_BUF struct buf kinds = { 0 };

	if (count > 0)
		aer_kinds(in->host, n->bdf, which, &kinds);
	finding_note(f, finding_path(f, PCIDEV_PATH "/%s/aer_dev_%s", n->bdf, which),
		     count > 0 ? "0" : NULL, "%" PRIu64 "%s%s", count, kinds.len > 0 ? ": " : "",
		     finding_text(f, &kinds));
}

static void note_counted(const struct check_input *in, struct finding *f, const struct node *n)
{
	if (n->counted.fatal)
		note_kinds(in, f, n, "fatal", n->counted.fatal);
	if (n->counted.nonfatal)
		note_kinds(in, f, n, "nonfatal", n->counted.nonfatal);
	note_kinds(in, f, n, "correctable", n->counted.correctable);
}

static void note_registers(struct finding *f, const struct node *n)
{
	const char *source = finding_path(f, PCIDEV_PATH "/%s/config", n->bdf);
	AUTO_BUF struct buf names = { 0 };

	pciconf_aer_names(n->registers.uncorrectable, n->registers.correctable, &names);
	if (names.len > 0)
		finding_note(f, source, "no error", "AER status: %s", finding_text(f, &names));
	else
		finding_note(f, source, NULL, "AER status: no error");
}

/* Did it grow within the second look?  Not known counts as no here: more is asked of it then. */
static bool has_grown(const struct check_input *in, struct finding *f, const char *bdf)
{
	const struct aer_growth *g = NULL;
	const struct aer_grown *it =
		aer_growth_get(in->host, &g, NULL) == 0 ? aer_growth_find(g, bdf) : NULL;

	if (it)
		finding_note(f,
			     finding_path(f, PCIDEV_PATH "/%s/aer_dev_correctable, %d s later", bdf,
					  AER_SECONDS),
			     it->more ? "no more" : NULL, "%" PRIu64 " more", it->more);
	return it && it->more > 0;
}

/* No more than one a day, and one as the link came up. */
static bool is_many(const struct host *h, uint64_t count)
{
	uint64_t days = 0;

	return !read_days(h, &days) || count > days + 1;
}

static void weigh_counted(const struct check_input *in, struct finding *f, const struct node *n,
			  struct path *p)
{
	note_counted(in, f, n);
	if (n->counted.fatal || n->counted.nonfatal)
		p->uncorrectable = n->bdf;
	p->correctable += n->counted.correctable;
	if (n->counted.correctable == 0)
		return;
	if (has_grown(in, f, n->bdf))
		p->growing = n->bdf;
	else if (is_many(in->host, n->counted.correctable))
		p->many = n->bdf;
}

static void weigh(const struct check_input *in, struct finding *f, const struct node *n,
		  struct path *p)
{
	if (n->counted_error == 0)
		weigh_counted(in, f, n, p);
	if (n->registers_error == 0)
		note_registers(f, n);
	if (n->registers_error == 0 && n->registers.uncorrectable)
		p->uncorrectable = n->bdf;
	/* Who counts has cleared what it counted. */
	if (n->counted_error < 0 && n->registers_error == 0 && n->registers.correctable)
		p->standing = n->bdf;
	p->with_aer += n->counted_error == 0 || n->registers_error == 0;
	if (host_is_refusal(in->host, n->counted_error) && !p->unread) {
		p->unread = n->bdf;
		p->unread_error = n->counted_error;
	}
	/* Who takes what is reported clears the registers: then the count alone tells. */
	if (p->handled && n->counted_error < 0 && n->registers_error == 0 && !p->unread) {
		p->unread = n->bdf;
		p->unread_error = n->counted_error == -ENOENT ? -ENODATA : n->counted_error;
	}
	/* A count of none is an answer only where somebody would have counted. */
	if (n->registers_error < 0 && n->registers_error != -ENOENT &&
	    !(n->counted_error == 0 && p->handled) && !p->unread) {
		p->unread = n->bdf;
		p->unread_error = n->registers_error;
	}
}

static void look_at(const struct check_input *in, struct finding *f, const char *bdf,
		    struct path *p)
{
	struct node n = { .bdf = bdf };

	n.counted_error = aer_read(in->host, bdf, &n.counted, NULL);
	n.registers_error = read_registers(in->host, bdf, &n.registers);
	weigh(in, f, &n, p);
}

/* --- the path ------------------------------------------------------------------------------- */

static enum verdict unknown_growth(struct finding *f, const struct path *p)
{
	if (p->many) {
		finding_remedy(f,
			       "Read " PCIDEV_PATH "/%s/aer_dev_correctable again in an hour: it "
			       "should say the same.",
			       p->many);
		return finding_unknown(f,
				       "%s has counted correctable errors, more than one a day; "
				       "whether they still grow is not known",
				       p->many);
	}
	finding_remedy(f,
		       "Clear the status (setpci -s %s ECAP_AER+10.l=ffffffff) and look again in "
		       "an hour.",
		       p->standing);
	return finding_unknown(f,
			       "%s has seen correctable errors, which nobody counts: whether they "
			       "grow is not known",
			       p->standing);
}

static enum verdict unknown_errors(const struct host *h, struct finding *f, const struct path *p)
{
	pf_subject_unread_at(f, h, p->unread, p->unread_error);
	return finding_unknown(f, "whether %s has seen errors is not known", p->unread);
}

static enum verdict judge(const struct host *h, struct finding *f, const struct path *p)
{
	if (p->uncorrectable)
		return finding_fail(f, ACTOR_HARDWARE, "%s has seen uncorrectable errors",
				    p->uncorrectable);
	if (p->growing)
		return finding_fail(f, ACTOR_HARDWARE, "correctable errors of %s grow", p->growing);
	if (p->unread)
		return unknown_errors(h, f, p);
	if (p->with_aer == 0)
		return finding_na(f, "nothing on the path reports errors");
	if (p->many || p->standing)
		return unknown_growth(f, p);
	if (p->correctable > 0)
		return finding_pass(f,
				    "no uncorrectable errors; %" PRIu64
				    " correctable since boot, no more than one a day",
				    p->correctable);
	return finding_pass(f, "no error is counted, and none stands in a register");
}

static enum verdict run_aer(const struct check_input *in, struct finding *f)
{
	const struct pcitree_node *n = NULL, *root;
	struct path p = { 0 };

	if (pcitree_look(in->host, in->pf->name, &n, NULL) < 0) {
		finding_unread(f, in->host, PCIDEV_PATH, -ENODATA);
		return finding_unknown(f, "the path of the function is not known");
	}
	for (root = n; root->parent;)
		root = root->parent;
	p.handled = root != n && is_handled(in->host, root->name);
	if (root->parent_error != -ENOENT) {
		p.unread = root->name;
		p.unread_error = -ENODATA;
	}
	for (; n; n = n->parent)
		look_at(in, f, n->name, &p);
	return judge(in->host, f, &p);
}

static const struct check checks[] = {
	{
		.id = "pf.aer",
		.title = "no uncorrectable and no growing correctable errors on the path",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_PF,
		.run = run_aer,
		.actor = ACTOR_HARDWARE,
		.remedy = "Reseat the card, then try another slot and another card: the errors "
			  "stay with what is broken. The kernel's log has each of them.",
		.impact = "Errors cost bandwidth, reset the card with all its VFs, or stop the "
			  "machine.",
		.reference = "PCI Express Base Specification, 6.2 and 7.8.4; Linux "
			     "Documentation/PCI/pcieaer-howto.rst; "
			     "Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats",
	},
};
CHECK_GROUP(pf_errors_checks, checks);
