/*
 * query: the queries of asm-estimate for any number of records, with so small
 * an N that all data sets around it are enumerated.
 */
#include <criterion/criterion.h>

#include <string.h>

#include "asm/asym.h"
#include "asm/inverse.h"
#include "tally_free.h"

#define POINTS 3
#define MOST 7		/* records */
#define STEPS 2		/* c */
#define LO (-1)		/* outputs that are asked about */
#define OUTPUTS 12

static const int64_t point[POINTS] = { 0, 2, 7 };

/* What is estimated. */
enum what { VARIANCE, SUM, MEAN, QUANTILE, WHATS };

struct world {
	enum what what;
	enum neighbors relation;
	struct limits limits;
	size_t most;		/* N */
};

/* The queries of some data set, and the cut inverse sensitivities. */
struct asked {
	int64_t query[OUTPUTS];
	int64_t len[OUTPUTS];
};

static void
fill_bounds(const struct world *w, const unsigned count[POINTS], size_t n,
    struct output_bounds *b)
{
	uint64_t weight[POINTS];
	int64_t value[POINTS];
	struct ranks r = { value, weight, n };
	struct tally t;
	size_t m = 0;

	tally_init(&t, STEPS);
	for (size_t i = 0; i < POINTS; i++) {
		if (count[i] == 0)
			continue;
		tally_add(&t, point[i], count[i]);
		value[m] = point[i];
		weight[m++] = count[i];
	}
	tally_done(&t);
	if (w->what == VARIANCE)
		output_bounds_variance(b, &t, 1, &w->limits,
		    w->relation);
	else if (w->what == SUM)
		output_bounds_sum(b, &t, &w->limits, w->relation);
	else if (w->what == MEAN)
		output_bounds_mean(b, &t, &w->limits, w->relation);
	else
		output_bounds_quantile(b, &r, (struct rational){ 1, 2 }, 3,
		    w->relation);
	tally_free(&t);
}

static void
ask(const struct world *w, const unsigned count[POINTS], struct asked *a)
{
	struct output_bounds b;
	struct inverse v;
	size_t n = 0;
	uint64_t room;

	for (size_t i = 0; i < POINTS; i++)
		n += count[i];
	room = n < w->most ? w->most - n : 0;
	output_bounds_init(&b, STEPS);
	b.room = room;
	if (room > 0)
		fill_bounds(w, count, n, &b);
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

static int
failures_of(const struct world *w, const unsigned *x, const unsigned *y)
{
	bool same = w->what == SUM || (w->relation == NEIGHBORS_SWAP &&
	    w->what != VARIANCE);
	bool up = false, down = false;
	struct asked a, b;
	int bad = 0;

	ask(w, x, &a);
	ask(w, y, &b);
	for (size_t i = 0; i < OUTPUTS; i++) {
		bad += llabs(a.query[i] - b.query[i]) > 1;
		bad += llabs(a.len[i] - b.len[i]) > 1;
		up = up || a.query[i] < b.query[i];
		down = down || a.query[i] > b.query[i];
	}
	return bad + (same && up && down);
}

/* All pairs: a record comes, or one becomes another. */
static int
all(const struct world *w)
{
	unsigned x[POINTS], y[POINTS];
	int bad = 0;

	for (unsigned code = 0; code < (MOST + 1) * (MOST + 1) * (MOST + 1);
	    code++) {
		x[0] = code % (MOST + 1);
		x[1] = code / (MOST + 1) % (MOST + 1);
		x[2] = code / (MOST + 1) / (MOST + 1);
		if (x[0] + x[1] + x[2] > MOST)
			continue;
		for (unsigned i = 0; i < POINTS * POINTS; i++) {
			unsigned from = i / POINTS, to = i % POINTS;
			bool swap = w->relation == NEIGHBORS_SWAP;

			if (swap && (x[from] == 0 || from == to))
				continue;
			memcpy(y, x, sizeof(y));
			y[from] -= swap;
			y[to]++;
			bad += failures_of(w, x, y);
		}
	}
	return bad;
}

/* Over all targets, relations and N, with and without limits. */
static int
everything(void)
{
	int bad = 0;

	for (int i = 0; i < 4 * WHATS; i++)
		for (size_t most = 3; most <= 6; most++) {
			bool limited = i / WHATS % 2 != 0;
			struct world w = { .what = (enum what)(i % WHATS),
			    .relation = i / WHATS / 2 != 0 ? NEIGHBORS_SWAP :
			    NEIGHBORS_ADD_REMOVE, .limits = { limited ||
			    i % WHATS == SUM, limited, 0, 7 }, .most = most };

			bad += all(&w);
		}
	return bad;
}

/* [D24 Definition A.3] [D24 Lemma A.7, Lemma E.6] */
Test(query, records_without_number_keep_sensitivity_and_order)
{
	cr_expect_eq(everything(), 0);
}

/* Weights in any order: the tally forgets all of them. */
Test(query, tally_forgets_what_is_too_much)
{
	const uint64_t w[3] = { TALLY_RECORDS / 2, TALLY_RECORDS / 2 - 1, 1 };
	struct tally t;

	for (size_t first = 0; first < 3; first++) {
		tally_init(&t, STEPS);
		for (size_t i = 0; i < 3; i++)
			tally_add(&t, point[i], w[(first + i) % 3]);
		tally_add(&t, 5, UINT64_MAX / 2);
		tally_done(&t);
		cr_expect_eq(t.n, TALLY_RECORDS);
		cr_expect(t.sum == 0 && t.ends == 0 && t.squares.lo == 0);
		tally_free(&t);
	}
}
