/*
 * Output bounds against brute force: every data set within the distance,
 * [D24 Definition A.1] over every pair of neighbours, and what is asked of
 * them for any number of records, with so small an N that all data sets around
 * it are enumerated.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "asm/asym.h"
#include "asm/inverse.h"
#include "asm/size/code.h"
#include "random/rng.h"
#include "tally_free.h"

#define POINTS 9
#define STEPS 5		/* c of the brute-force lists */
#define FAR 1000	/* points beyond +-FAR stand for infinity */
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum what { VARIANCE, SUM, MEAN, QUANTILE, WHATS };

struct world {
	enum what what;
	enum neighbors relation;
	const int64_t *point;		/* all that records may be, */
	size_t points;
	size_t from, to;		/* and which of them data are */
	struct limits limits;
	u128 unit;
	struct rational q;
	unsigned most;			/* records that brute force reaches */
	uint64_t n;			/* N */
};

/* Data on the points that are not far, which limits keep within. */
static struct world
world_of(enum what what, enum neighbors relation, const int64_t *point,
    size_t points)
{
	struct world w = { .what = what, .relation = relation, .point = point,
	    .points = points, .to = points, .unit = 1, .q = { 1, 2 },
	    .most = relation == NEIGHBORS_SWAP ? 5 : 8 };

	w.limits = (struct limits){ point[0] > -FAR, point[points - 1] < FAR,
	    point[0], point[points - 1] };
	w.from = !w.limits.has_least;
	w.to -= !w.limits.has_most;
	return w;
}

static unsigned
total(const struct world *w, const unsigned *count)
{
	unsigned n = 0;

	for (size_t i = 0; i < w->points; i++)
		n += count[i];
	return n;
}

/* Next multiset of up to `most' of some points; false, and none, at the end. */
static bool
next(const struct world *w, unsigned *count, size_t from, size_t to,
    unsigned most)
{
	for (size_t i = from; i < to; i++) {
		count[i]++;
		if (total(w, count) <= most)
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

	for (size_t i = 0; i < w->points; i++)
		if (a[i] > b[i])
			more += a[i] - b[i];
		else
			fewer += b[i] - a[i];
	if (w->relation == NEIGHBORS_ADD_REMOVE)
		return more + fewer;
	return more == fewer ? more : STEPS + 1;
}

/* num / den; of nothing 0. */
struct value {
	i128 num, den;
};

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

/* The quantile of no data is 7. */
static struct value
quantile_value(const struct world *w, const unsigned *count, i128 n)
{
	i128 k = fixed_ceil_div(w->q.num * n, w->q.den);
	size_t i;

	if (n == 0)
		return (struct value){ 7, 1 };
	k = k < 1 ? 1 : k;
	for (i = 0; k > (i128)count[i]; i++)
		k -= count[i];
	return (struct value){ w->point[i], 1 };
}

static struct value
value(const struct world *w, const unsigned *count)
{
	i128 n = total(w, count), p = 0, q = 0;

	for (size_t i = 0; i < w->points; i++) {
		p += (i128)count[i] * w->point[i];
		q += (i128)count[i] * w->point[i] * w->point[i];
	}
	switch (w->what) {
	case SUM: return (struct value){ p, 1 };
	case MEAN: return (struct value){ p, n };
	case QUANTILE: return quantile_value(w, count, n);
	default: return (struct value){ n * q - p * p, n * n * (i128)w->unit };
	}
}

static void
brute(const struct world *w, const unsigned *base, i128 *lo, i128 *hi)
{
	unsigned other[POINTS] = { 0 }, d;
	struct value v = value(w, base);

	for (size_t l = 0; l <= STEPS; l++) {
		lo[l] = up(v);
		hi[l] = down(v);
	}
	do {
		d = distance(w, base, other);
		if (d > STEPS)
			continue;
		v = value(w, other);
		for (size_t l = d; l <= STEPS; l++) {
			lo[l] = up(v) < lo[l] ? up(v) : lo[l];
			hi[l] = down(v) > hi[l] ? down(v) : hi[l];
		}
	} while (next(w, other, 0, w->points, w->most));
}

/* What rounds once, halves up: steps before the last lose nothing. */
static void
check_value(const struct world *w, const unsigned *count, int64_t have)
{
	struct value v = value(w, count);

	cr_expect_eq(have, v.den == 0 ? 0 : fixed_floor_div(2 * v.num + v.den,
	    2 * v.den));
}

static void
bounds(const struct world *w, const unsigned *count, struct output_bounds *b)
{
	uint64_t weight[POINTS];
	int64_t x[POINTS];
	struct ranks r = { x, weight, total(w, count) };
	struct tally t;
	size_t m = 0;

	tally_init(&t, b->c);
	for (size_t i = w->points; i-- > 0;)
		if (count[i] > 0)
			tally_add(&t, w->point[i], count[i]);
	tally_done(&t);
	for (size_t i = 0; i < w->points; i++)
		if (count[i] > 0) {
			x[m] = w->point[i];
			weight[m++] = count[i];
		}
	if (w->what == VARIANCE) {
		output_bounds_variance(b, &t, w->unit, &w->limits,
		    w->relation);
		check_value(w, count, output_bounds_variance_value(&t,
		    w->unit));
	} else if (w->what == SUM) {
		output_bounds_sum(b, &t, &w->limits, w->relation, 1);
	} else if (w->what == MEAN) {
		output_bounds_mean(b, &t, &w->limits, w->relation);
		check_value(w, count, output_bounds_mean_value(&t));
	} else {
		output_bounds_quantile(b, &r, w->q, 7, w->relation);
	}
	tally_free(&t);
}

/*
 * Data sets of `n' records at most whose bounds are not those of brute force;
 * U^l of a variance is only a bound, but for U^0, which is f itself.
 */
static unsigned
wrong(const struct world *w, unsigned n)
{
	unsigned base[POINTS] = { 0 }, bad = 0, size;
	/* a quantile that loses its records is anything */
	bool none = w->what == QUANTILE && w->relation == NEIGHBORS_ADD_REMOVE;
	/* and nobody is swapped */
	bool some = none || (w->relation == NEIGHBORS_SWAP && w->what !=
	    QUANTILE && !(w->limits.has_least && w->limits.has_most));
	i128 lo[STEPS + 1], hi[STEPS + 1];
	struct output_bounds b;

	output_bounds_init(&b, STEPS);
	do {
		size = total(w, base);
		if (size == 0 && some)
			continue;
		brute(w, base, lo, hi);
		bounds(w, base, &b);
		for (size_t l = 0; l <= STEPS; l++) {
			if (w->relation == NEIGHBORS_ADD_REMOVE &&
			    size + l > w->most)
				break;
			if (lo[l] < -FAR || (l >= size && none))
				lo[l] = -OUTPUT_INF;
			if (hi[l] > FAR || (l >= size && none))
				hi[l] = OUTPUT_INF;
			bad += b.lo[l] != lo[l];
			bad += w->what != VARIANCE || l == 0 ?
			    b.hi[l] != hi[l] : b.hi[l] < hi[l];
		}
	} while (next(w, base, w->from, w->to, n));
	output_bounds_free(&b);
	return bad;
}

typedef unsigned pair_fn(const struct world *w, const unsigned *x,
    const unsigned *y);

/* Sums over all pairs, both ways: a record comes, or one becomes another. */
static unsigned
over_pairs(const struct world *w, unsigned most, pair_fn *fails)
{
	bool swap = w->relation == NEIGHBORS_SWAP;
	unsigned x[POINTS] = { 0 }, y[POINTS], bad = 0;

	do
		for (size_t i = w->from; i < w->to; i++)
			for (size_t j = w->from; j < w->to; j++) {
				if (swap ? x[i] == 0 || i == j : i != j ||
				    total(w, x) == most)
					continue;
				memcpy(y, x, sizeof(y));
				y[i] -= swap;
				y[j]++;
				bad += fails(w, x, y) + fails(w, y, x);
			}
	while (next(w, x, w->from, w->to, most));
	return bad;
}

/* Do all bounds move as f does? */
static bool
one_way(const struct world *w)
{
	return w->what == SUM || (w->relation == NEIGHBORS_SWAP &&
	    w->what != VARIANCE);
}

/* Violations of Definition A.1. */
static unsigned
unsteady(const struct world *w, const unsigned *x, const unsigned *y)
{
	bool falls = false, rises = false;
	struct output_bounds a, b;
	unsigned bad = 0;

	output_bounds_init(&a, STEPS);
	output_bounds_init(&b, STEPS);
	bounds(w, x, &a);
	bounds(w, y, &b);
	for (size_t l = 0; l <= STEPS; l++) {
		falls = falls || b.lo[l] < a.lo[l] || b.hi[l] < a.hi[l];
		rises = rises || b.lo[l] > a.lo[l] || b.hi[l] > a.hi[l];
		bad += l < STEPS && (a.lo[l] < b.lo[l + 1] ||
		    a.hi[l] > b.hi[l + 1] || a.lo[l] < a.lo[l + 1] ||
		    a.hi[l] > a.hi[l + 1]);
	}
	output_bounds_free(&a);
	output_bounds_free(&b);
	return bad + (one_way(w) && falls && rises);
}

/*
 * [D24 Lemma 5.2, Lemma 5.3, Lemma 5.4, Definition A.1, Appendix B.3] Means of
 * up to three multiples of 12 are multiples of 4 or 6.
 */
Test(output_bounds, variances_are_brute_force)
{
	static const int64_t dozen[] = { 0, 12, 24, 4, 6, 8, 16, 18, 20 };
	static const int64_t near[] = { -5, 0, 1, 2, 9 };

	for (int i = 0; i < 2 * 2 * 3; i++) {
		enum neighbors r = i % 2 ? NEIGHBORS_SWAP :
		    NEIGHBORS_ADD_REMOVE;
		struct world w = world_of(VARIANCE, r, dozen, COUNT(dozen));

		w.to = 3;
		w.unit = (u128)fixed_pow10(i / 4);
		w.limits = (struct limits){ i & 2, i & 2, 0, 24 };
		w.most = r == NEIGHBORS_SWAP ? 4 : 6;
		cr_expect_eq(wrong(&w, r == NEIGHBORS_SWAP ? 4 : 3), 0, "%d",
		    i);
		w = world_of(VARIANCE, r, near, COUNT(near));
		cr_expect_eq(over_pairs(&w, 5, unsteady), 0);
	}
}

/*
 * [D24 Lemma E.3, Lemma E.4, Lemma E.5, Lemma E.6, Lemma E.7, Lemma E.8,
 * Lemma E.10, Lemma E.11, Appendix B.3, Definition 3.4] Cross-entropy is such a
 * sum, of terms from 0.  Below 0 no record has the mean 0, which is above all
 * others; without limits one record more may make any mean.
 */
Test(output_bounds, sums_and_means_are_brute_force)
{
	static const int64_t point[][5] = { { -3, -1, 0, 2, 5 },
	    { 1, 2, 4, 7, 9 }, { -9, -7, -4, -2, -1 },
	    { -50000, -3, 0, 2, 5 }, { 1, 2, 4, 7, 50000 },
	    { -50000, -2, 1, 4, 50000 } };

	for (size_t i = 0; i < 4 * COUNT(point); i++) {
		struct world w = world_of(i & 1 ? MEAN : SUM, i & 2 ?
		    NEIGHBORS_SWAP : NEIGHBORS_ADD_REMOVE, point[i / 4], 5);

		cr_expect_eq(wrong(&w, 4), 0, "%zu", i);
		cr_expect_eq(over_pairs(&w, 4, unsteady), 0, "%zu", i);
	}
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

	for (size_t i = 0; i < 2 * COUNT(q); i++) {
		struct world w = world_of(QUANTILE, i % 2 ?
		    NEIGHBORS_ADD_REMOVE : NEIGHBORS_SWAP, point, 5);

		w.q = q[i / 2];
		w.most = i % 2 ? 9 : 5;
		cr_expect_eq(wrong(&w, 5 - i % 2), 0, "%zu", i);
		cr_expect_eq(over_pairs(&w, 5, unsteady), 0, "%zu", i);
	}
}

#define LO (-1)		/* outputs that are asked about */
#define OUTPUTS 12

/* The queries of some data set, and the cut inverse sensitivities. */
struct asked {
	int64_t query[OUTPUTS];
	int64_t len[OUTPUTS];
};

static void
ask(const struct world *w, const unsigned *count, struct asked *a)
{
	unsigned n = total(w, count);
	struct output_bounds b;
	struct inverse v;

	output_bounds_init(&b, 2);
	b.room = n < w->n ? w->n - n : 0;
	if (b.room > 0)
		bounds(w, count, &b);
	inverse_init(&v, &b, LO, LO + OUTPUTS - 1);
	for (int i = 0; i < OUTPUTS; i++)
		a->query[i] = asym_query(&b, LO + i);
	for (size_t i = 0; i < v.n; i++)
		for (uint64_t j = 0; j < v.run[i].count; j++)
			a->len[v.run[i].lo - LO + (int64_t)j] =
			    (int64_t)v.run[i].len;
	inverse_free(&v);
	output_bounds_free(&b);
}

static unsigned
sensitive(const struct world *w, const unsigned *x, const unsigned *y)
{
	bool rises = false, falls = false;
	struct asked a, b;
	unsigned bad = 0;

	ask(w, x, &a);
	ask(w, y, &b);
	for (size_t i = 0; i < OUTPUTS; i++) {
		bad += llabs(a.query[i] - b.query[i]) > 1;
		bad += llabs(a.len[i] - b.len[i]) > 1;
		rises = rises || a.query[i] < b.query[i];
		falls = falls || a.query[i] > b.query[i];
	}
	return bad + (one_way(w) && rises && falls);
}

/* [D24 Definition A.3] [D24 Lemma A.7, Lemma E.6] */
Test(query, records_without_number_keep_sensitivity_and_order)
{
	static const int64_t point[] = { 0, 2, 7 };

	for (int i = 0; i < 4 * WHATS; i++)
		for (uint64_t n = 3; n <= 6; n++) {
			struct world w = world_of(i % WHATS, i / WHATS % 2 ?
			    NEIGHBORS_SWAP : NEIGHBORS_ADD_REMOVE, point, 3);

			w.limits.has_most = i / WHATS / 2;
			w.limits.has_least = w.what == SUM ||
			    w.limits.has_most;
			w.n = n;
			cr_expect_eq(over_pairs(&w, 8, sensitive), 0,
			    "%d of %d", i, (int)n);
		}
}

/* Weights in any order: the tally forgets all of them. */
Test(query, tally_forgets_what_is_too_much)
{
	const uint64_t w[3] = { TALLY_RECORDS / 2, TALLY_RECORDS / 2 - 1, 1 };
	struct tally t;

	for (size_t first = 0; first < 3; first++) {
		tally_init(&t, 2);
		for (size_t i = 0; i < 3; i++)
			tally_add(&t, (int64_t)i, w[(first + i) % 3]);
		tally_add(&t, 5, UINT64_MAX / 2);
		tally_done(&t);
		cr_expect_eq(t.n, TALLY_RECORDS);
		cr_expect(t.sum == 0 && t.ends == 0 && t.squares.lo == 0);
		tally_free(&t);
	}
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

/* Codes of small sizes are the sizes, and those of large ones scale. */
Test(output_bounds, bounds_of_codes_are_those_of_sizes)
{
	const int by[] = { 0, 100 };

	for (int i = 0; i < 400; i++) {
		struct limits l = { true, i % 3 > 0, 0, 90 };
		struct output_bounds b[3];
		struct rng r;

		for (int k = 0; k < 3; k++) {
			int shift = k == 0 ? 0 : by[k - 1];
			struct tally t;

			rng_seeded(&r, (uint64_t)i, "codes");
			tally_init(&t, 6);
			t.coded = k > 0;
			for (uint64_t n = rng_below(&r, 20); n > 0; n--) {
				u128 x = rng_below(&r, 90);
				uint64_t w = 1 + rng_below(&r, 3);

				tally_add(&t, code_of(x << shift, false), w);
			}
			tally_done(&t);
			l.most = code_of((u128)90 << shift, false);
			output_bounds_init(&b[k], 6);
			b[k].coded = k > 0;
			if (i % 2 == 0)
				output_bounds_sum(&b[k], &t, &l, i / 2 % 2, 1);
			else
				output_bounds_mean(&b[k], &t, &l, i / 2 % 2);
			tally_free(&t);
		}
		for (size_t d = 0; d <= 6; d++) {
			cr_expect(b[0].lo[d] == b[1].lo[d]);
			cr_expect(b[0].hi[d] == b[1].hi[d]);
			cr_expect(b[0].hi[d] > FIXED_MAX ? b[2].hi[d] >
			    FIXED_MAX : code_size(b[2].hi[d]) >> 100 ==
			    (u128)b[0].hi[d]);
		}
		for (int k = 0; k < 3; k++)
			output_bounds_free(&b[k]);
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
