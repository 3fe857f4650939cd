/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: strtok */
int f(char *a) { return strtok(a); }
