/*
 * unseen: the threshold, and samples of the keys that noise alone makes, in
 * universes of up to 10^15 keys.
 */
/* With its coins, which are its own. */
#include "../../cmd/laplace/unseen.c"

#include <criterion/criterion.h>
#include <math.h>

#include "laplace/pattern.h"
#include "law.h"

/* P[X >= threshold], with a twin that is off by a factor. */
static long double
tail(long double threshold, const struct scale *t)
{
	long double x = (long double)t->r / (long double)t->s;

	return expl(-x * threshold) / (1 + expl(-x));
}

/* It keeps the bound, and one less does not. */
Test(unseen, threshold_is_the_smallest)
{
	static const uint64_t keys[] = { 1, 2, 10, 100000, UINT64_C(1) << 32,
	    UINT64_C(3656158440062976), UINT64_C(1) << 62 };
	static const struct rational most[] = { { 1, 20 }, { 1, 1 },
	    { 100, 1 }, { 1, (i128)1000000000000000000 } };
	static const struct scale scales[] = { { 1, 1 }, { 2, 1 }, { 7, 3 },
	    { 1, 5 }, { 1000, 1 }, { 1, 1000 }, { 123456789, 1000 } };

	for (size_t k = 0; k < 7; k++)
		for (size_t m = 0; m < 4; m++)
			for (size_t i = 0; i < 7; i++) {
				long double all = (long double)keys[k], f =
				    (long double)most[m].num /
				    (long double)most[m].den;
				u128 t = unseen_threshold(keys[k], most[m],
				    &scales[i]);

				cr_assert_geq(t, 1);
				cr_assert_leq(all * tail((long double)t,
				    &scales[i]), f * (1 + 1e-12L));
				cr_assert(t == 1 || all * tail((long double)
				    (t - 1), &scales[i]) > f * (1 - 1e-12L),
				    "%zu %zu %zu", k, m, i);
			}
}

/* Of 10^5, 2^32 and 36^10 keys at scale 1. */
Test(unseen, thresholds_of_common_universes)
{
	struct scale one = { 1, 1 };
	struct rational most = { 1, 20 };

	cr_assert_eq(unseen_threshold(100000, most, &one), 15);
	cr_assert_eq(unseen_threshold(UINT64_C(1) << 32, most, &one), 25);
	cr_assert_eq(unseen_threshold(UINT64_C(3656158440062976), most, &one),
	    39);
}

/* What many releases without a record print. */
struct sample {
	int releases;
	double found;
	double bin[16];		/* by rank, sixteenths of the universe */
	double above[8];	/* threshold + 0, 1, ...; the last and more */
	double several;		/* releases with two keys or more */
};

static void
draw(struct sample *s, uint64_t keys, const struct scale *t,
    struct rational most)
{
	int releases = s->releases;
	u128 threshold = unseen_threshold(keys, most, t);
	struct rng r;

	*s = (struct sample){ .releases = releases };
	rng_seeded(&r, 22, "unseen");
	for (int i = 0; i < releases; i++) {
		struct unseen u;
		uint64_t rank, last = 0;
		int n = 0;

		unseen_start(&u, keys, threshold, t);
		for (; unseen_next(&u, &r, &rank); n++) {
			u128 more = unseen_noise(&u, &r) - threshold;

			cr_assert(rank < keys && (n == 0 || rank > last));
			last = rank;
			s->bin[(u128)rank * 16 / keys]++;
			s->above[more < 7 ? more : 7]++;
		}
		s->found += n;
		s->several += n > 1;
	}
}

/* Sum of (seen - meant)^2 / meant, in standard normals. */
static double
surprise(const double *seen, const double *meant, int bins)
{
	double x = 0;

	for (int i = 0; i < bins; i++)
		x += (seen[i] - meant[i]) * (seen[i] - meant[i]) / meant[i];
	return (x - bins) / sqrt(2 * bins);
}

static double
sigmas(double seen, double n, double p)
{
	return fabs(seen - n * p) / sqrt(n * p * (1 - p));
}

/* Number, places and sizes of what is found, each with a broken twin. */
static void
expect(uint64_t keys, struct scale t, struct rational most, int releases)
{
	struct sample s = { .releases = releases };
	double p, mean, all, a = exp(-(double)t.r / (double)t.s), places[16],
	    sizes[8], none;

	draw(&s, keys, &t, most);
	p = (double)tail((long double)unseen_threshold(keys, most, &t), &t);
	mean = p * (double)keys;
	all = mean * releases;
	for (int i = 0; i < 16; i++)
		places[i] = s.found / 16;
	for (int i = 0; i < 8; i++)
		sizes[i] = s.found * pow(a, i) * (i < 7 ? 1 - a : 1);
	none = pow(1 - p, (double)keys) + mean * pow(1 - p, (double)keys - 1);
	cr_assert_lt(fabs(s.found - all), 5 * sqrt(all), "%g, not %g",
	    s.found, all);
	/* twin: half as many */
	cr_assert_gt(fabs(s.found - all / 2), 5 * sqrt(all));
	cr_assert_lt(surprise(s.bin, places, 16), LAW_Z);
	cr_assert_lt(surprise(s.above, sizes, 8), LAW_Z);
	if (none > 0.01)
		cr_assert_lt(sigmas(s.several, releases, 1 - none), 5);
	places[0] *= 3;	/* twin: ranks that are not uniform */
	cr_assert_gt(surprise(s.bin, places, 16), LAW_Z);
	for (int i = 0; i < 7; i++)	/* twin: one more than the threshold */
		sizes[i] = sizes[i + 1];
	cr_assert_gt(surprise(s.above, sizes, 7), LAW_Z);
}

Test(unseen, huge_universes)
{
	struct rational most = { 50, 1 };

	expect(UINT64_C(1000000000000000), (struct scale){ 1, 1 }, most, 30);
	expect(UINT64_C(1000000000000000), (struct scale){ 7, 2 }, most, 30);
}

Test(unseen, small_universes)
{
	struct rational one = { 1, 1 };

	expect(1000, (struct scale){ 2, 1 }, one, 2000);
	expect(100000, (struct scale){ 1, 1 }, one, 2000);
}

/* Words of uniform ranks have uniform first letters and lengths. */
Test(unseen, words_of_ranks_are_uniform)
{
	struct pattern p;
	struct pattern_error error;
	char key[PATTERN_LONG];
	double seen[26] = { 0 }, meant[26];
	struct rng r;

	cr_assert(pattern_parse(&p, "[a-z]{10}", &error));
	rng_seeded(&r, 23, "unseen");
	for (int i = 0; i < 100000; i++) {
		size_t n = pattern_key(&p, rng_below(&r, p.keys), key);

		cr_assert_eq(n, 10);
		seen[key[i % 10] - 'a']++;
	}
	for (int i = 0; i < 26; i++)
		meant[i] = 100000.0 / 26;
	cr_assert_lt(surprise(seen, meant, 26), LAW_Z);
	free(p.state);
}

/* (1 - 2^-k)^m, where the next key that passes k coins is counted. */
Test(unseen, none_of_m_keys_passes_as_often_as_it_should)
{
	struct rng r;

	rng_seeded(&r, 7, "none");
	for (unsigned k = 0; k < 4; k++)
		for (uint64_t m = 0; m <= (uint64_t)1 << k; m++) {
			double p = pow(1 - ldexp(1, -(int)k), (double)m);
			int none = 0;

			for (int i = 0; i < 20000; i++)
				none += none_of(&r, m, k);
			cr_expect(fabs(none - 20000 * p) <= 5 * sqrt(20000 *
			    p * (1 - p)) + 1e-6, "%u %llu: %d", k,
			    (unsigned long long)m, none);
		}
}
