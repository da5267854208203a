/*
 * unseen: the law of the keys found, by trying all outcomes of all draws.
 *
 * The source is compiled again with draws that are decisions: each is taken
 * both ways, with its probability, until what is left is too unlikely.  So
 * the probability of every set of keys is known between two bounds, and that
 * of as many independent noisy counts must lie there.
 */
#include "random/noise.h"

#include <criterion/criterion.h>
#include <math.h>
#include <setjmp.h>

static bool decide_coin(struct rng *r, uint64_t n, uint64_t d);
static bool decide_series(struct rng *r, uint64_t k, uint64_t n, uint64_t d);
static uint64_t decide_below(struct rng *r, uint64_t n);
static bool decide_exp(struct rng *r, u128 n, uint64_t d);

#define rng_bernoulli decide_coin
#define noise_series decide_series
#define rng_below decide_below
#define noise_bern_exp decide_exp
#define unseen_threshold decided_threshold
#define unseen_start decided_start
#define unseen_next decided_next
#define unseen_noise decided_noise
#include "laplace/unseen.c"

#define LONG 256
#define OUTCOMES 64
#define UNLIKELY 1e-8

/* The decisions of this run: which way, and of how many. */
static struct {
	unsigned way[LONG], ways[LONG];
	size_t at, n;
	unsigned outcome;
	double p;
	jmp_buf end;
} run;

/* The next decision; a new one goes the first way. */
static unsigned
decide(unsigned ways)
{
	if (run.at == LONG || run.p < UNLIKELY)
		longjmp(run.end, 1);
	if (run.at == run.n) {
		run.way[run.n] = 0;
		run.ways[run.n++] = ways;
	}
	return run.way[run.at++];
}

static bool
decide_with(double p)
{
	bool yes;

	if (p <= 0 || p >= 1)
		return p >= 1;
	yes = decide(2) == 0;
	run.p *= yes ? p : 1 - p;
	return yes;
}

static bool
decide_coin(struct rng *r, uint64_t n, uint64_t d)
{
	(void)r;
	return decide_with((double)n / (double)d);
}

/* The series of 2/e, as the only one here. */
static bool
decide_series(struct rng *r, uint64_t k, uint64_t n, uint64_t d)
{
	cr_assert(k == 3 && n == d);
	while (decide_coin(r, 1, k))
		k++;
	return k & 1;
}

static bool
decide_exp(struct rng *r, u128 n, uint64_t d)
{
	(void)r;
	return decide_with(exp(-(double)n / (double)d));
}

static uint64_t
decide_below(struct rng *r, uint64_t n)
{
	unsigned x = n > 1 ? decide((unsigned)n) : 0;

	(void)r;
	run.p /= (double)n;
	return x;
}

/* The next run in the tree of decisions; false after the last. */
static bool
another(void)
{
	for (run.n = run.at; run.n > 0; run.n--)
		if (++run.way[run.n - 1] < run.ways[run.n - 1])
			return true;
	return false;
}

/* What is tried, with its parameters; its outcome is below OUTCOMES. */
struct trial {
	unsigned (*outcome)(const struct trial *);
	unsigned keys, threshold, k;
	struct scale t;
};

/* One run: its outcome, with run.p; false where it is cut off. */
static bool
play(const struct trial *trial)
{
	run.at = 0;
	run.p = 1;
	if (setjmp(run.end) != 0)
		return false;
	run.outcome = trial->outcome(trial);
	return run.outcome < OUTCOMES;
}

/* Bounds law[x] <= P[x] <= law[x] + what is returned. */
static double
bounds(const struct trial *trial, double *law)
{
	double rest = 1;

	for (unsigned x = 0; x < OUTCOMES; x++)
		law[x] = 0;
	run.n = 0;
	do {
		if (play(trial)) {
			law[run.outcome] += run.p;
			rest -= run.p;
		}
	} while (another());
	return rest;
}

static bool
within(double p, double least, double rest)
{
	return p >= least - 1e-12 && p <= least + rest + 1e-12;
}

/* A coin has probability p, known to a part in 500. */
static void
expect_coin(const struct trial *trial, double p)
{
	double law[OUTCOMES], rest = bounds(trial, law);

	cr_assert_lt(rest, p / 500, "%g left of %g", rest, p);
	cr_assert(within(p, law[1], rest), "%g, not %g", law[1], p);
}

static unsigned
none_outcome(const struct trial *c)
{
	return none_of(NULL, c->keys, c->k);
}

static unsigned
two_outcome(const struct trial *c)
{
	(void)c;
	return noise_series(NULL, 3, 1, 1);
}

static unsigned
sign_outcome(const struct trial *c)
{
	return not_below(NULL, &c->t);
}

static unsigned
reach_outcome(const struct trial *c)
{
	struct unseen u;

	unseen_start(&u, 1, c->threshold, &c->t);
	return reaches(&u, NULL);
}

static unsigned
gap_outcome(const struct trial *c)
{
	return (unsigned)gap(NULL, c->k, c->keys);
}

static unsigned
set_outcome(const struct trial *c)
{
	struct unseen u;
	uint64_t rank;
	unsigned set = 0;

	unseen_start(&u, c->keys, c->threshold, &c->t);
	while (unseen_next(&u, NULL, &rank))
		set |= 1u << rank;
	return set;
}

Test(unseen, coins_have_their_probabilities)
{
	struct trial c = { .outcome = none_outcome };

	for (c.k = 0; c.k <= 4; c.k++)
		for (c.keys = 0; c.keys <= 1u << c.k; c.keys++)
			if (c.k > 0 || c.keys == 0)
				expect_coin(&c, pow(1 - exp2(-(double)c.k),
				    c.keys));
	c.outcome = two_outcome;
	expect_coin(&c, 2 / exp(1));
	c.outcome = sign_outcome;
	for (c.t.s = 1; c.t.s <= 3; c.t.s++)
		for (c.t.r = 1; c.t.r <= 3; c.t.r++)
			expect_coin(&c, 1 / (1 + exp(-(double)c.t.r /
			    (double)c.t.s)));
}

/* A key that passed the coins of 1/2 reaches T with the rest of P[X >= T]. */
Test(unseen, halves_and_the_other_coins_make_the_tail)
{
	struct trial c = { .outcome = reach_outcome };

	for (c.threshold = 1; c.threshold <= 5; c.threshold++)
		for (c.t.s = 1; c.t.s <= 3; c.t.s++)
			for (c.t.r = 1; c.t.r <= 2; c.t.r++) {
				double x = (double)c.t.r / (double)c.t.s;

				expect_coin(&c, exp2(floor(c.threshold * x +
				    1e-9)) * exp(-x * c.threshold) /
				    (1 + exp(-x)));
			}
}

Test(unseen, gaps_are_geometric)
{
	double law[OUTCOMES];

	for (unsigned k = 0; k <= 2; k++) {
		struct trial c = { .outcome = gap_outcome, .k = k, .keys = 9 };
		double q = exp2(-(double)k), rest = bounds(&c, law);

		cr_assert_lt(rest, 0.01, "%u: %g left", k, rest);
		for (int g = 0; g < 9; g++)
			cr_assert(within(pow(1 - q, g) * q, law[g], rest),
			    "%u: %d has %g", k, g, law[g]);
	}
}

/* Is the law that of independent counters that reach it with probability p? */
static bool
is_law(unsigned keys, const double *law, double rest, double p)
{
	for (unsigned set = 0; set < 1u << keys; set++) {
		int n = __builtin_popcount(set);

		if (!within(pow(p, n) * pow(1 - p, (int)keys - n), law[set],
		    rest))
			return false;
	}
	return true;
}

Test(unseen, sets_of_keys_have_the_law_of_independent_counters)
{
	static const struct trial cases[] = {
	    { set_outcome, 1, 1, 0, { 1, 1 } },
	    { set_outcome, 2, 1, 0, { 3, 1 } },
	    { set_outcome, 3, 2, 0, { 3, 1 } },
	    { set_outcome, 2, 2, 0, { 3, 2 } },
	    { set_outcome, 2, 1, 0, { 1, 1 } } };
	double law[OUTCOMES];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct trial *c = &cases[i];
		double a = exp(-(double)c->t.r / (double)c->t.s);
		double p = pow(a, c->threshold) / (1 + a);
		double rest = bounds(c, law);

		cr_assert_lt(rest, p / 30, "%zu: %g left of %g", i, rest, p);
		cr_assert(is_law(c->keys, law, rest, p), "%zu", i);
		/* broken twins */
		cr_assert_not(is_law(c->keys, law, rest, p * 0.9), "%zu", i);
		cr_assert_not(is_law(c->keys, law, rest, p * 1.1), "%zu", i);
	}
}
