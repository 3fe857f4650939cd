/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/smt.h>

#include <sriovctl/buf.h>
#include <sriovctl/cpuinfo.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CPUS	"/sys/devices/system/cpu"
#define CPU_MAX 65536

static int take_number(const char **p, unsigned *ret)
{
	uint64_t n;
	AUTO_FREE char *digits = strndup(*p, strspn(*p, "0123456789"));
	int r = digits ? parse_u64(digits, 10, CPU_MAX, &n) : -ENOMEM;

	if (r < 0)
		return r;
	*p += strlen(digits);
	*ret = (unsigned)n;
	return 0;
}

/* "N" or "N-M". */
static int take_range(const char **p, unsigned *ret_first, unsigned *ret_last)
{
	int r = take_number(p, ret_first);

	*ret_last = *ret_first;
	if (r == 0 && **p == '-') {
		(*p)++;
		r = take_number(p, ret_last);
	}
	return r == 0 && *ret_last < *ret_first ? -EINVAL : r;
}

int smt_count_list(const char *text, unsigned *ret)
{
	unsigned n = 0, first = 0, last = 0;
	int r;

	do {
		r = take_range(&text, &first, &last);
		if (r < 0)
			return r;
		n += last - first + 1;
	} while (n <= CPU_MAX && *text == ',' && *++text);
	if (*text)
		return -EINVAL;
	*ret = n;
	return 0;
}

/* A processor: into @lists what it shares its core with, once for each core. */
static int take_cpu(const struct host *h, const char *name, struct strv *lists, struct smt *ret)
{
	AUTO_BUF struct buf text = { 0 };
	unsigned n = 0;
	int r = host_attr(h, &text, NULL, CPUS "/%s/topology/thread_siblings_list", name);

	/* One that is offline has no such file. */
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	r = smt_count_list(buf_text(&text), &n);
	if (r < 0)
		return r;
	ret->n_cpus++;
	ret->max_threads = n > ret->max_threads ? n : ret->max_threads;
	ret->min_threads = ret->min_threads == 0 || n < ret->min_threads ? n : ret->min_threads;
	return strv_has(lists, buf_text(&text)) ? 0 : strv_add(lists, buf_text(&text));
}

static bool is_cpu(const char *name)
{
	return parse_has_prefix(name, "cpu") && name[3] &&
	       name[3 + strspn(name + 3, "0123456789")] == '\0';
}

static int count_by_topology(const struct host *h, struct smt *ret)
{
	AUTO_STRV struct strv names = { 0 }, lists = { 0 };
	int r = host_list(h, &names, NULL, CPUS);

	for (size_t i = 0; r == 0 && i < names.n; i++)
		if (is_cpu(names.items[i]))
			r = take_cpu(h, names.items[i], &lists, ret);
	if (r == 0 && ret->n_cpus == 0)
		r = -ENODATA;
	ret->source = CPUS "/cpu*/topology";
	ret->n_cores = (unsigned)lists.n;
	return r;
}

/* "siblings" and "cpu cores" count those of one package. */
static int count_by_cpuinfo(const struct host *h, struct smt *ret)
{
	const struct cpuinfo *cpu = NULL;
	int r = cpuinfo_get(h, &cpu, NULL);

	if (r < 0)
		return r;
	if (cpu->siblings == 0 || cpu->cores == 0 || cpu->siblings % cpu->cores)
		return -ENODATA;
	*ret = (struct smt){ .source = CPUINFO_PATH,
			     .n_cpus = cpu->n_cpus,
			     .min_threads = cpu->siblings / cpu->cores };
	ret->max_threads = ret->min_threads;
	return 0;
}

/* Off or not there, no core runs two threads (kernel/cpu.c, active_show). */
static int count_by_control(const struct host *h, struct smt *ret)
{
	AUTO_BUF struct buf active = { 0 }, online = { 0 };
	unsigned n = 0;
	int r = host_attr(h, &active, NULL, CPUS "/smt/active");

	if (r == 0)
		r = host_attr(h, &online, NULL, CPUS "/online");
	if (r == 0)
		r = smt_count_list(buf_text(&online), &n);
	if (r < 0)
		return r;
	if (strcmp(buf_text(&active), "0") != 0)
		return -ENODATA;
	*ret = (struct smt){ .source = CPUS "/smt/active",
			     .n_cpus = n,
			     .n_cores = n,
			     .min_threads = 1,
			     .max_threads = 1 };
	return 0;
}

static int read_smt(const struct host *h, struct smt *ret, struct error *e)
{
	int r = count_by_topology(h, ret);

	if (r < 0 && r != -ENOMEM &&
	    (count_by_cpuinfo(h, ret) == 0 || count_by_control(h, ret) == 0))
		r = 0;
	if (r == -ENOMEM)
		return error_nomem(e);
	return r < 0 ? error_set(e, r, CPUS ": %s", host_why(h, r)) : 0;
}

static void smt_done(struct smt *s)
{
	(void)s;
}
HOST_FACT_DEFINE(smt, read_smt)
