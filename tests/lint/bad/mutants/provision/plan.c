/* SPDX-License-Identifier: GPL-2.0-or-later */
int once;
int often;
int often;
