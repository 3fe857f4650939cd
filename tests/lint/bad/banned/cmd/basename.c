/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: basename */
int f(char *a) { return basename(a); }
