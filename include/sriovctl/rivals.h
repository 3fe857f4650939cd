/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who else makes or sets VFs on this host, by the files that tell them to: NetworkManager,
 * systemd, netplan, nmstate, os-net-config, the operator of Kubernetes, libvirt, and scripts, units
 * and rules that write sriov_numvfs, or call a script that does, be it through others.  None of
 * them is run or asked, and whether a file is in force is only looked at as far as its place says
 * so.
 *
 * Such files have secrets in other lines.  Of each, only the lines that matter are ever looked
 * at, and only those are captured (rivals_sieve()).
 */
#ifndef SRIOVCTL_RIVALS_H
#define SRIOVCTL_RIVALS_H

#include <sriovctl/strv.h>

struct buf;
struct error;
struct host;

enum rivals_form {
	RIVALS_KEYFILE,	 /* NetworkManager's profiles */
	RIVALS_IFCFG,	 /* /etc/sysconfig/network-scripts */
	RIVALS_SYSTEMD,	 /* .link and .network */
	RIVALS_SETTINGS, /* NetworkManager.conf */
	RIVALS_NETPLAN,
	RIVALS_NMSTATE,
	RIVALS_OS_NET,	 /* sriov_config.yaml of os-net-config */
	RIVALS_OPERATOR, /* sriov-interface-config.yaml of sriov-network-operator */
	RIVALS_NAME,	 /* the name of the file is the address of a function */
	RIVALS_LIBVIRT,
	RIVALS_WRITER, /* any text with a write of sriov_numvfs */
	RIVALS_FORM_MAX
};

struct rivals_claim {
	const char *who; /* "NetworkManager" */
	char *path;
	unsigned line;	/* 0: the file itself */
	char *text;	/* the line */
	bool is_called; /* the file is a script that another one runs, a unit or a rule */
	/*
	 * The function that is meant: an interface, a MAC or a PCI address as it stands there;
	 * "" where that is not told, or told by a pattern or a variable.
	 */
	char *target;
};

struct rivals {
	struct rivals_claim *items;
	size_t n;
	/* 0, or why some place could not be looked at, and which. */
	int error;
	char *blind;
};

/* The claims of one file, added to @ret.  0 or -ENOMEM. */
int rivals_parse(enum rivals_form form, const char *who, const char *path, const char *text,
		 struct rivals *ret) MUST_USE;

/* Is this path one of which only what rivals_sieve() leaves may be kept? */
bool rivals_is_sieved(const char *path);
/* Empties all lines but those that rivals_parse() looks at. */
void rivals_sieve(const char *text, size_t len, struct buf *ret);

int rivals_get(const struct host *h, const struct rivals **ret, struct error *e) MUST_USE;
void rivals_done(struct rivals *c);
#define AUTO_RIVALS CLEANUP(rivals_done)

#endif
