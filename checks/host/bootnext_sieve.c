/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bootnext_form.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <strings.h>

/* By their beginnings, where a '.' or '_' ends them, else whole; '-' and '_' are the same. */
static const char *const kept[] = {
	"acpi",
	"amd_iommu",
	"amd_iommu_intr",
	"arm_smmu.",
	"arm_smmu_v3.",
	"bnxt_en.",
	"default_hugepagesz",
	"disableapic",
	"hugepages",
	"hugepagesz",
	"i40e.",
	"ice.",
	"igb.",
	"intel_iommu",
	"intremap",
	"iommu",
	"iommu.",
	"iommufd.",
	"irqaffinity",
	"isolcpus",
	"ivrs_",
	"ixgbe.",
	"kvm.",
	"kvm_amd.",
	"kvm_intel.",
	"lockdown",
	"maxcpus",
	"mlx4_core.",
	"mlx5_core.",
	"modprobe.blacklist",
	"module.sig_enforce",
	"module_blacklist",
	"noapic",
	"nohz_full",
	"nointremap",
	"nolapic",
	"nomodule",
	"nosmp",
	"nosmt",
	"nox2apic",
	"nr_cpus",
	"pci",
	"pcie_",
	"pci_",
	"pcie_acs_override",
	"rcu_nocbs",
	"rd.driver.blacklist",
	"vfio.",
	"vfio_pci.",
	"vfio_iommu_type1.",
	"x2apic_phys",
};

static bool begins(const char *word, const char *key, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char a = word[i] == '-' ? '_' : word[i], b = key[i] == '-' ? '_' : key[i];

		if (a != b || !a)
			return false;
	}
	return true;
}

bool bootnext_matters(const char *word)
{
	/* What has blanks in it is for a debugger. */
	for (size_t i = 0; !strpbrk(word, " \t") && i < ARRAY_SIZE(kept); i++) {
		size_t n = strlen(kept[i]);

		if (!begins(word, kept[i], n))
			continue;
		if (strchr("._", kept[i][n - 1]) || word[n] == '=' || word[n] == '\0')
			return true;
	}
	return false;
}

bool bootnext_form_of(const char *path, enum bootnext_form *ret)
{
	static const struct {
		const char *glob;
		enum bootnext_form form;
	} forms[] = {
		{ .glob = "*/grub.cfg", .form = BOOTNEXT_GRUB },
		{ .glob = "/boot/grub*/" BOOTNEXT_CUSTOM, .form = BOOTNEXT_GRUB },
		{ .glob = "/etc/grub2.cfg", .form = BOOTNEXT_GRUB },
		{ .glob = "/etc/grub2-efi.cfg", .form = BOOTNEXT_GRUB },
		{ .glob = "*/grubenv", .form = BOOTNEXT_ENV },
		{ .glob = "*/loader/entries/*.conf", .form = BOOTNEXT_ENTRY },
		{ .glob = "*/extlinux.conf", .form = BOOTNEXT_EXTLINUX },
		{ .glob = "/boot/firmware/cmdline.txt", .form = BOOTNEXT_PLAIN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		if (fnmatch(forms[i].glob, path, 0) != 0)
			continue;
		*ret = forms[i].form;
		return true;
	}
	return false;
}

bool bootnext_form_is_rescue(const char *word)
{
	static const char *const words[] = { "single", "recovery", "rescue", "emergency" };

	return PARSE_IS_ONE_OF(word, words);
}

/* Of the words of a command line those that matter, variables, and what marks a rescue. */
static void keep_words(const char *words, struct buf *ret)
{
	AUTO_BUF struct buf word = { 0 };

	while (cmdline_next_word(&words, &word)) {
		const char *w = buf_text(&word);

		if (bootnext_matters(w) || bootnext_form_is_rescue(w) ||
		    (strchr(w, '$') && !strpbrk(w, " \t")))
			buf_printf(ret, " %s", w);
	}
	if (buf_error(&word) < 0)
		ret->error = buf_error(&word);
}

static bool is_word(const char *word, size_t len, const char *list)
{
	const char *it;
	size_t n;

	while (parse_word(&list, &it, &n))
		if (n == len && strncasecmp(it, word, n) == 0)
			return true;
	return false;
}

void bootnext_form_unquote(const char *text, struct buf *ret)
{
	size_t len = strlen(text);

	if (len > 1 && (*text == '"' || *text == '\'') && text[len - 1] == *text) {
		text++;
		len -= 2;
	}
	buf_append(ret, text, len);
}

/* "set name=value": of the variables that can stand in a command line, or that choose. */
static void keep_variable(const char *rest, struct buf *ret)
{
	size_t n = strcspn(rest, "=");

	if (!rest[n])
		return;
	if (is_word(rest, n, "default saved_entry next_entry"))
		buf_puts(ret, rest);
	else if (is_word(rest, n, "kernelopts default_kernelopts tuned_params extra_cmdline")) {
		AUTO_BUF struct buf value = { 0 };

		bootnext_form_unquote(rest + n + 1, &value);
		buf_append(ret, rest, n);
		buf_puts(ret, "=\"");
		keep_words(buf_text(&value), ret);
		buf_puts(ret, "\"");
		if (buf_error(&value) < 0)
			ret->error = buf_error(&value);
	}
}

/* The kernel's path, which is the first, and then words. */
static void keep_kernel(const char *rest, struct buf *ret)
{
	const char *word;
	size_t len;

	if (!parse_word(&rest, &word, &len))
		return;
	buf_append(ret, word, len);
	keep_words(rest, ret);
}

/* Up to the end of the first thing in quotes. */
static void keep_title(const char *rest, struct buf *ret)
{
	char quote = *rest;
	const char *end = quote == '\'' || quote == '"' ? strchr(rest + 1, quote) : NULL;

	buf_append(ret, rest, end ? (size_t)(end - rest) + 1 : strcspn(rest, " \t"));
}

static void keep_all(const char *rest, struct buf *ret)
{
	buf_puts(ret, rest);
}

/* By the first word of a line, in all forms. */
static const struct {
	const char *words;
	void (*keep)(const char *rest, struct buf *ret); /* NULL: nothing but the word */
} lines[] = {
	{ .words = "linux linuxefi linux16 kernel", .keep = keep_kernel },
	{ .words = "options append", .keep = keep_words },
	{ .words = "menuentry submenu", .keep = keep_title },
	{ .words = "set", .keep = keep_variable },
	{ .words = "blscfg multiboot multiboot2 xen_hypervisor }" },
	{ .words = "title version label default source .", .keep = keep_all },
};

static void keep_line(enum bootnext_form form, const char *line, struct buf *ret)
{
	const char *rest = line, *word;
	size_t len;

	if (form == BOOTNEXT_PLAIN)
		return keep_words(line, ret);
	if (form == BOOTNEXT_ENV)
		return keep_variable(line, ret);
	if (!parse_word(&rest, &word, &len))
		return;
	rest += strspn(rest, " \t");
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (!is_word(word, len, lines[i].words))
			continue;
		buf_append(ret, word, len);
		buf_puts(ret, " ");
		if (lines[i].keep)
			lines[i].keep(rest, ret);
	}
}

/* GRUB joins it to the next line; elsewhere, and in a comment, a backslash is a letter. */
static bool ends_joined(const char *line, size_t len)
{
	return len > 0 && line[len - 1] == '\\' && line[strspn(line, " \t")] != '#';
}

void bootnext_sieve(enum bootnext_form form, const char *text, size_t len, struct buf *ret)
{
	AUTO_BUF struct buf whole = { 0 }, line = { 0 };
	const char *cursor, *start;
	size_t n;

	buf_append(&whole, text, strnlen(text, len));
	cursor = buf_text(&whole);
	while (parse_line(&cursor, &start, &n)) {
		AUTO_BUF struct buf out = { 0 };
		bool joins = form == BOOTNEXT_GRUB && *cursor && ends_joined(start, n);

		buf_append(&line, start, n - joins);
		if (joins) {
			buf_puts(ret, "\n");
			continue;
		}
		buf_rtrim(&line);
		keep_line(form, buf_text(&line), &out);
		buf_rtrim(&out);
		buf_puts(ret, buf_text(&out));
		buf_puts(ret, "\n");
		buf_clear(&line);
		if (buf_error(&out) < 0)
			ret->error = buf_error(&out);
	}
	if (buf_error(&whole) < 0 || buf_error(&line) < 0)
		ret->error = -ENOMEM;
}
