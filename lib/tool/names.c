/* names: public names in options and messages. */
#include "names.h"

#include <ctype.h>
#include <string.h>

const char *
names_end(const char *p)
{
	bool quoted = false;

	for (; *p != '\0' && (quoted || *p != ','); p++)
		if (*p == '"')
			quoted = !quoted;
	return p;
}

/* The next name, NULL at the list's end. */
static const char *
next(const char *p)
{
	p = names_end(p);
	if (*p != ',')
		return NULL;
	return p + 1;
}

static bool
names(const char *list, const char *name, size_t len)
{
	for (; list != NULL; list = next(list))
		if ((size_t)(names_end(list) - list) == len &&
		    memcmp(list, name, len) == 0)
			return true;
	return false;
}

size_t
names_count(const char *list)
{
	size_t n = 0;

	for (; list != NULL; list = next(list))
		n++;
	return n;
}

bool
names_within(const char *list, const char *some)
{
	for (; some != NULL; some = next(some))
		if (!names(list, some, (size_t)(names_end(some) - some)))
			return false;
	return true;
}

#define MOST 64		/* letters looked at */

static bool
same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* How many changes turn a into b, by the first MOST letters. */
static size_t
distance(const char *a, const char *b)
{
	size_t d[MOST + 1][MOST + 1];	/* for the first i and j letters */
	size_t n = strnlen(a, MOST), m = strnlen(b, MOST);

	for (size_t i = 0; i <= n; i++)
		for (size_t j = 0; j <= m; j++) {
			d[i][j] = i + j;
			if (i == 0 || j == 0)
				continue;
			d[i][j] = FIXED_LEAST(d[i - 1][j], d[i][j - 1]) + 1;
			d[i][j] = FIXED_LEAST(d[i][j], d[i - 1][j - 1] +
			    !same_letter(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				d[i][j] = FIXED_LEAST(d[i][j],
				    d[i - 2][j - 2] + 1);
		}
	return d[n][m];
}

const char *
names_near(const char *text, const char *const *words, size_t n)
{
	const char *best = NULL;
	size_t limit = FIXED_MOST(strlen(text) / 3, 1) + 1, d;

	for (size_t i = 0; i < n; i++) {
		d = distance(text, words[i]);
		if (d < limit && d < strlen(words[i])) {
			best = words[i];
			limit = d;
		}
	}
	return best;
}

size_t
names_control(const char *s, size_t len)
{
	const unsigned char *u = (const unsigned char *)s;

	for (size_t i = 0; i < len; i++)
		if (u[i] < 32 || u[i] == 127 || (u[i] == 0xc2 && i + 1 < len &&
		    u[i + 1] >= 0x80 && u[i + 1] < 0xa0))
			return i;
	return len;
}
