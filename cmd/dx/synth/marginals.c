/*
 * marginals: a table from marginals that are counted whole.
 *
 * Privacy.  Shares of PARTS_WHOLE = W are paid for
 *	counts of single attributes, together `single` (parts.c);
 *	looks: sum_e |x_e - g_e| over the cells of a marginal, with g a whole
 *	    number that follows from what was released before.  A record that
 *	    moves from i to j changes two x_e by one each, and so a look by 2
 *	    at most, where the marginal tells i from j, which with c the
 *	    largest of its cells' is 2 c eps d(i,j) at most.  With noise of
 *	    scale 2 c W B / look, B the number of marginals, one costs
 *	    eps d(i,j) look / (W B), and all of them look / W of the budget;
 *	counts of the chosen marginals, with shares that add up to no more
 *	    than the rest.
 * Which are chosen, and their shares, follows from released numbers and
 * public ones.  The sum is eps d(i,j) at most along every path.
 *
 * Shares.  A marginal's noise adds up to cost / share over its cells, so for
 * chosen ones sqrt(cost) in proportion is best, and the noise of all is
 * (sum sqrt(cost))^2.  With a small budget n, next to that, is small: then few
 * marginals are worth their noise, and single attributes say most.  From the
 * ratio, public, follow the first two shares; below ALONE there is nothing
 * but single attributes.  From EVERY up nothing is spent on looks and on
 * single attributes: noise of a look that costs little is larger than what it
 * may save, so that pairs were dropped by chance (up to 1.3 times the error of
 * all pairs, and 4.7 times on ten attributes of two values), and each pair
 * knows of its attributes.  Constants by trials on public tables and on made
 * ones (chains, mixtures, nets).
 *
 * The table.  The counts of attributes and pairs are made to agree; what
 * attributes alone say is fitted; a pair's distances from that have as many
 * degrees of freedom as dependence has, cells less those that attributes
 * settle, and are kept as far as they say more than chance (evidence.c); then
 * all is fitted.
 */
#include "marginals.h"

#include <math.h>
#include <stdlib.h>

#include "dx/plan/plan.h"
#include "evidence.h"

#define SINGLE 0.45		/* of the root of the ratio */
#define ALONE 2.5		/* least ratio for a look */
#define EVERY 6.0		/* least ratio for all pairs without one */
#define LOOK 3.0		/* single / look */
#define WEIGHT 1e6
#define CHANCE 2.33		/* deviations: 0.99 of a normal law */
#define LIKELY 1.0		/* for pairs, as most depend on each other */
#define DEPENDENCE 0.15		/* of n: what single attributes leave out */

/* The root of the cost: the mean |noise| of all cells for the whole budget. */
static double
root(const struct partition *p)
{
	double sum = 0;

	for (size_t e = 0; e < p->cells; e++)
		sum += 2 * rational_real(p->c[e]);
	return sqrt(sum);
}

/* What some of the parts cost together. */
static double
costs(const struct marginals *a, size_t first, size_t parts)
{
	double sum = 0;

	for (size_t k = first; k < first + parts; k++)
		sum += a->root[k];
	return sum * sum;
}

/*
 * What is left of the variance of each pair's noise where the counts of its
 * attributes are pooled from all pairs that have them.  False without memory.
 */
static bool
pooled(const struct marginals *a, double *left)
{
	const struct partition *pair = a->p.part + a->singles;
	int64_t *in = malloc((a->p.n + 1) * sizeof(*in));
	bool *has = calloc(a->pairs + 1, sizeof(*has));
	bool ok = in != NULL && has != NULL;
	double times;

	for (size_t k = 0; k < a->pairs; k++)
		left[k] = 1;
	for (size_t j = 0; ok && j < a->singles; j++) {
		const struct partition *one = &a->p.part[j];

		times = 0;
		for (size_t k = 0; k < a->pairs; k++) {
			has[k] = part_inside(one, &pair[k], a->p.n, in);
			times += has[k];
		}
		for (size_t k = 0; k < a->pairs; k++)
			if (has[k] && pair[k].cells > 1)
				left[k] -= (1 - 1 / times) * ((double)one->cells
				    - 1) / ((double)pair[k].cells - 1);
	}
	free(in);
	free(has);
	return ok;
}

/* What all pairs cost together, and what of that pooling leaves to *left. */
static bool
costs_pooled(const struct marginals *a, double *left)
{
	double *part = malloc((a->pairs + 1) * sizeof(*part)), all = 0;
	bool ok = part != NULL && pooled(a, part);

	*left = 0;
	for (size_t k = 0; ok && k < a->pairs; k++) {
		all += a->root[a->singles + k];
		*left += a->root[a->singles + k] * sqrt(fmax(0, part[k]));
	}
	*left *= all;
	free(part);
	return ok;
}

/* What is public: the first shares, and the error expected. */
static bool
split(struct marginals *a)
{
	double n = (double)a->p.total, pairs = (double)a->pairs, cells = 0;
	double noise = costs(a, a->singles, a->pairs), left, alone;
	double ratio = noise > 0 ? n * pairs / noise : 0;

	for (size_t k = a->pairs > 0 ? a->singles : 0; k < a->p.parts; k++)
		cells += (double)a->p.part[k].cells;
	left = ratio < ALONE ? 1 : SINGLE / sqrt(ratio);
	a->every = ratio >= EVERY;
	a->single = a->every ? 0 : (uint64_t)(left * (double)PARTS_WHOLE);
	a->look = a->every || ratio < ALONE ? 0 : (uint64_t)(left / LOOK *
	    (double)PARTS_WHOLE);
	/* every marginal shows the errors of its attributes */
	alone = costs(a, 0, a->singles) * (a->pairs == 0 ? 1 : pairs *
	    (double)a->order / fmax(1, (double)a->singles));
	alone += DEPENDENCE * n * pairs;
	if (!costs_pooled(a, &noise))
		return false;
	/* to choose gains at least what it costs, in the same trials */
	noise = ratio < ALONE ? alone : fmin(noise, alone);
	a->expected = sqrt(2) * noise / fmax(cells, 1);
	return true;
}

static bool
add(struct marginals *a, const struct normal *q)
{
	size_t at = a->p.parts;

	if (!parts_add(&a->p, q))
		return false;
	for (; at < a->p.parts; at++)
		a->root[at] = root(&a->p.part[at]);
	return true;
}

bool
marginals_open(struct marginals *a, const struct normal *single,
    const struct normal *q, uint64_t total)
{
	a->p.total = total;
	a->singles = single->w->blocks;
	a->pairs = a->order > 1 ? q->w->blocks : 0;
	a->off = calloc(a->pairs + 1, sizeof(*a->off));
	a->root = calloc(a->singles + a->pairs + 1, sizeof(*a->root));
	if (a->off == NULL || a->root == NULL || !add(a, single) ||
	    (a->pairs > 0 && !add(a, q)))
		return false;
	return split(a);
}

void
marginals_close(struct marginals *a)
{
	parts_close(&a->p);
	free(a->off);
	free(a->root);
}

/*
 * Shares of a budget for the parts whose share is not 0.  Weights are whole,
 * and quotients rounded down: the shares add up to no more than the budget.
 */
static void
share(struct marginals *a, size_t first, size_t parts, uint64_t budget)
{
	double most = 0;
	u128 sum = 0;

	for (size_t k = first; k < first + parts; k++)
		most = fmax(most, a->root[k]);
	for (size_t k = first; k < first + parts; k++)
		if (a->p.part[k].share > 0)
			sum += a->p.part[k].share = 1 + (uint64_t)(
			    a->root[k] / most * WEIGHT);
	for (size_t k = first; k < first + parts; k++)
		a->p.part[k].share = (uint64_t)((u128)budget *
		    a->p.part[k].share / (sum > 0 ? sum : 1));
}

/* Counts all parts that have a share. */
static bool
measure(struct marginals *a, size_t first, size_t parts, const int64_t *x,
    struct rng *r)
{
	for (size_t k = first; k < first + parts; k++)
		if (a->p.part[k].share > 0 &&
		    !parts_measure(&a->p, k, x, r))
			return false;
	return true;
}

/*
 * Moves the counts of a part towards the sums of y where they say little:
 * degrees: of their distances from y; chance: to be believed.
 */
static void
believe(struct marginals *a, size_t k, const double *y, double degrees,
    double chance)
{
	struct partition *p = &a->p.part[k];
	double cells = (double)p->cells, part, v;
	struct evidence of = { .degrees = degrees };

	part_sums(p, y, a->p.n, p->now);
	for (size_t e = 0; e < p->cells; e++) {
		/* before the counts were made to add up */
		v = p->variance[e] * cells / (cells - 1);
		if (!(v > 0))
			return;		/* public, or without noise */
		evidence_add(&of, p->count[e] - p->now[e], p->now[e], v);
	}
	part = evidence_part(&of, EVIDENCE_EXCESS * (degrees + 1) / cells,
	    chance);
	for (size_t e = 0; e < p->cells; e++)
		p->count[e] = evidence_count(part, p->count[e], p->now[e],
		    p->variance[e]);
}

/* Degrees of freedom of a pair beside its attributes; -1 without memory. */
static double
degrees(const struct marginals *a, size_t k)
{
	const struct partition *p = &a->p.part[k];
	double d = (double)p->cells - 1;
	int64_t *in = malloc((p->cells + 1) * sizeof(*in));

	if (in == NULL)
		return -1;
	for (size_t j = 0; j < a->singles; j++)
		if (part_inside(&a->p.part[j], p, a->p.n, in))
			d -= (double)a->p.part[j].cells - 1;
	free(in);
	return d;
}

/* Before a release nothing is known. */
static void
forget(struct marginals *a, size_t shares)
{
	for (size_t k = 0; k < a->p.parts; k++) {
		a->p.part[k].share = k < shares;
		a->p.part[k].held = false;
	}
}

bool
marginals_singles(struct marginals *a, const int64_t *x, struct rng *r,
    double *y)
{
	forget(a, a->singles);
	share(a, 0, a->singles, a->single);
	if (!measure(a, 0, a->singles, x, r))
		return false;
	for (size_t i = 0; i < a->p.n; i++)
		y[i] = (double)a->p.total / (double)a->p.n;
	for (size_t k = 0; k < a->singles; k++)
		believe(a, k, y, (double)a->p.part[k].cells - 1, CHANCE);
	return parts_fit(&a->p, y);
}

bool
marginals_look_scale(const struct marginals *a, size_t pair, struct scale *t)
{
	const struct partition *p = &a->p.part[a->singles + pair];
	struct rational c = { 0, 1 }, part;

	for (size_t e = 0; e < p->cells; e++)
		c = rational_cmp(p->c[e], c) > 0 ? p->c[e] : c;
	*t = (struct scale){ 0, 1 };
	if (c.num == 0)
		return true;
	return rational_make(&part, (i128)a->look, 2 * (i128)PARTS_WHOLE *
	    (i128)a->pairs) && plan_divide(&c, part) && plan_noise(c, 0, t);
}

bool
marginals_off(const struct marginals *a, size_t pair, const int64_t *x,
    const double *y, int64_t *off)
{
	struct partition *p = &a->p.part[a->singles + pair];
	int64_t *exact = part_counts(p, x, a->p.n);

	*off = 0;
	if (exact == NULL)
		return false;
	part_sums(p, y, a->p.n, p->now);
	for (size_t e = 0; e < p->cells; e++)
		*off += llabs(exact[e] - llrint(p->now[e]));
	free(exact);
	return true;
}

bool
marginals_look(struct marginals *a, const int64_t *x, struct rng *r,
    const double *y)
{
	const i128 most = (i128)1 << 50;
	struct scale t = { 0, 1 };
	i128 off;

	for (size_t k = 0; k < a->pairs; k++) {
		if ((r != NULL && !marginals_look_scale(a, k, &t)) ||
		    !marginals_off(a, k, x, y, &a->off[k]))
			return false;
		off = a->off[k];
		if (t.s > 0)
			off += noise_laplace(r, &t);
		a->off[k] = (int64_t)(off < 0 ? 0 : off > most ? most : off);
	}
	return true;
}

/* What a choice leaves: marginals not chosen, and noise of those chosen. */
struct choice {
	double left;		/* sum of off */
	double root;		/* sum of roots of cost */
	double budget;		/* part of the whole */
};

static double
loss(const struct choice *c, double off, double root)
{
	return c->left - off + (c->root + root) * (c->root + root) /
	    c->budget;
}

/* Takes the marginal that helps most, or none; false then. */
static bool
take_one(struct marginals *a, struct choice *c)
{
	struct partition *p = a->p.part + a->singles;
	const double *root = a->root + a->singles;
	double best = loss(c, 0, 0), one;
	size_t at = a->pairs;

	for (size_t k = 0; k < a->pairs; k++) {
		one = loss(c, (double)a->off[k], root[k]);
		if (p[k].share == 0 && root[k] > 0 && one < best) {
			best = one;
			at = k;
		}
	}
	if (at == a->pairs)
		return false;
	p[at].share = 1;
	c->left -= (double)a->off[at];
	c->root += root[at];
	return true;
}

void
marginals_choose(struct marginals *a)
{
	uint64_t rest = PARTS_WHOLE - a->single - a->look;
	struct choice c = { 0, 0, (double)rest / (double)PARTS_WHOLE };

	for (size_t k = 0; k < a->pairs; k++)
		c.left += (double)a->off[k];
	while (take_one(a, &c))
		;
	share(a, a->singles, a->pairs, rest);
}

void
marginals_every(struct marginals *a)
{
	forget(a, 0);
	for (size_t k = a->singles; k < a->p.parts; k++)
		a->p.part[k].share = 1;
	share(a, a->singles, a->pairs, PARTS_WHOLE);
}

/* Is a pair that was counted held by the fit? */
static void
hold(struct marginals *a, bool pairs)
{
	for (size_t k = a->singles; k < a->p.parts; k++)
		a->p.part[k].held = pairs && a->p.part[k].share > 0;
}

/* The table from all that was released. */
static bool
finish(struct marginals *a, double *y)
{
	double d;

	for (size_t k = 0; k < a->singles; k++)
		if (!parts_pool(&a->p, k))
			return false;
	hold(a, false);
	if (!parts_fit(&a->p, y))
		return false;
	hold(a, true);
	for (size_t k = a->singles; k < a->p.parts; k++) {
		if (!a->p.part[k].held)
			continue;
		d = degrees(a, k);
		if (d < 0)
			return false;
		believe(a, k, y, d, LIKELY);
	}
	return parts_fit(&a->p, y);
}

/* What is measured beside single attributes. */
static bool
choose(struct marginals *a, const int64_t *x, struct rng *r, double *y)
{
	if (!marginals_singles(a, x, r, y) || !marginals_look(a, x, r, y))
		return false;
	marginals_choose(a);
	/* without noise nothing is to be saved */
	for (size_t k = a->singles; r == NULL && k < a->p.parts; k++)
		a->p.part[k].share = 1;
	return true;
}

bool
marginals_release(struct marginals *a, const int64_t *x, struct rng *r,
    double *y)
{
	if (a->look == 0 && !a->every && r != NULL)
		return marginals_singles(a, x, r, y);
	if (a->every)
		marginals_every(a);
	else if (!choose(a, x, r, y))
		return false;
	return measure(a, a->singles, a->pairs, x, r) && finish(a, y);
}
