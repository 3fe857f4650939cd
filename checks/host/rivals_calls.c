/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What units and udev's rules run (systemd.service(5), Exec*=; udev(7), RUN and PROGRAM), what
 * rules have systemd start (systemd.device(5), SYSTEMD_WANTS), and what scripts and lists of
 * commands call: of such a line only paths and names are kept, as what stands beside them may be
 * secrets.
 */
#include "rivals_lines.h"

#include <sriovctl/buf.h>
#include <sriovctl/strv.h>

#include <ctype.h>
#include <errno.h>
#include <string.h>

/*
 * Folders of programs, without the "/" before them: those of administrators, and the system's, of
 * which what a script calls is rarely a script.  In those of systemd's own and of libraries are no
 * scripts of administrators.
 */
static const char *const folders[] = {
	"usr/local/",	 "opt/",      "root/",		 "home/",	"srv/",
	"usr/lib/udev/", "lib/udev/", "etc/infiniband/", "etc/init.d/",
};
static const char *const system_folders[] = { "bin/", "sbin/", "usr/bin/", "usr/sbin/",
					      "usr/libexec/" };
/* What has such a name is a script wherever it is. */
static const char *const endings[] = { ".sh", ".bash", ".py", ".pl" };

#define WANTS "SYSTEMD_WANTS"

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

static bool is_in(const char *path, size_t len, const char *const *in, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = strlen(in[i]);

		if (len > k + 1 && memcmp(path + 1, in[i], k) == 0)
			return true;
	}
	return false;
}

static bool has_ending(const char *path, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		size_t k = strlen(endings[i]);

		if (len > k && memcmp(path + len - k, endings[i], k) == 0)
			return true;
	}
	return false;
}

static bool is_script(const char *path, size_t len)
{
	return is_program(path, len) &&
	       (has_ending(path, len) || is_in(path, len, folders, ARRAY_SIZE(folders)) ||
		is_in(path, len, system_folders, ARRAY_SIZE(system_folders)));
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

/* Behind what a command can stand: of a shell, of ifupdown, of cron, and in lists of YAML. */
static bool is_command(const struct rivals_line *l, size_t at)
{
	static const char *const before[] = { "then", "do",	 "else", "exec", "sudo",
					      "if",   "source",	 ".",	 "up",	 "pre-up",
					      "sh",   "post-up", "bash", "root", "-" };
	static const char marks[] = ";&|({`![,", blanks[] = " \t\"'";
	size_t end;

	if (at > 0 && !strchr(marks, l->start[at - 1]) && !strchr(blanks, l->start[at - 1]))
		return false;
	while (at > 0 && strchr(blanks, l->start[at - 1]))
		at--;
	if (at == 0 || strchr(marks, l->start[at - 1]))
		return true;
	for (end = at;
	     at > 0 && !strchr(marks, l->start[at - 1]) && !strchr(blanks, l->start[at - 1]);)
		at--;
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		if (strlen(before[i]) == end - at &&
		    memcmp(before[i], l->start + at, end - at) == 0)
			return true;
	return false;
}

/* In a line that is not told to be a call. */
static bool is_called(const struct rivals_line *l, size_t at, size_t len)
{
	const char *path = l->start + at;

	return is_program(path, len) &&
	       (has_ending(path, len) ||
		(is_in(path, len, folders, ARRAY_SIZE(folders)) && is_command(l, at)));
}

/* The next path in a line from *@at on; false: none. */
static bool next_path(const struct rivals_line *l, size_t *at, const char **ret, size_t *ret_len)
{
	const bool is_call = calls(l);

	for (size_t i = *at; *l->start != '#' && i < l->len; i++) {
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
		if (is_call ? is_script(*ret, len) : is_called(l, i, len))
			return true;
		i += len;
	}
	return false;
}

/* Behind @key from *@at on, the value in quotes that a rule of udev assigns; false: none. */
static bool next_value(const struct rivals_line *l, const char *key, size_t *at, const char **ret,
		       size_t *ret_len)
{
	const char *end = l->start + l->len, *p = l->start + *at, *q;

	while (*l->start != '#' && (p = memmem(p, (size_t)(end - p), key, strlen(key)))) {
		p += strlen(key);
		q = memchr(p, '"', (size_t)(end - p));
		if (!q || memmem(p, (size_t)(q - p), "builtin", strlen("builtin")) ||
		    p + strspn(p, "{}program+:=e") < q || memmem(p, (size_t)(q - p), "==", 2))
			continue;
		*ret = ++q;
		while (q < end && *q != '"')
			q++;
		*ret_len = (size_t)(q - *ret);
		*at = (size_t)(q - l->start);
		return true;
	}
	return false;
}

/* udev(7): what is run by a name that is no path is in its own folder. */
static int add_name(const char *value, size_t len, struct strv *ret)
{
	AUTO_BUF struct buf path = { 0 };
	size_t n = 0;

	while (n < len && is_of_path(value[n]))
		n++;
	if (n == 0 || *value == '/' || (n < len && value[n] != ' '))
		return 0;
	buf_puts(&path, RIVALS_CALLS_UDEV);
	buf_append(&path, value, n);
	return strv_take(ret, buf_take(&path));
}

/* The services that a value has, of an instance the template's name. */
static int add_units(const char *value, size_t len, struct strv *ret)
{
	static const char service[] = ".service";
	const size_t k = strlen(service);
	const char *end = value + len;
	int r = 0;

	while (r == 0 && value < end) {
		const char *blank = memchr(value, ' ', (size_t)(end - value));
		size_t n = (size_t)((blank ? blank : end) - value), name = 0;
		AUTO_BUF struct buf unit = { 0 };

		while (name < n && value[name] != '@' && is_of_path(value[name]))
			name++;
		if (n > k && memcmp(value + n - k, service, k) == 0 &&
		    (name == n || value[name] == '@')) {
			buf_append(&unit, value, name == n ? n - k : name + 1);
			buf_puts(&unit, service);
			r = strv_take(ret, buf_take(&unit));
		}
		value += n + (blank != NULL);
	}
	return r;
}

/* What a line calls, and what it has systemd start; 0 or -ENOMEM. */
static int find_all(const struct rivals_line *l, struct strv *ret_scripts, struct strv *ret_units)
{
	const char *value;
	size_t at = 0, len;
	int r = 0;

	while (r == 0 && next_path(l, &at, &value, &len))
		r = strv_take(ret_scripts, strndup(value, len));
	for (at = 0; r == 0 && next_value(l, "RUN", &at, &value, &len);)
		r = add_name(value, len, ret_scripts);
	for (at = 0; r == 0 && next_value(l, WANTS, &at, &value, &len);)
		r = add_units(value, len, ret_units);
	return r;
}

static void join(const struct strv *v, const char *before, const char *after, struct buf *ret)
{
	for (size_t i = 0; i < v->n; i++)
		buf_printf(ret, "%s%s", i == 0 ? before : " ", v->items[i]);
	buf_puts(ret, v->n ? after : "");
}

void rivals_calls_sieve(const struct rivals_line *l, struct buf *ret)
{
	AUTO_STRV struct strv scripts = { 0 }, units = { 0 };

	if (find_all(l, &scripts, &units) < 0)
		ret->error = -ENOMEM;
	join(&scripts, begins(l, "Exec") ? "ExecStart=" : "RUN=", "", ret);
	join(&units, " " WANTS "=\"", "\"", ret);
}

static int add_once(const struct strv *v, struct strv *ret)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < v->n; i++)
		if (!strv_has(ret, v->items[i]))
			r = strv_add(ret, v->items[i]);
	return r;
}

int rivals_calls(const char *text, struct strv *ret_scripts, struct strv *ret_units)
{
	struct rivals_line l = { .next = text };
	int r = 0;

	while (r == 0 && rivals_lines_next(&l)) {
		AUTO_STRV struct strv scripts = { 0 }, units = { 0 };

		r = find_all(&l, &scripts, &units);
		if (r == 0)
			r = add_once(&scripts, ret_scripts);
		if (r == 0)
			r = add_once(&units, ret_units);
	}
	return r;
}
