/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "redact_log.h"

#include "capture_list.h"
#include "redact_map.h"

#include <sriovctl/buf.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define UUID_TEXT 36
#define SHORT_MIN 8

/* @name with another text in place of each of its dashes. */
static void add_spelling(struct redact_map *m, const char *name, const char *dash)
{
	AUTO_BUF struct buf other = { 0 };

	for (; *name; name++)
		if (*name == '-')
			buf_puts(&other, dash);
		else
			buf_append(&other, name, 1);
	m->ran_out |= buf_error(&other) < 0;
	redact_map_add_word(m, REDACT_IS_HOST, buf_text(&other));
}

static void add_host(struct redact_map *m, const char *name)
{
	/* As it is; of a logical volume; of that, and of what has its name, in a unit's. */
	static const char *const dashes[] = { "-", "--", "\\x2d", "\\x2d\\x2d" };

	for (size_t i = 0; i < (strchr(name, '-') ? ARRAY_SIZE(dashes) : 1); i++)
		add_spelling(m, name, dashes[i]);
}

static bool has_word(const char *path, const char *word)
{
	size_t len = strlen(word);

	for (const char *hit = path; (hit = strcasestr(hit, word)); hit++)
		if ((hit == path || !isalnum((unsigned char)hit[-1])) &&
		    !isalnum((unsigned char)hit[len]))
			return true;
	return false;
}

/* "boot", "network": files and texts are found by such names, whatever a host is called. */
static bool is_part_of_paths(const char *word)
{
	const char *const *const lists[] = { capture_list, capture_list_function };

	for (size_t i = 0; *word && i < ARRAY_SIZE(lists); i++)
		for (size_t k = 0; lists[i][k]; k++)
			if (has_word(lists[i][k], word))
				return true;
	return false;
}

void redact_log_host(struct redact_map *m, const char *name)
{
	AUTO_FREE char *first = strndup(name, strcspn(name, "."));

	m->ran_out |= !first;
	/* The longer one first, as the first that fits counts. */
	if (strchr(name, '.'))
		add_host(m, name);
	if (first && !is_part_of_paths(first))
		add_host(m, first);
}

/* A UUID that is none of RFC 9562: of a partition in an MBR, of a FAT. */
static bool is_short_uuid(const char *word)
{
	size_t len = strlen(word);

	return len >= SHORT_MIN && len < UUID_TEXT &&
	       strspn(word, "0123456789abcdefABCDEF-") == len;
}

/* What stands behind @before, up to one of @end. */
static void find_behind(struct redact_map *m, const char *text, const char *before, const char *end,
			enum redact_kind kind)
{
	bool is_uuid = kind == REDACT_IS_UUID;
	const char *hit = text;

	while ((hit = strstr(hit, before))) {
		AUTO_FREE char *name = NULL;

		hit += strlen(before);
		name = strndup(hit, strcspn(hit, end));
		m->ran_out |= !name;
		if (name && kind == REDACT_IS_HOST)
			redact_log_host(m, name);
		else if (name && (!is_uuid || is_short_uuid(name)))
			redact_map_add_word(m, REDACT_IS_SERIAL, name);
	}
}

/* "rd.iscsi.password", "systemd.set_credential", "netroot", which has the ones of iSCSI. */
static bool is_secret(const char *name, size_t len)
{
	static const char *const parts[] = { "passw", "passphrase", "secret", "credential",
					     "token", "api_key",    "apikey" };

	if (len == strlen("netroot") && memcmp(name, "netroot", len) == 0)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (memmem(name, len, parts[i], strlen(parts[i])))
			return true;
	return false;
}

/* Where the value of a parameter ends, which may be in quotes. */
static size_t value_length(const char *value)
{
	size_t len = 0;
	bool quoted = false;

	for (; value[len] && value[len] != '\n' && (quoted || value[len] != ' '); len++)
		quoted ^= value[len] == '"';
	return len;
}

static void hide_secrets(char *text)
{
	for (char *at = text; *at;) {
		size_t name = strcspn(at, "= \n\""), value;

		if (at[name] != '=') {
			at += name + (at[name] != '\0');
			continue;
		}
		value = value_length(at + name + 1);
		if (is_secret(at, name))
			memset(at + name + 1, 'X', value);
		at += name + 1 + (is_secret(at, name) ? value : 0);
	}
}

void redact_log_find(struct redact_map *m, char *text)
{
	if (!text)
		return;
	hide_secrets(text);
	find_behind(m, text, "systemd.hostname=", " \n\"", REDACT_IS_HOST);
	find_behind(m, text, "ostname set to <", ">\n", REDACT_IS_HOST);
	find_behind(m, text, "et hostname to <", ">\n", REDACT_IS_HOST);
	find_behind(m, text, "UUID=", " \n\"\'", REDACT_IS_UUID);
	/* udev(7): made of the model and the serial number. */
	find_behind(m, text, "/dev/disk/by-id/", " \n\"\':,", REDACT_IS_SERIAL);
	/* drivers/usb/core/hub.c, announce_device() */
	find_behind(m, text, "SerialNumber: ", "\n", REDACT_IS_SERIAL);
}

void redact_log_find_serials(struct redact_map *m, const char *text)
{
	find_behind(m, text, "serial_number ", "\n", REDACT_IS_SERIAL);
}
