/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: strtoul */
int f(char *a) { return strtoul(a); }
