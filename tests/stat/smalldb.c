/*
 * smalldb: draws are from the law of the mechanism, by chi-square.
 *
 * The law comes from its definition: all multisets, errors and weights in
 * doubles, 16 digits.  Seeds are fixed.
 */
#include "dx/synth/smalldb.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "law.h"

#define MOST 4096
#define MOST_N 12

struct small {
	struct smalldb s;
	int64_t q[12 * 16], target[16];
	int64_t plain[12 * 16], x[12];
	size_t all;
	uint32_t y[MOST][MOST_N];
	double p[MOST];
};

/* [KPAK20 Algorithm 1] |q(x) - (n/m) q(y)| over 2c */
static void
law(struct small *a, int64_t total, double c)
{
	double sum = 0;

	for (size_t i = 0; i < a->all; i++) {
		double worst = 0;

		for (size_t k = 0; k < a->s.k; k++) {
			double real = 0, small = 0;

			for (size_t e = 0; e < a->s.n; e++)
				real += (double)(a->plain[e * a->s.k + k] *
				    a->x[e]);
			for (size_t e = 0; e < a->s.n; e++)
				small += (double)a->plain[e * a->s.k + k] *
				    a->y[i][e];
			worst = fmax(worst, fabs(real - small *
			    (double)total / (double)a->s.m));
		}
		sum += a->p[i] = exp(-worst / (2 * c));
	}
	for (size_t i = 0; i < a->all; i++)
		a->p[i] /= sum;
}

/* k queries with coefficients below `size` on n elements; c = num / den. */
static void
make(struct small *a, size_t n, size_t m, size_t k, int64_t size,
    struct scale c, uint64_t seed)
{
	struct rng r;
	int64_t total = 0;

	rng_seeded(&r, seed, "small");
	a->s = (struct smalldb){ .n = n, .k = k, .m = m, .q = a->q,
	    .target = a->target, .t = { 2 * m * c.s, c.r } };
	for (size_t e = 0; e < n; e++)
		total += a->x[e] = (int64_t)rng_below(&r, 9);
	for (size_t j = 0; j < k; j++) {
		a->target[j] = 0;
		for (size_t e = 0; e < n; e++) {
			int64_t q = (int64_t)rng_below(&r, (uint64_t)size);

			a->plain[e * k + j] = q;
			a->q[e * k + j] = q * total;
			a->target[j] += (int64_t)m * q * a->x[e];
		}
	}
	a->all = 0;
	smalldb_open(&a->s);
	smalldb_first(&a->s);
	do {
		cr_assert(a->all < MOST);
		memcpy(a->y[a->all++], a->s.y, n * sizeof(*a->s.y));
	} while (smalldb_next(&a->s));
	smalldb_close(&a->s);
	cr_assert_eq(a->all, (size_t)smalldb_candidates(n, m));
	law(a, total, (double)c.s / (double)c.r);
}

static size_t
number(const struct small *a, const uint32_t *y)
{
	size_t i = 0;

	while (memcmp(a->y[i], y, a->s.n * sizeof(*y)) != 0)
		cr_assert(++i < a->all);
	return i;
}

static double
z_of(struct small *a, size_t draws, uint64_t seed, const double *p)
{
	uint64_t *seen = calloc(a->all, sizeof(*seen));
	struct rng r;
	double z;

	rng_seeded(&r, seed, "draw");
	smalldb_open(&a->s);
	for (size_t i = 0; i < draws; i++) {
		smalldb_draw(&a->s, &r);
		seen[number(a, a->s.y)]++;
	}
	smalldb_close(&a->s);
	z = law_chi2(p, seen, a->all, (double)draws);
	free(seen);
	return z;
}

static const struct scale scales[] = { { 1, 1 }, { 7, 2 }, { 1, 3 } };

/* [KPAK20 Algorithm 1] */
Test(smalldb, draws_are_from_the_law)
{
	struct small *a = malloc(sizeof(*a));

	for (uint64_t i = 0; i < 3; i++) {
		make(a, 4, 3, 3, 3, scales[i], i + 1);
		cr_expect(z_of(a, 20000, i, a->p) < LAW_Z);
	}
	make(a, 6, 5, 8, 2, scales[1], 7);
	cr_expect(z_of(a, 10000, 3, a->p) < LAW_Z);
	make(a, 10, 5, 6, 2, scales[1], 8);
	cr_expect(z_of(a, 20000, 4, a->p) < LAW_Z);
	make(a, 8, 6, 5, 4, (struct scale){ 12, 1 }, 9);
	cr_expect(z_of(a, 20000, 5, a->p) < LAW_Z);
	free(a);
}
