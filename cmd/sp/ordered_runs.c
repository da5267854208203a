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
 * Tracking: along that line, below.
 */
#include "ordered_runs.h"

#include <math.h>
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
run_walk_place(struct run_walk *w, uint64_t l, uint64_t r)
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
decide(const struct run_walk *w)
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

/*
 * Jumps along the line f = t', where the walk of ordered.c
 * turns at nearly every step.
 *
 * u and v count the records taken in on the right and on the left since the
 * jump began; then t' = t'_0 + (u - v) S and the window has k_0 + u + v.
 */

/* The values of the runs beside the window. */
struct corner {
	const struct run_walk *w;
	i128 left, right;
	uint64_t fixed;			/* the coordinate that does not vary */
};

uint64_t
run_walk_first(const void *c, run_walk_turn *pred, uint64_t max, double est)
{
	uint64_t lo = 0, hi = max, j, step = 0;

	j = est > 0 ? est < (double)max ? (uint64_t)est : max : 0;
	while (lo < hi) {
		if (step > (hi - lo) / 2)
			j = lo + (hi - lo) / 2;
		if (j >= hi)
			j = hi - 1;
		if (pred(c, j)) {
			hi = j;
			j = hi - lo > step ? hi - 1 - step : lo;
		} else {
			lo = j + 1;
			j = lo + step;
		}
		step = 2 * step + 1;
	}
	return lo;
}

/*
 * Mean.  In the rectangle of two runs x_a, x_b the sign of
 *	D(u, v) = sum + u x_b + v x_a - t' k = D(0, 0) + A(u) + B(v),
 *	A(u) = u (x_b - t'_0 - k_0 S) - S u^2, concave,
 *	B(v) = v (x_a - t'_0 + k_0 S) + S v^2, convex,
 * decides.  When A falls and B rises from the start they do so throughout,
 * and the path is a staircase along D = 0: in column u it rises to the first
 * v with D >= 0, which does not fall with u.  It leaves the rectangle through
 * the right side when D >= 0 at the far corner, at the first such v of the
 * last column, else through the top, at the first u with D < 0 of the last
 * row.  D itself is formed only for t' clamped to the hull of the data.
 */
static bool
reaches(const struct corner *c, uint64_t u, uint64_t v)
{
	const struct run_walk *w = c->w;
	const struct ordered_data *d = w->d;
	i128 t2, sum, k = (i128)(w->r - w->l) + (i128)u + (i128)v;

	t2 = w->t2 + ((i128)u - (i128)v) * 2 * d->f->sens;
	t2 = ordered_clamp(t2, 2 * (i128)d->x[0] - 1,
	    2 * (i128)d->x[d->n - 1] + 1);
	sum = w->sum + (i128)u * c->right + (i128)v * c->left;
	return 2 * sum >= t2 * k;
}

static bool
column(const void *p, uint64_t v)
{
	const struct corner *c = p;

	return reaches(c, c->fixed, v);
}

static bool
row(const void *p, uint64_t u)
{
	const struct corner *c = p;

	return !reaches(c, u, c->fixed);
}

/* Root of the fixed column's (side 1) or row's parabola, roughly. */
static double
root(const struct corner *c, int side)
{
	const struct run_walk *w = c->w;
	double s2 = 2 * (double)w->d->f->sens, z = (double)c->fixed, c0, c1;
	double k = (double)(w->r - w->l) + z, t2, sum = (double)w->sum;

	t2 = (double)w->t2 + (side ? s2 * z : -s2 * z);
	sum += z * (double)(side ? c->right : c->left);
	c0 = t2 * k - 2 * sum;
	c1 = 2 * (double)(side ? c->left : c->right) - t2;
	if (!side) {
		c0 = -c0;
		c1 = -c1;
	}
	c1 += s2 * k;
	return 2 * c0 / (c1 + sqrt(fmax(c1 * c1 + 4 * s2 * c0, 0)));
}

static void
track_mean(struct run_walk *w)
{
	const struct ordered_data *d = w->d;
	size_t a = w->p.run - (w->l == d->before[w->p.run]);
	struct corner c = { .w = w, .left = d->x[a], .right = d->x[w->q.run] };
	i128 rise = (i128)(w->r - w->l + 1) * 2 * d->f->sens;
	uint64_t u, v;

	if (2 * c.right - w->t2 >= rise || w->t2 - 2 * c.left >= rise)
		return;
	u = d->before[w->q.run + 1] - w->r;
	v = w->l - d->before[a];
	if (reaches(&c, u, v)) {
		c.fixed = u;
		v = run_walk_first(&c, column, v, ceil(root(&c, 1)));
	} else {
		c.fixed = v;
		u = run_walk_first(&c, row, u, floor(root(&c, 0)) + 1);
	}
	run_walk_place(w, w->l - v, w->r + u);
}

/*
 * Jumps of the quantile's walk along its threshold.
 *
 * Write a for u - v, the net number of steps to the right; t' = t'_0 + a S
 * depends on nothing else.  Where the walk keeps to its threshold, a returns
 * to its present value after every two steps.  Two such cycles are jumped:
 *
 * lag 0: yes at a, no at a + 1, yes at a, ...
 * lag 1: no at a + 1 and yes at a - 1: then a comes back after two steps
 *	whatever is answered at a, be it always the same or not.
 *
 * After j cycles the quantile's place in the window that is asked at a + 1 is
 * l - j + max(ceil(alpha (k + 2 j + 1)), 1) - 1, and similarly at a or a - 1.
 * As 2 alpha lies between 0 and 2, two more records move it by -1 or 0 when
 * alpha <= 1/2 and by 0 or 1 otherwise: it drifts one way, and each of the two
 * answers, x >= t' and x < t', turns at most once.  If both hold in the first
 * cycle, they hold until one turns and not again.
 */
struct cycle {
	const struct run_walk *w;
	uint64_t lag;
	uint64_t low, high;	/* yes from record low on, no before high */
};

/* Record of the quantile of [l, r). */
static uint64_t
place(const struct cycle *c, uint64_t l, uint64_t r)
{
	uint64_t rank = ordered_rank(c->w->d->f, r - l);

	return l + rank - (rank > 0);
}

static bool
broken(const void *p, uint64_t j)
{
	const struct cycle *c = p;
	uint64_t l = c->w->l - j, r = c->w->r + j;

	return place(c, l, r + 1) >= c->high ||
	    place(c, l - c->lag, r) < c->low;
}

/* First record of value t2 / 2 or more; t2 is odd. */
static uint64_t
record(const struct run_walk *w, i128 t2)
{
	return w->d->before[ordered_find(w->d, fixed_ceil_div(t2, 2))];
}

/* The number of cycles after which the drift should end them. */
static double
estimate(const struct cycle *c)
{
	struct rational a = c->w->d->f->alpha;
	double drift = 2 * rational_real(a) - 1;
	double at = (double)c->w->p.at, max = 0x1p41;

	if (drift > 0)
		return ((double)c->high - at) / drift;
	return drift < 0 ? ((double)c->low - at) / drift : max;
}

static void
track_quantile(struct run_walk *w)
{
	i128 s2 = 2 * (i128)w->d->f->sens;
	uint64_t j = 0, max = w->n - w->r;
	struct cycle c = { .w = w };

	if (max > w->l)
		max = w->l;
	c.high = record(w, w->t2 + s2);
	for (c.lag = 0; c.lag < 2 && j == 0; c.lag++) {
		c.low = record(w, c.lag ? w->t2 - s2 : w->t2);
		if (max > 0 && !broken(&c, 0))
			j = run_walk_first(&c, broken, max, estimate(&c));
	}
	if (j > 0)
		run_walk_place(w, w->l - j, w->r + j);
}

static void
track(struct run_walk *w)
{
	if (w->l == 0 || w->r == w->n)
		return;
	if (w->d->f->kind == ORDERED_QUANTILE)
		track_quantile(w);
	else if (w->d->f->alpha.num == 0)
		track_mean(w);
	else
		run_walk_trimmed(w);
}

bool
run_walk_step(struct run_walk *w)
{
	bool yes = decide(w) > 0;

	if (yes ? w->r == w->n : w->l == 0)
		return false;
	if (yes)
		run_walk_place(w, w->l, w->r + 1);
	else
		run_walk_place(w, w->l - 1, w->r);
	return true;
}

bool
ordered_jump(const struct ordered_data *d, i128 m)
{
	struct run_walk w = { .d = d, .n = d->before[d->n], .goal = 2 * m - 1 };
	uint64_t c = ordered_level_zero(d->f, w.n, m);
	i128 steps;

	if (c == 0 || c == w.n + 1)
		return c != 0;
	cursor_move(d, &w.p, c - 1);
	w.q = w.p;
	run_walk_place(&w, c - 1, c);
	for (;;) {
		steps = decide(&w);
		if (steps > (i128)(w.n - w.r))
			return true;
		if (-steps > (i128)w.l)
			return false;
		if (steps > 0)
			run_walk_place(&w, w.l, w.r + (uint64_t)steps);
		else
			run_walk_place(&w, w.l - (uint64_t)-steps, w.r);
		if (steps == 1 || steps == -1)
			track(&w);
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
