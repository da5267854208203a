/*
 * permute: permute-and-flip over every value of a public grid, exactly.
 *
 * [MS20 Algorithm 1] McKenna, Sheldon: Permute-and-Flip.  A random order is
 * the order of independent uniform times in [0, 1]; each candidate succeeds
 * with its p; the success of least time is taken.  Time is cut into windows,
 * each a part 2^-B of the time that remains.  A candidate that has had no
 * success yet has one in this window with probability 2^-B p rho, where
 *	rho = v / (v + (1 - v) (1 - p)),  v = (1 - 2^-B)^w
 * is the chance that its time is still to come after w windows, given no
 * success.  Among the successes of the first window that has any, times are
 * alike, so the choice is uniform.  All candidates are independent, so it is
 * enough to find the successes of one window, of M 2^-B p rho expected:
 * (1) Each candidate gets marks, a Poisson number of rate -ln(1 - 2^-k),
 *     k = j + B; it has at least one with probability 2^-k exactly.
 * (2) -ln(1 - 2^-k) = sum over m >= 1 of 2^(-k m) / m.  Propose marks at the
 *     rate M 2^(1-k) for the run; draw m with chance 2^-m; keep the mark with
 *     chance 2^(-(k-1)(m-1)) / m; give it to a uniform candidate.  2^(1-k)
 *     2^-m 2^(-(k-1)(m-1)) / m = 2^(-k m) / m, as it should be.
 * (3) A candidate with marks succeeds with the coins 2^j p and rho.
 * B is chosen so that RATE proposals or fewer are expected in a window, all
 * runs together.  rho's coin: v, and if that fails 1 - p; if that fails too,
 * again.  Nothing is cut off, all coins are exact, and the work is about the
 * sum of M 2^-j over the sum of M p times a constant: bounded for every
 * table of runs, as select_runs.c says.
 */
#include "permute.h"

#include <stdlib.h>

#define RATE_BITS 4		/* RATE = 2^4 */
#define SCALE_BITS (SELECT_HALVINGS - 1 + RATE_BITS)	/* see propose() */

/* The search so far. */
struct walk {
	const struct select_runs *s;
	unsigned b;		/* B */
	uint64_t past;		/* w */
	struct select_place *mark;	/* the candidates with marks */
	size_t marks, room;
};

/* All of so many fair coins heads. */
static bool
heads(struct rng *r, uint64_t coins)
{
	for (; coins >= 8; coins -= 8)
		if (rng_byte(r) != 0)
			return false;
	return coins == 0 || (rng_byte(r) & ((1u << coins) - 1)) == 0;
}

/*
 * Poisson of mean 1: n with chance 2^-(n+1), kept with 2^(n-1) / n!.  That is
 * at most 1, and the product is 1/(4 n!).
 */
static unsigned
poisson_one(struct rng *r)
{
	unsigned n, i;
	bool keep;

	do {
		for (n = 0; heads(r, 1); n++)
			;
		keep = n > 0 || heads(r, 1);
		for (i = 3; keep && i <= n; i++)
			keep = rng_bernoulli(r, 2, i);
	} while (!keep);
	return n;
}

/* The chance v that a candidate's time is still to come. */
static bool
unvisited(const struct walk *w, struct rng *r)
{
	for (uint64_t i = 0; i < w->past; i++)
		if (heads(r, w->b))
			return false;
	return true;
}

/* The coin rho, given no success of the candidate in the past. */
static bool
to_come(const struct walk *w, struct select_place at, struct rng *r)
{
	for (;;) {
		if (unvisited(w, r))
			return true;
		if (!select_coin(w->s, at, r))
			return false;
	}
}

/*
 * Steps (1) and (2): one proposal out of Poisson(RATE), thinned to the rate
 * sum of M 2^(1-k) = total 2^(1-B-J): x is uniform below RATE times the
 * reciprocal of that last power of two.
 */
static bool
propose(const struct walk *w, struct rng *r, struct select_place *mark)
{
	u128 x = select_bits(r, SCALE_BITS + w->b);
	uint64_t m = 1, k;

	if (x >= select_total(w->s))
		return false;
	mark->run = select_locate(w->s, x);
	k = select_halvings(w->s, mark->run) + w->b;
	while (heads(r, 1))
		m++;
	if (!rng_bernoulli(r, 1, m) || !heads(r, (k - 1) * (m - 1)))
		return false;
	mark->place = rng_below(r, w->s->run[mark->run].count);
	return true;
}

static bool
is_new(const struct walk *w, const struct select_place *mark)
{
	for (size_t i = 0; i < w->marks; i++)
		if (w->mark[i].run == mark->run &&
		    w->mark[i].place == mark->place)
			return false;
	return true;
}

/* All marked candidates of one window, each once; false without memory. */
static bool
mark_candidates(struct walk *w, struct rng *r)
{
	unsigned proposals = 0, i;
	struct select_place mark, *more;

	for (i = 0; i < 1u << RATE_BITS; i++)
		proposals += poisson_one(r);
	if (w->mark == NULL || proposals > w->room) {
		more = realloc(w->mark, (proposals + 1) * sizeof(*more));
		if (more == NULL)
			return false;
		w->mark = more;
		w->room = proposals;
	}
	w->marks = 0;
	for (i = 0; i < proposals; i++)
		if (propose(w, r, &mark) && is_new(w, &mark))
			w->mark[w->marks++] = mark;
	return true;
}

/* Step (3): keeps the marked candidates that succeed. */
static void
keep_successes(struct walk *w, struct rng *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->marks; i++)
		if (select_rest(w->s, w->mark[i], r) &&
		    to_come(w, w->mark[i], r))
			w->mark[kept++] = w->mark[i];
	w->marks = kept;
}

/* [MS20 Algorithm 1] */
bool
permute_and_flip(const struct select_runs *s, struct rng *r,
    struct select_place *taken)
{
	struct walk w = { .s = s, .b = 1 };
	bool ok;

	while (select_total(s) >> (SCALE_BITS + w.b) > 0)
		w.b++;
	while ((ok = mark_candidates(&w, r))) {
		keep_successes(&w, r);
		if (w.marks > 0)
			break;
		w.past++;
	}
	if (ok)
		*taken = w.mark[rng_below(r, w.marks)];
	free(w.mark);
	return ok;
}
