/*
 * lap_unity: mean under add-remove, stats, and cov of one column, which is a
 * variance, by a partition of unity.
 *
 * unity.c has the partition, the sensitivity C and the estimates from noisy
 * totals; cover.c has the intervals.  Each of d columns has noise of scale
 * d C/E on each total, and of 2 d C/E under swap, where a record that is
 * replaced is one less and one more.  Nothing else looks at the data.
 */
#include <math.h>
#include <string.h>

#include "laplace/answer/cover.h"
#include "lap.h"
#include "tool/err.h"

#define MARGIN 1e-12		/* for losses to floating point */
#define EQUALS 60		/* terms looked at in an average */
#define MANY_STEPS ((u128)1 << 50)	/* in a range; a finer grid is of no
					   use */

/* A column's printed statistics. */
enum part { MEAN, VARIANCE, DEVIATION, PARTS };

static const char *const names[PARTS] = { "mean", "var", "sd" };

/* A group's mean, for differences. */
struct side {
	i128 mean;
	struct cover_side cover[2];	/* at the lower and upper end */
};

struct unity {
	struct unity_moments *column;	/* from its noisy totals */
	struct side *side;		/* for each column in each group */
	size_t versus;			/* the group to compare with */
};

static enum unity_degree
degree_of(const struct lap *l)
{
	return lap_has_squares(l) ? UNITY_SQUARE : UNITY_LINE;
}

static bool
has_part(const struct lap *l, enum part part)
{
	return (l->op->prints & ((unsigned)LAP_MEANS << part)) != 0;
}

/*
 * The finest cell grid with room for the noise of column c; for squares of a
 * wide range perhaps units of 10, 100, ...
 */
static bool
plan_column(struct lap *l, size_t c)
{
	struct lap_noise *n = &l->plan.noise[c];
	struct sums_column *col = &l->plan.column[c];
	enum unity_degree degree = degree_of(l);
	u128 sens;

	n->digits = lap_range_digits(l, c, 1);
	if (n->digits < 0)
		return false;
	for (int k = l->opts.unit.per != PER_SUM ? FIXED_DIGITS :
	    lap_cell_digits(l, n->digits); k >= -FIXED_DIGITS; k--) {
		if (!lap_column(l, c, k, LAP_LOWER) ||
		    (k > n->digits && sums_steps(col) > MANY_STEPS) ||
		    (degree == UNITY_SQUARE &&
		    sums_steps(col) > (u128)SUMS_WIDTH))
			continue;
		if (degree == UNITY_LINE && k < 0)
			return false;
		n->cell = l->plan.cell[c];
		sens = unity_sens(sums_steps(col), degree);
		if (!lap_noise_fine(l, c, lap_sens(l, sens, 2 * sens),
		    l->plan.d))
			continue;
		if (n->digits > n->cell && l->opts.digits < 0)
			n->digits = n->cell;
		return n->digits <= n->cell || degree == UNITY_SQUARE;
	}
	return false;
}

static bool
lap_unity_plan(struct lap *l)
{
	if (l->box)
		return lap_moments_plan(l);
	l->m = l->plan.d * (degree_of(l) + 1);
	lap_room(l, l->plan.d);
	for (size_t c = 0; c < l->plan.d; c++)
		if (!plan_column(l, c))
			return false;
	l->plan.k = 0;		/* the grid is not a printed number's */
	return true;
}

static void
lap_unity_start(struct lap *l)
{
	if (l->opts.within.den > 0 && l->args.size == 0)
		err_die(STATUS_USAGE, "%s under add-remove is a quotient, "
		    "whose error falls with n: mean takes --within and --size "
		    "N, a guess at n", l->op->name);
}

static void
lap_unity_note(struct lap *l)
{
	struct report *r = &l->report;
	const struct cover_noise noise = lap_cover(l, 0);
	char text[REPORT_NOTE];

	r->digits = l->plan.noise->digits;
	lap_hide(l);
	if (l->box) {
		lap_moments_note(l);
	} else {
		r->noise = "discrete Laplace, exact, on the totals of a "
		    "partition of unity";
		report_note(r, "totals", "%d of each column, in records: a "
		    "record adds 1 to them together; the noise of each has "
		    "scale %d/E%s%s", degree_of(l) + 1, (int)lap_sens(l, 1, 2),
		    lap_times(l, text), l->plan.d > 1 ? " times the number of "
		    "columns" : "");
	}
	if (has_part(l, MEAN))
		lap_note_error(l, &noise, COVER_MEAN);
	if (has_part(l, VARIANCE))
		lap_note_error(l, &noise, COVER_VARIANCE);
}

/* --- records ------------------------------------------------------------- */

static void
lap_unity_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	struct total *t = l->total + group * l->m;

	if (l->box) {
		lap_moments_take(l, x, w, t);
		return;
	}
	for (size_t c = 0; c < l->plan.d; c++, t += degree_of(l) + 1)
		unity_add(&l->plan.column[c], degree_of(l), &x[c], 1, w, t);
}

/* Records of the only column, in the only group. */
static void
lap_unity_take_all(void *arg, const int64_t *x, size_t n)
{
	const struct lap *l = arg;

	unity_add(l->plan.column, degree_of(l), x, n, 1, l->total);
}

static void
lap_unity_opened(struct lap *l)
{
	struct unity *u = l->own;
	size_t d = l->plan.d;

	if (l->args.versus != NULL && (u->versus = keys_find(&l->in.keys,
	    l->args.versus, strlen(l->args.versus))) == l->in.keys.n)
		err_die(STATUS_USAGE, "--versus '%s' is none of the --groups",
		    l->args.versus);
	u->column = err_alloc(NULL, d, sizeof(*u->column));
	u->side = err_alloc(NULL, d * l->in.groups, sizeof(*u->side));
}

/* --- columns and answers ------------------------------------------------- */

/* Decimals for a part; a variance has no more than the squared cells. */
static int
part_digits(const struct lap *l, size_t c, enum part part)
{
	int cell = l->plan.cell[c], digits = l->plan.noise[c].digits;
	long double width = lap_length(l, c);

	if (part != VARIANCE) {
		lap_fit(width + fabsl((long double)l->plan.column[c].lo /
		    (long double)fixed_pow10(cell)), digits);
		return digits;
	}
	digits = lap_range_digits(l, c, 2);
	if (l->opts.digits < 0 && digits > 2 * cell)
		digits = 2 * cell;
	lap_fit(width, (digits + 1) / 2);
	return digits;
}

static void
lap_unity_fit(const struct lap *l)
{
	for (size_t c = 0; c < l->plan.d; c++)
		for (enum part p = MEAN; p < PARTS; p++)
			if (has_part(l, p))
				(void)part_digits(l, c, p);
}

static void
lap_unity_declare(struct lap *l)
{
	lap_hide(l);
	if (l->op->prints & LAP_COUNTS)
		lap_column_of(l, NULL, "count", 0);
	for (size_t c = 0; c < l->plan.d; c++)
		for (enum part p = MEAN; p < PARTS; p++)
			if (has_part(l, p))
				lap_column_of(l, lap_name(l, c),
				    l->args.versus != NULL ? "diff" : names[p],
				    part_digits(l, c, p));
}

/* A part of the range and the interval, in printed form. */
static struct answer
part_answer(const struct lap *l, size_t c, long double x, struct cover r,
    enum part part)
{
	static const double most[PARTS] = { 1, 0.25, 0.5 };
	long double width = lap_length(l, c), low = 0;

	if (part == MEAN)
		low = (long double)l->plan.column[c].lo /
		    (long double)fixed_pow10(l->plan.cell[c]);
	if (part == VARIANCE)
		width *= width;
	r.lower = (double)low + fmax(r.lower - MARGIN, 0) * (double)width;
	r.upper = (double)low + fmin(r.upper + MARGIN, most[part]) *
	    (double)width;
	return lap_real(low + x * width, (long double)r.lower,
	    (long double)r.upper, part_digits(l, c, part));
}

/* --- with noise ---------------------------------------------------------- */

/*
 * A totals' record, in persons.  Without noise a share is a separate record:
 * fewer than one person have a mean, too.
 */
static long double
record_of(const struct lap *l)
{
	return l->opts.non_private ? 1 / (long double)l->opts.unit.whole : 1;
}

/* The noisy totals of every column, as numbers of records; n, pooled. */
static long double
draw_parts(struct lap *l, size_t g)
{
	const struct unity *u = l->own;
	const struct total *t = l->total + g * l->m;
	long double n = 0, part[UNITY_PARTS];

	if (l->box)
		return lap_moments_draw(l, g, record_of(l), u->column, NULL);
	for (size_t c = 0; c < l->plan.d; c++) {
		long double unit = lap_unit(l, c) * record_of(l);

		for (int j = 0; j <= (int)degree_of(l); j++) {
			part[j] = (long double)lap_noisy(l, total_value(t++),
			    c) / unit;
			n += part[j];
		}
		u->column[c] = unity_moments(part, degree_of(l));
	}
	return n / (long double)l->plan.d;
}

/*
 * The sum of all parts of a column, averaged over the columns: an average over
 * many spreads no more than an average over few [Proschan 1965].
 */
static struct answer
count_answer(const struct lap *l, long double n)
{
	double each = (double)degree_of(l) + 1;
	long double reach = 0;
	struct cover_noise noise = lap_cover(l, 0);
	struct spread_part part = { { 0 }, 1, 2, fmin((double)l->m, EQUALS) };

	if (l->box)
		each = part.times = 1;
	part.a[0] = noise.scale * each / part.times;
	n *= record_of(l);
	if (l->opts.interval.den > 0)
		reach = (long double)((spread_reach((struct spread){ &part, 1,
		    0 }, noise.alpha) + noise.step * each) * (1 + MARGIN));
	return lap_real(n, n - reach, n + reach, 0);
}

/* The parts of column c; returns the place behind them. */
static struct answer *
part_answers(const struct lap *l, size_t c, long double n, struct answer *a)
{
	const struct unity *u = l->own;
	const struct unity_moments *m = &u->column[c];
	struct cover_noise noise = lap_cover(l, c);
	long double v = unity_variance(m, n) / 4;
	const long double x[] = { (1 + unity_mean(m, n)) / 2, v, sqrtl(v) };
	struct cover r[PARTS] = { { 0, 0 } };

	if (l->args.population)
		r[MEAN] = cover_population(m, &noise);
	else if (l->opts.interval.den > 0 && has_part(l, MEAN))
		r[MEAN] = cover_mean(m, &noise);
	if (l->opts.interval.den > 0 && has_part(l, VARIANCE))
		r[VARIANCE] = cover_variance(m, &noise);
	r[VARIANCE].lower /= 4;
	r[VARIANCE].upper /= 4;
	r[DEVIATION] = (struct cover){ sqrt(fmax(r[VARIANCE].lower, 0)),
	    sqrt(r[VARIANCE].upper) };
	for (enum part p = MEAN; p < PARTS; p++)
		if (has_part(l, p))
			*a++ = part_answer(l, c, x[p], r[p], p);
	return a;
}

/* The groups' means, drawn at once. */
static void
draw_sides(struct lap *l)
{
	const struct unity *u = l->own;
	struct side *side = u->side;

	for (size_t g = 0; g < l->in.groups; g++) {
		long double n = draw_parts(l, g);

		for (size_t c = 0; c < l->plan.d; c++, side++) {
			const struct unity_moments *m = &u->column[c];
			struct cover_noise noise = lap_cover(l, c);
			struct answer mean;

			part_answers(l, c, n, &mean);
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
	double unit = (double)lap_length(l, c) / 2 * pow(10,
	    part_digits(l, c, MEAN)), reach[2];

	for (int i = 0; i < 2; i++)
		reach[i] = ceil(unit * cover_difference(&a->cover[i],
		    &b->cover[1 - i], lap_alpha(l)));
	if (a == b)
		return (struct answer){ 0, 0, 0 };
	return (struct answer){ a->mean - b->mean, a->mean - b->mean -
	    (i128)reach[0], a->mean - b->mean + (i128)reach[1] };
}

static void
lap_unity_answers(struct lap *l, size_t g, struct answer *a)
{
	const struct unity *u = l->own;
	size_t d = l->plan.d;
	long double n;

	if (l->args.versus != NULL) {
		if (g == 0)
			draw_sides(l);
		for (size_t c = 0; c < d; c++)
			a[c] = difference(l, c, &u->side[g * d + c],
			    &u->side[u->versus * d + c]);
		return;
	}
	n = draw_parts(l, g);
	if (l->op->prints & LAP_COUNTS)
		*a++ = count_answer(l, n);
	for (size_t c = 0; c < d; c++)
		a = part_answers(l, c, n, a);
}

const struct lap_way lap_unity = {
	.start = lap_unity_start, .plan = lap_unity_plan,
	.fit = lap_unity_fit, .note = lap_unity_note, .open = lap_unity_opened,
	.take = lap_unity_take, .take_all = lap_unity_take_all,
	.declare = lap_unity_declare, .answers = lap_unity_answers,
	.quotient = true, .own = sizeof(struct unity)
};
