/*
 * cut: the noise of sums, means and covariances of columns that are bounded
 * together.
 *
 * [DMNS06 Section 3.2] With --norm G a record's columns, each divided by the
 * larger end of the range, have an l1 norm of at most G; norm.c has the totals,
 * their sensitivity, and the proof.  G is between 1 and d, the number of
 * columns, and pays where most columns in a record are 0.
 *
 * [DMNS06 Theorem 2] Sums and means may have K-norm noise instead, of the box
 * of the ranges cut by the norm (knorm.c): the cells of a record are between
 * norm_cell of the range's ends, or nearer to 0, and B together.
 */
#include <math.h>

#include "plan.h"
#include "tool/err.h"

#define PARTS 1e12	/* of an error that is no whole number */
#define TWO 1.37	/* of two totals' noise over that of one */

int64_t
lap_norm_end(const struct sums_column *c)
{
	u128 most = sums_sens_sum(c, NEIGHBORS_ADD_REMOVE);

	return most > 1 ? (int64_t)most : 1;
}

long double
lap_norm_unit(const struct lap_plan *p, size_t c)
{
	return (long double)lap_norm_end(&p->column[c]) /
	    (long double)fixed_pow10(p->cell[c]);
}

bool
lap_norm_empty(const struct lap_plan *p, size_t i)
{
	const struct sums_column *c = &p->column[i / 2];

	if (p->norm.kind != NORM_PARTS || i >= 2 * p->d)
		return false;
	return i % 2 == 0 ? c->hi <= 0 : c->lo >= 0;
}

/* --- plans ---------------------------------------------------------------- */

/* Columns on their finest grids; then the most steps that fit. */
static bool
cut_plan(struct lap_plan *p, enum norm_kind kind,
    bool (*noise)(struct lap_plan *p))
{
	struct norm *n = &p->norm;
	struct rational g;

	if (n->d != 0 && n->d != p->d)
		err_die(STATUS_USAGE, "--norm needs each column named by -c");
	lap_room(p, 1);
	for (size_t c = 0; c < p->d; c++)
		if (lap_finest(p, c, lap_first_digits(p, c), 0, LAP_ZERO,
		    ~(u128)0) < 0)
			return false;
	*n = (struct norm){ kind, p->d, NORM_STEPS, 0 };
	for (; n->steps > 1; n->steps /= 2) {
		if (!rational_mul(&g, p->args->norm, (struct rational){
		    n->steps, 1 }))
			return false;
		n->bound = (int64_t)fixed_floor_div(g.num, g.den);
		if (n->bound <= NORM_BOUND && noise(p))
			break;
	}
	p->k = 0;		/* the grid is not a printed number's */
	if (p->op->prints & LAP_MEANS)
		p->divisor = p->args->size;	/* 0: not known yet */
	p->m = norm_totals(n) + 1;	/* the last total counts records */
	p->alike = p->m;
	p->counted = true;
	return n->steps > 1;
}

static bool
cut_totals(struct lap_plan *p)
{
	return lap_noise_fine(p, 0, norm_sens(&p->norm, p->opts->neighbors), 1);
}

bool
lap_norm_totals(struct lap_plan *p)
{
	enum norm_kind kind = NORM_SUMS;

	if (p->op->prints & LAP_PAIRS)
		kind = NORM_PRODUCTS;
	else if (lap_quotient(p))
		kind = NORM_PARTS;
	return cut_plan(p, kind, cut_totals);
}

/* By a record's sides. */
static bool
cut_box(struct lap_plan *p)
{
	const struct norm *n = &p->norm;
	struct knorm cut = { .d = p->d, .bound = (uint64_t)p->norm.bound,
	    .replaced = lap_sens(p, 0, 1) == 1 };

	p->side = err_alloc(p->side, p->d, sizeof(*p->side));
	for (size_t c = 0; c < p->d; c++) {
		const struct sums_column *col = &p->column[c];
		int64_t most = lap_norm_end(col);

		p->side[c].down = (uint64_t)FIXED_MOST(-norm_cell(n, col->lo,
		    most), 0);
		p->side[c].up = (uint64_t)FIXED_MOST(norm_cell(n, col->hi,
		    most), 0);
	}
	cut.counted = !cut.replaced && (lap_quotient(p) ||
	    lap_box_counted(p));
	return lap_box_plan(p, cut, lap_sens(p, 1, 1), 0);
}

bool
lap_norm_cut(struct lap_plan *p)
{
	return (p->op->prints & LAP_PAIRS) == 0 && cut_plan(p, NORM_SUMS,
	    cut_box);
}

/* --- the report ----------------------------------------------------------- */

/* Two totals where a range has both sides of 0. */
double
lap_norm_error(const struct lap_plan *p, size_t c)
{
	double steps = (double)p->norm.steps, error;
	double whole = (double)p->opts->unit.whole;

	if (p->box.d > 0)
		return (double)p->error95[c] / steps / whole /
		    rational_real(lap_epsilon(p));
	error = noise_error95(&p->noise->t) / steps / whole;
	if (p->norm.kind == NORM_PRODUCTS)
		return error / steps;
	if (p->norm.kind == NORM_PARTS && !lap_norm_empty(p, 2 * c) &&
	    !lap_norm_empty(p, 2 * c + 1))
		error *= TWO;
	return error;
}

/* A number of the report, in the unit of column c, of a sum or a mean. */
static struct rational
cut_fact(const struct lap_plan *p, size_t c, double x)
{
	struct rational fact = { 0, 0 };

	x *= (double)lap_norm_unit(p, c);
	x /= (double)p->divisor;
	if (x < PARTS && !rational_make(&fact, (i128)(x * PARTS),
	    (u128)PARTS))
		fact.den = 0;
	return fact;
}

/* Does --explain say an error of sums, or of quotients near 0? */
static bool
cut_near(const struct lap_plan *p)
{
	return lap_quotient(p) || (p->op->prints & LAP_PAIRS);
}

/*
 * Scale and error of column c, where its number is one noisy total: a sum, or a
 * mean over a public number of records.  One draw for all has no scale.
 */
void
lap_norm_describe(struct lap_plan *p, size_t c)
{
	const struct scale *t = &p->noise->t;
	double scale = (double)t->s / (double)t->r / (double)p->norm.steps /
	    (double)p->opts->unit.whole;

	lap_hide(p);
	if (cut_near(p) || p->eps.den == 0 || p->divisor == 0)
		return;
	p->report->error95 = cut_fact(p, c, lap_norm_error(p, c));
	if (p->box.d == 0)
		p->report->scale = cut_fact(p, c, scale);
}

/* About the error of a mean or a covariance with values near 0, times n E. */
static void
cut_note_near(struct lap_plan *p)
{
	double eps = rational_real(lap_epsilon(p)), least = HUGE_VAL, most = 0;
	bool pairs = (p->op->prints & LAP_PAIRS) != 0;
	static const char *const words[][2] = {
		{ "error95_of_mean", "max(|A|,|B|)" },
		{ "error95_of_covariance", "max(|A|,|B|) max(|A'|,|B'|)" }
	};

	for (size_t c = 0; c < p->d; c++) {
		least = fmin(least, eps * lap_norm_error(p, c));
		most = fmax(most, eps * lap_norm_error(p, c));
	}
	if (cut_near(p))
		report_note(p->report, words[pairs][0], "about %.1f to %.1f "
		    "%s/(n E), n records, where most are near 0", least, most,
		    words[pairs][1]);
}

void
lap_norm_note(struct lap_plan *p)
{
	char buf[FIXED_TEXT];

	report_note(p->report, "norm", "%s: columns divided by the larger "
	    "ends of their ranges; a record beyond the norm is shrunk to it",
	    rational_text(buf, p->args->norm));
	p->report->digits = p->opts->digits;
	cut_note_near(p);
}

void
lap_norm_fit(const struct lap_plan *p)
{
	if (p->op->prints & LAP_PAIRS) {
		lap_pairs_fit(p);
		return;
	}
	for (size_t c = 0; c < p->d; c++)
		(void)lap_real_digits(p, lap_norm_unit(p, c));
}
