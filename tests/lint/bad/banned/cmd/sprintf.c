/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: sprintf */
int f(char *a) { return sprintf(a); }
