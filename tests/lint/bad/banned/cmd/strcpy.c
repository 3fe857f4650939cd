/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: strcpy */
int f(char *a) { return strcpy(a); }
