/*
 * waves: what noisy counts in a row say together.
 *
 * n numbers that add up to 0 are turned into n - 1 others, the sums with the
 * orthonormal waves sqrt(2/n) cos(pi j (i + 1/2) / n), j = 1..n-1 (a discrete
 * cosine transform); independent noise of one variance keeps it.  What changes
 * slowly from count to count lies in the first few, and shows there long
 * before it shows in the sum of all squares: a slope of the size of the noise
 * is in the first wave alone, beside one degree of noise instead of n - 1.
 *
 * Waves 1, 2 to 3, 4 to 7 and so on are judged together (evidence.c), and all
 * of them.  Where none is clear, chance explains the counts.  Where one is,
 * each group keeps the part that it is worth by itself, without a threshold:
 * that errs no more than the counts do.  The kurtosis of a group follows from
 * the part of each count that lies in it: with p_i = sum of the squares of its
 * waves at i, the squares add up to a variance of 2 d + k sum p_i^2.
 */
#include "waves.h"

#include <math.h>
#include <stdlib.h>

#include "evidence.h"

#define PI 3.14159265358979323846

/* Waves first..end-1, their sums z and how much of each is kept. */
struct group {
	size_t first, end;
	double part;
};

/* The waves at all places: cos(pi k / 2n) for k = 0..4n-1. */
static double *
cosines(size_t n)
{
	double *c = malloc((4 * n + 1) * sizeof(*c));

	for (size_t k = 0; c != NULL && k < 4 * n; k++)
		c[k] = sqrt(2 / (double)n) * cos(PI * (double)k /
		    (2 * (double)n));
	return c;
}

static double
wave(const double *c, size_t n, size_t j, size_t i)
{
	/* NOLINTNEXTLINE(clang-analyzer-*): no wave without an element */
	return c[j * (2 * i + 1) % (4 * n)];
}

/* The group that follows; a rest that is shorter goes with it. */
static struct group
next(const struct group *g, size_t n)
{
	struct group to = { g->end, 2 * g->end, 0 };

	to.end = n < to.end || n - to.end < to.end - to.first ? n : to.end;
	return to;
}

/* Kurtosis above a normal law's, of the squares of a group. */
static double
excess(const struct waves *w, const double *c, const struct group *g)
{
	double sum = 0, p;

	for (size_t i = 0; i < w->n; i++) {
		p = 0;
		for (size_t j = g->first; j < g->end; j++)
			p += wave(c, w->n, j, i) * wave(c, w->n, j, i);
		sum += p * p;
	}
	return w->excess * sum / (double)(g->end - g->first);
}

/* Is a group clear?  What it keeps by itself to g->part. */
static bool
judge(const struct waves *w, const double *c, const double *z,
    struct group *g)
{
	struct evidence of = { .degrees = (double)(g->end - g->first) };
	double chance = evidence_chance(w->variance, w->mean);

	for (size_t j = g->first; j < g->end; j++)
		evidence_add(&of, z[j], w->mean, w->variance);
	g->part = evidence_alone(&of);
	return evidence_part(&of, excess(w, c, g), chance) > 0;
}

/* Sums with the waves, to z. */
static void
turn(const struct waves *w, const double *c, double *z)
{
	for (size_t j = 1; j < w->n; j++) {
		z[j] = 0;
		for (size_t i = 0; i < w->n; i++)
			z[j] += wave(c, w->n, j, i) * w->off[i];
	}
}

/* And back. */
static void
turn_back(const struct waves *w, const double *c, const double *z)
{
	for (size_t i = 0; i < w->n; i++) {
		w->off[i] = 0;
		for (size_t j = 1; j < w->n; j++)
			w->off[i] += wave(c, w->n, j, i) * z[j];
	}
}

/* Keeps the parts of all groups in z; without any, what drawing explains. */
static bool
keep(const struct waves *w, const double *c, double *z)
{
	double least = evidence_least(w->mean, w->variance);
	struct group all = { 1, w->n, 0 }, g = { .end = 1 };
	bool clear = judge(w, c, z, &all);

	while (g.end < w->n) {
		g = next(&g, w->n);
		clear = judge(w, c, z, &g) || clear;
	}
	for (g.end = 1; g.end < w->n;) {
		g = next(&g, w->n);
		if (clear)
			(void)judge(w, c, z, &g);
		for (size_t j = g.first; j < g.end; j++)
			z[j] *= fmax(g.part, least);
	}
	return clear;
}

bool
waves_keep(struct waves *w, bool *clear)
{
	double *c = cosines(w->n), *z = malloc((w->n + 1) * sizeof(*z));
	bool ok = c != NULL && z != NULL;

	if (ok) {
		turn(w, c, z);
		*clear = keep(w, c, z);
		turn_back(w, c, z);
	}
	free(c);
	free(z);
	return ok;
}
