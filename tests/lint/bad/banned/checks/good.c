/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strcpy(a, b) and goto in a comment; http://example.org */
const char *a = "// no comment, no goto, no system(1)";
void f(void) { b_printf(1); json_print(2); }
