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

#include "lap_unity.h"
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

/* Column c about its middle, on the finest grid of SUMS_WIDTH steps. */
static int
finest(struct lap *l, size_t c)
{
	for (int k = FIXED_DIGITS; k >= 0; k--)
		if (lap_column(l, c, k, LAP_MIDDLE) &&
		    sums_steps(&l->plan.column[c]) <= (u128)SUMS_WIDTH)
			return k;
	return -1;
}

static bool
set_columns(struct lap *l)
{
	for (size_t c = 0; c < l->plan.d; c++)
		if (finest(l, c) < 0)
			return false;
	return true;
}

/* Squared steps of the cells of a pair in a step of 10^-digits. */
static u128
cov_unit(const struct lap *l, size_t a, size_t b, int digits)
{
	int k = l->plan.cell[a] + l->plan.cell[b] - digits;

	return k > FIXED_DIGITS ? (u128)fixed_pow10(FIXED_DIGITS) *
	    (u128)fixed_pow10(k - FIXED_DIGITS) : (u128)fixed_pow10(k);
}

void
cov_declare(struct lap *l, const int *digits)
{
	size_t d = l->plan.d, i = 0;

	lap_begin(l);
	for (size_t a = 0; a < d; a++)
		for (size_t b = a; b < d; b++, i++) {
			struct text name = TEXT_INIT;

			text_printf(&name, a == b ? "%s" : "%s_%s",
			    lap_name(l, a), lap_name(l, b));
			text_bytes(&name, "", 1);
			l->report.digits = digits[i];
			if (i < l->plan.k)
				lap_describe(l, i);
			release_answer(&l->out, name.buf, a == b ? "var" :
			    "cov", digits[i]);
			text_free(&name);
		}
	lap_header(l);
}

int *
cov_declare_ranges(struct lap *l)
{
	size_t d = l->plan.d;
	int *digits = err_alloc(NULL, cov_pairs(d), sizeof(*digits));

	for (size_t a = 0; a < d; a++)
		for (size_t b = a; b < d; b++)
			digits[cov_place(d, a, b)] = lap_real_digits(l,
			    lap_length(l, a) * lap_length(l, b));
	cov_declare(l, digits);
	return digits;
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

static bool
plan(struct lap *l)
{
	lap_room(l, cov_pairs(l->plan.d));
	l->plan.k = 0;
	return set_columns(l) && (l->args.size == 0 ||
	    plan_pairs(l, l->args.size, true));
}

/* Without --size the formula is all that is known beforehand. */
static void
note_formula(struct lap *l)
{
	report_note(&l->report, "sensitivity_formula", "(n-1)/n^2 R_a R_b for "
	    "columns a and b, R = B - A, n records");
	report_note(&l->report, "scale_formula", "%zu times that / E, for "
	    "%zu covariances", cov_pairs(l->plan.d), cov_pairs(l->plan.d));
	l->report.digits = l->opts.digits;
}

static void
plan_group(struct lap *l, u128 n, bool anew)
{
	if (!plan_pairs(l, n, anew))
		die(STATUS_INPUT, "this number of records does not fit the "
		    "grid");
	for (size_t i = l->plan.k; i-- > 0;)
		lap_describe(l, i);
}

static void
one_group(struct lap *l, const struct sums *s, struct answer *answer)
{
	size_t d = l->plan.d;

	for (size_t a = 0; a < d; a++)
		for (size_t b = a; b < d; b++) {
			size_t i = cov_place(d, a, b);
			const struct lap_noise *p = &l->plan.noise[i];
			i128 x;

			if (!sums_covariance(s, a, b, cov_unit(l, a, b,
			    p->digits), &x))
				die(STATUS_INPUT, "more than 2^62 records");
			answer[i] = answer_make(fixed_add_sat(x, lap_draw(l,
			    &p->t)), p->reach + 1, p->digits, p->digits);
		}
}

/* In groups of several sizes the scales differ: then none is reported. */
static void
write_all(struct lap *l, struct sums *s)
{
	size_t groups = l->in.groups, k = cov_pairs(l->plan.d);
	struct answer *answer = err_alloc(NULL, k, sizeof(*answer));
	int *digits = err_alloc(NULL, k, sizeof(*digits));

	plan_group(l, lap_all_records(l, s), true);
	for (size_t i = 0; i < k; i++)
		digits[i] = l->plan.noise[i].digits;
	if (groups > 1) {
		l->plan.k = 0;
		lap_hide(l);
	}
	cov_declare(l, digits);
	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		for (size_t g = 0; g < groups; g++) {
			plan_group(l, s[g].count, false);
			one_group(l, &s[g], answer);
			lap_row(l, rel, g, answer);
		}
	free(answer);
	free(digits);
	lap_free_sums(l, s);
	if (groups > 1)
		lap_hide(l);
	else
		lap_describe_all(l);
	lap_end(l);
}

static void
swap(struct lap *l)
{
	if (l->opts.has_within && l->args.size == 0)
		die(STATUS_USAGE, "--within needs --size under swap");
	if (opts_records(&l->opts) != 1)
		die(STATUS_USAGE, "cov under swap takes no --per share and no "
		    "--max-rows");
	lap_settle(l, plan);
	if (l->args.size == 0)
		note_formula(l);
	lap_prepare(l);
	lap_open(l, plan);
	write_all(l, lap_read_sums(l, SUMS_PRODUCTS));
}

/* [DMNS06 Section 3.2] */
void
lap_cov(struct lap *l)
{
	if (l->opts.neighbors == NEIGHBORS_SWAP)
		swap(l);
	else if (l->plan.d == 1)
		lap_unity(l);
	else
		cov_unity(l);
}
