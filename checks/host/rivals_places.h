/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where each of those that make VFs keeps its files.  Places of one manager stand together, in the
 * order of precedence where that matters.
 */
#ifndef CHECKS_HOST_RIVALS_PLACES_H
#define CHECKS_HOST_RIVALS_PLACES_H

#include <sriovctl/rivals.h>

#define RIVALS_PLACES_UNIT "a systemd unit"
#define RIVALS_PLACES_UDEV "a udev rule"

struct rivals_place {
	const char *who, *dir;
	const char *glob; /* NULL: @dir is one file */
	enum rivals_form form;
	bool masks;   /* of two files of one name only the first is read */
	bool merges;  /* all files of this manager say one thing together */
	bool enabled; /* of units those that something wants, and not what the folder has */
	/* What is read in each of the folders that @glob finds. */
	const char *below;
};

/* NULL behind the last. */
const struct rivals_place *rivals_places_at(size_t i);

#endif
