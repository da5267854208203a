/*
 * sums: the sensitivities, proved at the head of sums.c, and public bins.
 */
#include "sums.h"

/* H_a: the largest distance of a clamped value from its center. */
static u128
reach(const struct sums_column *c)
{
	i128 up = (i128)c->hi - c->center, down = (i128)c->center - c->lo;

	return (u128)(up > down ? up : down);
}

/* R_a */
static u128
width(const struct sums_column *c)
{
	return (u128)((i128)c->hi - c->lo);
}

/*
 * Counting some of the records: one more or less, or one that no longer
 * counts.  (Counting all of them moves by 0 under swap: n is public there.)
 */
u128
sums_sens_count(enum sums_relation relation)
{
	(void)relation;
	return 1;
}

/* [DMNS06 Example 3] */
u128
sums_sens_hist(size_t bins, enum sums_relation relation)
{
	return relation == SUMS_SWAP && bins > 1 ? 2 : 1;
}

/* [DMNS06 Section 3.2] */
u128
sums_sens_sum(const struct sums_column *column, size_t d,
    enum sums_relation relation)
{
	u128 sum = 0;

	for (size_t a = 0; a < d; a++)
		sum += relation == SUMS_SWAP ? width(&column[a])
		    : reach(&column[a]);
	return sum;
}

u128
sums_sens_product(const struct sums_column *column, size_t d)
{
	u128 sum = 0;

	for (size_t a = 0; a < d; a++)
		for (size_t b = a; b < d; b++)
			sum += reach(&column[a]) * reach(&column[b]);
	return sum;
}

static u128
ceil_div(u128 a, u128 b)
{
	return a / b + (a % b != 0);
}

/*
 * [DMNS06 Section 3.2] sum over a <= b of the ceiling of
 * (n-1) R_a R_b / (n^2 unit).  Rounding up twice is rounding up once.
 */
u128
sums_sens_covariance(const struct sums_column *column, size_t d, u128 n,
    u128 unit)
{
	u128 sum = 0;

	if (n < 2)
		return 0;
	for (size_t a = 0; a < d; a++)
		for (size_t b = a; b < d; b++) {
			u128 r = width(&column[a]) * width(&column[b]);

			sum += ceil_div(ceil_div((n - 1) * r, n * n), unit);
		}
	return sum;
}

/* [DMNS06 Section 3.2] gamma = max ||v(x)||_1 */
u128
sums_gamma(const struct sums_column *column, size_t d)
{
	return sums_sens_sum(column, d, SUMS_ADD_REMOVE);
}

uint64_t
sums_bins(int64_t lo, int64_t hi, int64_t step)
{
	return ((uint64_t)hi - (uint64_t)lo - 1) / (uint64_t)step + 1;
}

uint64_t
sums_bin(int64_t lo, int64_t hi, int64_t step, int64_t x)
{
	if (x < lo || x > hi)
		return sums_bins(lo, hi, step);
	if (x == hi)
		return sums_bins(lo, hi, step) - 1;
	return ((uint64_t)x - (uint64_t)lo) / (uint64_t)step;
}
