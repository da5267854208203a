/*
 * unity: count, mean and variance of a column from a partition of unity.
 *
 * Let i = 0..M be a record's clamped cell, in steps above the lower end A of
 * the range, M steps being the width B - A.  Let f_j >= 0 be public integer
 * functions of i with sum_j f_j(i) = C for every i, and T_j the total of f_j
 * over the records.
 *
 * Privacy.  A record that comes or goes moves T_j by f_j(i) and the vector by
 * sum_j f_j(i) = C in l1 norm: exactly C, whatever the record is.  So discrete
 * Laplace noise with scale C/E on every T_j is E-private under add-remove,
 * without splitting E [DMNS06 Proposition 1].  A histogram is the case of
 * indicators.  A record with weight w is w records.  A complete total saturates
 * at 2^126, which moves no two values further apart.
 *
 * Here f = ((M - i)^2, 2 i (M - i), i^2), Bernstein's polynomials, and C = (M -
 * i + i)^2 = M^2.
 *
 * Several columns: each has a separate partition, whose totals get noise with
 * scale d C/E.  A record moves the totals of column a by C_a, which costs E/d;
 * d columns cost E, and each column has noise in units of the column's range.
 *
 * Estimates, post-processing.  With r_j = T_j / C, in records, a column has n =
 * sum_j r_j.  Let z = 2 i/M - 1 be the cell on -1..1.  The r_j are totals of
 * ((1-z)^2/4, (1-z^2)/2, (1+z)^2/4), hence
 *
 *	sum z = r_2 - r_0	sum z^2 = r_0 - r_1 + r_2
 *			= (n + 2 (r_0 - 2 r_1 + r_2)) / 3.
 *
 * The noises of r_2 - r_0 and r_0 - 2 r_1 + r_2 are uncorrelated with the noise
 * of the column's sum_j r_j, so n pooled from the columns, with less noise,
 * takes the sum's place without loss:
 *
 *	mean z = (r_2 - r_0)/n	mean z^2 = 1/3 + 2 (r_0 - 2 r_1 + r_2)/(3 n),
 *
 * for one column the quotients of the totals themselves.
 */
#include "unity.h"

#include <math.h>

u128
unity_sens(const struct sums_column *c)
{
	return sums_steps(c) * sums_steps(c);
}

/*
 * From S = sum i and Q = sum i^2 of n cells: M^2 n - 2 M S + Q, 2 (M S - Q) and
 * Q.
 */
void
unity_add(const struct sums_column *c, const int64_t *x, size_t n, uint64_t w,
    struct total *t)
{
	i128 m = (i128)sums_steps(c), s = 0, q = 0, mixed;

	for (size_t k = 0; k < n; k++) {
		i128 i = sums_offset(c, x[k]);

		s += i;
		q += i * i;
	}
	mixed = m * s - q;
	total_add(&t[0], m * (m * (i128)n - s) - mixed, w);
	total_add(&t[1], 2 * mixed, w);
	total_add(&t[2], q, w);
}

struct unity_moments
unity_moments(const long double *part)
{
	long double a = part[0], b = part[1], c = part[2];

	return (struct unity_moments){ .n = a + b + c, .first = { c - a },
	    .second = { a - 2 * b + c } };
}

long double
unity_square_mean(long double second, long double n)
{
	return (n + 2 * second) / (3 * n);
}

/* n is taken as 1 or more. */
long double
unity_mean(const struct unity_moments *m, long double n)
{
	if (n <= 0)
		return 0;
	return sums_within(m->first[0] / fmaxl(n, 1), -1, 1);
}

long double
unity_variance(const struct unity_moments *m, long double n)
{
	long double z = unity_mean(m, n);

	if (n <= 0)
		return 0;
	return sums_within(unity_square_mean(m->second[0], fmaxl(n, 1)) -
	    z * z, 0, 1);
}

/* --- pairs of columns ---------------------------------------------------- */

/*
 * With each column's functions f_0, f_1, f_2 of degree 2, whose sums
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
