/*
 * lap_cov_split: the operation cov of laplace under add-remove.
 *
 * n is private.  A quarter of the budget goes to the count, which moves by 1,
 * a quarter to the sums about the middles of the ranges (sum H_a), half to
 * the sums of products (sum_{a<=b} H_a H_b; sums.c has the proofs).  The
 * covariances follow from the three, clamped to what the ranges allow:
 * |C_ab| <= R_a R_b / 4 and C_aa >= 0; all that is post-processing.
 */
#include "lap_ops.h"

#include <math.h>
#include <stdlib.h>

#include "tool/err.h"

/* Noise of one kind: its sensitivity in steps, scale and draws. */
struct part {
	u128 sens;
	struct rational share;	/* of epsilon */
	struct scale t;
	i128 *noise;
	size_t n;		/* numbers of each group */
};

enum { COUNT, SUMS, PRODUCTS, PARTS };

struct split {
	struct lap *l;
	struct part part[PARTS];
};

static bool
set_parts(const struct lap *l, struct part *p, bool has_eps,
    struct rational eps)
{
	static const int64_t quarters[PARTS] = { 1, 1, 2 };
	struct rational e;
	bool ok = true;

	p[COUNT].sens = 1;
	p[SUMS].sens = sums_sens_sum(l->column, l->d, SUMS_ADD_REMOVE);
	p[PRODUCTS].sens = sums_sens_product(l->column, l->d);
	p[COUNT].n = 1;
	p[SUMS].n = l->d;
	p[PRODUCTS].n = l->d * (l->d + 1) / 2;
	for (size_t i = 0; i < PARTS; i++) {
		p[i].share = (struct rational){ quarters[i], 4 };
		ok = ok && rational_make(&p[i].share, quarters[i], 4) &&
		    (!has_eps || (rational_mul(&e, eps, p[i].share) &&
		    scale_make(&p[i].t, p[i].sens, e)));
	}
	return ok;
}

static bool
plan(struct lap *l, bool has_eps, struct rational eps)
{
	struct report *r = &l->report;
	struct part part[PARTS];
	int k = FIXED_DIGITS + 1, digits;

	do
		if (!lap_narrow(l, k - 1))
			return false;
	while (k = l->cell_digits, !set_parts(l, part, has_eps, eps));
	r->has_eps = has_eps;
	r->eps = eps;
	digits = lap_wide_digits(l, true);
	r->digits = l->opts.digits >= 0 ? l->opts.digits : digits < 0 ||
	    digits > FIXED_DIGITS ? FIXED_DIGITS : digits;
	if (l->opts.digits < 0 && r->digits > 2 * k)
		r->digits = 2 * k;
	return r->digits <= 2 * k;
}

/* A sensitivity or scale in steps of 10^-digits, as text. */
static const char *
steps_text(char *buf, struct rational x, int digits)
{
	struct rational step;

	for (; digits > 0; digits -= FIXED_DIGITS)
		if (!rational_make(&step, 1, fixed_pow10(digits <
		    FIXED_DIGITS ? digits : FIXED_DIGITS)) ||
		    !rational_mul(&x, x, step))
			return "large";
	return rational_text(buf, x);
}

static void
note(struct lap *l, const struct part *p)
{
	static const char *const names[PARTS] = { "sensitivity_of_count",
	    "sensitivity_of_sums", "sensitivity_of_products" };
	static const char *const scales[PARTS] = { "scale_of_count",
	    "scale_of_sums", "scale_of_products" };
	char buf[FIXED_TEXT];

	report_note(&l->report, "split", "E/4 for the count, E/4 for the "
	    "sums about the middles, E/2 for the sums of products");
	for (size_t i = 0; i < PARTS; i++) {
		int digits = (int)i * l->cell_digits;

		report_note(&l->report, names[i], "%s", steps_text(buf,
		    (struct rational){ (i128)p[i].sens, 1 }, digits));
		if (l->report.has_eps)
			report_note(&l->report, scales[i], "%s", steps_text(
			    buf, (struct rational){ (i128)p[i].t.s,
			    (i128)p[i].t.r }, digits));
	}
	lap_hide(l);
}

/* C_ab in squared cell steps from noisy statistics. */
static long double
covariance(const struct lap *l, long double n, const long double *sum,
    long double product, size_t a, size_t b)
{
	const struct sums_column *p = &l->column[a], *q = &l->column[b];
	long double most = (long double)(p->hi - p->lo) *
	    (long double)(q->hi - q->lo) / 4;
	long double c = product / n - sum[a] / n * (sum[b] / n);

	return fminl(fmaxl(c, a == b ? 0 : -most), most);
}

static void
write_group(struct split *sp, uint64_t rel, size_t g, const struct sums *s)
{
	struct lap *l = sp->l;
	size_t at = (size_t)(rel - 1) * intake_groups(&l->in) + g, i = 0;
	const i128 *noise = &sp->part[PRODUCTS].noise[at * l->m];
	long double *sum = err_alloc(NULL, l->d, sizeof(*sum)), n;
	u128 unit = lap_cov_unit(l, l->report.digits);

	n = fmaxl(1, (long double)fixed_add_sat((i128)s->count,
	    sp->part[COUNT].noise[at]));
	for (size_t a = 0; a < l->d; a++)
		sum[a] = (long double)fixed_add_sat(sums_sum(s, a),
		    sp->part[SUMS].noise[at * l->d + a]);
	for (size_t a = 0; a < l->d; a++)
		for (size_t b = a; b < l->d; b++, i++) {
			i128 x = (i128)floorl(covariance(l, n, sum,
			    (long double)fixed_add_sat(sums_product(s, a, b),
			    noise[i]), a, b) / (long double)unit + 0.5L);

			if (l->opts.non_private &&
			    !sums_covariance(s, a, b, unit, &x))
				die(STATUS_INPUT, "more than 2^62 records");
			lap_number(l, rel, g, i, x, l->report.digits);
		}
	free(sum);
}

/* [DMNS06 Section 3.2] */
void
lap_cov_split(struct lap *l)
{
	const struct opts *o = &l->opts;
	struct split sp = { .l = l };
	struct sums *s;
	size_t groups;

	l->centred = true;
	if (o->has_within)
		die(STATUS_USAGE, "a covariance under add-remove is no sum: "
		    "--within is for additive noise");
	lap_settle(l, plan);
	set_parts(l, sp.part, o->has_eps, o->eps);
	note(l, sp.part);
	lap_prepare(l);
	lap_open(l, plan);
	set_parts(l, sp.part, o->has_eps, o->eps);
	l->m = l->d * (l->d + 1) / 2;
	lap_name_pairs(l);
	groups = intake_groups(&l->in);
	for (size_t i = 0; i < PARTS; i++)
		sp.part[i].noise = lap_draw(l, groups * o->repeat *
		    sp.part[i].n, &sp.part[i].t);
	s = lap_read_sums(l, true);
	lap_begin(l);
	for (uint64_t rel = 1; rel <= o->repeat; rel++)
		for (size_t g = 0; g < groups; g++)
			write_group(&sp, rel, g, &s[g]);
	lap_free_sums(l, s);
	lap_end(l);
	for (size_t i = 0; i < PARTS; i++)
		free(sp.part[i].noise);
}
