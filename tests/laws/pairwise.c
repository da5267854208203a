/*
 * pairwise: the loss of a whole release on all data sets of up to two records
 * of three attributes and a record more, or another record: every single, every
 * choice of pairs by its exact chance, every pair that was chosen.  Beside that
 * every score's change, and what all costs with the library's scales.
 *
 * Releases before are the same on both sides: each release of singles decides
 * classes, each choice the pairs, and each count the table for the next choice,
 * so these are run through.
 */
#include "../stat/laws_of_draws.h"
#include "world.h"
#include "dx/synth/pairwise.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define D 3
#define N 12
#define MARGIN 1e-9L

static const size_t values[D] = { 2, 3, 2 };
static struct audit_count counted;
static uint16_t table[D * N];
static uint16_t weight[3] = { 1, 1, 1 };	/* of private records, */
static unsigned shift;				/* of 2^shift */

static void
codes(size_t at, uint16_t *to)
{
	to[0] = (uint16_t)(at % 2);
	to[1] = (uint16_t)(at / 2 % 3);
	to[2] = (uint16_t)(at / 6);
}

/* A table of whatever records: m of every third, from the record `kind' on. */
static void
lay(struct pairwise *w, size_t kind, size_t m)
{
	w->record = table;
	w->m = m;
	for (size_t i = 0; i < m; i++)
		codes((kind + 3 * i) % N, table + i * D);
}

/* kind: released singles of whatever sizes; 0: every value is its own class. */
static void
make(struct pairwise *w, double total, uint16_t *code, size_t n, int kind)
{
	*w = (struct pairwise){ .d = D, .values = values, .eps = { 3, 2 },
	    .total = total, .slack = 1, .code = code, .weight = weight,
	    .n = n, .shift = shift };
	pairwise_plan(w);
	for (size_t a = 0; a < D; a++)
		for (size_t e = 0; e < values[a]; e++)
			w->of[a].count[e] = kind == 0 ? 0.37 * (double)(1 +
			    a + 2 * e) : (double)(1 + (a + e) %
			    (size_t)(kind + 1)) * total / (1 + kind);
	if (kind > 0)
		pairwise_merge(w);
	lay(w, (size_t)kind, (size_t)(kind * 5 % 11));
	for (size_t a = 0; a < D; a++)
		for (size_t b = a + 1; b < D; b++)
			w->pair[w->pairs++] = (struct counted){ a, b,
			    w->classes[a] * w->classes[b], NULL, 0 };
}

/* The largest change of a score by one more record, in units. */
static long double
steepest(double total, int kind)
{
	long double most = 0;
	struct pairwise w;
	uint16_t code[D * 3];

	weight[2] = weight[1] = weight[0];
	for (size_t at = 0; at < N * N * N; at++)
		for (size_t n = 0; n < 3; n++) {
			int64_t before[D], after[D];

			codes(at % N, code);
			codes(at / N % N, code + D);
			codes(at / N / N, code + 2 * D);
			make(&w, total, code, n, kind);
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
	cr_assert_float_eq(steepest(0, 0), 1, 1e-12);
	cr_assert_float_eq(steepest(3, 0), 1, 1e-12);
	cr_assert_float_eq(steepest(40, 0), 1, 1e-12);
	for (int kind = 1; kind < 4; kind++)
		cr_assert_float_eq(steepest(40, kind), 1, 1e-12);
	shift = 2;
	weight[0] = 3;
	cr_assert_float_eq(steepest(40, 1), 3, 1e-12);
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
		pairwise_scale(w, i, &t);
		sum += (long double)t.r / t.s;
	}
	if (w->choices > 0) {
		pairwise_choice(w, &t);
		sum += 2.0L * PAIRWISE_SCORE * (long double)picks * t.r / t.s;
	}
	return sum * w->eps.den / w->eps.num;
}

Test(pairwise, choices_and_counts_cost_epsilon_and_no_more)
{
	struct pairwise w;

	for (size_t picks = 0; picks <= D; picks++) {
		long double c;

		make(&w, 1e6, NULL, 0, 0);
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

/* Shares and classes follow from sizes, the total and released singles. */
Test(pairwise, a_plan_looks_at_no_record)
{
	uint16_t code[D * 2] = { 1, 2, 1, 0, 1, 0 };

	for (double total = 0; total < 1e5; total = 3 * total + 1) {
		struct pairwise v, w;

		make(&v, total, code, 2, 1);
		make(&w, total, NULL, 0, 1);
		/* the first value is rare, the others are alike */
		for (size_t e = 0; e < D * 3; e++)
			if (e % 3 < values[e / 3])
				v.of[e / 3].count[e % 3] = w.of[e / 3].count[
				    e % 3] = total * (e % 3 == 0 ? 0.001 :
				    0.999 / (double)(values[e / 3] - 1));
		pairwise_merge(&v);
		pairwise_merge(&w);
		cr_assert_eq(v.singles, w.singles);
		cr_assert_eq(v.choices, w.choices);
		cr_assert(v.picks == 0 ? v.singles == PAIRWISE_PARTS :
		    v.singles + v.choices < PAIRWISE_PARTS);
		for (size_t a = 0; a < D; a++)
			cr_assert(v.classes[a] == w.classes[a] && memcmp(
			    v.class[a], w.class[a], values[a] *
			    sizeof(**v.class)) == 0);
		pairwise_close(&v);
		pairwise_close(&w);
	}
}

/* The chance that permute-and-flip takes the pair `one` from those left. */
static long double
chance(const int64_t *score, unsigned left, size_t one, const struct scale *t)
{
	long double p[D];
	size_t n = 0, at = 0;
	int64_t u[D];

	for (size_t k = 0; k < D; k++)
		if (left >> k & 1) {
			at = k == one ? n : at;
			u[n++] = score[k];
		}
	law_scores(SELECT_FLIP, u, n, (long double)t->s / t->r, p);
	return p[at];
}

/*
 * log of the odds of these picks, one after the other, each by the scores
 * beside a table of its own, of n records and a record more.
 */
static long double
choices(struct pairwise *w, size_t n, const size_t *pick, size_t picks,
    int kind)
{
	long double sum = 0, p;
	unsigned left = (1U << D) - 1;
	int64_t f[D], g[D];
	struct scale t;

	pairwise_choice(w, &t);
	for (size_t i = 0; i < picks; i++) {
		lay(w, (size_t)kind + i * pick[0], 3 + 4 * i);
		w->n = n;
		pairwise_scores(w, f);
		w->n = n + 1;
		pairwise_scores(w, g);
		p = chance(f, left, pick[i], &t);
		counted.outputs++;
		if (p <= 0)
			return 0;
		sum += logl(p / chance(g, left, pick[i], &t));
		left &= ~(1U << pick[i]);
	}
	return sum;
}

/* The odds of the worst counts number i, where w has a record more. */
static long double
cells(const struct pairwise *w, size_t i, const uint16_t *more)
{
	struct scale t;
	long double sum = 0;

	pairwise_scale(w, i, &t);
	for (size_t e = 0; e < w->of[i].cells; e++)
		sum += pairwise_cell(w, &w->of[i], more) == e ?
		    (long double)t.r / t.s : 0;
	return sum * weight[0];
}

/* The worst path of releases, over epsilon: a record more than n of code. */
static long double
path(uint16_t *code, size_t n, int kind, size_t picks)
{
	long double most = 0, sum;
	struct pairwise w;

	for (size_t i = 0; i < (picks > 1 ? D * D : D); i++) {
		size_t pick[2] = { i % D, i / D };

		if (picks > 1 && pick[0] == pick[1])
			continue;
		make(&w, 90, code, n, kind);
		w.picks = picks;
		w.singles = PAIRWISE_PARTS / 3;
		w.choices = PAIRWISE_PARTS / 4;
		sum = fabsl(choices(&w, n, pick, picks, kind));
		for (size_t k = 0; k < picks; k++) {
			w.of[w.counts] = w.pair[pick[k]];
			w.of[w.counts++].count = calloc(12, sizeof(double));
		}
		for (size_t k = 0; k < w.counts; k++)
			sum += cells(&w, k, code + n * D);
		most = fmaxl(most, sum * w.eps.den / w.eps.num);
		pairwise_close(&w);
	}
	return most;
}

/*
 * The worst cost of a record more, over its part of epsilon.  The shares of
 * counts are used up; choices of so few records cost little.
 */
static long double
whole_release(uint16_t part)
{
	long double most = 0;
	uint16_t code[D * 3];

	weight[0] = weight[1] = weight[2] = part;
	for (size_t at = 0; at < 2 * N * N * N; at++) {
		size_t x = at / 2, n = x < N ? 0 : x < N * N ? 1 : 2;

		/* the record that comes is the last one */
		for (size_t i = 0; i <= n; i++, x /= N)
			codes(x % N, code + i * D);
		most = fmaxl(most, path(code, n, at % 2, 1 + at / N % 2));
		counted.pairs += 2;
	}
	most *= (1 << shift) / (long double)part;
	cr_assert(most <= 1 + MARGIN && most > 0.755L, "%Lf", most);
	return most;
}

/* [CD20 Definition 7.1] A record of weight w loses w / 2^shift of epsilon. */
Test(pairwise, a_whole_release_is_within_epsilon)
{
	struct audit_count before = counted;

	counted.worst = whole_release(1);
	shift = 2;
	for (uint16_t part = 1; part <= 4; part++)
		(void)whole_release(part);
	audit_count_print("mwem, a whole wide release", &counted);
	counted = before;
}
