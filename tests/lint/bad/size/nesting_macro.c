/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: deep: 4 levels of nesting; at most 3 */
void deep(int a)
{
	LIST_EACH(a, b) {
		if (a)
			return;
		else if (b)
			do {
				if (b == 7)
					a++;
			} while (a);
	}
}
