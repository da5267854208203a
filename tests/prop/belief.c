/*
 * belief: tables from noisy answers against their definitions, step by step:
 * counts of all cells, measurements of rounds, whole numbers.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dx/synth/evidence.h"
#include "dx/synth/synth.h"
#include "nearest.h"

#define CELLS 40

/* The table of counts h with variance v, as synth_hist.c describes it. */
static void
table_of(double *h, size_t n, double v, double total, double variance)
{
	struct evidence e = { (double)n - 1, 0, 0 };
	double sum = 0, mean, part, keep;

	for (size_t i = 0; i < n; i++)
		sum += h[i];
	if (variance > 0)	/* by the inverses of variances */
		total = fmax(0, (total / variance + sum / v / (double)n) /
		    (1 / variance + 1 / v / (double)n));
	mean = total / (double)n;
	for (size_t i = 0; i < n; i++) {
		h[i] += mean - sum / (double)n;
		e.noise += (h[i] - mean) * (h[i] - mean) / v;
		e.drawn += (h[i] - mean) * (h[i] - mean) / (v + mean);
	}
	part = evidence_part(&e, 3, evidence_chance(v, mean));
	keep = fmax(part, mean / (mean + v));
	for (size_t i = 0; i < n; i++)
		h[i] = mean + keep * (h[i] - mean);
	nearest(h, n, total);
}

Test(hist, a_table_is_the_nearest_to_what_is_believed_of_the_counts)
{
	struct rng r;

	rng_seeded(&r, 21, "hist");
	for (int run = 0; run < 300; run++) {
		size_t n = 2 + rng_below(&r, CELLS - 2);
		double h[CELLS], want[CELLS], v = 0.5 + (double)rng_below(&r,
		    300), total = (double)rng_below(&r, 2000);
		double variance = run % 3 ? (double)rng_below(&r, 900) : 0;

		for (size_t i = 0; i < n; i++)
			h[i] = want[i] = (double)rng_below(&r, run % 2 ? 60 :
			    300) - 20;
		table_of(want, n, v, total, variance);
		hist_fit(h, n, v, total, variance);
		for (size_t i = 0; i < n; i++)
			cr_assert_float_eq(h[i], want[i], 1e-9 * (1 + total),
			    "run %d: %g, not %g", run, h[i], want[i]);
	}
}

/* Queries with few and with many values, and their rounds. */
struct world {
	struct workload w;
	struct normal q;
	struct mwem a;
	int64_t x[CELLS];
	size_t n;
};

static void
open_world(struct world *s, struct mwem how, struct rng *r)
{
	int64_t q[CELLS];

	s->n = 3 + rng_below(r, CELLS - 3);
	s->w = (struct workload){ .n = s->n };
	for (int k = 0; k < 6; k++) {
		for (size_t i = 0; i < s->n; i++)
			q[i] = (int64_t)rng_below(r, k < 3 ? 2 : 20);
		q[0] = 0;
		q[1] = 1;
		workload_dense(&s->w, q, k % 2);
	}
	workload_runs(&s->w, WORKLOAD_PREFIX);
	normal_open(&s->q, &s->w);
	for (size_t b = 0; b < s->w.blocks; b++)
		for (size_t e = 0; e < s->q.block[b].entries; e++)
			s->q.c[s->q.block[b].entry + e] = (struct rational){
			    s->q.block[b].width, 1 + (i128)(e % 3) };
	s->a = how;
	s->a.q = &s->q;
	for (size_t i = 0; i < s->n; i++)
		s->a.total += (uint64_t)(s->x[i] = (int64_t)rng_below(r, 30));
	s->a.total += s->a.total == 0;
	cr_assert(mwem_budget(&s->a));
	mwem_open(&s->a, s->x);
}

static void
close_world(struct world *s)
{
	mwem_close(&s->a);
	normal_close(&s->q);
	workload_free(&s->w);
}

/* Query k's coefficient from 0 to 1. */
static double
part_of(const struct world *s, size_t k, size_t i)
{
	size_t in, b = normal_find(&s->q, k, &in);

	return (double)(workload_at(&s->w, k, i) - s->q.block[b].low) /
	    (double)(s->q.block[b].step * s->q.block[b].width);
}

/* The mean of query k over equal counts, and the mean squared distance. */
static double
even(const struct world *s, size_t k, double *square)
{
	double mean = 0;

	for (size_t i = 0; i < s->n; i++)
		mean += part_of(s, k, i) / (double)s->n;
	*square = 0;
	for (size_t i = 0; i < s->n; i++)
		*square += pow(part_of(s, k, i) - mean, 2) / (double)s->n;
	return mean;
}

/* Measurements m of queries k: the believed parts, as mwem_learn.c has them. */
static void
believed(const struct world *s, const size_t *k, const i128 *m, size_t n,
    double *goal)
{
	double total = (double)s->a.total, off[8], mean[8], v[8], share[8];
	double noise = 0, drawing = 0, rate = 0, part, odds, chance;
	struct evidence e = { (double)n, 0, 0 };

	for (size_t t = 0; t < n; t++) {
		size_t in, b = normal_find(&s->q, k[t], &in);
		double width = (double)s->q.block[b].width, square;
		struct scale *c = &s->a.noise[normal_entry(&s->q, b, in)];

		share[t] = even(s, k[t], &square);
		mean[t] = total * square * width * width;
		v[t] = 2 * pow((double)c->s / (double)c->r, 2);
		off[t] = ((double)m[t] + width * total) / 2 - share[t] *
		    width * total;
		e.noise += off[t] * off[t] / v[t];
		e.drawn += off[t] * off[t] / (v[t] + mean[t]);
		rate += pow(share[t] * width * total, 2) / (v[t] + mean[t]) /
		    (double)n;
		noise += v[t];
		drawing += mean[t];
	}
	odds = exp(evidence_odds(&e, rate, &part));
	chance = odds / (odds + sqrt(1 + noise / drawing));
	for (size_t t = 0; t < n; t++) {
		size_t in, b = normal_find(&s->q, k[t], &in);

		goal[t] = share[t] + fmax(part * chance, mean[t] / (mean[t] +
		    v[t])) * off[t] / total / (double)s->q.block[b].width;
	}
}

Test(mwem, measurements_are_believed_as_far_as_they_say_more_than_noise)
{
	struct rng r;

	rng_seeded(&r, 22, "believe");
	for (int run = 0; run < 120; run++) {
		struct world s;
		double goal[8];
		size_t k[8];
		i128 m[8];

		open_world(&s, (struct mwem){ .rounds = 8, .weigh = true,
		    .replays = 3 }, &r);
		for (size_t t = 0; t < 8; t++) {
			k[t] = normal_live(&s.q, rng_below(&r, s.q.live));
			m[t] = mwem_truth(&s.a, k[t]) + (int64_t)rng_below(&r,
			    run % 2 ? 5 : 400) - (run % 2 ? 2 : 200);
			mwem_learn(&s.a, k[t], m[t]);
			believed(&s, k, m, t + 1, goal);
			for (size_t i = 0; i <= t; i++)
				cr_assert_float_eq(s.a.past[i].goal, goal[i],
				    1e-9 * (1 + fabs(goal[i])),
				    "run %d: %g, not %g", run,
				    s.a.past[i].goal, goal[i]);
		}
		close_world(&s);
	}
}

/*
 * Half a record from the ends, or an eighth of the answer of equal counts where
 * this is nearer.
 */
Test(mwem, measurements_beyond_all_answers_stand_for_one_just_inside)
{
	struct rng r;

	rng_seeded(&r, 23, "inside");
	for (int run = 0; run < 200; run++) {
		double y[CELLS], part = 0, want, share, square, total;
		size_t k, in, b;
		struct world s;
		i128 m;

		open_world(&s, (struct mwem){ .rounds = 1, .replays =
		    run % 2 }, &r);
		k = normal_live(&s.q, rng_below(&r, s.q.live));
		b = normal_find(&s.q, k, &in);
		s.a.total = run % 5 ? s.a.total : 1 + (uint64_t)run % 3;
		total = (double)s.a.total;
		m = (i128)s.q.block[b].width * (i128)s.a.total;
		m = (run % 4 < 2 ? m : -m) * (run % 3 ? 1 : 3);
		mwem_learn(&s.a, k, m);
		mwem_result(&s.a, y);
		share = even(&s, k, &square);
		for (size_t i = 0; i < s.n; i++)
			part += part_of(&s, k, i) * y[i] / total;
		want = m > 0 ? 1 - fmin(0.5 / total, (1 - share) / 8) :
		    fmin(0.5 / total, share / 8);
		cr_assert_float_eq(part, want, 1e-9, "run %d: %g, not %g", run,
		    part, want);
		close_world(&s);
	}
}

/* -- whole numbers */

static double
loss(const struct world *s, const double *y, const i128 *count)
{
	double sum = 0, off;

	for (size_t k = 0; k < s->w.k; k++) {
		off = 0;
		for (size_t i = 0; i < s->n; i++)
			off += part_of(s, k, i) * ((double)count[i] - y[i]);
		sum += off * off;
	}
	return sum;
}

/* Sixteen pairs of each cell, one rounded up and one down: the better way. */
static void
exchange(const struct world *s, const double *y, const size_t *order,
    i128 *count)
{
	for (size_t at = 0; at < 16 * s->n; at++) {
		size_t i = order[at % s->n], j = order[(at + at / s->n + 1) %
		    s->n];
		double before = loss(s, y, count);
		int way = (double)count[i] < y[i] && (double)count[j] > y[j] ?
		    1 : (double)count[i] > y[i] && (double)count[j] < y[j] ?
		    -1 : 0;

		count[i] += way;
		count[j] -= way;
		if (loss(s, y, count) >= before) {
			count[i] -= way;
			count[j] += way;
		}
	}
}

static void
open_dense(struct world *s, struct synth *to, size_t n, size_t k,
    struct rng *r)
{
	int64_t q[CELLS];

	s->n = n;
	s->w = (struct workload){ .n = n };
	for (size_t b = 0; b < k; b++) {
		for (size_t i = 0; i < n; i++)
			q[i] = (int64_t)rng_below(r, 9) * 3 - 5;
		q[0] = 19;	/* a width of 8: all sums are exact */
		q[1] = -5;
		q[2] = -2;
		workload_dense(&s->w, q, 1);
	}
	normal_open(&s->q, &s->w);
	*to = (struct synth){ .u = { .n = n, .w = s->w }, .q = s->q,
	    .opts.digits = -1 };
}

Test(synth, cells_change_their_rounding_where_answers_come_nearer)
{
	struct rng r;
	int changed = 0;

	rng_seeded(&r, 24, "nearer");
	for (int run = 0; run < 100; run++) {
		i128 count[CELLS], want[CELLS];
		size_t order[CELLS], n = 4 + rng_below(&r, 12);
		double y[CELLS];
		struct world s;
		struct synth of;

		open_dense(&s, &of, n, 1 + rng_below(&r, 4), &r);
		for (size_t i = 0; i < n; i++) {
			order[i] = (i * 3 + 1) % n;
			if (n % 3 == 0)
				order[i] = n - 1 - i;
			y[i] = (double)rng_below(&r, 1000) / 64;
			count[i] = want[i] = (i128)floor(y[i]) + rng_below(&r,
			    2);
		}
		exchange(&s, y, order, want);
		changed += memcmp(count, want, n * sizeof(*count)) != 0;
		synth_nearer(&of, y, order, count);
		cr_assert_arr_eq(count, want, n * sizeof(*count), "run %d",
		    run);
		normal_close(&s.q);
		workload_free(&s.w);
	}
	cr_assert_gt(changed, 80);
}

Test(synth, whole_counts_add_up_and_prefixes_are_off_by_half)
{
	struct rng r;

	rng_seeded(&r, 25, "round");
	for (int run = 0; run < 200; run++) {
		size_t n = 3 + rng_below(&r, CELLS - 3);
		double y[CELLS], sum = 0, run_y = 0, unit;
		i128 count[CELLS], all = 0;
		struct world s;
		struct synth of;

		open_dense(&s, &of, n, 2, &r);
		if (run % 2)
			workload_runs(&of.u.w, WORKLOAD_PREFIX);
		of.rng = r;
		of.opts.digits = run % 5 - 1;
		unit = (double)fixed_pow10(synth_digits(&of));
		for (size_t i = 0; i < n; i++)
			sum += y[i] = (double)rng_below(&r, 4000) / 64;
		y[n - 1] += ceil(sum) - sum;
		sum = ceil(sum) * unit;
		synth_round(&of, y, count);
		for (size_t i = 0; i < n; i++) {
			double step = y[i] * unit;

			all += count[i];
			run_y += step;
			cr_assert(fabs((double)count[i] - step) < 1 + 1e-9);
			if (run % 2)
				cr_assert_leq(fabs((double)all - run_y), 0.5 +
				    1e-6);
		}
		cr_assert_eq((double)all, sum);
		normal_close(&s.q);
		workload_free(run % 2 ? &of.u.w : &s.w);
	}
}
