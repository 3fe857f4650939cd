/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libsystemd is loaded when it is first needed: each start of the program would otherwise carry
 * it, and a host that was not booted by systemd need not have it.
 */
#include <sriovctl/manager.h>

#include <sriovctl/error.h>

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#define LIBRARY	    "libsystemd.so.0"
#define DESTINATION "org.freedesktop.systemd1"
#define OBJECT	    "/org/freedesktop/systemd1"
#define INTERFACE   "org.freedesktop.systemd1.Manager"
#define OWN_SOCKET  "unix:path=/run/systemd/private"
#define NO_UNIT	    "org.freedesktop.systemd1.NoSuchUnit"
/* To read all units anew takes a large host seconds. */
#define LIMIT_US (90 * UINT64_C(1000000))

#define FUNCTION(name) __typeof__(&sd_bus_##name) name
struct bus {
	void *library;
	sd_bus *bus;
	FUNCTION(new);
	FUNCTION(set_address);
	FUNCTION(start);
	FUNCTION(open_system);
	FUNCTION(flush_close_unref);
	FUNCTION(message_new_method_call);
	FUNCTION(message_append);
	FUNCTION(message_unref);
	FUNCTION(call);
	FUNCTION(error_has_name);
	FUNCTION(error_free);
};

#define NAME(name)                                          \
	{                                                   \
		"sd_bus_" #name, offsetof(struct bus, name) \
	}
static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	NAME(new),
	NAME(set_address),
	NAME(start),
	NAME(open_system),
	NAME(flush_close_unref),
	NAME(message_new_method_call),
	NAME(message_append),
	NAME(message_unref),
	NAME(call),
	NAME(error_has_name),
	NAME(error_free),
};

static int load(struct bus *b, struct error *e)
{
	b->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!b->library)
		return error_set(e, -ELIBACC, "systemd: %s", dlerror());
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		void *at = dlsym(b->library, functions[i].name);

		if (!at)
			return error_set(e, -ELIBBAD, "systemd: " LIBRARY " has no %s",
					 functions[i].name);
		memcpy((char *)b + functions[i].offset, &at, sizeof(at));
	}
	return 0;
}

static void close_bus(struct bus *b)
{
	if (b->bus)
		(void)b->flush_close_unref(b->bus);
	if (b->library)
		(void)dlclose(b->library);
}

/* What systemctl does as root: there is no bus early in a boot, nor on every host later. */
static int connect_own(struct bus *b)
{
	int r = b->new (&b->bus);

	if (r >= 0)
		r = b->set_address(b->bus, OWN_SOCKET);
	if (r >= 0)
		r = b->start(b->bus);
	if (r < 0 && b->bus)
		b->bus = b->flush_close_unref(b->bus);
	return r;
}

static int open_bus(struct bus *b, struct error *e)
{
	int r;

	/* As sd_booted(3) tells it. */
	if (access("/run/systemd/system", F_OK) < 0)
		return error_set(e, -ENOENT, "the host was not booted by systemd");
	r = load(b, e);
	if (r < 0)
		return r;
	r = connect_own(b);
	if (r < 0)
		r = b->open_system(&b->bus);
	return r < 0 ? error_set(e, r == -ENOENT ? -ECONNREFUSED : r, "systemd: %s", strerror(-r))
		     : 0;
}

/* A call of the manager with strings for arguments. */
static int ask(struct bus *b, const char *method, const char *const *words, struct error *e)
{
	sd_bus_error error = SD_BUS_ERROR_NULL;
	sd_bus_message *m = NULL;
	int r = b->message_new_method_call(b->bus, &m, DESTINATION, OBJECT, INTERFACE, method);

	for (; r >= 0 && words && *words; words++)
		r = b->message_append(m, "s", *words);
	if (r >= 0)
		r = b->call(b->bus, m, LIMIT_US, &error, NULL);
	if (r < 0 && b->error_has_name(&error, NO_UNIT))
		r = 0;
	if (r < 0)
		r = error_set(e, r == -ENOENT ? -EIO : r, "systemd: %s: %s", method,
			      error.message ? error.message : strerror(-r));
	(void)b->message_unref(m);
	b->error_free(&error);
	return r < 0 ? r : 0;
}

static int call(const char *method, const char *const *words, struct error *e)
{
	CLEANUP(close_bus) struct bus b = { 0 };
	int r = open_bus(&b, e);

	return r < 0 ? r : ask(&b, method, words, e);
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
