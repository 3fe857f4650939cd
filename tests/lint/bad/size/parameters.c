/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: seven: 7 parameters; at most 6 */
int seven(int a, int b, int c, int d,
	  int e, void (*f)(int, int), int g)
{
	return 0;
}
