/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/spec.h>

#include "spec_model.h"
#include "spec_value.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/json.h>
#include <sriovctl/macs.h>
#include <sriovctl/parse.h>
#include <sriovctl/pfstate.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static bool is_known(const struct setting_value *v)
{
	return v->state == SETTING_KNOWN;
}

static bool is_within(uint64_t number, enum spec_key k)
{
	return number >= spec_rules[k].min && number <= spec_rules[k].max;
}

static void set_number(struct json *j, enum spec_key k, uint64_t number)
{
	if (is_within(number, k))
		json_set_int(j, spec_rules[k].name, (int64_t)number);
}

static void set_mac(struct json *j, const char *key, uint64_t mac)
{
	AUTO_BUF struct buf text = { 0 };

	macs_print(mac, &text);
	json_set(j, key, buf_error(&text) < 0 ? NULL : json_str(buf_text(&text)));
}

/* What is no object is one where memory ran out, which has to be told. */
static void set_unless_empty(struct json *parent, const char *key, struct json *j)
{
	if (json_is_object(j) && !json_first(j))
		json_free(j);
	else
		json_set(parent, key, j);
}

/* --- settings of a VF ------------------------------------------------------------------- */

static void set_vlan(struct json *j, uint64_t vlan)
{
	uint64_t word = 0;

	while (word < SPEC_PROTOS && spec_proto(word) != SETTING_VLAN_PROTO(vlan))
		word++;
	if (SETTING_VLAN_ID(vlan) == 0 && SETTING_VLAN_QOS(vlan) == 0)
		word = 0;
	/* What no spec can ask for is not asked for. */
	if (word == SPEC_PROTOS || !is_within(SETTING_VLAN_ID(vlan), SPEC_VLAN) ||
	    !is_within(SETTING_VLAN_QOS(vlan), SPEC_QOS))
		return;
	set_number(j, SPEC_VLAN, SETTING_VLAN_ID(vlan));
	if (word)
		json_set_str(j, spec_rules[SPEC_VLAN_PROTO].name,
			     spec_rules[SPEC_VLAN_PROTO].words[word]);
	if (SETTING_VLAN_QOS(vlan))
		set_number(j, SPEC_QOS, SETTING_VLAN_QOS(vlan));
}

/* What is bound by an override is asked for; what the kernel chose is left to it. */
static void set_driver(struct json *j, const struct pfstate_vf *vf)
{
	const struct setting_value *driver = &vf->set[SETTING_DRIVER];
	const struct setting_value *override = &vf->set[SETTING_OVERRIDE];
	const char *name = driver->name[0] ? driver->name : "none";

	if (is_known(driver) && driver->name[0] && is_known(override) && !override->name[0])
		name = "default";
	if (is_known(driver))
		json_set_str(j, spec_rules[SPEC_DRIVER].name, name);
}

static void set_one(struct json *j, const struct pfstate_vf *vf, enum setting s)
{
	const struct setting_value *v = &vf->set[s];

	for (enum spec_key k = 0; k < SPEC_KEYS; k++) {
		const struct spec_rule *rule = &spec_rules[k];

		if (rule->setting != s)
			continue;
		if (rule->kind == SPEC_IS_SWITCH)
			json_set(j, rule->name, json_bool(v->number != 0));
		else if (rule->kind == SPEC_IS_WORD && v->number < SPEC_LINK_STATES)
			json_set_str(j, rule->name, rule->words[v->number]);
		else if (rule->kind == SPEC_IS_NUMBER)
			set_number(j, k, v->number);
		return;
	}
}

static void set_setting(struct json *j, const struct pfstate_vf *vf, enum setting s)
{
	const struct setting_value *v = &vf->set[s];

	if (s == SETTING_DRIVER) {
		set_driver(j, vf);
	} else if (!is_known(v)) {
		return;
	} else if (s == SETTING_MAC) {
		if (v->number)
			set_mac(j, spec_rules[SPEC_MAC].name, v->number);
	} else if (s == SETTING_VLAN) {
		set_vlan(j, v->number);
	} else if (s == SETTING_RATE) {
		set_number(j, SPEC_MIN_RATE, SETTING_RATE_MIN(v->number));
		set_number(j, SPEC_MAX_RATE, SETTING_RATE_MAX(v->number));
	} else {
		set_one(j, vf, s);
	}
}

/* Of those whose number is the driver's choice there is nothing to ask for. */
static bool is_asked_for(const struct pfstate *pf, enum setting s)
{
	/* A name is what udev made of it, unless a spec said another. */
	if (s == SETTING_OVERRIDE || s == SETTING_VF_NAME)
		return false;
	return s != SETTING_QUEUES || pf->queues == PFSTATE_QUEUES_MSIX ||
	       pf->queues == PFSTATE_QUEUES_CHANNELS || pf->queues == PFSTATE_QUEUES_NVME;
}

/* Is it the same of all VFs, so that "*" says it? */
static bool is_common(const struct pfstate *pf, enum setting s)
{
	for (size_t i = 1; s != SETTING_MAC && i < pf->n_vfs; i++) {
		const struct setting_value *a = pf->vfs[0].set, *b = pf->vfs[i].set;

		if (!setting_equal(s, &a[s], &b[s]) ||
		    (s == SETTING_DRIVER &&
		     !setting_equal(SETTING_OVERRIDE, &a[SETTING_OVERRIDE], &b[SETTING_OVERRIDE])))
			return false;
	}
	return s != SETTING_MAC && pf->n_vfs > 1;
}

static void add_settings(struct json *vfs, const char *name, const struct pfstate *pf,
			 const struct pfstate_vf *vf, bool common)
{
	struct json *j = json_object();

	for (enum setting s = SETTING_PF_END; s < SETTING_END; s++)
		if (is_asked_for(pf, s) && is_common(pf, s) == common)
			set_setting(j, vf, s);
	set_unless_empty(vfs, name, j);
}

static void add_vfs(struct json *pf_json, const struct pfstate *pf)
{
	struct json *vfs = json_object();

	if (pf->n_vfs > 0)
		add_settings(vfs, "*", pf, &pf->vfs[0], true);
	for (size_t i = 0; i < pf->n_vfs; i++) {
		AUTO_BUF struct buf name = { 0 };

		buf_printf(&name, "%zu", i);
		if (buf_error(&name) < 0)
			json_set(vfs, "", NULL);
		else
			add_settings(vfs, buf_text(&name), pf, &pf->vfs[i], false);
	}
	set_unless_empty(pf_json, "vf", vfs);
}

/* --- a function ------------------------------------------------------------------------- */

/* Addresses stay as they are where none is set, or it is not known. */
static void add_policy(struct json *pf_json, const struct pfstate *pf)
{
	enum spec_policy policy = SPEC_POLICY_KEEP;
	size_t left = 0;
	struct json *j;

	for (size_t i = 0; i < pf->n_vfs; i++) {
		const struct setting_value *v = &pf->vfs[i].set[SETTING_MAC];

		left += !is_known(v) || v->number == 0;
		if (is_known(v) && v->number == 0)
			policy = SPEC_POLICY_NONE;
	}
	for (size_t i = 0; i < pf->n_vfs; i++)
		if (!is_known(&pf->vfs[i].set[SETTING_MAC]))
			policy = SPEC_POLICY_KEEP;
	if (!pf->is_network || left == 0)
		return;
	j = json_object();
	json_set_str(j, "policy", spec_policies[policy]);
	json_set(pf_json, "mac", j);
}

/* Some cards have one address for all their functions. */
static bool has_own_address(const struct pfstates *all, const struct pfstate *pf)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += all->items[i].permanent_mac == pf->permanent_mac;
	return pf->permanent_mac && !macs_is_multicast(pf->permanent_mac) && n == 1;
}

static void add_match(struct json *pf_json, const struct pfstates *all, const struct pfstate *pf)
{
	struct json *j = json_object();
	struct bdf bdf;

	if (has_own_address(all, pf))
		set_mac(j, "permanent_mac", pf->permanent_mac);
	else if (parse_bdf(pf->bdf, &bdf) == 0 || !pf->netdev)
		json_set_str(j, "pci", pf->bdf);
	else
		json_set_str(j, "netdev", pf->netdev);
	json_set(pf_json, "match", j);
}

static struct json *pf_json(const struct pfstates *all, const struct pfstate *pf)
{
	const struct setting_value *set = pf->set;
	struct json *j = json_object();

	add_match(j, all, pf);
	json_set_int(j, "vfs",
		     is_known(&set[SETTING_VFS]) ? (int64_t)set[SETTING_VFS].number
						 : (int64_t)pf->n_vfs);
	if (is_known(&set[SETTING_MTU]) && set[SETTING_MTU].number >= SPEC_MTU_MIN &&
	    set[SETTING_MTU].number <= SPEC_MTU_MAX)
		json_set_int(j, "mtu", (int64_t)set[SETTING_MTU].number);
	if (is_known(&set[SETTING_ESWITCH]) && set[SETTING_ESWITCH].number < SPEC_MODES)
		json_set_str(j, "eswitch", spec_modes[set[SETTING_ESWITCH].number]);
	add_policy(j, pf);
	add_vfs(j, pf);
	return j;
}

int spec_print(const struct pfstates *is, struct buf *ret, struct error *e)
{
	AUTO_JSON struct json *root = json_object();
	struct json *pfs = json_array();

	json_set_int(root, "schema", 1);
	for (size_t i = 0; i < is->n; i++)
		json_add(pfs, pf_json(is, &is->items[i]));
	json_set(root, "pfs", pfs);
	return json_print(root, ret, e);
}
