/*
 * select_runs: the exponential mechanism and permute-and-flip over runs of
 * equal scores, exactly.
 *
 * A candidate whose score lies g below the best has the weight p = exp(-x), x =
 * g / t, t = s/r the scale in select.h.
 *
 * Domination.  p <= 2^-j for j = floor(10 x / 7), because 0.7 > ln 2, and a
 * coin is left that integers can throw:
 *	2^j p = (2 exp(-0.7))^j exp(-(x - 0.7 j)).
 * 2 exp(-0.7) = exp(-d), d = 0.7 - ln 2, follows from a coin with chance d by
 * von Neumann's series.  ln 2 = sum of 1/(k 2^k) over k >= 1, so d is 1/30 less
 * the sum over k >= 4: a coin 1/30 and not a second coin with chance 30 sum
 * over k >= 4 of 1/(k 2^k): draw k with chance 2^(3-k) and throw 15/(4 k).  So
 * j halvings cost a factor 0.993^j only.  j is cut at J, which only makes the
 * coin left rarer: J = 62, and 86 among many.
 *
 * Copies.  A base measure that gives a candidate a weight 2^c times as large
 * stands for 2^c copies with one score.  M counts copies below, and a drawn
 * copy stands for the candidate; copies are told apart in permute-and-flip
 * alone, where each has separate marks.
 *
 * Exponential mechanism [DMNS06 Section 3.3].  Draw a run with the integer
 * weight M 2^(J-j), M the count, then a uniform candidate in the run, and
 * accept with the coin 2^j p; if not, begin again.  Then P[candidate] is
 * proportional to 2^(J-j) 2^j p, and so to p, exactly.  All M together are
 * below 2^86 and J at most 86, so the weights stay below 2^172.
 *
 * A far run holds candidates with j >= J, whatever their gaps: the weight is M,
 * and a candidate's gap is asked for when a draw enters the run, so that values
 * far from a quantile need not be looked at.  In any rough run j comes from the
 * least gap, so p <= 2^-j for all of its candidates, and the coin 2^j p knows
 * the candidate's own gap: the law is the same.
 *
 * Time: a round succeeds with the chance (sum of p) / (sum of 2^-j).  The best
 * candidate has p = 1, candidates with j < J have p > 0.32 2^-j, or 0.24 2^-j
 * in a rough run, the rest have at most (2^63 + 1) 2^-62, among many 2^86
 * 2^-86: little more than 6 rounds are expected, whatever the sizes.
 *
 * Hazards: s, r < 2^59, so 10 s < 2^63 as noise_bern_exp wants; a far
 * candidate's gap may have 128 bits, so the exponent is thrown in parts.
 */
#include "select_runs.h"

#include <stdlib.h>

#include "number/memory.h"

/* J, and j for a run's candidates. */
static unsigned
most_halvings(const struct select_runs *s)
{
	return s->many ? SELECT_MANY : SELECT_HALVINGS;
}

static unsigned
halvings_of(const struct select_runs *s, const struct select_run *a)
{
	if (a->gap >= select_far(&s->t, s->many))
		return most_halvings(s);
	return (unsigned)(10 * a->gap * s->t.r / (7 * (u128)s->t.s));
}

void
select_runs_init(struct select_runs *s)
{
	struct wide sum = { 0, 0 };

	s->sum = err_alloc(s->sum, s->n, sizeof(*s->sum));
	for (size_t i = 0; i < s->n; i++) {
		unsigned j = halvings_of(s, &s->run[i]);

		sum = wide_add(sum, wide_mul(s->run[i].count <<
		    s->run[i].copies, (u128)1 << (most_halvings(s) - j)));
		s->sum[i] = (struct select_sum){ sum, j };
	}
}

void
select_runs_free(struct select_runs *s)
{
	free(s->sum);
	s->sum = NULL;
}

/* The run that x, below the sum of 2^(J - j) over candidates, hits. */
static size_t
locate(const struct select_runs *s, struct wide x)
{
	size_t lo = 0, hi = s->n - 1, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (wide_cmp(x, s->sum[mid].upto) < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* The sum of 2^(J - j) over candidates. */
#define TOTAL(s) ((s)->sum[(s)->n - 1].upto)

static u128
gap_of(const struct select_runs *s, struct select_place at)
{
	const struct select_run *a = &s->run[at.run];

	return a->rough ? s->gap(s->arg, at) : a->gap;
}

/* exp(-(10 r gap - less) / (10 s)), 10 r gap >= less, less < 2^70. */
static bool
decay(const struct scale *t, u128 gap, u128 less, struct rng *r)
{
	u128 part, most = ((u128)1 << 126) / (10 * (u128)t->r);

	for (; gap > 0; gap -= part, less = 0) {
		part = FIXED_LEAST(gap, most);
		if (!noise_bern_exp(r, 10 * part * t->r - less, 10 * t->s))
			return false;
	}
	return true;
}

/* The coin 0.7 - ln 2, see above. */
static bool
excess_coin(struct rng *r)
{
	uint64_t k = 4;

	if (!rng_bernoulli(r, 1, 30))
		return false;
	while (rng_byte(r) & 1)
		k++;
	return !rng_bernoulli(r, 15, 4 * k);
}

/* The coin 2 exp(-0.7): exp(-d) by the series of noise.c. */
static bool
halving_coin(struct rng *r)
{
	uint64_t k = 1;

	while (rng_bernoulli(r, 1, k) && excess_coin(r))
		k++;
	return k & 1;
}

/* The coin 2^j p. */
static bool
rest_coin(const struct select_runs *s, struct select_place at, struct rng *r)
{
	unsigned j = s->sum[at.run].halvings;

	for (unsigned i = 0; i < j; i++)
		if (!halving_coin(r))
			return false;
	return decay(&s->t, gap_of(s, at), 7 * (u128)j * s->t.s, r);
}

/* This many uniform bits, below 256; the first byte is the highest. */
static struct wide
random_bits(struct rng *r, unsigned bits)
{
	struct wide x = { 0, 0 };

	for (unsigned left = (bits + 7) / 8; left > 0; left--)
		x = (struct wide){ x.hi << 8 | x.lo >> 120,
		    x.lo << 8 | rng_byte(r) };
	if (bits < 128)
		x = (struct wide){ 0, x.lo & (((u128)1 << bits) - 1) };
	else
		x.hi &= ((u128)1 << (bits - 128)) - 1;
	return x;
}

/* Bits of n: n < 2^bits. */
static unsigned
bits_of(struct wide n)
{
	u128 top = n.hi > 0 ? n.hi : n.lo | 1;
	unsigned bits = n.hi > 0 ? 128 : 0;

	for (; top > 0; top >>= 1)
		bits++;
	return bits;
}

/* Uniform below n >= 1. */
static struct wide
wide_below(struct rng *r, struct wide n)
{
	unsigned bits = bits_of(wide_sub(n, (struct wide){ 0, 1 }));
	struct wide x;

	do {
		x = random_bits(r, bits);
	} while (wide_cmp(x, n) >= 0);
	return x;
}

/* A uniform candidate of a run. */
static struct select_place
place_in(const struct select_runs *s, size_t run, struct rng *r)
{
	u128 n = s->run[run].count;

	return (struct select_place){ run, n > UINT64_MAX ?
	    wide_below(r, (struct wide){ 0, n }).lo :
	    rng_below(r, (uint64_t)n) };
}

/* [DMNS06 Section 3.3] */
struct select_place
select_runs_draw(const struct select_runs *s, struct rng *r)
{
	struct select_place at;

	do {
		at = place_in(s, locate(s, wide_below(r, TOTAL(s))), r);
	} while (!rest_coin(s, at, r));
	METER_RUNS(&at, s);
	return at;
}

/* --- permute-and-flip ---------------------------------------------------- */

/*
 * [MS20 Algorithm 1] McKenna, Sheldon: Permute-and-Flip.  A random order is the
 * order of independent uniform times in [0, 1]; each candidate succeeds with
 * chance p; the earliest success is taken.  Time is cut into windows, each a
 * part 2^-B of the remaining time.  A candidate without a success yet succeeds
 * in this window with probability 2^-B p rho, where
 *	rho = v / (v + (1 - v) (1 - p)),  v = (1 - 2^-B)^w
 * is the chance that the time is still to come after w windows, given no
 * success.  In the first window with successes, times are alike, so the choice
 * is uniform.  Candidates are independent, so finding the successes in one
 * window is enough, of M 2^-B p rho expected: (1) Each candidate gets marks, a
 * Poisson number with rate -ln(1 - 2^-k),
 *     k = j + B; at least one mark comes with probability 2^-k exactly.
 * (2) -ln(1 - 2^-k) = sum over m >= 1 of 2^(-k m) / m.  Propose marks at the
 *     rate M 2^(1-k) for the run; draw m with chance 2^-m; keep the mark with
 *     chance 2^(-(k-1)(m-1)) / m; give the mark to a uniform candidate.
 *     2^(1-k) 2^-m 2^(-(k-1)(m-1)) / m = 2^(-k m) / m, as it should be.
 * (3) A candidate with marks succeeds with the coins 2^j p and rho.  B is
 * chosen so that one proposal or fewer is expected in a window, all runs
 * together.  rho's coin: v, and if that fails 1 - p; if that fails too, again.
 * Nothing is cut off, the coins are exact, and the work is about the sum of M
 * 2^-j over the sum of M p, times a constant: bounded for every table of runs,
 * as above.
 */
/* A candidate's copy. */
struct mark {
	struct select_place at;
	uint64_t copy;
};

/* The search so far. */
struct walk {
	const struct select_runs *s;
	unsigned b;		/* B */
	uint64_t past;		/* w */
	struct mark *mark;	/* the copies with marks */
	size_t marks, room;
};

/* Do `coins' fair coins show heads alone? */
static bool
heads(struct rng *r, uint64_t coins)
{
	for (; coins >= 8; coins -= 8)
		if (rng_byte(r) != 0)
			return false;
	return coins == 0 || (rng_byte(r) & ((1u << coins) - 1)) == 0;
}

/*
 * Poisson with mean 1: n with chance 2^-(n+1), kept with 2^(n-1) / n! <= 1, and
 * the product is 1/(4 n!).
 */
static unsigned
poisson_one(struct rng *r)
{
	unsigned n;
	bool keep;

	do {
		for (n = 0; heads(r, 1); n++)
			;
		keep = n > 0 || heads(r, 1);
		for (unsigned i = 3; keep && i <= n; i++)
			keep = rng_bernoulli(r, 2, i);
	} while (!keep);
	return n;
}

/* The coin rho, given no success before; v is that no window came. */
static bool
to_come(const struct walk *w, struct select_place at, struct rng *r)
{
	for (;;) {
		uint64_t window = 0;

		while (window < w->past && !heads(r, w->b))
			window++;
		if (window == w->past)
			return true;
		if (!decay(&w->s->t, gap_of(w->s, at), 0, r))
			return false;
	}
}

/*
 * Steps (1) and (2): one proposal out of Poisson(1), thinned to the rate sum of
 * M 2^(1-k) = total 2^(1-B-J): x is uniform below 2^(J+B-1).
 */
static unsigned
scale_bits(const struct walk *w)
{
	return most_halvings(w->s) - 1 + w->b;
}

static bool
propose(const struct walk *w, struct rng *r, struct mark *mark)
{
	struct wide x = random_bits(r, scale_bits(w));
	uint64_t m = 1, k;
	size_t run;

	if (wide_cmp(x, TOTAL(w->s)) >= 0)
		return false;
	run = locate(w->s, x);
	k = w->s->sum[run].halvings + w->b;
	while (heads(r, 1))
		m++;
	if (!rng_bernoulli(r, 1, m) || !heads(r, (k - 1) * (m - 1)))
		return false;
	mark->at = place_in(w->s, run, r);
	mark->copy = rng_below(r, (uint64_t)1 << w->s->run[run].copies);
	return true;
}

static bool
is_new(const struct walk *w, const struct mark *mark)
{
	for (size_t i = 0; i < w->marks; i++)
		if (w->mark[i].at.run == mark->at.run &&
		    w->mark[i].at.place == mark->at.place &&
		    w->mark[i].copy == mark->copy)
			return false;
	return true;
}

/* The marked candidates in a window, each once, where there were none. */
static void
mark_candidates(struct walk *w, struct rng *r)
{
	unsigned proposals = poisson_one(r);
	struct mark mark;

	w->mark = err_grow(w->mark, proposals, &w->room, sizeof(*w->mark));
	for (unsigned i = 0; i < proposals; i++)
		if (propose(w, r, &mark) && is_new(w, &mark))
			w->mark[w->marks++] = mark;
}

/* Step (3): keeps the marked candidates that succeed. */
static void
keep_successes(struct walk *w, struct rng *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->marks; i++)
		if (rest_coin(w->s, w->mark[i].at, r) &&
		    to_come(w, w->mark[i].at, r))
			w->mark[kept++] = w->mark[i];
	w->marks = kept;
}

/* [MS20 Algorithm 1] */
struct select_place
select_runs_flip(const struct select_runs *s, struct rng *r)
{
	struct walk w = { .s = s, .b = 1 };
	struct select_place taken;
	unsigned bits = bits_of(TOTAL(s));

	for (; bits > scale_bits(&w); w.b++)
		;
	for (; w.marks == 0; w.past++) {
		mark_candidates(&w, r);
		keep_successes(&w, r);
	}
	taken = w.mark[rng_below(r, w.marks)].at;
	free(w.mark);
	METER_RUNS(&taken, s);
	return taken;
}
