/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "holders_look.h"

#include <sriovctl/claims.h>
#include <sriovctl/error.h>
#include <sriovctl/holders.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/procs.h>
#include <sriovctl/strv.h>

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX (16u << 20)

/* The word at @index of a line, from 0. */
static bool word_at(const char *line, size_t len, unsigned index, struct buf *ret)
{
	const char *end = line + len, *word;
	size_t n;

	buf_clear(ret);
	for (unsigned i = 0; i <= index; i++)
		if (!parse_word(&line, &word, &n) || word >= end)
			return false;
	buf_append(ret, word, n);
	return true;
}

/* "36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/root rw" (man 5 proc) */
static bool is_mount_of(const char *line, size_t len, const char *path, const char *number)
{
	AUTO_BUF struct buf word = { 0 };
	unsigned i = 3;

	if (*number && word_at(line, len, 2, &word) && strcmp(buf_text(&word), number) == 0)
		return true;
	while (word_at(line, len, i++, &word))
		if (strcmp(buf_text(&word), "-") == 0)
			return word_at(line, len, i + 1, &word) &&
			       strcmp(buf_text(&word), path) == 0;
	return false;
}

void holders_parse_mounts(const char *mountinfo, const char *path, const char *number,
			  struct buf *ret)
{
	const char *line;
	size_t len;

	while (parse_line(&mountinfo, &line, &len)) {
		if (!is_mount_of(line, len, path, number))
			continue;
		(void)word_at(line, len, 4, ret);
		return;
	}
}

bool holders_parse_swaps(const char *swaps, const char *path)
{
	AUTO_BUF struct buf word = { 0 };
	const char *line;
	size_t len;

	while (parse_line(&swaps, &line, &len))
		if (word_at(line, len, 0, &word) && strcmp(buf_text(&word), path) == 0)
			return true;
	return false;
}

/* Has an earlier process of the same namespace told of its mounts? */
static bool is_read(const struct procs *p, const bool *told, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (told[k] && p->mounts[k].inode == p->mounts[i].inode)
			return true;
	return false;
}

/* Mounts of every namespace that a process is in, of which some may have ended meanwhile. */
static void look_at_mounts(struct holders_look *l, const char *name, const char *path,
			   const char *number, struct strv *users)
{
	size_t n = l->procs ? l->procs->n_mounts : 0;
	AUTO_FREE bool *told = calloc(n + 1, sizeof(*told));

	if (!told)
		(void)host_nomem(l->h, NULL);
	for (size_t i = 0; told && i < n; i++) {
		AUTO_BUF struct buf text = { 0 }, where = { 0 };

		if (is_read(l->procs, told, i) ||
		    host_read(l->h, TEXT_MAX, &text, NULL, "/proc/%u/mountinfo",
			      l->procs->mounts[i].pid) < 0)
			continue;
		told[i] = true;
		holders_parse_mounts(buf_text(&text), path, number, &where);
		if (where.len > 0)
			holders_look_add(l, users, "its block device %s is mounted at %s", name,
					 buf_text(&where));
	}
}

static void look_at_openers(struct holders_look *l, enum procs_kind kind, const char *name,
			    const char *number, struct strv *users)
{
	for (size_t i = 0; l->procs && i < l->procs->n_handles; i++) {
		const struct procs_handle *handle = &l->procs->handles[i];
		AUTO_BUF struct buf text = { 0 }, who = { 0 };

		buf_printf(&text, "%u:%u", handle->major, handle->minor);
		if (handle->kind != kind || strcmp(buf_text(&text), number) != 0)
			continue;
		holders_look_process(l, handle->process, &who);
		holders_look_add(l, users, "%s has its %s %s open", buf_text(&who),
				 kind == PROCS_BLOCK ? "block device" : "device", name);
	}
}

/* "ng1n1" of "nvme1n1": the namespace for commands that pass by the block layer. */
static void look_at_generic(struct holders_look *l, const char *disk, struct strv *users)
{
	AUTO_BUF struct buf name = { 0 }, number = { 0 };

	buf_printf(&name, "ng%s", disk + strlen("nvme"));
	if (host_attr(l->h, &number, NULL, "/sys/class/nvme-generic/%s/dev", buf_text(&name)) == 0)
		look_at_openers(l, PROCS_CHAR, buf_text(&name), buf_text(&number), users);
}

/* A RAID, a device mapper's volume. */
static void look_above(struct holders_look *l, const char *name, struct strv *users)
{
	AUTO_STRV struct strv above = { 0 };

	if (host_list(l->h, &above, NULL, "/sys/class/block/%s/holders", name) < 0)
		return;
	for (size_t i = 0; i < above.n; i++)
		holders_look_add(l, users, "%s stands on its block device %s", above.items[i],
				 name);
}

/* A disk or a partition. */
static void look_at_block(struct holders_look *l, const char *name, struct strv *users)
{
	AUTO_BUF struct buf number = { 0 }, path = { 0 }, swaps = { 0 };

	if (host_attr(l->h, &number, NULL, "/sys/class/block/%s/dev", name) < 0)
		buf_clear(&number);
	buf_printf(&path, "/dev/%s", name);
	look_above(l, name, users);
	holders_export(l, name, buf_text(&path), buf_text(&number), users);
	look_at_mounts(l, name, buf_text(&path), buf_text(&number), users);
	if (host_read(l->h, TEXT_MAX, &swaps, NULL, "/proc/swaps") == 0 &&
	    holders_parse_swaps(buf_text(&swaps), buf_text(&path)))
		holders_look_add(l, users, "its block device %s is swap space", name);
	look_at_openers(l, PROCS_BLOCK, name, buf_text(&number), users);
}

static void look_at_parts(struct holders_look *l, const char *disk, struct strv *users)
{
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf prefix = { 0 };

	buf_printf(&prefix, "%sp", disk);
	if (host_list(l->h, &names, NULL, "/sys/class/block/%s", disk) < 0)
		return;
	for (size_t i = 0; i < names.n; i++)
		if (parse_has_prefix(names.items[i], buf_text(&prefix)))
			look_at_block(l, names.items[i], users);
}

/*
 * Whom nothing above names: a mount in a namespace without processes, the devices of a pool
 * but the first, a target.
 */
static void look_at_claim(struct holders_look *l, const char *disk, struct strv *users)
{
	struct error e = { 0 };
	bool is_claimed = false;
	int r = claims_read(l->h, disk, &is_claimed, &e);

	/* Nor would another see it here: a copy of a host, an ordinary user. */
	if (r == -ENODATA || (r < 0 && l->blind.len > 0))
		return;
	if (r < 0)
		holders_look_add(l, users,
				 "whether its block device %s is used could not be told: %s", disk,
				 e.text);
	else if (is_claimed)
		holders_look_add(
			l, users,
			"the kernel has given its block device %s to one user alone: a file "
			"system, a pool, a target",
			disk);
}

static void look_at_disk(struct holders_look *l, const char *disk, struct strv *users)
{
	size_t before = users->n;

	look_at_block(l, disk, users);
	look_at_parts(l, disk, users);
	look_at_generic(l, disk, users);
	/* Not asked in vain, as it keeps others from the disk for an instant. */
	if (users->n == before)
		look_at_claim(l, disk, users);
}

/*
 * "nvme1n1", or of several paths to one disk "nvme1c2n1", which stands for "nvme1n1"
 * (drivers/nvme/host/multipath.c, nvme_mpath_set_disk_name).
 */
static bool disk_of(const char *name, struct buf *ret)
{
	const char *n = strrchr(name, 'n'), *c = strrchr(name, 'c');

	if (!parse_has_prefix(name, "nvme") || !n || n == name || !isdigit((unsigned char)n[1]))
		return false;
	if (c && c < n)
		buf_printf(ret, "%.*s%s", (int)(c - name), name, n);
	else
		buf_puts(ret, name);
	return true;
}

void holders_block(struct holders_look *l, const char *bdf, struct strv *users)
{
	AUTO_STRV struct strv controllers = { 0 };

	if (host_list(l->h, &controllers, NULL, PCIDEV_PATH "/%s/nvme", bdf) < 0)
		return;
	for (size_t i = 0; i < controllers.n; i++) {
		AUTO_STRV struct strv names = { 0 };

		if (host_list(l->h, &names, NULL, PCIDEV_PATH "/%s/nvme/%s", bdf,
			      controllers.items[i]) < 0)
			continue;
		for (size_t k = 0; k < names.n; k++) {
			AUTO_BUF struct buf disk = { 0 };

			if (disk_of(names.items[k], &disk))
				look_at_disk(l, buf_text(&disk), users);
		}
	}
}
