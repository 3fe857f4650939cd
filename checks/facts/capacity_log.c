/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capacity_log.h"

#include <sriovctl/buf.h>
#include <sriovctl/host.h>
#include <sriovctl/klog.h>
#include <sriovctl/parse.h>
#include <sriovctl/pf.h>

#include <limits.h>
#include <string.h>

static bool says_lost(const char *line)
{
	return strstr(line, "no space") || strstr(line, "failed to assign") ||
	       strstr(line, "can't assign");
}

static bool says_found(const char *line)
{
	return strstr(line, "assigned") && !says_lost(line);
}

/* Of one or two digits; else UINT_MAX. */
static unsigned leading_number(const char *text)
{
	size_t len = strspn(text, "0123456789");

	if (len == 0 || len > 2)
		return UINT_MAX;
	return len == 1 ? (unsigned)(text[0] - '0')
			: (unsigned)(text[0] - '0') * 10 + (unsigned)(text[1] - '0');
}

/*
 * What a line says of the function that it begins with: "BAR 7: no space for [mem size ...]",
 * or, with the names of newer kernels, "VF BAR 0 [mem size ...]: can't assign; no space".
 */
static unsigned bar_of_line(const char *line, bool (*says)(const char *line))
{
	static const struct {
		const char *prefix;
		unsigned first;
	} names[] = { { .prefix = "VF BAR ", .first = 0 },
		      { .prefix = "BAR ", .first = PCIDEV_ROW_VF } };

	if (parse_has_prefix(line, "not enough MMIO resources for SR-IOV"))
		return says == says_lost ? CAPACITY_LOG_UNNAMED : 0;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		unsigned n;

		if (!parse_has_prefix(line, names[i].prefix) || !says(line))
			continue;
		n = leading_number(line + strlen(names[i].prefix)) - names[i].first;
		return n < CAPACITY_MMIO_BARS ? 1u << n : 0;
	}
	return 0;
}

static bool has(const char *line, size_t len, const char *word)
{
	return memmem(line, len, word, strlen(word)) != NULL;
}

/* Where something was left out. */
static bool is_gap(const char *line, size_t len)
{
	return len == strlen(KLOG_GAP) && memcmp(line, KLOG_GAP, len) == 0;
}

/* What the core says at last of each bus, behind all that it tried. */
static bool tells_of_bus(const char *line, size_t len)
{
	return has(line, len, "pci_bus ") && has(line, len, ": resource ");
}

/*
 * The core gives out addresses of a root bus in one go, several times where it had too few, and
 * tells at the end what each bus has (drivers/pci/setup-bus.c,
 * pci_assign_unassigned_root_bus_resources): there, or where others speak again, it is over.
 * Where something was left out, it may have gone on.
 */
static bool is_over(const char *text)
{
	while ((text = strchr(text, '\n'))) {
		const size_t len = strcspn(++text, "\r\n");

		if (len == 0)
			continue;
		if (is_gap(text, len))
			return false;
		if (tells_of_bus(text, len) || (!has(text, len, "pci") && !has(text, len, "PCI")))
			return true;
	}
	return false;
}

/*
 * A VF BAR that the core finds with the function (drivers/pci/iov.c, sriov_init): "VF(n) BAR0
 * space: [mem ...] (contains BAR0 for 8 VFs)", or "VF BAR 0 [mem ...]: contains BAR 0 for 8 VFs".
 */
static unsigned found_by_line(const char *line)
{
	static const char *const names[] = { "VF(n) BAR", "VF BAR " };

	for (size_t i = 0; i < ARRAY_SIZE(names) && strstr(line, "contains BAR"); i++) {
		unsigned n;

		if (!parse_has_prefix(line, names[i]))
			continue;
		n = leading_number(line + strlen(names[i]));
		return n < CAPACITY_MMIO_BARS ? 1u << n : 0;
	}
	return 0;
}

/* Where the function was found: "0000:3b:00.0: [8086:10c9] type 00 class 0x020000". */
static const char *find_header(const char *text, const char *name)
{
	const char *found = strstr(text, name);

	while (found && found[strlen(name)] != '[')
		found = strstr(found + 1, name);
	return found;
}

/* Does the log have all that was said of the function as it was found, to where others speak? */
static bool has_finds(const char *text, const char *name)
{
	const char *found = find_header(text, name);

	while (found && (found = strchr(found, '\n'))) {
		const size_t len = strcspn(++found, "\r\n");

		if (len > 0 && !has(found, len, name))
			return !is_gap(found, len);
	}
	return false;
}

/* Does the log have all from where the function was found to where its bus had its addresses? */
static bool has_all(const char *text, const char *name)
{
	const char *found = find_header(text, name);

	while (found && (found = strchr(found, '\n'))) {
		const size_t len = strcspn(++found, "\r\n");

		if (is_gap(found, len))
			return false;
		if (tells_of_bus(found, len))
			return true;
	}
	return false;
}

void capacity_log_read(const struct host *h, const struct pf *pf, struct capacity_log *ret)
{
	AUTO_BUF struct buf name = { 0 }, rest = { 0 };
	struct capacity_log l = { 0 };
	const struct klog *log = NULL;
	const char *last = NULL;

	*ret = l;
	buf_printf(&name, "%s: ", pf->dev->name);
	if (klog_get(h, &log, NULL) < 0 || buf_error(&name) < 0)
		return;
	for (const char *p = log->text; (p = strstr(p, buf_text(&name)));) {
		unsigned lost;

		p += name.len;
		buf_clear(&rest);
		buf_append(&rest, p, strcspn(p, "\r\n"));
		/* The last word counts: the kernel tries again (pci=realloc). */
		lost = bar_of_line(buf_text(&rest), says_lost);
		l.lost = (l.lost | lost) & ~bar_of_line(buf_text(&rest), says_found);
		l.found |= found_by_line(buf_text(&rest));
		last = lost && lost != CAPACITY_LOG_UNNAMED ? p : last;
	}
	if (buf_error(&name) < 0 || buf_error(&rest) < 0)
		(void)host_nomem(h, NULL);
	if ((l.lost & ~CAPACITY_LOG_UNNAMED) && last && !is_over(last)) {
		l.is_open = true;
		l.lost &= CAPACITY_LOG_UNNAMED;
	}
	if (!has_finds(log->text, buf_text(&name)))
		l.found = 0;
	l.is_whole = !l.is_open &&
		     (klog_reaches(log->text, KLOG_DEVICES) || has_all(log->text, buf_text(&name)));
	*ret = l;
}
