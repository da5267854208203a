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

/* A cell's noise against the law of factor times its scale. */
static double
z_of(double factor)
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
		add(place, s.a.p.part[0].count[i % 2] - (i % 2 ? 81 : 19));
	}
	/* 2 c W / share = 2 3/2 4/3 */
	law_laplace(4 * factor, WIDE, p);
	unmake(&s);
	return law_chi2(p, place, PLACES, DRAWS);
}

/* The twin has a scale that is a quarter too large. */
Test(parts, a_cell_is_counted_with_noise_of_its_own_scale)
{
	double z = z_of(1), twin = z_of(1.25);

	cr_expect_lt(z, LAW_Z, "%g", z);
	cr_expect_gt(twin, LAW_Z, "%g", twin);
}
