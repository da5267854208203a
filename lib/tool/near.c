/* near: the word that was meant, for messages about public names. */
#include "near.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define MOST 64		/* letters that are looked at */

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool
same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * The changes that it takes, cut at MOST letters of either.  Row i of the
 * table holds the distances of a's first i letters.
 */
static size_t
distance(const char *a, const char *b)
{
	size_t row[3][MOST + 1], n = strnlen(a, MOST);
	size_t m = strnlen(b, MOST), i, j;

	for (j = 0; j <= m; j++)
		row[0][j] = j;
	for (i = 1; i <= n; i++) {
		size_t *now = row[i % 3], *last = row[(i + 2) % 3];
		const size_t *before = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= m; j++) {
			now[j] = least(least(last[j], now[j - 1]) + 1,
			    last[j - 1] + !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]))
				now[j] = least(now[j], before[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

const char *
near_word(const char *text, const char *const *words, size_t n)
{
	const char *best = NULL;
	size_t limit = strlen(text) / 3, i, d;

	limit = limit < 1 ? 1 : limit;
	for (i = 0; i < n; i++) {
		d = distance(text, words[i]);
		if (d > limit || strlen(words[i]) <= d)
			continue;
		best = words[i];
		limit = d - (d > 0);
		if (d == 0)
			break;
	}
	return best;
}
