/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: deep: 4 levels of nesting; at most 3 */
int deep(int a)
{
	for (;;)
		while (a)
			if (a > 1)
				switch (a) {
				case 2:
					return 1;
				}
	return 0;
}
