/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trees of /proc and /sys as they stood, below any folder of what was sent.  Those that
 * somebody copied whole are taken as a plain tree is; of a sosreport, which picks files, that
 * something is not in a folder says nothing.
 */
#include "import_impl.h"

#include <sriovctl/buf.h>
#include <sriovctl/bundle.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <string.h>

/* Where a tree is, in the paths of the members of one thing that was given. */
struct base {
	size_t given, len; /* what stands before "proc" or "sys" */
	const char *path;
	bool is_whole;
};

static bool begins_with_any(const char *text, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *p = text_after(text, words[i]);

		if (p && (*p == '\0' || *p == '/'))
			return true;
	}
	return false;
}

/* Is this, from here on, a path as of the root of a host? */
static bool is_host_path(const char *path)
{
	static const char *const sure[] = {
		"proc/cmdline", "proc/cpuinfo", "proc/interrupts", "proc/version",
		"proc/modules", "proc/iomem",	"sys/bus/pci",	   "sys/class",
		"sys/devices",	"sys/kernel",	"sys/firmware",	   "sys/module",
	};

	return begins_with_any(path, sure, ARRAY_SIZE(sure));
}

static bool find_base(const struct bundle *b, struct base *ret)
{
	for (size_t i = 0; i < bundle_count(b); i++) {
		const struct bundle_member *m = bundle_member(b, i);

		for (const char *p = m->path; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL) {
			if (!is_host_path(p))
				continue;
			*ret = (struct base){ .given = m->given,
					      .len = (size_t)(p - m->path),
					      .path = m->path,
					      .is_whole = true };
			return true;
		}
	}
	return false;
}

/* The path of a member as of the root of the host; NULL: it is not in the tree. */
static const char *path_in(const struct base *base, const struct bundle_member *m)
{
	if (m->given != base->given || strlen(m->path) < base->len ||
	    strncmp(m->path, base->path, base->len) != 0)
		return NULL;
	return m->path + base->len;
}

/* What checks read; logs are looked through like all others. */
static bool is_taken(const char *path)
{
	static const char *const tops[] = { "proc",
					    "sys",
					    "boot",
					    "lib",
					    "usr",
					    "run",
					    "etc/modprobe.d",
					    "etc/default/grub",
					    "etc/os-release",
					    "etc/kernel" };

	return begins_with_any(path, tops, ARRAY_SIZE(tops)) && !strstr(path, "/..");
}

static int put(struct import *i, const struct bundle *b, size_t n, const char *path, bool is_whole)
{
	const struct bundle_member *m = bundle_member(b, n);
	AUTO_BUF struct buf content = { 0 };
	int r;

	if (m->kind == BUNDLE_FOLDER) {
		if (is_whole)
			host_make_all(i->make, "/%s", path);
		else
			host_make_folder(i->make, "/%s", path);
		return 0;
	}
	r = bundle_read(b, n, &content, NULL);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	if (m->kind == BUNDLE_LINK)
		host_make_link(i->make, buf_text(&content), "/%s", path);
	else
		host_make_file(i->make, buf_text(&content), content.len, "/%s", path);
	return 0;
}

/* Does somebody's choice of files stand beside the tree? */
static bool is_choice(const struct bundle *b, const struct base *base)
{
	static const char *const marks[] = { "sos_commands", "sos_logs", "sos_reports" };

	for (size_t i = 0; i < bundle_count(b); i++) {
		const char *path = path_in(base, bundle_member(b, i));

		if (path && begins_with_any(path, marks, ARRAY_SIZE(marks)))
			return true;
	}
	return false;
}

int tree_take(struct import *i, const struct bundle *b, size_t *taken, struct error *e)
{
	struct base base;
	int r = 0;

	if (!find_base(b, &base))
		return 0;
	base.is_whole = !is_choice(b, &base);
	for (size_t n = 0; r == 0 && n < bundle_count(b); n++) {
		const char *path = path_in(&base, bundle_member(b, n));

		if (!path || !is_taken(path) || bundle_refused(b, n))
			continue;
		taken[n] = 1;
		r = put(i, b, n, path, base.is_whole);
	}
	return r < 0 ? error_nomem(e) : 0;
}
