/*
 * norm: records whose columns together have a bounded l1 norm.
 *
 * [DMNS06 Section 3.2] The paper measures vectors by gamma, the largest l1 norm
 * of a record.  Column c becomes y_c, whole steps between -M and M, and a
 * record with t = sum |y_c| above the bound B = floor(G M) becomes sign(y_c)
 * floor(|y_c| B / t): a map of each record alone, after which the norm is sum
 * floor(|y_c| B / t) <= B.  So a record that comes or goes moves
 *
 *	the sums of y_c			by sum |y_c| <= B,
 *	the sums of max(y_c, 0), max(-y_c, 0) and B - sum |y_c|
 *					by B, exactly: a partition of unity,
 *	the sums of y_a y_b, a <= b, of B y_c, and of B^2
 *					by at most B^2 each, 3 B^2 together,
 *
 * for sum_{a<=b} |y_a y_b| <= (sum |y_c|)^2 <= B^2.  Noise with scale C/E on
 * every total, C the bound, is E-private [DMNS06 Proposition 1].  A replaced
 * record is a record less and a record more: 2 C.  Then no count needs noise,
 * as n is public: NORM_SUMS for means, 2 C; for products the count's own B^2 is
 * not moved, and 4 B^2 is enough.
 */
#include "norm.h"

size_t
norm_totals(const struct norm *n)
{
	if (n->kind == NORM_SUMS)
		return n->d;
	if (n->kind == NORM_PARTS)
		return 2 * n->d + 1;
	return n->d * (n->d + 1) / 2 + n->d + 1;
}

u128
norm_sens(const struct norm *n, enum neighbors neighbors)
{
	u128 b = (u128)n->bound;

	bool swap = neighbors == NEIGHBORS_SWAP;

	if (n->kind == NORM_PRODUCTS)
		return (swap ? 4 : 3) * b * b;
	return (swap ? 2 : 1) * b;
}

int64_t
norm_cell(const struct norm *n, int64_t x, int64_t most)
{
	return (int64_t)fixed_div((i128)x * n->steps, most, FIXED_NEAREST);
}

static i128
length(const struct norm *n, const int64_t *y)
{
	i128 t = 0;

	for (size_t c = 0; c < n->d; c++)
		t += y[c] < 0 ? -y[c] : y[c];
	return t;
}

void
norm_shrink(const struct norm *n, int64_t *y)
{
	i128 t = length(n, y);

	for (size_t c = 0; t > n->bound && c < n->d; c++)
		y[c] = (int64_t)((i128)y[c] * n->bound / t);
}

void
norm_add(const struct norm *n, const int64_t *y, uint64_t w, struct total *t)
{
	i128 b = n->bound;

	if (n->kind == NORM_PRODUCTS)
		for (size_t i = 0; i < n->d; i++)
			for (size_t j = i; j < n->d; j++)
				total_add(t++, (i128)y[i] * y[j], w);
	for (size_t c = 0; c < n->d; c++)
		if (n->kind == NORM_PARTS) {
			total_add(t++, y[c] > 0 ? y[c] : 0, w);
			total_add(t++, y[c] < 0 ? -y[c] : 0, w);
		} else
			total_add(t++, n->kind == NORM_SUMS ? y[c] : y[c] * b,
			    w);
	if (n->kind != NORM_SUMS)
		total_add(t, n->kind == NORM_PARTS ? b - length(n, y) : b * b,
		    w);
}

void
norm_decode(const struct norm *n, const long double *t, long double *sum,
    long double *product, long double *count)
{
	long double m = (long double)n->steps, b = (long double)n->bound;
	long double all = 0;

	if (n->kind == NORM_PRODUCTS)
		for (size_t i = n->d * (n->d + 1) / 2; i-- > 0; t++)
			*product++ = *t / (m * m);
	for (size_t c = 0; c < n->d; c++, t++) {
		sum[c] = *t / m;
		if (n->kind == NORM_PRODUCTS)
			sum[c] /= b;
		if (n->kind == NORM_PARTS) {
			all += t[0] + t[1];
			sum[c] -= *++t / m;
		}
	}
	if (n->kind != NORM_SUMS)
		*count = n->kind == NORM_PARTS ? (all + *t) / b : *t / (b * b);
}
