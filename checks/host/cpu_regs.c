/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts that only a CPU instruction or a device node of the running system gives. */
#include <sriovctl/host.h>

#include "host_live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#define MSR_NODE "/dev/cpu/0/msr"

#define HYPERVISOR_LEAVES 0x40000000u
#define EXTENDED_LEAVES	  0x80000000u

/* --- what the running system answers: hexadecimal numbers ---------------------------- */

int cpu_regs_answer_msr(const char *which, struct buf *ret)
{
	AUTO_CLOSE int fd = -1;
	uint64_t reg, value;

	if (parse_u64(which, 16, UINT32_MAX, &reg) < 0)
		return -EINVAL;
	fd = open(MSR_NODE, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (pread(fd, &value, sizeof(value), (off_t)reg) != (ssize_t)sizeof(value))
		return -EIO;
	buf_printf(ret, "%llx\n", (unsigned long long)value);
	return buf_error(ret);
}

#if defined(__x86_64__) || defined(__i386__)
static int ask_cpuid(uint32_t leaf, uint32_t r[4])
{
	if (leaf >= HYPERVISOR_LEAVES && leaf < EXTENDED_LEAVES) {
		/* No leaf tells how many there are; ECX bit 31 of leaf 1 that there are any. */
		if (!__get_cpuid(1, &r[0], &r[1], &r[2], &r[3]) || !(r[2] >> 31))
			return -ENOENT;
		__cpuid_count(leaf, 0, r[0], r[1], r[2], r[3]);
		return 0;
	}
	return __get_cpuid_count(leaf, 0, &r[0], &r[1], &r[2], &r[3]) ? 0 : -ENOENT;
}
#else
static int ask_cpuid(uint32_t leaf, uint32_t r[4])
{
	(void)leaf;
	(void)r;
	return -ENODATA;
}
#endif

int cpu_regs_answer_cpuid(const char *which, struct buf *ret)
{
	uint64_t leaf;
	uint32_t regs[4];
	int r = parse_u64(which, 16, UINT32_MAX, &leaf) < 0 ? -EINVAL : 0;

	if (r == 0)
		r = ask_cpuid((uint32_t)leaf, regs);
	if (r < 0)
		return r;
	buf_printf(ret, "%x %x %x %x\n", regs[0], regs[1], regs[2], regs[3]);
	return buf_error(ret);
}

/* --- what is asked ------------------------------------------------------------------- */

int host_msr(const struct host *h, uint32_t reg, uint64_t *ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_attr(h, &text, NULL, HOST_ANSWERS "/msr/%x", reg);

	if (r == 0 && parse_u64(buf_text(&text), 16, UINT64_MAX, ret) == 0)
		return 0;
	if (r == 0 || r == -EIO)
		return error_set(e, -EIO, MSR_NODE ": cannot read register 0x%x", reg);
	return error_set(e, r, MSR_NODE ": %s", host_why(h, r));
}

/* Four numbers and nothing else. */
static int parse_regs(const char *text, uint32_t ret[4])
{
	const char *word;
	size_t len;

	for (int i = 0; i < 4; i++) {
		char digits[9] = "";
		uint64_t value;

		if (!parse_word(&text, &word, &len) || len >= sizeof(digits))
			return -EINVAL;
		memcpy(digits, word, len);
		if (parse_u64(digits, 16, UINT32_MAX, &value) < 0)
			return -EINVAL;
		ret[i] = (uint32_t)value;
	}
	return parse_word(&text, &word, &len) ? -EINVAL : 0;
}

int host_cpuid(const struct host *h, uint32_t leaf, uint32_t ret[4])
{
	AUTO_BUF struct buf text = { 0 };
	uint32_t regs[4];
	int r = host_attr(h, &text, NULL, HOST_ANSWERS "/cpuid/%x", leaf);

	if (r == 0)
		r = parse_regs(buf_text(&text), regs);
	if (r == 0)
		memcpy(ret, regs, sizeof(regs));
	return r;
}
