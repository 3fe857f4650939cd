/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: popen */
int f(char *a) { return popen(a); }
