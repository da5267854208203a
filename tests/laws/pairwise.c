/*
 * pairwise: what a record that comes changes, on all data sets of up to two
 * records of three attributes: every score by a unit at most, one cell of each
 * count; and what both cost with the library's scales, all of it used up.
 */
#include "count.h"
#include "dx/synth/pairwise.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define D 3
#define N 12
#define MARGIN 1e-9L

static const size_t values[D] = { 2, 3, 2 };
static struct audit_count counted;

static void
codes(size_t at, uint16_t *to)
{
	to[0] = (uint16_t)(at % 2);
	to[1] = (uint16_t)(at / 2 % 3);
	to[2] = (uint16_t)(at / 6);
}

static void
make(struct pairwise *w, double total, uint16_t *code, size_t n)
{
	*w = (struct pairwise){ .d = D, .values = values, .eps = { 3, 2 },
	    .total = total, .slack = 1, .code = code, .n = n };
	pairwise_plan(w);
	/* released singles, of whatever sizes */
	for (size_t a = 0; a < D; a++)
		for (size_t e = 0; e < values[a]; e++)
			w->of[a].count[e] = 0.37 * (double)(1 + a + 2 * e);
}

/* The largest change of a score by one more record, in units. */
static long double
steepest(double total)
{
	long double most = 0;
	struct pairwise w;
	uint16_t code[D * 3];

	for (size_t at = 0; at < N * N * N; at++)
		for (size_t n = 0; n < 3; n++) {
			int64_t before[D], after[D];

			codes(at % N, code);
			codes(at / N % N, code + D);
			codes(at / N / N, code + 2 * D);
			make(&w, total, code, n);
			w.picks = 1;
			pairwise_scores(&w, before);
			/* the record that comes is the next one */
			w.n++;
			pairwise_scores(&w, after);
			for (size_t k = 0; k < w.pairs; k++)
				most = fmaxl(most, fabsl((long double)(
				    after[k] - before[k]) / PAIRWISE_SCORE));
			counted.pairs++;
			counted.outputs += (long long)w.pairs;
			pairwise_close(&w);
		}
	return most;
}

Test(pairwise, a_record_changes_a_score_by_a_unit_at_most)
{
	cr_assert_float_eq(steepest(0), 1, 1e-12);
	cr_assert_float_eq(steepest(3), 1, 1e-12);
	cr_assert_float_eq(steepest(40), 1, 1e-12);
}

/* What all choices and all counts cost, over epsilon. */
static long double
cost(struct pairwise *w, size_t picks)
{
	long double sum = 0;
	struct scale t;

	w->picks = picks;
	for (size_t i = 0; i < picks; i++) {
		w->of[w->counts] = w->pair[i];
		w->of[w->counts++].count = calloc(w->pair[i].cells,
		    sizeof(double));
	}
	for (size_t i = 0; i < w->counts; i++) {
		cr_assert(pairwise_scale(w, i, &t));
		sum += (long double)t.r / t.s;
	}
	if (w->choices > 0) {
		cr_assert(pairwise_choice(w, &t));
		sum += 2.0L * PAIRWISE_SCORE * (long double)picks * t.r / t.s;
	}
	return sum * w->eps.den / w->eps.num;
}

Test(pairwise, choices_and_counts_cost_epsilon_and_no_more)
{
	struct pairwise w;

	for (size_t picks = 0; picks <= D; picks++) {
		long double c;

		make(&w, 1e6, NULL, 0);
		w.singles = picks == 0 ? PAIRWISE_PARTS : PAIRWISE_PARTS / 5;
		w.choices = picks == 0 || picks == D ? 0 :
		    PAIRWISE_PARTS / 10;
		c = cost(&w, picks);
		cr_assert(c <= 1 + MARGIN && c > 0.9999L, "%zu: %Lf", picks,
		    c);
		counted.worst = fmaxl(counted.worst, c);
		pairwise_close(&w);
	}
	audit_count_print("mwem, attributes and pairs", &counted);
}

/* Shares, picks and pairs follow from sizes and the total alone. */
Test(pairwise, a_plan_looks_at_no_record)
{
	uint16_t code[D * 2] = { 1, 2, 1, 0, 1, 0 };

	for (double total = 0; total < 1e5; total = 3 * total + 1) {
		struct pairwise v, w;

		make(&v, total, code, 2);
		make(&w, total, NULL, 0);
		cr_assert_eq(v.picks, w.picks);
		cr_assert_eq(v.singles, w.singles);
		cr_assert_eq(v.choices, w.choices);
		cr_assert(v.singles + v.choices <= PAIRWISE_PARTS);
		pairwise_close(&v);
		pairwise_close(&w);
	}
}
