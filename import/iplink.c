/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What "ip link" prints, with -d or without, of any version, as the kernel's answer of which it
 * was printed (Linux include/uapi/linux/if_link.h).  What was not printed is not in it.
 */
#include "import_impl.h"

#include <sriovctl/strv.h>

#include <errno.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string.h>

/* The question that the answer is for: all links, their VFs, no statistics. */
#define QUESTION   "0.9"
#define ADDRESS	   6
#define NAMES_MAX  15
#define LINKS_MAX  512
#define VFS_MAX	   200 /* with more the kernel's list may not be whole */
#define VF_UNKNOWN UINT32_MAX

struct link {
	struct ifinfomsg head;
	struct buf attributes, vfs, altnames;
	uint32_t n_vfs; /* VF_UNKNOWN: they are not 0 to n - 1 */
	const char *name;
	struct bdf at; /* of its device on PCI */
	bool has_at, is_stacked;
};

struct links {
	struct import *i;
	struct buf answer;
	struct link now;
	bool has_link;
	size_t n;
	/* To find the index of "master br0"; those that come later are not known yet. */
	struct strv names;
	uint32_t indices[LINKS_MAX];
};

/* --- attributes ----------------------------------------------------------------------------------
 */

static void put(struct buf *b, uint16_t type, const void *data, size_t len)
{
	static const char padding[NLA_ALIGNTO];
	const struct nlattr a = { .nla_type = type, .nla_len = (uint16_t)(NLA_HDRLEN + len) };

	if (len > UINT16_MAX - NLA_HDRLEN)
		return;
	buf_append(b, &a, sizeof(a));
	buf_append(b, data, len);
	buf_append(b, padding, NLA_ALIGN(len) - len);
}

static void put_u32(struct buf *b, uint16_t type, uint32_t value)
{
	put(b, type, &value, sizeof(value));
}

static void put_nested(struct buf *b, uint16_t type, const struct buf *inner)
{
	put(b, type, buf_text(inner), inner->len);
}

/* "02:00:00:00:00:44" */
static bool parse_address(const char *text, uint8_t ret[ADDRESS])
{
	uint64_t byte;

	for (unsigned i = 0; i < ADDRESS; i++) {
		const char *start = text;

		if (!text_hex(&text, 2, &byte) || text != start + 2 ||
		    (i + 1 < ADDRESS && *text++ != ':'))
			return false;
		ret[i] = (uint8_t)byte;
	}
	return true;
}

/* --- VFs
 * -------------------------------------------------------------------------------------------- */

static bool number_behind(const char *line, const char *word, uint64_t *ret)
{
	const char *p = text_behind(line, word);

	return p && text_decimal(&p, ret) && *ret <= UINT32_MAX;
}

static void put_switch(struct buf *b, const char *line, const char *word, uint16_t type,
		       uint32_t vf)
{
	const char *p = text_behind(line, word);
	/* The four switches have this in common (struct ifla_vf_spoofchk and others). */
	struct ifla_vf_spoofchk v = { .vf = vf };

	if (!p || (!text_after(p, "on") && !text_after(p, "off")))
		return;
	v.setting = text_after(p, "on") != NULL;
	put(b, type, &v, sizeof(v));
}

static void put_state(struct buf *b, const char *line, uint32_t vf)
{
	const char *p = text_behind(line, "link-state ");
	struct ifla_vf_link_state v = { .vf = vf };

	if (!p)
		return;
	if (text_after(p, "enable"))
		v.link_state = IFLA_VF_LINK_STATE_ENABLE;
	else if (text_after(p, "disable"))
		v.link_state = IFLA_VF_LINK_STATE_DISABLE;
	else if (text_after(p, "auto"))
		v.link_state = IFLA_VF_LINK_STATE_AUTO;
	else
		return;
	put(b, IFLA_VF_LINK_STATE, &v, sizeof(v));
}

/* No VLAN and no rate are what is not printed. */
static void put_numbers(struct buf *b, const char *line, uint32_t vf)
{
	struct ifla_vf_vlan vlan = { .vf = vf };
	struct ifla_vf_rate rate = { .vf = vf };
	uint64_t n;

	if (number_behind(line, "vlan ", &n))
		vlan.vlan = (uint32_t)n;
	if (number_behind(line, "qos ", &n))
		vlan.qos = (uint32_t)n;
	if (number_behind(line, "max_tx_rate ", &n) || number_behind(line, "tx rate ", &n))
		rate.max_tx_rate = (uint32_t)n;
	if (number_behind(line, "min_tx_rate ", &n))
		rate.min_tx_rate = (uint32_t)n;
	put(b, IFLA_VF_VLAN, &vlan, sizeof(vlan));
	put(b, IFLA_VF_RATE, &rate, sizeof(rate));
}

/* How each ends that has more than an address; others were cut, by a terminal or a person. */
static bool is_whole_vf(const char *line)
{
	static const char *const ends[] = {
		" on",	" off",	 "link-state auto", "link-state enable", "link-state disable",
		"Mbps", "(Mbps)"
	};
	size_t len = strlen(line);

	if (!strchr(line, ','))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t own = strlen(ends[i]);

		if (len > own && strcmp(line + len - own, ends[i]) == 0)
			return true;
	}
	return false;
}

/* "vf 0     link/ether 02:... brd ff:..., spoof checking on, ...", "vf 0 MAC 02:..., ..." */
static bool take_vf(struct link *l, const char *line)
{
	const char *p = text_after(line, "vf "), *mac;
	AUTO_BUF struct buf vf = { 0 };
	struct ifla_vf_mac v = { 0 };
	uint64_t n;

	if (!p || !text_decimal(&p, &n))
		return false;
	mac = text_behind(p, "link/ether ");
	if (!mac)
		mac = text_behind(p, "MAC ");
	if (!mac || !parse_address(mac, v.mac) || n != l->n_vfs || n >= VFS_MAX ||
	    !is_whole_vf(p)) {
		l->n_vfs = VF_UNKNOWN;
		return true;
	}
	v.vf = (uint32_t)n;
	put(&vf, IFLA_VF_MAC, &v, sizeof(v));
	put_numbers(&vf, p, v.vf);
	put_switch(&vf, p, "spoof checking ", IFLA_VF_SPOOFCHK, v.vf);
	put_switch(&vf, p, "trust ", IFLA_VF_TRUST, v.vf);
	put_switch(&vf, p, "query_rss ", IFLA_VF_RSS_QUERY_EN, v.vf);
	put_state(&vf, p, v.vf);
	if (buf_error(&vf) < 0)
		l->vfs.error = buf_error(&vf);
	put_nested(&l->vfs, IFLA_VF_INFO, &vf);
	l->n_vfs++;
	return true;
}

/* --- links
 * -------------------------------------------------------------------------------------------- */

static void learn_address(struct link *l, const char *name)
{
	if (!l->has_at && !l->is_stacked)
		l->has_at = text_interface_bdf(name, &l->at);
}

/* A function with VFs is one, whoever else tells of it; others have to be told of elsewhere. */
static void name_function(struct links *v, const struct link *l)
{
	struct functions *all = &v->i->functions;
	struct function *f = NULL;

	if (l->has_at)
		f = l->n_vfs > 0 ? functions_get(all, &l->at) : functions_find(all, &l->at);
	if (!f)
		return;
	functions_keep(all, &f->netdev, l->name, strlen(l->name));
	if (l->n_vfs > 0 && f->totalvfs_state == FUNCTION_UNKNOWN)
		f->totalvfs_state = FUNCTION_PRESENT;
	if (l->n_vfs != VF_UNKNOWN)
		f->told_vfs = (uint16_t)l->n_vfs;
}

static void finish(struct links *v)
{
	struct link *l = &v->now;
	struct nlmsghdr head = { .nlmsg_type = RTM_NEWLINK };

	if (!v->has_link)
		return;
	learn_address(l, l->name);
	name_function(v, l);
	/* Who asked for VFs was told how many; without any the kernel may have left that out. */
	if (l->n_vfs > 0 && l->n_vfs != VF_UNKNOWN) {
		put_u32(&l->attributes, IFLA_NUM_VF, l->n_vfs);
		put_nested(&l->attributes, IFLA_VFINFO_LIST, &l->vfs);
	}
	if (l->altnames.len > 0)
		put_nested(&l->attributes, IFLA_PROP_LIST, &l->altnames);
	head.nlmsg_len = (uint32_t)(NLMSG_HDRLEN + sizeof(l->head) + l->attributes.len);
	buf_append(&v->answer, &head, sizeof(head));
	buf_append(&v->answer, &l->head, sizeof(l->head));
	buf_append(&v->answer, buf_text(&l->attributes), l->attributes.len);
	buf_clear(&l->attributes);
	buf_clear(&l->vfs);
	buf_clear(&l->altnames);
	v->has_link = false;
	v->n++;
}

static uint32_t index_of(const struct links *v, const char *name, size_t len)
{
	for (size_t i = 0; i < v->names.n; i++)
		if (strlen(v->names.items[i]) == len && strncmp(v->names.items[i], name, len) == 0)
			return v->indices[i];
	return 0;
}

/* A master that was not printed before has an index all the same, of nobody here. */
static void put_master(struct links *v, const char *line)
{
	const char *p = text_behind(line, " master ");
	uint32_t index;

	if (!p)
		return;
	/* What ends with the line may have been cut there. */
	index = strchr(p, ' ') ? index_of(v, p, strcspn(p, " ")) : 0;
	put_u32(&v->now.attributes, IFLA_MASTER, index ? index : INT32_MAX);
}

static bool has_flag(const char *flags, const char *name)
{
	size_t len = strlen(name);
	const char *end = strchr(flags, '>');

	for (const char *p = flags; (p = strstr(p, name)) && end && p < end; p += len)
		if ((p[-1] == '<' || p[-1] == ',') && (p[len] == ',' || p[len] == '>'))
			return true;
	return false;
}

/* "193: ens802f0np0@eno1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq master br0 ..." */
static bool begin(struct links *v, const char *line)
{
	AUTO_FREE char *name = NULL;
	const char *p = line, *flags;
	struct link *l = &v->now;
	uint64_t index, mtu;
	uint8_t carrier;
	size_t len;

	if (!text_decimal(&p, &index) || index == 0 || index > INT32_MAX / 2 ||
	    !(p = text_after(p, ": ")))
		return false;
	len = strcspn(p, ":@ ");
	flags = strstr(p, ": <");
	if (len == 0 || len > NAMES_MAX || !flags || !strchr(flags, '>') || v->names.n == LINKS_MAX)
		return false;
	finish(v);
	name = strndup(p, len);
	if (!name || strv_add(&v->names, name) < 0) {
		v->i->error = -ENOMEM;
		return false;
	}
	v->indices[v->names.n - 1] = (uint32_t)index;
	v->has_link = true;
	l->n_vfs = 0;
	l->name = v->names.items[v->names.n - 1];
	l->has_at = false;
	l->is_stacked = p[len] == '@';
	l->head = (struct ifinfomsg){ .ifi_index = (int)index };
	if (has_flag(flags, "UP"))
		l->head.ifi_flags |= IFF_UP;
	carrier = has_flag(flags, "LOWER_UP");
	put(&l->attributes, IFLA_IFNAME, name, len + 1);
	put(&l->attributes, IFLA_CARRIER, &carrier, sizeof(carrier));
	if (number_behind(flags, " mtu ", &mtu) && strchr(text_behind(flags, " mtu "), ' '))
		put_u32(&l->attributes, IFLA_MTU, (uint32_t)mtu);
	put_master(v, flags);
	return true;
}

/* What -d shows of what it is. */
static void put_kind(struct link *l, const char *line)
{
	static const struct {
		const char *prefix, *kind;
	} kinds[] = { { .prefix = "vlan protocol ", .kind = "vlan" },
		      { .prefix = "bond mode ", .kind = "bond" },
		      { .prefix = "bridge forward_delay ", .kind = "bridge" },
		      { .prefix = "vxlan id ", .kind = "vxlan" },
		      { .prefix = "macvlan mode ", .kind = "macvlan" },
		      { .prefix = "veth", .kind = "veth" } };
	AUTO_BUF struct buf info = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!text_after(line, kinds[i].prefix))
			continue;
		put(&info, IFLA_INFO_KIND, kinds[i].kind, strlen(kinds[i].kind) + 1);
		put_nested(&l->attributes, IFLA_LINKINFO, &info);
		if (buf_error(&info) < 0)
			l->attributes.error = buf_error(&info);
	}
}

static void take_rest(struct links *v, const char *line)
{
	struct link *l = &v->now;
	const char *p = text_after(line, "link/ether "), *other;
	uint8_t address[ADDRESS];

	if (take_vf(l, line))
		return;
	if (p && parse_address(p, address))
		put(&l->attributes, IFLA_ADDRESS, address, sizeof(address));
	other = p ? text_behind(p, "permaddr ") : NULL;
	if (other && parse_address(other, address))
		put(&l->attributes, IFLA_PERM_ADDRESS, address, sizeof(address));
	other = text_behind(line, "parentbus pci parentdev ");
	if (other && (p = other, text_bdf(&p, &l->at))) {
		AUTO_FREE char *device = strndup(other, (size_t)(p - other));

		l->has_at = true;
		if (!device)
			v->i->error = -ENOMEM;
		else
			put(&l->attributes, IFLA_PARENT_DEV_NAME, device, strlen(device) + 1);
	}
	p = text_after(line, "altname ");
	if (p && !strchr(p, ' ')) {
		put(&l->altnames, IFLA_ALT_IFNAME, p, strlen(p) + 1);
		learn_address(l, p);
	}
	put_kind(l, line);
}

size_t iplink_take(struct import *i, const struct import_text *t)
{
	AUTO_BUF struct buf line = { 0 };
	struct links v = { .i = i };
	const char *text = t->data;

	while (text_line(&text, &line)) {
		const char *l = buf_text(&line);

		if (text_is_indented(l) && v.has_link)
			take_rest(&v, text_skip_blanks(l));
		else if (*l && !begin(&v, l))
			finish(&v);
	}
	finish(&v);
	import_note(i, &line);
	import_note(i, &v.now.altnames);
	if (buf_error(&v.answer) < 0 || buf_error(&v.now.attributes) < 0 ||
	    buf_error(&v.now.vfs) < 0)
		i->error = -ENOMEM;
	else if (v.n > 0)
		host_make_file(i->make, v.answer.data, v.answer.len,
			       HOST_MAKE_ANSWERS "/links/" QUESTION);
	buf_done(&v.answer);
	buf_done(&v.now.attributes);
	buf_done(&v.now.vfs);
	buf_done(&v.now.altnames);
	strv_done(&v.names);
	return v.n;
}
