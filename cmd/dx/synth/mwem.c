/*
 * mwem: the rounds of multiplicative weights.
 *
 * [KPAK20 Algorithm 2] with the two scales put right and a scale for each
 * query: with c_k = max |q_i - q_j| / (eps d(i,j)) of query k alone, a round
 *	selects k with weight exp(|q(x) - q(y)| / (4 c_k T)),
 *	measures m = q(x) + Lap(2 c_k T),
 *	corrects y so that q(y) = m (mwem_learn.c).
 * The paper has one c for all queries, the largest, and writes m - q'(y)
 * where m is at the scale of c q'.
 *
 * Privacy [KPAK20 Theorem 7].  A record that moves from i to j moves every
 * |q(x) - q(y)| / c_k and every q(x) / c_k by at most eps d(i,j).  A selection
 * costs 2 eps d / 4T = eps d / 2T (select.c, either mechanism), a measurement
 * eps d / 2T; T rounds compose to eps d(i,j).  Where the rounds are as many as
 * the queries there is nothing to select: each query is measured once with
 * Lap(c_k T), which costs eps d / T.  y is a function of selections and
 * measurements, and of nothing further that is private: floating point costs
 * nothing.
 *
 * Another record.  Where n is hidden, the measurement is the centered answer
 * q(x) - width n / 2 with the noise as before: a record adds q_i - width / 2,
 * so that the answer moves by width / 2 at most.  With c_k at least width /
 * (2 eps R), R the absent element's distance, this is at most eps R c_k: a
 * selection costs eps R / 2T, a measurement eps R / 2T.  The answer is the
 * measurement plus half of width times the released number of records.
 *
 * Part of a record.  A record of epsilon e < E weighs w <= 2^shift e / E in the
 * counts, where one of epsilon E weighs 2^shift.  Truths, noise and scores are
 * in such parts.  The answer is linear in the counts, so it moves by w 2^-shift
 * of what a full record moves it, and the score, a distance from a released
 * number, by no more.  Both mechanisms and the noise lose in proportion, and so
 * does the sum over the rounds: e at most (shares.c).
 *
 * Exactness.  Twice the centered answer is the sum of 2 q_i - width, a whole
 * number.  A score is the integer |h (2 q(x) - width n) - A|, where h =
 * floor(mult_k / 2) and A = round(h (2 q(y) - width total)): the score moves by
 * 2 h |q_i - q_j|, or h width, at most unit eps d(i,j) (normal.c), or unit eps
 * R, times 2^shift; the scale of the selection is 4T 2^shift units.  Cutting an
 * answer or a score at 2^62 moves two of them no farther apart.
 */
#include "mwem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dx/plan/plan.h"
#include "dx/plan/upward.h"
#include "number/memory.h"
#include "random/meter.h"

#define UNIT ((int64_t)1 << 60)	/* 4T units at most */

/*
 * Room that a block takes in truth and guess: 0 and running sums over elements,
 * 0 and a marginal's cells, or one number for a dense query.
 */
static size_t
mwem_places(const struct workload *w, const struct block *b)
{
	if (b->kind == WORKLOAD_DENSE)
		return 1;
	if (b->kind == WORKLOAD_MARGINAL)
		return 1 + b->count;
	return 1 + w->n;
}

double
mwem_memory(const struct workload *w)
{
	double n = (double)w->n, bytes = 24 * n + 16 * (double)w->k;

	for (size_t b = 0; b < w->blocks; b++) {
		bytes += 16 * (double)mwem_places(w, &w->block[b]);
		if (w->block[b].kind == WORKLOAD_DENSE)
			bytes += 8 * n;
		if (w->block[b].kind == WORKLOAD_MARGINAL)
			bytes += 4 * n;
	}
	return bytes;
}

bool
mwem_budget(struct mwem *a)
{
	struct normal *q = a->q;
	uint64_t parts = (uint64_t)a->rounds;
	struct rational part, c;
	bool fit;

	if (!a->each)
		parts *= 2;
	a->pick.s = 0;
	free(a->noise);
	a->noise = err_alloc(NULL, q->entries, sizeof(*a->noise));
	if (!rational_make(&part, 1, (i128)parts << a->shift))
		return false;
	for (size_t e = 0; e < q->entries; e++) {
		c = q->c[e];
		if (c.num > 0 && (!upward_div(&c, c, part) ||
		    !plan_noise(c, 0, &a->noise[e]) || a->noise[e].s >> 62 > 0))
			return false;
	}
	fit = normal_multiply(q, a->total << a->shift, NORMAL_ANSWER, (UNIT >>
	    a->shift) / (int64_t)a->rounds);
	a->pick = (struct scale){ 4 * a->rounds * (uint64_t)q->unit <<
	    a->shift, 1 };
	return fit;
}

/* Exact answers of block b, in mwem_places. */
static void
block_answer(const struct mwem *a, size_t b, const int64_t *x, int64_t *to)
{
	const struct block *p = &a->q->w->block[b];
	bool dense = p->kind == WORKLOAD_DENSE;
	i128 sum = 0;

	for (size_t i = 0; i < a->q->w->n; i++)
		if (dense)
			sum += (2 * (i128)normal_at(a->q, b, i) -
			    a->q->block[b].width) * x[i];
		else
			to[mwem_place(p, i) + 1] += x[i];
	to[0] = fixed_clamp_wide(sum, -FIXED_MAX, FIXED_MAX);
	if (p->cell == NULL)
		for (size_t c = 1; c < mwem_places(a->q->w, p); c++)
			to[c] += to[c - 1];
}

static void
open_answers(struct mwem *a, const int64_t *x)
{
	const struct workload *w = a->q->w;
	size_t all = 0;

	a->at = err_alloc(NULL, w->blocks, sizeof(*a->at));
	for (size_t b = 0; b < w->blocks; b++) {
		a->at[b] = all;
		all += mwem_places(w, &w->block[b]);
	}
	a->truth = err_alloc(NULL, all, sizeof(*a->truth));
	a->guess = err_alloc(NULL, all, sizeof(*a->guess));
	for (size_t i = 0; i < w->n; i++)
		a->n += x[i];
	for (size_t b = 0; b < w->blocks; b++)
		block_answer(a, b, x, a->truth + a->at[b]);
}

void
mwem_open(struct mwem *a, const int64_t *x)
{
	size_t n = a->q->w->n;

	open_answers(a, x);
	a->mass = err_alloc(NULL, n + 1, sizeof(*a->mass));
	a->sum = err_alloc(NULL, n + 1, sizeof(*a->sum));
	a->score = err_alloc(NULL, a->q->live, sizeof(*a->score));
	a->past = err_alloc(NULL, a->rounds + 1, sizeof(*a->past));
	if (a->weigh)
		a->spread = normal_variance(a->q);
	mwem_restart(a);
}

void
mwem_restart(struct mwem *a)
{
	size_t n = a->q->w->n;

	a->done = 0;
	a->whole = (double)a->total;
	for (size_t i = 0; i < n; i++) {
		a->mass[i] = a->whole / (double)n;
		a->sum[i] = 0;
	}
}

/* A round's query: the next, the worst, or a bad one. */
static size_t
round_query(struct mwem *a, struct rng *r)
{
	size_t k = 0, n = a->q->live;

	if (a->each)
		return normal_live(a->q, a->done % n);
	mwem_scores(a);
	if (!a->exact)
		select_draw(r, &a->pick, a->kind, a->score, n, 1, &k);
	else
		for (size_t i = 1; i < n; i++)
			if (a->score[i] > a->score[k])
				k = i;
	return normal_live(a->q, k);
}

void
mwem_round(struct mwem *a, struct rng *r)
{
	size_t k = round_query(a, r), in, b = normal_find(a->q, k, &in);
	struct scale t = a->noise[normal_entry(a->q, b, in)];
	i128 m = mwem_truth(a, k);

	t.s *= 2;	/* the answer is taken twice */
	if (!a->exact)
		m = METER_NOISY(m + noise_laplace(r, &t), m, &t);
	mwem_learn(a, k, m);
}

void
mwem_result(const struct mwem *a, double *y)
{
	bool mean = a->paper && a->done > 0;

	for (size_t i = 0; i < a->q->w->n; i++)
		y[i] = mean ? a->sum[i] / (double)a->done : a->mass[i];
}

void
mwem_close(struct mwem *a)
{
	free(a->noise);
	free(a->spread);
	free(a->past);
	free(a->score);
	free(a->sum);
	free(a->mass);
	free(a->guess);
	free(a->truth);
	free(a->at);
}

/* --- answers of the data and of y, and the queries' scores --------------- */

/*
 * Prefixes and ranges come from running sums, a marginal from one pass over the
 * elements, as any query does.
 */

/* The sum of (q_i - low) y_i, in four independent sums. */
static double
dot(const int64_t *q, int64_t low, const double *y, size_t n)
{
	double s[4] = { 0, 0, 0, 0 };
	size_t i;

	for (i = 0; i + 4 <= n; i += 4)
		for (size_t j = 0; j < 4; j++)
			s[j] += (double)(q[i + j] - low) * y[i + j];
	for (; i < n; i++)
		s[0] += (double)(q[i] - low) * y[i];
	return s[0] + s[1] + s[2] + s[3];
}

static void
guess_block(struct mwem *a, size_t b)
{
	const struct block *p = &a->q->w->block[b];
	size_t n = a->q->w->n, places = mwem_places(a->q->w, p);
	double *to = a->guess + a->at[b];

	memset(to, 0, places * sizeof(*to));
	if (p->kind == WORKLOAD_DENSE)
		to[0] = dot(p->q, a->q->block[b].low, a->mass, n) /
		    (double)a->q->block[b].step;
	if (p->kind != WORKLOAD_DENSE)
		for (size_t i = 0; i < n; i++)
			to[mwem_place(p, i) + 1] += a->mass[i];
	if (p->cell == NULL)
		for (size_t c = 1; c < places; c++)
			to[c] += to[c - 1];
}

/* The exact answer of block b from the difference of two places. */
static i128
block_truth(const struct mwem *a, size_t b, size_t from, size_t to)
{
	const int64_t *x = a->truth + a->at[b];

	if (a->q->w->block[b].kind == WORKLOAD_DENSE)
		return x[0];
	return 2 * ((i128)x[to] - x[from]) - a->n;
}

/* The same of y, in the same parts of records. */
static double
block_guess(const struct mwem *a, size_t b, size_t from, size_t to)
{
	const double *y = a->guess + a->at[b];
	double all = (double)a->total, g;

	if (a->q->w->block[b].kind == WORKLOAD_DENSE)
		g = 2 * y[0] - all * (double)a->q->block[b].width;
	else
		g = 2 * (y[to] - y[from]) - all;
	return ldexp(g, (int)a->shift);
}

i128
mwem_truth(const struct mwem *a, size_t k)
{
	size_t to, from = 0, b = normal_find(a->q, k, &to);

	(void)workload_interval(a->q->w, k, &from, &to);
	return block_truth(a, b, from, to + 1);
}

/*
 * The distance of twice the centered answers, times half of the query's
 * multiplier, cut at 2^62.
 */
static int64_t
score(int64_t mult, i128 truth, double of_y)
{
	double g = of_y * (double)(mult / 2), most = (double)FIXED_MAX;
	i128 u;

	if (isnan(g))
		g = 0;
	u = truth * (mult / 2) - llrint(fmax(-most, fmin(g, most)));
	u = FIXED_MOST(u, -u);
	return (int64_t)FIXED_LEAST(u, FIXED_MAX);
}

/* Scores of a block's queries in order: ranges by their first element. */
static int64_t *
score_block(const struct mwem *a, size_t b, int64_t *to)
{
	const struct normal *q = a->q;
	const struct block *p = &q->w->block[b];
	size_t line = 0, first = 0, end = 1, e;

	if (p->kind == WORKLOAD_RANGE)
		line = workload_line(q->w);
	for (size_t in = 0; in < p->count; in++) {
		e = q->block[b].entry + (end - first - 1);
		if (q->entry[e].times > 0)
			*to++ = score(q->mult[e],
			    block_truth(a, b, first, end),
			    block_guess(a, b, first, end));
		if (end == line)
			end = ++first;
		end++;
	}
	return to;
}

void
mwem_scores(struct mwem *a)
{
	int64_t *to = a->score;

	for (size_t b = 0; b < a->q->w->blocks; b++) {
		guess_block(a, b);
		to = score_block(a, b, to);
	}
}
