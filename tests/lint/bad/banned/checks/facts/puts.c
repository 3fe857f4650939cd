/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: puts */
void f(void) { puts(1); }
