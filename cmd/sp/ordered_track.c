/*
 * ordered_track: jumps along the line f = t', where the walk of ordered.c
 * turns at nearly every step.
 *
 * u and v count the records taken in on the right and on the left since the
 * jump began; then t' = t'_0 + (u - v) S and the window has k_0 + u + v.
 */
#include "ordered_runs.h"

#include <math.h>

/* The run's values beside the window, and how far each reaches. */
struct corner {
	const struct jumper *w;
	i128 left, right;		/* values of the two runs */
	uint64_t umax, vmax;		/* records of them still outside */
	uint64_t fixed;			/* the coordinate that does not vary */
};

uint64_t
jumper_first(const void *c, jumper_turn *pred, uint64_t max, double est)
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
	const struct jumper *w = c->w;
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
	const struct jumper *w = c->w;
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
track_mean(struct jumper *w)
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
		v = jumper_first(&c, column, v, ceil(root(&c, 1)));
	} else {
		c.fixed = v;
		u = jumper_first(&c, row, u, floor(root(&c, 0)) + 1);
	}
	jumper_place(w, w->l - v, w->r + u);
}

void
jumper_track(struct jumper *w)
{
	if (w->l == 0 || w->r == w->n)
		return;
	if (w->d->f->kind == ORDERED_QUANTILE)
		jumper_cycle(w);
	else if (w->d->f->alpha.num == 0)
		track_mean(w);
	else
		jumper_trimmed(w);
}
