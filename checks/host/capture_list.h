/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is captured besides what checks ask: the sources that one of them would only ask
 * where another fails, and facts for who reads a capture by hand.  In a pattern * is any
 * names in a folder, and @ the release of the kernel.  What it leads to is taken as what it
 * is: a file is read, a folder listed, a link kept; behind a ? only whether it is there.
 */
#ifndef CHECKS_HOST_CAPTURE_LIST_H
#define CHECKS_HOST_CAPTURE_LIST_H

/* NULL behind the last. */
extern const char *const capture_list[];
/* Names in the folder of each PCI function, which the pattern of the folders goes before. */
#define CAPTURE_LIST_FUNCTIONS "/sys/bus/pci/devices/*/"
extern const char *const capture_list_function[];

#endif
