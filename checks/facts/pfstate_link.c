/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pfstate_read.h"

#include <sriovctl/host.h>
#include <sriovctl/links.h>

#include <errno.h>
#include <linux/if_ether.h>
#include <string.h>

void pfstate_set_number(struct setting_value *v, int error, uint64_t number)
{
	*v = (struct setting_value){ .state = SETTING_KNOWN, .number = number };
	if (error == -EOPNOTSUPP)
		*v = (struct setting_value){ .state = SETTING_UNSUPPORTED, .error = error };
	else if (error < 0)
		*v = (struct setting_value){ .state = SETTING_UNKNOWN, .error = error };
}

void pfstate_set_name(struct setting_value *v, int error, const char *name)
{
	size_t len = error == 0 ? strlen(name) : 0;

	if (len >= sizeof(v->name)) {
		error = -ENAMETOOLONG;
		len = 0;
	}
	pfstate_set_number(v, error == -ENOENT ? 0 : error, 0);
	memcpy(v->name, name, len);
}

char *pfstate_copy(const struct host *h, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		(void)host_nomem(h, NULL);
	return copy;
}

/* InfiniBand has addresses of 20 bytes, and its VFs have GUIDs in place of a MAC. */
static int mac_number(const struct links_address *a, uint64_t *ret)
{
	uint64_t number = 0;

	if (a->len != ETH_ALEN)
		return a->len == 0 ? -ENODATA : -EOPNOTSUPP;
	for (size_t i = 0; i < a->len; i++)
		number = number << 8 | a->bytes[i];
	*ret = number;
	return 0;
}

void pfstate_link_pf(const struct links_item *link, int error, struct pfstate *p)
{
	p->mac_error = link ? mac_number(&link->permanent, &p->permanent_mac) : error;
	if (p->mac_error == 0 && p->permanent_mac == 0)
		p->mac_error = -ENODATA;
	p->carrier = link && link->has_carrier;
	pfstate_set_number(&p->set[SETTING_UP], link ? 0 : error, link && link->is_up);
	pfstate_set_number(&p->set[SETTING_MTU],
			   !link	    ? error
			   : link->mtu == 0 ? -ENODATA
					    : 0,
			   link ? link->mtu : 0);
}

void pfstate_link_mtu(const struct links *links, int error, struct pfstate_vf *vf)
{
	const struct links_item *link = links && vf->netdev ? links_find(links, vf->netdev) : NULL;

	if (links && vf->netdev && !link)
		error = -EREMOTE;
	pfstate_set_number(&vf->set[SETTING_VF_MTU], link ? 0 : error, link ? link->mtu : 0);
	pfstate_set_name(&vf->set[SETTING_VF_NAME], link ? 0 : error, link ? link->name : "");
}

/* 0: the answer is about VFs 0 to N - 1, each once, which are those that there are. */
static int weigh(const struct links_item *link, size_t n)
{
	if (link->count_error < 0)
		return link->count_error;
	if (link->vfs_error < 0)
		return link->vfs_error;
	if (link->count != n)
		return -EBUSY;
	/* The driver has no way to tell of VFs: there is not even an empty list. */
	if (!link->vfs)
		return -EOPNOTSUPP;
	if (link->n_vfs != n)
		return -EAGAIN;
	for (size_t i = 0; i < n; i++)
		if (!links_find_vf(link, (uint32_t)i))
			return -EAGAIN;
	return 0;
}

static uint64_t vlan_number(const struct links_vf *vf)
{
	return SETTING_VLAN_OF(vf->vlan, vf->qos, vf->protocol ? vf->protocol : ETH_P_8021Q);
}

static void set_vf(const struct links_vf *l, struct setting_value *set)
{
	uint64_t mac = 0;
	int r = mac_number(&l->mac, &mac);

	pfstate_set_number(&set[SETTING_MAC], r, mac);
	pfstate_set_number(&set[SETTING_VLAN], l->vlan_error, vlan_number(l));
	pfstate_set_number(&set[SETTING_SPOOFCHK], l->spoofchk_error, l->spoofchk);
	pfstate_set_number(&set[SETTING_TRUST], l->trust_error, l->trust);
	pfstate_set_number(&set[SETTING_RATE], l->rate_error,
			   SETTING_RATE_OF(l->min_rate, l->max_rate));
	/* LINKS_VF_* count as IFLA_VF_LINK_STATE_* do.  A driver without shows automatic. */
	pfstate_set_number(&set[SETTING_LINK_STATE], l->state_error, l->state);
	pfstate_set_number(&set[SETTING_RSS_QUERY], l->rss_query_error, l->rss_query);
}

int pfstate_of_link(const struct links_item *link, uint32_t vf,
		    struct setting_value ret[SETTING_END])
{
	int r = weigh(link, link->count);

	if (r == 0 && vf >= link->count)
		r = -ENODEV;
	if (r == 0)
		set_vf(links_find_vf(link, vf), ret);
	return r;
}

void pfstate_link_vfs(const struct links_item *link, int error, struct pfstate *p)
{
	if (link)
		error = weigh(link, p->n_vfs);
	for (size_t i = 0; i < p->n_vfs; i++) {
		struct setting_value *set = p->vfs[i].set;

		if (error == 0)
			set_vf(links_find_vf(link, (uint32_t)i), set);
		for (int s = SETTING_MAC; error < 0 && s <= SETTING_RSS_QUERY; s++)
			pfstate_set_number(&set[s], error, 0);
	}
}
