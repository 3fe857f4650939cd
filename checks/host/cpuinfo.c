/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/cpuinfo.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* 8192 processors of 1.5 KB each. */
#define CPUINFO_MAX (16 * 1024 * 1024)

/* Behind the colon of "key<blanks>: value"; NULL when the line has another key. */
static const char *line_value(const char *line, size_t len, const char *key, size_t *ret_len)
{
	const char *colon = memchr(line, ':', len);
	size_t n = strlen(key);

	if (!colon || len < n || strncmp(line, key, n) != 0)
		return NULL;
	for (const char *p = line + n; p < colon; p++)
		if (*p != ' ' && *p != '\t')
			return NULL;
	colon += colon + 1 < line + len && colon[1] == ' ' ? 2 : 1;
	*ret_len = (size_t)(line + len - colon);
	return colon;
}

/* 0 for what is no number. */
static int take_number(const char *value, size_t len, uint32_t *ret)
{
	AUTO_FREE char *text = strndup(value, len);
	uint64_t n;

	if (!text)
		return -ENOMEM;
	*ret = parse_u64(text, 10, UINT32_MAX, &n) == 0 ? (uint32_t)n : 0;
	return 0;
}

static int note_apicid(struct cpuinfo *c, const char *value, size_t len)
{
	uint32_t id = 0;
	int r = take_number(value, len, &id);

	if (id > c->max_apicid)
		c->max_apicid = id;
	return r;
}

static int note_line(struct cpuinfo *c, const char *line, size_t len)
{
	const char *value;
	size_t n;

	if (line_value(line, len, "processor", &n))
		c->n_cpus++;
	else if ((value = line_value(line, len, "apicid", &n)))
		return note_apicid(c, value, n);
	else if (!c->siblings && (value = line_value(line, len, "siblings", &n)))
		return take_number(value, n, &c->siblings);
	else if (!c->cores && (value = line_value(line, len, "cpu cores", &n)))
		return take_number(value, n, &c->cores);
	else if (line_value(line, len, "CPU implementer", &n))
		c->arch = CPUINFO_ARM;
	else if (!c->vendor && (value = line_value(line, len, "vendor_id", &n))) {
		/* Of those who print "processor : N" only x86 has it; the flags may be cut off. */
		c->arch = CPUINFO_X86;
		c->vendor = strndup(value, n);
		return c->vendor ? 0 : -ENOMEM;
	} else if (!c->flags && line[len] && (value = line_value(line, len, "flags", &n))) {
		struct buf flags = { 0 };

		c->arch = CPUINFO_X86;
		c->has_flags = true;
		buf_puts(&flags, " ");
		buf_append(&flags, value, n);
		buf_puts(&flags, " ");
		c->flags = buf_take(&flags);
		return c->flags ? 0 : -ENOMEM;
	}
	return 0;
}

int cpuinfo_parse(const char *text, struct cpuinfo *ret)
{
	struct cpuinfo c = { .arch = CPUINFO_OTHER };
	const char *line;
	size_t len;
	int r = 0;

	while (r == 0 && parse_line(&text, &line, &len))
		r = note_line(&c, line, len);
	if (r == 0 && !c.vendor)
		c.vendor = strdup("");
	if (r == 0 && !c.flags)
		c.flags = strdup(" ");
	if (r == 0 && (!c.vendor || !c.flags))
		r = -ENOMEM;
	if (r == 0 && c.n_cpus == 0)
		r = -EINVAL;
	if (r < 0) {
		cpuinfo_done(&c);
		return r;
	}
	*ret = c;
	return 0;
}

void cpuinfo_done(struct cpuinfo *c)
{
	free(c->vendor);
	free(c->flags);
	*c = (struct cpuinfo){ 0 };
}

static int read_cpuinfo(const struct host *h, struct cpuinfo *ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_read(h, CPUINFO_MAX, &text, e, CPUINFO_PATH);

	if (r < 0)
		return r;
	r = cpuinfo_parse(buf_text(&text), ret);
	if (r == -ENOMEM)
		return error_nomem(e);
	return r < 0 ? error_set(e, r, CPUINFO_PATH ": names no processor") : 0;
}
HOST_FACT_DEFINE(cpuinfo, read_cpuinfo)

bool cpuinfo_has(const struct cpuinfo *c, const char *flag)
{
	size_t n = strlen(flag);

	for (const char *p = c->flags; (p = strstr(p, flag)); p += n)
		if (p > c->flags && p[-1] == ' ' && p[n] == ' ')
			return true;
	return false;
}
