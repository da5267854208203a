/*
 * ordered_hint: where to look for g first.
 *
 * The walk of a threshold t follows the line F(l, r) = t for as long as a
 * record more on the right lowers F and one more on the left raises it.  The
 * walks just above and just below g part at a window where this ends: F is
 * smallest over r and largest over l there, which for the mean says that the
 * k records of the window are those within about k S of their own mean.  Such
 * windows are looked for from center up and from the data down, the whole and
 * the parts on either side of center; the empty window at center is one too.
 * None need be the right one, so its payoff is only a hint; but the right one
 * is met nearly always, and two walks then confirm it.
 */
#include "ordered_runs.h"

struct piece {
	const struct ordered_data *d;
	size_t l, r;
	i128 k, sum;
};

static i128
weight(const struct ordered_data *d, size_t i)
{
	return d->before == NULL ? 1 :
	    (i128)(d->before[i + 1] - d->before[i]);
}

/* The payoff of a window, rounded. */
static i128
payoff(const struct piece *s)
{
	const struct ordered_data *d = s->d;
	i128 shift = (i128)ordered_before(d, d->n) -
	    (i128)ordered_before(d, s->l) - (i128)ordered_before(d, s->r);
	i128 f = d->f->center;

	if (s->k > 0)
		f = fixed_floor_div(2 * s->sum + s->k, 2 * s->k);
	return f + shift * d->f->sens;
}

static i128
middle(const struct piece *s)
{
	return s->k > 0 ? s->sum / s->k : s->d->f->center;
}

/* By how much the last run (with side 1) or the first raises or lowers F. */
static i128
excess(const struct piece *s, i128 mean, i128 k, int side)
{
	size_t i = side ? s->r - 1 : s->l;
	i128 far = side ? s->d->x[i] - mean : mean - s->d->x[i];

	return far - (k - weight(s->d, i)) * s->d->f->sens;
}

/*
 * Drops runs that raise F on the right or lower it on the left, the worst
 * ones first because they spoil the mean for the others.
 */
static void
shrink(struct piece *s)
{
	i128 mean, k, worst, e;
	size_t i;

	while (s->r - s->l > 1) {
		mean = middle(s);
		k = s->k;
		worst = excess(s, mean, k, 0);
		e = excess(s, mean, k, 1);
		if (worst < e)
			worst = e;
		if (worst <= 0)
			break;
		for (int side = 0; side < 2; side++)
			while (s->r - s->l > 1 &&
			    excess(s, mean, k, side) > worst / 2) {
				i = side ? --s->r : s->l++;
				s->k -= weight(s->d, i);
				s->sum -= weight(s->d, i) * s->d->x[i];
			}
	}
}

/* Takes in runs that lower F on the right or raise it on the left. */
static void
grow(struct piece *s)
{
	const int64_t *x = s->d->x;
	i128 mean, w, k, sens = s->d->f->sens, old;

	do {
		mean = middle(s);
		old = k = s->k;
		for (; s->r < s->d->n; s->r++) {
			w = weight(s->d, s->r);
			if (x[s->r] - mean > (k + w) * sens)
				break;
			s->k += w;
			s->sum += w * x[s->r];
		}
		for (; s->l > 0; s->l--) {
			w = weight(s->d, s->l - 1);
			if (mean - x[s->l - 1] > (k + w) * sens)
				break;
			s->k += w;
			s->sum += w * x[s->l - 1];
		}
	} while (s->k != old);
}

size_t
ordered_find(const struct ordered_data *d, i128 v)
{
	size_t lo = 0, hi = d->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (d->x[mid] < v)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Whole runs [l, r), shrunk. */
static i128
down(const struct ordered_data *d, size_t l, size_t r)
{
	struct piece s = { .d = d, .l = l, .r = r };

	for (size_t i = l; i < r; i++) {
		s.sum += weight(d, i) * d->x[i];
		s.k += weight(d, i);
	}
	shrink(&s);
	return payoff(&s);
}

/*
 * The same for the trimmed mean and the quantile.
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
/* What a record on the right (side 1) or left adds to F or takes, about. */
static double
trim_excess(const struct run_walk *w, int side)
{
	const struct ordered_data *d = w->d;
	size_t last = w->q.run - (w->q.at == ordered_before(d, w->q.run));
	double a = rational_real(d->f->alpha);
	double c = (double)(w->q.at - w->p.at), f = (double)w->sum / c;
	double low = f - (double)d->x[w->p.run];
	double high = (double)d->x[last] - f;

	return (side ? (1 - a) * high + a * low : (1 - a) * low + a * high) -
	    (double)d->f->sens * c;
}

/* The payoff of the present window, rounded. */
static i128
walk_payoff(const struct run_walk *w)
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
runs(struct run_walk *w, size_t i, size_t j)
{
	run_walk_place(w, ordered_before(w->d, i), ordered_before(w->d, j));
}

/* Drops runs in strides, then takes back what went too far. */
static void
trim_shrink(struct run_walk *w)
{
	size_t i = 0, j = w->d->n, stride = j / 1024 + 1;
	double left, right;

	for (runs(w, i, j); j - i > 2 * stride; runs(w, i, j)) {
		left = trim_excess(w, 0);
		right = trim_excess(w, 1);
		if (left <= 0 && right <= 0)
			break;
		if (left > right)
			i += stride;
		else
			j -= stride;
	}
	for (size_t back = stride; back > 0 && j < w->d->n; back--) {
		runs(w, i, j + 1);
		if (trim_excess(w, 1) > 0)
			break;
		j++;
	}
	for (size_t back = stride; back > 0 && i > 0; back--) {
		runs(w, i - 1, j);
		if (trim_excess(w, 0) > 0)
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
lowest(struct run_walk *w)
{
	struct rational a = w->d->f->alpha;
	i128 best, k;

	run_walk_place(w, 0, w->n);
	best = walk_payoff(w);
	for (size_t i = w->p.run; i-- > 0 && a.num > 0 && a.den <= FIXED_MAX;) {
		k = fixed_floor_div((i128)ordered_before(w->d, i + 1) * a.den,
		    a.num);
		if (k < (i128)w->n / 2)
			break;
		run_walk_place(w, 0, (uint64_t)k);
		if (walk_payoff(w) < best)
			best = walk_payoff(w);
	}
	return best;
}

/* The same from the other end: 1 - alpha of the records are above. */
static i128
highest(struct run_walk *w)
{
	struct rational a = w->d->f->alpha;
	i128 best, k, above;

	run_walk_place(w, 0, w->n);
	best = walk_payoff(w);
	above = a.den - a.num;
	for (size_t i = w->p.run + 1; i < w->d->n && above > 0 &&
	    a.den <= FIXED_MAX; i++) {
		/* The largest k with k - ceil(alpha k) still above run i. */
		k = (i128)(w->n - ordered_before(w->d, i));
		k = fixed_ceil_div(k * a.den, above) - 1;
		if (k < (i128)w->n / 2)
			break;
		k = k < (i128)w->n ? k : (i128)w->n;
		run_walk_place(w, w->n - (uint64_t)k, w->n);
		if (walk_payoff(w) > best)
			best = walk_payoff(w);
	}
	return best;
}

static int
other_hints(const struct ordered_data *d, i128 *hint)
{
	struct run_walk w = { .d = d, .n = ordered_before(d, d->n) };

	if (d->f->kind == ORDERED_QUANTILE) {
		hint[0] = lowest(&w);
		hint[1] = highest(&w);
		return 2;
	}
	trim_shrink(&w);
	hint[0] = walk_payoff(&w);
	return 1;
}

int
ordered_hints(const struct ordered_data *d, i128 *hint)
{
	size_t at = ordered_find(d, d->f->center);
	struct piece s = { .d = d, .l = at, .r = at };
	int n;

	if (d->f->kind != ORDERED_MEAN || d->f->alpha.num != 0) {
		n = other_hints(d, hint);
		hint[n] = payoff(&s);
		return n + 1;
	}
	hint[0] = down(d, 0, d->n);
	hint[2] = payoff(&s);
	grow(&s);
	hint[1] = payoff(&s);
	hint[3] = down(d, 0, at);
	hint[4] = down(d, at, d->n);
	return 5;
}
