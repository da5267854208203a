/*
 * The asymmetric sensitivity mechanism, enumerated: its law is computed from
 * the very code of cmd/asm/asym.c, whose coins are scripted here, and compared
 * with inverse sensitivities found by trying every data set; the privacy
 * ratio is then taken over all pairs of neighbours and all outputs.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "world.h"
#include "number/sort.h"
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

#include "../prop/tally_free.h"
#include "../stat/asym_law.h"

#define N 3
#define OUTPUTS 40
#define MARGIN 1e-9L

/* The draw of the threshold, and the coins asked of query `watched`. */
static struct {
	u128 threshold;
	size_t asked, watched;
	long double chance;
} script;

static u128
script_geometric(struct rng *r, const struct scale *t)
{
	(void)r;
	(void)t;
	return script.threshold;
}

/* All coins fail; the chance of the one that is watched is kept. */
static bool
script_coin(struct rng *r, u128 n, uint64_t d)
{
	(void)r;
	if (script.asked++ == script.watched)
		script.chance = expl(-(long double)n / (long double)d);
	return false;
}

/*
 * Law of the code for a list of bounds.  Query i is isolated by handing the
 * search the list {t_i, end}: a stop without a coin is a sure one.
 */
static void
law_of_code(const struct asym *a, const struct output_bounds *b,
    const struct outputs *o, long double *p)
{
	long double e1 = world_real(a->eps1), left, stop;
	int64_t pair[2] = { 0, 0 };
	struct outputs one = { pair, 2 };
	size_t i;

	for (i = 0; i < o->n; i++)
		p[i] = 0;
	for (script.threshold = 0; script.threshold < 60 / e1;
	    script.threshold++) {
		left = expl(-e1 * (long double)script.threshold) *
		    -expm1l(-e1);
		for (i = 0; i + 1 < o->n; i++) {
			pair[0] = o->t[i];
			script.asked = script.watched = 0;
			stop = asym_copy_search(a, b, &one, NULL) == 0 ? 1 :
			    script.chance;
			p[i] += left * stop;
			left -= left * stop;
		}
		p[o->n - 1] += left;
	}
}

/* The law by definition, from h alone. */
static void
law_of_paper(const struct asym *a, const int *h, size_t n, long double *p)
{
	long double e1 = world_real(a->eps1), e2 = world_real(a->eps2);
	long double left, stop;
	int bar, need, last = (int)(60 / e1);
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = 0;
	for (bar = 0; bar < last; bar++) {
		left = expl(-e1 * bar) * -expm1l(-e1);
		for (i = 0; i + 1 < n; i++) {
			need = 1 + bar - h[i];
			stop = need <= 0 ? 1 : expl(-e2 * need);
			p[i] += left * stop;
			left -= left * stop;
		}
		p[n - 1] += left;
	}
}

/* Data sets are tuples of N points, neighbours differ in one place. */
struct world {
	const int *point;
	int points;
	bool bounded;			/* is there a U^l? */
	int (*f)(const int *x);		/* times den */
	int den;
	bool (*bounds)(const struct world *w, const int *x,
	    struct output_bounds *b);
	int sets;
	int *h;				/* sets x OUTPUTS */
	struct outputs outputs;
};

static void
tuple(const struct world *w, int set, int *x)
{
	int i;

	for (i = 0; i < N; i++, set /= w->points)
		x[i] = w->point[set % w->points];
}

static int
hamming(const int *x, const int *y)
{
	return (x[0] != y[0]) + (x[1] != y[1]) + (x[2] != y[2]);
}

/*
 * [D24 Definitions 2.8, 3.1] h at every output for one data set.  With real
 * data (den > 1) outputs need not be hit exactly: then len is the distance
 * at which f can first get down to t.
 */
static void
brute(const struct world *w, int set, int *h)
{
	int x[N], y[N], len[OUTPUTS], other, fx, fy, t;
	size_t i;

	tuple(w, set, x);
	fx = w->f(x);
	for (i = 0; i < w->outputs.n; i++)
		len[i] = N + 1;
	for (other = 0; other < w->sets; other++) {
		tuple(w, other, y);
		fy = w->f(y);
		for (i = 0; i < w->outputs.n; i++) {
			t = (int)w->outputs.t[i] * w->den;
			if (w->den == 1 ? fy == t : fy <= t)
				len[i] = hamming(x, y) < len[i] ?
				    hamming(x, y) : len[i];
		}
	}
	for (i = 0; i < w->outputs.n; i++) {
		t = (int)w->outputs.t[i] * w->den;
		h[i] = t < fx ? 1 - len[i] :
		    !w->bounded || len[i] < 1 ? 1 : len[i];
	}
}

static void
survey(struct world *w)
{
	int set;

	w->sets = w->points * w->points * w->points;
	w->h = malloc((size_t)w->sets * OUTPUTS * sizeof(*w->h));
	cr_assert_not_null(w->h);
	for (set = 0; set < w->sets; set++)
		brute(w, set, w->h + set * OUTPUTS);
}

static struct tally
tally_of(const int *x)
{
	struct tally t;
	int i;

	tally_init(&t, N);
	for (i = 0; i < N; i++)
		tally_add(&t, x[i], 1);
	tally_done(&t);
	return t;
}

static int
sum(const int *x)
{
	return x[0] + x[1] + x[2];
}

static bool
sum_bounds(const struct world *w, const int *x, struct output_bounds *b)
{
	struct limits limits = { true, w->bounded, 0, 3 };
	struct tally t = tally_of(x);

	output_bounds_sum(b, &t, &limits, NEIGHBORS_SWAP);
	tally_free(&t);
	return true;
}

static int
median(const int *x)
{
	int low = x[0] < x[1] ? x[0] : x[1];
	int high = x[0] < x[1] ? x[1] : x[0];

	return x[2] < low ? low : x[2] > high ? high : x[2];
}

static bool
median_bounds(const struct world *w, const int *x, struct output_bounds *b)
{
	int64_t sorted[N] = { x[0], x[1], x[2] };
	struct ranks r = { sorted, NULL, N };

	(void)w;
	sort_grid(sorted, N);
	output_bounds_quantile(b, &r, (struct rational){ 1, 2 }, 0,
	    NEIGHBORS_SWAP);
	return true;
}

/* 9 times the variance. */
static int
variance(const int *x)
{
	int squares = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];

	return N * squares - sum(x) * sum(x);
}

static bool
variance_bounds(const struct world *w, const int *x, struct output_bounds *b)
{
	struct limits limits = { false, false, 0, 0 };
	struct tally t = tally_of(x);

	(void)w;
	output_bounds_variance(b, &t, 1, &limits, NEIGHBORS_SWAP);
	tally_free(&t);
	return true;
}

static int64_t sums[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
static int64_t ranks[] = { 0, 1, 2, 3, 4, 5 };
static int64_t spreads[] = { 0, 4, 8, 12, 16, 24, 32, 40, 56, 72, 96, 128 };
static const int small[] = { 0, 1, 2, 3, 4, 5 };
/* Means of two of the dozens are among the points. */
static const int dozens[] = { 0, 6, 12, 18, 24 };

static struct world
world_of(int which)
{
	static const struct world worlds[] = {
		{ small, 4, true, sum, 1, sum_bounds, 0, NULL,
		    { sums, 10 } },
		{ small, 4, false, sum, 1, sum_bounds, 0, NULL,
		    { sums, 10 } },
		{ small, 6, true, median, 1, median_bounds, 0, NULL,
		    { ranks, 6 } },
		{ dozens, 5, false, variance, 9, variance_bounds, 0, NULL,
		    { spreads, 12 } },
	};
	struct world w = worlds[which];

	survey(&w);
	return w;
}

#define WORLDS 4
#define VARIANCE 3

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

/* [D24 (M.2), (M.3), Definition 3.1, Definition A.2, Definition A.3,
   Lemma 3.5] */
Test(asym, law_of_the_code_is_the_law_of_brute_force_inverse_sensitivities)
{
	long double p[OUTPUTS], q[OUTPUTS];
	struct output_bounds b;
	int which, set, x[N], i;
	size_t k;

	output_bounds_init(&b, N);
	for (which = 0; which < WORLDS; which++) {
		struct world w = world_of(which);
		const int *h = w.h;

		for (set = 0; set < w.sets; set++, h += OUTPUTS) {
			tuple(&w, set, x);
			if (!reached(which, x))
				continue;
			cr_assert(w.bounds(&w, x, &b));
			for (k = 0; k < w.outputs.n; k++)
				cr_expect_eq(asym_copy_query(&b,
				    w.outputs.t[k]), h[k]);
			i = set % 3;
			struct asym a = setting(i, which == VARIANCE ? 2 : 1);

			law_of_code(&a, &b, &w.outputs, p);
			law_of_paper(&a, h, w.outputs.n, q);
			for (k = 0; k < w.outputs.n; k++)
				cr_expect_lt(fabsl(p[k] - q[k]),
				    MARGIN * q[k]);
		}
		free(w.h);
	}
	output_bounds_free(&b);
}

/* The law that other tests take is the same, within its precision. */
Test(asym, reported_law_is_the_law)
{
	int64_t h[OUTPUTS];
	int ints[OUTPUTS], i, k;
	long double q[OUTPUTS];
	double p[OUTPUTS];

	for (i = 0; i < 3; i++) {
		struct asym a = setting(i, 1);

		for (k = 0; k < OUTPUTS; k++)
			h[k] = ints[k] = k < 9 ? k - 9 : k < 30 ? 1 : 2;
		asym_law(&a, h, OUTPUTS, p);
		law_of_paper(&a, ints, OUTPUTS, q);
		for (k = 0; k < OUTPUTS; k++)
			cr_expect_lt(fabsl(p[k] - q[k]), 1e-12L);
	}
}

/* Largest log ratio over neighbours and outputs, in units of eps. */
static long double
worst_ratio(const struct world *w, const struct asym *a, long double eps)
{
	long double *p = malloc((size_t)w->sets * OUTPUTS * sizeof(*p));
	long double worst = 0, ratio;
	int s, t, x[N], y[N];
	size_t k;

	cr_assert_not_null(p);
	for (s = 0; s < w->sets; s++)
		law_of_paper(a, w->h + s * OUTPUTS, w->outputs.n,
		    p + s * OUTPUTS);
	for (s = 0; s < w->sets; s++)
		for (t = 0; t < w->sets; t++) {
			tuple(w, s, x);
			tuple(w, t, y);
			if (hamming(x, y) != 1)
				continue;
			for (k = 0; k < w->outputs.n; k++) {
				ratio = logl(p[s * OUTPUTS + k] /
				    p[t * OUTPUTS + k]) / eps;
				worst = ratio > worst ? ratio : worst;
			}
		}
	free(p);
	return worst;
}

/*
 * [D24 Lemma A.5, Definition 3.2] h of the exact distances moves by one at
 * most for each record in which two data sets differ.
 */
Test(asym, queries_of_neighbours_differ_by_at_most_one)
{
	int x[N], y[N], far = 0;

	for (int which = 0; which < WORLDS; which++) {
		struct world w = world_of(which);

		for (int s = 0; s < w.sets; s++)
			for (int t = 0; t < w.sets; t++) {
				tuple(&w, s, x);
				tuple(&w, t, y);
				for (size_t k = 0; k < w.outputs.n; k++) {
					int e = abs(w.h[s * OUTPUTS + (int)k] -
					    w.h[t * OUTPUTS + (int)k]);

					cr_assert_leq(e, hamming(x, y));
					far += e > 1;
				}
			}
		free(w.h);
	}
	cr_expect_gt(far, 0, "twin: more records move it by more");
}

/* [D24 Theorem 3.3, Theorem A.4, Proposition 2.5]. */
Test(asym, neighbours_differ_by_at_most_epsilon)
{
	static const char *const name[WORLDS] = { "asm-estimate sum",
	    "asm-estimate sum, no upper end", "asm-estimate median",
	    "asm-estimate var" };
	long double eps, worst, best = 0;
	int which, i;

	for (which = 0; which < WORLDS; which++) {
		struct world w = world_of(which);
		struct audit_count count = { 0 };

		for (i = 0; i < 3; i++) {
			struct asym a = setting(i, which == VARIANCE ? 2 : 1);

			eps = world_real(a.eps1) + world_real(a.eps2) *
			    (which == VARIANCE ? 2 : 1);
			worst = worst_ratio(&w, &a, eps);
			cr_expect_leq(worst, 1 + MARGIN);
			best = worst > best ? worst : best;
			count.pairs += w.sets * N * (w.points - 1);
			count.outputs += w.sets * N * (w.points - 1) *
			    (long long)w.outputs.n;
			count.worst = fmaxl(count.worst, worst);
		}
		audit_count_print(name[which], &count);
		free(w.h);
	}
	cr_expect_gt(best, 0.95L);
}

/* Three queries with values -2..2, or fewer, as a stream with an end. */
static void
stream(int code, int n, int *h)
{
	int i;

	for (i = 0; i < n; i++, code /= 5)
		h[i] = code % 5 - 2;
	h[n] = 0;
}

/*
 * [D24 Proposition 2.5] AboveThreshold itself: all streams of up to three
 * queries, each neighbour moving every query by at most 1.
 */
Test(asym, every_stream_of_queries_stays_within_epsilon_and_reaches_it)
{
	static const int power[] = { 1, 5, 25, 125 }, moves[] = { 1, 3, 9, 27 };
	struct audit_count count = { 0 };
	long double p[4], q[4], eps;
	int n, code, move, i, h[4], g[4];

	for (n = 1; n <= 3; n++)
		for (code = 0; code < 3 * power[n]; code++) {
			struct asym a = setting(code % 3, 2);

			eps = world_real(a.eps1) + 2 * world_real(a.eps2);
			stream(code / 3, n, h);
			law_of_paper(&a, h, (size_t)n + 1, p);
			for (move = 0; move < moves[n]; move++) {
				int rest = move;

				stream(code / 3, n, g);
				for (i = 0; i < n; i++, rest /= 3)
					g[i] += rest % 3 - 1;
				law_of_paper(&a, g, (size_t)n + 1, q);
				for (i = 0; i <= n; i++, count.outputs++)
					count.worst = fmaxl(count.worst,
					    logl(p[i] / q[i]) / eps);
				count.pairs++;
			}
		}
	audit_count_print("AboveThreshold, streams of 1 to 3", &count);
	cr_expect_leq(count.worst, 1 + MARGIN);
	cr_expect_geq(count.worst, 1 - 1e-6L);
}

/* [D24 Theorem 5.5] Variance is not monotonic: eps1 + eps2 is too little. */
Test(asym, variance_charged_as_monotonic_is_caught)
{
	struct world w = world_of(VARIANCE);
	long double worst = 0, ratio;
	int i;

	for (i = 0; i < 3; i++) {
		struct asym a = setting(i, 1);

		ratio = worst_ratio(&w, &a, world_real(a.eps1) +
		    world_real(a.eps2));
		worst = ratio > worst ? ratio : worst;
	}
	cr_expect_gt(worst, 1 + MARGIN);
	free(w.h);
}
