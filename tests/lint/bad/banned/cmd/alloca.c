/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: alloca */
int f(char *a) { return alloca(a); }
