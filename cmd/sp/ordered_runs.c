/*
 * ordered_runs: sensitivity preprocessing of values with counts.
 *
 * The path of ordered.c is followed in two kinds of jumps, neither of which
 * skips a decision that could differ.
 *
 * Free: one more record on the right never lowers f (the mean, trimmed or not,
 * takes in a value that is at least all others or drops its smallest; the
 * quantile's place does not move left) and raises the threshold on f by S.  So
 * f >= t' at a window answers the next floor((f - t') / S) windows as well;
 * and in the same way on the left.  Near the line f = t' these jumps shrink to
 * single steps, away from it they grow in geometric progression.
 *
 * Tracking: along that line, ordered_track.c.
 */
#include "ordered_runs.h"

#include <stdlib.h>

/* Moves c to record `to' and returns the signed sum of what it passes. */
static i128
cursor_move(const struct ordered_data *d, struct cursor *c, uint64_t to)
{
	uint64_t stop;
	i128 sum = 0;

	while (c->at < to) {
		stop = ordered_before(d, c->run + 1);
		stop = stop < to ? stop : to;
		sum += (i128)(stop - c->at) * d->x[c->run];
		c->at = stop;
		if (stop == ordered_before(d, c->run + 1) && c->run + 1 < d->n)
			c->run++;
	}
	while (c->at > to) {
		if (c->at == ordered_before(d, c->run))
			c->run--;
		stop = ordered_before(d, c->run);
		stop = stop > to ? stop : to;
		sum -= (i128)(c->at - stop) * d->x[c->run];
		c->at = stop;
	}
	return sum;
}

void
jumper_place(struct jumper *w, uint64_t l, uint64_t r)
{
	const struct ordered *f = w->d->f;
	uint64_t rank = 0;

	w->l = l;
	w->r = r;
	if (f->alpha.num != 0)
		rank = ordered_rank(f, r - l);
	if (f->kind == ORDERED_QUANTILE) {
		cursor_move(w->d, &w->p, l + rank - (rank > 0));
	} else {
		w->sum -= cursor_move(w->d, &w->p, l + rank);
		w->sum += cursor_move(w->d, &w->q, r - rank);
	}
	w->t2 = w->goal - ((i128)w->n - (i128)r - (i128)l) * 2 * f->sens;
}

/*
 * The number of windows, this one first, that are certain to answer alike;
 * positive for yes.
 */
static i128
decide(const struct jumper *w)
{
	const struct ordered_data *d = w->d;
	i128 den = 1, f2, t2, s2 = 2 * (i128)d->f->sens;

	t2 = ordered_clamp(w->t2, 2 * (i128)d->x[0] - 1,
	    2 * (i128)d->x[d->n - 1] + 1);
	if (d->f->kind == ORDERED_QUANTILE) {
		f2 = 2 * (i128)d->x[w->p.run];
	} else {
		den = (i128)(w->q.at - w->p.at);
		f2 = 2 * w->sum;
	}
	/* Mostly a single step, without a division. */
	if (t2 == w->t2 && f2 >= t2 * den && f2 < (t2 + s2) * den)
		return 1;
	if (t2 == w->t2 && f2 < t2 * den && f2 >= (t2 - s2) * den)
		return -1;
	if (f2 >= t2 * den)
		return (fixed_floor_div(f2, den) - w->t2) / s2 + 1;
	return -fixed_ceil_div(w->t2 - fixed_floor_div(f2, den), s2);
}

bool
ordered_jump(const struct ordered_data *d, i128 m)
{
	struct jumper w = { .d = d, .n = d->before[d->n], .goal = 2 * m - 1 };
	uint64_t c = ordered_level_zero(d->f, w.n, m);
	i128 steps;

	if (c == 0 || c == w.n + 1)
		return c != 0;
	cursor_move(d, &w.p, c - 1);
	w.q = w.p;
	jumper_place(&w, c - 1, c);
	for (;;) {
		steps = decide(&w);
		if (steps > (i128)(w.n - w.r))
			return true;
		if (-steps > (i128)w.l)
			return false;
		if (steps > 0)
			jumper_place(&w, w.l, w.r + (uint64_t)steps);
		else
			jumper_place(&w, w.l - (uint64_t)-steps, w.r);
		if (steps == 1 || steps == -1)
			jumper_track(&w);
	}
}

/* The records of the middle of [l, r). */
static i128
middles(const struct ordered_data *d, struct cursor *a, struct cursor *b,
    uint64_t l, uint64_t r)
{
	cursor_move(d, a, l + (r - l - 1) / 2);
	cursor_move(d, b, l + (r - l) / 2);
	return (i128)d->x[a->run] + d->x[b->run];
}

/*
 * The pass of ordered.c; while both middles stay in one run the median does
 * not change, of its limits the first is the tightest, and the steps are
 * taken at once.
 */
static int64_t
median(const struct ordered_data *d)
{
	i128 lo = -((i128)1 << 120), hi = (i128)1 << 120, shift = 0, med;
	i128 c2 = 2 * (i128)d->f->center, s2 = 2 * (i128)d->f->sens;
	uint64_t n = d->before[d->n], l = 0, r = n, k, steps;
	struct cursor a = { 0, 0 }, b = { 0, 0 };

	while (l < r && lo < hi) {
		med = middles(d, &a, &b, l, r);
		k = r - l;
		steps = 1;
		/* The middle moves by half a record a step. */
		if (a.run == b.run && med >= c2)
			steps += 2 * (a.at - d->before[a.run]);
		else if (a.run == b.run)
			steps += 2 * (d->before[a.run + 1] - 1 - b.at);
		steps = steps < k ? steps : k;
		if (med >= c2) {
			hi = ordered_clamp(med + shift, lo, hi);
			shift += s2 * (i128)steps;
			r -= steps;
		} else {
			lo = ordered_clamp(med + shift, lo, hi);
			shift -= s2 * (i128)steps;
			l += steps;
		}
		if (l > 0 && r < n) {
			shift += (r - l) % 2 == 0 ? 0 : med >= c2 ? -s2 : s2;
			break;
		}
	}
	med = ordered_clamp(c2 + shift, lo, hi);
	return (int64_t)fixed_floor_div(med + 1, 2);
}

bool
ordered_weighted(const struct ordered *f, const int64_t *x, const uint64_t *w,
    size_t m, int64_t *value)
{
	struct ordered_data d = { .f = f, .x = x, .n = m };
	uint64_t *before;
	size_t i;

	if (m == 0) {
		*value = f->center;
		return true;
	}
	before = malloc((m + 1) * sizeof(*before));
	if (before == NULL)
		return false;
	for (before[0] = 0, i = 0; i < m; i++)
		before[i + 1] = before[i] + w[i];
	d.before = before;
	if (f->kind == ORDERED_MEDIAN)
		*value = median(&d);
	else
		*value = ordered_search(&d, ordered_jump);
	free(before);
	return true;
}
