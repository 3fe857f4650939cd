/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a person did in a shell, and pasted: "cat FILE" below /proc and /sys, files as head
 * and grep show them of several, links that ls -l shows, seen from the folder that cd or the
 * prompt names.
 */
#include "import_impl.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PROMPT_MAX 120

struct shell {
	struct import *i;
	unsigned number;	      /* of the text */
	struct buf cwd, path, output; /* @path: of what is shown now; empty: nothing */
	bool is_prefixed;	      /* each line of the output has the path before it */
	size_t n;
};

/* Of "root@host:/sys# ", "[root@host ~]$ ", "# ", "$ ". */
const char *shell_command(const char *line)
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

/*
 * "/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/resource" is the file of a function that the
 * folder of all functions has a link to: it is put where the others are.
 */
static void use_folder_of_all(struct buf *path)
{
	AUTO_BUF struct buf other = { 0 };
	const char *p = text_after(buf_text(path), "/sys/devices/pci"), *own = NULL;
	struct bdf at;

	p = p ? strchr(p, '/') : NULL;
	while (p) {
		const char *end = p + 1;

		if (!text_bdf(&end, &at) || (*end && *end != '/'))
			break;
		own = p + 1;
		p = *end ? end : NULL;
	}
	if (!own)
		return;
	buf_printf(&other, PCIDEV_PATH "/%s", own);
	if (buf_error(&other) < 0)
		path->error = buf_error(&other);
	buf_clear(path);
	buf_puts(path, buf_text(&other));
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
	use_folder_of_all(ret);
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

/* The last answer of a shell counts; counts of interrupts are others each time. */
static void claim(struct shell *s, const char *data)
{
	const struct host_make_claim c = { .source = s->number,
					   .is_in_order = true,
					   .data = data,
					   .len = data ? s->output.len : 0 };
	const char *path = buf_text(&s->path);

	if (strcmp(path, "/proc/interrupts") == 0 && data)
		host_make_file(s->i->make, data, s->output.len, "%s", path);
	else if (!host_make_claim(s->i->make, &c, "%s", path))
		import_dispute(s->i, "%s: two texts differ", path);
	s->n++;
}

/* "[sudo] password for u: ", with the answer, which no terminal shows. */
static void skip_question(struct shell *s)
{
	const char *text = buf_text(&s->output), *end;
	AUTO_BUF struct buf rest = { 0 };

	if (!text_after(text, "[sudo] ") || !(end = strchr(text, '\n')))
		return;
	buf_puts(&rest, end + 1);
	import_note(s->i, &rest);
	buf_clear(&s->output);
	buf_append(&s->output, buf_text(&rest), rest.len);
}

/* What the last command showed, as the file that it is. */
static void finish(struct shell *s)
{
	const char *path = buf_text(&s->path), *text = buf_text(&s->output);

	/* What stands between two of them. */
	while (s->output.len > 1 && text[s->output.len - 2] == '\n')
		s->output.data[--s->output.len] = '\0';
	skip_question(s);
	text = buf_text(&s->output);
	if (s->path.len > 0 && s->output.len > 0 && is_wanted(s->i, path)) {
		if (content_fits(path, text))
			claim(s, text);
		else if (text_after(text, "cat: ") && strstr(text, ": No such file or directory"))
			claim(s, NULL);
	}
	buf_clear(&s->path);
	buf_clear(&s->output);
	s->is_prefixed = false;
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

/* "==> /sys/bus/pci/devices/0000:3b:00.0/resource <==", as head and tail have it of several. */
static bool take_title(struct shell *s, const char *line)
{
	const char *word = text_after(line, "==> ");
	size_t len = word ? strcspn(word, " ") : 0;

	if (!word || strcmp(word + len, " <==") != 0)
		return false;
	finish(s);
	if (!resolve(s, word, len, &s->path))
		buf_clear(&s->path);
	return true;
}

/* How long the path is in "/sys/bus/pci/devices/0000:3b:00.0/numa_node:1"; 0: it is no such line.
 */
static size_t path_length(const char *line)
{
	const char *name = line;
	struct bdf at;

	if (!text_after(line, "/sys/"))
		return 0;
	for (const char *p = line; *p && *p != ' '; p++) {
		const char *end = name;

		if (*p == '/')
			name = p + 1;
		/* The colons of an address are none. */
		else if (*p == ':' && p > name && !text_bdf(&end, &at) && !text_after(name, "pci"))
			return (size_t)(p - line);
	}
	return 0;
}

/* Lines of files as grep prints them of several. */
static bool take_prefixed(struct shell *s, const char *line)
{
	size_t len = path_length(line);
	AUTO_BUF struct buf path = { 0 };

	if (len == 0 || !resolve(s, line, len, &path))
		return false;
	if (strcmp(buf_text(&path), buf_text(&s->path)) != 0 || !s->is_prefixed) {
		finish(s);
		buf_puts(&s->path, buf_text(&path));
		s->is_prefixed = true;
	}
	import_note(s->i, &path);
	buf_printf(&s->output, "%s\n", line + len + 1);
	return true;
}

size_t shell_take(struct import *i, const struct import_text *t)
{
	struct shell s = { .i = i, .number = t->number };
	AUTO_BUF struct buf line = { 0 };
	const char *text = t->data;

	while (text_line(&text, &line)) {
		const char *l = buf_text(&line), *command = shell_command(l);

		if (take_title(&s, l) || take_prefixed(&s, l)) {
			/* It is taken. */
		} else if (command) {
			finish(&s);
			take_prompt_folder(&s, l);
			take_command(&s, command);
		} else if (s.is_prefixed) {
			finish(&s);
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
