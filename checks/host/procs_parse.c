/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "procs_text.h"

#include <sriovctl/buf.h>
#include <sriovctl/parse.h>

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define BDF_LEN_MAX 17 /* a domain of eight digits */

/* Linux include/uapi/linux/capability.h */
#define CAP_SYS_PTRACE 19

#define VFIO_DEVICE "anon_inode:[vfio-device]"

void procs_text_put(struct buf *ret, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = iscntrl((unsigned char)text[i]) ? '?' : text[i];

		buf_append(ret, &c, 1);
	}
}

void procs_text_handle(struct buf *ret, enum procs_kind kind, uint32_t major, uint32_t minor,
		       const char *name, size_t len)
{
	buf_printf(ret, "handle\t%d\t%u\t%u\t", (int)kind, major, minor);
	procs_text_put(ret, name, len);
	buf_puts(ret, "\n");
}

static bool starts(const char *text, size_t len, const char *prefix)
{
	return len >= strlen(prefix) && memcmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_number(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	return len > 0;
}

/* Where the last part of the path begins. */
static size_t last_part(const char *path, size_t len)
{
	while (len > 0 && path[len - 1] != '/')
		len--;
	return len;
}

/* "uio0" of "/dev/uio0", wherever the process has its /dev. */
static bool is_device(const char *name, size_t len)
{
	static const char *const prefixes[] = { "uio", "uverbs", "vfio", "vhost-vdpa-" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t n = strlen(prefixes[i]);

		if (starts(name, len, prefixes[i]) && is_number(name + n, len - n))
			return true;
	}
	return false;
}

/* "resource0", "resource2_wc": what sysfs has for each BAR. */
static bool is_bar(const char *name, size_t len)
{
	static const char prefix[] = "resource";
	size_t n = sizeof(prefix) - 1;

	return starts(name, len, prefix) && len > n && isdigit((unsigned char)name[n]);
}

void procs_parse_bdf(const char *path, size_t len, struct buf *ret)
{
	while (len > 0) {
		size_t start = last_part(path, len);
		char name[BDF_LEN_MAX + 1] = "";
		struct bdf bdf;

		if (len - start < sizeof(name)) {
			memcpy(name, path + start, len - start);
			if (parse_bdf(name, &bdf) == 0) {
				buf_puts(ret, name);
				return;
			}
		}
		len = start > 0 ? start - 1 : 0;
	}
}

/* What comes behind the address, the rights, the offset, the device and the inode. */
static const char *path_of(const char *line, size_t len, size_t *ret_len)
{
	size_t at = 0;

	for (int field = 0; field < 5; field++) {
		while (at < len && line[at] != ' ')
			at++;
		while (at < len && line[at] == ' ')
			at++;
	}
	*ret_len = len - at;
	return line + at;
}

void procs_parse_mapping(const char *line, size_t len, struct buf *ret)
{
	static const char deleted[] = " (deleted)";
	size_t start, n, cut = sizeof(deleted) - 1;
	const char *path = path_of(line, len, &n);
	AUTO_BUF struct buf bdf = { 0 };

	if (n > cut && memcmp(path + n - cut, deleted, cut) == 0)
		n -= cut;
	if (n == strlen(VFIO_DEVICE) && starts(path, n, VFIO_DEVICE)) {
		procs_text_handle(ret, PROCS_VFIO_MEMORY, 0, 0, "", 0);
		return;
	}
	start = last_part(path, n);
	if (start == 0)
		return;
	if (is_device(path + start, n - start)) {
		procs_text_handle(ret, PROCS_CHAR, 0, 0, path + start, n - start);
	} else if (is_bar(path + start, n - start)) {
		procs_parse_bdf(path, start - 1, &bdf);
		if (bdf.len > 0)
			procs_text_handle(ret, PROCS_PCI_MEMORY, 0, 0, buf_text(&bdf), bdf.len);
	}
}

/* --- namespaces ---------------------------------------------------------------------------- */

int procs_parse_space(const char *link, uint64_t *ret)
{
	const char *start = strchr(link, '['), *end = start ? strchr(start, ']') : NULL;
	AUTO_BUF struct buf number = { 0 };

	if (!end || end[1])
		return -EINVAL;
	buf_append(&number, start + 1, (size_t)(end - start - 1));
	return parse_u64(buf_text(&number), 10, UINT64_MAX, ret);
}

static bool is_octal(const char *text, size_t len)
{
	return len >= 4 && text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] >= '0' &&
	       text[2] <= '7' && text[3] >= '0' && text[3] <= '7';
}

/* A blank in a path is "\\040" (man 5 proc). */
static void put_path(const char *text, size_t len, struct buf *ret)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (is_octal(text + i, len - i)) {
			c = (char)((text[i + 1] - '0') << 6 | (text[i + 2] - '0') << 3 |
				   (text[i + 3] - '0'));
			i += 3;
		}
		buf_append(ret, &c, 1);
	}
}

/* "36 35 0:4 net:[4026532281] /run/netns/blue rw shared:1 - nsfs nsfs rw" */
static bool take_net_mount(const char *line, size_t line_len, struct buf *ret_link,
			   struct buf *ret_path)
{
	const char *word, *end = line + line_len;
	size_t len;

	for (int i = 0; i < 4; i++)
		if (!parse_word(&line, &word, &len) || word >= end)
			return false;
	if (!starts(word, len, "net:["))
		return false;
	buf_clear(ret_link);
	buf_append(ret_link, word, len);
	if (!parse_word(&line, &word, &len) || word >= end)
		return false;
	if (ret_path) {
		buf_clear(ret_path);
		put_path(word, len, ret_path);
	}
	return true;
}

bool procs_parse_net_mount(const char **mountinfo, struct buf *ret_link, struct buf *ret_path)
{
	const char *line;
	size_t len;

	while (parse_line(mountinfo, &line, &len))
		if (take_net_mount(line, len, ret_link, ret_path))
			return true;
	return false;
}

/* sk RefCnt Type Proto Iface R Rmem User Inode (net/packet/af_packet.c, packet_seq_show) */
bool procs_parse_packet(const char **packets, int *ret_index, struct buf *ret_inode)
{
	const char *line, *word;
	size_t len, word_len;

	while (parse_line(packets, &line, &len)) {
		const char *end = line + len;
		uint64_t index = 0;
		unsigned i = 0;

		for (; i < 9 && parse_word(&line, &word, &word_len) && word < end; i++) {
			buf_clear(ret_inode);
			buf_append(ret_inode, word, word_len);
			if (i == 4 && parse_u64(buf_text(ret_inode), 10, INT32_MAX, &index) < 0)
				break;
		}
		*ret_index = (int)index;
		if (i == 9 && index > 0)
			return true;
	}
	return false;
}

/* --- QEMU -------------------------------------------------------------------------------- */

/* The next argument; each ends in a NUL. */
static bool next_argument(const char **at, size_t *left, const char **ret, size_t *ret_len)
{
	if (*left == 0)
		return false;
	*ret = *at;
	*ret_len = strnlen(*at, *left);
	*at += *ret_len;
	*left -= *ret_len;
	if (*left > 0) {
		(*at)++;
		(*left)--;
	}
	return true;
}

/* "guest=NAME,debug-threads=on", or "NAME,process=X"; a comma in a name is doubled. */
static void put_name(const char *text, size_t len, struct buf *ret)
{
	static const char key[] = "guest=";
	size_t i = starts(text, len, key) ? sizeof(key) - 1 : 0;

	for (; i < len; i++) {
		if (text[i] == ',' && (i + 1 == len || text[i + 1] != ','))
			return;
		i += text[i] == ',';
		procs_text_put(ret, text + i, 1);
	}
}

static bool is_option(const char *text, size_t len, const char *name)
{
	size_t dashes = starts(text, len, "--") ? 2 : starts(text, len, "-") ? 1 : 0;

	return dashes > 0 && len - dashes == strlen(name) &&
	       memcmp(text + dashes, name, len - dashes) == 0;
}

void procs_parse_guest(const char *cmdline, size_t len, struct buf *ret)
{
	const char *text, *uuid = NULL, *program;
	size_t n, uuid_len = 0;

	if (!next_argument(&cmdline, &len, &program, &n) ||
	    (!memmem(program, n, "qemu", 4) && !memmem(program, n, "kvm", 3)))
		return;
	while (next_argument(&cmdline, &len, &text, &n)) {
		if (is_option(text, n, "uuid"))
			(void)next_argument(&cmdline, &len, &uuid, &uuid_len);
		if (!is_option(text, n, "name") || !next_argument(&cmdline, &len, &text, &n))
			continue;
		put_name(text, n, ret);
		return;
	}
	if (uuid)
		procs_text_put(ret, uuid, uuid_len);
}

bool procs_parse_rights(const char *status)
{
	static const char key[] = "CapEff:";
	const char *line, *word;
	size_t len, word_len;

	while (parse_line(&status, &line, &len)) {
		const char *rest = line + sizeof(key) - 1;
		AUTO_BUF struct buf number = { 0 };
		uint64_t set;

		if (!starts(line, len, key) || !parse_word(&rest, &word, &word_len))
			continue;
		buf_append(&number, word, word_len);
		return buf_error(&number) == 0 &&
		       parse_u64(buf_text(&number), 16, UINT64_MAX, &set) == 0 &&
		       (set >> CAP_SYS_PTRACE & 1);
	}
	return false;
}
