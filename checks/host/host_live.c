/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_live.h"

#include "host_helper.h"

#include <sriovctl/buf.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RTNL_MS	   5000
#define PROCESS_MS 6000
#define DEVICE_MS  2000
/* All that is ever waited for, in one run, for the locks of devices. */
#define DEVICES_MS 10000

enum lock { LOCK_NONE, LOCK_DEVICE, LOCK_ITSELF, LOCK_PROCESS, LOCK_RTNL };

static const struct answerer {
	const char *kind;
	host_live_answer *ask;
	enum lock lock;
} answerers[] = {
	{ .kind = "addresses", .ask = addresses_answer, .lock = LOCK_RTNL },
	{ .kind = "aer", .ask = aer_answer },
	/* Power is switched under the lock of the device. */
	{ .kind = "awake", .ask = awake_answer, .lock = LOCK_ITSELF },
	{ .kind = "channels", .ask = channels_answer, .lock = LOCK_RTNL },
	/* As long as its disk takes, of which the partitions may have to be read. */
	{ .kind = "claims", .ask = claims_answer, .lock = LOCK_ITSELF },
	{ .kind = "cpuid", .ask = cpu_regs_answer_cpuid },
	/* The driver asks the card, under the lock that changing the number of VFs holds too. */
	{ .kind = "devinfo", .ask = devinfo_answer, .lock = LOCK_ITSELF },
	{ .kind = "drvinfo", .ask = drvinfo_answer, .lock = LOCK_RTNL },
	{ .kind = "eswitch", .ask = eswitch_answer, .lock = LOCK_RTNL },
	{ .kind = "linkmodes", .ask = linkmodes_answer, .lock = LOCK_RTNL },
	{ .kind = "links", .ask = links_ask_answer, .lock = LOCK_RTNL },
	{ .kind = "log", .ask = klog_answer },
	{ .kind = "msr", .ask = cpu_regs_answer_msr },
	{ .kind = "netns", .ask = netns_answer, .lock = LOCK_RTNL },
	{ .kind = "procs", .ask = procs_answer, .lock = LOCK_PROCESS },
	{ .kind = "routes", .ask = routes_answer, .lock = LOCK_RTNL },
	/* As long as the controller takes. */
	{ .kind = "secondaries", .ask = secondaries_answer, .lock = LOCK_ITSELF },
};

/*
 * Attributes that wait: for device_lock() (drivers/base/core.c, drivers/pci/iov.c), for what
 * blocks the configuration space during a reset (drivers/pci/access.c), for RTNL, by trying
 * again and again (net/core/net-sysfs.c).
 */
static const struct {
	const char *name;
	enum lock lock;
} slow[] = {
	{ .name = "carrier", .lock = LOCK_RTNL },
	{ .name = "config", .lock = LOCK_ITSELF },
	{ .name = "driver_override", .lock = LOCK_DEVICE },
	{ .name = "duplex", .lock = LOCK_RTNL },
	{ .name = "phys_port_id", .lock = LOCK_RTNL },
	{ .name = "phys_port_name", .lock = LOCK_RTNL },
	{ .name = "phys_switch_id", .lock = LOCK_RTNL },
	{ .name = "speed", .lock = LOCK_RTNL },
	{ .name = "sriov_numvfs", .lock = LOCK_DEVICE },
	{ .name = "sriov_vf_total_msix", .lock = LOCK_DEVICE },
	{ .name = "uevent", .lock = LOCK_DEVICE },
};

struct host_live {
	host_live_reader *read;
	const void *arg;
	struct host_helper helper;
	bool rtnl_is_held;
	struct strv held; /* folders of devices, or what waits by itself */
	unsigned waited_ms;
};

bool host_live_has(const char *path)
{
	size_t len = strlen(HOST_ANSWERS);

	return strncmp(path, HOST_ANSWERS, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* KIND and WHICH of a path "HOST_ANSWERS/KIND/WHICH"; NULL: there is no such kind. */
static const struct answerer *find_answerer(const char *path, const char **ret_which)
{
	const char *kind = path + strlen(HOST_ANSWERS);

	kind += *kind == '/';
	for (size_t i = 0; i < ARRAY_SIZE(answerers); i++) {
		size_t len = strlen(answerers[i].kind);

		if (strncmp(kind, answerers[i].kind, len) != 0 ||
		    (kind[len] != '/' && kind[len] != '\0'))
			continue;
		*ret_which = kind + len + (kind[len] == '/');
		return &answerers[i];
	}
	return NULL;
}

int host_live_kind(const char *path, enum host_kind *ret)
{
	const char *which = "";

	if (strcmp(path, HOST_ANSWERS) == 0)
		*ret = HOST_KIND_DIR;
	else if (!find_answerer(path, &which))
		return -ENOENT;
	else
		*ret = *which ? HOST_KIND_FILE : HOST_KIND_DIR;
	return 0;
}

static int read_now(const void *arg, const char *path, size_t max, struct buf *ret)
{
	const struct host_live *l = arg;
	const struct answerer *a;
	const char *which = "";
	int r;

	if (!host_live_has(path))
		return l->read(l->arg, path, max, ret);
	a = find_answerer(path, &which);
	if (!a || !*which)
		return a ? -EINVAL : -ENOENT;
	r = a->ask(which, ret);
	return r == 0 && ret->len > max ? -EFBIG : r;
}

struct host_live *host_live_new(host_live_reader *read, const void *arg)
{
	struct host_live *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->read = read;
	l->arg = arg;
	l->helper = (struct host_helper){ .read = read_now, .arg = l };
	return l;
}

void host_live_close(struct host_live *l)
{
	if (!l)
		return;
	host_helper_close(&l->helper);
	strv_done(&l->held);
	free(l);
}

static enum lock lock_of(const char *path)
{
	const char *name = strrchr(path, '/') + 1, *which;

	if (host_live_has(path)) {
		const struct answerer *a = find_answerer(path, &which);

		return a ? a->lock : LOCK_NONE;
	}
	for (size_t i = 0; i < ARRAY_SIZE(slow) && parse_has_prefix(path, "/sys/"); i++)
		if (strcmp(name, slow[i].name) == 0)
			return slow[i].lock;
	return LOCK_NONE;
}

static int read_under_rtnl(struct host_live *l, const char *path, size_t max, struct buf *ret)
{
	int r;

	if (l->rtnl_is_held)
		return -ETIMEDOUT;
	r = host_helper_read(&l->helper, path, max, RTNL_MS, ret);
	l->rtnl_is_held = r == -ETIMEDOUT;
	return r;
}

/* @len: as much of @path as tells what is locked. */
static int read_of_device(struct host_live *l, const char *path, size_t len, size_t max,
			  struct buf *ret)
{
	AUTO_FREE char *locked = strndup(path, len);
	int r;

	if (!locked)
		return -ENOMEM;
	if (l->waited_ms >= DEVICES_MS || strv_has(&l->held, locked))
		return -ETIMEDOUT;
	r = host_helper_read(&l->helper, path, max, DEVICE_MS, ret);
	if (r != -ETIMEDOUT)
		return r;
	l->waited_ms += DEVICE_MS;
	return strv_take(&l->held, TAKE(locked)) < 0 ? -ENOMEM : r;
}

int host_live_read(struct host_live *l, const char *path, size_t max, struct buf *ret)
{
	switch (lock_of(path)) {
	case LOCK_RTNL:
		return read_under_rtnl(l, path, max, ret);
	case LOCK_DEVICE:
		return read_of_device(l, path, (size_t)(strrchr(path, '/') - path), max, ret);
	case LOCK_ITSELF:
		return read_of_device(l, path, strlen(path), max, ret);
	/* A stuck process keeps who asks for its mappings waiting. */
	case LOCK_PROCESS:
		return host_helper_read(&l->helper, path, max, PROCESS_MS, ret);
	case LOCK_NONE:
		break;
	}
	return read_now(l, path, max, ret);
}
