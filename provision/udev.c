/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/udev.h>

#include "rootdir.h"

#include <sriovctl/buf.h>
#include <sriovctl/parse.h>

#include <string.h>
#include <unistd.h>

#define ALIVE "/run/udev/control"

static bool is_line(const char *line, size_t len, const char *text)
{
	return len == strlen(text) && strncmp(line, text, len) == 0;
}

/*
 * An entry may be there from the beginning, with a mark; another mark is set before an interface is
 * renamed, and stays until the event of that is through.  "I:" says since when it has been
 * complete.
 */
bool udev_text_is_through(const char *text)
{
	const char *cursor = text, *line;
	bool is_complete = false;
	size_t len;

	while (parse_line(&cursor, &line, &len)) {
		if (is_line(line, len, "E:ID_PROCESSING=1") ||
		    is_line(line, len, "E:ID_RENAMING=1"))
			return false;
		is_complete = is_complete || (len > 2 && strncmp(line, "I:", 2) == 0);
	}
	return is_complete;
}

bool udev_is_through(unsigned index)
{
	AUTO_ROOTDIR struct rootdir root = ROOTDIR_CLOSED;
	AUTO_BUF struct buf path = { 0 }, text = { 0 };
	uint32_t mode = 0;

	if (access(ALIVE, F_OK) < 0)
		return true;
	buf_printf(&path, "/run/udev/data/n%u", index);
	return buf_error(&path) == 0 && rootdir_open("/", &root, NULL) == 0 &&
	       rootdir_read(&root, buf_text(&path), &text, &mode, NULL) == 0 &&
	       udev_text_is_through(buf_text(&text));
}
