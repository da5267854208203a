/*
 * lap_stats: mean under add-remove, and stats.
 *
 * plan/moments.c has the totals, and cover.c the intervals.
 */
#include <math.h>
#include <string.h>

#include "laplace/answer/cover.h"
#include "lap.h"
#include "tool/err.h"

#define MARGIN 1e-12		/* for losses to floating point */
#define EQUALS 60		/* terms looked at in an average */

/* A column's printed statistics. */
enum part { MEAN, VARIANCE, DEVIATION, PARTS };

static const char *const names[PARTS] = { "mean", "var", "sd" };

/* A group's mean, for differences. */
struct side {
	i128 mean;
	struct cover_side cover[2];	/* at the lower and upper end */
};

struct stats {
	struct side *side;		/* for each column in each group */
	size_t versus;			/* the group to compare with */
};

static bool
has_part(const struct lap_plan *p, enum part part)
{
	return (p->op->prints & ((unsigned)LAP_MEANS << part)) != 0;
}

static void
lap_stats_start(struct lap *l)
{
	if (l->opts.within.den > 0 && l->args.size == 0)
		err_die(STATUS_USAGE, "%s under add-remove is a quotient, "
		    "whose error falls with n: mean takes --within and --size "
		    "N, a guess at n", l->plan.op->name);
}

static void
lap_stats_opened(struct lap *l)
{
	struct stats *u = l->own;

	if (l->args.versus != NULL && (u->versus = keys_find(&l->in.keys,
	    l->args.versus, strlen(l->args.versus))) == l->in.keys.n)
		err_die(STATUS_USAGE, "--versus '%s' is none of the --groups",
		    l->args.versus);
	u->side = err_alloc(NULL, l->plan.d * l->in.groups, sizeof(*u->side));
	lap_moments_open(l);
}

/* --- columns and answers ------------------------------------------------- */

/* Decimals for a part; a variance has no more than the squared cells. */
static int
part_digits(const struct lap_plan *p, size_t c, enum part part)
{
	int cell = p->cell[c], digits = p->noise[c].digits;
	long double width = lap_length(p, c);

	if (part != VARIANCE) {
		lap_fit(width + fabsl((long double)p->column[c].lo /
		    (long double)fixed_pow10(cell)), digits);
		return digits;
	}
	digits = lap_range_digits(p, c, 2);
	if (p->opts->digits < 0 && digits > 2 * cell)
		digits = 2 * cell;
	lap_fit(width, (digits + 1) / 2);
	return digits;
}

static void
lap_stats_fit(const struct lap_plan *p)
{
	for (size_t c = 0; c < p->d; c++)
		for (enum part i = MEAN; i < PARTS; i++)
			if (has_part(p, i))
				(void)part_digits(p, c, i);
}

/* A deviation is at most half of the range, so it errs more than this. */
static void
lap_stats_declare(struct lap *l)
{
	const double *e = l->moments.error;

	lap_hide(&l->plan);
	if (l->plan.op->prints & LAP_COUNTS)
		lap_column_of(l, NULL, "count", 0, 0);
	for (size_t c = 0; c < l->plan.d; c++)
		for (enum part p = MEAN; p < PARTS; p++) {
			double unit = pow((double)lap_length(&l->plan, c), p ==
			    VARIANCE ? 2 : 1);

			if (has_part(&l->plan, p))
				lap_column_of(l, lap_name(l, c),
				    l->args.versus != NULL ? "diff" : names[p],
				    part_digits(&l->plan, c, p), unit * e[p ==
				    MEAN ? COVER_MEAN : COVER_VARIANCE]);
		}
}

/* A part of the range and the interval, in printed form. */
static struct answer
part_answer(const struct lap *l, size_t c, long double x, struct cover r,
    enum part part)
{
	static const double most[PARTS] = { 1, 0.25, 0.5 };
	long double width = lap_length(&l->plan, c), low = 0;

	if (part == MEAN)
		low = (long double)l->plan.column[c].lo /
		    (long double)fixed_pow10(l->plan.cell[c]);
	if (part == VARIANCE)
		width *= width;
	r.lower = (double)low + fmax(r.lower - MARGIN, 0) * (double)width;
	r.upper = (double)low + fmin(r.upper + MARGIN, most[part]) *
	    (double)width;
	return lap_real(low + x * width, (long double)r.lower,
	    (long double)r.upper, part_digits(&l->plan, c, part));
}

/* --- with noise ---------------------------------------------------------- */

/*
 * The number of records by a noise of its own; or the sum of all parts of a
 * column, averaged over the columns: an average over many spreads no more than
 * an average over few [Proschan 1965].
 */
static struct answer
count_answer(const struct lap *l)
{
	const struct lap_plan *p = &l->plan;
	struct cover_noise noise = lap_cover(p);
	struct spread_part part = { { noise.scale }, 1, 2, 1 };
	double each = p->box.d == 0 ? UNITY_PARTS : 1;
	long double n = l->moments.n * lap_record(l), reach = 0;

	if (p->box.d == 0)
		part.times = fmin((double)p->m, EQUALS);
	part.a[0] *= each / part.times;
	if (l->opts.interval.den > 0)
		reach = (long double)((spread_reach((struct spread){ &part, 1,
		    0 }, noise.alpha) + noise.step * each) * (1 + MARGIN));
	return lap_real(n, n - reach, n + reach, 0);
}

/* The parts of column c; returns the place after them. */
static struct answer *
part_answers(const struct lap *l, size_t c, struct answer *a)
{
	const struct unity_moments *m = &l->moments.column[c];
	struct cover_noise noise = lap_cover(&l->plan);
	long double n = l->moments.n, v = unity_variance(m, n) / 4;
	const long double x[] = { (1 + unity_mean(m, n)) / 2, v, sqrtl(v) };
	struct cover r[PARTS] = { { 0, 0 } };

	if (l->args.population)
		r[MEAN] = cover_population(m, &noise);
	else if (l->opts.interval.den > 0 && has_part(&l->plan, MEAN))
		r[MEAN] = cover_mean(m, &noise);
	if (l->opts.interval.den > 0 && has_part(&l->plan, VARIANCE))
		r[VARIANCE] = cover_variance(m, &noise);
	r[VARIANCE].lower /= 4;
	r[VARIANCE].upper /= 4;
	r[DEVIATION] = (struct cover){ sqrt(fmax(r[VARIANCE].lower, 0)),
	    sqrt(r[VARIANCE].upper) };
	for (enum part p = MEAN; p < PARTS; p++)
		if (has_part(&l->plan, p))
			*a++ = part_answer(l, c, x[p], r[p], p);
	return a;
}

/* The groups' means, drawn at once. */
static void
draw_sides(struct lap *l)
{
	struct side *side = ((struct stats *)l->own)->side;
	const struct cover_noise noise = lap_cover(&l->plan);

	for (size_t g = 0; g < l->in.groups; g++) {
		lap_moments_draw(l, g);
		for (size_t c = 0; c < l->plan.d; c++, side++) {
			const struct unity_moments *m = &l->moments.column[c];
			struct answer mean;

			part_answers(l, c, &mean);
			side->mean = mean.value;
			side->cover[0] = cover_side(m, &noise, -1);
			side->cover[1] = cover_side(m, &noise, 1);
		}
	}
}

static struct answer
difference(const struct lap *l, size_t c, const struct side *a,
    const struct side *b)
{
	double unit = (double)lap_length(&l->plan, c) / 2 * pow(10,
	    part_digits(&l->plan, c, MEAN)), reach[2];

	for (int i = 0; i < 2; i++)
		reach[i] = ceil(unit * cover_difference(&a->cover[i],
		    &b->cover[1 - i], lap_alpha(&l->plan)));
	if (a == b)
		return (struct answer){ 0, 0, 0 };
	return (struct answer){ a->mean - b->mean, a->mean - b->mean -
	    (i128)reach[0], a->mean - b->mean + (i128)reach[1] };
}

static void
lap_stats_answers(struct lap *l, size_t g, struct answer *a)
{
	const struct stats *u = l->own;
	size_t d = l->plan.d;

	if (l->args.versus != NULL) {
		if (g == 0)
			draw_sides(l);
		for (size_t c = 0; c < d; c++)
			a[c] = difference(l, c, &u->side[g * d + c],
			    &u->side[u->versus * d + c]);
		return;
	}
	lap_moments_draw(l, g);
	if (l->plan.op->prints & LAP_COUNTS)
		*a++ = count_answer(l);
	for (size_t c = 0; c < d; c++)
		a = part_answers(l, c, a);
}

const struct lap_way lap_stats = {
	.body = { &lap_parts, &lap_own, &lap_joint, &lap_line },
	.start = lap_stats_start, .fit = lap_stats_fit,
	.facts = lap_moments_note, .open = lap_stats_opened,
	.declare = lap_stats_declare, .answers = lap_stats_answers,
	.own = sizeof(struct stats)
};
