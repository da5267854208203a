/*
 * lap_moments: totals of columns and pairs, from records to moments.
 *
 * plan/moments.c has what a record moves them by, and the noise; all after the
 * noise is post-processing.
 */
#include "lap.h"

#include <math.h>
#include <stdlib.h>

#include "number/taint.h"
#include "tool/err.h"

void
lap_moments_open(struct lap *l)
{
	struct cover_noise noise = lap_cover(&l->plan);
	struct lap_moments *m = &l->moments;
	size_t d = l->plan.d;

	for (enum cover_part i = COVER_MEAN; i <= COVER_VARIANCE; i++)
		m->error[i] = cover_error95(&noise, i, 0);
	l->out.n = m->error[COVER_MEAN];	/* all of the range */
	m->column = err_alloc(NULL, d, sizeof(*m->column));
	m->f = err_alloc(NULL, d, sizeof(*m->f));
	m->pair = err_alloc(NULL, lap_moments_pairs(&l->plan) + 1,
	    sizeof(*m->pair));
}

/*
 * Without noise a share is a separate record: fewer than one person have a
 * mean, too.
 */
long double
lap_record(const struct lap *l)
{
	return l->opts.non_private ? 1 / (long double)l->opts.unit.whole : 1;
}

void
lap_moments_draw(struct lap *l, size_t group)
{
	const struct lap_plan *p = &l->plan;
	long double *x = err_alloc(NULL, p->m, sizeof(*x));

	if (p->counted && l->opts.neighbors == NEIGHBORS_SWAP)
		taint_public(&l->total[group * p->m + p->m - 1],
		    sizeof(*l->total));
	lap_totals(l, group, p->m, x);
	for (size_t i = 0; i < p->m; i++)
		x[i] /= lap_unit(p, i) * lap_record(l);
	p->body->decode(l, x);
	l->out.n = fmax(l->out.n, (double)l->moments.n);
	free(x);
}

/* --- a box ---------------------------------------------------------------- */

/* The cell on -M..M. */
static i128
moments_cell(const struct sums_column *c, int64_t x)
{
	return 2 * sums_offset(c, x) - (i128)sums_steps(c);
}

static void
lap_box_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	const struct lap_plan *p = &l->plan;
	const struct sums_column *col = p->column;
	struct total *t = l->total + group * p->m;

	for (size_t a = 0; a < p->d; a++) {
		i128 m = (i128)sums_steps(&col[a]);
		i128 z = moments_cell(&col[a], x[a]);

		total_add(t++, z, w);
		total_add(t++, 2 * z * z - m * m, w);
	}
	for (size_t a = 0; lap_moments_pairs(p) > 0 && a < p->d; a++)
		for (size_t b = a + 1; b < p->d; b++)
			total_add(t++, moments_cell(&col[a], x[a]) *
			    moments_cell(&col[b], x[b]), w);
	total_add(t, 1, w);
}

static void
lap_box_decode(struct lap *l, const long double *x)
{
	struct lap_moments *m = &l->moments;
	const struct lap_plan *p = &l->plan;
	struct unity_moments *pair = m->pair;
	long double n = m->n = x[p->box.d];

	for (size_t a = 0; a < p->d; a++, x += 2)
		m->column[a] = (struct unity_moments){ .n = n, .first = {
		    x[0] }, .second = { (3 * x[1] + n) / 4 } };
	for (size_t a = 0; lap_moments_pairs(p) > 0 && a < p->d; a++)
		for (size_t b = a + 1; b < p->d; b++)
			*pair++ = (struct unity_moments){ .n = n, .first = {
			    m->column[a].first[0], m->column[b].first[0] },
			    .product = *x++ };
}

const struct lap_body lap_own = {
	.noise = LAP_ONE_DRAW, .plan = lap_moments_own, .take = lap_box_take,
	.decode = lap_box_decode
}, lap_joint = {
	.noise = LAP_ONE_DRAW, .plan = lap_moments_joint, .take = lap_box_take,
	.decode = lap_box_decode
};

/* The mean of z = 2 x - 1 is 2 sum x / n - 1. */
static void
lap_line_decode(struct lap *l, const long double *x)
{
	struct lap_moments *m = &l->moments;
	size_t d = l->plan.d;

	m->n = x[d];
	for (size_t a = 0; a < d; a++)
		m->column[a] = (struct unity_moments){ .n = x[d], .first = {
		    2 * x[a] - x[d] } };
}

const struct lap_body lap_line = {
	.noise = LAP_ONE_DRAW, .plan = lap_moments_line, .take = lap_sum_take,
	.take_all = lap_sum_take_all, .decode = lap_line_decode
};

/* --- partitions of unity -------------------------------------------------- */

static void
lap_parts_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	const struct lap_plan *p = &l->plan;
	uint64_t (*f)[PAIR_FUNCTIONS] = l->moments.f;
	struct total *t = l->total + group * p->m;
	bool pairs = lap_moments_pairs(p) > 0;

	for (size_t a = 0; a < p->d; a++)
		if (pairs)
			unity_pair_functions(&p->column[a], x[a], f[a]);
		else
			unity_add(&p->column[a], &x[a], 1, w, t +
			    UNITY_PARTS * a);
	for (size_t a = 0; pairs && a < p->d; a++)
		for (size_t b = a + 1; b < p->d; b++, t += PAIR_PARTS)
			unity_pair_add(t, f[a], f[b], w);
}

/* Records of the only column, in the only group. */
static void
lap_parts_take_all(void *arg, const int64_t *x, size_t n)
{
	const struct lap *l = arg;

	unity_add(l->plan.column, x, n, 1, l->total);
}

/* A column's moments, and the number of records, from one of `of' averages. */
static void
moments_average(struct unity_moments *c, const struct unity_moments *m, int i,
    size_t of)
{
	c->n += m->n / (long double)of;
	c->first[0] += m->first[i] / (long double)of;
	c->second[0] += m->second[i] / (long double)of;
}

static void
lap_parts_decode(struct lap *l, const long double *x)
{
	struct lap_moments *m = &l->moments;
	size_t d = l->plan.d, pairs = lap_moments_pairs(&l->plan), i = 0;

	m->n = 0;
	for (size_t a = 0; a < d; a++) {
		m->column[a] = (struct unity_moments){ 0 };
		if (pairs == 0)
			m->column[a] = unity_moments(x + UNITY_PARTS * a);
	}
	for (size_t a = 0; pairs > 0 && a < d; a++)
		for (size_t b = a + 1; b < d; b++, i++) {
			m->pair[i] = unity_pair_moments(x + PAIR_PARTS * i);
			moments_average(&m->column[a], &m->pair[i], 0, d - 1);
			moments_average(&m->column[b], &m->pair[i], 1, d - 1);
		}
	for (size_t a = 0; a < d; a++)
		m->n += m->column[a].n / (long double)d;
}

const struct lap_body lap_parts = {
	.noise = "discrete Laplace, exact, on the totals of a partition of "
	    "unity",
	.plan = lap_moments_parts, .take = lap_parts_take,
	.take_all = lap_parts_take_all, .decode = lap_parts_decode
};

/* --- columns of answers --------------------------------------------------- */

void
lap_pair_column(struct lap *l, size_t a, size_t b, const char *what, int digits,
    double error)
{
	struct text name = TEXT_INIT;

	text_printf(&name, a == b ? "%s" : "%s_%s", lap_name(l, a),
	    lap_name(l, b));
	lap_column_of(l, name.buf, what, digits, error);
	text_free(&name);
}

void
lap_pairs(struct lap *l, double var, double cov)
{
	const struct lap_plan *p = &l->plan;

	for (size_t a = 0; a < p->d; a++)
		for (size_t b = a; b < p->d; b++) {
			long double most = lap_length(p, a) * lap_length(p, b);

			lap_pair_column(l, a, b, a == b ? "var" : "cov",
			    lap_real_digits(p, most), (a == b ? var : cov) *
			    (double)most);
		}
}
