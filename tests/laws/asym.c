/*
 * The asymmetric sensitivity mechanism, enumerated: its law is computed from
 * the very code of cmd/asm/asym.c, whose coins are scripted here, and compared
 * with inverse sensitivities found by trying every data set; the privacy
 * ratio is then taken over all pairs of neighbours and all outputs.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"
#include "random/noise.h"

static u128 script_geometric(struct rng *, const struct scale *);
static bool script_coin(struct rng *, u128, uint64_t);

/* A copy of the module with scripted noise, under other names. */
#define noise_geometric script_geometric
#define noise_bern_exp script_coin
#define asym_split asym_copy_split
#define asym_query asym_copy_query
#define asym_search asym_copy_search
#include "../../cmd/asm/asym.c"
#undef noise_geometric
#undef noise_bern_exp

#include "asym_world.h"

#define MARGIN 1e-9

/*
 * The exact law of a search, in floating point: p[i] for queries of values
 * h[0..n-2]; p[n-1] is the chance that none of them stops it.  What is left out
 * of the threshold is below exp(-45).
 */
static void
asym_law(const struct asym *a, const int64_t *h, size_t n, double *p)
{
	double eps1 = rational_real(a->eps1), eps2 = rational_real(a->eps2);
	double left, stop, need;
	int64_t bar, last = (int64_t)(45 / eps1) + 1;

	for (size_t i = 0; i < n; i++)
		p[i] = 0;
	for (bar = 0; bar <= last; bar++) {
		left = exp(-eps1 * (double)bar) * -expm1(-eps1);
		for (size_t i = 0; i + 1 < n && left > 0; i++) {
			need = (double)(1 + bar - h[i]);
			stop = need <= 0 ? 1 : exp(-eps2 * need);
			p[i] += left * stop;
			left -= left * stop;
		}
		p[n - 1] += left;
	}
}

/* Draws of the threshold, and the coins asked of query `watched`. */
static struct {
	u128 threshold;
	size_t drawn, asked, watched;
	double chance;
} script;

static u128
script_geometric(struct rng *r, const struct scale *t)
{
	(void)r;
	(void)t;
	script.drawn++;
	return script.threshold;
}

/* All coins fail; the chance of the one that is watched is kept. */
static bool
script_coin(struct rng *r, u128 n, uint64_t d)
{
	(void)r;
	if (script.asked++ == script.watched)
		script.chance = exp(-(double)n / (double)d);
	return false;
}

/*
 * Law of the code for a list of bounds.  Query i is isolated by handing the
 * search the list {t_i, end}: a stop without a coin is a sure one.
 */
static void
law_of_code(const struct asym *a, const struct output_bounds *b,
    const struct asym_world *w, double *p)
{
	double e1 = rational_real(a->eps1), left, stop;
	int64_t pair[2] = { 0, 0 }, list[OUTPUTS];
	struct outputs one = { pair, 2 }, all = { list, w->outputs.n };
	size_t i;

	for (i = 0; i < w->outputs.n; i++)
		p[i] = 0;
	for (script.threshold = 0; (double)script.threshold < 60 / e1;
	    script.threshold++) {
		left = exp(-e1 * (double)script.threshold) * -expm1(-e1);
		for (i = 0; i + 1 < w->outputs.n; i++) {
			pair[0] = w->outputs.t[i];
			script.asked = script.watched = 0;
			stop = asym_copy_search(a, b, &one, NULL) == 0 ? 1 :
			    script.chance;
			p[i] += left * stop;
			left -= left * stop;
		}
		p[i] += left;
	}
	/* all queries of a search meet one threshold */
	memcpy(list, w->outputs.t, sizeof(list));
	script.drawn = 0;
	asym_copy_search(a, b, &all, NULL);
	cr_assert_eq(script.drawn, 1);
}

static struct asym
setting(int i, unsigned times)
{
	static const struct rational eps[] = { { 1, 1 }, { 1, 2 }, { 3, 1 } };
	static const struct rational share[] = { { 1, 3 }, { 1, 2 },
	    { 9, 20 } };
	struct asym a;

	cr_assert(asym_copy_split(&a, eps[i], share[i], times));
	return a;
}

/* Is this data set one whose bounds the points reach exactly? */
static bool
reached(int which, const int *x)
{
	return which != VARIANCE ||
	    (x[0] % 12 == 0 && x[1] % 12 == 0 && x[2] % 12 == 0);
}

/* [D24 (M.2), (M.3), Algorithm 1, Definition 3.1, Definition A.2,
   Definition A.3, Lemma 3.5] */
Test(asym, law_of_the_code_is_the_law_of_brute_force_inverse_sensitivities)
{
	double p[OUTPUTS], q[OUTPUTS];
	struct output_bounds b;
	int x[N];

	output_bounds_init(&b, N);
	for (int which = 0; which < WORLDS; which++) {
		struct asym_world w = asym_world_open(which);

		for (int set = 0; set < w.sets; set++) {
			const int64_t *h = w.h[set];
			struct asym a = setting(set % 3,
			    which == VARIANCE ? 2 : 1);

			asym_tuple(&w, set, x);
			if (!reached(which, x))
				continue;
			w.bounds(&w, x, &b);
			law_of_code(&a, &b, &w, p);
			asym_law(&a, h, w.outputs.n, q);
			for (size_t k = 0; k < w.outputs.n; k++) {
				cr_expect_eq(asym_copy_query(&b,
				    w.outputs.t[k]), h[k]);
				cr_expect_lt(fabs(p[k] - q[k]), MARGIN * q[k],
				    "%s, set %d: %g for %g", w.name, set,
				    p[k], q[k]);
			}
		}
		asym_world_close(&w);
	}
	output_bounds_free(&b);
}

/* Largest log ratio over neighbours and outputs, in units of eps. */
static double
worst_ratio(const struct asym_world *w, const struct asym *a, double eps)
{
	double (*p)[OUTPUTS] = malloc((size_t)w->sets * sizeof(*p));
	double worst = 0;

	cr_assert_not_null(p);
	for (int s = 0; s < w->sets; s++)
		asym_law(a, w->h[s], w->outputs.n, p[s]);
	for (int s = 0; s < w->sets; s++)
		for (int t = 0; t < w->sets; t++)
			for (size_t k = 0; k < w->outputs.n &&
			    asym_hamming(w, s, t) == 1; k++)
				worst = fmax(worst, log(p[s][k] / p[t][k]) /
				    eps);
	free(p);
	return worst;
}

/* The worst ratio over the charge, where a query costs eps2 so many times. */
static double
worst_charged(const struct asym_world *w, int i, unsigned split, int times)
{
	struct asym a = setting(i, split);

	return worst_ratio(w, &a, rational_real(a.eps1) +
	    rational_real(a.eps2) * times);
}

/*
 * [D24 Theorem 3.3, Theorem A.4, Proposition 2.5, Theorem 5.5] For each record
 * h moves by one at most [D24 Lemma A.5, Definition 3.2].  Variance is not
 * monotonic: eps1 + eps2, as for the others, is too little.
 */
Test(asym, neighbours_differ_by_at_most_epsilon)
{
	double best = 0, twin = 0;

	for (int which = 0; which < WORLDS; which++) {
		struct asym_world w = asym_world_open(which);
		int times = which == VARIANCE ? 2 : 1;
		struct audit_count count = { 0 };

		for (int i = 0; i < 3; i++) {
			count.worst = fmaxl(count.worst, worst_charged(&w, i,
			    (unsigned)times, times));
			if (which == VARIANCE)
				twin = fmax(twin, worst_charged(&w, i, 1, 1));
		}
		count.pairs = 3 * w.sets * N * (w.points - 1);
		count.outputs = count.pairs * (long long)w.outputs.n;
		audit_finish(w.name, &count, false);
		best = fmax(best, (double)count.worst);
		asym_world_close(&w);
	}
	cr_expect_gt(best, 0.95);
	cr_expect_gt(twin, 1 + MARGIN);
}
