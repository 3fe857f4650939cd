/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: stderr */
void f(void) { fputs("a", stderr); }
