/*
 * select_runs: sampled laws of the two choices over runs, from runs of one
 * candidate to runs of 2^61, near and far, and their broken twins.
 */
/* With its coins, which are its own. */
#include "../../lib/random/select_runs.c"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "law.h"
#include "laws_of_draws.h"

#define DRAWS 40000
#define RUNS 6
#define ROOMY ((u128)1 << 74)

/* Gaps of the runs in units of half a score. */
static const struct select_run shape[][RUNS] = {
	{ { 0, 1, 0, 0 }, { 1, 2, 0, 0 }, { 2, 5, 0, 0 }, { 3, 3, 0, 0 },
	    { 5, 9, 0, 0 }, { 6, 1, 0, 0 } },
	{ { 0, 2, 0, 0 }, { 2, 40, 0, 0 }, { 6, 900, 0, 0 },
	    { 11, 70000, 0, 0 }, { 27, 2000000000, 0, 0 },
	    { 57, (uint64_t)1 << 61, 0, 0 } },
	{ { 0, (uint64_t)1 << 60, 0, 0 }, { 1, (uint64_t)1 << 60, 0, 0 },
	    { 2, 5000, 0, 0 }, { 3, 1, 0, 0 }, { 4, (uint64_t)1 << 60, 0, 0 },
	    { 89, 7, 0, 0 } },
	{ { 0, 1, 0, 0 }, { 20, 100, 0, 0 }, { 40, 1000, 0, 0 },
	    { 60, (uint64_t)1 << 40, 0, 0 }, { 80, (uint64_t)1 << 60, 0, 0 },
	    { 100, (uint64_t)1 << 61, 0, 0 } },
	/* copies among many */
	{ { 0, 1, 0, 0 }, { 1, 2, 0, 3 }, { 4, 3, 0, 5 },
	    { 60, ROOMY, 0, 3 }, { 90, ROOMY, 0, 10 },
	    { 120, 7, 0, 62 } },
};
#define SHAPES (sizeof(shape) / sizeof(shape[0]))

/* Scales 2/eps for eps 1/2, 1, 3; the twins have a tenth more epsilon. */
static const struct {
	struct scale t, twin;
} setting[] = {
	{ { 4, 1 }, { 40, 11 } },
	{ { 2, 1 }, { 20, 11 } },
	{ { 2, 3 }, { 20, 33 } },
};

/* All copies of a run's candidates. */
static double
copies_of(const struct select_run *run)
{
	return ldexp((double)run->count, (int)run->copies);
}

static void
law(bool permute, const struct select_run *run, const struct scale *t,
    double *p)
{
	double count[RUNS], w[RUNS], sum = 0;

	for (int i = 0; i < RUNS; i++) {
		count[i] = copies_of(&run[i]);
		w[i] = exp(-(double)run[i].gap * (double)t->r / (double)t->s);
	}
	law_runs(permute ? SELECT_FLIP : SELECT_EXPONENTIAL, count, w, RUNS,
	    p);
	for (int i = 0; i < RUNS; i++)
		sum += p[i];
	cr_assert_float_eq(sum, 1, 1e-4);
}

/* What a candidate of a rough run says of itself: the gap that its run had. */
static u128
true_gap(const void *arg, struct select_place at)
{
	const struct select_run *run = arg;

	return run[at.run].gap;
}

/*
 * Draws with the runs as they are or, where `rough' is asked for, with a least
 * gap of one less, or that of a far run, and their gaps told one by one.
 */
static void
sample(const struct select_run *run, const struct scale *t, bool permute,
    bool rough, uint64_t seed, uint64_t *seen)
{
	struct select_run marked[RUNS];
	struct select_runs s = { .run = marked, .n = RUNS, .t = *t,
	    .gap = true_gap, .arg = run };
	struct select_place at;
	struct rng r;

	rng_seeded(&r, seed, permute ? "permute" : "exponential");
	for (int i = 0; i < RUNS; i++)
		s.many = s.many || copies_of(&run[i]) > 9e18;
	for (int i = 0; i < RUNS; i++) {
		marked[i] = run[i];
		seen[i] = 0;
		marked[i].rough = rough;
		if (rough && run[i].gap >= select_far(t, s.many))
			marked[i].gap = select_far(t, s.many);
		else if (rough && run[i].gap > 0)
			marked[i].gap--;
	}
	select_runs_init(&s);
	for (int i = 0; i < DRAWS; i++) {
		if (permute)
			at = select_runs_flip(&s, &r);
		else
			at = select_runs_draw(&s, &r);
		cr_assert(at.run < RUNS && at.place < run[at.run].count);
		seen[at.run]++;
	}
	select_runs_free(&s);
}

static double
z_of(const double *p, const uint64_t *seen)
{
	double z = law_chi2(p, seen, RUNS, DRAWS);

	/* all in one bin: nothing to compare */
	return isinf(z) ? 0 : z;
}

/* The exponential law of all shapes; how many twins were caught. */
static void
check_laws(bool permute, int least)
{
	uint64_t seen[RUNS];
	double p[RUNS];
	int caught = 0;

	for (size_t i = 0; i < SHAPES; i++)
		for (size_t k = 0; k < 3; k++) {
			law(permute, shape[i], &setting[k].t, p);
			for (int rough = 0; rough < 2; rough++) {
				sample(shape[i], &setting[k].t, permute,
				    rough == 1, 10 * i + k, seen);
				cr_expect_lt(z_of(p, seen), LAW_Z, "%zu %zu",
				    i, k);
			}
			sample(shape[i], &setting[k].twin, permute, false,
			    10 * i + k, seen);
			caught += z_of(p, seen) > LAW_Z;
		}
	cr_expect_geq(caught, least, "%d", caught);
}

/* [DMNS06 Section 3.3] */
Test(select_runs, exponential_mechanism_has_its_law)
{
	check_laws(false, 9);
}

/* [MS20 Algorithm 1] */
Test(select_runs, permute_and_flip_has_its_law)
{
	check_laws(true, 9);
}

/* Of two, a score of 1 apart, the worse has half of what its coin gives. */
Test(select_runs, a_candidate_counts_once_however_often_it_is_marked)
{
	static const struct select_run run[] = { { 0, 1, 0, 0 },
	    { 1, 1, 0, 0 } };
	struct select_runs s = { .run = run, .n = 2, .t = { 3, 2 } };
	uint64_t hits = 0, draws = 10 * DRAWS;
	struct rng r;
	double z;

	rng_seeded(&r, 1, "twice");
	select_runs_init(&s);
	for (uint64_t i = 0; i < draws; i++)
		hits += select_runs_flip(&s, &r).run;
	z = law_binomial(hits, draws, exp(-2 / 3.0) / 2);
	cr_expect_lt(fabs(z), LAW_Z, "%g", z);
	select_runs_free(&s);
}

/* A candidate is marked in a window with chance 2^-k exactly; k is B here. */
Test(select_runs, a_candidate_is_marked_with_chance_2_to_the_minus_k)
{
	static const struct select_run run[] = { { 0, 1, 0, 0 } };
	struct select_runs s = { .run = run, .n = 1, .t = { 1, 1 } };
	struct rng r;

	rng_seeded(&r, 1, "marks");
	select_runs_init(&s);
	for (unsigned b = 1; b < 4; b++) {
		struct walk w = { .s = &s, .b = b };
		uint64_t hits = 0;
		double z;

		for (int i = 0; i < DRAWS; i++, w.marks = 0) {
			mark_candidates(&w, &r);
			hits += w.marks > 0;
		}
		z = law_binomial(hits, DRAWS, ldexp(1, -(int)b));
		cr_expect_lt(fabs(z), LAW_Z, "%u: %g", b, z);
		free(w.mark);
	}
	select_runs_free(&s);
}

/*
 * A far run whose candidates differ: place 0 has the least gap that a far run
 * may have, the others 10 scales more.  Against the law of two near runs, with
 * so many candidates that it matters.
 */
static u128
mixed_gap(const void *arg, struct select_place at)
{
	const struct scale *t = arg;
	bool low = at.place < (uint64_t)1 << 62;

	return select_far(t, false) + (low ? 0 : 3 * t->s / t->r);
}

Test(select_runs, far_candidates_have_their_own_weights)
{
	const struct scale t = { 100, 1 };
	const struct select_run run[] = { { 0, 1, 0, 0 },
	    { select_far(&t, false), ((uint64_t)1 << 63) - 5, true, 0 } };
	struct select_runs s = { .run = run, .n = 2, .t = t,
	    .gap = mixed_gap, .arg = &t };
	double far = exp(-(double)select_far(&t, false) / 100);
	double m = ldexp(1, 62);
	double all = 1 + m * far + m * far * exp(-3);
	double p[3] = { 1 / all, m * far / all, m * far * exp(-3) / all };
	uint64_t seen[3] = { 0 };
	struct select_place at;
	struct rng r;

	rng_seeded(&r, 1, "far");
	select_runs_init(&s);
	for (int i = 0; i < DRAWS; i++) {
		at = select_runs_draw(&s, &r);
		seen[at.run == 0 ? 0 : at.place < (uint64_t)1 << 62 ? 1 : 2]++;
	}
	cr_expect_lt(law_chi2(p, seen, 3, DRAWS), LAW_Z);
	select_runs_free(&s);
}

/* A gap of 128 bits is thrown in parts, and is never taken. */
Test(select_runs, the_widest_gap_does_not_wrap)
{
	const struct scale t = { SELECT_SCALE - 1, SELECT_SCALE - 4 };
	const struct select_run run[] = { { 0, 1, 0, 0 },
	    { (u128)1 << 126, (uint64_t)1 << 62, 0, 0 } };
	struct select_runs s = { .run = run, .n = 2, .t = t };
	struct select_place at;
	struct rng r;

	rng_seeded(&r, 1, "wide");
	select_runs_init(&s);
	for (int i = 0; i < 200; i++) {
		cr_assert_eq(select_runs_draw(&s, &r).run, 0);
		at = select_runs_flip(&s, &r);
		cr_assert_eq(at.run, 0);
	}
	cr_assert_not(decay(&s.t, gap_of(&s,
	    (struct select_place){ 1, 0 }), 0, &r));
	select_runs_free(&s);
}

Test(select_runs, each_of_so_many_random_bits_is_0_and_1)
{
	struct rng r;

	rng_seeded(&r, 1, "bits");
	for (unsigned bits = 1; bits <= 220; bits++) {
		struct wide some = { 0, 0 }, all = { ~(u128)0, ~(u128)0 };

		for (int i = 0; i < 80; i++) {
			struct wide x = random_bits(&r, bits);

			some = (struct wide){ some.hi | x.hi, some.lo | x.lo };
			all = (struct wide){ all.hi & x.hi, all.lo & x.lo };
		}
		cr_assert(all.hi == 0 && all.lo == 0);
		cr_assert_eq(bits_of(some), bits);
		cr_assert_eq(bits_of(wide_sub((struct wide){ bits < 128 ? 0 :
		    (u128)1 << (bits - 128), bits < 128 ? (u128)1 << bits :
		    0 }, some)), 1);
	}
}

/* The weight there is 2^-J at most, by 0.7 > ln 2, and no gap below is far. */
Test(select_runs, far_is_the_least_gap_of_seven_tenths_of_J_scales)
{
	struct rng r;

	rng_seeded(&r, 2, "far");
	for (int i = 0; i < 2000; i++) {
		bool many = i % 2 == 1;
		struct scale t = { 1 + (rng_below(&r, SELECT_SCALE - 1) >>
		    rng_below(&r, 59)), 1 + (rng_below(&r, SELECT_SCALE - 1) >>
		    rng_below(&r, 59)) };
		u128 least = 7 * (u128)(many ? SELECT_MANY :
		    SELECT_HALVINGS) * t.s, far = select_far(&t, many);

		cr_assert(far * 10 * t.r >= least);
		cr_assert(far == 0 || (far - 1) * 10 * t.r < least);
	}
}
