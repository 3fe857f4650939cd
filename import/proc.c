/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of /proc that somebody sent under another name, and what stands for one. */
#include "import_impl.h"

#include <sriovctl/buf.h>
#include <sriovctl/cpuinfo.h>
#include <sriovctl/interrupts.h>

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* Lines beside the one that is wanted: a prompt, an empty one. */
#define FEW_LINES 4

/* The first line that is not empty, where the text has few; false: it has more. */
static bool lone_line(struct import *i, const char *text, struct buf *ret)
{
	AUTO_BUF struct buf line = { 0 };
	size_t n = 0;

	while (text_line(&text, &line)) {
		if (line.len == 0)
			continue;
		if (++n > FEW_LINES)
			return false;
		if (n == 1)
			buf_puts(ret, buf_text(&line));
	}
	import_note(i, &line);
	import_note(i, ret);
	return n > 0;
}

/* "BOOT_IMAGE=(hd0,gpt2)/vmlinuz-5.15.0-46-generic": the image that runs, by its release. */
static void keep_image(struct import *i, const char *cmdline)
{
	const char *p = text_after(cmdline, "BOOT_IMAGE=");
	size_t len = p ? strcspn(p, " \n") : 0;
	const char *name = p ? memmem(p, len, "/vmlinuz-", 9) : NULL;

	if (!name || i->image || !isdigit((unsigned char)name[9]))
		return;
	name += 9;
	i->image = strndup(name, (size_t)(p + len - name));
	if (!i->image)
		i->error = -ENOMEM;
}

/*
 * A line alone, as boot loaders pass it: what people write of one, in their loader's
 * configuration, a script or a letter, has quotes, or something else at its beginning.
 */
static bool is_passed(const char *text)
{
	if (!content_is_cmdline(text))
		return false;
	return text_after(text, "BOOT_IMAGE=") ||
	       ((text_after(text, "root=") || text_after(text, "initrd=")) &&
		!strpbrk(text, "\"'`"));
}

size_t proc_take_cmdline(struct import *i, const struct import_text *t)
{
	const char *text = t->data + strspn(t->data, " \t\r\n");
	size_t len = strcspn(text, "\r\n");
	AUTO_BUF struct buf line = { 0 };
	struct host_make_claim c;

	if (text[len + strspn(text + len, " \t\r\n")] || len >= TEXT_LINE_MAX)
		return 0;
	buf_append(&line, text, len);
	buf_rtrim(&line);
	buf_puts(&line, "\n");
	import_note(i, &line);
	if (!is_passed(buf_text(&line)))
		return 0;
	c = (struct host_make_claim){ .source = t->number,
				      .data = buf_text(&line),
				      .len = line.len };
	if (!host_make_claim(i->make, &c, "/proc/cmdline"))
		import_dispute(i, "/proc/cmdline: two texts differ");
	keep_image(i, buf_text(&line));
	return 1;
}

size_t proc_take_cpuinfo(struct import *i, const struct import_text *t)
{
	AUTO_BUF struct buf line = { 0 };
	const char *text = t->data;
	struct cpuinfo c = { 0 };
	size_t n;
	int r;

	while (text_line(&text, &line) && line.len == 0)
		;
	import_note(i, &line);
	if (!text_after(buf_text(&line), "processor") || !strchr(buf_text(&line), ':') ||
	    !content_fits(CPUINFO_PATH, t->data))
		return 0;
	r = cpuinfo_parse(t->data, &c);
	if (r == -ENOMEM)
		i->error = r;
	if (r < 0)
		return 0;
	n = c.n_cpus;
	cpuinfo_done(&c);
	host_make_file(i->make, t->data, t->len, CPUINFO_PATH);
	return n;
}

void proc_keep_release(struct import *i, const char *release, size_t len)
{

	if (i->release || len == 0)
		return;
	i->release = strndup(release, len);
	if (!i->release) {
		i->error = -ENOMEM;
		return;
	}
	i->release_is_ours = !host_make_knows(i->make, "/proc/sys/kernel/osrelease") &&
			     !host_make_knows(i->make, "/proc/version");
	host_make_text(i->make, i->release, "/proc/sys/kernel/osrelease");
}

void proc_compare_release(struct import *i, const char *release, size_t len)
{
	if (!i->release)
		return;
	if (strlen(i->release) == len && strncmp(i->release, release, len) == 0)
		i->has_same_release = true;
	else
		i->has_other_release = true;
}

/* "Linux version 6.1.0 (...)" by itself, or what uname -a prints: "Linux host 6.1.0 #1 SMP". */
size_t proc_take_version(struct import *i, const struct import_text *t)
{
	AUTO_BUF struct buf line = { 0 };
	const char *release;

	if (!lone_line(i, t->data, &line))
		return 0;
	release = text_after(buf_text(&line), "Linux version ");
	if (release) {
		proc_keep_release(i, release, strcspn(release, " "));
		host_make_text(i->make, buf_text(&line), "/proc/version");
	} else {
		release = text_after(buf_text(&line), "Linux ");
		release = release ? strchr(release, ' ') : NULL;
		if (!release || !isdigit((unsigned char)release[1]) || !strchr(release, '#'))
			return 0;
		/* With the machine behind it, which no reader minds. */
		host_make_text(i->make, strchr(release, '#'), "/proc/sys/kernel/version");
		release++;
	}
	proc_keep_release(i, release, strcspn(release, " "));
	/* Of another text. */
	if (i->release_by_text)
		proc_compare_release(i, release, strcspn(release, " "));
	i->release_by_text = true;
	return 1;
}

/* "# Linux/x86 6.1.0 Kernel Configuration"; which release it was built as the log knows better. */
size_t proc_take_config(struct import *i, const struct import_text *t)
{
	AUTO_BUF struct buf line = { 0 };
	const char *text = t->data;
	bool has_head = false;
	size_t n = 0;

	while (text_line(&text, &line)) {
		const char *l = buf_text(&line);

		has_head = has_head ||
			   (text_after(l, "# Linux/") && strstr(l, " Kernel Configuration"));
		n += text_after(l, "CONFIG_") || text_after(l, "# CONFIG_");
	}
	import_note(i, &line);
	if (!has_head || n == 0)
		return 0;
	if (i->release)
		host_make_file(i->make, t->data, t->len, "/boot/config-%s", i->release);
	else
		host_make_file(i->make, t->data, t->len, "/boot/config-unknown");
	return n;
}

/* "00000000-00000fff : Reserved" */
size_t proc_take_iomem(struct import *i, const struct import_text *t)
{
	AUTO_BUF struct buf line = { 0 };
	const char *text = t->data;
	size_t n = 0, others = 0;
	uint64_t number;

	while (text_line(&text, &line)) {
		const char *p = text_skip_blanks(buf_text(&line));

		if (text_hex(&p, 16, &number) && *p == '-' && (p++, true) &&
		    text_hex(&p, 16, &number) && text_after(p, " : "))
			n++;
		else
			others += *p != '\0';
	}
	import_note(i, &line);
	if (n < 3 || others > n / 10)
		return 0;
	host_make_file(i->make, t->data, t->len, "/proc/iomem");
	return n;
}

/* --- interrupts ------------------------------------------------------------------------------ */

/* Counts of a row: how many, their sum, and where the chip begins. */
static size_t take_counts(const char **at, uint64_t *ret_first, uint64_t *ret_sum)
{
	const char *p = *at;
	uint64_t count;
	size_t n = 0;

	*ret_first = *ret_sum = 0;
	for (;;) {
		const char *next = text_skip_blanks(p);

		if (!text_decimal(&next, &count) || (*next != ' ' && *next != '\t'))
			break;
		if (n++ == 0)
			*ret_first = count;
		else
			*ret_sum += count;
		p = next;
	}
	*at = text_skip_blanks(p);
	return n;
}

static bool is_chip(const char *text)
{
	static const char *const chips[] = { "PCI-MSI", "IO-APIC", "ITS-", "HPET", "DMAR-MSI" };
	size_t len = strcspn(text, " \t");

	for (size_t i = 0; i < ARRAY_SIZE(chips); i++) {
		const char *hit = strstr(text, chips[i]);

		if (hit && hit < text + len)
			return true;
	}
	return false;
}

/*
 * A row as the kernel has it; what shows them in an order of its own has no colon, and their sum
 * before the counts.  How many counts; 0: no such row.
 */
static size_t take_row(const char *line, struct buf *ret)
{
	const char *p = text_skip_blanks(line), *counts;
	uint64_t number, first, sum;
	size_t n;

	if (!text_decimal(&p, &number))
		return 0;
	if (*p == ':') {
		counts = ++p;
		n = take_counts(&p, &first, &sum);
	} else {
		n = take_counts(&p, &first, &sum);
		if (n < 2 || first != sum)
			return 0;
		n--;
		counts = text_skip_blanks(line);
		for (int i = 0; i < 2; i++)
			counts = text_skip_blanks(counts + strcspn(counts, " \t"));
	}
	if (n == 0 || !is_chip(p))
		return 0;
	buf_printf(ret, "%llu: %s\n", (unsigned long long)number, counts);
	return n;
}

/* Parts of the file, without the line that says how many CPUs: as many as the rows have counts. */
static size_t take_rows(struct import *i, const char *text)
{
	AUTO_BUF struct buf line = { 0 }, rows = { 0 }, all = { 0 };
	size_t n = 0, cpus = 0;

	while (text_line(&text, &line)) {
		size_t counts = take_row(buf_text(&line), &rows);

		if (counts == 0)
			continue;
		if (n > 0 && counts != cpus)
			return 0;
		cpus = counts;
		n++;
	}
	for (size_t c = 0; n > 0 && c < cpus; c++)
		buf_printf(&all, " CPU%zu", c);
	buf_printf(&all, "\n%s", buf_text(&rows));
	import_note(i, &line);
	import_note(i, &rows);
	import_note(i, &all);
	if (i->error == 0 && n > 0)
		host_make_file(i->make, all.data, all.len, "/proc/interrupts");
	return n;
}

/* From the line of the CPUs on; that there is one in a text proves nothing. */
static const char *find_head(struct import *i, const char *text)
{
	AUTO_BUF struct buf line = { 0 };
	const char *at = text;

	for (const char *start = at; text_line(&at, &line); start = at) {
		const char *first = text_skip_blanks(buf_text(&line));

		if (text_after(first, "CPU0") || text_after(first, "CPU1 "))
			return start;
	}
	import_note(i, &line);
	return NULL;
}

size_t proc_take_interrupts(struct import *i, const struct import_text *t)
{
	const char *head = find_head(i, t->data);
	struct interrupts v = { 0 };
	size_t n;
	int r = head ? interrupts_parse(head, &v) : -EINVAL;

	if (r == -ENOMEM)
		i->error = r;
	if (r < 0)
		return take_rows(i, t->data);
	n = v.n;
	interrupts_done(&v);
	if (n > 0)
		host_make_file(i->make, head, strlen(head), "/proc/interrupts");
	return n;
}
