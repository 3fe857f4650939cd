/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text or table through every kind of an import: a host must come out, or a clean error. */
#include "../../import/import_impl.h"
#include "../../import/lspci.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static import_take *const kinds[] = {
	acpi_take_table,     acpi_take_dump,	    smbios_take_text,	  shell_take,
	proc_take_cmdline,   proc_take_cpuinfo,	    proc_take_interrupts, proc_take_iomem,
	proc_take_version,   proc_take_config,	    lscpu_take,		  groups_take,
	ethtool_take_driver, ethtool_take_channels, iplink_take,	  bootlog_take,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct import i = { 0 };
	struct import_text t = { .name = "ethtool_-i_eno1", .len = size };
	AUTO_FREE char *copy = malloc(size + 1);
	AUTO_HOST struct host *h = NULL;
	int r;

	if (!copy || host_make_new(&i.make, NULL) < 0)
		abort();
	memcpy(copy, data, size);
	copy[size] = '\0';
	t.data = copy;
	t.is_binary = memchr(copy, '\0', size) != NULL;
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
		(void)kinds[k](&i, &t);
	sysfs_put(&i);
	bootlog_put(&i);
	if (i.error || i.functions.error)
		abort();
	r = host_make_open(i.make, "fuzz", &h, NULL);
	if (r < 0 && r != -E2BIG && r != -EFBIG)
		abort();
	host_make_free(i.make);
	functions_done(&i.functions);
	buf_done(&i.log);
	free(i.release);
	free(i.image);
	strv_done(&i.conflicts);
	return 0;
}
