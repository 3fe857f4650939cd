/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a text can be what is in a file.  A shell shows the complaints of programs where a
 * file's content would stand, in any language: so files are known by what they look like.
 */
#include "import_impl.h"

#include <sriovctl/parse.h>

#include <ctype.h>
#include <string.h>

/* "0x8086", "-1", "64", alone in a line. */
static bool is_number(const char *text)
{
	uint64_t number;

	text = text_skip_blanks(text);
	text += *text == '-';
	return text_hex(&text, 16, &number) && text[strspn(text, " \t\r\n")] == '\0';
}

static bool is_numeric(const char *path)
{
	static const char *const prefixes[] = { "sriov_", "subsystem_" };
	static const char *const names[] = {
		"numa_node",
		"enable",
		"msi_bus",
		"d3cold_allowed",
		"ari_enabled",
		"vendor",
		"device",
		"class",
		"max_link_width",
		"revision",
		"irq",
		"current_link_width",
		"broken_parity_status",
	};
	const char *name = strrchr(path, '/') + 1;

	if (!text_after(path, PCIDEV_PATH "/"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_after(name, prefixes[i]))
			return true;
	return PARSE_IS_ONE_OF(name, names);
}

/* "-bash: cannot fork: 16", "ssh: connect to host ...", "u is not in the sudoers file." */
static bool is_complaint(const char *text)
{
	size_t len = strcspn(text, "\n"), word = strspn(text, "abcdefghijklmnopqrstuvwxyz./_-");

	while (len > 0 && strchr(" \t\r", text[len - 1]))
		len--;
	if (word > 0 && word < len && text[word] == ':' && text[word + 1] == ' ')
		return true;
	return len > 1 && text[len - 1] == '.' && memchr(text, ' ', len);
}

/* Words, some of which have a value or are what most have, and no sentence. */
bool content_is_cmdline(const char *text)
{
	static const char *const words[] = { "ro", "rw", "quiet", "splash", "nomodeset" };
	size_t len = strcspn(text, "\n");
	const char *end = text + len;
	bool found = false;

	if (text[len + strspn(text + len, " \r\n")] || is_complaint(text))
		return false;
	for (const char *p = text; p < end; p += strspn(p, " \t\r")) {
		size_t n = strcspn(p, " \t\r\n"), key = strcspn(p, "= \t\r\n\"'");

		/* It would be a prompt, or a line of a log. */
		if (p == text && (key == 0 || strchr("[<#$(", *p)))
			return false;
		found = found || (key > 0 && p[key] == '=');
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			found = found || (strlen(words[i]) == n && strncmp(words[i], p, n) == 0);
		p += n;
	}
	return found;
}

/* Is there a word behind "lahf_lm", and not only its neighbour? */
bool content_flags_are_whole(const char *flags)
{
	const char *end = flags + strcspn(flags, "\n");

	for (const char *p = flags; (p = strstr(p, "lahf_lm ")) && p < end;) {
		bool is_word = p == flags || strchr(" \t", p[-1]);
		const char *rest;

		p += strlen("lahf_lm ");
		rest = text_after(p, "cmp_legacy");
		rest = text_skip_blanks(rest ? rest : p);
		if (is_word && rest < end && *rest != '\r')
			return true;
	}
	return false;
}

static bool is_whole_cpuinfo(const char *text)
{
	const char *flags = text_after(text, "flags"), *p;

	flags = flags ? flags : text_behind(text, "\nflags");
	if (!flags)
		return true;
	p = text_skip_blanks(flags);
	return *p == ':' && content_flags_are_whole(text_skip_blanks(p + 1));
}

bool content_fits(const char *path, const char *text)
{
	if (strcmp(path, "/proc/cmdline") == 0)
		return content_is_cmdline(text);
	if (strcmp(path, "/proc/version") == 0)
		return text_after(text, "Linux version ");
	if (strcmp(path, "/proc/sys/kernel/osrelease") == 0)
		return isdigit((unsigned char)*text) && !memchr(text, ' ', strcspn(text, "\n"));
	if (strcmp(path, "/proc/cpuinfo") == 0)
		return is_whole_cpuinfo(text);
	if (is_numeric(path))
		return is_number(text);
	return !is_complaint(text);
}
