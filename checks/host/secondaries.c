/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/secondaries.h>

#include "host_answer.h"
#include "host_live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define IDENTIFY	0x06
#define CNS_SECONDARIES 0x15

/* A list is a number of entries, and behind the first of these lengths the entries. */
#define LIST_SIZE  4096
#define ENTRY_SIZE 32
#define ENTRIES	   (LIST_SIZE / ENTRY_SIZE - 1)
#define ONLINE	   1u

/* Status Code Type and Status Code of an answer (4.2.3), of which the rest may vary. */
#define STATUS_MASK	      0x7ff
#define STATUS_INVALID_OPCODE 0x001
#define STATUS_INVALID_FIELD  0x002

static uint16_t load16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

/* --- the running system ---------------------------------------------------------------------- */

static int open_name(const char *name, int access)
{
	AUTO_BUF struct buf path = { 0 };
	int fd;

	buf_printf(&path, "/dev/%s", name);
	if (buf_error(&path) < 0)
		return -ENOMEM;
	fd = open(buf_text(&path), access | O_CLOEXEC);
	return fd < 0 ? errno == ENOENT ? -ENODEV : -errno : fd;
}

int secondaries_open(const char *bdf, int access)
{
	AUTO_BUF struct buf path = { 0 };
	int r = -ENODEV;
	struct dirent *d;
	DIR *dir;

	buf_printf(&path, PCIDEV_PATH "/%s/nvme", bdf);
	if (buf_error(&path) < 0)
		return -ENOMEM;
	dir = opendir(buf_text(&path));
	if (!dir)
		return errno == ENOENT ? -ENODEV : -errno;
	while (r == -ENODEV && (d = readdir(dir)))
		if (parse_has_prefix(d->d_name, "nvme"))
			r = open_name(d->d_name, access);
	(void)closedir(dir);
	return r;
}

static int identify(int fd, uint16_t first, uint8_t list[LIST_SIZE])
{
	struct nvme_admin_cmd command = {
		.opcode = IDENTIFY,
		.addr = (uintptr_t)list,
		.data_len = LIST_SIZE,
		.cdw10 = CNS_SECONDARIES | (uint32_t)first << 16,
	};
	int r = ioctl(fd, NVME_IOCTL_ADMIN_CMD, &command), status = r & STATUS_MASK;

	if (r < 0)
		return -errno;
	if (status == STATUS_INVALID_OPCODE || status == STATUS_INVALID_FIELD)
		return -EOPNOTSUPP;
	return r == 0 ? 0 : -EIO;
}

/* A list begins with the controller that is asked for, or the next one there is. */
int secondaries_ask(int fd, struct buf *ret)
{
	uint32_t first = 0;

	while (first <= UINT16_MAX) {
		uint8_t list[LIST_SIZE] = { 0 };
		int r = identify(fd, (uint16_t)first, list);
		uint32_t last;

		if (r < 0)
			return r;
		buf_append(ret, list, sizeof(list));
		if (list[0] < ENTRIES)
			break;
		last = load16(list + (size_t)ENTRIES * ENTRY_SIZE);
		if (last < first)
			return -EIO;
		first = last + 1;
	}
	return buf_error(ret);
}

int secondaries_answer(const char *which, struct buf *ret)
{
	AUTO_CLOSE int fd = secondaries_open(which, O_RDONLY);

	return fd < 0 ? fd : secondaries_ask(fd, ret);
}

/* --- what it answered ---------------------------------------------------------------------- */

static struct secondaries_item entry_of(const uint8_t *p)
{
	return (struct secondaries_item){
		.controller = load16(p),
		.is_online = p[4] & ONLINE,
		.vf = load16(p + 8),
		.vq = load16(p + 10),
		.vi = load16(p + 12),
	};
}

int secondaries_parse(const void *data, size_t len, struct secondaries *ret)
{
	AUTO_SECONDARIES struct secondaries v = { 0 };
	const uint8_t *list = data;

	if (len == 0 || len % LIST_SIZE != 0)
		return -EBADMSG;
	v.items = calloc(len / LIST_SIZE, ENTRIES * sizeof(*v.items));
	if (!v.items)
		return -ENOMEM;
	for (; len > 0; list += LIST_SIZE, len -= LIST_SIZE) {
		if (list[0] > ENTRIES)
			return -EBADMSG;
		for (size_t i = 1; i <= list[0]; i++)
			v.items[v.n++] = entry_of(list + i * ENTRY_SIZE);
	}
	*ret = v;
	v = (struct secondaries){ 0 };
	return 0;
}

int secondaries_read(const struct host *h, const char *bdf, struct secondaries *ret,
		     struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };
	int r = host_answer(h, "secondaries", bdf, &answer, e);

	if (r < 0)
		return error_prefix(e, r, "NVMe controller of %s", bdf);
	r = secondaries_parse(answer.data, answer.len, ret);
	if (r == -ENOMEM)
		return error_nomem(e);
	return r < 0 ? error_set(e, r, "NVMe controller of %s: the answer is damaged", bdf) : 0;
}

void secondaries_done(struct secondaries *v)
{
	free(v->items);
	*v = (struct secondaries){ 0 };
}

const struct secondaries_item *secondaries_find(const struct secondaries *v, uint32_t vf)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->items[i].vf == (uint64_t)vf + 1)
			return &v->items[i];
	return NULL;
}

int secondaries_queues(const struct secondaries_item *s, uint64_t *ret)
{
	if (s->vq != s->vi || s->is_online != (s->vq > 0))
		return -ERANGE;
	*ret = s->vq;
	return 0;
}
