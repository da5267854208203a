/*
 * variance_facts: what the papers know of the variance and build their
 * recursions and output bounds on [CD20 section 6, appendix A; D24 appendix D].
 *
 * Few small whole numbers, in doubles with some room.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "samples.h"

#define MOST 6
#define HAIR 1e-9

struct sample {
	int64_t x[MOST];
	size_t n;
};

static void
sample_make(struct sample *a, uint64_t *state)
{
	a->n = 2 + draw(state, MOST - 1);
	for (size_t i = 0; i < a->n; i++)
		a->x[i] = (int64_t)draw(state, draw(state, 3) ? 9 : 90);
	qsort(a->x, a->n, sizeof(*a->x), ascending);
}

/* Variance of the records in a set of bits, of none 0. */
static double
var(const struct sample *a, unsigned set)
{
	double n = __builtin_popcount(set), mu = 0, sum = 0;

	for (size_t i = 0; i < a->n; i++)
		mu += set >> i & 1 ? (double)a->x[i] / n : 0;
	for (size_t i = 0; i < a->n; i++)
		sum += set >> i & 1 ? ((double)a->x[i] - mu) *
		    ((double)a->x[i] - mu) : 0;
	return n > 0 ? sum / n : 0;
}

/* [CD20 Definition 6.1] [D24 Definition 5.1, Definition D.1]: half of all
   squared differences, over n^2. */
static double
by_pairs(const struct sample *a)
{
	double sum = 0;

	for (size_t i = 0; i < a->n; i++)
		for (size_t j = 0; j < a->n; j++)
			sum += (double)((a->x[i] - a->x[j]) * (a->x[i] -
			    a->x[j])) / 2;
	return sum / (double)(a->n * a->n);
}

/*
 * [CD20 Fact 6.2, Fact 6.3, Fact 6.7, Lemma 6.10]; twins: an end is not always
 * the record to remove for the largest variance, n/(n-1) has no room, and the
 * sum of Lemma 6.10 is needed whole.
 */
Test(variance_facts, one_record_less)
{
	uint64_t state = 1;
	int inner = 0, tight = 0, less = 0;

	for (int run = 0; run < 20000; run++) {
		struct sample a;
		unsigned all, top;
		double v, n, ends, far;

		sample_make(&a, &state);
		n = (double)a.n;
		all = (1u << a.n) - 1;
		top = 1u << (a.n - 1);
		v = var(&a, all);
		cr_assert_float_eq(v, by_pairs(&a), HAIR * (1 + v));
		ends = fmin(var(&a, all & ~1u), var(&a, all & ~top));
		for (size_t i = 0; i < a.n; i++) {
			double w = var(&a, all & ~(1u << i)), sum = 0;

			cr_assert_leq(ends, w + HAIR);
			cr_assert_leq(w, n / (n - 1) * v + HAIR);
			for (size_t j = 0; j < a.n; j++)
				sum += pow((double)(a.x[i] - a.x[j]), 2);
			cr_assert_leq(v - w, sum / n / n + HAIR);
			inner += w > fmax(var(&a, all & ~1u), var(&a, all &
			    ~top)) + HAIR;
			tight += w > v + HAIR;
			less += v - w > sum / n / n / 2 + HAIR;
		}
		far = (double)(a.x[a.n - 1] - a.x[0]);
		if (a.n > 2 && far > 0)
			cr_assert_float_eq(v, pow((n - 1) / n, 2) * (var(&a,
			    all & ~1u) + var(&a, all & ~top)) - pow((n - 2) /
			    n, 2) * var(&a, all & ~1u & ~top) + far * far / n /
			    n, HAIR * (1 + v));
	}
	cr_expect(inner > 100 && tight > 100 && less > 100, "twins");
}

/*
 * [CD20 Fact A.2] [D24 Lemma D.2] The variance of n records of which those
 * outside a set may be anything is least where they are its mean, and is
 * |set|/n of the set's.
 */
Test(variance_facts, free_records_go_to_the_mean_of_the_others)
{
	uint64_t state = 2;

	for (int run = 0; run < 3000; run++) {
		struct sample a;
		unsigned set;
		double least, mu = 0, k, n;

		sample_make(&a, &state);
		set = 1 + (unsigned)draw(&state, (1u << a.n) - 2);
		k = __builtin_popcount(set);
		n = (double)a.n;
		least = k / n * var(&a, set);
		for (size_t i = 0; i < a.n; i++)
			mu += set >> i & 1 ? (double)a.x[i] / k : 0;
		for (int y = -3; y <= 3; y++) {
			double m, v = 0, at = mu + y;

			m = (k * mu + (n - k) * at) / n;
			for (size_t i = 0; i < a.n; i++)
				v += pow((set >> i & 1 ? (double)a.x[i] : at) -
				    m, 2) / n;
			cr_assert(y == 0 ? fabs(v - least) < HAIR * (1 + v) :
			    v > least + HAIR);
		}
	}
}

/* [CD20 Definition 3.1] literally, of all subsets, with f(empty) = 0. */
static void
preprocess(const struct sample *a, double s, double *g)
{
	for (unsigned d = 0; d < 1u << a->n; d++) {
		double low = -INFINITY, up = INFINITY;

		for (size_t i = 0; i < a->n; i++)
			if (d >> i & 1) {
				low = fmax(low, g[d & ~(1u << i)] - s);
				up = fmin(up, g[d & ~(1u << i)] + s);
			}
		g[d] = d == 0 ? 0 : fmin(up, fmax(low, var(a, d)));
	}
}

/* Lemma 6.11's bound, with `factor' for 4. */
static double
bound(const struct sample *a, double s, double factor)
{
	double n = (double)a->n, sum;

	sum = fmax(by_pairs(a) - n / 2 * s, 0);
	for (size_t i = 0; i < a->n; i++) {
		double far = 0;

		for (size_t j = 0; j < a->n; j++)
			far += factor * pow((double)(a->x[i] - a->x[j]), 2) /
			    n / n;
		sum += fmax(far - s, 0);
	}
	return sum;
}

/* [CD20 Lemma 6.5, Lemma 6.6, Lemma 6.9, Lemma 6.11] */
Test(variance_facts, preprocessing_only_lowers_a_variance)
{
	uint64_t state = 3;
	int lowered = 0, twin = 0;

	for (int run = 0; run < 5000; run++) {
		struct sample a;
		double g[1 << MOST], s = (double)draw(&state, 60), v;
		unsigned all, d;
		bool found = false;

		sample_make(&a, &state);
		all = (1u << a.n) - 1;
		preprocess(&a, s, g);
		v = var(&a, all);
		cr_assert_leq(g[all], v + HAIR);
		for (size_t i = 0; i < a.n; i++)
			cr_assert_leq(fmin(g[all & ~1u], g[all & ~(1u <<
			    (a.n - 1))]), g[all & ~(1u << i)] + HAIR);
		for (d = 0; d <= all; d++)
			found = found || fabs(g[all] - var(&a, d) - s *
			    ((double)a.n - __builtin_popcount(d))) < HAIR;
		cr_assert(found);
		cr_assert_leq(v - g[all], bound(&a, s, 4) + HAIR);
		lowered += g[all] < v - HAIR;
		twin += v - g[all] > bound(&a, s, 0) + HAIR;
	}
	cr_expect(lowered > 1000 && twin > 20, "twin");
}

/*
 * [CD20 Fact A.1] says: where x_k is as near to the values up to k as to those
 * after, in total, so is every x_i before it.  With the sums cut at k that is
 * false (0, 10, 10, 10, 20: x_4 is 10 from either side, x_1 is 30 from the
 * first four and 20 from the last).  With the left sum cut at i it holds: that
 * sum grows with i, the right one falls.  Lemma 5.12 needs no more.
 */
Test(variance_facts, a_value_has_less_before_it_than_after_k)
{
	uint64_t state = 4;
	int printed = 0;

	for (int run = 0; run < 20000; run++) {
		struct sample a;
		int64_t cut[MOST][MOST];	/* at k, of x_i */

		sample_make(&a, &state);
		for (size_t k = 0; k < a.n; k++)
			for (size_t i = 0; i < a.n; i++) {
				cut[k][i] = 0;
				for (size_t j = 0; j < a.n; j++)
					cut[k][i] += (j <= k ? 1 : -1) *
					    llabs(a.x[i] - a.x[j]);
			}
		for (size_t k = 0; k < a.n; k++)
			for (size_t i = 0; i <= k && cut[k][k] <= 0; i++) {
				int64_t between = 0;

				for (size_t j = i + 1; j <= k; j++)
					between += llabs(a.x[i] - a.x[j]);
				cr_assert_leq(cut[k][i] - between, 0);
				printed += cut[k][i] > 0;
			}
	}
	cr_expect_gt(printed, 20, "twin");
}
