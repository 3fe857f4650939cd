/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/spec.h>

#include "spec_model.h"
#include "spec_value.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/json.h>
#include <sriovctl/macs.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void spec_where(const struct spec *s, const struct spec_place *at, struct buf *ret)
{
	struct json_place p = json_place(s->text, at->offset);

	buf_printf(ret, "%u:%u", p.line, p.column);
}

/* The keys of the document that an option stands for have other names than it. */
static const char *option_of(const char *key)
{
	static const char *const of_pf[] = { "match", "pci", "netdev", "permanent_mac" };

	for (size_t i = 0; i < ARRAY_SIZE(of_pf); i++)
		if (!key || strcmp(key, of_pf[i]) == 0)
			return "pf";
	return strcmp(key, "first") == 0 || strcmp(key, "policy") == 0 ? "mac" : key;
}

int spec_refuse(const struct spec *s, const struct spec_place *at, struct error *e, const char *fmt,
		...)
{
	AUTO_BUF struct buf text = { 0 };

	if (s->name) {
		buf_printf(&text, "%s:", s->name);
		spec_where(s, at, &text);
		buf_printf(&text, ": %s%s", at->key ? at->key : "", at->key ? ": " : "");
	} else {
		buf_printf(&text, "--%s: ", option_of(at->key));
	}
	BUF_FORMAT(&text, fmt);
	if (buf_error(&text) < 0)
		return error_nomem(e);
	return error_set(e, -EINVAL, "%s", buf_text(&text));
}

static int parse(const char *text, size_t len, const char *name, struct spec **ret, struct error *e)
{
	AUTO_SPEC struct spec *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return error_nomem(e);
	s->name = name ? strdup(name) : NULL;
	s->text = malloc(len + 1);
	if (!s->text || (name && !s->name))
		return error_nomem(e);
	memcpy(s->text, text, len);
	s->text[len] = '\0';
	r = spec_read(s, len, e);
	if (r < 0)
		return r;
	*ret = TAKE(s);
	return 0;
}

int spec_parse(const char *text, size_t len, const char *name, struct spec **ret, struct error *e)
{
	return parse(text, len, name, ret, e);
}

/* --- one function from options ------------------------------------------------------ */

static void set_number(struct json *j, const char *key, const char *text)
{
	uint64_t number;

	/* What is no number stays text, and is refused with what would be right. */
	if (text && parse_u64(text, 10, UINT32_MAX, &number) == 0)
		json_set_int(j, key, (int64_t)number);
	else if (text)
		json_set_str(j, key, text);
}

static void set_switch(struct json *j, const char *key, const char *text)
{
	if (text && (strcmp(text, "on") == 0 || strcmp(text, "off") == 0))
		json_set(j, key, json_bool(text[1] == 'n'));
	else if (text)
		json_set_str(j, key, text);
}

static void set_text(struct json *j, const char *key, const char *text)
{
	if (text)
		json_set_str(j, key, text);
}

static void set_count(struct json *j, const char *key, uint32_t count)
{
	if (count)
		json_set_int(j, key, count);
}

static struct json *match_json(const char *pf)
{
	struct json *j = json_object();
	uint64_t mac;

	if (macs_parse(pf, &mac) == 0)
		json_set_str(j, "permanent_mac", pf);
	else
		json_set_str(j, strchr(pf, ':') ? "pci" : "netdev", pf);
	return j;
}

static void set_mac(struct json *j, const char *mac)
{
	struct json *policy = mac ? json_object() : NULL;
	bool is_policy = false;

	if (!mac)
		return;
	/* A pool is given by its first address. */
	for (size_t i = 0; spec_policies[i]; i++)
		is_policy =
			is_policy || (i != SPEC_POLICY_POOL && strcmp(mac, spec_policies[i]) == 0);
	json_set_str(policy, "policy", is_policy ? mac : spec_policies[SPEC_POLICY_POOL]);
	if (!is_policy)
		json_set_str(policy, "first", mac);
	json_set(j, "mac", policy);
}

static struct json *document(const struct spec_line *line)
{
	struct json *root = json_object(), *pfs = json_array();
	struct json *pf = json_object(), *vf = json_object(), *all = json_object();

	json_set_int(root, "schema", 1);
	json_set(pf, "match", match_json(line->pf ? line->pf : ""));
	set_number(pf, "vfs", line->vfs);
	set_count(pf, "mtu", line->mtu);
	set_text(pf, "eswitch", line->eswitch);
	set_mac(pf, line->mac);
	set_number(all, "vlan", line->vlan);
	set_switch(all, "trust", line->trust);
	set_switch(all, "spoofchk", line->spoofchk);
	set_count(all, "queues", line->queues);
	set_text(all, "driver", line->driver);
	json_set(vf, "*", all);
	json_set(pf, "vf", vf);
	json_add(pfs, pf);
	json_set(root, "pfs", pfs);
	return root;
}

int spec_from_line(const struct spec_line *line, struct spec **ret, struct error *e)
{
	AUTO_JSON struct json *j = document(line);
	AUTO_BUF struct buf text = { 0 };
	int r = json_print(j, &text, e);

	return r < 0 ? r : parse(buf_text(&text), text.len, NULL, ret, e);
}

/* --- entries laid over each other --------------------------------------------------- */

void spec_overlay(const struct spec_pf *pf, uint32_t vf, struct spec_entry *ret)
{
	*ret = (struct spec_entry){ .first = vf, .last = vf };
	for (size_t i = 0; i < pf->n_entries; i++) {
		const struct spec_entry *entry = &pf->entries[i];

		if (vf < entry->first || vf > entry->last)
			continue;
		for (enum spec_key k = 0; k < SPEC_KEYS; k++)
			if (entry->values[k].is_set)
				ret->values[k] = entry->values[k];
		if (entry->values[SPEC_DRIVER].is_set)
			memcpy(ret->driver, entry->driver, sizeof(ret->driver));
		if (entry->values[SPEC_NAME].is_set)
			memcpy(ret->name, entry->name, sizeof(ret->name));
		ret->required |= entry->required;
	}
}

int spec_judge(const struct spec *s, const struct spec_entry *entry, struct error *e)
{
	static const enum spec_key of_vlan[] = { SPEC_VLAN_PROTO, SPEC_QOS };
	const struct spec_value *v = entry->values;

	for (size_t i = 0; i < ARRAY_SIZE(of_vlan); i++)
		if (v[of_vlan[i]].is_set && !v[SPEC_VLAN].is_set)
			return spec_refuse(s, &v[of_vlan[i]].at, e, "VF %u has no \"vlan\"",
					   entry->first);
	/* A max_rate of 0 is none. */
	if (v[SPEC_MIN_RATE].is_set && v[SPEC_MAX_RATE].is_set && v[SPEC_MAX_RATE].number != 0 &&
	    v[SPEC_MIN_RATE].number > v[SPEC_MAX_RATE].number)
		return spec_refuse(s, &v[SPEC_MIN_RATE].at, e,
				   "above the max_rate of VF %u, which is %llu", entry->first,
				   (unsigned long long)v[SPEC_MAX_RATE].number);
	return 0;
}

int spec_within(const struct spec *s, const struct spec_pf *pf, uint32_t count, struct error *e)
{
	for (size_t i = 0; i < pf->n_entries; i++) {
		const struct spec_entry *entry = &pf->entries[i];

		if (entry->is_all || entry->last < count)
			continue;
		if (count == 0)
			return spec_refuse(s, &entry->at, e, "there is no VF %u: none is wanted",
					   entry->last);
		return spec_refuse(s, &entry->at, e, "there is no VF %u: the last is %u",
				   entry->last, count - 1);
	}
	return 0;
}

/* --- what it asks of a host --------------------------------------------------------- */

size_t spec_count(const struct spec *s)
{
	return s->n;
}

uint32_t spec_queues(const struct spec_pf *pf)
{
	uint32_t most = 0;

	for (size_t k = 0; k < pf->n_entries; k++) {
		const struct spec_value *queues = &pf->entries[k].values[SPEC_QUEUES];

		if (queues->is_set && queues->number > most)
			most = (uint32_t)queues->number;
	}
	return most;
}

bool spec_vf_driver(const struct spec *s, size_t i, uint32_t vf, char *ret)
{
	struct spec_entry all;

	spec_overlay(&s->pfs[i], vf, &all);
	if (!all.values[SPEC_DRIVER].is_set ||
	    all.values[SPEC_DRIVER].number == SPEC_DRIVER_DEFAULT)
		return false;
	memset(ret, 0, SETTING_NAME_MAX);
	if (all.values[SPEC_DRIVER].number == SPEC_DRIVER_NAMED)
		memcpy(ret, all.driver, sizeof(all.driver));
	return true;
}

static bool wants_vfio(const struct spec_pf *pf)
{
	for (size_t i = 0; i < pf->n_entries; i++)
		if (parse_has_prefix(pf->entries[i].driver, "vfio"))
			return true;
	return false;
}

int spec_preflight(const struct spec *s, struct strv *ret_ids)
{
	static const char *const always[] = {
		"kernel.sriov", "pf.sriov_capability", "pf.driver",
		"pf.vf_mmio",	"pf.vf_bus",	       "pf.vf_count"
	};
	/* Without remapped interrupts a guest that has a VF can attack the host with them. */
	static const char *const of_vfio[] = { "iommu.active", "irq.remapping", "vfio.available",
					       "vfio.safe", "pf.iommu_group" };
	bool vfs = false, queues = false, vfio = false;
	int r = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct spec_pf *pf = &s->pfs[i];

		vfs = vfs || !pf->vfs.is_set || pf->max_vfs || pf->vfs.number > 0;
		queues = queues || spec_queues(pf) > 0;
		vfio = vfio || wants_vfio(pf);
	}
	for (size_t i = 0; r == 0 && vfs && i < ARRAY_SIZE(always); i++)
		r = strv_add(ret_ids, always[i]);
	if (r == 0 && vfs && queues)
		r = strv_add(ret_ids, "pf.msix");
	for (size_t i = 0; r == 0 && vfs && vfio && i < ARRAY_SIZE(of_vfio); i++)
		r = strv_add(ret_ids, of_vfio[i]);
	return r;
}

void spec_pf_done(struct spec_pf *pf)
{
	free(pf->target.pci);
	free(pf->target.slot);
	free(pf->target.netdev);
	free(pf->entries);
}

void spec_free(struct spec *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		spec_pf_done(&s->pfs[i]);
	free(s->pfs);
	free(s->name);
	free(s->text);
	free(s);
}

void spec_free_p(struct spec **s)
{
	spec_free(*s);
}
