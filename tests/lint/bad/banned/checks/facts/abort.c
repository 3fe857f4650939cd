/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: abort */
void f(void) { abort(1); }
