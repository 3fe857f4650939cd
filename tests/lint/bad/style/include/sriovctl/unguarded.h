/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What it promises. bad: no guard that ends in UNGUARDED_H */
int a;
