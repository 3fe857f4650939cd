/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts a host has already been asked; see host_fact() in sriovctl/host.h. */
#ifndef CHECKS_HOST_HOST_FACT_H
#define CHECKS_HOST_HOST_FACT_H

struct host;
struct host_fact_entry;

/* Where the host keeps the head of its list. */
struct host_fact_entry **host_fact_list(const struct host *h);
void host_fact_done(struct host_fact_entry *list);

#endif
