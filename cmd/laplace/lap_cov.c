/*
 * lap_cov: the operation cov of laplace under swap.
 *
 * [DMNS06 Section 3.2] n is public.  Each entry C_ab, a <= b, is rounded to
 * its printed grid, where it moves by at most (n-1)/n^2 R_a R_b, rounded up
 * (sums.c), and gets noise for one part in d(d+1)/2 of epsilon.  The scale
 * depends on n, so the noise is drawn after the data.
 */
#include "lap_cov.h"

#include <stdlib.h>

#include "tool/err.h"

#define ERROR_PARTS 1000
#define EXACT_PARTS 1000000

size_t
cov_pairs(size_t d)
{
	return d * (d + 1) / 2;
}

size_t
cov_place(size_t d, size_t a, size_t b)
{
	return a * d - a * (a + 1) / 2 + b;
}

void
cov_column(struct lap *l, size_t a, size_t b, const char *what, int digits)
{
	struct text name = TEXT_INIT;

	text_printf(&name, a == b ? "%s" : "%s_%s", lap_name(l, a),
	    lap_name(l, b));
	text_bytes(&name, "", 1);
	lap_declare(l, name.buf, what, digits);
	text_free(&name);
}

void
cov_declare(struct lap *l, bool planned)
{
	size_t d = l->plan.d, i = 0;

	lap_begin(l);
	for (size_t a = 0; a < d; a++)
		for (size_t b = a; b < d; b++, i++) {
			if (i < l->plan.k)
				lap_describe(l, i);
			cov_column(l, a, b, a == b ? "var" : "cov", planned ?
			    l->plan.noise[i].digits : lap_real_digits(l,
			    lap_length(l, a) * lap_length(l, b)));
		}
}

/* Squared steps of the cells of a pair in a step of 10^-digits. */
static u128
cov_unit(const struct lap *l, size_t a, size_t b, int digits)
{
	int k = l->plan.cell[a] + l->plan.cell[b] - digits;

	return k > FIXED_DIGITS ? (u128)fixed_pow10(FIXED_DIGITS) *
	    (u128)fixed_pow10(k - FIXED_DIGITS) : (u128)fixed_pow10(k);
}

/* Smallest digits with 10^-digits <= scale / 1000 (S / 10^6: no noise). */
static int
pair_digits(const struct lap *l, size_t a, size_t b, u128 n)
{
	const struct sums_column *c = l->plan.column;
	int digits = 0, most = l->plan.cell[a] + l->plan.cell[b];
	u128 sens = sums_sens_covariance(&c[a], &c[b], n, 1), limit;

	if (l->opts.digits >= 0)
		return l->opts.digits;
	sens = (sens > 0 ? sens : 1) * cov_pairs(l->plan.d);
	limit = sens / EXACT_PARTS;
	if (l->plan.has_eps && !l->opts.non_private)
		limit = sens * (u128)l->plan.eps.den /
		    (ERROR_PARTS * (u128)l->plan.eps.num);
	while (digits < FIXED_DIGITS && digits < most &&
	    cov_unit(l, a, b, digits) > limit)
		digits++;
	return digits;
}

/* The noise of all pairs among n records; anew: with decimals for them. */
static bool
plan_pairs(struct lap *l, u128 n, bool anew)
{
	size_t d = l->plan.d;

	l->plan.k = cov_pairs(d);
	for (size_t a = 0; a < d; a++)
		for (size_t b = a; b < d; b++) {
			size_t i = cov_place(d, a, b);
			struct lap_noise *p = &l->plan.noise[i];
			const struct sums_column *c = l->plan.column;

			if (anew)
				p->digits = pair_digits(l, a, b, n);
			if (p->digits > l->plan.cell[a] + l->plan.cell[b])
				return false;
			p->cell = p->digits;
			if (!lap_noise_fine(l, i, sums_sens_covariance(&c[a],
			    &c[b], n, cov_unit(l, a, b, p->digits)),
			    cov_pairs(d)))
				return false;
		}
	return true;
}

/* Columns about their middles. */
static bool
plan(struct lap *l)
{
	size_t d = l->plan.d;

	lap_room(l, cov_pairs(d));
	l->plan.k = 0;
	for (size_t c = 0; c < d; c++)
		if (lap_finest(l, c, FIXED_DIGITS, 0, LAP_MIDDLE,
		    (u128)SUMS_WIDTH) < 0)
			return false;
	return l->args.size == 0 || plan_pairs(l, l->args.size, true);
}

static void
start(struct lap *l)
{
	lap_within_needs_size(l);
	if (opts_records(&l->opts) != 1)
		die(STATUS_USAGE, "cov under swap takes no --per share and no "
		    "--max-rows");
}

/* Without --size the formula is all that is known beforehand. */
static void
note(struct lap *l)
{
	if (l->args.size > 0)
		return;
	report_note(&l->report, "sensitivity_formula", "(n-1)/n^2 R_a R_b for "
	    "columns a and b, R = B - A, n records");
	report_note(&l->report, "scale_formula", "%zu times that / E, for "
	    "%zu covariances", cov_pairs(l->plan.d), cov_pairs(l->plan.d));
	l->report.digits = l->opts.digits;
}

/* In groups of several sizes the scales differ: then none is reported. */
static void
plan_group(struct lap *l, u128 n, bool anew)
{
	if (!plan_pairs(l, n, anew))
		die(STATUS_INPUT, "this number of records does not fit the "
		    "grid");
	for (size_t i = l->plan.k; i-- > 0;)
		lap_describe(l, i);
	if (l->in.groups > 1) {
		l->plan.k = 0;
		lap_hide(l);
	}
}

static void
declare(struct lap *l)
{
	plan_group(l, lap_all_records(l), true);
	cov_declare(l, true);
}

static void
answers(struct lap *l, size_t g, struct answer *answer)
{
	size_t d = l->plan.d, i = 0;
	const struct sums *s = &l->sums[g];

	plan_group(l, s->count, false);
	for (size_t a = 0; a < d; a++)
		for (size_t b = a; b < d; b++, i++) {
			const struct lap_noise *p = &l->plan.noise[i];
			i128 x;

			if (!sums_covariance(s, a, b, cov_unit(l, a, b,
			    p->digits), &x))
				die(STATUS_INPUT, "more than 2^62 records");
			answer[i] = answer_make(fixed_add_sat(x, lap_draw(l,
			    &p->t)), p->reach, p->digits, p->digits);
		}
}

/* [DMNS06 Section 3.2] */
const struct lap_way lap_cov = {
	.start = start, .plan = plan, .note = note, .kind = SUMS_PRODUCTS,
	.declare = declare, .answers = answers
};
