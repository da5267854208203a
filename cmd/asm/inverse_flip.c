/*
 * inverse_flip: permute-and-flip over every point of a public grid, exactly.
 *
 * Permute-and-flip [McKenna, Sheldon 2020].  A random order is the order of
 * independent uniform times in [0, 1]; each point succeeds with its p; the
 * success of least time is taken.  Time is cut into windows, each a part
 * 2^-B of the time that remains.  A point that has had no success yet has one
 * in this window with probability 2^-B p rho, where
 *	rho = v / (v + (1 - v) (1 - p)),  v = (1 - 2^-B)^w
 * is the chance that its time is still to come after w windows, given no
 * success.  Among the successes of the first window that has any, times are
 * alike, so the choice is uniform.  All points are independent, so it is
 * enough to find the successes of one window, of M 2^-B p rho expected:
 * (1) Each point gets marks, a Poisson number of rate -ln(1 - 2^-k), k = j + B;
 *     it has at least one with probability 2^-k exactly.
 * (2) -ln(1 - 2^-k) = sum over m >= 1 of 2^(-k m) / m.  Propose marks at the
 *     rate M 2^(1-k) for the run; draw m with chance 2^-m; keep the mark with
 *     chance 2^(-(k-1)(m-1)) / m; give it to a uniform point.  2^(1-k) 2^-m
 *     2^(-(k-1)(m-1)) / m = 2^(-k m) / m, as it should be.
 * (3) A point with marks succeeds with the coins 2^j p and rho.
 * B is chosen so that RATE proposals or fewer are expected in a window, all
 * runs together.  rho's coin: v, and if that fails 1 - p; if that fails too,
 * again.  Nothing is cut off, all coins are exact, and the work is about the
 * sum of M 2^-j over the sum of M p times a constant, whatever the sizes.
 */
#include <stdlib.h>

#include "inverse_impl.h"
#include "random/noise.h"

#define RATE_BITS 4		/* RATE = 2^4 */
#define SCALE_BITS (INVERSE_J - 1 + RATE_BITS)	/* see propose() */

/* The search so far. */
struct flip {
	const struct inverse *v;
	struct law law;
	u128 total;
	unsigned b;		/* B */
	uint64_t past;		/* w */
	struct mark *mark;
	size_t marks, room;
};

/* A marked point: the run and the place in it. */
struct mark {
	size_t run;
	uint64_t place;
};

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
		for (n = 0; inverse_heads(r, 1); n++)
			;
		keep = n > 0 || inverse_heads(r, 1);
		for (i = 3; keep && i <= n; i++)
			keep = rng_bernoulli(r, 2, i);
	} while (!keep);
	return n;
}

/* The chance v that a point's time is still to come. */
static bool
unvisited(const struct flip *f, struct rng *r)
{
	uint64_t i;

	for (i = 0; i < f->past; i++)
		if (inverse_heads(r, f->b))
			return false;
	return true;
}

/* The coin rho, given no success of the point in the past. */
static bool
to_come(const struct flip *f, const struct run *run, struct rng *r)
{
	u128 x = inverse_exponent(&f->law, run);

	for (;;) {
		if (unvisited(f, r))
			return true;
		if (!noise_bern_exp(r, x, f->law.den))
			return false;
	}
}

/*
 * Steps (1) and (2): one proposal out of Poisson(RATE), thinned to the rate
 * sum of M 2^(1-k) = total 2^(1-B-J): x is uniform below RATE times the
 * reciprocal of that last power of two.
 */
static bool
propose(struct flip *f, struct rng *r, struct mark *mark)
{
	u128 x = inverse_bits(r, SCALE_BITS + f->b);
	const struct run *run;
	uint64_t m = 1, k;

	if (x >= f->total)
		return false;
	mark->run = inverse_locate(&f->law, f->v, x);
	run = &f->v->run[mark->run];
	k = inverse_halvings(&f->law, run) + f->b;
	while (inverse_heads(r, 1))
		m++;
	if (!rng_bernoulli(r, 1, m) || !inverse_heads(r, (k - 1) * (m - 1)))
		return false;
	mark->place = rng_below(r, run->count);
	return true;
}

static bool
is_new(const struct flip *f, const struct mark *mark)
{
	size_t i;

	for (i = 0; i < f->marks; i++)
		if (f->mark[i].run == mark->run &&
		    f->mark[i].place == mark->place)
			return false;
	return true;
}

/* All marked points of one window, each once; false without memory. */
static bool
mark_points(struct flip *f, struct rng *r)
{
	unsigned proposals = 0, i;
	struct mark mark, *more;

	for (i = 0; i < 1u << RATE_BITS; i++)
		proposals += poisson_one(r);
	if (f->mark == NULL || proposals > f->room) {
		more = realloc(f->mark, (proposals + 1) * sizeof(*more));
		if (more == NULL)
			return false;
		f->mark = more;
		f->room = proposals;
	}
	f->marks = 0;
	for (i = 0; i < proposals; i++)
		if (propose(f, r, &mark) && is_new(f, &mark))
			f->mark[f->marks++] = mark;
	return true;
}

/* Step (3): keeps the marked points that succeed. */
static void
keep_successes(struct flip *f, struct rng *r)
{
	const struct run *run;
	size_t i, kept = 0;

	for (i = 0; i < f->marks; i++) {
		run = &f->v->run[f->mark[i].run];
		if (inverse_rest(&f->law, run, r) && to_come(f, run, r))
			f->mark[kept++] = f->mark[i];
	}
	f->marks = kept;
}

bool
inverse_flip(const struct inverse *v, struct rational eps, struct rng *r,
    int64_t *t)
{
	struct flip f = { v, inverse_law(v, eps), 0, 1, 0, NULL, 0, 0 };
	const struct mark *mark;
	bool ok;

	f.total = inverse_total(&f.law, v);
	while (f.total >> (SCALE_BITS + f.b) > 0)
		f.b++;
	while ((ok = mark_points(&f, r))) {
		keep_successes(&f, r);
		if (f.marks > 0)
			break;
		f.past++;
	}
	if (ok) {
		mark = &f.mark[rng_below(r, f.marks)];
		*t = (int64_t)((uint64_t)v->run[mark->run].lo + mark->place);
	}
	free(f.mark);
	return ok;
}
