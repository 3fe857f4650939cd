/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/drvinfo.h>

#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* The driver need not end it in a NUL. */
static void copy(char ret[DRVINFO_MAX], const char *field, size_t size)
{
	size_t len = strnlen(field, size < DRVINFO_MAX ? size : DRVINFO_MAX - 1);

	memcpy(ret, field, len);
	ret[len] = '\0';
}

int drvinfo_read(const struct host *h, const char *interface, struct drvinfo *ret, struct error *e)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ifreq request = { .ifr_data = (void *)&info };
	AUTO_CLOSE int fd = -1;

	if (!host_is_live(h))
		return error_set(e, -ENODATA, "ETHTOOL_GDRVINFO: not captured in this root");
	if (strlen(interface) >= sizeof(request.ifr_name))
		return error_set(e, -ENODEV, "%s: no name of a network interface", interface);
	memcpy(request.ifr_name, interface, strlen(interface));
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return error_set(e, -errno, "no socket for ioctls: %s", strerror(errno));
	if (ioctl(fd, SIOCETHTOOL, &request) < 0)
		return error_set(e, -errno, "ETHTOOL_GDRVINFO of %s: %s", interface,
				 strerror(errno));
	copy(ret->firmware, info.fw_version, sizeof(info.fw_version));
	copy(ret->bus, info.bus_info, sizeof(info.bus_info));
	return 0;
}
