/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: sscanf */
int f(char *a) { return sscanf(a); }
