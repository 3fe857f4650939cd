/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: printf */
void f(void) { printf(1); }
