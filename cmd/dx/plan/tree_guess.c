/*
 * tree_guess: a tree for counts that are drawn to expected counts.
 *
 * tree_choose looks at the noise alone.  Where the number of records times
 * epsilon is small, counts of fine intervals tell next to nothing, and their
 * budget is lost to coarse intervals.  So tree_guess minimises the expected
 * error of an estimate from the noise and the likely counts together.
 *
 * A node's b children are halved again and again: c children, c = b, b/2, ..,
 * into two halves, which differ by a sum with the variance c v for noise with
 * the variance v each.  The expected squared difference is c p, with
 *
 *	p = m + (k f^g)^2 c m^2,	m = records in a child, if equal,
 *
 * for drawing and for a density that differs by a part k f^g between the halves
 * of an interval, the part f of the universe; the best linear estimate leaves c
 * r, r = p v / (p + v).  A prefix that ends at a random place in the c children
 * has the error c r / 12; a random range has twice as much with one end there,
 * and half with two ends there: 2 - 3 f / 2 times as much on average.  With p
 * infinite the sum is the noise that least squares leave, (b - 1) v / 6 for a
 * prefix.
 *
 * Nobody knows k and g.  ways[] has four answers: equal counts, slowly varying
 * counts, strongly varying counts, spikes, with numbers found by hand;
 * scripts/figure/starts measures what they are worth.  The product of the
 * errors under the four is to be small, so that no answer is paid for dearly
 * by another.
 *
 * Below the root's children the fit (synth/ladder_fit.c) keeps clear
 * differences as a whole and not wave by wave, so weak evidence is lost there:
 * noise counts as up to WEAK times its variance.
 *
 * The tree of tree_choose is kept if NEAR the best, or if its noise alone is
 * less: tree_choose's error is exact, tree_guess's assumes sizes that are
 * powers.
 *
 * Privacy does not depend on the guess: the levels' parts add up to tree_make's
 * whole, and the choice is made from public numbers.
 */
#include "tree.h"

#include <math.h>
#include <string.h>

#define WAYS 4
#define HALVES 64		/* over the levels; a size_t has no more */
#define BRANCHING 64		/* tried from 2 up */
#define FINE 1e-2		/* relative change of a part: the search ends */
#define HOPELESS 3		/* times the best: not improved on */
#define LEAST_PART 1000		/* a level with less is not counted */
#define WEAK 10
#define NEAR 1.2		/* for four mean squares: 1.02 times the
				   error */

static const struct {
	double differs, fades;	/* k, g */
} ways[WAYS] = { { 0, 0 }, { 0.3, 0.7 }, { 1, 0.7 }, { 3, 0 } };

/* The halved children on a level. */
struct halves {
	size_t level;
	double weight;		/* of the remaining part, in the error */
	double p[WAYS];
};

struct guess {
	size_t branching, levels;
	double parts[TREE_LEVELS + 1];	/* children of a node above */
	struct halves half[HALVES];
	size_t halves;
	double w[TREE_LEVELS + 1];
	double error;		/* product of the mean squares over the ways */
};

/* Public numbers in noise units: variance 2 for the whole budget. */
struct units {
	enum tree_aim aim;
	double n, total;
	double one;		/* a squared record */
};

/* c of a level's b children, with the part f of the universe. */
static void
halve(struct guess *g, const struct units *u, double c, double f)
{
	struct halves *h = &g->half[g->halves++];
	double m = u->total * f / c, differs;

	h->level = g->levels;
	h->weight = (c - fmax(c / 2, 1)) / 6;
	if (u->aim == TREE_RANGES)
		h->weight *= 2 - 1.5 * f;
	for (int i = 0; i < WAYS; i++) {
		differs = ways[i].differs * pow(f, ways[i].fades);
		h->p[i] = u->one * (m + differs * differs * c * m * m);
	}
}

static void
open_guess(struct guess *g, const struct units *u, size_t branching)
{
	double size = u->n, b, f = 1;
	size_t levels = tree_depth((size_t)u->n, branching);

	*g = (struct guess){ .branching = branching };
	while (g->levels < levels) {
		b = fmin(size, (double)branching);
		g->parts[++g->levels] = b;
		for (double c = b; c > 1 && g->halves < HALVES; c /= 2)
			halve(g, u, c, f * c / b);
		size /= b;
		f /= b;
	}
}

/* Each level's noise with the levels below; false: no noise. */
static void
variances(const struct guess *g, const double *w, double *v)
{
	double whole = 0, own, below = HUGE_VAL;

	for (size_t l = 1; l <= g->levels; l++)
		whole += w[l];
	for (size_t l = g->levels; l > 0; l--) {
		own = w[l] > 0 ? 2 * (whole / w[l]) * (whole / w[l]) : HUGE_VAL;
		v[l] = 1 / (1 / own + 1 / below);
		below = v[l] * g->parts[l];
	}
}

/*
 * The rest of p, r = p u / (p + u) with the noise u = v (1 + weak v / (p + v)),
 * in one division.
 */
static double
remains(double p, double v, double weak)
{
	double u = v * (p + v + weak * v);

	return v == HUGE_VAL ? p : p * (u / (p * (p + v) + u));
}

static double
guess_error(const void *arg, const double *w)
{
	const struct guess *g = arg;
	double v[TREE_LEVELS + 1] = { 0 }, sum[WAYS] = { 0 }, product = 1;

	variances(g, w, v);
	for (const struct halves *h = g->half; h < g->half + g->halves; h++) {
		double noise = v[h->level], weak = h->level > 1 ? WEAK - 1 : 0;

		for (int i = 0; i < WAYS; i++)
			sum[i] += h->weight * remains(h->p[i], noise, weak);
	}
	for (int i = 0; i < WAYS; i++)
		product *= sum[i];
	return product;
}

/* The best branching and depth; levels below the depth have no part. */
static struct guess
best_guess(const struct units *u)
{
	struct guess best = { .error = HUGE_VAL }, g;
	struct tree_search s = { .first = 1, .fine = FINE, .gain = 1e-9,
	    .least = LEAST_PART, .error = guess_error, .arg = &g };

	for (size_t b = BRANCHING; b >= 2; b--) {
		if ((double)b > u->n)
			continue;
		open_guess(&g, u, b);
		for (s.last = 1; s.last <= g.levels; s.last++) {
			memset(g.w, 0, sizeof(g.w));
			s.hopeless = HOPELESS * best.error;
			g.error = tree_search(&s, g.w);
			if (g.error < best.error)
				best = g;
		}
	}
	return best;
}

static double
error_of_tree(const struct tree *t, const struct units *u)
{
	struct guess g;

	open_guess(&g, u, t->branching);
	for (size_t l = 1; l <= t->levels; l++)
		g.w[l] = (double)t->part[l];
	return guess_error(&g, g.w);
}

/* The error for epsilon 1, from the product of four mean squares. */
static double
rms(const struct tree *t, double error)
{
	return pow(error, 0.5 / WAYS) * rational_real(t->unit);
}

/* Takes the best guess over if it is not near the tree. */
static enum plan_result
take_guess(struct tree *t, const struct units *u, struct rational least)
{
	struct guess g = best_guess(u);
	uint64_t part[TREE_LEVELS + 1] = { 0 };
	double kept = error_of_tree(t, u);
	enum plan_result r;

	if (rms(t, g.error) >= t->rms || !(kept > g.error * NEAR)) {
		/* estimates are drawn in where noise alone is far larger */
		if (u->total > 0 && 2 * rms(t, kept) < t->rms)
			t->rms = rms(t, kept);
		return PLAN_OK;
	}
	for (size_t l = 1; l <= g.levels; l++)
		part[l] = (uint64_t)g.w[l];
	tree_free(t);
	*t = (struct tree){ .n = t->n, .branching = g.branching };
	r = tree_make(t, part, least);
	if (r == PLAN_OK)
		t->rms = rms(t, g.error);
	return r;
}

enum plan_result
tree_guess(struct tree *t, const struct metric *m, enum tree_aim aim,
    double total, double eps)
{
	enum plan_result r = tree_choose(t, m, aim);
	struct units u = { aim, (double)m->n, total, 0 };
	struct rational least;

	if (r != PLAN_OK || t->branching == 0 || t->unit.num == 0 ||
	    !metric_nearest(m, 1, &least))
		return r;
	u.one = pow(eps / rational_real(t->unit), 2);
	return take_guess(t, &u, least);
}
