/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/klog.h>

#include "host_live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>

#define SAVED_PATH "/var/log/dmesg"
#define RING	   "kernel log"
#define LOG_MAX	   (32 * 1024 * 1024)
#define LINE_KEPT  160
/* A line or two may come before the version. */
#define FIRST_MAX 300

/* syslog(2): read everything, and the size of the buffer. */
#define ACTION_READ_ALL	   3
#define ACTION_SIZE_BUFFER 10

int klog_answer(const char *which, struct buf *ret)
{
	int size, n = -1;
	char *room;

	if (strcmp(which, "kernel") != 0)
		return -ENOENT;
	size = klogctl(ACTION_SIZE_BUFFER, NULL, 0);
	if (size >= 0) {
		room = buf_reserve(ret, (size_t)size);
		if (!room)
			return buf_error(ret);
		n = klogctl(ACTION_READ_ALL, room, size);
	}
	if (n < 0)
		return -errno;
	ret->len += (size_t)n;
	ret->data[ret->len] = '\0';
	return 0;
}

/* Of a plain tree the log is what dmesg printed. */
static int read_klog(const struct host *h, struct klog *ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_read(h, LOG_MAX, &text, NULL, HOST_ANSWERS "/log/kernel");

	ret->source = RING;
	if (r < 0 && host_is_partial(h)) {
		ret->source = SAVED_PATH;
		r = host_read(h, LOG_MAX, &text, e, SAVED_PATH);
		if (r < 0)
			return r;
	}
	if (r < 0)
		return error_set(e, r, RING ": %s", host_why(h, r));
	ret->text = buf_take(&text);
	return ret->text ? 0 : error_nomem(e);
}
HOST_FACT_DEFINE(klog, read_klog)

void klog_done(struct klog *k)
{
	free(k->text);
	*k = (struct klog){ 0 };
}

/* Behind "<6>[    0.123456] " or "Nov 30 08:00:00 name kernel: [ 0.1] ", as far as it is there. */
static const char *skip_stamp(const char *line, const char *hit)
{
	for (const char *p = line; p < hit; p++)
		if (p[0] == ']' && p[1] == ' ')
			return p + 2;
	return line;
}

static bool find(const struct klog *k, const char *needle, struct buf *ret)
{
	const char *hit = strstr(k->text, needle), *line = hit;
	size_t len;

	if (!hit)
		return false;
	while (line > k->text && line[-1] != '\n')
		line--;
	line = skip_stamp(line, hit);
	len = strcspn(line, "\r\n");
	buf_clear(ret);
	buf_append(ret, line, len < LINE_KEPT ? len : LINE_KEPT);
	return true;
}

/*
 * Initcalls of devices follow those of the root file system, among which the IOMMU drivers are
 * (include/linux/init.h; arch/x86/kernel/pci-dma.c).
 */
bool klog_reaches(const char *text, enum klog_stage stage)
{
	static const char *const brought_up[] = { "Brought up " };
	static const char *const later[] = { "Initialise system trusted keyrings",
					     "Key type asymmetric registered", "io scheduler ",
					     "Freeing unused kernel " };
	const char *const *marks = stage == KLOG_PROCESSORS ? brought_up : later;
	size_t n = stage == KLOG_PROCESSORS ? ARRAY_SIZE(brought_up) : ARRAY_SIZE(later);
	const char *first = strstr(text, "Linux version "), *gap;

	if (!first || first - text > FIRST_MAX)
		return false;
	gap = strstr(first, "\n" KLOG_GAP "\n");
	for (size_t i = 0; i < n; i++) {
		const char *mark = strstr(first, marks[i]);

		if (mark && (!gap || mark < gap))
			return true;
	}
	return false;
}

bool klog_find(const struct host *h, struct buf *ret, const char *fmt, ...)
{
	AUTO_BUF struct buf needle = { 0 };
	const struct klog *k = NULL;
	bool found;

	BUF_FORMAT(&needle, fmt);
	found = klog_get(h, &k, NULL) == 0 && find(k, buf_text(&needle), ret);
	if (buf_error(&needle) < 0 || buf_error(ret) < 0)
		(void)host_nomem(h, NULL);
	return found;
}
