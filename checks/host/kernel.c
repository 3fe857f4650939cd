/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/kernel.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define CONFIG_MAX (4 * 1024 * 1024)

/* The third word of "Linux version 6.1.0-57-amd64 (...". */
static int release_of_version(const struct host *h, struct buf *ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	const char *cursor, *word;
	size_t len;
	int r = host_attr(h, &text, e, "/proc/version");

	if (r < 0)
		return r;
	cursor = buf_text(&text);
	for (int i = 0; i < 3; i++)
		if (!parse_word(&cursor, &word, &len))
			return error_set(e, -EINVAL, "/proc/version: no kernel release in it");
	buf_append(ret, word, len);
	return buf_error(ret) < 0 ? error_nomem(e) : 0;
}

/* It becomes part of paths: nothing that leads elsewhere. */
static bool is_release(const char *text)
{
	return *text >= '0' && *text <= '9' && !strchr(text, '/') && !strstr(text, "..");
}

static unsigned take_number(const char **text)
{
	unsigned n = 0;

	while (**text >= '0' && **text <= '9' && n < 100000)
		n = n * 10 + (unsigned)(*(*text)++ - '0');
	return n;
}

static int read_kernel(const struct host *h, struct kernel *ret, struct error *e)
{
	AUTO_BUF struct buf release = { 0 };
	const char *p;
	int r = host_attr(h, &release, e, "/proc/sys/kernel/osrelease");

	if (r < 0) {
		buf_clear(&release);
		r = release_of_version(h, &release, e);
	}
	if (r < 0)
		return r;
	p = buf_text(&release);
	if (!is_release(p))
		return error_set(e, -EINVAL, "\"%s\" is not a kernel release", p);
	ret->major = take_number(&p);
	p += *p == '.';
	ret->minor = take_number(&p);
	ret->release = buf_take(&release);
	return ret->release ? 0 : error_nomem(e);
}
HOST_FACT_DEFINE(kernel, read_kernel)

void kernel_done(struct kernel *k)
{
	free(k->release);
	*k = (struct kernel){ 0 };
}

bool kernel_is_at_least(const struct kernel *k, unsigned major, unsigned minor)
{
	return k->major > major || (k->major == major && k->minor >= minor);
}

/* The bytes of a gzip file. */
static int unpack(const struct buf *packed, struct buf *ret)
{
	z_stream z = { .next_in = (unsigned char *)packed->data,
		       .avail_in = (unsigned)packed->len };
	int r = Z_OK;

	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return -ENOMEM;
	while (r == Z_OK && ret->len <= CONFIG_MAX) {
		char *room = buf_reserve(ret, 65536);

		if (!room)
			break;
		z.next_out = (unsigned char *)room;
		z.avail_out = 65536;
		r = inflate(&z, Z_NO_FLUSH);
		ret->len += 65536 - z.avail_out;
		ret->data[ret->len] = '\0';
	}
	(void)inflateEnd(&z);
	if (buf_error(ret) < 0)
		return buf_error(ret);
	return r == Z_STREAM_END ? 0 : -EINVAL;
}

static int read_packed(const struct host *h, const char *path, struct buf *ret, struct error *e)
{
	AUTO_BUF struct buf packed = { 0 };
	int r = host_read(h, CONFIG_MAX, &packed, e, "%s", path);

	if (r < 0)
		return r;
	r = unpack(&packed, ret);
	return r < 0 ? error_set(e, r, "%s: not a gzip file", path) : 0;
}

/* In an empty or other file each symbol would look as if it were off. */
static bool is_config(const struct buf *text)
{
	return strstr(buf_text(text), "\nCONFIG_") || parse_has_prefix(buf_text(text), "CONFIG_");
}

/* Owns @source from the call on. */
static int keep_config(struct kconfig *ret, char *source, struct buf *text)
{
	ret->source = source;
	ret->text = buf_take(text);
	return ret->source && ret->text ? 0 : -ENOMEM;
}

static int read_kconfig(const struct host *h, struct kconfig *ret, struct error *e)
{
	static const struct {
		const char *before, *behind; /* the release */
	} places[] = {
		{ .before = "/boot/config-", .behind = "" },
		{ .before = "/lib/modules/", .behind = "/config" },
		{ .before = "/usr/lib/modules/", .behind = "/config" },
	};
	AUTO_BUF struct buf text = { 0 };
	struct buf path = { 0 };
	const struct kernel *k;
	int r = kernel_get(h, &k, e);

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(places); i++) {
		if (host_read(h, CONFIG_MAX, &text, NULL, "%s%s%s", places[i].before, k->release,
			      places[i].behind) < 0 ||
		    !is_config(&text))
			continue;
		buf_printf(&path, "%s%s%s", places[i].before, k->release, places[i].behind);
		return keep_config(ret, buf_take(&path), &text);
	}
	buf_clear(&text);
	r = read_packed(h, "/proc/config.gz", &text, e);
	if (r < 0)
		return r;
	if (!is_config(&text))
		return error_set(e, -EINVAL, "/proc/config.gz: not a kernel configuration");
	return keep_config(ret, strdup("/proc/config.gz"), &text);
}
HOST_FACT_DEFINE(kconfig, read_kconfig)

void kconfig_done(struct kconfig *k)
{
	free(k->source);
	free(k->text);
	*k = (struct kconfig){ 0 };
}

/* Does "CONFIG_", that a line of @text begins with, perhaps behind "# ", end at @symbol? */
static bool is_named(const char *text, const char *symbol)
{
	static const char prefix[] = "CONFIG_", off[] = "# ";
	const char *line = symbol;

	while (line > text && line[-1] != '\n')
		line--;
	line += parse_has_prefix(line, off) ? strlen(off) : 0;
	return parse_has_prefix(line, prefix) && line + strlen(prefix) == symbol;
}

/* Behind "CONFIG_SYMBOL" in the line that names it; NULL without one. */
static const char *find_symbol(const struct kconfig *k, const char *symbol)
{
	size_t n = strlen(symbol);

	/* The empty one is found at the end, too, behind which nothing is to be looked at. */
	for (const char *s = strstr(k->text, symbol); s && *s; s = strstr(s + 1, symbol))
		if ((s[n] == '=' || s[n] == ' ') && is_named(k->text, s))
			return s + n;
	return NULL;
}

/* Does the line end behind this @value? */
static bool is_value(const char *line, const char *value)
{
	size_t n = strlen(value);

	return strncmp(line, value, n) == 0 && (line[n] == '\0' || line[n] == '\n');
}

enum kconfig_answer kconfig_ask(const struct kconfig *k, const char *symbol)
{
	const char *value = find_symbol(k, symbol);

	if (!value)
		return KCONFIG_ABSENT;
	if (is_value(value, "=y") || is_value(value, "=m"))
		return KCONFIG_ON;
	return is_value(value, " is not set") || is_value(value, "=n") ? KCONFIG_OFF
								       : KCONFIG_ABSENT;
}

bool kconfig_is_on(const struct kconfig *k, const char *symbol)
{
	return kconfig_ask(k, symbol) == KCONFIG_ON;
}
