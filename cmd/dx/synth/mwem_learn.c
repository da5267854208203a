/*
 * mwem_learn: y from the measurements made so far.
 *
 * Nothing here looks at private numbers other than measurements (and
 * mwem_truth, which is for them).
 */
#include "mwem.h"

#include <math.h>
#include "mwem_impl.h"

#define STEEPEST 50.0	/* a larger exponent is cut */
#define STILL 1e-6	/* of n: replays that move answers less have settled */

void
mwem_range(size_t n, size_t k, size_t *first, size_t *last)
{
	size_t lo = 0, hi = n - 1, mid;

	while (lo < hi) {
		mid = hi - (hi - lo) / 2;
		/* ranges that begin before mid */
		if (mid * (2 * n - mid + 1) / 2 <= k)
			lo = mid;
		else
			hi = mid - 1;
	}
	*first = lo;
	*last = lo + (k - lo * (2 * n - lo + 1) / 2);
}

int64_t
mwem_truth(const struct mwem *a, size_t k)
{
	size_t b, in, first, last;
	const struct block *p = mwem_block(a, k, &b, &in);
	const int64_t *x = a->truth + a->at[b];

	if (p->kind == WORKLOAD_PREFIX)
		return x[in + 1];
	if (p->kind != WORKLOAD_RANGE)
		return x[in];
	mwem_range(a->w->n, in, &first, &last);
	return x[last + 1] - x[first];
}

/* Sums of a measured query over the mass, in grid steps. */
static double
recall(const struct mwem *a, const struct mwem_past *h)
{
	double s = 0, t = 0;
	size_t i;

	if (h->coef != NULL) {
		for (i = 0; i + 1 < a->atoms; i += 2) {
			s += h->coef[i] * a->mass[i];
			t += h->coef[i + 1] * a->mass[i + 1];
		}
		return s + t + (i < a->atoms ? h->coef[i] * a->mass[i] : 0);
	}
	for (i = 0; i + 1 < h->len; i += 2) {
		s += a->mass[h->list[i]];
		t += a->mass[h->list[i + 1]];
	}
	return (s + t + (i < h->len ? a->mass[h->list[i]] : 0)) * h->unit;
}

void
mwem_normalise(struct mwem *a)
{
	double total = 0, f;

	for (size_t c = 0; c < a->atoms; c++)
		total += a->mass[c];
	f = total > 0 ? (double)a->total / total : 0;
	for (size_t c = 0; c < a->atoms; c++)
		a->mass[c] *= f;
	a->whole = (double)a->total;
}

/* Multiplies by exp(q f), q as a part of its largest. */
static void
multiply(struct mwem *a, const struct mwem_past *h, double f, double top,
    double s)
{
	double total = 0;

	f /= top;
	if (h->coef == NULL) {
		f = exp(h->unit * f);
		for (size_t i = 0; i < h->len; i++)
			a->mass[h->list[i]] *= f;
		a->whole += (f - 1) * s / h->unit;
		return;
	}
	for (size_t c = 0; c < a->atoms; c++)
		total += a->mass[c] *= exp(h->coef[c] * f);
	a->whole = total;
}

/*
 * [KPAK20 Algorithm 2] step 3: y_i exp(q_i (m - q(y)) / 2n), with q at most
 * 1.  y is mass scaled from `whole` to n.  Returns how far y was off, as a
 * part of n.
 */
static double
update(struct mwem *a, const struct mwem_past *h)
{
	double n = (double)a->total, top = h->top, s, off, f;
	double one = (double)fixed_pow10(a->digits);

	if (!(n > 0) || !(top > 0))
		return 0;
	top = top > one ? top : one;
	s = recall(a, h);
	off = (h->m / n - s / a->whole) / top;
	f = off / 2;
	f = f > STEEPEST ? STEEPEST : f < -STEEPEST ? -STEEPEST : f;
	multiply(a, h, f, top, s);
	if (!(a->whole > n * 0x1p-40 && a->whole < n * 0x1p40))
		mwem_normalise(a);
	return fabs(off);
}

static void
replay(struct mwem *a)
{
	double most = 1, before;

	for (unsigned pass = 0; pass < a->replays && most > STILL; pass++) {
		before = most;
		most = 0;
		for (size_t t = 0; t < a->done; t++) {
			double off = update(a, &a->past[t]);

			most = off > most ? off : most;
		}
		if (fabs(before - most) < STILL)
			break;
	}
}

bool
mwem_learn(struct mwem *a, size_t k, i128 m)
{
	struct mwem_past *h = &a->past[a->done];

	mwem_normalise(a);
	for (size_t i = 0; i < a->atoms; i++)
		a->sum[i] += a->mass[i] / a->size[i];
	*h = (struct mwem_past){ .k = k, .m = (double)m };
	if (!mwem_place(a, h))
		return false;
	a->done++;
	(void)update(a, h);
	replay(a);
	mwem_normalise(a);
	return true;
}
