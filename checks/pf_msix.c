/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each physical function: interrupts of its own for every queue, its VFs' too. */
#include "areas.h"
#include "pf_subject.h"

#include <sriovctl/buf.h>
#include <sriovctl/capacity.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/klog.h>
#include <sriovctl/parse.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define MSIX_SOURCE "MSI-X capability"
#define IFF_UP	    0x1 /* include/uapi/linux/if.h */

/* --- the VFs ---------------------------------------------------------------------- */

static enum verdict pass_with_vfs(const struct capacity_msix *m, struct finding *f)
{
	return finding_pass(f, "PF and VFs have MSI-X, every VF at least %u vector%s", m->least,
			    m->least == 1 ? "" : "s");
}

static enum verdict judge_wanted(const struct check_input *in, const struct capacity_msix *m,
				 struct finding *f)
{
	if (m->seen == 0) {
		finding_remedy(f, "Make one VF and check again: its vectors show only then.");
		return finding_unknown(
			f, "whether a VF has %" PRIu32 " vectors shows once it exists", in->queues);
	}
	if (m->least < in->queues) {
		finding_remedy(f, "Ask for fewer VFs or fewer queues; mlx5 and ice take a number "
				  "in sriov_vf_msix_count of a VF without a driver.");
		return finding_fail(f, ACTOR_NIC, "%s has %u vectors, %" PRIu32 " are wanted",
				    m->vf, m->least, in->queues);
	}
	return pass_with_vfs(m, f);
}

static void note_unread(const struct check_input *in, const struct capacity_msix *m,
			struct finding *f)
{
	finding_note(f, "MSI-X of the VFs", NULL, "%s", pciconf_why(m->error));
	finding_remedy(f, m->error == -EAGAIN ? "Check again while the VFs are used: those that "
						"nobody has open sleep."
			  : host_is_partial(in->host)
				  ? "Capture the host again, as root, with the config files of all "
				    "its PCI functions."
				  : "Run the check as root.");
}

static bool is_off(const struct pf *pf)
{
	return pf->msix_error == 0 && !pf->msix.enabled;
}

static enum verdict judge_vfs(const struct check_input *in, const struct pf *pf, struct finding *f)
{
	AUTO_CAPACITY_MSIX struct capacity_msix m = { 0 };

	if (capacity_msix_read(in->host, pf, &m, NULL) < 0)
		return finding_nomem(f);
	if (m.seen > 0)
		finding_note(f, m.vf, "MSI-X", "%u vectors, the fewest of %" PRIu32 " VFs", m.least,
			     m.seen);
	if (m.seen > 0 && m.least == 0)
		return finding_fail(f, ACTOR_NIC, "the VF %s has no MSI-X capability", m.vf);
	if (m.error)
		note_unread(in, &m, f);
	if (in->queues)
		return m.error && (m.seen == 0 || m.least >= in->queues)
			       ? finding_unknown(f, "the vectors of some VFs are not known")
			       : judge_wanted(in, &m, f);
	/* They have a driver that waits for users, vfio-pci mostly, and are as good as not made. */
	if (m.error == -EAGAIN && !is_off(pf))
		return finding_pass(f, "MSI-X is enabled; that of VFs that sleep shows once they "
				       "are used");
	if (m.error)
		return finding_unknown(f, m.seen ? "the vectors of some VFs are not known"
						 : "the vectors of the VFs are not known");
	if (m.seen == 0)
		return finding_pass(f, "MSI-X is enabled; that of the VFs shows once they exist");
	return pass_with_vfs(&m, f);
}

/* --- the function itself ------------------------------------------------------------ */

/* Which interrupts the function runs on, and when, is then up to a guest. */
static bool is_handed_over(const struct pf *pf)
{
	return pf->dev->driver_error == 0 && strstr(pf->dev->driver, "vfio");
}

/* A network function all of whose interfaces are down: 1, 0, or a negative errno. */
static int is_down(const struct host *h, const struct pf *pf)
{
	AUTO_STRV struct strv names = { 0 };
	uint64_t flags = 0;
	int r = host_list(h, &names, NULL, PCIDEV_PATH "/%s/net", pf->dev->name);

	for (size_t i = 0; r == 0 && i < names.n; i++) {
		r = host_attr_u64(h, 16, &flags, NULL, PCIDEV_PATH "/%s/net/%s/flags",
				  pf->dev->name, names.items[i]);
		if (r == 0 && (flags & IFF_UP))
			return 0;
	}
	return r < 0 ? r : names.n > 0;
}

/* Vectors there are, and nobody has them on: what they would come to is not seen yet. */
static enum verdict judge_idle(const struct check_input *in, const struct pf *pf, const char *state,
			       struct finding *f)
{
	if (in->queues > pf->msix.table_size)
		finding_note(f, MSIX_SOURCE, NULL, "fewer than the %" PRIu32 " wanted of a VF",
			     in->queues);
	return finding_unknown(f, "%s: by its capability the function has %u vectors", state,
			       pf->msix.table_size);
}

static enum verdict judge_disabled(const struct check_input *in, const struct pf *pf,
				   struct finding *f)
{
	int r = pf->dev->driver_error;

	if (r == -ENOENT) {
		finding_follows(f, "pf.driver");
		if (in->queues > pf->msix.table_size)
			return judge_idle(in, pf, "no driver is bound", f);
		finding_remedy(f, "Bind a driver: see pf.driver.");
		return finding_fail(f, ACTOR_OS,
				    "no driver is bound that would have MSI-X on: by its "
				    "capability the function has %u vectors",
				    pf->msix.table_size);
	}
	if (r < 0)
		return judge_idle(in, pf, "MSI-X is off, and whether a driver is bound not known",
				  f);
	if (is_down(in->host, pf) > 0) {
		finding_remedy(f, "Bring the interface up and check again.");
		return judge_idle(in, pf, "the interface is down and MSI-X off", f);
	}
	finding_remedy(f,
		       "Read what %s logged when it took the function; look for pci=nomsi and "
		       "for a driver option that has MSI-X off.",
		       pf->dev->driver);
	return finding_fail(f, ACTOR_OS, "%s is bound and MSI-X is off: it runs on INTx or MSI",
			    pf->dev->driver);
}

/* Its vectors are switched by whom it is held for, and say nothing while he leaves them off. */
static enum verdict judge_handed_over(const struct check_input *in, const struct pf *pf,
				      struct finding *f)
{
	if (in->pf->numvfs > 0 || in->queues || (pf->msix.enabled && !pf->msix.masked))
		return judge_vfs(in, pf, f);
	finding_remedy(f, "Check again while the guest or program that %s holds it for has it.",
		       pf->dev->driver);
	return judge_idle(in, pf, "nobody has the vectors on that it is held for", f);
}

static enum verdict judge_registers(const struct check_input *in, const struct pf *pf,
				    struct finding *f)
{
	if (pf->msix.table_size > 0)
		finding_note(f, MSIX_SOURCE, "enabled, not masked", "%u vectors, %s%s",
			     pf->msix.table_size, pf->msix.enabled ? "enabled" : "off",
			     pf->msix.masked ? ", masked" : "");
	else
		finding_note(f, MSIX_SOURCE, "enabled, not masked", "%s",
			     pf->msix.enabled ? "enabled" : "off");
	if (is_handed_over(pf))
		return judge_handed_over(in, pf, f);
	if (!pf->msix.enabled)
		return judge_disabled(in, pf, f);
	if (pf->msix.masked) {
		finding_remedy(f, "Bind the driver anew; a function that was left masked raises no "
				  "interrupt.");
		return finding_fail(f, ACTOR_OS, "MSI-X is enabled, and every vector masked");
	}
	return judge_vfs(in, pf, f);
}

/* Vectors that the kernel gave out: their number of each kind (msi_irqs). */
static int count_irqs(const struct host *h, const struct pf *pf, unsigned *ret_msix,
		      unsigned *ret_msi)
{
	AUTO_STRV struct strv names = { 0 };
	int r = host_list(h, &names, NULL, PCIDEV_PATH "/%s/msi_irqs", pf->dev->name);

	*ret_msix = *ret_msi = 0;
	for (size_t i = 0; i < names.n; i++) {
		AUTO_BUF struct buf kind = { 0 };

		r = host_attr(h, &kind, NULL, PCIDEV_PATH "/%s/msi_irqs/%s", pf->dev->name,
			      names.items[i]);
		if (r < 0)
			return r;
		*ret_msix += strcmp(buf_text(&kind), "msix") == 0;
		*ret_msi += strcmp(buf_text(&kind), "msi") == 0;
	}
	return r;
}

/* What drivers say that give up for want of vectors. */
static bool fails_by_log(const struct host *h, const struct pf *pf, struct finding *f)
{
	static const char *const lines[] = { "not enough device MSI-X vectors",
					     "MSI-X vector reservation failed",
					     "Failed to enable MSI-X vectors" };
	AUTO_BUF struct buf line = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (!klog_find(h, &line, "%s: %s", pf->dev->name, lines[i]))
			continue;
		finding_note(f, "kernel log", NULL, "%s", buf_text(&line));
		return true;
	}
	return false;
}

/* The capability cannot be read, but what the kernel made of it may show. */
static enum verdict judge_irqs(const struct check_input *in, const struct pf *pf, struct finding *f)
{
	unsigned msix, msi;
	int r = count_irqs(in->host, pf, &msix, &msi);

	if (r == 0 && msix + msi > 0) {
		finding_note(f, "msi_irqs", "msix", "%u of MSI-X, %u of MSI", msix, msi);
		if (msix > 0)
			return judge_vfs(in, pf, f);
		if (!is_handed_over(pf))
			return finding_fail(f, ACTOR_OS, "the function runs on MSI, not on MSI-X");
	}
	if (fails_by_log(in->host, pf, f))
		return finding_fail(f, ACTOR_NIC,
				    "the function has fewer vectors than its driver needs");
	pf_subject_unread(f, in->host, pf, pf->msix_error);
	return finding_unknown(f, "whether MSI-X is enabled is not known");
}

static enum verdict run_msix(const struct check_input *in, struct finding *f)
{
	enum verdict v;
	const struct pf *pf = pf_subject_get(in, f, &v);

	if (!pf)
		return v;
	if (pf->msix_error == 0)
		return judge_registers(in, pf, f);
	if (pf->msix_error != -ENOENT)
		return judge_irqs(in, pf, f);
	finding_note(f, MSIX_SOURCE, "present", "not in the list of capabilities");
	return finding_fail(f, ACTOR_HARDWARE, "the function has no MSI-X capability");
}

static const struct check checks[] = {
	{
		.id = "pf.msix",
		.title = "PF and VFs have MSI-X, enabled, with the vectors wanted",
		.severity = SEVERITY_REQUIRED,
		.scope = SCOPE_PF,
		.run = run_msix,
		.actor = ACTOR_NIC,
		.remedy = "Use a card whose functions have MSI-X.",
		.impact = "A VF has no INTx; without a vector per queue all traffic lands on one "
			  "CPU, and drivers refuse VFs.",
		.reference = "PCI Express Base Specification, 7.7.2 (MSI-X) and 9.3.4.1; Linux "
			     "Documentation/PCI/msi-howto.rst",
	},
};
CHECK_GROUP(pf_msix_checks, checks);
