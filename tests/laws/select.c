/*
 * select: the output law, enumerated for every neighbouring pair of small
 * score tables.
 *
 * The law is computed from its definition and from the scale that the library
 * makes, not by the library: long double with errors below 10^-16 relative,
 * margin 10^-12.  tests/stat shows that the library draws from this law.
 */
#include "expmech/choice.h"

#include "../stat/laws_of_draws.h"
#include "world.h"

#include <criterion/criterion.h>
#include <math.h>

#define MOST 4
#define MARGIN 1e-12L

static int
digit(unsigned *code, unsigned base)
{
	unsigned x = *code % base;

	*code /= base;
	return (int)x;
}

/* Moves every score by -d..d, or by 0..d when monotonic. */
static void
neighbour(const int64_t *u, int64_t *v, size_t n, unsigned code, int d,
    bool monotonic)
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
worst(enum select_kind kind, size_t n, int top, int d, long double t,
    bool monotonic)
{
	unsigned moves = world_power(monotonic ? d + 1 : 2 * d + 1, n);
	long double most = 0, p[MOST], q[MOST];
	int64_t u[MOST], v[MOST];

	counted.pairs += (long long)world_power(top + 1, n) * moves;
	counted.outputs += (long long)world_power(top + 1, n) * moves *
	    (long long)n;

	for (unsigned c = 0; c < world_power(top + 1, n); c++) {
		unsigned code = c;

		for (size_t i = 0; i < n; i++)
			u[i] = digit(&code, top + 1);
		law_scores(kind, u, n, t, p);
		for (unsigned m = 0; m < moves; m++) {
			neighbour(u, v, n, m, d, monotonic);
			law_scores(kind, v, n, t, q);
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

	cr_assert(choice_law(&t, (struct rational){ monotonic ? d : 2 * d,
	    1 }, eps));
	return (long double)t.s / (long double)t.r;
}

static const struct rational budgets[] = { { 1, 1 }, { 3, 2 }, { 1, 10 } };

static void
each_setting(enum select_kind kind, bool monotonic, bool reached)
{
	for (size_t b = 0; b < 3; b++)
		for (int d = 1; d <= 2; d++)
			for (size_t n = 1; n <= (d == 1 ? 4 : 3); n++) {
				struct rational e = budgets[b];
				long double eps = (long double)e.num / e.den;
				long double w = worst(kind, n, 2 * d, d,
				    scale_of(d, e, monotonic), monotonic);

				counted.worst = fmaxl(counted.worst, w / eps);
				cr_assert(w <= eps + MARGIN, "%zu: %Lf", n, w);
				if (reached && n > 1)
					cr_assert(w >= eps - MARGIN,
					    "n %zu: %Lf", n, w);
			}
}

/* [DMNS06 Theorem 2, Section 3.3] [KPAK20 Definition 6, Definition 9]
   [D24 Definition 2.6] [CD20 Definition 7.4] */
Test(select, exponential_law_is_within_eps_on_every_pair)
{
	each_setting(SELECT_EXPONENTIAL, false, false);
	each_setting(SELECT_EXPONENTIAL, true, false);
	audit_count_print("expmech", &counted);
}

/* [MS20 Algorithm 1, Theorem 1] */
Test(select, flip_law_is_within_eps_and_reaches_it)
{
	each_setting(SELECT_FLIP, false, true);
	each_setting(SELECT_FLIP, true, true);
	audit_count_print("expmech, permute-and-flip", &counted);
}

/*
 * [KPAK20 Theorem 3] The d_X form: moves of c d between neighbours at
 * distance d cost d.
 */
Test(select, metric_scale_spends_the_distance)
{
	struct scale s;
	long double t;

	cr_assert(choice_law(&s, (struct rational){ 3, 1 }, budgets[0]));
	t = (long double)s.s / (long double)s.r;
	for (int move = 1; move <= 3; move++) {
		long double d = move / 1.5L;
		long double w = worst(SELECT_FLIP, 2, 3, move, t, false);

		cr_assert(fabsl(w - d) < MARGIN);
		cr_assert(worst(SELECT_EXPONENTIAL, 2, 3, move, t, false) <=
		    d + MARGIN);
	}
}
