/*
 * noise: bounds of every probability from all short byte strings, and the
 * arithmetic of scales and of the error that they mean.
 */
#include "random/noise.h"
#include "script.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define SCALE_MAX (UINT64_MAX >> 1)

typedef bool coin(struct rng *, u128, uint64_t);

/* How many strings of depth bytes decide for true, and how many for nothing. */
static void
enumerate(coin *f, u128 n, uint64_t d, size_t depth, double *t, double *u)
{
	static struct rng r;
	volatile unsigned s;
	volatile unsigned yes = 0, open = 0;

	for (s = 0; s < 1u << 8 * depth; s++) {
		script_play(&r, s, depth);
		if (setjmp(script_end) != 0)
			open++;
		else if (f(&r, n, d))
			yes++;
	}
	*t = ldexp(yes, -8 * (int)depth);
	*u = ldexp(open, -8 * (int)depth);
}

/*
 * Whether the strings leave e^(-n/d) possible: t <= p <= t + u.  t and u are
 * exact, so only e^(-n/d) itself carries an error, far below 2^-24.
 */
static bool
strings_agree(coin *f, u128 n, uint64_t d, size_t depth)
{
	double p = exp(-(double)n / (double)d), t, u;

	enumerate(f, n, d, depth, &t, &u);
	return t <= p + 1e-12 && p <= t + u + 1e-12;
}

/* Twins: the series read at even rounds, and e^-1 tried once too often. */
static bool
even_twin(struct rng *r, u128 n, uint64_t d)
{
	uint64_t k = 1;

	while (rng_bernoulli(r, 1, k) && rng_bernoulli(r, (uint64_t)n, d))
		k++;
	return !(k & 1);
}

static bool
late_twin(struct rng *r, u128 n, uint64_t d)
{
	return noise_bern_exp(r, n + d, d);
}

/* The series from its third round on. */
static bool
third(struct rng *r, u128 n, uint64_t d)
{
	return noise_series(r, 3, (uint64_t)n, d);
}

Test(noise, a_later_start_gives_two_in_e)
{
	double t, u;

	enumerate(third, 1, 1, 2, &t, &u);
	cr_assert(t <= 2 * exp(-1) && 2 * exp(-1) <= t + u);
	cr_assert(u < 0.1, "%g", u);
}

/* [CKS20 Alg 1] */
Test(noise, bern_exp_is_right_for_every_string_of_two_bytes)
{
	static const struct {
		u128 n;
		uint64_t d;
	} x[] = {
		{ 0, 1 }, { 0, SCALE_MAX }, { 1, 100 }, { 1, 3 }, { 1, 2 },
		{ 2, 3 }, { 255, 256 }, { 1, 1 }, { 3, 2 }, { 2, 1 },
		{ 5, 1 }, { 9, 1 }, { 1, SCALE_MAX },
		{ SCALE_MAX - 1, SCALE_MAX }, { SCALE_MAX, SCALE_MAX },
		{ ((u128)1 << 127) + 5, SCALE_MAX }, { ~(u128)0, 1 },
		{ ~(u128)0, SCALE_MAX },
	};
	size_t i;

	for (i = 0; i < sizeof(x) / sizeof(*x); i++)
		cr_assert(strings_agree(noise_bern_exp, x[i].n, x[i].d, 2),
		    "%zu", i);
	cr_assert_not(strings_agree(even_twin, 1, 3, 2));
	cr_assert_not(strings_agree(late_twin, 1, 3, 2));
	cr_assert_not(strings_agree(late_twin, 1, 2, 2));
}

typedef i128 sampler(struct rng *, const struct scale *);

/* [CKS20 Alg 2] The other sign bit turns any string's x into -x. */
Test(noise, laplace_is_symmetric_string_for_string)
{
	static const struct scale t[] = { { 1, 1 }, { 10, 3 }, { 1000, 1 },
		{ SCALE_MAX, 1 }, { SCALE_MAX, 1000003 } };
	static struct rng r;
	i128 x;
	int i, zeros = 0;

	rng_seeded(&r, 1, "symmetric");
	for (i = 0; i < 50000; i++) {
		if (r.next > RNG_BUFFER / 2)
			r.next = RNG_BUFFER;
		rng_byte(&r);
		r.buf[--r.next] &= 0xfe;
		size_t start = r.next, end;

		x = noise_laplace(&r, &t[i % 5]);
		end = r.next;
		cr_assert(x >= 0 && start < end);
		zeros += x == 0;
		r.next = start;
		r.buf[start] |= 1;
		cr_assert(x == 0 || noise_laplace(&r, &t[i % 5]) == -x);
		r.next = end;
	}
	cr_assert(zeros > 0 && zeros < 25000);
}

/* A byte of sign, then bytes that fail every coin: v = 0, and u as given. */
Test(noise, negative_zero_is_drawn_again)
{
	static struct rng r;
	struct scale t = { 1, 1 };
	size_t i;

	for (i = 0; i < 6; i++)
		r.buf[i] = 0xff;	/* minus, coin of 1/2 fails: -0 */
	r.buf[4] = 0xfe;		/* plus */
	r.next = 0;
	cr_assert(noise_laplace(&r, &t) == 0);
	cr_assert_eq(r.next, 6);
}

/* 0 passes the coin of 1/2, 255 fails that of 1/3: e^-1 came true again. */
Test(noise, magnitudes_are_never_cut_off)
{
	static struct rng r;
	struct scale t = { 1, 1 }, top = { SCALE_MAX, 1 };
	unsigned v, i;

	for (v = 0; v < 500; v++) {
		for (i = 0; i < v; i++) {
			r.buf[2 * i] = 0;
			r.buf[2 * i + 1] = 0xff;
		}
		r.buf[2 * v] = 0xff;
		r.next = 0;
		cr_assert(noise_geometric(&r, &t) == v);
		cr_assert_eq(r.next, 2 * v + 1);
	}
	memmove(r.buf + 8, r.buf, 2 * 499 + 1);
	memset(r.buf, 0, 8);		/* u = 0 */
	r.next = 0;
	cr_assert(noise_geometric(&r, &top) == (u128)499 * SCALE_MAX);
}

Test(noise, scales_are_sens_over_epsilon_in_lowest_terms)
{
	static const struct {
		uint64_t sens;
		const char *eps;
		uint64_t s, r;
	} known[] = {
		{ 100, "0.1", 1000, 1 }, { 5000, "2", 2500, 1 },
		{ 1, "3/10", 10, 3 }, { 1, "1", 1, 1 }, { 6, "4", 3, 2 },
		{ 1, "999999999999999999", 1, 999999999999999999 },
		{ SCALE_MAX, "1", SCALE_MAX, 1 },
		{ 9, "1e-18", 9000000000000000000, 1 },
		{ UINT64_MAX, "3", UINT64_MAX / 3, 1 },
	};
	struct rational eps;
	struct scale t;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		cr_assert(rational_parse(known[i].eps, &eps));
		cr_assert(scale_make(&t, known[i].sens, eps), "%zu", i);
		cr_assert(t.s == known[i].s && t.r == known[i].r, "%zu", i);
	}
}

Test(noise, scales_without_room_are_refused_untouched)
{
	struct rational one = { 1, 1 }, zero = { 0, 1 }, minus = { -1, 1 };
	struct rational tiny = { 1, fixed_pow10(18) };
	struct rational huge = { (i128)1 << 63, 1 };
	struct rational top = { ((i128)1 << 126) - 1, 1 };
	struct rational least = { 1, ((i128)1 << 126) - 1 };
	struct scale t = { 7, 3 };

	cr_assert_not(scale_make(&t, 0, one));
	cr_assert_not(scale_make(&t, 1, zero));
	cr_assert_not(scale_make(&t, 1, minus));
	cr_assert_not(scale_make(&t, 10, tiny));
	cr_assert_not(scale_make(&t, (u128)SCALE_MAX + 1, one));
	cr_assert_not(scale_make(&t, ~(u128)0, one));
	cr_assert_not(scale_make(&t, ~(u128)0, least));
	cr_assert_not(scale_make(&t, 1, huge));
	cr_assert_not(scale_make(&t, 1, top));
	cr_assert(t.s == 7 && t.r == 3);
	cr_assert(scale_make(&t, (u128)1 << 63, huge));
	cr_assert(t.s == 1 && t.r == 1);
}

/* P[|X| > m] = 2 a^(m + 1) / (1 + a) */
Test(noise, error95_is_the_smallest_that_1_in_20_draws_exceed)
{
	static const struct scale t[] = { { 1, 1 }, { 10, 3 }, { 1000, 1 },
		{ 1, 10 }, { 1 << 20, 1 }, { 7, 5 } };
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		double x = (double)t[i].s / (double)t[i].r, a = exp(-1 / x);
		double m = noise_error95(&t[i]);

		cr_assert(m >= 0 && m == floor(m));
		cr_assert(2 * exp(-(m + 1) / x) / (1 + a) <= 0.05);
		cr_assert(m == 0 || 2 * exp(-m / x) / (1 + a) > 0.05);
	}
}

/* The law itself, summed up: P[|X| > m] > q exactly for m below the reach. */
static double
reach_by_sums(double scale, double p)
{
	double a = exp(-1 / scale), in = (1 - a) / (1 + a), m = 0, x = in;

	while (in < p) {
		x *= a;
		in += 2 * x;
		m++;
	}
	return m;
}

Test(noise, reach_is_the_smallest_half_width_with_probability_p)
{
	static const struct scale t[] = {
		{ 1, 100 }, { 1, 3 }, { 1, 1 }, { 7, 3 }, { 100, 7 },
		{ 1000, 1 }, { 31415, 2 }
	};
	struct rational p;

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		double scale = (double)t[i].s / (double)t[i].r;

		for (int k = 1; k < 1000; k += i < 5 ? 1 : 37) {
			double m;

			cr_assert(rational_make(&p, k, 1000));
			m = reach_by_sums(scale, (double)k / 1000);
			cr_assert_eq(noise_reach(&t[i], p), m, "%zu %d", i,
			    k);
			cr_assert_neq(noise_reach(&t[i], p), m + 1, "twin");
		}
	}
}

Test(noise, reach_is_never_short_for_scales_of_any_size)
{
	static const struct scale t[] = {
		{ SCALE_MAX, 1 }, { SCALE_MAX, 3 }, { 1000000000000, 7 }
	};
	static const char *const p[] = { "0.000000000000000001", "0.5",
	    "0.999999999999999999" };
	struct rational r;

	for (size_t i = 0; i < 9; i++) {
		const struct scale *s = &t[i / 3];
		long double m, tail, scale = (long double)s->s / s->r;

		cr_assert(rational_parse(p[i % 3], &r));
		m = noise_reach(s, r);
		tail = -(m + 1) / scale + logl(2 / (1 + expl(-1 / scale)));
		cr_assert_leq((double)tail, (double)logl((long double)(r.den -
		    r.num) / r.den), "%zu", i);
	}
}
