/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/drvinfo.h>

#include "host_live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* Lines "firmware TEXT", "bus TEXT", "driver TEXT", "version TEXT"; the driver need not end it in a
 * NUL. */
static void put_line(struct buf *out, const char *key, const char *field, size_t size)
{
	size_t len = strnlen(field, size);

	buf_printf(out, "%s ", key);
	for (size_t i = 0; i < len; i++)
		buf_append(out, field[i] == '\n' ? " " : &field[i], 1);
	buf_puts(out, "\n");
}

int drvinfo_answer(const char *which, struct buf *ret)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ifreq request = { .ifr_data = (void *)&info };
	AUTO_CLOSE int fd = -1;

	if (strlen(which) >= sizeof(request.ifr_name))
		return -ENODEV;
	memcpy(request.ifr_name, which, strlen(which));
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || ioctl(fd, SIOCETHTOOL, &request) < 0)
		return -errno;
	put_line(ret, "firmware", info.fw_version, sizeof(info.fw_version));
	put_line(ret, "bus", info.bus_info, sizeof(info.bus_info));
	put_line(ret, "driver", info.driver, sizeof(info.driver));
	put_line(ret, "version", info.version, sizeof(info.version));
	return buf_error(ret);
}

static void take_line(const char *text, const char *key, char ret[DRVINFO_MAX])
{
	const char *line = strstr(text, key);
	size_t len = line ? strcspn(line + strlen(key), "\n") : 0;

	if (len >= DRVINFO_MAX)
		len = DRVINFO_MAX - 1;
	if (line)
		memcpy(ret, line + strlen(key), len);
	ret[len] = '\0';
}

int drvinfo_read(const struct host *h, const char *interface, struct drvinfo *ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_read(h, HOST_ATTR_MAX, &text, NULL, HOST_ANSWERS "/drvinfo/%s", interface);

	if (r == -ENOMEM)
		return error_nomem(e);
	if (r < 0)
		return error_set(e, r, "ETHTOOL_GDRVINFO of %s: %s", interface, host_why(h, r));
	take_line(buf_text(&text), "firmware ", ret->firmware);
	take_line(buf_text(&text), "\nbus ", ret->bus);
	take_line(buf_text(&text), "\ndriver ", ret->driver);
	take_line(buf_text(&text), "\nversion ", ret->version);
	return 0;
}
