/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "modules_impl.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/modules.h>
#include <sriovctl/parse.h>

#include "modules_kmod.h"

#include <errno.h>
#include <string.h>

/* What parts two commands.  Quotes are gone by then: those around what "sh -c" runs, too. */
#define SEPARATORS ";&|(){}`\n"

/* The command without its comment and its quotes. */
static void strip(const char *command, struct buf *ret)
{
	char before = ' ', quote = '\0';

	for (const char *p = command; *p; before = *p++) {
		if (*p == '#' && !quote && strchr(" \t" SEPARATORS, before))
			return;
		if (quote ? *p == quote : *p == '"' || *p == '\'')
			quote = quote ? '\0' : *p;
		else if (*p != '\\')
			buf_append(ret, p, 1);
	}
}

/* The words of one command, without a shell in front of it that does nothing but run it. */
static int split(const char *text, size_t len, struct strv *ret)
{
	static const char *const shells[] = { "sh -c ", "/bin/sh -c ", "bash -c ",
					      "/bin/bash -c " };
	AUTO_BUF struct buf command = { 0 };
	const char *cursor, *word;

	strv_done(ret);
	buf_append(&command, text, len);
	if (buf_error(&command) < 0)
		return -ENOMEM;
	cursor = buf_text(&command) + strspn(buf_text(&command), " \t");
	for (size_t i = 0; i < ARRAY_SIZE(shells); i++) {
		if (parse_has_prefix(cursor, shells[i]))
			cursor += strlen(shells[i]);
	}
	while (parse_word(&cursor, &word, &len)) {
		AUTO_BUF struct buf one = { 0 };

		buf_append(&one, word, len);
		if (strv_take(ret, buf_take(&one)) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* A command that loads nothing, whatever its arguments are.  /dev/null cannot be run at all. */
static bool is_idle(const struct strv *words)
{
	static const char *const idle[] = { "false", "true", ":", "exit",
					    "echo",  "test", "[", "printf" };

	if (words->n == 0 || strcmp(words->items[0], "/dev/null") == 0)
		return true;
	return PARSE_IS_ONE_OF(parse_base_name(words->items[0]), idle);
}

/* A word that changes nothing about what modprobe loads; modprobe itself sets CMDLINE_OPTS. */
static bool is_plain(const char *word)
{
	static const char *const plain[] = { "-i",	     "--ignore-install", "-q", "--quiet",
					     "-v",	     "--verbose",	 "-s", "--syslog",
					     "$CMDLINE_OPTS" };

	return PARSE_IS_ONE_OF(word, plain) || (word[0] != '-' && !strchr(word, '$'));
}

/* "modprobe -i MODULE", with options that matter to nobody and parameters. */
static bool is_loading(const struct strv *words, const char *module)
{
	bool ignores = strv_has(words, "-i") || strv_has(words, "--ignore-install");
	const char *first = NULL;

	if (!ignores || strcmp(parse_base_name(words->items[0]), "modprobe") != 0)
		return false;
	for (size_t i = 1; i < words->n; i++) {
		if (!is_plain(words->items[i]))
			return false;
		if (!first && words->items[i][0] != '-')
			first = words->items[i];
	}
	/* A name is spelled as that of a parameter is: '-' is '_'. */
	return first && !strchr(first, '=') && cmdline_word_value(first, module);
}

int modules_install_read(const char *command, const char *module, enum modules_install *ret)
{
	AUTO_BUF struct buf text = { 0 };
	AUTO_STRV struct strv words = { 0 };
	bool is_first = true;
	const char *cursor;

	strip(command, &text);
	if (buf_error(&text) < 0)
		return -ENOMEM;
	for (cursor = buf_text(&text); *cursor;) {
		size_t len = strcspn(cursor, SEPARATORS);

		if (split(cursor, len, &words) < 0)
			return -ENOMEM;
		cursor += len + strspn(cursor + len, SEPARATORS);
		if (!is_idle(&words)) {
			*ret = is_first && is_loading(&words, module) ? MODULES_INSTALL_LOADS
								      : MODULES_INSTALL_UNCLEAR;
			return 0;
		}
		is_first = is_first && words.n == 0;
	}
	*ret = MODULES_INSTALL_REFUSES;
	return 0;
}

/* Has the command the parameter in it, other than to switch it off? */
static int has_param(const char *command, const char *param, bool *ret)
{
	AUTO_BUF struct buf text = { 0 };
	AUTO_FREE char *spelled = NULL;

	*ret = false;
	strip(command, &text);
	spelled = modules_name(buf_text(&text));
	if (buf_error(&text) < 0 || !spelled)
		return -ENOMEM;
	for (const char *p = spelled; !*ret && (p = strstr(p, param));) {
		p += strlen(param);
		*ret = p[0] != '=' || !strchr("0nN", p[1]) || !p[1];
	}
	return 0;
}

int modules_install_option(const struct modules *m, const char *param, struct buf *ret_line,
			   struct buf *ret_source, struct error *e)
{
	size_t at = 0;
	struct modules_line l;
	bool found = false;

	while (modules_config_next(m, &at, &l)) {
		if (strcmp(l.kind, MODULES_LINE_INSTALL) != 0)
			continue;
		if (has_param(l.text, param, &found) < 0)
			return host_nomem(m->h, e);
		if (!found)
			continue;
		buf_printf(ret_line, "%s %s %s", l.kind, l.module, l.text);
		buf_puts(ret_source, l.source);
		return buf_error(ret_line) < 0 || buf_error(ret_source) < 0 ? host_nomem(m->h, e)
									    : 0;
	}
	if (m->config_error < 0)
		return error_set(e, m->config_error, "modprobe.d: %s", strerror(-m->config_error));
	return error_set(e, -ENOENT, "no install line passes %s", param);
}
