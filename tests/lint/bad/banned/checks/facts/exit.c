/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: exit */
void f(void) { exit(1); }
