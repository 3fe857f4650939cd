/* SPDX-License-Identifier: GPL-2.0-or-later */
/* VFs that exist: are they alone, safe to give away, and who uses them? */
#include "areas.h"
#include "pf_subject.h"
#include "vf_subject.h"

#include <sriovctl/acs.h>
#include <sriovctl/buf.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/iommu.h>
#include <sriovctl/machine.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>

#include <errno.h>
#include <inttypes.h>

/* --- vf.group ----------------------------------------------------------------------------- */

static void append_names(struct buf *b, const struct strv *names)
{
	const size_t most = 8;

	for (size_t i = 0; i < names->n && i < most; i++)
		buf_printf(b, "%s%s", b->len ? " " : "", names->items[i]);
	if (names->n > most)
		buf_printf(b, " and %zu more", names->n - most);
}

/* The port that made the group so is that of pf.acs. */
static enum verdict fail_shared(const struct check_input *in, struct finding *f)
{
	AUTO_ACS_PATH struct acs_path p = { 0 };
	bool is_port = in->pf && acs_path_read(in->host, in->pf->name, &p, NULL) == 0 &&
		       acs_path_blame(&p);

	finding_follows(f, is_port ? "pf.acs" : "pf.iommu_group");
	return finding_fail(
		f, ACTOR_FIRMWARE,
		"it shares its group, and can only be given away with all others in it");
}

static enum verdict judge_without_group(const struct check_input *in, struct finding *f)
{
	enum iommu_kind kind = iommu_kind(in->host);

	finding_note(f, finding_path(f, PCIDEV_PATH "/%s/iommu_group", in->vf->dev->name),
		     "a group", "absent");
	/* drivers/base/dd.c before 6.15: there a function joins when a driver takes it. */
	if (in->vf->dev->driver_error == -ENOENT && (kind == IOMMU_SMMU || kind == IOMMU_VIRTIO)) {
		finding_follows(f, "vf.driver");
		return finding_unknown(f, "it joins a group when a driver takes it");
	}
	finding_follows(f, "pf.iommu_group");
	return finding_fail(f, ACTOR_FIRMWARE, "it is in no group: no IOMMU translates its DMA");
}

static enum verdict judge_group(const struct check_input *in, const struct acs_group *g,
				struct finding *f)
{
	AUTO_BUF struct buf company = { 0 };
	const char *path = finding_path(f, IOMMU_GROUPS "/%s/devices", g->name);

	append_names(&company, &g->others);
	append_names(&company, &g->vfs);
	append_names(&company, &g->siblings);
	if (company.len > 0) {
		finding_note(f, path, "the VF alone", "besides: %s", finding_text(f, &company));
		return fail_shared(in, f);
	}
	if (!g->complete) {
		finding_unread(f, in->host, path, -ENODATA);
		return finding_unknown(f, "who else is in its group is not known");
	}
	finding_note(f, path, "the VF alone", "%s", in->vf->dev->name);
	return finding_pass(f, "alone in its group");
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
		return finding_na(f, "there are no groups while no IOMMU is at work");
	}
	r = acs_group_read(in->host, in->vf->dev->name, &g, NULL);
	if (r == -ENOENT && state == IOMMU_ON)
		return judge_without_group(in, f);
	if (r < 0) {
		finding_unread(f, in->host,
			       finding_path(f, PCIDEV_PATH "/%s/iommu_group", in->vf->dev->name),
			       r);
		return finding_unknown(f, "its group is not known");
	}
	return judge_group(in, &g, f);
}

/* --- vf.policy ---------------------------------------------------------------------------- */

static bool is_on(const struct pfstate_vf *vf, enum setting s)
{
	return vf->set[s].state == SETTING_KNOWN && vf->set[s].number != 0;
}

static bool has_vlan(const struct pfstate_vf *vf)
{
	return vf->set[SETTING_VLAN].state == SETTING_KNOWN &&
	       SETTING_VLAN_ID(vf->set[SETTING_VLAN].number) != 0;
}

/* Another VF of the same function that has one. */
static const struct pfstate_vf *find_vlan(const struct vf *vf)
{
	for (size_t i = 0; i < vf->state->n_vfs; i++)
		if (has_vlan(&vf->state->vfs[i]))
			return &vf->state->vfs[i];
	return NULL;
}

static enum verdict judge_trusted(const struct check_input *in, struct finding *f)
{
	const struct vf *vf = in->vf;
	const struct setting_value *spoofchk = &vf->set->set[SETTING_SPOOFCHK];
	const struct setting_value *vlan = &vf->set->set[SETTING_VLAN];
	const char *source = vf_subject_source(vf, f);
	const struct pfstate_vf *other;

	if (spoofchk->state == SETTING_KNOWN && spoofchk->number == 0) {
		finding_note(f, source, "one of them alone", "trust on, spoofchk off");
		vf_subject_provision(vf, NULL, "\"trust\": false, or \"spoofchk\": true, for them",
				     f);
		return finding_fail(f, ACTOR_OS,
				    "trusted and not checked for spoofing: its user can have any "
				    "address, and send as anybody");
	}
	other = vlan->state == SETTING_KNOWN && !has_vlan(vf->set) ? find_vlan(vf) : NULL;
	if (other) {
		finding_note(f, source, "trust off, or a VLAN", "trust on, vlan none");
		finding_note(f,
			     finding_path(f, "VF %zu of %s", (size_t)(other - vf->state->vfs),
					  vf_subject_pf(vf)),
			     NULL, "vlan %u", SETTING_VLAN_ID(other->set[SETTING_VLAN].number));
		vf_subject_provision(vf, NULL, "\"trust\": false, or a \"vlan\", for them", f);
		return finding_fail(f, ACTOR_OS,
				    "trusted and in no VLAN, while other VFs of its function are "
				    "in one: its user can enter those");
	}
	if (spoofchk->state == SETTING_UNKNOWN)
		return vf_subject_unknown(in, spoofchk, "whether it is checked for spoofing", f);
	if (spoofchk->state == SETTING_UNSUPPORTED) {
		finding_note(f, source, "trust off, or spoofchk on", "trust on, spoofchk not told");
		vf_subject_provision(vf, NULL, "\"trust\": false for them", f);
		return finding_unknown(f, "trusted; whether it is checked for spoofing the driver "
					  "of its function does not tell");
	}
	if (vlan->state == SETTING_UNKNOWN)
		return vf_subject_unknown(in, vlan, "its VLAN", f);
	finding_note(f, source, NULL, "trust on, spoofchk on, vlan %u",
		     SETTING_VLAN_ID(vlan->number));
	return finding_pass(f, "trusted, and nothing else of it makes that unsafe");
}

static enum verdict run_policy(const struct check_input *in, struct finding *f)
{
	enum verdict v;

	if (vf_subject_lacks(in, SETTING_TRUST, f, &v))
		return v;
	if (is_on(in->vf->set, SETTING_TRUST))
		return judge_trusted(in, f);
	finding_note(f, vf_subject_source(in->vf, f), NULL, "trust off");
	return finding_pass(f, "not trusted");
}

/* --- vf.queues ---------------------------------------------------------------------------- */

/* By its table of MSI-X vectors; @ret 0: it has none. */
static int count_vectors(const struct check_input *in, uint32_t *ret)
{
	const struct pciconf *c = NULL;
	struct pciconf_msix msix = { 0 };
	int r = pciconf_get(in->host, in->vf->dev->name, &c, NULL);

	if (r == 0)
		r = pciconf_msix(c, &msix);
	*ret = r == 0 ? msix.table_size : 0;
	return r == -ENOENT ? 0 : r;
}

static const char *how(const struct check_input *in)
{
	static const char *const texts[] = {
		[PFSTATE_QUEUES_UNKNOWN] = "how this driver's are changed is not known",
		[PFSTATE_QUEUES_FIXED] = "this driver has no way to change that",
		[PFSTATE_QUEUES_MSIX] = "its sriov_vf_msix_count, written while no driver has it, "
					"changes that",
		[PFSTATE_QUEUES_CHANNELS] = "ethtool -L of its own interface, by whoever has it, "
					    "changes that",
		[PFSTATE_QUEUES_TOTAL] = "by how many VFs there are",
		[PFSTATE_QUEUES_NVME] = "resources of virtualization management, given while it is "
					"offline, change that",
	};

	if (in->vf->state)
		return texts[in->vf->state->queues];
	return host_exists(in->host, PCIDEV_PATH "/%s/physfn", in->vf->dev->name) == -ENOENT
		       ? "its physical function, which gives them, is on another host"
		       : "which function gives them is not known";
}

static enum verdict run_queues(const struct check_input *in, struct finding *f)
{
	const struct setting_value *v = in->vf->set ? &in->vf->set->set[SETTING_QUEUES] : NULL;
	bool has_queues = v && v->state == SETTING_KNOWN;
	AUTO_BUF struct buf text = { 0 };
	uint32_t vectors = 0;
	int r = count_vectors(in, &vectors);

	if (r == -ENOMEM)
		return finding_nomem(f);
	if (r < 0 && !has_queues) {
		finding_unread(f, in->host,
			       finding_path(f, PCIDEV_PATH "/%s/config", in->vf->dev->name), r);
		return finding_unknown(f, "how many queues and vectors it has is not known; %s",
				       how(in));
	}
	if (has_queues)
		buf_printf(&text, "%" PRIu64 " queue%s", v->number, v->number == 1 ? "" : "s");
	if (r == 0)
		buf_printf(&text, "%s%u interrupt vector%s", has_queues ? ", " : "", vectors,
			   vectors == 1 ? "" : "s");
	finding_note(f, vf_subject_source(in->vf, f), NULL, "%s", finding_text(f, &text));
	return finding_pass(f, "%s; %s", buf_text(&text), how(in));
}

/* --- vf.in_use ---------------------------------------------------------------------------- */

static enum verdict run_in_use(const struct check_input *in, struct finding *f)
{
	const struct vf *vf = in->vf;
	const struct strv *users = vf->set ? &vf->set->holders : NULL;
	const char *source = vf_subject_source(vf, f);

	if (!users && vf_subject_is_lost(in, f))
		return finding_unknown(f, "whose VF it is is not known, nor who uses it");
	if (!users)
		return finding_na(f, "its physical function is on another host, and this one its "
				     "user");
	for (size_t i = 0; i < users->n; i++)
		finding_note(f, source, NULL, "%s", users->items[i]);
	if (vf->state->blind) {
		finding_note(f, "/proc", "all processes", "%s", vf->state->blind);
		finding_remedy(f, "Run the check as root on the host itself, outside of any "
				  "container.");
		return finding_unknown(f, users->n > 0 ? "who uses it is not known altogether"
						       : "whether anybody uses it is not known");
	}
	if (users->n > 0)
		return finding_pass(f, "in use: %s%s", users->items[0],
				    users->n > 1 ? ", and more" : "");
	finding_note(f, source, NULL, "no user");
	return finding_pass(f, "nobody uses it");
}

static const struct check checks[] = {
	{
		.id = "vf.group",
		.title = "the VF is alone in its IOMMU group",
		.severity = SEVERITY_REQUIRED,
		.scope = SCOPE_VF,
		.run = run_group,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Give the card a path that isolates.",
		.impact = "VFIO gives away a group as a whole, with all functions in it.",
		.reference = "Linux Documentation/driver-api/vfio.rst, Groups, Devices, and IOMMUs",
	},
	{
		.id = "vf.policy",
		.title = "no unsafe pair of settings: trust without checks, trust without a VLAN",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_VF,
		.needs = NEED_SETTINGS,
		.run = run_policy,
		.actor = ACTOR_OS,
		.remedy = "Take the trust away.",
		.impact = "The user of such a VF can listen to others, or send in their name.",
		.reference = "Linux include/uapi/linux/if_link.h, IFLA_VF_TRUST and "
			     "IFLA_VF_SPOOFCHK; ip-link(8)",
	},
	{
		.id = "vf.queues",
		.title = "queues and vectors of the VF, and how they can be changed",
		.severity = SEVERITY_INFO,
		.scope = SCOPE_VF,
		.run = run_queues,
		.actor = ACTOR_OS,
		.remedy = "Run the check as root.",
		.impact = "A guest with more CPUs than queues shares them.",
		.reference = "Linux Documentation/ABI/testing/sysfs-bus-pci, sriov_vf_msix_count; "
			     "ethtool(8), -L",
	},
	{
		.id = "vf.in_use",
		.title = "who uses the VF",
		.severity = SEVERITY_INFO,
		.scope = SCOPE_VF,
		.run = run_in_use,
		.actor = ACTOR_OS,
		.remedy = "Run the check as root.",
		.impact = "To take away a VF that is in use blocks the writer until it is let go.",
		.reference = "Linux drivers/vfio/vfio_main.c, vfio_unregister_group_dev()",
	},
};
CHECK_GROUP(vf_checks, checks);
