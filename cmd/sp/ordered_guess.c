/*
 * ordered_guess: ordered_hint for the trimmed mean and the quantile.
 *
 * Trimmed mean: as alpha records of its c enter or leave on one side for
 * 1 - alpha on the other, one more record on the right moves f by about
 * ((1 - alpha) (x_last - f) + alpha (f - x_first)) / c with x_first .. x_last
 * the untrimmed values.  The window where this falls to S, and likewise on the
 * left, is looked for from the whole data down.
 *
 * Quantile: its steps follow the gaps of the data and settle nowhere; looked
 * at are the smallest payoff of windows that begin with the first record and
 * the largest of those that end with the last, of half the data at least.
 */
#include "ordered_runs.h"

/* What a record on the right (side 1) or left adds to F or takes, about. */
static double
excess(const struct jumper *w, int side)
{
	const struct ordered_data *d = w->d;
	size_t last = w->q.run - (w->q.at == ordered_before(d, w->q.run));
	double a = (double)d->f->alpha.num / (double)d->f->alpha.den;
	double c = (double)(w->q.at - w->p.at), f = (double)w->sum / c;
	double low = f - (double)d->x[w->p.run];
	double high = (double)d->x[last] - f;

	return (side ? (1 - a) * high + a * low : (1 - a) * low + a * high) -
	    (double)d->f->sens * c;
}

/* The payoff of the present window, rounded. */
static i128
payoff(const struct jumper *w)
{
	i128 c = (i128)(w->q.at - w->p.at), f2 = 2 * w->sum;

	if (w->d->f->kind == ORDERED_QUANTILE) {
		c = 1;
		f2 = 2 * (i128)w->d->x[w->p.run];
	}
	return fixed_floor_div(f2 + c, 2 * c) +
	    ((i128)w->n - (i128)w->r - (i128)w->l) * w->d->f->sens;
}

static void
runs(struct jumper *w, size_t i, size_t j)
{
	jumper_place(w, ordered_before(w->d, i), ordered_before(w->d, j));
}

/* Drops runs in strides, then takes back what went too far. */
static void
shrink(struct jumper *w)
{
	size_t i = 0, j = w->d->n, stride = j / 1024 + 1, back;
	double left, right;

	for (runs(w, i, j); j - i > 2 * stride; runs(w, i, j)) {
		left = excess(w, 0);
		right = excess(w, 1);
		if (left <= 0 && right <= 0)
			break;
		if (left > right)
			i += stride;
		else
			j -= stride;
	}
	for (back = stride; back > 0 && j < w->d->n; back--) {
		runs(w, i, j + 1);
		if (excess(w, 1) > 0)
			break;
		j++;
	}
	for (back = stride; back > 0 && i > 0; back--) {
		runs(w, i - 1, j);
		if (excess(w, 0) > 0)
			break;
		i--;
	}
	runs(w, i, j);
}

/*
 * Between changes of the quantile's run a window from 0 on only loses payoff
 * with r, so only the last r before a change can be smallest: the largest k
 * with ceil(alpha k) records up to the end of a run.
 */
static i128
lowest(struct jumper *w)
{
	struct rational a = w->d->f->alpha;
	i128 best, k;
	size_t i;

	jumper_place(w, 0, w->n);
	best = payoff(w);
	for (i = w->p.run; i-- > 0 && a.num > 0 && a.den <= FIXED_MAX;) {
		k = fixed_floor_div((i128)ordered_before(w->d, i + 1) * a.den,
		    a.num);
		if (k < (i128)w->n / 2)
			break;
		jumper_place(w, 0, (uint64_t)k);
		if (payoff(w) < best)
			best = payoff(w);
	}
	return best;
}

/* The same from the other end: 1 - alpha of the records are above. */
static i128
highest(struct jumper *w)
{
	struct rational a = w->d->f->alpha;
	i128 best, k, above;
	size_t i;

	jumper_place(w, 0, w->n);
	best = payoff(w);
	above = a.den - a.num;
	for (i = w->p.run + 1; i < w->d->n && above > 0 &&
	    a.den <= FIXED_MAX; i++) {
		/* The largest k with k - ceil(alpha k) still above run i. */
		k = (i128)(w->n - ordered_before(w->d, i));
		k = fixed_ceil_div(k * a.den, above) - 1;
		if (k < (i128)w->n / 2)
			break;
		k = k < (i128)w->n ? k : (i128)w->n;
		jumper_place(w, w->n - (uint64_t)k, w->n);
		if (payoff(w) > best)
			best = payoff(w);
	}
	return best;
}

int
ordered_guess(const struct ordered_data *d, i128 *hint)
{
	struct jumper w = { .d = d, .n = ordered_before(d, d->n) };

	if (d->f->kind == ORDERED_QUANTILE) {
		hint[0] = lowest(&w);
		hint[1] = highest(&w);
		return 2;
	}
	shrink(&w);
	hint[0] = payoff(&w);
	return 1;
}
