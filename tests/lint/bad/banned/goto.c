/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: goto */
void f(void) { goto out; out: ; }
