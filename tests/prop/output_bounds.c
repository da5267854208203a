/*
 * Output bounds against brute force: every data set within the distance, and
 * [D24 Definition A.1] over every pair of neighbours.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "asm/output_bounds.h"
#include "random/rng.h"
#include "tally_free.h"

#define POINTS 16
#define STEPS 5		/* c of the brute-force lists */

/* f of a multiset given as counts of universe points: num / den. */
struct value {
	i128 num;
	i128 den;
};

struct world {
	const int64_t *point;
	size_t points;
	unsigned most;			/* records in a data set at most */
	enum neighbors relation;
	struct limits limits;
	u128 unit;
	struct rational q;
	struct value (*f)(const struct world *w, const unsigned *count);
	bool (*bounds)(const struct world *w, const unsigned *count,
	    struct output_bounds *b);
	bool one_way;			/* all bounds move as f does */
};

static unsigned
total(const struct world *w, const unsigned *count)
{
	unsigned n = 0;
	size_t i;

	for (i = 0; i < w->points; i++)
		n += count[i];
	return n;
}

/* Next multiset of at most `most` records, as an odometer; false at the end. */
static bool
next(const struct world *w, unsigned *count)
{
	size_t i;

	for (i = 0; i < w->points; i++) {
		count[i]++;
		if (total(w, count) <= w->most)
			return true;
		count[i] = 0;
	}
	return false;
}

/* Distance of two multisets, or STEPS + 1 and up where there is none. */
static unsigned
distance(const struct world *w, const unsigned *a, const unsigned *b)
{
	unsigned more = 0, fewer = 0;
	size_t i;

	for (i = 0; i < w->points; i++)
		if (a[i] > b[i])
			more += a[i] - b[i];
		else
			fewer += b[i] - a[i];
	if (w->relation == NEIGHBORS_ADD_REMOVE)
		return more + fewer;
	return more == fewer ? more : STEPS + 1;
}

static i128
up(struct value v)
{
	return v.den == 0 ? 0 : fixed_ceil_div(v.num, v.den);
}

static i128
down(struct value v)
{
	return v.den == 0 ? 0 : fixed_floor_div(v.num, v.den);
}

static void
brute(const struct world *w, const unsigned *base, i128 *lo, i128 *hi)
{
	unsigned other[POINTS] = { 0 }, d;
	struct value v = w->f(w, base);
	size_t l;

	for (l = 0; l <= STEPS; l++) {
		lo[l] = up(v);
		hi[l] = down(v);
	}
	do {
		d = distance(w, base, other);
		if (d > STEPS)
			continue;
		v = w->f(w, other);
		for (l = d; l <= STEPS; l++) {
			lo[l] = up(v) < lo[l] ? up(v) : lo[l];
			hi[l] = down(v) > hi[l] ? down(v) : hi[l];
		}
	} while (next(w, other));
}

static struct tally
tally_of(const struct world *w, const unsigned *count)
{
	struct tally t;
	size_t i;

	tally_init(&t, STEPS);
	for (i = w->points; i-- > 0;)
		if (count[i] > 0)
			tally_add(&t, w->point[i], count[i]);
	tally_done(&t);
	return t;
}

static struct value
variance_value(const struct world *w, const unsigned *count)
{
	i128 n = total(w, count), p = 0, q = 0;
	size_t i;

	for (i = 0; i < w->points; i++) {
		p += (i128)count[i] * w->point[i];
		q += (i128)count[i] * w->point[i] * w->point[i];
	}
	return (struct value){ n * q - p * p, n * n * (i128)w->unit };
}

static bool
variance_bounds(const struct world *w, const unsigned *count,
    struct output_bounds *b)
{
	struct tally t = tally_of(w, count);

	output_bounds_variance(b, &t, w->unit, &w->limits, w->relation);
	tally_free(&t);
	return true;
}

static struct value
sum_value(const struct world *w, const unsigned *count)
{
	struct value v = { 0, 1 };
	size_t i;

	for (i = 0; i < w->points; i++)
		v.num += (i128)count[i] * w->point[i];
	return v;
}

static bool
sum_bounds(const struct world *w, const unsigned *count,
    struct output_bounds *b)
{
	struct tally t = tally_of(w, count);

	output_bounds_sum(b, &t, &w->limits, w->relation);
	tally_free(&t);
	return true;
}

static struct value
mean_value(const struct world *w, const unsigned *count)
{
	return (struct value){ sum_value(w, count).num, total(w, count) };
}

static bool
mean_bounds(const struct world *w, const unsigned *count,
    struct output_bounds *b)
{
	struct tally t = tally_of(w, count);

	output_bounds_mean(b, &t, &w->limits, w->relation);
	tally_free(&t);
	return true;
}

/* The quantile of no data is 7. */
static struct value
quantile_value(const struct world *w, const unsigned *count)
{
	i128 n = total(w, count), k = fixed_ceil_div(w->q.num * n, w->q.den);
	size_t i;

	if (n == 0)
		return (struct value){ 7, 1 };
	k = k < 1 ? 1 : k;
	for (i = 0; k > (i128)count[i]; i++)
		k -= count[i];
	return (struct value){ w->point[i], 1 };
}

static bool
quantile_bounds(const struct world *w, const unsigned *count,
    struct output_bounds *b)
{
	int64_t x[POINTS];
	uint64_t weight[POINTS];
	struct ranks r = { x, weight, total(w, count) };
	size_t i, m = 0;

	for (i = 0; i < w->points; i++)
		if (count[i] > 0) {
			x[m] = w->point[i];
			weight[m++] = count[i];
		}
	output_bounds_quantile(b, &r, w->q, 7, w->relation);
	return true;
}

/* Which points a data set may use: a subset of the universe. */
typedef bool wanted(int64_t point);

static bool
is_wanted(const struct world *w, const unsigned *count, wanted *want)
{
	size_t i;

	for (i = 0; i < w->points; i++)
		if (count[i] > 0 && !want(w->point[i]))
			return false;
	return true;
}

enum side { EXACT, ABOVE };	/* is U^l exact or only a bound? */

/* Is a quantile that loses its records anything? */
static bool
to_none(const struct world *w)
{
	return w->f == quantile_value && w->relation == NEIGHBORS_ADD_REMOVE;
}

/*
 * Data sets on wanted points with `n` records at most whose bounds are not
 * those of brute force.  Far ones are points beyond +-1000: they stand for
 * infinity.
 */
static unsigned
wrong(const struct world *w, unsigned n, wanted *want, enum side side)
{
	unsigned base[POINTS] = { 0 }, bad = 0, size;
	i128 lo[STEPS + 1], hi[STEPS + 1];
	struct output_bounds b;
	size_t l;

	output_bounds_init(&b, STEPS);
	do {
		size = total(w, base);
		if (size > n || !is_wanted(w, base, want) ||
		    (size == 0 && to_none(w)))
			continue;
		brute(w, base, lo, hi);
		cr_assert(w->bounds(w, base, &b));
		for (l = 0; l <= STEPS; l++) {
			/* the brute force only reaches `most` records */
			if (w->relation == NEIGHBORS_ADD_REMOVE &&
			    size + l > w->most)
				break;
			if (lo[l] < -1000 || (l >= size && to_none(w)))
				lo[l] = -OUTPUT_INF;
			if (hi[l] > 1000 || (l >= size && to_none(w)))
				hi[l] = OUTPUT_INF;
			bad += b.lo[l] != lo[l];
			/* U^0 is f itself */
			bad += side == EXACT || l == 0 ? b.hi[l] != hi[l] :
			    b.hi[l] < hi[l];
		}
	} while (next(w, base));
	output_bounds_free(&b);
	return bad;
}

/* Do some bounds fall and others rise? */
static bool
mixed(const struct output_bounds *a, const struct output_bounds *b)
{
	bool falls = false, rises = false;

	for (size_t l = 0; l <= STEPS; l++) {
		falls = falls || b->lo[l] < a->lo[l] || b->hi[l] < a->hi[l];
		rises = rises || b->lo[l] > a->lo[l] || b->hi[l] > a->hi[l];
	}
	return falls && rises;
}

/* Violations of Definition A.1 over neighbours on wanted points. */
static unsigned
unsteady(const struct world *w, unsigned n, wanted *want)
{
	unsigned x[POINTS] = { 0 }, y[POINTS], bad = 0;
	struct output_bounds a, b;
	size_t l, i;

	output_bounds_init(&a, STEPS);
	output_bounds_init(&b, STEPS);
	do {
		if (total(w, x) > n || !is_wanted(w, x, want))
			continue;
		cr_assert(w->bounds(w, x, &a));
		for (i = 0; i < w->points; i++)
			y[i] = 0;
		do {
			if (total(w, y) > n || !is_wanted(w, y, want) ||
			    distance(w, x, y) != 1)
				continue;
			cr_assert(w->bounds(w, y, &b));
			bad += w->one_way && mixed(&a, &b);
			for (l = 0; l < STEPS; l++)
				bad += a.lo[l] < b.lo[l + 1] ||
				    a.hi[l] > b.hi[l + 1] ||
				    a.lo[l] < a.lo[l + 1] ||
				    a.hi[l] > a.hi[l + 1];
		} while (next(w, y));
	} while (next(w, x));
	output_bounds_free(&a);
	output_bounds_free(&b);
	return bad;
}

static bool
any(int64_t point)
{
	(void)point;
	return true;
}

static bool
dozen(int64_t point)
{
	return point % 12 == 0;
}

static bool
near(int64_t point)
{
	return point > -1000 && point < 1000;
}

/* Means of up to three multiples of 12 are multiples of 4 or 6. */
static const int64_t evens[] = { 0, 4, 6, 8, 12, 16, 18, 20, 24 };

static struct world
variance_world(enum neighbors relation, u128 unit)
{
	return (struct world){ evens, 9, relation == NEIGHBORS_SWAP ? 4 : 6,
	    relation, { true, true, 0, 24 }, unit, { 1, 2 },
	    variance_value, variance_bounds, false };
}

/* [D24 Lemma 5.2, Lemma 5.3, Definition A.1] */
Test(output_bounds, variance_under_swap_is_brute_force)
{
	u128 unit;

	for (unit = 1; unit <= 100; unit *= 10) {
		struct world w = variance_world(NEIGHBORS_SWAP, unit);

		cr_expect_eq(wrong(&w, 4, dozen, ABOVE), 0);
		w.limits.has_least = false;
		cr_expect_eq(wrong(&w, 4, dozen, ABOVE), 0);
	}
}

/* Rounded once, halves up: steps before the last lose nothing. */
Test(output_bounds, a_variance_itself_is_the_nearest_to_its_fraction)
{
	unsigned base[POINTS] = { 0 };
	struct value v;

	for (u128 unit = 1; unit <= 1000; unit *= 10) {
		struct world w = variance_world(NEIGHBORS_SWAP, unit);

		while (next(&w, base)) {
			struct tally t = tally_of(&w, base);

			v = variance_value(&w, base);
			cr_assert_eq(output_bounds_variance_value(&t, unit),
			    fixed_floor_div(2 * v.num + v.den, 2 * v.den));
			tally_free(&t);
		}
	}
}

/* [D24 Appendix B.3] */
Test(output_bounds, variance_under_add_remove_is_brute_force)
{
	u128 unit;

	for (unit = 1; unit <= 10; unit *= 10) {
		struct world w = variance_world(NEIGHBORS_ADD_REMOVE, unit);

		cr_expect_eq(wrong(&w, 3, dozen, ABOVE), 0);
		w.limits.has_least = false;
		cr_expect_eq(wrong(&w, 3, dozen, ABOVE), 0);
	}
}

/* [D24 Definition A.1, Lemma 5.4] */
Test(output_bounds, variance_bounds_move_one_step_between_neighbours)
{
	static const int64_t point[] = { -5, 0, 1, 2, 9 };
	struct world w = variance_world(NEIGHBORS_SWAP, 1);
	enum neighbors r;

	w.point = point;
	w.points = 5;
	w.most = 5;
	w.limits = (struct limits){ true, true, -5, 9 };
	for (r = NEIGHBORS_ADD_REMOVE; r <= NEIGHBORS_SWAP; r++) {
		w.relation = r;
		cr_expect_eq(unsteady(&w, 5, any), 0);
	}
}

static const int64_t terms[] = { -3, -1, 0, 2, 5 };
static const int64_t positive[] = { 1, 2, 4, 7 };

static struct world
term_world(enum neighbors relation, bool above_zero)
{
	return (struct world){ above_zero ? positive : terms,
	    above_zero ? 4 : 5, relation == NEIGHBORS_SWAP ? 5 : 8, relation,
	    { true, true, above_zero ? 1 : -3, above_zero ? 7 : 5 }, 1,
	    { 1, 2 }, sum_value, sum_bounds, false };
}

/*
 * [D24 Lemma E.3, Lemma E.4, Lemma E.5, Lemma E.6, Lemma E.7, Lemma E.8,
 * Appendix B.3, Definition 3.4] Cross-entropy is such a sum, of terms from 0.
 */
Test(output_bounds, sums_are_brute_force)
{
	enum neighbors r;
	int sign;

	for (r = NEIGHBORS_ADD_REMOVE; r <= NEIGHBORS_SWAP; r++)
		for (sign = 0; sign < 2; sign++) {
			struct world w = term_world(r, sign);

			w.one_way = true;
			cr_expect_eq(wrong(&w, 4, any, EXACT), 0);
			cr_expect_eq(unsteady(&w, 4, any), 0);
		}
}

/* The same below 0: no record has the mean 0, which is above all others. */
Test(output_bounds, means_below_zero_are_brute_force)
{
	static const int64_t negative[] = { -7, -4, -2, -1 };
	enum neighbors r;

	for (r = NEIGHBORS_ADD_REMOVE; r <= NEIGHBORS_SWAP; r++) {
		struct world w = term_world(r, true);

		w.point = negative;
		w.limits = (struct limits){ true, true, -7, -1 };
		w.f = mean_value;
		w.bounds = mean_bounds;
		cr_expect_eq(wrong(&w, 4, any, EXACT), 0);
		cr_expect_eq(unsteady(&w, 4, any), 0);
		w.f = sum_value;
		w.bounds = sum_bounds;
		cr_expect_eq(wrong(&w, 4, any, EXACT), 0);
	}
}

/* [D24 Lemma E.10, Lemma E.11, Appendix B.3] */
Test(output_bounds, means_are_brute_force)
{
	enum neighbors r;
	int sign;

	for (r = NEIGHBORS_ADD_REMOVE; r <= NEIGHBORS_SWAP; r++)
		for (sign = 0; sign < 2; sign++) {
			struct world w = term_world(r, sign);

			w.one_way = r == NEIGHBORS_SWAP;
			w.f = mean_value;
			w.bounds = mean_bounds;
			cr_expect_eq(wrong(&w, 4, any, EXACT), 0);
			cr_expect_eq(unsteady(&w, 4, any), 0);
		}
}

/* Without limits one record more may make any mean; today's is known. */
Test(output_bounds, means_without_limits_are_anything_one_step_away)
{
	struct limits some[] = { { 0 }, { true, false, -3, 0 },
	    { false, true, 0, 5 } };
	struct output_bounds b;
	struct tally t;

	output_bounds_init(&b, STEPS);
	tally_init(&t, STEPS);
	tally_add(&t, 3, 1);
	tally_add(&t, 4, 1);
	tally_done(&t);
	for (size_t i = 0; i < 3; i++) {
		output_bounds_mean(&b, &t, &some[i], NEIGHBORS_ADD_REMOVE);
		cr_expect_eq(b.lo[0], 4);
		cr_expect_eq(b.hi[0], 3);
		for (size_t l = 1; l <= STEPS; l++) {
			cr_expect_eq(b.lo[l] == -OUTPUT_INF,
			    !some[i].has_least);
			cr_expect_eq(b.hi[l] == OUTPUT_INF,
			    !some[i].has_most);
		}
	}
	tally_free(&t);
	output_bounds_free(&b);
}

/*
 * Ranks are exact inverse sensitivities of unbounded data.  Under add-remove
 * the lists end in infinity at l = n, where no data is.
 */
Test(output_bounds, quantiles_are_brute_force)
{
	static const int64_t point[] = { -5000, 1, 2, 4, 5000 };
	static const struct rational q[] = { { 0, 1 }, { 1, 4 }, { 1, 3 },
	    { 1, 2 }, { 3, 5 }, { 9, 10 }, { 1, 1 } };
	struct world w = { point, 5, 0, NEIGHBORS_SWAP, { 0 }, 1, { 1, 2 },
	    quantile_value, quantile_bounds, false };

	for (size_t i = 0; i < 2 * sizeof(q) / sizeof(q[0]); i++) {
		w.q = q[i / 2];
		w.relation = i % 2 ? NEIGHBORS_ADD_REMOVE : NEIGHBORS_SWAP;
		w.most = i % 2 ? 9 : 5;
		cr_expect_eq(wrong(&w, 4 + (i % 2 == 0), near, EXACT), 0);
		w.most = 5;
		cr_expect_eq(unsteady(&w, 5, near), 0);
	}
}

/* [D24 Definition 3.4] The first step whose bounds hold t, c + 1: none does. */
Test(output_bounds, a_length_is_the_first_step_that_reaches)
{
	struct output_bounds b;
	struct rng r;
	size_t first;

	output_bounds_init(&b, 12);
	for (uint64_t round = 0; round < 300; round++) {
		rng_seeded(&r, round, "length");
		b.lo[0] = (int64_t)rng_below(&r, 9) - 4;
		b.hi[0] = b.lo[0] + (int64_t)rng_below(&r, 2);
		for (size_t l = 1; l <= 12; l++) {
			b.lo[l] = b.lo[l - 1] - (int64_t)rng_below(&r, 3);
			b.hi[l] = b.hi[l - 1] + (int64_t)rng_below(&r, 3);
		}
		for (int64_t t = -40; t <= 40; t++) {
			for (first = 0; first <= 12 && (t < b.lo[first] ||
			    t > b.hi[first]);)
				first++;
			cr_assert_eq(output_bounds_len(&b, t), first,
			    "%lld", (long long)t);
		}
	}
	output_bounds_free(&b);
}

/* Weights are as good as repetition, also where they exceed c. */
Test(output_bounds, weighted_records_are_repeated_records)
{
	struct limits limits = { true, true, -50, 50 };
	struct output_bounds a, b;
	struct tally s, t;
	struct rng r;
	uint64_t w, k;
	int64_t x;
	int round, i;

	output_bounds_init(&a, 20);
	output_bounds_init(&b, 20);
	for (round = 0; round < 100; round++) {
		rng_seeded(&r, round, "weights");
		tally_init(&s, 20);
		tally_init(&t, 20);
		for (i = 0; i < 10; i++) {
			x = (int64_t)rng_below(&r, 101) - 50;
			w = 1 + rng_below(&r, 30);
			tally_add(&s, x, w);
			for (k = 0; k < w; k++)
				tally_add(&t, x, 1);
		}
		tally_done(&s);
		tally_done(&t);
		output_bounds_variance(&a, &s, 1, &limits,
		    round & 1);
		output_bounds_variance(&b, &t, 1, &limits,
		    round & 1);
		cr_expect_arr_eq(a.lo, b.lo, 21 * sizeof(*a.lo));
		cr_expect_arr_eq(a.hi, b.hi, 21 * sizeof(*a.hi));
		tally_free(&s);
		tally_free(&t);
	}
	output_bounds_free(&a);
	output_bounds_free(&b);
}

struct heavy {
	int64_t x;
	uint64_t w;
};

static int
by_term(const void *a, const void *b)
{
	const struct heavy *s = a, *t = b;

	return (s->x > t->x) - (s->x < t->x);
}

/* Many more values, or weights, than a tally keeps. */
Test(output_bounds, a_full_tally_keeps_the_extremes_of_any_weights)
{
	enum { N = 40000 };
	static struct heavy h[N];
	struct tally t;
	struct rng r;

	for (uint64_t round = 0; round < 12; round++) {
		const size_t c = round % 3 == 0 ? 5000 : 40;
		size_t low = 0, high = 0;

		rng_seeded(&r, round, "full tally");
		tally_init(&t, c);
		for (size_t i = 0; i < N; i++) {
			h[i].x = round % 4 == 0 ? (int64_t)rng_below(&r, 7) *
			    (int64_t)rng_below(&r, 9) - 20 :
			    (int64_t)rng_below(&r, 1 << 20) - (1 << 19);
			h[i].w = c > 40 || rng_below(&r, 4) > 0 ? 1 : 1 +
			    rng_below(&r, 60);
			tally_add(&t, h[i].x, h[i].w);
		}
		tally_done(&t);
		cr_assert_eq(t.ends, c);
		qsort(h, N, sizeof(*h), by_term);
		for (size_t i = 0; i < N; i++) {
			for (uint64_t w = 0; w < h[i].w && low < c; w++)
				cr_expect_eq(t.low[low++], h[i].x);
			for (uint64_t w = 0; w < h[N - 1 - i].w && high < c;
			    w++)
				cr_expect_eq(t.high[high++], h[N - 1 - i].x);
		}
		tally_free(&t);
	}
}

/* Large values: bounds scale with the data, and saturate where they must. */
Test(output_bounds, variance_of_large_values_scales)
{
	struct limits small = { true, true, -40, 40 }, none = { 0 };
	struct limits large = { true, true, -((int64_t)40 << 56),
	    (int64_t)40 << 56 };
	u128 unit = (u128)1 << 112;
	struct output_bounds a, b;
	struct tally s, t;
	struct rng r;
	int round, i;
	int64_t x;

	output_bounds_init(&a, 8);
	output_bounds_init(&b, 8);
	for (round = 0; round < 50; round++) {
		rng_seeded(&r, round, "large");
		tally_init(&s, 8);
		tally_init(&t, 8);
		for (i = 0; i < 5 + round; i++) {
			x = (int64_t)rng_below(&r, 81) - 40;
			tally_add(&s, x, 1 + (i == 3));
			tally_add(&t, x * ((int64_t)1 << 56),
			    1 + (i == 3));
		}
		tally_done(&s);
		tally_done(&t);
		output_bounds_variance(&a, &s, 1, &small, round & 1);
		output_bounds_variance(&b, &t, unit, &large,
		    round & 1);
		cr_expect_arr_eq(a.lo, b.lo, 9 * sizeof(*a.lo));
		cr_expect_arr_eq(a.hi, b.hi, 9 * sizeof(*a.hi));
		output_bounds_variance(&b, &t, 1, &none, round & 1);
		cr_expect_eq(b.lo[0], OUTPUT_INF);
		tally_free(&s);
		tally_free(&t);
	}
	output_bounds_free(&a);
	output_bounds_free(&b);
}
