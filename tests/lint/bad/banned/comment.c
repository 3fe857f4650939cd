/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: a comment is /* like this */
int a; // like that
