/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What identifies a machine or its owner, and what stands in its place: the same for the
 * same, as long as the original, so that it can be put into tables in place.  MAC addresses
 * (02:00:00 and a number) in their usual spellings, within interface names, and as bytes;
 * UUIDs; words, as serial numbers and host names are.  A zeroed map is empty.
 */
#ifndef CHECKS_HOST_REDACT_MAP_H
#define CHECKS_HOST_REDACT_MAP_H

#include <sriovctl/base.h>

#define REDACT_MAC 6

enum redact_kind {
	REDACT_IS_MAC,
	REDACT_IS_UUID,
	REDACT_IS_SERIAL,
	REDACT_IS_HOST,
	REDACT_IS_PROCESS, /* nowhere but where one is looked for */
	REDACT_KINDS
};

struct redact_entry {
	enum redact_kind kind;
	char *original; /* of a MAC or UUID the bytes, of a word the text */
	size_t len;
	uint32_t number; /* among those of its kind, from 1 on */
};

struct redact_map {
	struct redact_entry *entries;
	size_t n;
	uint32_t counts[REDACT_KINDS];
	uint8_t mac_ends[8192]; /* a bit for each two bytes that a MAC in it ends in */
	bool word_starts[256];	/* with which byte a word in it starts */
	bool ran_out;
};

void redact_map_done(struct redact_map *m);
#define AUTO_REDACT_MAP CLEANUP(redact_map_done)

/* What is no secret is left alone: no address, a group's, what makers ship, short words. */
void redact_map_add_mac(struct redact_map *m, const uint8_t mac[REDACT_MAC]);
void redact_map_add_word(struct redact_map *m, enum redact_kind kind, const char *word);

/* What is to stand in place of these bytes. */
void redact_map_mac(struct redact_map *m, uint8_t mac[REDACT_MAC]);
void redact_map_uuid(struct redact_map *m, uint8_t uuid[16]);

/* The same of one that is in the map; false: it is not. */
bool redact_map_known_mac(const struct redact_map *m, uint8_t mac[REDACT_MAC]);

/* By which number a word is known; 0: it is not. */
uint32_t redact_map_number(const struct redact_map *m, enum redact_kind kind, const char *word);

/* The name of a process, in place. */
void redact_map_process(struct redact_map *m, char *name, size_t len);

enum redact_where {
	REDACT_TEXT = 0,
	REDACT_BINARY = 1, /* also MACs that are in the map, as bytes, and in EUI-64 */
	REDACT_PROSE = 2,  /* also host names: where they are not also names of other things */
};

/* All that is found in @data, in place; what is new of it gets into the map. */
void redact_map_apply(struct redact_map *m, char *data, size_t len, unsigned where);

#endif
