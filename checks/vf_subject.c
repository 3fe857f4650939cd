/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vf_subject.h"

#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/pcidev.h>

#include <errno.h>
#include <string.h>

const char *vf_subject_pf(const struct vf *vf)
{
	return vf->state->netdev ? vf->state->netdev : vf->state->bdf;
}

const char *vf_subject_source(const struct vf *vf, struct finding *f)
{
	if (!vf->pf)
		return finding_path(f, PCIDEV_PATH "/%s", vf->dev->name);
	return finding_path(f, "VF %u of %s", vf->index, vf_subject_pf(vf));
}

enum verdict vf_subject_unknown(const struct check_input *in, const struct setting_value *v,
				const char *what, struct finding *f)
{
	const char *source = finding_path(f, "rtnetlink, VFs of %s", vf_subject_pf(in->vf));
	const char *why =
		v->error == -EREMOTE || v->error == -ENODEV
			? "its physical function has no interface in this network namespace"
			: links_why(v->error);

	if (v->error == -ENOMEM)
		return finding_nomem(f);
	if (host_is_partial(in->host)) {
		finding_note(f, source, NULL, "not captured");
		finding_remedy(f, "Capture the host with \"sriovctl capture\": a copy of its files "
				  "has no answers of rtnetlink.");
	} else if (v->error == -ENOMEDIUM || v->error == -ETIMEDOUT) {
		finding_unread(f, in->host, source, v->error);
	} else {
		finding_note(f, source, NULL, "%s", why);
		finding_remedy(f,
			       "Bring the interfaces of the physical functions into this network "
			       "namespace, end what changes their VFs, and check again.");
	}
	return finding_unknown(f, "%s is not known", what);
}

bool vf_subject_is_lost(const struct check_input *in, struct finding *f)
{
	const char *path = finding_path(f, PCIDEV_PATH "/%s/physfn", in->vf->dev->name);
	int r = in->vf->pf ? 0 : host_exists(in->host, "%s", path);

	if (r == 0 || r == -ENOENT)
		return false;
	finding_unread(f, in->host, path, r);
	return true;
}

static enum verdict unknown_class(const struct check_input *in, struct finding *f)
{
	finding_unread(f, in->host, finding_path(f, PCIDEV_PATH "/%s/class", in->vf->pf->name),
		       in->vf->pf->class_error);
	return finding_unknown(f, "whether it is a network function is not known");
}

bool vf_subject_lacks(const struct check_input *in, enum setting s, struct finding *f,
		      enum verdict *ret)
{
	const struct vf *vf = in->vf;
	const struct setting_value *v = vf->set ? &vf->set->set[s] : NULL;

	if (!v && vf_subject_is_lost(in, f))
		*ret = finding_unknown(f, "of which physical function it is is not known");
	else if (!v)
		*ret = finding_na(f, "its physical function, which sets that, is on another host");
	else if (vf->pf->class_error < 0)
		*ret = unknown_class(in, f);
	else if (!vf->state->is_network)
		*ret = finding_na(f, "no network function: it has no such setting");
	else if (v->state == SETTING_UNSUPPORTED)
		*ret = finding_na(f,
				  "the driver of its physical function tells of no such setting");
	else if (v->state == SETTING_UNKNOWN)
		*ret = vf_subject_unknown(in, v, "what its physical function has set", f);
	else
		return false;
	return true;
}

void vf_subject_provision(const struct vf *vf, const char *options, const char *what,
			  struct finding *f)
{
	if (options)
		finding_remedy(f, "Run sriovctl provision --pf %s --vfs %zu %s.", vf_subject_pf(vf),
			       vf->state->n_vfs, options);
	else
		finding_remedy(f,
			       "Put %s into what \"sriovctl list --spec %s\" prints, and give "
			       "that to sriovctl provision -f.",
			       what, vf_subject_pf(vf));
}

bool vf_subject_any_has(const struct vf *vf, enum setting s)
{
	for (size_t i = 0; i < vf->state->n_vfs; i++) {
		const struct setting_value *v = &vf->state->vfs[i].set[s];

		if (v->state != SETTING_KNOWN || v->number != 0 || *v->name)
			return true;
	}
	return false;
}
