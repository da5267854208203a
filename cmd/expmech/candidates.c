/*
 * candidates: the values to choose a quantile from, and their loss.
 *
 * The open rank distance.  Of n records b lie below a value v, a above and e on
 * v; the quantile is q = p/r.  The loss of v is
 *	L(v) = max(b - q n, a - (1 - q) n) = max(b - q n, q n - (b + e)),
 * not cut off at 0: on a value that many records share the loss falls below 0,
 * and so the value stands out from the values around.
 *
 * Sensitivity.  Another record changes the two terms by
 *	below v: 1 - q and -(1 - q);  above: -q and q;  on v: -q and -(1 - q),
 * so L by at most D = max(q, 1 - q), and some v and record reach each size.  A
 * replaced record leaves n and changes b by at most 1 and b + e by at most 1,
 * so L by at most 1.  A record that weighs w is w records.  The code counts in
 * r L, an integer, which moves by max(p, r - p) or by r.
 *
 * Cuts.  Where records are to be divided at the chosen value, a candidate is a
 * pair (v, tau), tau = 0..T, and floor(tau e / T) tied records count as left of
 * v, the rest as right: b' of n are left and L = |b' - q n|, the formula
 * without ties.  Another record on v moves floor(tau e / T) by 0 or 1, so the
 * record comes to exactly one side and the sensitivity is as above; w more
 * records bring exactly w to the two sides together.  Without ties every tau is
 * one cut.
 *
 * The log prior.  Every power of two has equal mass, on either side of zero, so
 * that a value is about as likely on a scale ten times finer or coarser: the
 * range need not be known.  The measure is public, and neighbors share the
 * measure.  A value is 2^c candidates with one loss, so the proofs for
 * candidates hold, whatever their number.  A run of values is cut where c
 * changes: K + 1 times on either side of zero at most.
 *
 * Tails.  Beyond all records L is only as large as the tail, (1 - q) n or q n,
 * and with few records there a value a thousand times too large is as likely
 * as a value among them.  So in a tail the loss also knows how large most
 * records are.  A power of two has 8 places.  Of n' records that are not zero
 * b(k) are smaller in size than place k, and
 *	M(k) = W (2 b(k) - n'),  S(v) = min over k <= p of
 *	    max(L(v), M(k)) + f(p - k),  p the place of |v|.
 * f >= 0 is public, rises and has f(0) = 0: two halvings for a power of two,
 * one from the eighth on, TAIL_PRICE in all.  M(k) <= 0 up to the median size,
 * so S = L there; beyond the median S is L and the price of the distance, as
 * far as the records bear witness.  So where nothing else decides, an answer is
 * a quarter as likely with each power of two above the median size.
 *
 * Sensitivity of S.  Another record changes 2 b(k) - n' by -1, 0 or 1, a
 * replaced record by at most 2.  So M(k) moves by at most W, or 2 W: W is D, or
 * 1/2 under swap, and M(k) moves by no more than L may.  The larger of two such
 * numbers, such a number and a public one, and the least of them move by no
 * more either: S moves by at most D, or 1, as L does.  But unlike L(v) it may
 * do so on either side of v, and the tree of questions knows (quantile_tree.c).
 * The window below stands, for S >= L.
 *
 * Near and far.  Let g = select_far(t) and m = max(best, 0).  A candidate can
 * only have less than best + g if a cut of the candidate, one of b to b + e,
 * lies in the window from floor((p n - g - m) / r) to ceil((p n + g + m) / r):
 * left of the window r L >= p n - r (b + e) >= g + m, right of the window
 * likewise.  Only records in the window, and records tied with them, are looked
 * at; the rest is far runs, two on either side but for the cuts of the log
 * prior, whose candidates are measured when drawn.  So are those of a rough run
 * in the window: cuts at a value, on one side of q n, whose losses are within t
 * / CUT_ROUGH.  A tie may weigh 2^20 units and more, and have T cuts, but a
 * question has 500 such runs, and four for a value.
 *
 * Sizes: |v| <= 2^62, so K <= 62 and a power of two with every tau has at most
 * 2^62 65537 copies, the sum less than 127 2^62 65537 < 2^86, which select_runs
 * takes.  r <= 10^6 and n < 2^104, which 2^40 entries of weights below 2^64
 * cannot reach, so |r L| and |r M| < 2^124; tau e < 2^80.  A weight stops at
 * 2^64 - 1, so that a record more there changes nothing, less than the bound,
 * also under swap, where only the second of two records is seen.
 */
#include "candidates.h"

#include <stdlib.h>

#include "number/memory.h"
#include "number/sort.h"
#include "number/taint.h"

#define FAR ((i128)1 << 126)	/* no loss: of candidates beyond the window */

/* floor(log2 |v|), 0 for zero. */
static unsigned
power_of(int64_t v)
{
	uint64_t size = v < 0 ? -(uint64_t)v : (uint64_t)v;

	return size < 2 ? 0 : 63 - (unsigned)__builtin_clzll(size);
}

/* The place of |v|, where a power of two has 2^bits places. */
static unsigned
place_of(int64_t v, unsigned bits)
{
	unsigned k = power_of(v);
	u128 size = v < 0 ? -(u128)v : (u128)v;

	return k << bits |
	    ((unsigned)((size << bits) >> k) & ((1u << bits) - 1));
}

/* The least size in a place, or above where it has none: 2^63 at most. */
static i128
place_first(unsigned place, unsigned bits)
{
	unsigned k = place >> bits;
	u128 part = (1u << bits) | (place & ((1u << bits) - 1));

	return (i128)(((part << k) + (1u << bits) - 1) >> bits);
}

/*
 * The prior, a public base measure: a value counts as 2^c copies.  c is 0 in
 * the uniform prior; in the log prior every |v| from 2^k to 2^(k + 1) - 1 has c
 * = K - k, 2^K being at most the largest |v|, and zero has the c of 1.  From
 * 2^CANDIDATES_FINE on eight powers share the c of the last, and have the mass
 * of two: an answer has fewer places far beyond all records to go to.  In a
 * tail they are dear anyway.
 */
static unsigned
candidate_copies(const struct question *q, int64_t v)
{
	unsigned k = power_of(v);

	if (q->powers == 0)
		return 0;
	if (k >= CANDIDATES_FINE && q->anchor == 0)
		k = FIXED_LEAST(k | 7, q->powers - 1);
	return q->powers - 1 - k;
}

/* The last value from v on, up to `to', with as many copies and the price. */
static int64_t
last_alike(const struct question *q, int64_t v, int64_t to)
{
	unsigned bits = q->anchor > 0 ? TAIL_BITS : 0;
	unsigned place = place_of(v, bits);
	i128 last;

	if (q->powers == 0)
		return to;
	last = v < -1 ? -place_first(place, bits) :
	    place_first(place + 1, bits) - 1;
	return last < to ? (int64_t)last : to;
}

/* The question's records with values below v. */
static u128
below(const struct order *o, const struct question *q, int64_t v)
{
	u128 rank = order_rank(o, sort_find(o->x, o->n, v));

	if (rank <= q->from)
		return 0;
	return FIXED_LEAST(rank, q->to) - q->from;
}

/* floor(tau e / T) */
static uint64_t
left_part(const struct question *q, uint64_t tau, uint64_t e)
{
	return (uint64_t)((u128)tau * e / q->parts);
}

/* r L for a value with b records below and e on it, or for a cut, e = 0. */
static i128
loss(const struct question *q, u128 b, uint64_t e)
{
	i128 goal = (i128)(q->p * (q->to - q->from));

	return FIXED_MOST((i128)(q->r * b) - goal, goal - (i128)(q->r *
	    (b + e)));
}

/* r L for a candidate of the question. */
static i128
candidate_loss(const struct order *o, const struct question *q, struct cut *cut)
{
	u128 b = below(o, q, cut->value);
	uint64_t e = (uint64_t)(below(o, q, cut->value + 1) - b);

	cut->left = q->from + b;
	if (q->parts == 0)
		return loss(q, b, e);
	b += left_part(q, cut->tau, e);
	cut->left = q->from + b;
	return loss(q, b, 0);
}

/* r S for a value with this r L. */
static i128
tail_loss(const struct candidates *c, int64_t v, i128 at)
{
	unsigned p = place_of(v, TAIL_BITS);
	i128 best = FAR, one;

	if (c->q->anchor == 0)
		return at;
	for (unsigned k = p;; k = c->first[k] - 1) {
		one = FIXED_MOST(at, c->anchor[k]) + c->price[p - k];
		best = FIXED_LEAST(best, one);
		if (c->first[k] == 0 || c->anchor[k] <= at)
			return best;
	}
}

/* Sets f for r S, a halving being 0.7 t: once for questions of one scale. */
static void
tail_price(struct candidates *c)
{
	struct scale t = c->q->t;
	u128 price;

	if (t.s == c->priced.s && t.r == c->priced.r)
		return;
	for (unsigned k = 0; k < TAIL_PLACES; k++) {
		price = k + FIXED_LEAST(k, 8u << TAIL_BITS);
		price = FIXED_LEAST(price, TAIL_PRICE << TAIL_BITS) * 7;
		c->price[k] = (i128)(price * t.s /
		    ((u128)t.r * (10u << TAIL_BITS)));
	}
	c->priced = t;
}

/* Sets M(k) from the records that are smaller in size than a place. */
static void
tail_init(struct candidates *c)
{
	const struct question *q = c->q;
	u128 zeros = below(c->order, q, 1) - below(c->order, q, 0), less = 0;
	u128 n = q->to - q->from - zeros;
	int64_t first;

	for (unsigned k = 0; k < TAIL_PLACES; k++) {
		first = (int64_t)place_first(k, TAIL_BITS);
		if (less < n)
			less = below(c->order, q, first) - below(c->order, q,
			    1 - first) - zeros;
		c->anchor[k] = ((i128)(2 * less) - (i128)n) * (i128)q->anchor;
		c->first[k] = k > 0 && c->anchor[k] == c->anchor[k - 1] ?
		    c->first[k - 1] : k;
	}
}

/* The last tau with floor(tau e / T) <= part, e >= 1. */
static uint32_t
last_tau(const struct question *q, u128 part, uint64_t e)
{
	/* NOLINTNEXTLINE(clang-analyzer-*): e >= 1 */
	u128 tau = ((part + 1) * q->parts - 1) / e;

	return (uint32_t)FIXED_LEAST(tau, q->parts);
}

/*
 * The candidates' least loss.  Record k = floor(q n) in ascending order has a
 * value v with b <= q n < b + e.  So L(v) <= 0, and a value below v has L >= q
 * n - b >= 0, a value above L >= b + e - q n > 0.  The two cuts nearest to q n
 * on either side stand on v.
 */
static i128
least_loss(const struct order *o, const struct question *q)
{
	u128 n = q->to - q->from, k, b;
	uint64_t e;
	int64_t v;
	uint32_t tau;
	i128 best, next;

	if (n == 0)
		return 0;
	k = q->p * n / q->r;
	v = o->x[order_entry(o, q->from + k)];
	b = below(o, q, v);
	e = (uint64_t)(below(o, q, v + 1) - b);
	if (q->parts == 0)
		return loss(q, b, e);
	tau = last_tau(q, k - b, e);
	best = loss(q, b + left_part(q, tau, e), 0);
	tau += tau < q->parts;
	next = loss(q, b + left_part(q, tau, e), 0);
	return FIXED_LEAST(best, next);
}

/*
 * The least S.  In one place, and on one side of zero, S rises with L.  Beyond
 * v with the least L both rise.  Towards zero the best in a place is the
 * nearest to v, and where L itself is the loss nothing better follows.
 */
static i128
tail_least(const struct candidates *c)
{
	const struct question *q = c->q;
	u128 rank = q->from + q->p * (q->to - q->from) / q->r;
	struct cut cut = { .tau = 0 };
	i128 best, at = least_loss(c->order, q);
	int64_t v;

	if (q->anchor == 0 || q->from == q->to)
		return at;
	v = c->order->x[order_entry(c->order, rank)];
	best = tail_loss(c, v, at);
	cut.tau = v < 0 ? 0 : q->parts;
	for (unsigned p = place_of(v, TAIL_BITS); c->anchor[p] > at && p > 0;
	    p--) {
		cut.value = (int64_t)place_first(p, TAIL_BITS) - 1;
		cut.value = v < 0 ? -cut.value : cut.value;
		if (cut.value < q->lo || cut.value > q->hi)
			break;
		at = candidate_loss(c->order, q, &cut);
		best = FIXED_LEAST(best, tail_loss(c, cut.value, at));
	}
	return best;
}

/* A run from a value and a tau on, with this L, or FAR. */
static void
add_run(struct candidates *c, int64_t value, uint32_t tau, u128 count,
    i128 at)
{
	size_t room = c->room;
	u128 gap;

	c->start = err_grow(c->start, c->runs.n, &room, sizeof(*c->start));
	c->run = err_grow(c->run, c->runs.n, &c->room, sizeof(*c->run));
	c->start[c->runs.n] = (struct start){ value, tau };
	if (at == FAR)
		gap = select_far(&c->q->t, c->runs.many);
	else
		gap = (u128)(tail_loss(c, value, at) - c->best);
	c->run[c->runs.n++] = (struct select_run){
	    METER_NAME(value * ((i128)c->q->parts + 1) + tau) .count = count,
	    .copies = candidate_copies(c->q, value), .rough = at == FAR,
	    .gap = gap };
}

/* The values from..to, if any, with every tau. */
static void
add_values(struct candidates *c, int64_t from, int64_t to, i128 at)
{
	int64_t last;

	for (; from <= to; from = last + 1) {
		last = last_alike(c->q, from, to);
		add_run(c, from, 0, ((u128)c->q->parts + 1) *
		    ((uint64_t)last - (uint64_t)from + 1), at);
	}
}

/* The cuts at a value with b records below and e on the value. */
static void
add_cuts(struct candidates *c, int64_t v, u128 b, uint64_t e)
{
	const struct question *q = c->q;
	u128 goal = q->p * (q->to - q->from) / q->r, part, reach;
	u128 more = q->t.s / ((u128)q->t.r * q->r * CUT_ROUGH);
	uint32_t tau = 0, last;
	i128 at, end;

	if (b < c->near_from) {
		tau = last_tau(q, c->near_from - b - 1, e) + 1;
		add_run(c, v, 0, tau, FAR);
	}
	for (; tau <= q->parts; tau = last + 1) {
		part = left_part(q, tau, e);
		if (b + part > c->near_to) {
			add_run(c, v, tau, q->parts - tau + 1, FAR);
			return;
		}
		reach = part + more;
		if (b + part <= goal)
			reach = FIXED_LEAST(reach, goal - b);
		last = last_tau(q, reach, e);
		at = loss(q, b + part, 0);
		end = loss(q, b + left_part(q, last, e), 0);
		add_run(c, v, tau, last - tau + 1, FIXED_LEAST(at, end));
		c->run[c->runs.n - 1].rough = at != end;
	}
}

static void
set_window(struct candidates *c)
{
	const struct question *q = c->q;
	i128 n = (i128)(q->to - q->from), goal = (i128)q->p * n;
	i128 reach = (i128)select_far(&q->t, c->runs.many) +
	    FIXED_MOST(c->best, 0);
	i128 from = fixed_floor_div(goal - reach, q->r);
	i128 to = fixed_ceil_div(goal + reach, q->r);

	c->near_from = from < 0 ? 0 : (u128)from;
	c->near_to = (u128)(to > n ? n : to);
}

/* The window's records, at least one, with the values between. */
static void
add_window(struct candidates *c)
{
	const struct question *q = c->q;
	const struct order *o = c->order;
	u128 n = q->to - q->from, b, next;
	int64_t v = o->x[order_entry(o, q->from + c->near_from)];
	int64_t after;

	b = below(o, q, v);
	add_values(c, q->lo, v - 1, b == 0 ? loss(q, 0, 0) : FAR);
	for (;; b = next) {
		next = below(o, q, v + 1);
		if (q->parts > 0)
			add_cuts(c, v, b, (uint64_t)(next - b));
		else
			add_run(c, v, 0, 1, loss(q, b, (uint64_t)(next - b)));
		if (next == n || next >= c->near_to)
			break;
		after = v + 1;
		v = o->x[order_entry(o, q->from + next)];
		add_values(c, after, v - 1, loss(q, next, 0));
	}
	add_values(c, v + 1, q->hi, next == n ? loss(q, n, 0) : FAR);
}

/* The candidate at this place. */
static struct cut
candidates_at(const struct candidates *c, struct select_place at)
{
	const struct start *start = &c->start[at.run];
	u128 all = (u128)c->q->parts + 1, i = start->tau + at.place;

	return (struct cut){ .value = (int64_t)(start->value +
	    (i128)(i / all)), .tau = (uint32_t)(i % all) };
}

/* A candidate's gap in a rough run. */
static u128
gap_at(const void *arg, struct select_place at)
{
	const struct candidates *c = arg;
	struct cut cut = candidates_at(c, at);
	i128 loss = candidate_loss(c->order, c->q, &cut);

	return (u128)(tail_loss(c, cut.value, loss) - c->best);
}

void
candidates_free(struct candidates *c)
{
	select_runs_free(&c->runs);
	free(c->run);
	free(c->start);
}

/*
 * A question's candidates in runs of equal loss.  q, and the order, must
 * outlive the candidates.
 */
static void
candidates_init(struct candidates *c, const struct order *o,
    const struct question *q)
{
	c->order = o;
	c->q = q;
	if (q->anchor > 0) {
		tail_price(c);
		tail_init(c);
	}
	c->best = tail_least(c);
	c->runs.n = 0;
	/* more candidates, with their copies, than 2^63 */
	c->runs.many = q->powers > 0 || (q->parts > 0 &&
	    ((uint64_t)q->hi - (uint64_t)q->lo) >> 46 > 0);
	set_window(c);
	if (q->from < q->to)
		add_window(c);
	else
		add_values(c, q->lo, q->hi, c->best);
	c->runs.run = c->run;
	c->runs.t = q->t;
	c->runs.gap = gap_at;
	c->runs.arg = c;
	select_runs_init(&c->runs);
}

/* [DMNS06 Section 3.3], [MS20 Algorithm 1] */
struct cut
candidates_ask(struct candidates *c, const struct order *o,
    const struct question *q, enum select_kind kind, struct rng *r)
{
	struct select_place at;
	struct cut cut;

	candidates_init(c, o, q);
	if (kind == SELECT_FLIP)
		at = select_runs_flip(&c->runs, r);
	else
		at = select_runs_draw(&c->runs, r);
	cut = candidates_at(c, at);
	candidate_loss(o, q, &cut);
	taint_noisy(&cut.value, sizeof(cut.value));
	taint_noisy(&cut.tau, sizeof(cut.tau));
	return cut;
}
