/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: not as clang-format writes it */
int a=1;
