/*
 * lap_cov_split: the operation cov of laplace under add-remove.
 *
 * n is private.  A quarter of the budget goes to the count, which moves by 1,
 * a quarter to the sums about the middles of the ranges (H_a each), half to
 * the sums of products (H_a H_b each; sums.c has the proofs); of d sums and
 * d(d+1)/2 products each has its part.  All of that is integers.  The
 * covariances follow from the three, clamped to what the ranges allow:
 * |C_ab| <= R_a R_b / 4 and C_aa >= 0; that comes after the noise and may be
 * computed in any way.
 */
#include <math.h>
#include <stdlib.h>

#include "lap_cov.h"
#include "tool/err.h"

/* Places among the kinds of noise: the count, the sums, the products. */
#define COUNT 0
#define SUM(a) (1 + (a))
#define PRODUCT(d, a, b) (1 + (d) + cov_place(d, a, b))

/* The noisy totals of one group and the bounds of their noise. */
struct totals {
	long double n, n_reach;
	long double *sum, *sum_reach;
	long double *product, *product_reach;
};

static bool
set_noise(struct lap *l)
{
	const struct sums_column *c = l->plan.column;
	size_t d = l->plan.d;
	bool ok = lap_noise_fine(l, COUNT, 1, 4);

	for (size_t a = 0; ok && a < d; a++) {
		ok = lap_noise_fine(l, SUM(a), sums_sens_sum(&c[a], 1,
		    SUMS_ADD_REMOVE), 4 * d);
		for (size_t b = a; ok && b < d; b++)
			ok = lap_noise_fine(l, PRODUCT(d, a, b),
			    sums_sens_product(&c[a], &c[b]),
			    2 * cov_pairs(d));
	}
	return ok;
}

static bool
plan(struct lap *l)
{
	lap_room(l, 1 + l->plan.d + cov_pairs(l->plan.d));
	l->plan.k = 0;
	for (int less = 0; cov_columns(l, less); less++)
		if (set_noise(l))
			return true;
	return false;
}

static void
note(struct lap *l)
{
	report_note(&l->report, "split", "E/4 for the count, E/4 for the "
	    "sums about the middles, E/2 for the sums of products");
	report_note(&l->report, "sensitivities", "count 1; each sum H = "
	    "(B-A)/2; each product H_a H_b");
	report_note(&l->report, "scales", "count 4/E; sums %zu H/E; products "
	    "%zu H_a H_b/E", 4 * l->plan.d, 2 * cov_pairs(l->plan.d));
	l->report.digits = l->opts.digits;
}

/* Decimals of a pair, no finer than its squared cells. */
static int
pair_digits(const struct lap *l, size_t a, size_t b)
{
	int digits = lap_range_digits(l, a, true);
	int other = lap_range_digits(l, b, true);
	int most = l->plan.cell[a] + l->plan.cell[b];

	digits = digits > other ? digits : other;
	if (l->opts.digits < 0 && digits > most)
		digits = most;
	if (digits > most)
		die(STATUS_USAGE, "these parameters do not fit 64 bits on "
		    "their grid; give fewer --digits");
	return digits;
}

/* x with noise, and how far that reaches with chance 1 - (1 - P)/4. */
static long double
noisy(struct lap *l, i128 x, size_t i, long double *reach)
{
	const struct scale *t = &l->plan.noise[i].t;
	const struct rational *p = &l->opts.interval;
	struct rational part;

	*reach = 0;
	if (l->opts.has_interval && rational_make(&part, 3 * p->den + p->num,
	    4 * p->den))
		*reach = (long double)noise_reach(t, part);
	return (long double)fixed_add_sat(x, lap_draw(l, t));
}

static void
draw_totals(struct lap *l, const struct sums *s, struct totals *t)
{
	size_t d = l->plan.d;
	u128 most = (u128)1 << 126;

	t->n = noisy(l, (i128)(s->count < most ? s->count : most), COUNT,
	    &t->n_reach);
	for (size_t a = 0; a < d; a++) {
		t->sum[a] = noisy(l, sums_sum(s, a), SUM(a),
		    &t->sum_reach[a]);
		for (size_t b = a; b < d; b++) {
			size_t i = cov_place(d, a, b);

			t->product[i] = noisy(l, sums_product(s, a, b),
			    PRODUCT(d, a, b), &t->product_reach[i]);
		}
	}
}

/* An interval of long doubles. */
struct ends {
	long double lower, upper;
};

/* a b, and a / n for n > 0, from all ends. */
static struct ends
product_of(struct ends a, struct ends b)
{
	long double p[4] = { a.lower * b.lower, a.lower * b.upper,
	    a.upper * b.lower, a.upper * b.upper };

	return (struct ends){ fminl(fminl(p[0], p[1]), fminl(p[2], p[3])),
	    fmaxl(fmaxl(p[0], p[1]), fmaxl(p[2], p[3])) };
}

static struct ends
quotient_of(long double x, long double reach, struct ends n)
{
	return product_of((struct ends){ x - reach, x + reach },
	    (struct ends){ 1 / n.upper, 1 / n.lower });
}

/* C_ab in squared cell steps, within what the ranges allow. */
static long double
bounded(const struct lap *l, size_t a, size_t b, long double c)
{
	long double most = (long double)(sums_steps(&l->plan.column[a]) *
	    sums_steps(&l->plan.column[b])) / 4;

	return fminl(fmaxl(c, a == b ? 0 : -most), most);
}

/*
 * All four (three) noises stay within their reach with probability P at least;
 * then the covariance is between these ends.
 */
static struct ends
enclosed(const struct lap *l, const struct totals *t, size_t a, size_t b)
{
	size_t i = cov_place(l->plan.d, a, b);
	struct ends n = { t->n - t->n_reach, t->n + t->n_reach }, p, m, c;

	if (n.upper < 1)
		n.upper = 1;
	if (n.lower < 1)
		n.lower = 1;	/* an empty data set has covariance 0 */
	p = quotient_of(t->product[i], t->product_reach[i], n);
	m = product_of(quotient_of(t->sum[a], t->sum_reach[a], n),
	    quotient_of(t->sum[b], t->sum_reach[b], n));
	c = (struct ends){ p.lower - m.upper, p.upper - m.lower };
	if (t->n - t->n_reach < 1) {
		c.lower = fminl(c.lower, 0);
		c.upper = fmaxl(c.upper, 0);
	}
	return (struct ends){ bounded(l, a, b, c.lower - 1e-9L *
	    fabsl(c.lower)), bounded(l, a, b, c.upper + 1e-9L *
	    fabsl(c.upper)) };
}

static struct answer
noisy_answer(const struct lap *l, const struct totals *t, size_t a, size_t b)
{
	size_t i = cov_place(l->plan.d, a, b);
	long double n = fmaxl(1, t->n), unit = (long double)cov_unit(l, a, b,
	    l->plan.noise[PRODUCT(l->plan.d, a, b)].digits);
	long double c = bounded(l, a, b, t->product[i] / n -
	    t->sum[a] / n * (t->sum[b] / n));
	struct answer answer = { .value = (i128)floorl(c / unit + 0.5L) };
	struct ends ends;

	if (!l->opts.has_interval)
		return answer;
	ends = enclosed(l, t, a, b);
	answer.lower = (i128)floorl(fminl(ends.lower, c) / unit);
	answer.upper = (i128)ceill(fmaxl(ends.upper, c) / unit);
	return answer;
}

static void
one_group(struct lap *l, const struct sums *s, struct totals *t,
    struct answer *answer)
{
	size_t d = l->plan.d;

	draw_totals(l, s, t);
	for (size_t a = 0; a < d; a++)
		for (size_t b = a; b < d; b++, answer++) {
			int digits =
			    l->plan.noise[PRODUCT(d, a, b)].digits;

			if (!l->opts.non_private)
				*answer = noisy_answer(l, t, a, b);
			else if (!sums_covariance(s, a, b, cov_unit(l, a, b,
			    digits), &answer->value))
				die(STATUS_INPUT, "more than 2^62 records");
		}
}

static void
declare(struct lap *l)
{
	size_t d = l->plan.d;
	int *digits = err_alloc(NULL, cov_pairs(d), sizeof(*digits));

	for (size_t a = 0; a < d; a++)
		for (size_t b = a; b < d; b++) {
			int k = pair_digits(l, a, b);

			digits[cov_place(d, a, b)] = k;
			l->plan.noise[PRODUCT(d, a, b)].digits = k;
		}
	cov_declare(l, digits);
	free(digits);
}

static void
write_all(struct lap *l, struct sums *s)
{
	size_t d = l->plan.d, k = cov_pairs(d);
	struct answer *answer = err_alloc(NULL, k, sizeof(*answer));
	long double *room = err_alloc(NULL, 2 * (d + k), sizeof(*room));
	struct totals t = { .sum = room, .sum_reach = room + d,
	    .product = room + 2 * d, .product_reach = room + 2 * d + k };

	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		for (size_t g = 0; g < intake_groups(&l->in); g++) {
			one_group(l, &s[g], &t, answer);
			lap_row(l, rel, g, answer);
		}
	free(answer);
	free(room);
	lap_free_sums(l, s);
}

/* [DMNS06 Section 3.2] */
void
cov_split(struct lap *l)
{
	struct sums *s;

	if (l->opts.has_within)
		die(STATUS_USAGE, "a covariance under add-remove is no sum: "
		    "--within is for additive noise");
	lap_settle(l, plan);
	note(l);
	lap_prepare(l);
	lap_open(l, plan);
	s = lap_read_sums(l, SUMS_PRODUCTS);
	declare(l);
	write_all(l, s);
	lap_end(l);
}
