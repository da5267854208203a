/*
 * parts: what a release draws has the law that its proof takes, by
 * chi-square.  tests/laws shows that these laws are private.
 */
#include "dx/synth/marginals.h"

#include <criterion/criterion.h>
#include <math.h>

#include "law.h"
#include "laws_of_draws.h"

#define N 6
#define DRAWS 30000
#define WIDE 60
#define PLACES (2 * WIDE + 1)

/* Two attributes, of two and of three values. */
struct sample {
	struct workload ones;
	struct normal single;
	struct marginals a;
};

static void
make(struct sample *s)
{
	int64_t x[2 * N];

	*s = (struct sample){ .ones = { .n = N }, .a = { .order = 1 } };
	for (int i = 0; i < N; i++) {
		x[2 * i] = i % 2;
		x[2 * i + 1] = i / 2;
	}
	workload_marginal(&s->ones, x, 2, 1);
	normal_open(&s->single, &s->ones);
	for (size_t e = 0; e < s->single.entries; e++)
		s->single.c[e] = (struct rational){ 3, 2 };
	s->a.p.total = (double)100;
	marginals_open(&s->a, &s->single, 1);
}

static void
unmake(struct sample *s)
{
	marginals_close(&s->a);
	normal_close(&s->single);
	workload_free(&s->ones);
}

static void
add(uint64_t *place, double z)
{
	z = fmax(-WIDE, fmin(WIDE, z));
	place[(int)z + WIDE]++;
}

/* The law of the difference of two such. */
static void
difference(double t, double *p)
{
	double one[PLACES];

	law_laplace(t, WIDE, one);
	for (int z = 0; z < PLACES; z++)
		p[z] = 0;
	for (int a = 0; a < PLACES; a++)
		for (int b = 0; b < PLACES; b++) {
			int z = a - b;

			z = z > WIDE ? WIDE : z < -WIDE ? -WIDE : z;
			p[z + WIDE] += one[a] * one[b];
		}
}

/*
 * Two cells with the same noise: levelling leaves each half of the
 * difference.
 */
static void
cell(double factor, bool good)
{
	static const int64_t x[N] = { 9, 0, 3, 40, 7, 41 };
	uint64_t place[PLACES] = { 0 };
	double p[PLACES];
	struct sample s;
	struct rng r;

	make(&s);
	rng_seeded(&r, 5, "parts");
	s.a.p.part[0].share = PARTS_WHOLE * 3 / 4;
	for (int i = 0; i < DRAWS; i++) {
		parts_measure(&s.a.p, 0, x, &r);
		parts_level(&s.a.p);
		add(place, 2 * (s.a.p.part[0].count[0] - 19));
		cr_assert(fabs(s.a.p.part[0].count[0] +
		    s.a.p.part[0].count[1] - 100) < 1e-6);
	}
	/* 2 c W / share = 2 3/2 4/3 */
	difference(4 * factor, p);
	cr_expect_eq(law_chi2(p, place, PLACES, DRAWS) < LAW_Z, good);
	unmake(&s);
}

Test(parts, a_cell_is_counted_with_noise_of_its_own_scale)
{
	cell(1, true);
}

/* Broken twin. */
Test(parts, another_scale_of_a_cell_is_told_apart)
{
	cell(1.25, false);
}
