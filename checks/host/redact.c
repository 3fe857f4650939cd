/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/capture.h>

#include "host_index.h"
#include "host_open.h"
#include "host_source.h"
#include "host_store.h"
#include "redact_find.h"
#include "redact_log.h"
#include "redact_map.h"
#include "sieve.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

struct redaction {
	const struct host_store *from;
	struct host_store *to;
	struct redact_map map;
};

/* What a file is, for who looks for secrets in it. */
enum content {
	CONTENT_PUBLIC,
	CONTENT_TEXT,
	CONTENT_PROSE,
	CONTENT_HOST,
	CONTENT_SERIAL,
	CONTENT_PROCESSES,
	CONTENT_LINKS,
	CONTENT_BINARY,
	CONTENT_DMI,
	CONTENT_CONFIG,
	CONTENT_AWAKE,
	CONTENT_DEVINFO
};

static bool ends_in(const char *path, const char *end)
{
	size_t len = strlen(path), n = strlen(end);

	return len >= n && strcmp(path + len - n, end) == 0;
}

static bool has_start(const char *path, const char *const *starts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (parse_has_prefix(path, starts[i]))
			return true;
	return false;
}

/*
 * What people wrote and gave names to.  In files of our own a host's name would be taken for
 * another word of theirs, and what is built with a kernel has the kernel's name.
 */
static bool is_of_people(const char *path)
{
	static const char *const folders[] = { "/etc/", "/run/", "/boot/", "/var/", "/usr/local/" };
	static const char *const not_in[] = { "/etc/sriovctl/", "/boot/config-" };

	return (has_start(path, folders, ARRAY_SIZE(folders)) &&
		!has_start(path, not_in, ARRAY_SIZE(not_in))) ||
	       ends_in(path, "/loop/backing_file") || ends_in(path, "/device_path");
}

static enum content content_of(const char *path)
{
	/* What a distribution ships, and is the same on many hosts. */
	static const char *const public[] = { "/lib/modules/", "/usr/lib/", "/boot/config-",
					      "/proc/config.gz", "/sys/firmware/acpi/" };
	static const char *const prose[] = { HOST_ANSWERS "/log/", "/proc/cmdline",
					     "/proc/version" };
	static const char *const host[] = { "/proc/sys/kernel/hostname", "/etc/hostname" };
	/* The latter two are most often made of a MAC address. */
	static const char *const serial[] = { "/serial", "/phys_switch_id", "/phys_port_id" };

	if (sieve_is_for(path))
		return CONTENT_PROSE;
	if (has_start(path, public, ARRAY_SIZE(public)))
		return CONTENT_PUBLIC;
	if (PARSE_IS_ONE_OF(path, host))
		return CONTENT_HOST;
	if (has_start(path, prose, ARRAY_SIZE(prose)) || is_of_people(path))
		return CONTENT_PROSE;
	for (size_t i = 0; i < ARRAY_SIZE(serial); i++)
		if (parse_has_prefix(path, "/sys/") && ends_in(path, serial[i]))
			return CONTENT_SERIAL;
	if (parse_has_prefix(path, HOST_ANSWERS "/procs/"))
		return CONTENT_PROCESSES;
	if (parse_has_prefix(path, HOST_ANSWERS "/links/"))
		return CONTENT_LINKS;
	if (parse_has_prefix(path, HOST_ANSWERS "/addresses/") ||
	    parse_has_prefix(path, HOST_ANSWERS "/routes/"))
		return CONTENT_BINARY;
	if (parse_has_prefix(path, "/sys/firmware/dmi/tables/"))
		return ends_in(path, "/DMI") ? CONTENT_DMI : CONTENT_PUBLIC;
	if (parse_has_prefix(path, HOST_ANSWERS "/devinfo/"))
		return CONTENT_DEVINFO;
	if (parse_has_prefix(path, HOST_ANSWERS "/awake/"))
		return CONTENT_AWAKE;
	if (parse_has_prefix(path, "/sys/devices/") && ends_in(path, "/config"))
		return CONTENT_CONFIG;
	return CONTENT_TEXT;
}

/* A file that has the host's name and nothing else; there also a name goes that is too short. */
static void replace_host(struct redact_map *m, struct buf *data)
{
	AUTO_FREE char *name = strndup(buf_text(data), strcspn(buf_text(data), " \t\n"));

	m->ran_out |= !name;
	if (!name)
		return;
	redact_log_host(m, name);
	if (*name && redact_map_number(m, REDACT_IS_HOST, name) == 0)
		memset(data->data, 'h', strlen(name));
	redact_map_apply(m, data->data, data->len, REDACT_PROSE);
}

/* @data in place, as far as the map knows; what is new gets into it. */
static void redact_content(struct redact_map *m, enum content what, struct buf *data)
{
	switch (what) {
	case CONTENT_PUBLIC:
		break;
	case CONTENT_TEXT:
		redact_map_apply(m, data->data, data->len, REDACT_TEXT);
		break;
	case CONTENT_PROSE:
		redact_log_find(m, data->data);
		redact_map_apply(m, data->data, data->len, REDACT_PROSE);
		break;
	case CONTENT_HOST:
		replace_host(m, data);
		break;
	case CONTENT_SERIAL:
		redact_find_serial(m, buf_text(data));
		redact_map_apply(m, data->data, data->len, REDACT_TEXT);
		break;
	case CONTENT_DEVINFO:
		redact_log_find_serials(m, buf_text(data));
		redact_map_apply(m, data->data, data->len, REDACT_TEXT);
		break;
	case CONTENT_PROCESSES:
		redact_find_processes(m, data->data);
		redact_map_apply(m, data->data, data->len, REDACT_TEXT);
		break;
	case CONTENT_LINKS:
		redact_find_links(m, data->data, data->len);
		redact_map_apply(m, data->data, data->len, REDACT_BINARY);
		break;
	case CONTENT_BINARY:
		redact_map_apply(m, data->data, data->len, REDACT_BINARY);
		break;
	case CONTENT_DMI:
		redact_find_dmi(m, (uint8_t *)data->data, data->len);
		redact_map_apply(m, data->data, data->len, REDACT_TEXT);
		break;
	case CONTENT_CONFIG:
		redact_find_config(m, (uint8_t *)data->data, data->len);
		break;
	case CONTENT_AWAKE:
		redact_find_awake(m, (uint8_t *)data->data, data->len);
		break;
	}
}

static bool has_content(const struct host_node *n)
{
	return n->state == HOST_STATE_FILE && n->was_read && !n->read_error;
}

/* The first round: only the map is kept, since a secret may stand before where it is known for one.
 */
static int look(void *arg, uint32_t at, const char *path)
{
	struct redaction *rd = arg;
	AUTO_BUF struct buf data = { 0 };
	int r;

	if (!has_content(host_store_node(rd->from, at)) || content_of(path) == CONTENT_PUBLIC)
		return 0;
	r = host_store_content(rd->from, at, SIZE_MAX, &data);
	if (r < 0)
		return r;
	redact_content(&rd->map, content_of(path), &data);
	return rd->map.ran_out ? -ENOMEM : 0;
}

static int copy_content(struct redaction *rd, uint32_t from, uint32_t to, const char *path)
{
	AUTO_BUF struct buf data = { 0 };
	int r = host_store_content(rd->from, from, SIZE_MAX, &data);

	if (r < 0)
		return r;
	redact_content(&rd->map, content_of(path), &data);
	return host_store_append(rd->to, to, data.data, data.len);
}

/* How a name is looked at: a file of people may be called by the host it is of. */
static unsigned name_is(const char *path)
{
	return is_of_people(path) ? REDACT_PROSE : REDACT_TEXT;
}

static int copy_link(struct redaction *rd, uint32_t from, uint32_t to, const char *path)
{
	AUTO_BUF struct buf target = { 0 };

	host_store_link(rd->from, from, &target);
	if (buf_error(&target) < 0)
		return -ENOMEM;
	redact_map_apply(&rd->map, target.data, target.len,
			 name_is(buf_text(&target)[0] == '/' ? buf_text(&target) : path));
	return host_store_set_link(rd->to, to, buf_text(&target));
}

/* Makes the folders on the way as well, which are what they are there. */
static int copy(void *arg, uint32_t at, const char *path)
{
	struct redaction *rd = arg;
	const struct host_node *from = host_store_node(rd->from, at);
	AUTO_BUF struct buf name = { 0 };
	struct host_node *to;
	uint32_t there = 0;
	int r;

	if (strcmp(path, HOST_INDEX) == 0 || strcmp(path, HOST_REPORT) == 0)
		return 0;
	buf_puts(&name, path);
	if (buf_error(&name) < 0)
		return -ENOMEM;
	redact_map_apply(&rd->map, name.data, name.len, name_is(path));
	r = host_store_make(rd->to, buf_text(&name), &there);
	if (r < 0)
		return r;
	to = host_store_change(rd->to, there);
	to->state = from->state;
	to->is_listed = from->is_listed;
	to->is_named = from->is_named;
	to->was_read = from->was_read;
	to->was_listed = from->was_listed;
	to->error = from->error;
	to->read_error = from->read_error;
	to->list_error = from->list_error;
	if (from->state == HOST_STATE_LINK)
		r = copy_link(rd, at, there, path);
	else if (has_content(from))
		r = copy_content(rd, at, there, path);
	return rd->map.ran_out ? -ENOMEM : r;
}

/* Of the running system; of another root its files and its log tell. */
static void add_own_name(struct redact_map *m)
{
	struct utsname u;

	if (uname(&u) == 0)
		redact_log_host(m, u.nodename);
}

int capture_redact(struct host **h, struct error *e)
{
	AUTO_STORE struct host_store *to = NULL;
	AUTO_FREE char *root = strdup(host_root(*h));
	struct redaction rd = { 0 };
	bool is_live = host_is_live(*h);
	int r = root ? capture_replay(h, e) : error_nomem(e);

	if (r == 0)
		r = host_store_new(&to, e);
	if (r < 0)
		return r;
	rd.from = host_store_of(host_source(*h));
	rd.to = to;
	host_store_set_index(to, host_store_is_partial(rd.from));
	host_store_change(to, HOST_STORE_ROOT)->is_listed =
		host_store_node(rd.from, HOST_STORE_ROOT)->is_listed;
	if (is_live)
		add_own_name(&rd.map);
	r = host_index_walk(rd.from, look, &rd);
	if (r == 0)
		r = host_index_walk(rd.from, copy, &rd);
	/* The report tells it. */
	if (r == 0)
		redact_map_apply(&rd.map, root, strlen(root), REDACT_PROSE);
	if (rd.map.ran_out)
		r = -ENOMEM;
	redact_map_done(&rd.map);
	if (r == -ENOMEM)
		return error_nomem(e);
	if (r < 0)
		return error_set(e, r, "cannot redact: %s", strerror(-r));
	host_close(TAKE(*h));
	return host_open_store(root, TAKE(to), h, e);
}
