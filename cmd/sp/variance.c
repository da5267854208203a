/*
 * variance: exact sensitivity preprocessing for the variance.
 *
 * [CD20 Lemma 6.4] g(D) = min(Var D, g(D - x_1) + S, g(D - x_n) + S) for sorted
 * data, g(empty) = 0.  Unrolled: g(D) = n S + min over windows of consecutive
 * values of Var(window) - k S, k the window's size.  Rounding is monotone, so
 * floor(g + 1/2) is n S plus the smallest floor(Var + 1/2) - k S, and windows
 * are compared by this integer.
 *
 * Runs: among windows that take c of the w records of a run at their edge, the
 * other K >= 1 records fixed with mean at distance d from the run, the payoff
 * is h(K + c) in the bound below for m = K, delta = d, with equality; the
 * smallest is at c = 0 or c = w.  Windows inside one run have Var = 0 and the
 * whole run is best.  Thus windows of whole runs suffice.
 *
 * The search is branch and bound over boxes of first and last runs, after a few
 * hundred windows with geometric lengths have given a good incumbent.
 */
#include "variance.h"

#include <stdlib.h>

#include "number/memory.h"

#define DEPTH 128	/* a box's side halves at most 41 times */
#define STARTS 8	/* windows tried for each length */

/*
 * Sums are kept for every 2^STRIDE runs, and the few runs between are added on
 * demand: 48 bytes for each run would cost more.
 */
#define STRIDE 3	/* as a power of two */

/* Sums over y = x - base and over y^2, mod 2^192. */
struct variance_sums {
	u128 p;
	u128 q;
	uint64_t top;		/* the squares' next 64 bits */
};

/* Sums over runs 0..at-1. */
struct variance_end {
	size_t at;
	struct variance_sums sums;
};

/*
 * Runs 0..n-1 of equal values, ascending.  A window [i, j] includes i and j,
 * and the window's value is the result of variance.h for the window alone, less
 * n S.
 */
struct variance_runs {
	const struct variance *f;
	const int64_t *x;
	size_t n;
	struct variance_sums *sums;	/* before every 2^STRIDE-th run */
	uint64_t *count;		/* records before run i, or NULL: i */
	i128 best;			/* a window's smallest value so far */
	int64_t base;
	double unit;
};

/*
 * Windows with first run in i0..i1 and last run in j0..j1.  The ends are from
 * the last asked window [i1, j0], which halves mostly share.
 */
struct variance_box {
	size_t i0, i1;
	size_t j0, j1;
	struct variance_end left, right;
};

/*
 * Exact scatter of windows and a lower bound over boxes.
 *
 * For a window of k records with sum P and sum of squares Q (of x - base) the
 * scatter is V = k Q - P^2 = k^2 Var.  P is below 2^41 2^63 and exact; Q is
 * kept mod 2^192.  V <= k^2 r^2 / 4 for a window with range r, so that V mod
 * 2^128 is V itself whenever k r < 2^64; only windows with k r >= 2^64 need the
 * next 64 bits of Q, in `top', and 256-bit numbers.
 *
 * A window's value is floor(Var / unit + 1/2) - k S.  The value is below `best'
 * exactly when 2 V < (2 (best + k S) - 1) unit k^2.  No floating point decides.
 *
 * A box's bound, for windows that hold the inner window of m records with mean
 * mu and scatter V and lie inside an outer window of kmax: the q = k - m
 * further records lie at distances d_e >= delta = min(mu - x_first, x_last -
 * mu) from mu, hence
 *	k Var(window) = V / m + sum d_e^2 - (sum d_e)^2 / k
 *	    >= V / m + (1 - q / k) sum d_e^2 >= V / m + (m q / k) delta^2,
 * and the payoff Var - k S is at least
 *	h(k) = V / (m k) + m (k - m) delta^2 / k^2 - k S.
 * h' + S = (2 m^2 delta^2 - (V / m + m delta^2) k) / k^3 decreases while
 * positive and stays negative after, so h' changes sign at most once, from + to
 * -, and h is smallest at k = m or at k = kmax.
 *
 * The bound is in doubles: sums, products and quotients of non-negative numbers
 * that are exact integers before their conversion.  Fewer than 16 roundings
 * with relative size 2^-53 enter either side, less than 2^-48 together; SAFE
 * leaves 2^-40.  Nothing over- or underflows (2^-80 ..  2^330).
 */
#define SAFE (1.0 - 0x1p-40)

/* Adds run i, nearly always of one record. */
static inline void
variance_add(const struct variance_runs *s, struct variance_sums *sums,
    size_t i)
{
	uint64_t w = s->count == NULL ? 1 : s->count[i + 1] - s->count[i];
	i128 y = (i128)s->x[i] - s->base;
	struct wide q = { 0, (u128)(y * y) };

	if (w != 1)
		q = wide_mul(q.lo, w);
	sums->p += (u128)y * w;
	sums->q += q.lo;
	sums->top += (uint64_t)q.hi + (sums->q < q.lo);
}

static void
variance_put_end(const struct variance_runs *s, struct variance_end *e,
    size_t at)
{
	e->at = at;
	e->sums = s->sums[at >> STRIDE];
	for (size_t i = at >> STRIDE << STRIDE; i < at; i++)
		variance_add(s, &e->sums, i);
}

static void
variance_fill(struct variance_runs *s, const uint64_t *w)
{
	struct variance_sums sums = { 0, 0, 0 };
	uint64_t count = 0;

	for (size_t i = 0; w != NULL && i <= s->n; i++) {
		s->count[i] = count;
		count += i < s->n ? w[i] : 0;
	}
	for (size_t i = 0; i <= s->n; i++) {
		if (i >> STRIDE << STRIDE == i)
			s->sums[i >> STRIDE] = sums;
		if (i < s->n)
			variance_add(s, &sums, i);
	}
}

static void
variance_open_runs(struct variance_runs *s, const struct variance *f,
    const int64_t *x, const uint64_t *w, size_t n)
{
	*s = (struct variance_runs){ .f = f, .x = x, .n = n, .base = x[n / 2],
	    .unit = (double)f->unit,
	    .sums = err_alloc(NULL, (n >> STRIDE) + 1, sizeof(*s->sums)),
	    .count = w == NULL ? NULL : err_alloc(NULL, n + 1,
	    sizeof(*s->count)) };
	variance_fill(s, w);
}

static uint64_t
variance_records(const struct variance_runs *s, size_t i, size_t j)
{
	if (s->count == NULL)
		return j + 1 - i;
	return s->count[j + 1] - s->count[i];
}

/* k^2 Var for the window of k records between a and b; *sum adds x - base. */
static struct wide
variance_scatter(const struct variance_runs *s, const struct variance_end *a,
    const struct variance_end *b, uint64_t k, i128 *sum)
{
	u128 range = (u128)((i128)s->x[b->at - 1] - s->x[a->at]), size;
	i128 p = (i128)(b->sums.p - a->sums.p);
	u128 q = b->sums.q - a->sums.q;
	struct wide v;

	*sum = p;
	if (k * range <= UINT64_MAX)
		return (struct wide){ 0, k * q - (u128)p * (u128)p };
	size = (u128)(p < 0 ? -p : p);
	v = wide_mul(k, q);
	v.hi += (u128)k * (uint64_t)(b->sums.top - a->sums.top -
	    (b->sums.q < a->sums.q));
	return wide_sub(v, wide_mul(size, size));
}

/* 2 (best + k S) - 1: twice the threshold on Var / unit. */
static i128
variance_room(const struct variance_runs *s, uint64_t k)
{
	return 2 * (s->best + (i128)k * s->f->sens) - 1;
}

/* Lowers best to the value of the window of k records from a to b. */
static bool
variance_settle_between(struct variance_runs *s, const struct variance_end *a,
    const struct variance_end *b, uint64_t k)
{
	struct wide v, limit;
	u128 rem, var2;
	i128 sum;

	v = variance_scatter(s, a, b, k, &sum);
	v = wide_add(v, v);
	limit = wide_mul((u128)variance_room(s, k), s->f->unit);
	/* 2 Var < 2^128 always. */
	if (limit.hi == 0 &&
	    wide_cmp(v, wide_mul(limit.lo, (u128)k * k)) >= 0)
		return false;
	var2 = wide_div(v, (u128)k * k, &rem).lo;
	s->best = (i128)((var2 / s->f->unit + 1) / 2) -
	    (i128)k * s->f->sens;
	return true;
}

/* Lowers best to the value of [i, j] if smaller. */
static bool
variance_settle(struct variance_runs *s, size_t i, size_t j)
{
	uint64_t k = variance_records(s, i, j);
	struct variance_end a, b;

	if (variance_room(s, k) <= 0)
		return false;
	variance_put_end(s, &a, i);
	variance_put_end(s, &b, j + 1);
	return variance_settle_between(s, &a, &b, k);
}

static bool
variance_hopeless(const struct variance_runs *s, struct variance_box *b)
{
	size_t end = b->j0 + 1;	/* every window holds [i1, j0] */
	uint64_t m, k = variance_records(s, b->i0, b->j1);
	i128 p, left, right;
	struct wide scatter;
	double v, far, dm, dk;

	if (variance_room(s, k) <= 0)
		return true;
	if (b->i1 >= end)
		return false;
	m = variance_records(s, b->i1, b->j0);
	dm = (double)m;
	dk = (double)k;
	if (b->left.at != b->i1)
		variance_put_end(s, &b->left, b->i1);
	if (b->right.at != end)
		variance_put_end(s, &b->right, end);
	scatter = variance_scatter(s, &b->left, &b->right, m, &p);
	v = (double)scatter.hi * 0x1p128 + (double)scatter.lo;
	if (v / (dm * dm) * SAFE < (double)variance_room(s, m) * 0.5 * s->unit)
		return false;
	left = p - (i128)m * ((i128)s->x[b->i1] - s->base);
	right = (i128)m * ((i128)s->x[b->j0] - s->base) - p;
	far = (double)(left < right ? left : right);	/* m delta */
	v = v / (dm * dk) + (dk - dm) * far * far / (dm * dk * dk);
	return v * SAFE >= (double)variance_room(s, k) * 0.5 * s->unit;
}

/* Walks downhill from window [i, j] in steps that halve. */
static void
variance_descend(struct variance_runs *s, size_t i, size_t j)
{
	static const int move[6][2] = {
		{ 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 }, { 1, 1 }, { -1, -1 }
	};
	size_t a, b;
	int d, round;

	for (size_t step = s->n / 4 + 1; step > 0; step /= 2)
		for (round = 0, d = 0; d < 6 && round < 64; d++) {
			/* Out of range wraps to beyond n. */
			a = i + (size_t)move[d][0] * step;
			b = j + (size_t)move[d][1] * step;
			if (a > b || b >= s->n || !variance_settle(s, a, b))
				continue;
			i = a;
			j = b;
			round++;
			d = -1;
		}
}

/* Finds a good first incumbent. */
static void
variance_scout(struct variance_runs *s)
{
	size_t start, i, j;

	i = j = 0;
	for (size_t len = s->n; len > 0; len -= len / 8 + 1)
		for (size_t t = 0; t < STARTS; t++) {
			start = (s->n - len) / (STARTS - 1) * t;
			if (variance_settle(s, start, start + len - 1)) {
				i = start;
				j = start + len - 1;
			}
		}
	variance_descend(s, i, j);
}

/* Splits the longer side of b; the second half goes to c. */
static void
variance_split(struct variance_box *b, struct variance_box *c)
{
	*c = *b;
	if (b->i1 - b->i0 > b->j1 - b->j0) {
		b->i1 = b->i0 + (b->i1 - b->i0) / 2;
		c->i0 = b->i1 + 1;
	} else {
		b->j1 = b->j0 + (b->j1 - b->j0) / 2;
		c->j0 = b->j1 + 1;
	}
}

/* Lowers best to the smallest value among windows. */
static void
variance_search(struct variance_runs *s)
{
	struct variance_box stack[DEPTH], *b;
	size_t top = 1;

	variance_scout(s);
	stack[0] = (struct variance_box){ .i1 = s->n - 1, .j1 = s->n - 1,
	    .left = { .at = SIZE_MAX }, .right = { .at = SIZE_MAX } };
	while (top > 0) {
		b = &stack[top - 1];
		/* Windows have i <= j. */
		if (b->j0 < b->i0)
			b->j0 = b->i0;
		if (b->i1 > b->j1)
			b->i1 = b->j1;
		if (b->i0 > b->i1 || b->j0 > b->j1 ||
		    variance_hopeless(s, b)) {
			top--;
		} else if (b->i0 == b->i1 && b->j0 == b->j1) {
			variance_settle(s, b->i0, b->j0);
			top--;
		} else {
			variance_split(b, b + 1);
			top++;
		}
	}
}

int64_t
variance_sorted(const struct variance *f, const int64_t *x, const uint64_t *w,
    size_t m)
{
	struct variance_runs s;
	i128 g;

	if (m == 0)
		return 0;
	variance_open_runs(&s, f, x, w, m);
	variance_search(&s);
	g = (i128)variance_records(&s, 0, m - 1) * f->sens + s.best;
	free(s.sums);
	free(s.count);
	return fixed_clamp_wide(g, 0, FIXED_MAX);
}

/*
 * A replaced record is one that goes, from D to D - x, and one that comes.  The
 * latter raises g by at most S.  The former raises it by less than 2/3 S, so
 * both together, and backwards as well, move g by less than 5/3 S, and the
 * rounded g by at most 5/3 S, rounded up.
 *
 * Let W be a window with g(D) = Var W + (n - |W|) S.  If x is not in W then
 * g(D - x) <= g(D) - S.  Else let R = W - x be r records of variance A; windows
 * may be any subsets, so g(D - x) - g(D) <= Var B + (r - |B|) S - Var W for all
 * B in R, and Var W >= A r/(r + 1).  Claim: if A > 0 some B has e >= 1 records
 * less than R and Var B <= A - (3/2) A e/r.  So the difference is at most
 *	min(0, e S - (3/2) A e/r) + A/(r + 1),
 * which rises with A up to A = (2/3) r S, falls from there on, as e >= 1, and
 * is (2/3) S r/(r + 1) there.
 *
 * The claim: let F be the law of a random record of R.  Cut R at t: a part p is
 * above t, with variance V, the rest below, with variance U, and D_t lies
 * between the two means, so p (A - V) + (1 - p) (A - U) = p (1 - p) D_t^2.  If
 * D_t^2 >= 3 A then A - V >= (3/2) A (1 - p) or A - U >= (3/2) A p, and one
 * side is B.  Such a t exists, as A is the integral over t of the covariance of
 * a record with its being above t, p (1 - p) D_t, and the integral of p (1 - p)
 * is twice the covariance of F's quantile at u with u, uniform on 0..1, so at
 * most 2 sqrt(A / 12) = sqrt(A / 3).
 */
int64_t
variance_swap(int64_t sens)
{
	return (int64_t)(((i128)5 * sens + 2) / 3);
}
