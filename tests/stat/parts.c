/*
 * parts and marginals: what a release draws has the laws that their proofs
 * take, by chi-square.  tests/audit shows that these laws are private.
 */
#include "dx/synth/marginals.h"

#include <criterion/criterion.h>
#include <math.h>

#include "law.h"

#define N 6
#define DRAWS 30000
#define WIDE 60
#define PLACES (2 * WIDE + 1)

/* Two attributes, of two and of three values. */
struct sample {
	struct workload ones, pairs;
	struct normal single, q;
	struct marginals a;
};

static void
make(struct sample *s)
{
	static const char *const names[] = { "a", "b" };
	int64_t x[2 * N];

	*s = (struct sample){ .ones = { .n = N }, .pairs = { .n = N },
	    .a = { .order = 2 } };
	for (int i = 0; i < N; i++) {
		x[2 * i] = i % 2;
		x[2 * i + 1] = i / 2;
	}
	cr_assert(workload_marginal(&s->ones, x, 2, 1, names) &&
	    workload_marginal(&s->pairs, x, 2, 2, names) &&
	    normal_open(&s->single, &s->ones) &&
	    normal_open(&s->q, &s->pairs));
	for (size_t e = 0; e < s->single.entries; e++)
		s->single.c[e] = (struct rational){ 3, 2 };
	for (size_t e = 0; e < s->q.entries; e++)
		s->q.c[e] = (struct rational){ 1, 2 };
	cr_assert(marginals_open(&s->a, &s->single, &s->q, 100));
	s->a.single = PARTS_WHOLE / 2;
	s->a.look = PARTS_WHOLE / 4;
}

static void
unmake(struct sample *s)
{
	marginals_close(&s->a);
	normal_close(&s->single);
	normal_close(&s->q);
	workload_free(&s->ones);
	workload_free(&s->pairs);
}

/* P[Z = z] for the discrete Laplace law, tails at the ends. */
static void
laplace(double t, double *p)
{
	double q = exp(-1 / t);

	for (int z = -WIDE; z <= WIDE; z++)
		p[z + WIDE] = (1 - q) / (1 + q) * pow(q, abs(z)) *
		    (abs(z) == WIDE ? 1 / (1 - q) : 1);
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

	laplace(t, one);
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
		cr_assert(parts_measure(&s.a.p, 0, x, &r));
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

/* Looks: |x - g| over the cells, with the whole budget's part. */
static void
look(double factor, bool good)
{
	static const int64_t x[N] = { 9, 0, 3, 40, 7, 41 };
	double y[N] = { 100. / N, 100. / N, 100. / N, 100. / N, 100. / N,
	    100. / N };
	uint64_t place[PLACES] = { 0 };
	double p[PLACES];
	struct sample s;
	int64_t off;
	struct rng r;

	make(&s);
	rng_seeded(&r, 6, "look");
	cr_assert(marginals_off(&s.a, 0, x, y, &off));
	cr_assert_eq(off, 8 + 17 + 14 + 23 + 10 + 24);
	for (int i = 0; i < DRAWS; i++) {
		cr_assert(marginals_look(&s.a, x, &r, y));
		add(place, (double)(s.a.off[0] - off));
	}
	/* 2 c W B / look = 2 1/2 4 */
	laplace(4 * factor, p);
	cr_expect_eq(law_chi2(p, place, PLACES, DRAWS) < LAW_Z, good);
	unmake(&s);
}

Test(marginals, a_look_has_the_law_of_its_scale)
{
	look(1, true);
}

/* Broken twin. */
Test(marginals, another_scale_of_a_look_is_told_apart)
{
	look(1.25, false);
}
