/*
 * quantile: options of em-quantile, and the public plan.
 *
 * The plan has the quantiles, the candidates' grid and the scale for every
 * question.  Scales are in records (or people): a value at the open rank
 * distance L has the weight exp(-L / scale).
 */
#include "quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/complete.h"
#include "tool/err.h"

#define RANGE_PARTS 1000	/* grid steps in the range, at least */
#define ANY_DIGITS 3		/* without --range: the grid, */
#define ANY_STEPS FIXED_MAX	/* and its steps on either side of 0 */
#define ERROR_SDS 2.1		/* 95 % for a sum of Laplace laws */

static void
add_quantile(struct quantile *q, const char *text)
{
	const struct rational zero = { 0, 1 }, one = { 1, 1 };
	struct rational x = opts_rational("--quantile", text);

	if (rational_cmp(x, zero) <= 0 || rational_cmp(x, one) >= 0)
		err_die(STATUS_USAGE, "--quantile '%s' is not above 0 and "
		    "below 1: 0.5 is the median (the smallest and the largest "
		    "value are one person's: ask for 0.01 or 0.99)", text);
	for (size_t i = 0; i < q->m; i++)
		if (rational_cmp(q->asked[i], x) == 0)
			err_die(STATUS_USAGE, "--quantile '%s' is asked for "
			    "twice", text);
	q->asked = err_alloc(q->asked, q->m + 1, sizeof(*q->asked));
	q->asked[q->m++] = x;
}

static void
take_quantiles(struct quantile *q, const char *text)
{
	char *copy = err_copy(text, strlen(text)), *rest = copy, *one;

	q->m = 0;
	while ((one = text_field(&rest, ",")) != NULL)
		add_quantile(q, one);
	free(copy);
}

/*
 * Without --range values of any size are candidates, under the log prior.
 * Ranks are sums of weights, so epsilons of records' own are weights, too.
 */
static void
set_range(struct quantile *q)
{
	static struct range any;
	struct operation op = { .numbers = true, .limits = true,
	    .groups = true, .people = true, .dates = true, .ranks = true,
	    .own_weight = true, .ranges = { &any, 1 } };
	struct opts *o = &q->opts;
	int digits = ANY_DIGITS;

	complete_options(o, &op);
	if (o->digits >= 0)
		digits = o->digits;
	rational_make(&any.lo, -ANY_STEPS, fixed_pow10(digits));
	rational_make(&any.hi, ANY_STEPS, fixed_pow10(digits));
	if (o->ranges.n > 1)
		err_die(STATUS_USAGE, "--range: one column has one range A:B, "
		    "and em-quantile takes one column");
	q->no_range = o->ranges.at == &any;
	if (q->no_range && opts_given(o, OPT_PRIOR) && !q->log_prior)
		err_die(STATUS_USAGE, "--prior uniform needs --range A:B");
	q->log_prior = q->log_prior || q->no_range;
}

void
quantile_take(void *arg, int code)
{
	struct quantile *q = arg;
	static const char *const priors[] = { "uniform", "log", NULL };

	switch (code) {
	case 'q': take_quantiles(q, optarg); break;
	case OPT_MECHANISM: q->kind = opts_mechanism(optarg); break;
	case OPT_INTERVAL:	/* in ranks: no two columns */
		q->interval = opts_part(OPTARG, false);
		break;
	case OPT_PRIOR: q->log_prior = opts_choose(OPTARG, priors) == 1; break;
	default:
		opts_take(&q->opts, code);
	}
}

void
quantile_check(void *arg)
{
	struct quantile *q = arg;
	struct opts *o = &q->opts;

	opts_file(o, 0);
	set_range(q);
	opts_check(o);
	OPTS_REFUSE(
		{ q->interval.den > 0 && q->m > 1, "--interval speaks of one "
		    "quantile: with several, the error of one is carried on to "
		    "others; ask for one by a release of its own, or read "
		    "'error' in --explain" },
		{ q->interval.den > 0 && !o->explain && !o->verbose &&
		    !o->check,
		    "--interval is a number of records, which only the report "
		    "has: add -v, or --explain" });
	if (q->m == 0)
		add_quantile(q, "0.5");
}

/*
 * The finer of two grids: the decimals written in --range, and the coarsest
 * with 1000 steps in the range.
 */
static int
grid_digits(const struct quantile *q)
{
	const struct opts *o = &q->opts;
	int digits = 0;
	struct rational width;

	if (o->digits >= 0 || q->no_range)
		return o->digits >= 0 ? o->digits : ANY_DIGITS;
	grid_hold(&digits, o->ranges.at[0].lo);
	grid_hold(&digits, o->ranges.at[0].hi);
	if (!rational_sub(&width, o->ranges.at[0].hi, o->ranges.at[0].lo))
		return -1;
	grid_limit(&digits, width, RANGE_PARTS);
	return digits;
}

static void
quantile_grid(struct quantile *q)
{
	const struct opts *o = &q->opts;

	q->digits = grid_digits(q);
	if (q->digits < 0 || !rational_grid(o->ranges.at[0].lo, q->digits,
	    FIXED_NEAREST, &q->lo) || !rational_grid(o->ranges.at[0].hi,
	    q->digits, FIXED_NEAREST, &q->hi))
		err_die(STATUS_USAGE, "--range does not fit 64 bits on its "
		    "grid; give fewer --digits");
}

/* The quantiles' least common denominator. */
static uint32_t
denominator(const struct quantile *q)
{
	i128 all = 1;

	for (size_t i = 0; i < q->m; i++) {
		all = all / (i128)wide_gcd((u128)all,
		    (u128)q->asked[i].den) * q->asked[i].den;
		if (all > QUANTILE_PARTS)
			err_die(STATUS_USAGE, "the quantiles must be fractions "
			    "with a common denominator up to %d",
			    QUANTILE_PARTS);
	}
	return (uint32_t)all;
}

/* Levels in ascending order, and each quantile's place. */
static void
set_levels(struct quantile *q)
{
	struct quantile_tree *t = &q->tree;

	t->denominator = denominator(q);
	q->level = err_alloc(NULL, q->m, sizeof(*q->level));
	q->place = err_alloc(NULL, q->m, sizeof(*q->place));
	for (size_t i = 0; i < q->m; i++) {
		q->place[i] = 0;
		for (size_t j = 0; j < q->m; j++)
			q->place[i] += rational_cmp(q->asked[j],
			    q->asked[i]) < 0;
		q->level[q->place[i]] = (uint32_t)(t->denominator /
		    q->asked[i].den * q->asked[i].num);
	}
	t->level = q->level;
	t->m = q->m;
	t->node = err_alloc(NULL, q->m, sizeof(*t->node));
}

/* K + 1 for the largest K with a value of 2^K or more in the range. */
static unsigned
powers(const struct quantile *q)
{
	int64_t most = FIXED_MOST(q->hi, -q->lo);
	unsigned k = 1;

	while (most >> k > 0)
		k++;
	return k;
}

static void
set_tree(struct quantile *q)
{
	const struct opts *o = &q->opts;

	q->tree.rule = (struct quantile_rule){
		.swap = o->neighbors == NEIGHBORS_SWAP,
		.kind = q->kind, .unit = o->unit.records,
		.eps = o->eps, .parts = CUT_PARTS, .powers = q->log_prior ?
		    powers(q) : 0 };
	if (o->eps.den > 0 && !quantile_plan(&q->tree))
		err_die(STATUS_USAGE, "these quantiles and this epsilon do not "
		    "fit 64 bits; round them");
}

/*
 * A question's scale in records, or in people with shares: the scale for r L,
 * divided by r and the units of weight in one.  Since s < 2^59 there is room.
 */
static struct rational
rank_scale(const struct quantile *q, const struct quantile_node *node)
{
	const struct rational unit = { (i128)node->r *
	    (i128)q->opts.unit.whole, 1 };
	struct rational scale = { (i128)node->t.s, (i128)node->t.r };

	rational_div(&scale, scale, unit);
	return scale;
}

/*
 * The largest variance, in ranks, of a question's cut and of those below, for
 * evenly spread values: a two-sided geometric law about a goal, the weighted
 * mean of the cuts on either side, whose variances and covariance the caller
 * knows.
 */
static double
variance(const struct quantile *q, const struct quantile_node *node, double lo,
    double hi, double both)
{
	double share, rate, own, low, high;

	if (node == NULL)
		return 0;
	share = (double)node->p / node->r;
	rate = exp(-1 / rational_real(rank_scale(q, node)));
	own = 2 * rate / ((1 - rate) * (1 - rate)) +
	    (1 - share) * (1 - share) * lo + share * share * hi +
	    2 * share * (1 - share) * both;
	low = variance(q, node->below[0], lo, own, (1 - share) * lo + share *
	    both);
	high = variance(q, node->below[1], own, hi, (1 - share) * both + share *
	    hi);
	return fmax(own, fmax(low, high));
}

/* The ranks' unit. */
static const char *
units(const struct quantile *q)
{
	return q->opts.unit.column == NULL || q->opts.unit.per == PER_ROWS ?
	    "records" : "people";
}

/* Notes the error, in ranks. */
static void
note_error(struct quantile *q)
{
	const struct quantile_node *node = &q->tree.node[0];
	double scale, most;

	if (q->m > 1) {
		most = ERROR_SDS * sqrt(variance(q, q->tree.root, 0, 0, 0));
		report_note(&q->report, "error", "95 %%: each answer within "
		    "about %.0f %s of its quantile, where values are evenly "
		    "spread around it", ceil(most), units(q));
		return;
	}
	scale = rational_real(rank_scale(q, node));
	most = ceil(scale * log(40 / (1 + exp(-1 / scale)))) - 1;
	report_note(&q->report, "error", "95 %%: within %.0f %s of the %s, "
	    "where values are evenly spread around it", most,
	    units(q), 2 * node->p == node->r ? "median" : "quantile");
}

void
quantile_describe(struct quantile *q, size_t place)
{
	const struct quantile_node *node = &q->tree.node[place];
	const struct unit *unit = &q->opts.unit;
	struct report *r = &q->report;
	i128 most = FIXED_MOST(node->p, node->r - node->p);

	if (q->opts.eps.den == 0)
		return;
	if (q->tree.rule.swap)
		most = node->r;
	r->scale = rank_scale(q, node);
	rational_make(&r->sens, most * (i128)unit->records, (i128)node->r *
	    (i128)unit->whole);
}

static void
describe_privacy(struct quantile *q)
{
	struct report *r = &q->report;
	const struct opts *o = &q->opts;

	if (q->m > 1)
		report_note(r, "levels", "%u: a record is asked about once on "
		    "each, and what it may lose on all of them is E",
		    quantile_height(q->m));
	if (o->eps.den == 0)
		report_note(r, "scale_formula", o->neighbors ==
		    NEIGHBORS_SWAP ? "2 / E records" :
		    "2 max(Q, 1 - Q) / E records");
}

static void
describe_tail(struct quantile *q)
{
	for (size_t i = 0; i < q->m; i++)
		if (quantile_tail(&q->tree, &q->tree.node[i])) {
			report_note(&q->report, "tail", "where a quantile has "
			    "less than a quarter of the records on one side, L "
			    "also counts how far v lies beyond their median "
			    "size: a power of two further is a quarter as "
			    "likely, for no part of E");
			return;
		}
}

/*
 * [MS20 Theorem 1] With --interval.  The best value has L <= 0 and is taken
 * whenever met, so either mechanism chooses a given candidate with loss g or
 * more with probability at most exp(-g / scale), and any of the grid's M values
 * but the best with M - 1 times this probability.  With g = scale ln((M - 1) /
 * (1 - P)) the product is 1 - P: the bound holds for any data.  M counts
 * copies: at most 2^K for each power of two on either side of zero, and for
 * zero.  In a tail the best value may cost TAIL_PRICE halvings, of 0.7 scale.
 */
static double
rank_bound(const struct quantile *q, double scale, double rest)
{
	double others = (double)((uint64_t)q->hi - (uint64_t)q->lo);
	int k = (int)q->tree.rule.powers;

	if (k > 0)
		others = ldexp(2 * k + 1, k - 1);
	if (q->m > 1)
		others *= CUT_PARTS;
	if (others == 0)
		return 0;
	if (quantile_tail(&q->tree, q->tree.root))
		rest *= exp(-0.7 * TAIL_PRICE);
	return fmax(0, ceil(scale * log(others / rest) + 1e-6));
}

/*
 * Under the log prior: values that fill a quarter of a power of two, so that
 * four times as many places of their mass are elsewhere.  This is no bound for
 * all data, which would ask for four times as many records as are needed.
 * Above a high quantile of positive values a power of two has a quarter of the
 * one before: all that is beyond has the mass of 1 / (2 ln 2) powers.
 */
static double
usual_bound(const struct quantile *q, size_t place, double scale, double rest)
{
	double k = q->tree.rule.powers, fine = CANDIDATES_FINE;

	k = 2 * (fmin(k, fine) + 2 * ceil(fmax(k - fine, 0) / 8)) + 1;
	if (quantile_tail(&q->tree, &q->tree.node[place]) &&
	    2 * q->level[place] > q->tree.denominator)
		k = 0.5 / log(2);
	return ceil(scale * log(k * 4 / rest));
}

/*
 * At most Q n + g below the answer and (1 - Q) n + g above leave a record on
 * either side where n min(Q, 1 - Q) > g.  Of m quantiles each keeps a bound
 * with probability 1 - 0.05 / m, and the bounds on a path, one for each level,
 * add up: a part's goal moves by less than the ends of the part do.  A value
 * stands for CUT_PARTS candidates there.
 */
static void
note_needs(struct quantile *q)
{
	double rest = 0.05 / (double)q->m, most = 0;

	for (size_t i = 0; i < q->m; i++) {
		double part = (double)q->level[i] / q->tree.denominator;
		double scale = rational_real(rank_scale(q, &q->tree.node[i]));
		double g = q->log_prior ? usual_bound(q, i, scale, rest) :
		    rank_bound(q, scale, rest) * quantile_height(q->m);

		most = fmax(most, g / fmin(part, 1 - part));
	}
	q->needs = (uint64_t)fmin(most, 1e18) + 1;
	report_note(&q->report, "needs", "%llu %s or more: of fewer an answer "
	    "may lie beyond all of them (95 %%, %s",
	    (unsigned long long)q->needs, units(q), q->log_prior ?
	    "where the values around it fill a quarter of a power of two)" :
	    "for all data); a narrower --range or fewer --digits need fewer");
}

static void
note_interval(struct quantile *q)
{
	double most = rank_bound(q, rational_real(q->report.scale), 1 -
	    rational_real(q->interval));
	char p[FIXED_TEXT];

	report_note(&q->report, "interval", "with probability %s at most Q n "
	    "+ %.0f %s lie below the answer and at most (1 - Q) n + %.0f "
	    "above it, for all data", rational_text(p, q->interval),
	    most, units(q), most);
}

static void
quantile_mechanism(struct quantile *q)
{
	struct report *r = &q->report;

	r->opts = &q->opts;
	r->digits = q->digits;
	r->mechanism = q->kind == SELECT_FLIP ?
	    "permute-and-flip on the open rank distance" :
	    "exponential mechanism on the open rank distance";
	r->noise = "a value at the open rank distance L has the weight "
	    "exp(-L / scale), all in records";
	r->eps = q->opts.eps;
	if (q->log_prior)
		report_note(r, "prior", "before the data are looked at, every "
		    "power of two is as likely as any other, on either side "
		    "of zero");
	if (q->m == 1)
		quantile_describe(q, 0);
	describe_tail(q);
	describe_privacy(q);
	if (q->opts.eps.den > 0) {
		note_error(q);
		note_needs(q);
	}
	if (q->interval.den > 0 && q->opts.eps.den > 0)
		note_interval(q);
}

void
quantile_plan_all(void *arg)
{
	struct quantile *q = arg;

	quantile_grid(q);
	opts_listed_columns(&q->opts, 1, 1);
	set_levels(q);
	set_tree(q);
	quantile_mechanism(q);
}
