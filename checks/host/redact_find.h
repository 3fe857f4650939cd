/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where, in what is no text, something stands that redact_map.h is to know: rtnetlink's
 * answers, SMBIOS tables, serial numbers in configuration spaces.  Damaged input gives
 * less, and is never read beyond.
 */
#ifndef CHECKS_HOST_REDACT_FIND_H
#define CHECKS_HOST_REDACT_FIND_H

#include <sriovctl/base.h>

struct redact_map;

/*
 * The addresses of links and of their VFs; in place the names of switches and ports, and without
 * those of others and what people wrote.
 */
void redact_find_links(struct redact_map *m, void *data, size_t len);
/* A file that has a serial number and nothing else. */
void redact_find_serial(struct redact_map *m, const char *text);
/* Of processes (procs_text.h): their names and those of guests, in place.  @text may be NULL. */
void redact_find_processes(struct redact_map *m, char *text);
/* Serial numbers and asset tags; the system's UUID, in place, and nothing of what no check reads.
 */
void redact_find_dmi(struct redact_map *m, uint8_t *data, size_t len);
/* The device serial number, which is most often made of a MAC address, in place. */
void redact_find_config(struct redact_map *m, uint8_t *data, size_t len);
/* The same of spaces that each stand behind their length (sriovctl/awake.h). */
void redact_find_awake(struct redact_map *m, uint8_t *data, size_t len);

#endif
