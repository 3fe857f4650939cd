/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rivals_places.h"

#include "rivals_lines.h"

#include <string.h>

#define NM	 "NetworkManager"
#define SYSTEMD	 "systemd"
#define NETPLAN	 "netplan"
#define IFUPDOWN "ifupdown"
#define CLOUD	 "cloud-init"
#define UNIT	 RIVALS_PLACES_UNIT
#define UDEV	 RIVALS_PLACES_UDEV

/*
 * Where each keeps its files, in the order of precedence where that matters: of two files of one
 * name of udev and systemd only the first is read (udev(7), systemd.link(5)).
 */
static const struct rivals_place places[] = {
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
	FILE_OF(NM, SETTINGS, "/etc/NetworkManager/NetworkManager.conf"),
	FOLDER_OF(NM, SETTINGS, "/etc/NetworkManager/conf.d", "*.conf", .masks = true),
	FOLDER_OF(NM, SETTINGS, "/run/NetworkManager/conf.d", "*.conf", .masks = true),
	FOLDER_OF(NM, SETTINGS, "/usr/lib/NetworkManager/conf.d", "*.conf", .masks = true),
	FOLDER_OF(NM, WRITER, "/etc/NetworkManager/dispatcher.d", "*"),
	FOLDER_OF(NM, IFCFG, "/etc/sysconfig/network-scripts", "ifcfg-*"),
	FOLDER_OF(SYSTEMD, SYSTEMD, "/etc/systemd/network", "*.@(link|network)", .masks = true),
	FOLDER_OF(SYSTEMD, SYSTEMD, "/run/systemd/network", "*.@(link|network)", .masks = true),
	FOLDER_OF(SYSTEMD, SYSTEMD, "/usr/local/lib/systemd/network", "*.@(link|network)",
		  .masks = true),
	FOLDER_OF(SYSTEMD, SYSTEMD, "/usr/lib/systemd/network", "*.@(link|network)", .masks = true),
	FOLDER_OF(SYSTEMD, SYSTEMD, "/lib/systemd/network", "*.@(link|network)", .masks = true),
	FOLDER_OF(NETPLAN, NETPLAN, "/run/netplan", "*.yaml", .masks = true, .merges = true),
	FOLDER_OF(NETPLAN, NETPLAN, "/etc/netplan", "*.yaml", .masks = true, .merges = true),
	FOLDER_OF(NETPLAN, NETPLAN, "/usr/lib/netplan", "*.yaml", .masks = true, .merges = true),
	FOLDER_OF(NETPLAN, NETPLAN, "/lib/netplan", "*.yaml", .masks = true, .merges = true),
	FOLDER_OF("nmstate", NMSTATE, "/etc/nmstate", "*.@(yml|yaml)"),
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
	FOLDER_OF(UDEV, WRITER, "/lib/udev/rules.d", "*.rules", .masks = true),
	FOLDER_OF(UNIT, WRITER, "/etc/systemd/system", "*.service", .masks = true),
	FOLDER_OF(UNIT, WRITER, "/run/systemd/system", "*.service", .masks = true),
	FOLDER_OF(UNIT, WRITER, "/usr/local/lib/systemd/system", "*.service", .masks = true),
	FOLDER_OF(UNIT, WRITER, "/usr/lib/systemd/system", "*.service", .masks = true,
		  .enabled = true),
	FOLDER_OF(UNIT, WRITER, "/lib/systemd/system", "*.service", .masks = true, .enabled = true),
	FOLDER_OF(UNIT, WRITER, "/etc/systemd/system", "*.service.d", .below = "*.conf"),
	FOLDER_OF(UNIT, WRITER, "/run/systemd/system", "*.service.d", .below = "*.conf"),
	FOLDER_OF(UNIT, WRITER, "/usr/local/lib/systemd/system", "*.service.d", .below = "*.conf"),
	FOLDER_OF(UNIT, WRITER, "/usr/lib/systemd/system", "*.service.d", .below = "*.conf"),
	FOLDER_OF("tmpfiles.d", WRITER, "/etc/tmpfiles.d", "*.conf"),
	FILE_OF("sysfsutils", WRITER, "/etc/sysfs.conf"),
	FOLDER_OF("sysfsutils", WRITER, "/etc/sysfs.d", "*.conf"),
	FOLDER_OF("TuneD", WRITER, "/etc/tuned", "*", .below = "tuned.conf"),
	FILE_OF(CLOUD, WRITER, "/etc/cloud/cloud.cfg"),
	FOLDER_OF(CLOUD, WRITER, "/etc/cloud/cloud.cfg.d", "*.cfg"),
	FILE_OF(CLOUD, WRITER, "/var/lib/cloud/instance/cloud-config.txt"),
	FOLDER_OF(CLOUD, WRITER, "/var/lib/cloud/instance/scripts", "*"),
	FOLDER_OF(CLOUD, WRITER, "/var/lib/cloud/scripts/per-boot", "*"),
	FOLDER_OF(CLOUD, WRITER, "/var/lib/cloud/scripts/per-instance", "*"),
	FILE_OF("cron", WRITER, "/etc/crontab"),
	FOLDER_OF("cron", WRITER, "/etc/cron.d", "*"),
#undef FILE_OF
#undef FOLDER_OF
};

const struct rivals_place *rivals_places_at(size_t i)
{
	return i < ARRAY_SIZE(places) ? &places[i] : NULL;
}

bool rivals_is_sieved(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		size_t n = strlen(places[i].dir);

		if (strncmp(path, places[i].dir, n) == 0 && (path[n] == '/' || path[n] == '\0') &&
		    places[i].form != RIVALS_NAME)
			return true;
	}
	return rivals_calls_is_script(path);
}
