/*
 * unseen: the whole law of the keys found, exactly, for up to 10^4 keys.
 *
 * The source is compiled again; its draws and its functions are taken apart,
 * and each is shown to have the law that the next one builds on.  Probabilities
 * are fractions, and e^(-1/s) is a letter, so that two laws are equal where
 * their formulas are: all is computed in the integers modulo the prime
 * 2^61 - 1, with a random number for each letter.  Formulas that differ agree
 * there with a chance of about 10^-14.
 *
 * The law of a random set S of keys is told by its generating function, the
 * mean of the product of z_r over the r in S, a letter z_r for each key: its
 * coefficients are the probabilities of all 2^keys sets.  For keys that reach
 * the threshold each by itself with probability p it is the product of
 * 1 - p + p z_r.  (The coin of 2/e is a series: tests/unit/noise.c has it.)
 */
#include "random/noise.h"

#include <criterion/criterion.h>
#include <setjmp.h>
#include <stdlib.h>

#include "number/fixed.h"

/* --- numbers modulo the prime ------------------------------------------ */

#define PRIME ((UINT64_C(1) << 61) - 1)

static uint64_t
times(uint64_t a, uint64_t b)
{
	u128 x = (u128)a * b;
	uint64_t sum = (uint64_t)(x & PRIME) + (uint64_t)(x >> 61);

	return sum < PRIME ? sum : sum - PRIME;
}

static uint64_t
plus(uint64_t a, uint64_t b)
{
	return a + b < PRIME ? a + b : a + b - PRIME;
}

static uint64_t
minus(uint64_t a, uint64_t b)
{
	return a >= b ? a - b : a + PRIME - b;
}

static uint64_t
power(uint64_t a, u128 n)
{
	uint64_t x = 1;

	for (; n > 0; n >>= 1, a = times(a, a))
		if (n & 1)
			x = times(x, a);
	return x;
}

static uint64_t
over(uint64_t a, uint64_t b)
{
	return times(a, power(b, PRIME - 2));
}

/* --- decisions ---------------------------------------------------------- */

#define LONG (1 << 14)
#define AGAIN UINT64_MAX	/* a draw that was refused: from the start */

/* The decisions of this run: which way, and of how many. */
static struct {
	unsigned way[LONG], ways[LONG];
	size_t at, n;
	uint64_t p;
	unsigned draws;		/* of a loop that tries again */
	bool once;		/* its coins are such draws */
	jmp_buf end;
} run;

static unsigned
decide(unsigned ways)
{
	if (run.at == LONG)
		abort();
	if (run.at == run.n) {
		run.way[run.n] = 0;
		run.ways[run.n++] = ways;
	}
	return run.way[run.at++];
}

static bool
decide_with(uint64_t p)
{
	bool yes;

	if (p <= 1)
		return p == 1;
	yes = decide(2) == 0;
	run.p = times(run.p, yes ? p : minus(1, p));
	return yes;
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

/* --- draws, and parts that are known by then ------------------------------ */

struct unseen;

static uint64_t letter;			/* e^(-1/s) */
static struct scale scale;
static uint64_t none_table[LONG];	/* (1 - 2^-k)^m, where it is known */

/* 1/d, kept for the next time. */
static uint64_t
one_in(uint64_t d)
{
	static uint64_t known[LONG];

	if (d == 0 || d >= LONG)
		abort();
	if (known[d] == 0)
		known[d] = over(1, d);
	return known[d];
}

static bool
decide_coin(struct rng *r, uint64_t n, uint64_t d)
{
	(void)r;
	if (run.once && run.draws++ > 0)
		longjmp(run.end, 1);
	return decide_with(n == d ? 1 : times(n, one_in(d)));
}

static uint64_t
decide_below(struct rng *r, uint64_t n)
{
	uint64_t x;

	(void)r;
	if (run.draws++ > 0)
		longjmp(run.end, 1);
	x = n > 1 ? decide((unsigned)n) : 0;
	run.p = times(run.p, one_in(n));
	return x;
}

static bool
decide_exp(struct rng *r, u128 n, uint64_t d)
{
	(void)r;
	cr_assert_eq(d, scale.s);
	return decide_with(power(letter, n));
}

/* What unseen_next is told: a gap, whether the key reaches T, then the end. */
static struct {
	u128 gap;
	bool reaches;
	unsigned calls;
} told;

#define BEYOND ((u128)1 << 100)

static bool
hook_none(struct rng *r, uint64_t m, unsigned k)
{
	(void)r;
	(void)k;
	return decide_with(none_table[m]);
}

static u128
hook_gap(struct rng *r, unsigned k, uint64_t room)
{
	(void)r;
	(void)k;
	(void)room;
	return told.calls++ == 0 ? told.gap : BEYOND;
}

static bool
hook_reaches(const struct unseen *u, struct rng *r)
{
	(void)u;
	(void)r;
	return told.reaches;
}

static bool
hook_series(struct rng *r, uint64_t k, uint64_t n, uint64_t d)
{
	(void)r;
	cr_assert(k == 3 && n == d);
	return decide_with(times(2, power(letter, scale.s)));
}

static bool
hook_below(struct rng *r, const struct scale *t)
{
	(void)r;
	cr_assert(t->r == scale.r && t->s == scale.s);
	return decide_with(over(1, plus(1, power(letter, scale.r))));
}

/* --- the source, with these in their places ------------------------------- */

/*
 * A definition, whose first argument starts with a type, gets the name real_,
 * and a call gets the name hook_.
 */
#define none_of(a, ...) NONE_##a, __VA_ARGS__)
#define NONE_struct real_none(struct
#define NONE_r hook_none(r
#define gap(a, ...) GAP_##a, __VA_ARGS__)
#define GAP_struct real_gap(struct
#define GAP_r hook_gap(r
#define not_below(a, ...) BELOW_##a, __VA_ARGS__)
#define BELOW_struct real_below(struct
#define BELOW_r hook_below(r
#define reaches(a, ...) REACHES_##a, __VA_ARGS__)
#define REACHES_const real_reaches(const
#define REACHES_u hook_reaches(u
#define rng_bernoulli decide_coin
#define noise_series hook_series
#define rng_below decide_below
#define noise_bern_exp decide_exp
#define unseen_threshold exact_threshold
#define unseen_start exact_start
#define unseen_next exact_next
#define unseen_noise exact_noise
#include "laplace/unseen.c"

#include "../house/step.h"

/* --- laws --------------------------------------------------------------- */

struct trial {
	uint64_t (*outcome)(const struct trial *);
	uint64_t m;
	unsigned k;
	bool once;
};

/* One run: its outcome, with run.p; AGAIN where a loop starts again. */
static uint64_t
play(const struct trial *trial)
{
	run.at = 0;
	run.p = 1;
	run.draws = 0;
	run.once = trial->once;
	if (setjmp(run.end) != 0)
		return AGAIN;
	return trial->outcome(trial);
}

/* law[x] for the outcomes x below n; those that go again are left out. */
static void
exact_law(const struct trial *trial, uint64_t *law, size_t n)
{
	uint64_t all = 0, x;

	for (x = 0; x < n; x++)
		law[x] = 0;
	run.n = 0;
	do {
		x = play(trial);
		if (x == AGAIN)
			continue;
		cr_assert(x < n);
		law[x] = plus(law[x], run.p);
		all = plus(all, run.p);
	} while (another());
	for (x = 0; x < n; x++)
		law[x] = over(law[x], all);
}

static uint64_t
none_outcome(const struct trial *c)
{
	return real_none(NULL, c->m, c->k);
}

static uint64_t
gap_outcome(const struct trial *c)
{
	return (uint64_t)real_gap(NULL, c->k, c->m);
}

static uint64_t
below_outcome(const struct trial *c)
{
	(void)c;
	return real_below(NULL, &scale);
}

static uint64_t
reach_outcome(const struct trial *c)
{
	struct unseen u;

	unseen_start(&u, 1, c->m, &scale);
	cr_assert_eq(u.halves, c->k);
	return real_reaches(&u, NULL);
}

/* 1 - 2^-k, the chance that a key fails a coin of 1/2 among k. */
static uint64_t
fails(unsigned k)
{
	return minus(1, over(1, UINT64_C(1) << k));
}

/* That none of m keys passes k coins of 1/2. */
Test(unseen_exact, blocks)
{
	struct trial c = { .outcome = none_outcome };
	uint64_t law[2];

	for (c.k = 0; c.k <= 11; c.k++)
		for (c.m = 0; c.m <= UINT64_C(1) << c.k; c.m += c.m < 20 ||
		    c.m + 1 >= UINT64_C(1) << c.k ? 1 :
		    (UINT64_C(1) << c.k) - c.m - 1) {
			exact_law(&c, law, 2);
			cr_assert_eq(law[1], power(fails(c.k), c.m),
			    "%u %llu", c.k, (unsigned long long)c.m);
			cr_assert(c.m == 0 || c.k == 0 || law[1] !=
			    power(fails(c.k), c.m - 1));
		}
}

static void
know_blocks(unsigned k)
{
	none_table[0] = 1;
	for (uint64_t m = 1; m <= UINT64_C(1) << k; m++)
		none_table[m] = times(none_table[m - 1], fails(k));
}

/* Gaps are geometric, up to the room that is asked for. */
Test(unseen_exact, gaps)
{
	static const struct trial cases[] = { { .m = 9, .k = 0 },
	    { .m = 1000, .k = 1 }, { .m = 500, .k = 2 }, { .m = 300, .k = 5 },
	    { .m = 3, .k = 9 }, { .m = 2, .k = 12 } };
	uint64_t p, *law;
	size_t n, wrong;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct trial c = cases[i];

		c.outcome = gap_outcome;
		know_blocks(c.k);
		p = over(1, UINT64_C(1) << c.k);
		n = (size_t)(c.m + 3) << c.k;
		wrong = 0;
		law = calloc(n, sizeof(*law));
		exact_law(&c, law, n);
		for (size_t g = 0; g < (c.m + 1) << c.k; g++) {
			wrong += law[g] != p;
			p = times(p, fails(c.k));
		}
		cr_assert_eq(wrong, 0, "%zu: %zu gaps", i, wrong);
		free(law);
	}
}

/* A random letter, where probabilities are not known or do not matter. */
static uint64_t
some(void)
{
	static uint64_t state = 20261122;

	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (state >> 3) % PRIME;
}

/* P[X >= 0] = 1/(1 + a), and 2^k P[X >= T] = 2^k a^T/(1 + a). */
Test(unseen_exact, tails)
{
	struct trial c = { .outcome = reach_outcome };
	struct trial sign = { .outcome = below_outcome, .once = true };
	uint64_t law[2], tail;

	for (scale.s = 1; scale.s <= 5; scale.s++)
		for (scale.r = 1; scale.r <= 4; scale.r++) {
			letter = some();
			tail = over(1, plus(1, power(letter, scale.r)));
			for (c.m = 1; c.m <= 24; c.m++) {
				c.k = (unsigned)(c.m * scale.r / scale.s);
				if (c.k > 24)
					break;
				exact_law(&c, law, 2);
				cr_assert_eq(law[1], times(times(tail,
				    power(letter, c.m * scale.r)),
				    UINT64_C(1) << c.k));
			}
			exact_law(&sign, law, 2);
			cr_assert_eq(law[1], tail);
		}
}

/* What a broken twin does. */
enum twin { RIGHT, NONE, HALF, EVEN, LATE };

/* Goes on from rank `next`: the key found, or AGAIN; *next moves on. */
static uint64_t
one_step(uint64_t keys, uint64_t *next, u128 gap_to, bool reached)
{
	struct scale one = { 1, 1 };
	struct unseen u;
	uint64_t rank;
	bool found;

	unseen_start(&u, keys, 3, &one);
	u.next = *next;
	told.gap = gap_to;
	told.reaches = reached;
	told.calls = 0;
	found = unseen_next(&u, NULL, &rank);
	*next = (uint64_t)(found ? u.next : u.next - BEYOND);
	return found ? rank : AGAIN;
}

/* From rank s on, whose next passes k coins after g others. */
static uint64_t
after(uint64_t keys, uint64_t s, uint64_t g, uint64_t p, enum twin twin,
    const uint64_t *z, const uint64_t *mean)
{
	uint64_t yes = s, no = s, rank;
	u128 to = g + (twin == LATE && g + 1 < keys - s);

	p = twin == NONE ? 0 : twin == HALF ? over(p, 2) : p;
	rank = one_step(keys, &yes, to, true);
	if (rank >= keys || rank < s || yes > keys ||
	    one_step(keys, &no, to, false) != AGAIN)
		return 0;
	if (twin == EVEN)
		rank &= ~UINT64_C(1);
	return plus(times(p, times(z[rank], mean[yes])),
	    times(minus(1, p), mean[no]));
}

/* The generating function of unseen_next, at z: exact, by the next gap. */
static uint64_t
generating(uint64_t keys, unsigned k, uint64_t p, enum twin twin,
    const uint64_t *z)
{
	uint64_t *mean = calloc(keys + 1, sizeof(*mean)), sum, chance, next;
	uint64_t q = over(1, UINT64_C(1) << k);

	mean[keys] = 1;
	for (uint64_t s = keys; s-- > 0;) {
		chance = q;
		sum = 0;
		for (uint64_t g = 0; g < keys - s; g++) {
			sum = plus(sum, times(chance, after(keys, s, g, p,
			    twin, z, mean)));
			chance = times(chance, fails(k));
		}
		next = s;
		if (one_step(keys, &next, keys - s, true) == AGAIN)
			mean[s] = plus(sum, power(fails(k), keys - s));
	}
	sum = mean[0];
	free(mean);
	return sum;
}

/* Of keys that reach the threshold each by itself. */
static uint64_t
independent(uint64_t keys, uint64_t p, const uint64_t *z)
{
	uint64_t product = 1;

	for (uint64_t r = 0; r < keys; r++)
		product = times(product, plus(minus(1, p), times(p, z[r])));
	return product;
}

/* p is what a key does that has passed the coins of 1/2: a letter too. */
static void
expect_law(uint64_t keys, unsigned k, bool twins)
{
	uint64_t *z = calloc(keys, sizeof(*z)), p = some(), want;

	for (uint64_t r = 0; r < keys; r++)
		z[r] = some();
	want = independent(keys, over(p, UINT64_C(1) << k), z);
	cr_assert_eq(generating(keys, k, p, RIGHT, z), want, "%llu %u",
	    (unsigned long long)keys, k);
	for (enum twin t = NONE; twins && t <= LATE; t++)
		cr_assert_neq(generating(keys, k, p, t, z), want, "%d", t);
	free(z);
}

Test(unseen_exact, all_sets_of_keys)
{
	for (uint64_t keys = 1; keys <= 20; keys++)
		for (unsigned k = 0; k <= 5; k++)
			expect_law(keys, k, keys > 1);
	expect_law(1000, 7, true);
	expect_law(4000 / STEP, 11, false);
}

/*
 * Bounds of log2(n) 2^56 where this is next to an integer: floor(log2(n) 2^56),
 * by 70 decimal digits, of numbers whose fraction is below 0.006, which is less
 * than what rounding to the wrong side takes away.
 */
Test(unseen_exact, logarithms_are_bounded_from_above_and_below)
{
	static const struct { uint64_t n, log; } some[] = {
		{ 81457, 1175529651225144953 },
		{ 1768527152493174067, 4367933485983020334 },
		{ 2833671890708788232, 4416941610285111040 },
		{ 2293127155714943107, 4394938365417766510 },
	};

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		cr_expect_gt(log2_bound(some[i].n, 1), some[i].log, "%zu", i);
		cr_expect_leq(log2_bound(some[i].n, 0), some[i].log, "%zu", i);
	}
	for (unsigned e = 0; e < 127; e++)	/* powers of two are exact */
		cr_expect(log2_bound((u128)1 << e, 0) == (i128)e << LOG);
}
