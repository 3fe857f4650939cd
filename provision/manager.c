/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/manager.h>

#include <sriovctl/error.h>

#include <errno.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

#define DESTINATION "org.freedesktop.systemd1"
#define OBJECT	    "/org/freedesktop/systemd1"
#define INTERFACE   "org.freedesktop.systemd1.Manager"
#define OWN_SOCKET  "unix:path=/run/systemd/private"
#define NO_UNIT	    "org.freedesktop.systemd1.NoSuchUnit"
/* To read all units anew takes a large host seconds. */
#define LIMIT_US (90 * UINT64_C(1000000))

static void close_bus(sd_bus **bus)
{
	(void)sd_bus_flush_close_unref(*bus);
}

static void free_message(sd_bus_message **m)
{
	(void)sd_bus_message_unref(*m);
}

/* What systemctl does as root: there is no bus early in a boot, nor on every host later. */
static int open_own(sd_bus **ret)
{
	CLEANUP(close_bus) sd_bus *bus = NULL;
	int r = sd_bus_new(&bus);

	if (r >= 0)
		r = sd_bus_set_address(bus, OWN_SOCKET);
	if (r >= 0)
		r = sd_bus_start(bus);
	if (r < 0)
		return r;
	*ret = TAKE(bus);
	return 0;
}

static int open_bus(sd_bus **ret, struct error *e)
{
	int r = sd_booted();

	if (r == 0)
		return error_set(e, -ENOENT, "the host was not booted by systemd");
	if (r > 0)
		r = open_own(ret);
	if (r < 0)
		r = sd_bus_open_system(ret);
	return r < 0 ? error_set(e, r == -ENOENT ? -ECONNREFUSED : r, "systemd: %s", strerror(-r))
		     : 0;
}

/* A call of the manager with strings for arguments. */
static int call(const char *method, const char *const *words, struct error *e)
{
	CLEANUP(close_bus) sd_bus *bus = NULL;
	CLEANUP(free_message) sd_bus_message *m = NULL;
	CLEANUP(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
	int r = open_bus(&bus, e);

	if (r < 0)
		return r;
	r = sd_bus_message_new_method_call(bus, &m, DESTINATION, OBJECT, INTERFACE, method);
	for (; r >= 0 && words && *words; words++)
		r = sd_bus_message_append(m, "s", *words);
	if (r >= 0)
		r = sd_bus_call(bus, m, LIMIT_US, &error, NULL);
	if (r >= 0 || sd_bus_error_has_name(&error, NO_UNIT))
		return 0;
	return error_set(e, r == -ENOENT ? -EIO : r, "systemd: %s: %s", method,
			 error.message ? error.message : strerror(-r));
}

int manager_reload(struct error *e)
{
	return call("Reload", NULL, e);
}

int manager_stop(const char *unit, struct error *e)
{
	const char *const words[] = { unit, "replace", NULL };

	return call("StopUnit", words, e);
}
