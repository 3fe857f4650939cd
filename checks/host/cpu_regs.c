/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts that only a CPU instruction or a device node of the running system gives. */
#include <sriovctl/host.h>

#include <sriovctl/error.h>

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

int host_msr(const struct host *h, uint32_t reg, uint64_t *ret, struct error *e)
{
	AUTO_CLOSE int fd = -1;
	uint64_t value;

	if (!host_is_live(h))
		return error_set(e, -ENODATA, MSR_NODE ": not captured in this root");
	fd = open(MSR_NODE, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_set(e, -errno, MSR_NODE ": %s", strerror(errno));
	if (pread(fd, &value, sizeof(value), (off_t)reg) != (ssize_t)sizeof(value))
		return error_set(e, -EIO, MSR_NODE ": cannot read register 0x%x", reg);
	*ret = value;
	return 0;
}

#if defined(__x86_64__) || defined(__i386__)
int host_cpuid(const struct host *h, uint32_t leaf, uint32_t ret[4])
{
	uint32_t r[4];

	if (!host_is_live(h))
		return -ENODATA;
	if (leaf >= HYPERVISOR_LEAVES && leaf < EXTENDED_LEAVES) {
		/* No leaf tells how many there are; ECX bit 31 of leaf 1 that there are any. */
		if (!__get_cpuid(1, &r[0], &r[1], &r[2], &r[3]) || !(r[2] >> 31))
			return -ENOENT;
		__cpuid_count(leaf, 0, r[0], r[1], r[2], r[3]);
	} else if (!__get_cpuid_count(leaf, 0, &r[0], &r[1], &r[2], &r[3])) {
		return -ENOENT;
	}
	memcpy(ret, r, sizeof(r));
	return 0;
}
#else
int host_cpuid(const struct host *h, uint32_t leaf, uint32_t ret[4])
{
	(void)h;
	(void)leaf;
	(void)ret;
	return -ENODATA;
}
#endif
