/*
 * unity_pair: two columns in one partition of unity.
 *
 * With each column's functions f_0, f_1, f_2 of degree 2 (unity.c), whose sums
 * are M_a^2 and M_b^2 for every cell, the nine products f_j(x) f_k(y) are not
 * negative and have the sum C = M_a^2 M_b^2 for every record.  So a record that
 * comes or goes moves the vector of the nine totals by C in l1 norm, whatever
 * the record, and noise with scale C/E on each total is E-private: count,
 * means, variances and covariance need no split.
 *
 * Several pairs: each of k pairs has nine separate totals with noise, scale k
 * C/E; a record moves each pair's totals by the pair's C, which costs E/k.
 *
 * Estimates.  Let y = 2 x/M - 1 be a cell on -1..1.  In records, r_jk = T_jk/C
 * are the totals of g_j(y) g_k(z), g = ((1-y)^2/4, (1-y^2)/2, (1+y)^2/4), and
 *
 *	1 = g_0 + g_1 + g_2		y = g_2 - g_0
 *	(3 y^2 - 1)/2 = g_0 - 2 g_1 + g_2.
 *
 * So with the weights one = (1, 1, 1), odd = (-1, 0, 1) and even = (1, -2, 1)
 *
 *	n = one x one	sum y = odd x one	sum (3 y^2 - 1)/2 = even x one
 *			sum y z = odd x odd
 *
 * where u x v is the sum of u_j v_k r_jk.  The weight vectors stand at right
 * angles, so the noises of the sums are uncorrelated: n, the sums of y and of
 * squares may be averaged over every pair with such sums without a loss to the
 * rest.
 */
#include "unity_pair.h"

u128
unity_pair_sens(const struct sums_column *a, const struct sums_column *b)
{
	u128 m = sums_steps(a) * sums_steps(b);

	return m * m;
}

void
unity_pair_functions(const struct sums_column *c, int64_t x, uint64_t *f)
{
	uint64_t i = (uint64_t)sums_offset(c, x);
	uint64_t rest = (uint64_t)sums_steps(c) - i;

	f[0] = rest * rest;
	f[1] = 2 * i * rest;
	f[2] = i * i;
}

/* Each product is at most 2^60, so that a weight of 1 needs no carry. */
void
unity_pair_add(struct total *t, const uint64_t *f, const uint64_t *g,
    uint64_t w)
{
	for (int j = 0; j < PAIR_FUNCTIONS; j++)
		for (int k = 0; k < PAIR_FUNCTIONS; k++, t++) {
			uint64_t product = f[j] * g[k];

			if (w == 1)
				t->low += product;
			else
				total_add(t, product, w);
		}
}

/* u x v */
static long double
crossed(const long double *part, const int *u, const int *v)
{
	long double sum = 0;

	for (int j = 0; j < PAIR_FUNCTIONS; j++)
		for (int k = 0; k < PAIR_FUNCTIONS; k++)
			sum += *part++ * (long double)(u[j] * v[k]);
	return sum;
}

struct unity_moments
unity_pair_moments(const long double *part)
{
	static const int one[] = { 1, 1, 1 }, odd[] = { -1, 0, 1 };
	static const int even[] = { 1, -2, 1 };

	return (struct unity_moments){ .n = crossed(part, one, one),
	    .first = { crossed(part, odd, one), crossed(part, one, odd) },
	    .second = { crossed(part, even, one), crossed(part, one, even) },
	    .product = crossed(part, odd, odd) };
}
