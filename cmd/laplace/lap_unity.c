/*
 * lap_unity: mean under add-remove, stats, and the variance of one column
 * that cov asks for under add-remove, by a partition of unity.
 *
 * unity.c has the partition, its sensitivity C and what the noisy totals say;
 * cover.c the intervals.  Each of d columns has noise of scale d C/E on each
 * of its totals.  There are no other looks at the data.
 */
#include "lap_unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cover.h"
#include "lap_run.h"
#include "tool/err.h"

#define MARGIN 1e-12		/* for what floating point may lose */
#define MANY_STEPS ((u128)1 << 50)	/* of a range: finer is of no use */

/* What is printed of each column. */
enum part { MEAN, VARIANCE, DEVIATION, PARTS };

static const char *const names[PARTS] = { "mean", "var", "sd" };

struct unity {
	struct lap *l;
	enum unity_degree degree;
	int (*digits)[PARTS];		/* of each column */
	long double (*part)[UNITY_PARTS];	/* noisy totals, in records */
	struct answer *answer;
};

static enum unity_degree
degree_of(const struct lap *l)
{
	return (l->op->prints & LAP_VARIANCES) || l->args.population ?
	    UNITY_SQUARE : UNITY_LINE;
}

static bool
has_count(const struct lap *l)
{
	return (l->op->prints & LAP_COUNTS) != 0;
}

static bool
has_part(const struct lap *l, enum part part)
{
	return (l->op->prints & ((unsigned)LAP_MEANS << part)) != 0;
}

/* C of a column; a range of one point has one step, with nothing above it. */
static u128
total_sens(const struct sums_column *c, enum unity_degree degree)
{
	u128 steps = sums_steps(c);

	return unity_sens(steps > 0 ? steps : 1, degree);
}

/*
 * The finest grid of the cells on which the noise of column c fits; for
 * squares of a wide range that may be units of 10, 100, ...
 */
static bool
plan_column(struct lap *l, size_t c, enum unity_degree degree)
{
	struct lap_noise *n = &l->plan.noise[c];
	struct sums_column *col = &l->plan.column[c];

	n->digits = lap_range_digits(l, c, false);
	if (n->digits < 0)
		return false;
	for (int k = l->opts.per == PER_SUM ? lap_cell_digits(l, n->digits) :
	    FIXED_DIGITS; k >= -FIXED_DIGITS; k--) {
		u128 sens;

		if (!lap_column(l, c, k, LAP_LOWER) ||
		    (k > n->digits && sums_steps(col) > MANY_STEPS) ||
		    (degree == UNITY_SQUARE &&
		    sums_steps(col) > (u128)SUMS_WIDTH))
			continue;
		if (degree == UNITY_LINE && k < 0)
			return false;
		n->cell = l->plan.cell[c];
		sens = total_sens(col, degree);
		if (!lap_noise_fine(l, c, sens, l->plan.d))
			continue;
		if (n->digits > n->cell && l->opts.digits < 0)
			n->digits = n->cell;
		return n->digits <= n->cell || degree == UNITY_SQUARE;
	}
	return false;
}

static bool
plan(struct lap *l)
{
	enum unity_degree degree = degree_of(l);

	lap_room(l, l->plan.d);
	for (size_t c = 0; c < l->plan.d; c++)
		if (!plan_column(l, c, degree))
			return false;
	l->plan.k = 0;		/* it is not that of a printed number */
	return true;
}

/* --- without noise ------------------------------------------------------- */

/* x steps of a grid, or of a squared one, as they are printed. */
static i128
printed(long double x, int from, int to)
{
	x = to < from ? x / powl(10, from - to) : x * powl(10, to - from);
	return (i128)floorl(x + 0.5L);
}

static void
exact_answers(struct unity *u, const struct sums *s)
{
	const struct lap *l = u->l;
	struct answer *a = u->answer;
	long double n = (long double)s->count;

	if (has_count(l))
		*a++ = answer_make(fixed_div((i128)s->count,
		    (i128)opts_whole(&l->opts), FIXED_NEAREST), 0, 0, 0);
	for (size_t c = 0; c < l->plan.d; c++) {
		const struct sums_column *col = &l->plan.column[c];
		const int *to = u->digits[c];
		int from = l->plan.cell[c];
		long double unit = (long double)col->unit, v = 0, z =
		    s->count > 0 ? (long double)sums_sum(s, c) / n :
		    (long double)sums_steps(col) / 2;

		if (u->degree == UNITY_SQUARE && s->count > 0)
			v = fmaxl((long double)total_value(sums_square(s, c)) /
			    n - z * z, 0) * unit * unit;
		if (has_part(l, MEAN))
			a++->value = printed((long double)col->lo + z * unit,
			    from, to[MEAN]);
		if (has_part(l, VARIANCE))
			a++->value = printed(v, 2 * from, to[VARIANCE]);
		if (has_part(l, DEVIATION))
			a++->value = printed(sqrtl(v), from, to[DEVIATION]);
	}
}

/* --- with noise ---------------------------------------------------------- */

/* The noisy totals of every column, as numbers of records; n, pooled. */
static long double
draw_parts(struct unity *u, const struct sums *s)
{
	struct lap *l = u->l;
	long double n = 0;

	for (size_t c = 0; c < l->plan.d; c++) {
		long double sens = (long double)(total_sens(
		    &l->plan.column[c], u->degree) * opts_whole(&l->opts));
		i128 total[UNITY_PARTS];

		unity_totals(s, c, u->degree, total);
		for (int j = 0; j <= (int)u->degree; j++) {
			u->part[c][j] = (long double)fixed_add_sat(total[j],
			    lap_draw(l, &l->plan.noise[c].t)) / sens;
			n += u->part[c][j];
		}
	}
	return n / (long double)l->plan.d;
}

/* For cover.c, whose intervals look at one column alone. */
static struct cover_noise
noise_of(const struct unity *u, size_t c)
{
	const struct lap *l = u->l;
	double sens = (double)(total_sens(&l->plan.column[c], u->degree) *
	    opts_whole(&l->opts));
	const struct scale *t = &l->plan.noise[c].t;
	const struct rational *p = &l->opts.interval;

	return (struct cover_noise){ (double)t->s / (double)t->r / sens,
	    1 / sens, (double)(p->den - p->num) / (double)p->den, 1, 1 };
}

/* A number and the ends of its interval, which never leave it outside. */
static struct answer
answer_of(long double x, struct cover r, int digits)
{
	long double unit = (long double)fixed_pow10(digits);
	long double lower = fminl(x, (long double)r.lower) * unit;
	long double upper = fmaxl(x, (long double)r.upper) * unit;
	struct answer a = { (i128)floorl(x * unit + 0.5L),
	    (i128)floorl(lower), (i128)ceill(upper) };

	a.lower = a.lower < a.value ? a.lower : a.value;
	a.upper = a.upper > a.value ? a.upper : a.value;
	return a;
}

static struct answer
count_answer(const struct unity *u, long double n)
{
	size_t terms = (size_t)(u->degree + 1) * u->l->plan.d;
	struct cover_noise noise = noise_of(u, 0);
	double reach = 0, each = (double)u->degree + 1;

	n = lap_within(n, -1e30L, 1e30L);
	if (u->l->opts.has_interval)
		reach = (cover_average(terms, noise.alpha) * noise.scale +
		    noise.step) * each * (1 + MARGIN);
	return answer_of(n, (struct cover){ (double)n - reach, (double)n +
	    reach }, 0);
}

/* A part of the range and its interval as they are printed. */
static struct answer
part_answer(const struct unity *u, size_t c, long double x, struct cover r,
    enum part part)
{
	const struct lap *l = u->l;
	long double width = lap_length(l, c), low = part != MEAN ? 0 :
	    (long double)l->plan.column[c].lo /
	    (long double)fixed_pow10(l->plan.cell[c]);
	double most = part == MEAN ? 1 : part == VARIANCE ? 0.25 : 0.5;
	double unit = (double)width;

	unit *= part == VARIANCE ? (double)width : 1;
	width *= part == VARIANCE ? width : 1;
	r.lower = fmax(r.lower - MARGIN, 0) * unit + (double)low;
	r.upper = fmin(r.upper + MARGIN, most) * unit + (double)low;
	return answer_of(low + x * width, r, u->digits[c][part]);
}

static struct answer
mean_answer(const struct unity *u, size_t c, long double n)
{
	struct cover_noise noise = noise_of(u, c);
	struct cover r = { 0, 0 };

	if (u->l->opts.has_interval)
		r = (u->l->args.population ? cover_population : cover_mean)(
		    u->part[c], u->degree, &noise);
	return part_answer(u, c, unity_mean(u->part[c], u->degree, n), r,
	    MEAN);
}

/* The variance and, behind it, the standard deviation. */
static void
square_answers(const struct unity *u, size_t c, long double n,
    struct answer *a)
{
	struct cover_noise noise = noise_of(u, c);
	long double v = unity_variance(u->part[c], n);
	struct cover r = { 0, 0 };

	if (u->l->opts.has_interval)
		r = cover_variance(u->part[c], &noise);
	a[0] = part_answer(u, c, v, r, VARIANCE);
	a[1] = part_answer(u, c, sqrtl(v), (struct cover){ sqrt(fmax(r.lower,
	    0)), sqrt(r.upper) }, DEVIATION);
}

static void
noisy_answers(struct unity *u, const struct sums *s)
{
	long double n = draw_parts(u, s);
	struct answer *a = u->answer;

	if (has_count(u->l))
		*a++ = count_answer(u, n);
	for (size_t c = 0; c < u->l->plan.d; c++) {
		struct answer square[2];

		if (has_part(u->l, MEAN))
			*a++ = mean_answer(u, c, n);
		if (has_part(u->l, VARIANCE)) {
			square_answers(u, c, n, square);
			*a++ = square[0];
		}
		if (has_part(u->l, DEVIATION))
			*a++ = square[1];
	}
}

/* --- the operation ------------------------------------------------------- */

/* May a width be printed with so many decimals more? */
static bool
fits(u128 width, int more)
{
	for (; more > 0 && width >> 62 == 0; more--)
		width *= 10;
	return width >> 62 == 0;
}

static u128
size_of(int64_t x)
{
	return (u128)(x < 0 ? -x : x);
}

/* Decimals of each part: of a variance, no more than make sense. */
static void
set_digits(struct unity *u)
{
	struct lap *l = u->l;

	u->digits = err_alloc(NULL, l->plan.d, sizeof(*u->digits));
	for (size_t c = 0; c < l->plan.d; c++) {
		int *digits = u->digits[c], cell = l->plan.cell[c];
		u128 width;

		digits[MEAN] = digits[DEVIATION] = l->plan.noise[c].digits;
		digits[VARIANCE] = lap_range_digits(l, c, true);
		if (l->opts.digits < 0 && digits[VARIANCE] > 2 * cell)
			digits[VARIANCE] = 2 * cell;
		width = sums_steps(&l->plan.column[c]) *
		    (uint64_t)l->plan.column[c].unit;
		if (!fits(width + size_of(l->plan.column[c].lo),
		    digits[MEAN] - cell) ||
		    (u->degree == UNITY_SQUARE && !fits(width,
		    (digits[VARIANCE] - 2 * cell + 1) / 2)))
			die(STATUS_USAGE, "these parameters do not fit 64 "
			    "bits on their grid; give fewer --digits");
	}
}

static void
declare(const struct unity *u)
{
	struct lap *l = u->l;

	lap_begin(l);
	lap_hide(l);
	if (has_count(l)) {
		l->report.digits = 0;
		release_answer(&l->out, NULL, "count", 0);
	}
	for (size_t c = 0; c < l->plan.d; c++)
		for (enum part p = MEAN; p < PARTS; p++) {
			if (!has_part(l, p))
				continue;
			l->report.digits = u->digits[c][p];
			release_answer(&l->out, lap_name(l, c),
			    l->args.versus != NULL ? "diff" : names[p],
			    u->digits[c][p]);
		}
	release_header(&l->out);
}

static void
note(struct lap *l, enum unity_degree degree)
{
	struct report *r = &l->report;
	double times = (double)l->plan.d * (double)opts_records(&l->opts) /
	    (double)opts_whole(&l->opts);

	r->noise = "discrete Laplace, exact, on the totals of a partition of "
	    "unity";
	report_note(r, "totals", "%d of each column, in records: a record adds "
	    "1 to them together; the noise of each has scale 1/E%s", degree + 1,
	    l->plan.d > 1 ? " times the number of columns" : "");
	report_note(r, "error95_of_mean", "about %.1f to %.1f (B-A)/(n E), n "
	    "records", 2.1 * times, 3.2 * times);
	r->digits = l->plan.noise->digits;
	lap_hide(l);
}

/* --- differences from one group ------------------------------------------ */

struct side {
	i128 mean;
	struct cover_side cover;
};

static struct side
side_of(const struct unity *u, size_t c, long double n)
{
	struct unity_moments m = cover_moments(u->part[c], UNITY_SQUARE);
	struct cover_noise noise = noise_of(u, c);

	return (struct side){ mean_answer(u, c, n).value,
	    cover_side(&m, &noise) };
}

static struct answer
difference(const struct unity *u, size_t c, const struct side *a,
    const struct side *b)
{
	double reach = cover_difference(&a->cover, &b->cover,
	    noise_of(u, c).alpha) / 2 * (double)lap_length(u->l, c);
	i128 x = a->mean - b->mean, r = (i128)ceil(reach * pow(10,
	    u->digits[c][MEAN]));

	if (a == b)
		return (struct answer){ 0, 0, 0 };
	return (struct answer){ x, x - r, x + r };
}

static void
write_differences(struct unity *u, const struct sums *s, uint64_t rel)
{
	struct lap *l = u->l;
	size_t d = l->plan.d, groups = l->in.groups, key = keys_find(
	    &l->in.keys, l->args.versus, strlen(l->args.versus));
	struct side *side = err_alloc(NULL, groups * d, sizeof(*side));

	for (size_t g = 0; g < groups; g++) {
		long double n = draw_parts(u, &s[g]);

		for (size_t c = 0; c < d; c++)
			side[g * d + c] = side_of(u, c, n);
	}
	for (size_t g = 0; g < groups; g++) {
		for (size_t c = 0; c < d; c++)
			u->answer[c] = difference(u, c, &side[g * d + c],
			    &side[key * d + c]);
		lap_row(l, rel, g, u->answer);
	}
	free(side);
}

static void
write_all(struct unity *u, const struct sums *s)
{
	struct lap *l = u->l;

	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		for (size_t g = 0; g < l->in.groups; g++) {
			if (l->args.versus != NULL) {
				write_differences(u, s, rel);
				break;
			}
			if (l->opts.non_private)
				exact_answers(u, &s[g]);
			else
				noisy_answers(u, &s[g]);
			lap_row(l, rel, g, u->answer);
		}
}

void
lap_unity(struct lap *l)
{
	enum unity_degree degree = degree_of(l);
	struct unity u = { .l = l, .degree = degree };
	struct sums *s;

	if (l->opts.has_within)
		die(STATUS_USAGE, "%s under add-remove is a quotient: "
		    "--within is for additive noise, such as that of sp-mean "
		    "and sp-var", l->op->name);
	lap_settle(l, plan);
	note(l, degree);
	lap_prepare(l);
	lap_open(l, plan);
	if (l->args.versus != NULL && keys_find(&l->in.keys, l->args.versus,
	    strlen(l->args.versus)) == l->in.keys.n)
		die(STATUS_USAGE, "--versus '%s' is none of the --groups",
		    l->args.versus);
	set_digits(&u);
	u.part = err_alloc(NULL, l->plan.d, sizeof(*u.part));
	u.answer = err_alloc(NULL, 1 + l->plan.d * PARTS, sizeof(*u.answer));
	s = lap_read_sums(l, degree == UNITY_SQUARE ? SUMS_SQUARES :
	    SUMS_ALONE);
	declare(&u);
	write_all(&u, s);
	lap_free_sums(l, s);
	free(u.digits);
	free(u.part);
	free(u.answer);
	lap_end(l);
}
