/* SPDX-License-Identifier: GPL-2.0-or-later */
#define SEVEN(a, b, c, d, e, f, g) \
	do {                      \
	} while (0)

struct wide {
	int a[7];
};

static int three(int a)
{
	static const struct wide w = {
		.a = { 1, 2 },
	};

	if (a == 1)
		return 1;
	else if (a == 2)
		return 2;
	else if (a == 3)
		return 3;
	else if (a == 4)
		return 4;
	for (int i = 0; i < 7; i++)
		while (a)
			if (w.a[i] == "/* { { { { */"[i])
				return ({ a; });
	return 0;
}
