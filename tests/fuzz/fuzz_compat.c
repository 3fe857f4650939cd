/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/compat_judge.h>
#include <sriovctl/error.h>
#include <sriovctl/version_kernel.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read can be asked: of a card, its driver and its kernel. */
static void ask(const struct compat_table *t)
{
	const struct compat_table *tables[] = { &compat_built_in, t };
	const struct compat c = { .tables = tables, .n = 2 };
	AUTO_COMPAT_JUDGEMENT struct compat_judgement firmware = { 0 };
	AUTO_COMPAT_JUDGEMENT struct compat_judgement driver = { 0 };
	AUTO_COMPAT_JUDGEMENT struct compat_judgement bios = { 0 };
	AUTO_COMPAT_KERNEL struct compat_kernel kernel = { 0 };
	struct version_kernel k = { 0 };
	const struct compat_function f = {
		.vendor = 0x8086,
		.device = 0x1572,
		.driver = "i40e",
		.driver_version = "2.22.18",
		.tree = COMPAT_OUT_OF_TREE,
		.firmware = "9.20 0x8000d8bd 1.3353.0",
		.release = "5.14.0-427.13.1.el9_4.x86_64",
		.kernel = &k,
	};

	if (version_kernel_parse(f.release, NULL, NULL, &k, NULL) < 0 ||
	    compat_judge_firmware(&c, &f, &firmware, NULL) < 0 ||
	    compat_judge_driver(&c, &f, &driver, NULL) < 0 ||
	    compat_judge_bios(&c, "Dell Inc.", "PowerEdge R750", "1.8.2", &bios, NULL) < 0 ||
	    compat_judge_kernel(&c, &f, &kernel) < 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_COMPAT_TABLE struct compat_table *t = NULL;
	struct error e = { 0 };

	if (compat_parse((const char *)data, size, "f", &compat_built_in, &t, &e) < 0) {
		/* Every refusal has a place. */
		if (strncmp(e.text, "f:", 2) != 0)
			abort();
		return 0;
	}
	ask(t);
	return 0;
}
