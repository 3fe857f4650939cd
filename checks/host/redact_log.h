/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where, in texts, something stands that redact_map.h is to know: the kernel's log and its command
 * line, files of people, what cards say of themselves.  A host's name is known in full, up to its
 * first dot, and as device mapper and systemd write its dashes.
 */
#ifndef CHECKS_HOST_REDACT_LOG_H
#define CHECKS_HOST_REDACT_LOG_H

#include <sriovctl/base.h>

struct redact_map;

void redact_log_host(struct redact_map *m, const char *name);
/*
 * Of the kernel's log or command line: the names that systemd gave the host, serial numbers of
 * USB devices, UUIDs of partitions that are short, names of disks that have their serial numbers;
 * in place the values of parameters that are passwords, credentials or tokens by their names, and
 * of netroot, which has those of iSCSI.  @text may be NULL.
 */
void redact_log_find(struct redact_map *m, char *text);
/* Of what a card says of itself (sriovctl/devinfo.h): its serial numbers and its board's. */
void redact_log_find_serials(struct redact_map *m, const char *text);

#endif
