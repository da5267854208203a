/* feature: the features looked at in an output. */
#include "event.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/hash.h"
#include "tool/err.h"

/* A number as written. */
struct number {
	double value;
	int decimals;
};

/* The lowest bit's exponent, where gaps in the noise of doubles show. */
static double
lowest_bit(double x)
{
	int e;
	double m = frexp(x, &e);
	int64_t bits = (int64_t)ldexp(m, 53);

	if (bits == 0)
		return 64;
	return e - 53 + __builtin_ctzll((unsigned long long)bits);
}

static int
count_decimals(const char *p, const char *end)
{
	const char *point = memchr(p, '.', (size_t)(end - p));
	int n = 0;

	while (point != NULL && ++point < end && *point >= '0' && *point <= '9')
		n++;
	return n;
}

/* The next number at or after *p; false at the end of the text. */
static bool
next_number(const char **p, const char *end, struct number *x)
{
	char *after;

	for (; *p < end; ++*p) {
		if (strchr("+-.0123456789", **p) == NULL || **p == '\0')
			continue;
		x->value = strtod(*p, &after);
		if (after == *p)
			continue;
		x->decimals = count_decimals(*p, after);
		*p = after;
		if (isfinite(x->value))
			return true;
		--*p;
	}
	return false;
}

/* The column of a feature; a new column holds NANs. */
static double *
side_column(struct side *s, int feature)
{
	double *x = s->col[feature];

	if (x != NULL)
		return x;
	x = err_alloc(NULL, s->n, sizeof(*x));
	s->col[feature] = x;
	for (size_t i = 0; i < s->n; i++)
		x[i] = (double)NAN;
	return x;
}

static void
set_number(struct side *s, size_t i, int k, const struct number *x)
{
	side_column(s, F_VALUE + k)[i] = x->value;
	side_column(s, F_LOW + k)[i] = lowest_bit(x->value);
	side_column(s, F_PART + k)[i] = x->value - floor(x->value);
	side_column(s, F_DECIMALS + k)[i] = x->decimals;
	if (k > 0)
		side_column(s, F_DIFF + k)[i] = x->value -
		    s->col[F_VALUE + k - 1][i];
}

static void
set_sample(struct side *s, size_t i)
{
	const struct sample *a = &s->sample[i];
	const char *p = a->text, *end = a->text + a->len;
	double sum = 0;
	struct number x;
	int n = 0;

	for (; next_number(&p, end, &x); n++) {
		if (n < AUDIT_NUMBERS)
			set_number(s, i, n, &x);
		sum += x.value;
	}
	side_column(s, F_STATUS)[i] = a->status;
	side_column(s, F_LENGTH)[i] = (double)a->len;
	/* equal texts, equal numbers, whatever the text */
	side_column(s, F_TEXT)[i] = (double)(hash_bytes(a->text, a->len) >> 12);
	side_column(s, F_COUNT)[i] = n;
	if (n > 1)
		side_column(s, F_SUM)[i] = sum;
}

void
sides_make(struct side side[2], size_t n)
{
	for (int s = 0; s < 2; s++)
		for (size_t i = 0; i < n; i++)
			set_sample(&side[s], i);
}

void
side_free(struct side *s)
{
	for (int f = 0; f < AUDIT_FEATURES; f++)
		free(s->col[f]);
}
