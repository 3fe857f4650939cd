/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Logs whose newest line is the first.  The clock of the wall tells it over several boots; that
 * of the kernel, which begins anew with each, within one.
 */
#include "bootlog.h"

#include <errno.h>
#include <string.h>

struct clock {
	double last; /* -1: none yet */
	size_t ahead, back;
};

static void tick(struct clock *c, double time)
{
	if (time < 0)
		return;
	c->ahead += c->last >= 0 && time > c->last;
	c->back += c->last >= 0 && time < c->last;
	c->last = time;
}

static bool take_part(const char **at, char end, double scale, double *sum)
{
	const char *p = text_skip_blanks(*at);
	uint64_t number;

	if (!text_decimal(&p, &number) || number > 9999 || (end && *p++ != end))
		return false;
	*sum = *sum * scale + (double)number;
	*at = p;
	return true;
}

double bootlog_wall_time(const char *line)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	const char *p = text_skip_blanks(line), *rest;
	double sum = 0;

	for (size_t m = 0; m < 12; m++)
		if (strncmp(p, &months[3 * m], 3) == 0 && p[3] == ' ')
			sum = (double)m + 1;
	rest = p + (sum > 0 ? 4 : 0);
	if (sum > 0 ? !take_part(&rest, ' ', 32, &sum)
		    : !take_part(&rest, '-', 1, &sum) || !take_part(&rest, '-', 13, &sum) ||
			      !take_part(&rest, *p && strchr(line, 'T') ? 'T' : ' ', 32, &sum))
		return -1;
	if (!take_part(&rest, ':', 24, &sum) || !take_part(&rest, ':', 60, &sum) ||
	    !take_part(&rest, '\0', 60, &sum))
		return -1;
	return sum;
}

bool bootlog_is_backwards(struct import *i, const char *text)
{
	struct clock wall = { .last = -1 }, kernel = { .last = -1 };
	AUTO_BUF struct buf line = { 0 };
	struct bootlog_stamp stamp;

	while (text_line(&text, &line)) {
		if (!bootlog_stamp(buf_text(&line), &stamp))
			continue;
		tick(&wall, bootlog_wall_time(buf_text(&line)));
		tick(&kernel, stamp.time);
	}
	import_note(i, &line);
	if (wall.back != wall.ahead)
		return wall.back > wall.ahead;
	return kernel.back > 1 && kernel.back > kernel.ahead;
}

static bool is_mark(const char *line)
{
	return text_after(line, "-- ") != NULL;
}

void bootlog_turn(const char *text, struct buf *ret)
{
	const char *start = text, *end = text + strlen(text);

	/* What stands before all messages is between no two boots. */
	while (is_mark(start) && strchr(start, '\n'))
		start = strchr(start, '\n') + 1;
	while (end > start) {
		const char *line = end - (end[-1] == '\n');

		while (line > start && line[-1] != '\n')
			line--;
		buf_append(ret, line, (size_t)(end - line) - (end[-1] == '\n'));
		buf_puts(ret, "\n");
		end = line;
	}
}
