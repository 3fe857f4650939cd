/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: atoi */
int f(char *a) { return atoi(a); }
