/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "remedy.h"

#include <sriovctl/bootcfg_remedy.h>
#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/cpuinfo.h>
#include <sriovctl/dmi.h>
#include <sriovctl/finding.h>
#include <sriovctl/firmware.h>
#include <sriovctl/iommu.h>
#include <sriovctl/machine.h>
#include <sriovctl/modules.h>
#include <sriovctl/pf.h>

#include <errno.h>
#include <string.h>

/* Setup items are named after the platform; the CPU's vendor serves where no IOMMU shows. */
static enum platform_cpu setup_cpu(const struct host *h)
{
	const struct cpuinfo *cpu = NULL;

	switch (iommu_kind(h)) {
	case IOMMU_INTEL:
		return PLATFORM_CPU_INTEL;
	case IOMMU_AMD:
		return PLATFORM_CPU_AMD;
	case IOMMU_SMMU:
		return PLATFORM_CPU_ARM;
	case IOMMU_NONE:
	case IOMMU_VIRTIO:
	case IOMMU_OTHER:
	case IOMMU_KIND_MAX:
		break;
	}
	if (cpuinfo_get(h, &cpu, NULL) < 0)
		return PLATFORM_CPU_UNKNOWN;
	if (cpu->arch == CPUINFO_ARM)
		return PLATFORM_CPU_ARM;
	if (strcmp(cpu->vendor, "GenuineIntel") == 0)
		return PLATFORM_CPU_INTEL;
	if (strcmp(cpu->vendor, "AuthenticAMD") == 0 || strcmp(cpu->vendor, "HygonGenuine") == 0)
		return PLATFORM_CPU_AMD;
	return PLATFORM_CPU_UNKNOWN;
}

void remedy_setup(struct finding *f, const struct host *h, enum platform_item item)
{
	AUTO_BUF struct buf text = { 0 };
	struct platform p = { .cpu = setup_cpu(h) };
	const struct platforms *table = NULL;
	const struct dmi *dmi = NULL;

	if (dmi_get(h, &dmi, NULL) == 0) {
		p.vendor = dmi->vendor.text;
		p.product = dmi->product.text;
	}
	if (platforms_get(h, &table, NULL) == 0 &&
	    platform_remedy(table, &p, item, &text, NULL) == 0)
		finding_remedy(f, "%s", finding_text(f, &text));
	else
		(void)finding_nomem(f);
}

void remedy_switch_on(struct finding *f, const struct host *h, const struct pf *pf)
{
	AUTO_BUF struct buf text = { 0 };

	if (pf->nic && nics_switch_on(pf->nic->family, pf->dev->name, &text))
		finding_remedy(f, "%s", finding_text(f, &text));
	else
		remedy_setup(f, h, PLATFORM_NIC);
}

enum actor remedy_iommu_actor(const struct host *h)
{
	if (firmware_is_off_by_cmdline(h))
		return ACTOR_CMDLINE;
	return machine_is_guest(h) ? ACTOR_HARDWARE : ACTOR_FIRMWARE;
}

enum actor remedy_irqremap_actor(const struct host *h, enum irqremap_cause cause)
{
	switch (cause) {
	case IRQREMAP_NO_TABLE:
		return remedy_iommu_actor(h);
	case IRQREMAP_CMDLINE:
	case IRQREMAP_LEFT_OFF:
		return ACTOR_CMDLINE;
	case IRQREMAP_BROKEN:
	case IRQREMAP_HARDWARE:
	case IRQREMAP_NO_ITS:
		return ACTOR_HARDWARE;
	case IRQREMAP_IOAPIC:
		return ACTOR_VENDOR;
	case IRQREMAP_KERNEL:
		return ACTOR_OS;
	case IRQREMAP_NOT_OFFERED:
	case IRQREMAP_REFUSED:
	case IRQREMAP_CAUSE_NONE:
		break;
	}
	return ACTOR_FIRMWARE;
}

bool remedy_ask_xen(struct finding *f, const struct host *h, const char *answer)
{
	const struct machine *m = NULL;

	if (machine_get(h, &m, NULL) < 0 || !m->is_xen_control)
		return false;
	finding_note(f, m->guest_source, NULL, "%s", m->guest_observed);
	finding_remedy(f, "Ask Xen, as root in this domain: %s.", answer);
	return true;
}

typedef void cmdline_remedy(const struct bootcfg *cfg, const char *words, struct buf *ret);

static void say_cmdline(struct finding *f, const struct host *h, const char *word,
			cmdline_remedy *how)
{
	AUTO_BUF struct buf text = { 0 };
	const struct bootcfg *cfg = NULL;

	if (bootcfg_get(h, &cfg, NULL) < 0)
		return;
	how(cfg, word, &text);
	finding_remedy(f, "%s", finding_text(f, &text));
}

void remedy_cmdline_add(struct finding *f, const struct host *h, const char *word)
{
	finding_karg(f, false, word);
	say_cmdline(f, h, word, bootcfg_remedy_add);
}

void remedy_cmdline_remove(struct finding *f, const struct host *h, const char *word)
{
	finding_karg(f, true, word);
	say_cmdline(f, h, word, bootcfg_remedy_remove);
}

/* Out of "key=a,b" on the command line: the word, or @what of its list. */
static void say_unlist(struct finding *f, const struct host *h, const char *word, const char *what)
{
	if (!strchr(word, ','))
		remedy_cmdline_remove(f, h, word);
	else
		finding_remedy(f, "Take %s out of %s on the kernel command line, then reboot.",
			       what, word);
}

/* The last such word counts, and names are as the kernel spells them (kernel/module/main.c). */
bool remedy_module_blacklist(struct finding *f, const struct host *h,
			     const struct modules_info *info, const char *name)
{
	AUTO_FREE char *spelled = modules_name(name);
	AUTO_BUF struct buf word = { 0 };
	const struct cmdline *c = NULL;
	const char *list =
		cmdline_get(h, &c, NULL) == 0 ? cmdline_value(c, "module_blacklist") : NULL;
	bool is_named;

	if (!spelled)
		f->error = -ENOMEM;
	if (!spelled || !list)
		return false;
	is_named = cmdline_list_has(list, spelled);
	for (size_t i = 0; !is_named && i < info->needs.n; i++)
		is_named = cmdline_list_has(list, info->needs.items[i]);
	if (!is_named)
		return false;
	buf_printf(&word, "module_blacklist=%s", list);
	finding_note(f, CMDLINE_PATH, "no such word", "%s", finding_text(f, &word));
	say_unlist(f, h, finding_text(f, &word),
		   finding_path(f, "%s, and what it needs,", spelled));
	return true;
}

const char *remedy_autoload(struct finding *f, const struct host *h,
			    const struct modules_info *info, const char *name, enum actor *ret)
{
	static const char key[] = "modprobe.blacklist";
	AUTO_FREE char *spelled = modules_name(name);
	const struct cmdline *c = NULL;

	if (!spelled)
		f->error = -ENOMEM;
	if (info->blacklist) {
		finding_note(f, info->blacklist_source, "no such line", "%s", info->blacklist);
		finding_remedy(f,
			       "Take the line \"%s\" out of %s, then load the driver: modprobe "
			       "%s.",
			       info->blacklist, info->blacklist_source, name);
		*ret = ACTOR_OS;
		return "modprobe.d";
	}
	if (!spelled || cmdline_get(h, &c, NULL) < 0 || !cmdline_has_item(c, key, spelled))
		return NULL;
	for (size_t i = 0; i < c->words.n; i++) {
		const char *list = cmdline_word_value(c->words.items[i], key);

		if (!list || !cmdline_list_has(list, spelled))
			continue;
		finding_note(f, CMDLINE_PATH, "no such word", "%s", c->words.items[i]);
		say_unlist(f, h, c->words.items[i], spelled);
	}
	finding_remedy(f, "Until then, load the driver by its name: modprobe %s.", name);
	*ret = ACTOR_CMDLINE;
	return "modprobe.blacklist on the command line";
}

void remedy_install(struct finding *f, const struct modules_info *info)
{
	finding_note(f, info->install_source, "no such line", "%s", info->install);
	finding_remedy(f, "Take the line \"%s\" out of %s.", info->install, info->install_source);
}
