/*
 * separation: what the paper proves about all private mechanisms, on small
 * ones, with each probability added up [DMNS06 sections 3 and 4, appendix A].
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "laplace/response.h"
#include "random/noise.h"
#include "samples.h"

#define RECORDS 5
#define TABLE (1 << RECORDS)

/* By how much one record of 0 or 1 moves f, a table over all data sets. */
static int
sensitivity(const int *f, int n)
{
	int worst = 0;

	for (int x = 0; x < 1 << n; x++)
		for (int i = 0; i < n; i++)
			worst = abs(f[x] - f[x ^ 1 << i]) > worst ?
			    abs(f[x] - f[x ^ 1 << i]) : worst;
	return worst;
}

/*
 * A looks at `seen' of n records, by lot, and says the lower median of f over
 * all data sets that agree with them: in sigma is the least error within which
 * it is with a chance of beta or more, or above beta, for every data set.
 */
static int
least_error(const int *f, int n, int seen, double beta, bool above)
{
	int worst = 0;

	for (int x = 0; x < 1 << n; x++) {
		int err[TABLE], all = 0, s;

		for (int mask = 0; mask < 1 << n; mask++) {
			int may[TABLE], k = 0;

			if (__builtin_popcount((unsigned)mask) != seen)
				continue;
			for (int y = 0; y < 1 << n; y++)
				if (((x ^ y) & mask) == 0) {
					int j = k++;

					for (; j > 0 && may[j - 1] > f[y]; j--)
						may[j] = may[j - 1];
					may[j] = f[y];
				}
			err[all++] = abs(may[(k - 1) / 2] - f[x]);
		}
		for (s = 0;; s++) {
			int in = 0;

			for (int i = 0; i < all; i++)
				in += err[i] <= s;
			if (above ? in > beta * all + 1e-9 :
			    in >= beta * all - 1e-9)
				break;
		}
		worst = s > worst ? s : worst;
	}
	return worst;
}

/*
 * [DMNS06 Lemma 1] A function that few records tell within sigma, with a
 * chance above (1 + alpha)/2, moves by 2 sigma at most.  The paper allows a
 * chance of just (1 + alpha)/2, and that is not enough: a fair coin, alpha = 0,
 * tells the parity with a chance of 1/2.
 */
Test(separation, what_few_records_tell_moves_little)
{
	uint64_t state = 1;
	static const int parity[4] = { 0, 1, 1, 0 };
	int loose = 0;

	for (int run = 0; run < 2000; run++) {
		int n = 2 + (int)draw(&state, RECORDS - 1), f[TABLE], seen, s;
		double alpha;

		seen = (int)draw(&state, (uint64_t)n);
		alpha = (double)seen / n;
		for (int x = 0; x < 1 << n; x++)
			f[x] = run % 2 ? __builtin_popcount((unsigned)x) *
			    (1 + run % 5) : (int)draw(&state, 30);
		s = sensitivity(f, n);
		cr_assert_leq(s, 2 * least_error(f, n, seen, (1 + alpha) / 2,
		    true));
		loose += s > 2 * least_error(f, n, seen, alpha / 2, true);
	}
	cr_expect_gt(loose, 20, "twin");
	/* the coin is off by 0 with the chance (1 + 0)/2, for each data set */
	cr_expect_gt(sensitivity(parity, 2), 2 * 0);
}

#define BITS 8
#define SIDE (1 << BITS)
#define ANSWERS 4

/* Walsh-Hadamard transform: sums of t[x] (-1)^(r . x), in place. */
static void
transform(double *t, size_t n)
{
	for (size_t h = 1; h < n; h *= 2)
		for (size_t i = 0; i < n; i += 2 * h)
			for (size_t j = i; j < i + h; j++) {
				double a = t[j], b = t[j + h];

				t[j] = a + b;
				t[j + h] = a - b;
			}
}

/* A random law of ANSWERS outputs for each of n inputs, eps-private. */
static void
random_map(uint64_t *state, double eps, double *law, size_t n)
{
	for (size_t x = 0; x < n; x++) {
		double w[ANSWERS], sum = 0;

		/* weights 1 or e^(eps/2): sums and each are within that */
		for (int z = 0; z < ANSWERS; z++)
			sum += w[z] = draw(state, 2) ? exp(eps / 2) : 1;
		for (int z = 0; z < ANSWERS; z++)
			law[(size_t)z * n + x] = w[z] / sum;
	}
}

/* What tells its input: x itself, as far as the outputs go. */
static void
open_map(double *law, size_t n)
{
	for (size_t x = 0; x < n; x++)
		for (size_t z = 0; z < ANSWERS; z++)
			law[z * n + x] = x % ANSWERS == z;
}

static double
chebyshev(double eps, double alpha, int bits)
{
	double e = expm1(eps);

	return 4 * cbrt(2 * e * e / (alpha * pow(2, bits)));
}

/*
 * SD(Z(D_r), Z(D)) for every r, sorted, and the largest variance of the
 * chance of an output over r and b, over p^2 (e^eps - 1)^2 / 2^d: of `law',
 * which is transformed.
 */
static double
distances(double *law, double *sd, double eps)
{
	double e = expm1(eps), worst = 0;

	for (size_t z = 0; z < ANSWERS; z++) {
		double *t = law + z * SIDE, var = 0;

		transform(t, SIDE);
		for (size_t r = 1; r < SIDE; r++) {
			sd[r - 1] += fabs(t[r]) / SIDE / 2;
			var += t[r] * t[r] / SIDE / SIDE / (SIDE - 1);
		}
		worst = fmax(worst, var * SIDE / (t[0] * t[0] / SIDE / SIDE *
		    e * e));
	}
	return worst;
}

static int
rising(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * [DMNS06 Lemma 2, Claim 1, Proposition 2] Half of the domain, cut by a random
 * parity, looks like all of it: with the constants of the proof, whose delta
 * is the cube root of 2 (e^eps - 1)^2 / (alpha 2^d) (the paper writes alpha in
 * the numerator there).  Two values of a parity in n records are apart by 2n
 * times that.  The twin is no private
 * map, as that of [DMNS06 Example 2].
 */
Test(separation, parities_of_private_maps_are_hidden)
{
	static double law[ANSWERS * SIDE];
	uint64_t state = 2;

	for (int run = 0; run < 40; run++) {
		double eps = run % 2 ? 0.01 : 0.1, sd[SIDE - 1] = { 0 };

		random_map(&state, eps, law, SIDE);
		cr_assert_leq(distances(law, sd, eps), 2);
		qsort(sd, SIDE - 1, sizeof(*sd), rising);
		for (double alpha = 0.5; alpha > 0.01; alpha /= 2)
			cr_assert_leq(sd[(size_t)ceil((1 - alpha) *
			    (SIDE - 1)) - 1], chebyshev(eps, alpha, BITS));
		/* n = 3: at most 3 times the distance of one */
		cr_assert_leq(3 * 2 * sd[(SIDE - 1) * 2 / 3], 3 * 2 *
		    chebyshev(eps, 1.0 / 3, BITS));
	}
	for (int run = 0; run < 2; run++) {
		double sd[SIDE - 1] = { 0 };

		if (run == 0)
			open_map(law, SIDE);
		else
			random_map(&state, 4, law, SIDE);
		cr_expect_gt(distances(law, sd, 0.1), 2, "twin");
		qsort(sd, SIDE - 1, sizeof(*sd), rising);
		/* of two bits: three parities of 255 tell all they can */
		cr_expect(run == 1 || sd[SIDE - 4] > chebyshev(0.01,
		    1.0 / 128, BITS), "twin");
	}
}

/*
 * [DMNS06 Theorem 3] Two records of BITS bits, any private mechanism that
 * releases once: the data sets with all parities 0 and with all parities 1
 * look alike for two thirds of the pairs of parities.  Their chances differ by
 * twice the two single transforms.
 */
Test(separation, one_release_answers_no_parity_that_comes_later)
{
	const size_t all = (size_t)SIDE * SIDE;
	double *law = malloc(ANSWERS * all * sizeof(*law));
	uint64_t state = 3;

	cr_assert_not_null(law);
	for (int run = 0; run < 3; run++) {
		const double eps = 0.01, n = 2;
		const double most = 2 * n * chebyshev(eps, 1 / (6 * n), BITS);
		size_t near = 0, pairs = 0;

		if (run == 2)
			open_map(law, all);
		else
			random_map(&state, eps, law, all);
		for (size_t z = 0; z < ANSWERS; z++)
			transform(law + z * all, all);
		for (size_t r = 1; r < SIDE; r++)
			for (size_t s = 1; s < SIDE; s++) {
				double sd = 0;

				for (size_t z = 0; z < ANSWERS; z++)
					sd += fabs(law[z * all + r] +
					    law[z * all + s * SIDE]) /
					    (double)all;
				near += sd <= most;
				pairs++;
			}
		cr_assert_lt(most, 1);
		cr_assert(run == 2 || near * 3 >= 2 * pairs);
		cr_assert(run != 2 || near < pairs, "twin");
	}
	free(law);
}

/*
 * The figure of results(7): a value of d bits, kept with chance e^E / (e^E +
 * 2^d - 1) and else any other.  Halves of a parity are (e^E - 1) / (e^E + 2^d -
 * 1) apart, as the chances of x in its half and outside differ by that; for
 * one bit it is the coin of `laplace flip'.
 */
Test(separation, a_single_report_tells_a_parity_by_the_part_that_is_kept)
{
	static double law[SIDE];
	double e = exp(1.0), coin = 1 / (2 + response_growth(
	    (struct rational){ 1, 1 }));

	for (int bits = 1; bits <= BITS; bits++) {
		size_t n = (size_t)1 << bits;
		double apart = 0;

		for (size_t z = 0; z < n; z++) {
			for (size_t x = 0; x < n; x++)
				law[x] = (x == z ? e : 1) / (e + (double)n - 1);
			transform(law, n);
			apart += fabs(law[1]) / (double)n;
		}
		cr_expect_float_eq(apart, (e - 1) / (e + (double)n - 1), 1e-12);
		cr_expect(bits > 1 || fabs(apart - (1 - 2 * coin)) < 1e-12);
	}
}

#define GUESSES 5

/*
 * [DMNS06 Definition 4, Definition 6, Claim 2, Claim 3] The adversary knows
 * all but one record of 0 to 4 and has an opinion of it; a sum with noise of
 * scale 4/E may change the odds of no predicate by more than e^E, nor its
 * chance, and a prior of p becomes at most p e^E / (1 - p + p e^E), reached
 * where two values are possible (report.c).  Who simulates the release with 0
 * for the record is off by e^E at most.  The twin has half the noise.
 */
static double
worst_of(uint64_t *state, double eps, double scale, bool two, double *odds)
{
	double prior[GUESSES] = { 0 }, sum = 0, worst = 0;

	for (int v = 0; v < GUESSES; v++)
		sum += prior[v] = two && v % 4 != 0 ? 0 : 1 + (double)draw(
		    state, 99);
	for (int y = -30; y < 34; y++)
		for (int f = 1; f < (1 << GUESSES) - 1; f++) {
			double in = 0, all = 0, p = 0, after, most;

			for (int v = 0; v < GUESSES; v++) {
				double w = prior[v] / sum * exp(-abs(y - v) /
				    scale);

				all += w;
				in += f >> v & 1 ? w : 0;
				p += f >> v & 1 ? prior[v] / sum : 0;
			}
			if (p <= 0 || p >= 1 - 1e-12)
				continue;
			after = in / all;
			most = p * exp(eps) / (1 - p + p * exp(eps));
			worst = fmax(worst, fabs(log(after / p)));
			*odds = fmax(*odds, after / most);
		}
	return worst;
}

Test(separation, beliefs_change_by_the_charge_at_most)
{
	uint64_t state = 4;
	int twin = 0;

	for (int run = 0; run < 300; run++) {
		double eps = 0.1 * (1 + (double)draw(&state, 30));
		double odds = 0, broken = 0;

		cr_assert_leq(worst_of(&state, eps, 4 / eps, run % 2 == 0,
		    &odds), eps + 1e-9);
		cr_assert_leq(odds, 1 + 1e-9);
		cr_expect(run % 2 == 1 || odds > 1 - 1e-9, "reached");
		for (int v = 0; v < GUESSES; v++)
			for (int y = -30; y < 34; y++)
				cr_assert_leq(abs(abs(y - v) - abs(y)) * eps /
				    4, eps + 1e-9, "simulated from 0");
		worst_of(&state, eps, 2 / eps, true, &broken);
		twin += broken > 1 + 1e-9;
	}
	cr_expect_gt(twin, 200, "twin");
}
