/*
 * ordered_runs: sensitivity preprocessing for values with counts.
 *
 * Two kinds of jumps follow the path of ordered.c, and neither skips a decision
 * that could differ.
 *
 * Free: another record on the right never lowers f (the mean, trimmed or not,
 * takes in the largest value or drops the smallest; the quantile's place does
 * not move left) and raises the threshold on f by S.  So f >= t' at a window
 * answers the next floor((f - t') / S) windows as well; and likewise on the
 * left.  Near the line f = t' free jumps shrink to single steps, away from the
 * line the jumps grow in geometric progression.
 *
 * Tracking: along that line, where the walk turns at nearly every step; for the
 * quantile below, for means in ordered_trimmed.c.  In a jump u and v count the
 * records taken in on the right and on the left, so that t' = t'_0 + (u - v) S
 * and the window has k_0 + u + v.
 */
#include "number/sort.h"
#include "ordered_runs.h"

#define WORTH 16	/* records worth a jump */
#define LONG 256	/* steps between tries at most */

/* The sum of single values from..to - 1. */
static i128
sum_of(const int64_t *x, size_t from, size_t to)
{
	i128 sum = 0;

	for (; from < to; from++)
		sum += x[from];
	return sum;
}

/* Moves c to record `to' and returns the signed sum of the records passed. */
static i128
cursor_move(const struct ordered_data *d, struct cursor *c, uint64_t to)
{
	uint64_t stop, from = c->at;
	i128 sum = 0;

	if (d->before == NULL) {
		*c = (struct cursor){ to, to < d->n ? to : d->n - 1 };
		return sum_of(d->x, from, to) - sum_of(d->x, to, from);
	}
	while (c->at < to) {
		stop = d->before[c->run + 1];
		stop = FIXED_LEAST(stop, to);
		sum += (i128)(stop - c->at) * d->x[c->run];
		c->at = stop;
		c->run += stop == d->before[c->run + 1] && c->run + 1 < d->n;
	}
	while (c->at > to) {
		c->run -= c->at == d->before[c->run];
		stop = d->before[c->run];
		stop = FIXED_MOST(stop, to);
		sum -= (i128)(c->at - stop) * d->x[c->run];
		c->at = stop;
	}
	return sum;
}

/* The addend before the division that rounds a quantile up. */
static u128
round_up(const struct ordered *f)
{
	return f->kind == ORDERED_QUANTILE ? (u128)f->alpha.den - 1 : 0;
}

uint64_t
ordered_rank(const struct ordered *f, uint64_t k)
{
	u128 num = (u128)f->alpha.num, den = (u128)f->alpha.den, rest;
	struct wide up = { 0, round_up(f) };

	if (num >> 80 == 0)
		return (uint64_t)((num * k + up.lo) / den);
	return (uint64_t)wide_div(wide_add(wide_mul(num, k), up), den,
	    &rest).lo;
}

struct run_walk
run_walk_make(const struct ordered_data *d, uint64_t at, i128 m)
{
	struct run_walk w = { .d = d, .n = ordered_before(d, d->n), .l = at,
	    .r = at, .rest = round_up(d->f), .goal = 2 * m - 1 };

	cursor_move(d, &w.p, at);
	w.q = w.p;
	return w;
}

/* Differences mod 2^128 give the division's rest. */
void
run_walk_place(struct run_walk *w, uint64_t l, uint64_t r)
{
	const struct ordered *f = w->d->f;
	uint64_t rank = ordered_rank(f, r - l);

	w->l = l;
	w->r = r;
	w->rest = (u128)f->alpha.num * (r - l) + round_up(f) -
	    (u128)f->alpha.den * rank;
	if (f->kind == ORDERED_QUANTILE) {
		cursor_move(w->d, &w->p, l + rank - (rank > 0));
	} else {
		w->sum -= cursor_move(w->d, &w->p, l + rank);
		w->sum += cursor_move(w->d, &w->q, r - rank);
	}
	w->t2 = w->goal - ((i128)w->n - (i128)r - (i128)l) * 2 * f->sens;
}

/* The value that the cursor passes on the way to the next record. */
static inline int64_t
cursor_up(const struct ordered_data *d, struct cursor *c)
{
	int64_t x = d->x[c->run];

	c->at++;
	c->run += c->at == ordered_before(d, c->run + 1) && c->run + 1 < d->n;
	return x;
}

static inline int64_t
cursor_down(const struct ordered_data *d, struct cursor *c)
{
	c->run -= c->at == ordered_before(d, c->run);
	c->at--;
	return d->x[c->run];
}

/* Takes in the next record on the right or on the left. */
static inline void
run_walk_grow(struct run_walk *w, bool right)
{
	const struct ordered_data *d = w->d;
	i128 s2 = 2 * (i128)d->f->sens;
	bool more;

	w->rest += (u128)d->f->alpha.num;
	more = w->rest >= (u128)d->f->alpha.den;
	w->rest -= more ? (u128)d->f->alpha.den : 0;
	w->r += right;
	w->l -= !right;
	w->t2 += right ? s2 : -s2;
	if (d->f->kind == ORDERED_QUANTILE) {
		if (more && right)
			cursor_up(d, &w->p);
		else if (!more && !right)
			cursor_down(d, &w->p);
	} else if (more) {
		w->sum -= right ? cursor_up(d, &w->p) : cursor_down(d, &w->q);
	} else {
		w->sum += right ? cursor_up(d, &w->q) : cursor_down(d, &w->p);
	}
}

inline i128
run_walk_twice(const struct run_walk *w, i128 *den)
{
	bool quantile = w->d->f->kind == ORDERED_QUANTILE;

	*den = quantile ? 1 : (i128)(w->q.at - w->p.at);
	return 2 * (quantile ? (i128)w->d->x[w->p.run] : w->sum);
}

/*
 * How many windows, the present first, are certain to answer alike; positive
 * for yes.
 */
static i128
run_walk_decide(const struct run_walk *w)
{
	const struct ordered_data *d = w->d;
	i128 den, f2 = run_walk_twice(w, &den), t2, s2 = 2 * (i128)d->f->sens;

	t2 = values_clamp(w->t2, 2 * (i128)d->x[0] - 1,
	    2 * (i128)d->x[d->n - 1] + 1);
	if (f2 >= t2 * den)
		return (fixed_floor_div(f2, den) - w->t2) / s2 + 1;
	return -fixed_ceil_div(w->t2 - fixed_floor_div(f2, den), s2);
}

uint64_t
run_walk_first(const void *c, run_walk_turn *pred, uint64_t max, double est)
{
	uint64_t lo = 0, hi = max, j, step = 0;

	j = max;
	if (!(est > 0))
		j = 0;
	else if (est < (double)max)
		j = (uint64_t)est;
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
 * Jumps of the quantile's walk along its threshold.
 *
 * Write a for u - v, the net number of steps to the right; t' = t'_0 + a S
 * depends on a alone.  Where the walk keeps to the threshold, a returns to the
 * present value after every two steps.  Two cycles are jumped:
 *
 * lag 0: yes at a, no at a + 1, yes at a, ...
 * lag 1: no at a + 1 and yes at a - 1: then a comes back after two steps
 *	whatever the answers at a, always one or not.
 *
 * After j cycles the quantile's place in the window asked at a + 1 is l - j +
 * max(ceil(alpha (k + 2 j + 1)), 1) - 1, and similarly at a or a - 1.  As 2
 * alpha lies between 0 and 2, two more records move it by -1 or 0 when alpha <=
 * 1/2 and by 0 or 1 otherwise: the place drifts one way, and each answer, x >=
 * t' and x < t', turns at most once.  If the two hold in the first cycle, they
 * hold until the first turn and not again.
 */
struct cycle {
	const struct run_walk *w;
	uint64_t lag;
	uint64_t low, high;	/* yes from record low on, no before high */
};

/* The record at the quantile of [l, r). */
static uint64_t
run_walk_at(const struct cycle *c, uint64_t l, uint64_t r)
{
	uint64_t rank = ordered_rank(c->w->d->f, r - l);

	return l + rank - (rank > 0);
}

static bool
broken(const void *p, uint64_t j)
{
	const struct cycle *c = p;
	uint64_t l = c->w->l - j, r = c->w->r + j;

	return run_walk_at(c, l, r + 1) >= c->high ||
	    run_walk_at(c, l - c->lag, r) < c->low;
}

/* First record of value t2 / 2 or more; t2 is odd. */
static uint64_t
record(const struct run_walk *w, i128 t2)
{
	return ordered_before(w->d, sort_find(w->d->x, w->d->n,
	    fixed_ceil_div(t2, 2)));
}

/* After how many cycles the drift should end the jump. */
static double
run_walk_estimate(const struct cycle *c)
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
			j = run_walk_first(&c, broken, max,
			    run_walk_estimate(&c));
	}
	if (j > 0)
		run_walk_place(w, w->l - j, w->r + j);
}

bool
run_walk_track(struct run_walk *w)
{
	uint64_t k = w->r - w->l;

	if (w->l == 0 || w->r == w->n)
		return false;
	if (w->d->f->kind == ORDERED_QUANTILE)
		track_quantile(w);
	else
		run_walk_trimmed(w);
	return w->r - w->l - k > WORTH;
}

/*
 * Near the line a few steps on t' fits without being clamped.  A copy, so that
 * registers hold the window.
 */
bool
run_walk_steps(struct run_walk *window, uint64_t n, bool *yes)
{
	struct run_walk w = *window;
	i128 den, f2;

	for (; n > 0; n--) {
		f2 = run_walk_twice(&w, &den);
		*yes = f2 >= w.t2 * den;
		if (*yes ? w.r == w.n : w.l == 0)
			return false;
		run_walk_grow(&w, *yes);
	}
	*window = w;
	return true;
}

/*
 * Among single steps a jump is tried now and then; after each try in vain,
 * twice as many steps later.
 */
bool
ordered_walk(const struct ordered_data *d, i128 m)
{
	uint64_t n = ordered_before(d, d->n), wait = 1;
	uint64_t c = ordered_level_zero(d->f, n, m);
	struct run_walk w;
	i128 steps;
	bool yes;

	if (c == 0 || c == n + 1)
		return c != 0;
	w = run_walk_make(d, c - 1, m);
	run_walk_place(&w, c - 1, c);
	for (;;) {
		steps = run_walk_decide(&w);
		if (steps > (i128)(n - w.r) || -steps > (i128)w.l)
			return steps > 0;
		if (steps > 1) {
			run_walk_place(&w, w.l, w.r + (uint64_t)steps);
		} else if (steps < -1) {
			run_walk_place(&w, w.l - (uint64_t)-steps, w.r);
		} else {
			if (!run_walk_steps(&w, wait, &yes))
				return yes;
			wait = FIXED_LEAST(2 * wait, LONG);
			if (run_walk_track(&w))
				wait = 1;
		}
	}
}
