/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that write sriov_numvfs: a shell's redirection or tee, an assignment of udev, sysfs.conf
 * or tuned, a line of tmpfiles.d.  One that only reads it is none.
 */
#include "rivals_lines.h"

#include <string.h>

#define ATTRIBUTE "sriov_numvfs"
#define BLANKS	  " \t"

/* "ATTR{device/sriov_numvfs}="8"" and "class/net/ens1f0/device/sriov_numvfs = 8". */
static bool is_assigned(const char *line, const char *at, const char *end)
{
	const char *behind = at + strlen(ATTRIBUTE);

	/* A variable of a shell may have the same name. */
	if (at == line || (at[-1] != '/' && at[-1] != '{'))
		return false;
	while (behind < end && strchr("\"'}" BLANKS, *behind))
		behind++;
	return behind < end && *behind == '=' && !(behind + 1 < end && behind[1] == '=');
}

/* Where the path or word that ends at @at begins. */
static const char *word_start(const char *line, const char *at)
{
	while (at > line && !strchr(BLANKS ";|&<>(", at[-1]))
		at--;
	return at;
}

/* "> PATH" and ">> PATH", and not the "2> ..." of another descriptor. */
static bool is_redirected(const char *line, const char *word)
{
	while (word > line && strchr(BLANKS, word[-1]))
		word--;
	if (word == line || word[-1] != '>')
		return false;
	word--;
	if (word > line && word[-1] == '>')
		word--;
	return word == line || word[-1] != '2';
}

/* "| tee [-a] PATH ..." */
static bool is_teed(const char *line, const char *word)
{
	const char *p = word;

	while (p > line && !strchr(";|&<>", p[-1]))
		p--;
	p += strspn(p, BLANKS);
	if (strncmp(p, "sudo ", 5) == 0)
		p += 5 + strspn(p + 5, BLANKS);
	return strncmp(p, "tee ", 4) == 0 || strncmp(p, "/usr/bin/tee ", 13) == 0;
}

/* tmpfiles.d(5): "w" writes; others of its kinds do not, to a file that is there. */
static bool is_tmpfiles(const struct rivals_line *l, const char *word)
{
	const char *p = l->start;

	if (*p != 'w')
		return false;
	p++;
	p += strspn(p, "+!-=~^$");
	return p + strspn(p, BLANKS) == word && p < word;
}

/* The value of udev's KEY=="...", for a key that is of the function or its interface. */
static bool match_of_rule(const struct rivals_line *l, const char *key, const char **ret,
			  size_t *ret_len)
{
	const char *end = l->start + l->len, *p = memmem(l->start, l->len, key, strlen(key));

	if (!p || (p > l->start && !strchr(BLANKS ",", p[-1])))
		return false;
	*ret = p + strlen(key);
	*ret_len = 0;
	while (*ret + *ret_len < end && (*ret)[*ret_len] != '"')
		(*ret_len)++;
	return true;
}

static bool component_behind(const char *word, const char *at, const char *folder, const char **ret,
			     size_t *ret_len)
{
	const char *p = memmem(word, (size_t)(at - word), folder, strlen(folder));

	if (!p)
		return false;
	*ret = p + strlen(folder);
	*ret_len = 0;
	while (*ret + *ret_len < at && (*ret)[*ret_len] != '/')
		(*ret_len)++;
	return true;
}

static void add(struct rivals_file *f, const struct rivals_line *l, const char *word,
		const char *at)
{
	const char *target = NULL;
	size_t len = 0;

	if (!component_behind(word, at, "class/net/", &target, &len) &&
	    !component_behind(word, at, "bus/pci/devices/", &target, &len) &&
	    !match_of_rule(l, "KERNELS==\"", &target, &len) &&
	    !match_of_rule(l, "KERNEL==\"", &target, &len) &&
	    !match_of_rule(l, "NAME==\"", &target, &len))
		target = NULL;
	rivals_lines_add(f, l, target, len);
}

static bool parse_line_of(struct rivals_file *f, const struct rivals_line *l)
{
	const char *end = l->start + l->len, *p = l->start;

	while ((p = memmem(p, (size_t)(end - p), ATTRIBUTE, strlen(ATTRIBUTE)))) {
		const char *word = word_start(l->start, p);

		if (is_assigned(l->start, p, end) || is_redirected(l->start, word) ||
		    is_teed(l->start, word) || is_tmpfiles(l, word)) {
			add(f, l, word, p);
			return true;
		}
		p += strlen(ATTRIBUTE);
	}
	return false;
}

void rivals_writer_parse(struct rivals_file *f)
{
	struct rivals_line l = { .next = f->text };

	while (f->r == 0 && rivals_lines_next(&l))
		(void)parse_line_of(f, &l);
}
