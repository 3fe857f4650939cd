/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a person did in a shell, and pasted: "cat FILE" below /proc and /sys, links that ls -l
 * shows, seen from the folder that cd or the prompt names.
 */
#include "import_impl.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PROMPT_MAX 120

struct shell {
	struct import *i;
	struct buf cwd, path, output; /* @path: of what is shown now; empty: nothing */
	size_t n;
};

/* Behind "root@host:/sys# ", "[root@host ~]$ ", "# ", "$ "; NULL: no prompt. */
static const char *behind_prompt(const char *line)
{
	size_t len = strcspn(line, "#$");

	if (len > PROMPT_MAX || !line[len] || line[len + 1] != ' ')
		return NULL;
	if (len > 0 && line[0] != '[' && memchr(line, ' ', len))
		return NULL;
	/* What is no bare sign names who and where. */
	if (len > 0 && !memchr(line, '@', len) && !memchr(line, '~', len))
		return NULL;
	return text_skip_blanks(line + len + 1);
}

/* The folder in a prompt, "root@host:/sys/bus/pci# ". */
static void take_prompt_folder(struct shell *s, const char *line)
{
	const char *at = strstr(line, ":/");
	size_t len = at ? strcspn(at + 1, "#$ ") : 0;

	if (!at || strcspn(line, "#$") < (size_t)(at - line))
		return;
	buf_clear(&s->cwd);
	buf_append(&s->cwd, at + 1, len);
}

/* A path of @word, seen from where the shell is, clean. */
static bool resolve(const struct shell *s, const char *word, size_t len, struct buf *ret)
{
	buf_clear(ret);
	if (len == 0)
		return false;
	if (word[0] != '/')
		buf_printf(ret, "%s/", buf_text(&s->cwd));
	buf_append(ret, word, len);
	return buf_text(ret)[0] == '/' && !strstr(buf_text(ret), "//") &&
	       !strstr(buf_text(ret), "/.") && !strpbrk(buf_text(ret), "*?[{");
}

/* Files of which a text is a fact; in a folder of a class they would be behind a link. */
static bool is_wanted(struct import *i, const char *path)
{
	const char *p = text_after(path, PCIDEV_PATH "/");
	struct bdf at;

	if (!p)
		return text_after(path, "/proc/") || text_after(path, "/sys/module/") ||
		       text_after(path, "/sys/kernel/") || text_after(path, "/sys/devices/system/");
	if (!text_bdf(&p, &at) || *p != '/' || strchr(p + 1, '/') || strcmp(p, "/config") == 0)
		return false;
	return functions_get(&i->functions, &at) != NULL;
}

/* What the last command showed, as the file that it is. */
static void finish(struct shell *s)
{
	const char *path = buf_text(&s->path), *text = buf_text(&s->output);

	if (s->path.len > 0 && s->output.len > 0 && is_wanted(s->i, path)) {
		bool failed = text_after(text, "cat: ");

		if (!failed)
			host_make_file(s->i->make, text, s->output.len, "%s", path);
		else if (strstr(text, "No such file"))
			host_make_absent(s->i->make, "%s", path);
		s->n++;
	}
	buf_clear(&s->path);
	buf_clear(&s->output);
}

static void take_command(struct shell *s, const char *command)
{
	const char *word = text_after(command, "sudo ");
	size_t len;

	if (word)
		command = word;
	word = text_after(command, "cd ");
	if (word) {
		AUTO_BUF struct buf to = { 0 };

		len = strcspn(word, " ;&|");
		if (!resolve(s, word, len, &to))
			buf_clear(&to);
		import_note(s->i, &to);
		buf_clear(&s->cwd);
		buf_append(&s->cwd, buf_text(&to), to.len);
		return;
	}
	word = text_after(command, "cat ");
	if (!word)
		return;
	len = strcspn(word, " ");
	/* Of several files it would not be known which line is whose. */
	if (word[len] || !resolve(s, word, len, &s->path))
		buf_clear(&s->path);
}

/* "lrwxrwxrwx 1 root root 0 Jul 25 15:33 driver -> ../../../../bus/pci/drivers/ixgbe" */
static void take_link(struct shell *s, const char *line)
{
	const char *arrow = strstr(line, " -> "), *name = arrow;
	AUTO_BUF struct buf path = { 0 };

	if (line[0] != 'l' || !arrow || strchr(arrow + 4, ' '))
		return;
	while (name > line && name[-1] != ' ')
		name--;
	if (!resolve(s, name, (size_t)(arrow - name), &path) || !is_wanted(s->i, buf_text(&path)))
		return;
	host_make_link(s->i->make, arrow + 4, "%s", buf_text(&path));
	s->n++;
}

size_t shell_take(struct import *i, const struct import_text *t)
{
	struct shell s = { .i = i };
	AUTO_BUF struct buf line = { 0 };
	const char *text = t->data;

	while (text_line(&text, &line)) {
		const char *l = buf_text(&line), *command = behind_prompt(l);

		if (command) {
			finish(&s);
			take_prompt_folder(&s, l);
			take_command(&s, command);
		} else if (s.path.len > 0) {
			buf_printf(&s.output, "%s\n", l);
		} else {
			take_link(&s, l);
		}
	}
	finish(&s);
	import_note(i, &line);
	if (buf_error(&s.cwd) < 0 || buf_error(&s.path) < 0 || buf_error(&s.output) < 0)
		i->error = -ENOMEM;
	buf_done(&s.cwd);
	buf_done(&s.path);
	buf_done(&s.output);
	return s.n;
}
