/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/suggest.h>

#include <string.h>

#define WORD_MAX 64

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/* How many letters to add, drop or change (Levenshtein); words longer than WORD_MAX are unlike. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t n = strlen(b), row[WORD_MAX + 1];

	if (n > WORD_MAX || strlen(a) > WORD_MAX)
		return WORD_MAX;
	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			size_t change = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = min3(row[j] + 1, row[j - 1] + 1, change);
		}
	}
	return row[n];
}

void suggest_offer(struct suggest *s, const char *candidate)
{
	size_t distance = edit_distance(s->word, candidate);

	if (distance > strlen(candidate) / 3 + 1 || (s->best && distance >= s->distance))
		return;
	s->best = candidate;
	s->distance = distance;
}
