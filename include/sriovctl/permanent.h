/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The address that a network interface, or the interface of a PCI function, has by itself,
 * whatever it was set to.
 */
#ifndef SRIOVCTL_PERMANENT_H
#define SRIOVCTL_PERMANENT_H

#include <sriovctl/base.h>

struct host;

/* 0: not known. */
uint64_t permanent_of_netdev(const struct host *h, const char *netdev);
/* Of the first interface that has one; 0: not known. */
uint64_t permanent_of_function(const struct host *h, const char *bdf);

#endif
