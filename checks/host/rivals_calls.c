/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What units and udev's rules run (systemd.service(5), Exec*=; udev(7), RUN and PROGRAM): of such a
 * line only the paths are kept, as what stands beside them may be secrets.
 */
#include "rivals_lines.h"

#include <sriovctl/buf.h>
#include <sriovctl/strv.h>

#include <ctype.h>
#include <errno.h>
#include <string.h>

/*
 * Folders of programs, without the "/" before them.  In those of systemd's own and of libraries
 * are no scripts of administrators.
 */
static const char *const folders[] = {
	"usr/local/",	 "opt/",      "root/",		 "home/",	"srv/",
	"bin/",		 "sbin/",     "usr/bin/",	 "usr/sbin/",	"usr/libexec/",
	"usr/lib/udev/", "lib/udev/", "etc/infiniband/", "etc/init.d/",
};

/* No scripts, and in more lines than any script. */
static const char *const shells[] = { "sh", "bash", "dash", "env", "sudo", "true", "false" };

static bool is_program(const char *path, size_t len)
{
	static const char rules[] = ".rules", modules[] = "usr/local/lib/";
	const char *name = path + len;

	while (name > path && name[-1] != '/')
		name--;
	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		if (strlen(shells[i]) == (size_t)(path + len - name) &&
		    memcmp(shells[i], name, strlen(shells[i])) == 0)
			return false;
	return len > 0 && path[len - 1] != '/' && !memmem(path, len, "/../", 4) &&
	       !memmem(path, len, rules, strlen(rules)) &&
	       !(len > strlen(modules) && memcmp(path + 1, modules, strlen(modules)) == 0);
}

static bool is_script(const char *path, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		size_t n = strlen(folders[i]);

		if (len > n + 1 && memcmp(path + 1, folders[i], n) == 0)
			return is_program(path, len);
	}
	return false;
}

bool rivals_calls_is_script(const char *path)
{
	return *path == '/' && is_script(path, strlen(path));
}

static bool begins(const struct rivals_line *l, const char *word)
{
	size_t n = strlen(word);

	return l->len > n && memcmp(l->start, word, n) == 0;
}

static bool calls(const struct rivals_line *l)
{
	if (begins(l, "Exec"))
		return memchr(l->start, '=', l->len);
	return *l->start != '#' &&
	       (memmem(l->start, l->len, "RUN", 3) || memmem(l->start, l->len, "PROGRAM", 7)) &&
	       memchr(l->start, '=', l->len);
}

static bool is_of_path(char c)
{
	return isalnum((unsigned char)c) || strchr("._/-+:@", c);
}

/* The next path in a line from *@at on; false: none. */
static bool next_path(const struct rivals_line *l, size_t *at, const char **ret, size_t *ret_len)
{
	for (size_t i = *at; i < l->len; i++) {
		size_t len = 0;

		if (l->start[i] != '/' || (i > 0 && (isalnum((unsigned char)l->start[i - 1]) ||
						     strchr("._/$}%~*", l->start[i - 1]))))
			continue;
		while (i + len < l->len && is_of_path(l->start[i + len]))
			len++;
		*at = i + len;
		/* With a variable in it, it names nothing. */
		if (i + len < l->len && strchr("$%*?[{", l->start[i + len])) {
			i += len;
			continue;
		}
		*ret = l->start + i;
		*ret_len = len;
		if (is_script(*ret, len))
			return true;
		i += len;
	}
	return false;
}

void rivals_calls_sieve(const struct rivals_line *l, struct buf *ret)
{
	const char *path;
	size_t at = 0, len;
	bool is_first = true;

	while (calls(l) && next_path(l, &at, &path, &len)) {
		buf_puts(ret, !is_first ? " " : begins(l, "Exec") ? "ExecStart=" : "RUN=");
		buf_append(ret, path, len);
		is_first = false;
	}
}

int rivals_calls(const char *text, struct strv *ret)
{
	struct rivals_line l = { .next = text };
	int r = 0;

	while (r == 0 && rivals_lines_next(&l)) {
		const char *path;
		size_t at = 0, len;

		while (r == 0 && calls(&l) && next_path(&l, &at, &path, &len)) {
			AUTO_FREE char *copy = strndup(path, len);

			if (!copy)
				return -ENOMEM;
			if (!strv_has(ret, copy))
				r = strv_add(ret, copy);
		}
	}
	return r;
}
