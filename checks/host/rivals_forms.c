/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of sections and keys, and libvirt's. */
#include "rivals_lines.h"

#include <stdlib.h>
#include <string.h>

/* What a file says of its function, wherever it says so, and where it claims it. */
struct found {
	const char *target;
	size_t target_len;
	struct rivals_line at; /* number 0: no claim */
};

static void take_target(const struct rivals_line *l, const char *key, struct found *ret)
{
	const char *value;
	size_t len;

	if (rivals_lines_value(l, key, &value, &len) && len > 0) {
		ret->target = value;
		ret->target_len = len;
	}
}

static void take_claim(const struct rivals_line *l, struct found *ret)
{
	if (ret->at.number == 0)
		ret->at = *l;
}

static void add_found(struct rivals_file *f, const struct found *found)
{
	if (found->at.number > 0)
		rivals_lines_add(f, &found->at, found->target, found->target_len);
}

static bool is_section(const struct rivals_line *l, const char *name)
{
	size_t n = strlen(name);

	return l->len == n + 2 && l->start[0] == '[' && memcmp(l->start + 1, name, n) == 0;
}

/* A profile with the setting sets the number, be it to 0, whenever it is activated. */
void rivals_forms_keyfile(struct rivals_file *f)
{
	struct rivals_line l = { .next = f->text };
	struct found found = { 0 };
	const char *value;
	size_t len;

	while (rivals_lines_next(&l)) {
		if (is_section(&l, "sriov"))
			take_claim(&l, &found);
		/* Says more than that there is such a section. */
		if (rivals_lines_value(&l, "total-vfs", &value, &len))
			found.at = l;
		take_target(&l, "interface-name", &found);
		if (!found.target)
			take_target(&l, "mac-address", &found);
	}
	add_found(f, &found);
}

/* Of match-device the one device that it names; several, and other kinds, are not looked into. */
static void take_device(const struct rivals_line *l, struct found *ret)
{
	static const char *const kinds[] = { "interface-name:", "mac:" };
	const char *value;
	size_t len;

	if (!rivals_lines_value(l, "match-device", &value, &len))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t n = strlen(kinds[i]);

		if (len > n && memcmp(value, kinds[i], n) == 0 && !memchr(value, ',', len) &&
		    !memchr(value, ';', len) && value[n] != '=' && value[n] != '~') {
			ret->target = value + n;
			ret->target_len = len - n;
		}
	}
}

/* sriov-num-vfs of [device...] in NetworkManager.conf(5), which a negative number leaves alone. */
void rivals_forms_settings(struct rivals_file *f)
{
	struct rivals_line l = { .next = f->text };
	struct found found = { 0 };
	const char *value;
	size_t len;

	while (rivals_lines_next(&l)) {
		if (l.start[0] == '[') {
			add_found(f, &found);
			found = (struct found){ 0 };
		}
		take_device(&l, &found);
		if (rivals_lines_value(&l, "sriov-num-vfs", &value, &len) && len > 0 &&
		    value[0] != '-')
			found.at = l;
	}
	add_found(f, &found);
}

void rivals_forms_ifcfg(struct rivals_file *f)
{
	struct rivals_line l = { .next = f->text };
	struct found found = { 0 };

	while (rivals_lines_next(&l)) {
		if (strncmp(l.start, "SRIOV_", strlen("SRIOV_")) == 0)
			take_claim(&l, &found);
		take_target(&l, "DEVICE", &found);
		if (!found.target)
			take_target(&l, "HWADDR", &found);
	}
	add_found(f, &found);
}

/* Of [Match] in systemd.link(5), "pci-0000:3b:00.0" of Path= is the address. */
static void take_path(const struct rivals_line *l, struct found *ret)
{
	static const char prefix[] = "pci-";

	take_target(l, "Path", ret);
	if (ret->target && strncmp(ret->target, prefix, strlen(prefix)) == 0) {
		ret->target += strlen(prefix);
		ret->target_len -= strlen(prefix);
	}
}

/* "Name=" means another thing in [Link] than in [Match].  A file is read with its drop-ins. */
void rivals_forms_systemd(struct rivals_file *f)
{
	struct rivals_line l = { .next = f->text };
	struct found found = { 0 };
	bool in_match = false;
	const char *value;
	size_t len;

	while (rivals_lines_next(&l)) {
		if (l.start[0] == '[')
			in_match = is_section(&l, "Match");
		/* Says more than that a VF is set. */
		if (rivals_lines_value(&l, "SR-IOVVirtualFunctions", &value, &len))
			found.at = l;
		if (rivals_lines_value(&l, "VirtualFunction", &value, &len))
			take_claim(&l, &found);
		if (!in_match)
			continue;
		take_path(&l, &found);
		take_target(&l, "Name", &found);
		take_target(&l, "OriginalName", &found);
		take_target(&l, "MACAddress", &found);
		take_target(&l, "PermanentMACAddress", &found);
	}
	add_found(f, &found);
}

/* <pf dev='ens1f0'/>: guests get any VF of it, with the MAC and VLAN that libvirt sets. */
void rivals_forms_libvirt(struct rivals_file *f)
{
	struct rivals_line l = { .next = f->text };

	while (rivals_lines_next(&l)) {
		const char *pf = memmem(l.start, l.len, "<pf ", 4), *dev, *end = l.start + l.len;
		char quote;
		size_t len;

		dev = pf ? memmem(pf, (size_t)(end - pf), "dev=", 4) : NULL;
		if (!dev || end - dev < 6)
			continue;
		dev += 4;
		quote = *dev++;
		len = 0;
		while (dev + len < end && dev[len] != quote)
			len++;
		rivals_lines_add(f, &l, dev, len);
	}
}
