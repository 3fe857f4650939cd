/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/base.h>
#include <sriovctl/cpuinfo.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = strndup((const char *)data, size);
	struct cpuinfo c = { 0 };
	int r;

	if (!text)
		abort();
	r = cpuinfo_parse(text, &c);
	if (r < 0 && r != -EINVAL)
		abort();
	if (r < 0)
		return 0;
	/* What cpuinfo.h promises of a file that names a processor. */
	if (c.n_cpus == 0 || !c.vendor || c.flags[0] != ' ' || c.flags[strlen(c.flags) - 1] != ' ')
		abort();
	(void)cpuinfo_has(&c, "vmx");
	(void)cpuinfo_has(&c, "x2apic");
	cpuinfo_done(&c);
	return 0;
}
