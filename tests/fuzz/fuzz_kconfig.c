/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/base.h>
#include <sriovctl/kernel.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = strndup((const char *)data, size);
	struct kconfig k = { .text = text };

	if (!text)
		abort();
	/* On only where the symbol stands in the text. */
	if (kconfig_is_on(&k, "PCI_IOV") && !strstr(text, "CONFIG_PCI_IOV="))
		abort();
	(void)kconfig_is_on(&k, "");
	return 0;
}
