/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: system */
int f(char *a) { return system(a); }
