/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which type the IOMMU's domains have, and what set it. */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/iommu.h>

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/finding.h>
#include <sriovctl/firmware.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/klog.h>
#include <sriovctl/machine.h>

#include <errno.h>
#include <string.h>

static const char *describe_type(const char *type)
{
	static const struct {
		const char *type, *text;
	} types[] = {
		{ .type = "DMA", .text = "translated" },
		{ .type = "DMA-FQ", .text = "translated, flushed lazily" },
		{ .type = "identity", .text = "passthrough" },
		{ .type = "blocked", .text = "blocked" },
		{ .type = "unmanaged", .text = "managed by its user" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (strcmp(types[i].type, type) == 0)
			return types[i].text;
	return "of a type this kernel does not tell";
}

/* The word or the build option that chose the default (drivers/iommu/iommu.c). */
static void note_chooser(const struct host *h, struct finding *f)
{
	static const char *const words[] = { "iommu.passthrough", "iommu.strict", "iommu",
					     "intel_iommu", "amd_iommu" };
	static const char *const symbols[] = { "IOMMU_DEFAULT_PASSTHROUGH",
					       "IOMMU_DEFAULT_DMA_LAZY",
					       "IOMMU_DEFAULT_DMA_STRICT" };
	const struct cmdline *c = NULL;
	const struct kconfig *k = NULL;

	for (size_t i = 0; cmdline_get(h, &c, NULL) == 0 && i < ARRAY_SIZE(words); i++) {
		const char *value = cmdline_value(c, words[i]);

		if (value)
			finding_note(f, CMDLINE_PATH, NULL, "%s=%s", words[i], value);
	}
	for (size_t i = 0; kconfig_get(h, &k, NULL) == 0 && i < ARRAY_SIZE(symbols); i++)
		if (kconfig_is_on(k, symbols[i]))
			finding_note(f, k->source, NULL, "CONFIG_%s=y", symbols[i]);
}

static enum verdict run_domain(const struct check_input *in, struct finding *f)
{
	AUTO_BUF struct buf text = { 0 };
	const struct iommu_groups *g = NULL;
	const struct iommu_group_type *most = NULL;
	const char *source;
	enum iommu_state state = iommu_state(in->host, &source, &text);
	int r;

	if (state != IOMMU_ON && machine_is_xen_control(in->host))
		return finding_na(f, "the IOMMU is Xen's: the kernel has no domains");
	if (state == IOMMU_OFF)
		return finding_na(f, "DMA is not translated at all");
	r = iommu_groups_get(in->host, &g, NULL);
	for (size_t i = 0; r == 0 && i < g->n_types; i++) {
		finding_note(f, IOMMU_GROUPS "/*/type", NULL, "%s: %zu", g->types[i].name,
			     g->types[i].n);
		if (!most || g->types[i].n > most->n)
			most = &g->types[i];
	}
	if (most) {
		note_chooser(in->host, f);
		return finding_pass(f, "%zu of %zu groups are %s: %s", most->n, g->n_groups,
				    most->name, describe_type(most->name));
	}
	/* This line says nothing where no IOMMU runs, so it comes after the state. */
	if (state == IOMMU_ON && klog_find(in->host, &text, "iommu: Default domain type: ")) {
		finding_note(f, "kernel log", NULL, "%s", buf_text(&text));
		return finding_pass(f, "%s", buf_text(&text));
	}
	finding_unread(f, in->host, IOMMU_GROUPS, r < 0 ? r : -ENODATA);
	return finding_unknown(f, "the types of the groups are not known");
}

static const struct check checks[] = {
	{
		.id = "iommu.domain",
		.title = "the default type of the IOMMU's domains is known",
		.severity = SEVERITY_INFO,
		.run = run_domain,
		.actor = ACTOR_CMDLINE,
		.remedy = "Choose the type with iommu.passthrough and iommu.strict.",
		.impact =
			"Translation of the host's own DMA costs time; VFs are translated anyway.",
		.reference = "Linux Documentation/ABI/testing/sysfs-kernel-iommu_groups, type",
	},
};
CHECK_GROUP(iommu_domain_checks, checks);
