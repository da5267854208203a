/*
 * select: the output law, enumerated for every neighbouring pair of small
 * score tables.
 *
 * The law is computed from its definition and from the scale that the library
 * makes, not by the library: long double with errors below 10^-16 relative,
 * margin 10^-12.  tests/stat shows that the library draws from this law.
 */
#include "expmech/mechanism.h"

#include "world.h"

#include <criterion/criterion.h>
#include <math.h>

#define MOST 4
#define MARGIN 1e-12L

/* [DMNS06 Section 3.3] [KPAK20 Definition 6, Definition 9]
   [D24 Definition 2.6] [CD20 Definition 7.4] */
static void
law_exponential(const int *u, size_t n, long double t, long double *p)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += p[i] = expl(u[i] / t);
	for (size_t i = 0; i < n; i++)
		p[i] /= sum;
}

static void
law_flip(const int *u, size_t n, long double t, long double *p)
{
	long double heads[MOST];
	int best = u[0];

	for (size_t i = 1; i < n; i++)
		best = u[i] > best ? u[i] : best;
	for (size_t i = 0; i < n; i++) {
		heads[i] = expl((u[i] - best) / t);
		p[i] = 0;
	}
	world_flip(heads, n, 0, 1, p);
}

typedef void law_fn(const int *, size_t, long double, long double *);

static int
digit(unsigned *code, unsigned base)
{
	unsigned x = *code % base;

	*code /= base;
	return (int)x;
}

/* Moves every score by -d..d, or by 0..d when monotonic. */
static void
neighbour(const int *u, int *v, size_t n, unsigned code, int d, bool monotonic)
{
	for (size_t i = 0; i < n; i++)
		v[i] = u[i] + (monotonic ? digit(&code, d + 1)
		    : digit(&code, 2 * d + 1) - d);
}

static struct audit_count counted;

/*
 * Largest log ratio over all tables of n scores in 0..top and all their
 * neighbours, in both directions.
 */
static long double
worst(law_fn *law, size_t n, int top, int d, long double t, bool monotonic)
{
	unsigned moves = world_power(monotonic ? d + 1 : 2 * d + 1, n);
	long double most = 0, p[MOST], q[MOST];
	int u[MOST], v[MOST];

	counted.pairs += (long long)world_power(top + 1, n) * moves;
	counted.outputs += (long long)world_power(top + 1, n) * moves *
	    (long long)n;

	for (unsigned c = 0; c < world_power(top + 1, n); c++) {
		unsigned code = c;

		for (size_t i = 0; i < n; i++)
			u[i] = digit(&code, top + 1);
		law(u, n, t, p);
		for (unsigned m = 0; m < moves; m++) {
			neighbour(u, v, n, m, d, monotonic);
			law(v, n, t, q);
			for (size_t i = 0; i < n; i++)
				most = fmaxl(most, fabsl(logl(p[i] / q[i])));
		}
	}
	return most;
}

static long double
scale_of(int d, struct rational eps, bool monotonic)
{
	struct scale t;

	cr_assert(monotonic ? scale_make(&t, (u128)d, eps) :
	    mechanism_scale(&t, (u128)d, eps));
	return (long double)t.s / (long double)t.r;
}

static const struct rational budgets[] = { { 1, 1 }, { 3, 2 }, { 1, 10 } };

static void
each_setting(law_fn *law, bool monotonic, bool reached)
{
	for (size_t b = 0; b < 3; b++)
		for (int d = 1; d <= 2; d++)
			for (size_t n = 1; n <= (d == 1 ? 4 : 3); n++) {
				struct rational e = budgets[b];
				long double eps = (long double)e.num / e.den;
				long double w = worst(law, n, d == 1 ? 2 : 4, d,
				    scale_of(d, e, monotonic), monotonic);

				counted.worst = fmaxl(counted.worst, w / eps);
				cr_assert(w <= eps + MARGIN, "%zu: %Lf", n, w);
				if (reached && n > 1)
					cr_assert(w >= eps - MARGIN,
					    "n %zu: %Lf", n, w);
			}
}

/* [DMNS06 Theorem 2, Section 3.3] */
Test(select, exponential_law_is_within_eps_on_every_pair)
{
	each_setting(law_exponential, false, false);
	each_setting(law_exponential, true, false);
	audit_count_print("expmech", &counted);
}

/* [MS20 Algorithm 1, Theorem 1] */
Test(select, flip_law_is_within_eps_and_reaches_it)
{
	each_setting(law_flip, false, true);
	each_setting(law_flip, true, true);
	audit_count_print("expmech, permute-and-flip", &counted);
}

/* [CD20 Definition 7.1] Votes of weight w where W weighs E. */
Test(select, votes_of_less_weight_reach_their_own_epsilon)
{
	for (int w = 1; w < 4; w++) {
		long double t = scale_of(4, budgets[0], true);
		long double own = w / 4.0L;
		long double flip = worst(law_flip, 3, 6, w, t, true);

		cr_assert(fabsl(flip - own) < MARGIN, "%d: %Lf", w, flip);
		cr_assert(worst(law_exponential, 3, 6, w, t, true) < own);
	}
}

/*
 * The exponential mechanism comes as near to eps as the number of candidates
 * allows: log(n e^eps / (e^eps + n - 1)) for one going up and n - 1 down.
 */
Test(select, exponential_bound_is_the_limit_for_many_candidates)
{
	long double t = scale_of(1, budgets[0], false), e = expl(1);

	for (size_t n = 2; n <= 4; n++) {
		int u[MOST] = { 0 }, v[MOST] = { 1, -1, -1, -1 };
		long double p[MOST], q[MOST], ratio, formula;

		law_exponential(u, n, t, p);
		law_exponential(v, n, t, q);
		ratio = logl(q[0] / p[0]);
		formula = logl(n * e / (e + n - 1));
		cr_assert(fabsl(ratio - formula) < MARGIN);
	}
	cr_assert(logl(1e6L * e / (e + 1e6L - 1)) > 1 - 2e-6L);
}

/* [MS20 Theorem 2] Its expected score is never below. */
Test(select, flip_is_never_worse_than_exponential)
{
	for (unsigned c = 0; c < world_power(6, 4); c++) {
		long double p[MOST], q[MOST], gain = 0;
		unsigned code = c;
		int u[MOST];

		for (size_t i = 0; i < 4; i++)
			u[i] = digit(&code, 6);
		law_flip(u, 4, 2, p);
		law_exponential(u, 4, 2, q);
		for (size_t i = 0; i < 4; i++)
			gain += u[i] * (p[i] - q[i]);
		cr_assert(gain >= -MARGIN);
	}
}

/*
 * [KPAK20 Theorem 3] The d_X form: moves of c d between neighbours at
 * distance d cost d.
 */
Test(select, metric_scale_spends_the_distance)
{
	struct rational c = { 3, 2 };
	struct scale s;
	long double t;

	cr_assert(mechanism_metric(&s, c));
	t = (long double)s.s / (long double)s.r;
	for (int move = 1; move <= 3; move++) {
		long double d = move / 1.5L;
		long double w = worst(law_flip, 2, 3, move, t, false);

		cr_assert(fabsl(w - d) < MARGIN);
		cr_assert(worst(law_exponential, 2, 3, move, t, false) <=
		    d + MARGIN);
	}
}
