/*
 * few: preprocessing with individual sensitivities over all subsets.
 *
 * [CD20 Algorithm 1]: f of every subset, then subsets_value.  For a single S
 * windows of the sorted data suffice (ordered.c, spread.c); for individual S_i
 * they do not (mixed.c has the counter-example), so this is for few records.
 * f is rounded to the grid before preprocessing, which is the same as after
 * (subsets.c).
 */
#include "few.h"

#include <stdlib.h>

#include "spread.h"

/* floor(f + 1/2) of x[0..k-1] ascending; |sums| stay below 2^67. */
static int64_t
plain_ordered(const struct ordered *f, const int64_t *x, unsigned k)
{
	i128 part = f->alpha.num * (i128)k, sum = 0;
	unsigned q;

	if (k == 0)
		return f->center;
	switch (f->kind) {
	case ORDERED_MEDIAN:
		sum = (i128)x[(k - 1) / 2] + x[k / 2];
		return (int64_t)fixed_floor_div(sum + 1, 2);
	case ORDERED_QUANTILE:
		q = (unsigned)fixed_ceil_div(part, f->alpha.den);
		return x[q > 0 ? q - 1 : 0];
	default:		/* ORDERED_MEAN */
		q = (unsigned)fixed_floor_div(part, f->alpha.den);
		for (unsigned i = q; i < k - q; i++)
			sum += x[i];
		k -= 2 * q;
		return (int64_t)fixed_floor_div(2 * sum + (i128)k,
		    2 * (i128)k);
	}
}

/*
 * min(floor(Var + 1/2), FIXED_MAX), through preprocessing with S = FIXED_MAX,
 * which does nothing else: in n S + min over windows of (Var - k S) a window
 * of k < n records gives at least S, all n give Var.
 */
static bool
plain_spread(u128 unit, const int64_t *x, unsigned k, int64_t *value)
{
	struct spread f = { .sens = FIXED_MAX, .unit = unit };

	return spread_value(&f, x, k, value);
}

static void
sort(struct few *few)
{
	for (unsigned i = 1; i < few->n; i++) {
		int64_t x = few->x[i], s = few->sens[i];
		unsigned j;

		for (j = i; j > 0 && few->x[j - 1] > x; j--) {
			few->x[j] = few->x[j - 1];
			few->sens[j] = few->sens[j - 1];
		}
		few->x[j] = x;
		few->sens[j] = s;
	}
}

/* f NULL: the variance. */
static bool
preprocess(const struct ordered *f, u128 unit, const struct few *few,
    int64_t *value)
{
	struct few all = *few;
	uint32_t last = ((uint32_t)1 << all.n) - 1;
	int64_t *g = calloc((size_t)last + 1, sizeof(*g)), x[SUBSETS_MAX];
	bool ok = g != NULL;

	sort(&all);
	for (uint32_t d = 0; ok && d <= last; d++) {
		unsigned k = 0;

		for (unsigned i = 0; i < all.n; i++)
			if (d >> i & 1)
				x[k++] = all.x[i];
		if (f != NULL)
			g[d] = plain_ordered(f, x, k);
		else
			ok = plain_spread(unit, x, k, &g[d]);
	}
	if (ok) {
		subsets_value(g, all.sens, all.n);
		*value = g[last];
	}
	free(g);
	return ok;
}

/* [CD20 Definition 3.1] [CD20 Algorithm 1] */
bool
few_ordered(const struct ordered *f, const struct few *few, int64_t *value)
{
	return preprocess(f, 0, few, value);
}

bool
few_spread(u128 unit, const struct few *few, int64_t *value)
{
	return preprocess(NULL, unit, few, value);
}
