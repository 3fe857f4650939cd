/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/rivals.h>

#include "absence.h"
#include "rivals_lines.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Longer than people write; a script that carries a payload is looked at no further. */
#define FILE_MAX (256 * 1024)

#define NM	 "NetworkManager"
#define SYSTEMD	 "systemd"
#define UNIT	 "a systemd unit"
#define UDEV	 "a udev rule"
#define IFUPDOWN "ifupdown"

/*
 * Where each keeps its files, in the order of precedence where that matters: of two files of one
 * name of udev and systemd only the first is read (udev(7), systemd.link(5)).
 */
static const struct place {
	const char *who, *dir;
	const char *glob; /* NULL: @dir is one file */
	enum rivals_form form;
	bool masks;	   /* see above */
	const char *below; /* a file in each of the folders that @glob finds */
} places[] = {
#define FILE_OF(by, kind, path)                                   \
	{                                                         \
		.who = (by), .dir = (path), .form = RIVALS_##kind \
	}
#define FOLDER_OF(by, kind, path, names, ...)                                                     \
	{                                                                                         \
		.who = (by), .dir = (path), .glob = (names), .form = RIVALS_##kind, ##__VA_ARGS__ \
	}
	FOLDER_OF(NM, KEYFILE, "/etc/NetworkManager/system-connections", "*"),
	FOLDER_OF(NM, KEYFILE, "/run/NetworkManager/system-connections", "*"),
	FOLDER_OF(NM, KEYFILE, "/usr/lib/NetworkManager/system-connections", "*"),
	FOLDER_OF(NM, WRITER, "/etc/NetworkManager/dispatcher.d", "*"),
	FOLDER_OF(NM, IFCFG, "/etc/sysconfig/network-scripts", "ifcfg-*"),
	FOLDER_OF(SYSTEMD, SYSTEMD, "/etc/systemd/network", "*.@(link|network)", .masks = true),
	FOLDER_OF(SYSTEMD, SYSTEMD, "/run/systemd/network", "*.@(link|network)", .masks = true),
	FOLDER_OF(SYSTEMD, SYSTEMD, "/usr/local/lib/systemd/network", "*.@(link|network)",
		  .masks = true),
	FOLDER_OF(SYSTEMD, SYSTEMD, "/usr/lib/systemd/network", "*.@(link|network)", .masks = true),
	FOLDER_OF("netplan", NETPLAN, "/etc/netplan", "*.yaml", .masks = true),
	FOLDER_OF("netplan", NETPLAN, "/run/netplan", "*.yaml", .masks = true),
	FOLDER_OF("netplan", NETPLAN, "/usr/lib/netplan", "*.yaml", .masks = true),
	FILE_OF("os-net-config", OS_NET, "/var/lib/os-net-config/sriov_config.yaml"),
	FILE_OF("sriov-network-operator", OPERATOR,
		"/etc/sriov-operator/sriov-interface-config.yaml"),
	FOLDER_OF("sriov-network-operator", NAME, "/etc/sriov-operator/pci", "*"),
	FOLDER_OF("libvirt", LIBVIRT, "/etc/libvirt/qemu/networks", "*.xml"),
	FILE_OF(IFUPDOWN, WRITER, "/etc/network/interfaces"),
	FOLDER_OF(IFUPDOWN, WRITER, "/etc/network/interfaces.d", "*"),
	FOLDER_OF(IFUPDOWN, WRITER, "/etc/network/if-pre-up.d", "*"),
	FOLDER_OF(IFUPDOWN, WRITER, "/etc/network/if-up.d", "*"),
	FILE_OF("rc.local", WRITER, "/etc/rc.local"),
	FILE_OF("rc.local", WRITER, "/etc/rc.d/rc.local"),
	FILE_OF("boot.local", WRITER, "/etc/init.d/boot.local"),
	FOLDER_OF(UDEV, WRITER, "/etc/udev/rules.d", "*.rules", .masks = true),
	FOLDER_OF(UDEV, WRITER, "/run/udev/rules.d", "*.rules", .masks = true),
	FOLDER_OF(UDEV, WRITER, "/usr/local/lib/udev/rules.d", "*.rules", .masks = true),
	FOLDER_OF(UDEV, WRITER, "/usr/lib/udev/rules.d", "*.rules", .masks = true),
	FOLDER_OF(UNIT, WRITER, "/etc/systemd/system", "*.service", .masks = true),
	FOLDER_OF(UNIT, WRITER, "/run/systemd/system", "*.service", .masks = true),
	FOLDER_OF(UNIT, WRITER, "/usr/local/lib/systemd/system", "*.service", .masks = true),
	FOLDER_OF("tmpfiles.d", WRITER, "/etc/tmpfiles.d", "*.conf"),
	FILE_OF("sysfsutils", WRITER, "/etc/sysfs.conf"),
	FOLDER_OF("sysfsutils", WRITER, "/etc/sysfs.d", "*.conf"),
	FOLDER_OF("TuneD", WRITER, "/etc/tuned", "*", .below = "tuned.conf"),
	FILE_OF("cron", WRITER, "/etc/crontab"),
	FOLDER_OF("cron", WRITER, "/etc/cron.d", "*"),
#undef FILE_OF
#undef FOLDER_OF
};

static void (*const parsers[])(struct rivals_file *f) = {
	[RIVALS_KEYFILE] = rivals_forms_keyfile,
	[RIVALS_IFCFG] = rivals_forms_ifcfg,
	[RIVALS_SYSTEMD] = rivals_forms_systemd,
	[RIVALS_NETPLAN] = rivals_yaml_netplan,
	[RIVALS_OS_NET] = rivals_yaml_os_net,
	[RIVALS_OPERATOR] = rivals_yaml_operator,
	[RIVALS_LIBVIRT] = rivals_forms_libvirt,
	[RIVALS_WRITER] = rivals_writer_parse,
	[RIVALS_NAME] = NULL,
};
_Static_assert(ARRAY_SIZE(parsers) == RIVALS_FORM_MAX, "every form has a parser");

int rivals_parse(enum rivals_form form, const char *who, const char *path, const char *text,
		 struct rivals *ret)
{
	AUTO_BUF struct buf kept = { 0 };
	struct rivals_file f = { .who = who, .path = path, .ret = ret };

	/* So that a capture, which has no more, says the same. */
	rivals_sieve(text, strlen(text), &kept);
	if (buf_error(&kept) < 0)
		return -ENOMEM;
	f.text = buf_text(&kept);
	parsers[form](&f);
	return f.r;
}

bool rivals_is_sieved(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		size_t n = strlen(places[i].dir);

		if (strncmp(path, places[i].dir, n) == 0 && (path[n] == '/' || path[n] == '\0') &&
		    places[i].form != RIVALS_NAME)
			return true;
	}
	return false;
}

static int note_blind(struct rivals *c, int r, const char *path)
{
	if (r == -ENOMEM || c->error < 0)
		return r == -ENOMEM ? r : 0;
	c->error = r;
	c->blind = strdup(path);
	return c->blind ? 0 : -ENOMEM;
}

/* The operator keeps what it set of a function in a file of that name. */
static int add_name(struct rivals *ret, const struct place *p, const char *path, const char *name)
{
	static const char text[] = "a record of the function";
	const struct rivals_line l = { .start = text, .len = strlen(text) };
	struct rivals_file f = { .who = p->who, .path = path, .ret = ret };

	rivals_lines_add(&f, &l, name, strlen(name));
	return f.r;
}

static int read_file(const struct host *h, const struct place *p, const char *path,
		     struct rivals *ret)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_read(h, FILE_MAX, &text, NULL, "%s", path);

	/* A folder, a link to /dev/null, which masks, and one that leads nowhere. */
	if (absence_is_known(h, path, r) || r == -EINVAL || r == -EISDIR || r == -ELOOP)
		return 0;
	if (r < 0)
		return note_blind(ret, r, path);
	return rivals_parse(p->form, p->who, path, buf_text(&text), ret);
}

static int read_named(const struct host *h, const struct place *p, const char *name,
		      struct strv *seen, struct rivals *ret)
{
	AUTO_BUF struct buf path = { 0 };

	if (fnmatch(p->glob, name, FNM_EXTMATCH) != 0 || (p->masks && strv_has(seen, name)))
		return 0;
	if (p->masks && strv_add(seen, name) < 0)
		return -ENOMEM;
	buf_printf(&path, "%s/%s%s%s", p->dir, name, p->below ? "/" : "", p->below ? p->below : "");
	if (buf_error(&path) < 0)
		return -ENOMEM;
	if (p->form == RIVALS_NAME)
		return add_name(ret, p, buf_text(&path), name);
	return read_file(h, p, buf_text(&path), ret);
}

/* @seen: the names that hide others of their kind. */
static int read_place(const struct host *h, const struct place *p, struct strv *seen,
		      struct rivals *ret)
{
	AUTO_STRV struct strv names = { 0 };
	int r;

	if (!p->glob)
		return read_file(h, p, p->dir, ret);
	r = host_list(h, &names, NULL, "%s", p->dir);
	if (absence_is_known(h, p->dir, r) || r == -ENOTDIR)
		return 0;
	if (r < 0)
		return note_blind(ret, r, p->dir);
	for (size_t i = 0; r == 0 && i < names.n; i++)
		r = read_named(h, p, names.items[i], seen, ret);
	return r;
}

static int read_rivals(const struct host *h, struct rivals *ret, struct error *e)
{
	AUTO_STRV struct strv seen = { 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(places); i++) {
		if (i > 0 && strcmp(places[i].who, places[i - 1].who) != 0)
			strv_done(&seen);
		r = read_place(h, &places[i], &seen, ret);
	}
	if (r == 0)
		return 0;
	rivals_done(ret);
	return error_nomem(e);
}
HOST_FACT_DEFINE(rivals, read_rivals)

void rivals_done(struct rivals *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->items[i].path);
		free(c->items[i].text);
		free(c->items[i].target);
	}
	free(c->items);
	free(c->blind);
	*c = (struct rivals){ 0 };
}
