/*
 * matrix: privacy of every pair in exact arithmetic, least squares against the
 * normal equations, derivatives against differences, and what is foretold
 * against the mean of all variances.
 */
#include "dx/plan/lbfgs.h"
#include "dx/plan/matrix.h"
#include "dx/plan/matrix_search.h"
#include "dx/plan/tree.h"

#include "eliminate.h"
#include "plan_world.h"

#define MEASURED 60

static struct metric
discrete(size_t n)
{
	return (struct metric){ .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = n, .bound = 1, .unit = { 1, 1 } };
}

/* Elements at 0, 1, ... with distances of at least T steps. */
static struct metric
smooth(size_t n, size_t least)
{
	struct metric m = { .kind = METRIC_SUM, .bend = METRIC_SMOOTH, .n = n,
	    .dims = 1, .bound = least, .unit = { 1, (int64_t)least } };

	m.x = malloc(n * sizeof(*m.x));
	for (size_t i = 0; i < n; i++)
		m.x[i] = (int64_t)i;
	return m;
}

/* Broken budgets of all pairs, with the measured queries as those asked. */
static size_t
broken(const struct world *a, const struct matrix *x)
{
	struct world measured = *a;
	size_t tight;

	measured.w = x->w;
	measured.eps = (struct rational){ 1, 1 };
	return world_broken(&measured, x->c, &tight);
}

/* Is some scale needed: is a budget broken when it is a hundredth less? */
static bool
needed(const struct world *a, struct matrix *x)
{
	for (size_t k = 0; k < x->w.k; k++) {
		struct rational c = x->c[k];
		bool found;

		cr_assert(rational_make(&x->c[k], c.num / 100 * 99, c.den));
		found = broken(a, x) > 0;
		x->c[k] = c;
		if (found)
			return true;
	}
	return false;
}

/* [KPAK20 Theorem 1, Definition 2]; the twin has one scale that is small. */
Test(matrix, every_pair_keeps_its_budget_exactly_under_every_metric)
{
	uint64_t state = 1;
	int found = 0, rows = 0;

	for (int run = 0; run < 120; run++) {
		struct world a;
		struct matrix x;

		world_make(&a, 4 + world_draw(&state, 5), 3,
		    run % WORLD_KINDS, &state);
		if (matrix_choose(&x, &a.m, &a.w) == PLAN_OK && x.w.k > 0) {
			cr_assert_eq(broken(&a, &x), 0, "run %d", run);
			cr_assert(needed(&a, &x), "run %d: all noise is more "
			    "than needed", run);
			found++;
			rows += x.w.k > x.n;
		}
		matrix_free(&x);
		world_free(&a);
	}
	cr_assert(found > 60 && rows > 30, "%d found, %d with rows", found,
	    rows);
}

/* Rates and rows at random, a few of them nearly 0. */
static void
random_matrix(struct matrix *x, const struct metric *m, size_t rows,
    uint64_t *state)
{
	double r[CELLS], b[CELLS * 8];
	struct found f = { .n = m->n, .rows = rows, .r = r, .b = b };

	for (size_t i = 0; i < m->n; i++)
		r[i] = (world_draw(state, 6) == 0 ? 0.02 : 1) *
		    (1 + (double)world_draw(state, 20));
	for (size_t i = 0; i < m->n * rows; i++)
		b[i] = (double)world_draw(state, 20);
	cr_assert_eq(matrix_make(x, m, &f), PLAN_OK);
}

/*
 * The weighted normal equations of the elements 0..n-2 (the last is what the
 * total leaves), beside them the right side and the unit matrix.
 */
static void
normal_equations(const struct matrix *x, const double *y, double total,
    double a[CELLS][2 * CELLS])
{
	size_t n = x->n, k = n - 1;

	memset(a, 0, CELLS * sizeof(a[0]));
	for (size_t v = 0; v < x->w.k; v++) {
		double row[CELLS], q[CELLS], w = (double)x->c[v].den /
		    (double)x->c[v].num;

		w *= w / 2;
		for (size_t i = 0; i < n; i++)
			q[i] = (double)workload_at(&x->w, v, i) /
			    (double)fixed_pow10(workload_digits(&x->w, v));
		for (size_t i = 0; i < k; i++)
			row[i] = q[i] - q[k];
		for (size_t i = 0; i < k; i++) {
			for (size_t j = 0; j < k; j++)
				a[i][j] += w * row[i] * row[j];
			a[i][k] += w * row[i] * (y[v] - q[k] * total);
		}
	}
	for (size_t i = 0; i < k; i++)
		a[i][k + 1 + i] = 1;
	eliminate(a, k, 2 * k + 1);
}

/* Variance of sum q_i x_i from the covariance of the elements. */
static double
variance(double a[CELLS][2 * CELLS], size_t n, const double *q)
{
	size_t k = n - 1;
	double sum = 0;

	for (size_t i = 0; i < k; i++)
		for (size_t j = 0; j < k; j++)
			sum += (q[i] - q[k]) * a[i][k + 1 + j] * (q[j] - q[k]);
	return sum;
}

/*
 * Does what fit and variance say differ from the normal equations, counts by
 * more than a part in 500 of their noise, variances by one in 10,000?  Rates
 * that differ by a factor of 1,000, which the search allows, cost the doubles
 * as much.
 */
static bool
differs(const struct matrix *x, const double *y, double total, const double *q,
    double a[CELLS][2 * CELLS])
{
	double count[CELLS], weight[MEASURED], want = variance(a, x->n, q), v;
	double sum = 0, square = 0;
	bool bad = false;

	cr_assert(matrix_fit(x, y, total, count));
	for (size_t i = 0; i < x->n; i++) {
		sum += count[i];
		bad = bad || (i + 1 < x->n && fabs(count[i] -
		    a[i][x->n - 1]) > 2e-3 * sqrt(2 * a[i][x->n + i]));
	}
	v = matrix_variance(x, q, weight);
	for (size_t k = 0; k < x->w.k; k++)
		square += 2 * pow(weight[k] * (double)x->c[k].num /
		    (double)x->c[k].den, 2);
	return bad || fabs(sum - total) > 1e-6 ||
	    fabs(v - want) > 1e-4 * (1 + want) ||
	    fabs(square - want) > 1e-4 * (1 + want);
}

/* Runs that differ; the twin takes the first element for better known. */
static int
differences(bool twin)
{
	static double a[CELLS][2 * CELLS];
	uint64_t state = 3;
	int bad = 0;

	for (int run = 0; run < 200; run++) {
		size_t n = 2 + world_draw(&state, 17);
		size_t rows = world_draw(&state, 7);
		double y[MEASURED], q[CELLS];
		double total = (double)world_draw(&state, 5000);
		struct metric m = discrete(n);
		struct matrix x;

		random_matrix(&x, &m, rows, &state);
		for (size_t i = 0; i < x.w.k; i++)
			y[i] = (double)world_draw(&state, 2000) - 500;
		for (size_t i = 0; i < n; i++)
			q[i] = (double)world_draw(&state, 100) / 10;
		normal_equations(&x, y, total, a);
		if (twin) {
			x.numbers[0] *= 2;
			cr_assert(blend_solve(&x.fit));
		}
		bad += differs(&x, y, total, q, a);
		matrix_free(&x);
	}
	return bad;
}

Test(matrix, the_fit_is_that_of_the_normal_equations_and_so_are_its_variances)
{
	int bad = differences(false), twin = differences(true);

	cr_assert_eq(bad, 0, "%d", bad);
	cr_assert_gt(twin, 100, "twin: %d", twin);
}

/* A search for random queries, at a random place. */
struct place {
	struct blend_search s;
	struct projection pairs;
	double v[CELLS * CELLS], x[CELLS * 8];
	size_t k;
};

static void
random_place(struct place *p, size_t n, size_t rows, uint64_t *state)
{
	struct metric m = smooth(n, 3);

	memset(p->v, 0, sizeof(p->v));
	p->pairs = (struct projection){ .n = n };
	cr_assert(project_open(&p->pairs, &m, 1));
	cr_assert(blend_search_open(&p->s, n, rows, p->pairs.limits));
	p->s.limit = p->pairs.limit;
	p->s.v = p->v;
	p->s.least = 1e-3;
	p->s.soft = 0.01;
	p->s.doublings = 5;
	p->k = n + n * rows;
	for (int k = 0; k < 9; k++) {
		double q[CELLS];

		for (size_t i = 0; i < n; i++)
			q[i] = (double)world_draw(state, 2);
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				p->v[i * n + j] += q[i] * q[j];
	}
	for (size_t i = 0; i < p->k; i++)
		p->x[i] = 0.2 + (double)world_draw(state, 1000) / 1000;
	metric_free(&m);
}

static void
place_free(struct place *p)
{
	blend_search_close(&p->s);
	project_close(&p->pairs);
}

Test(matrix, the_gradient_is_what_the_loss_changes_by)
{
	static struct place p;
	uint64_t state = 5;

	for (int run = 0; run < 40; run++) {
		double g[CELLS * 8], other[CELLS * 8], up, down, h = 1e-5;
		size_t n = 2 + world_draw(&state, 10);

		random_place(&p, n, world_draw(&state, 5), &state);
		cr_assert_lt(blend_loss(&p.s, p.x, g), HUGE_VAL);
		for (size_t i = 0; i < p.k; i++) {
			double old = p.x[i];

			p.x[i] = old + h;
			up = blend_loss(&p.s, p.x, other);
			p.x[i] = old - h;
			down = blend_loss(&p.s, p.x, other);
			p.x[i] = old;
			cr_assert_float_eq(g[i], (up - down) / (2 * h),
			    1e-4 * (up + fabs(g[i])), "run %d: %g %g", run,
			    g[i], (up - down) / (2 * h));
		}
		place_free(&p);
	}
}

/* sum_i (i + 1) (x_i - i)^2, and 1 so that it is positive. */
static double
bowl(void *arg, const double *x, double *g)
{
	double sum = 1;

	for (size_t i = 0; i < *(size_t *)arg; i++) {
		double d = x[i] - (double)i;

		sum += (double)(i + 1) * d * d;
		g[i] = 2 * (double)(i + 1) * d;
	}
	return sum;
}

Test(matrix, quasi_newton_steps_end_in_the_minimum)
{
	size_t k = 30;
	double x[30] = { 0 };
	struct lbfgs l = { .k = k, .f = bowl, .arg = &k, .steps = 200,
	    .enough = 0 };

	cr_assert(lbfgs_minimise(&l, x));
	for (size_t i = 0; i < k; i++)
		cr_assert_float_eq(x[i], (double)i, 1e-5);
}

/* The error is foretold, and that of equal noise on all elements is more. */
Test(matrix, the_expected_error_is_the_mean_of_all_variances)
{
	uint64_t state = 4;

	for (int run = 0; run < 12; run++) {
		struct metric m = discrete(4 + world_draw(&state, 30));
		struct workload w = { .n = m.n };
		double q[CELLS], sum = 0, cells = 0;
		struct matrix x;

		cr_assert(run % 2 ? workload_range(&w) : workload_prefix(&w));
		cr_assert_eq(matrix_choose(&x, &m, &w), PLAN_OK);
		for (size_t k = 0; k < w.k; k++) {
			double in = 0;

			for (size_t i = 0; i < m.n; i++)
				in += q[i] = (double)workload_at(&w, k, i);
			sum += matrix_variance(&x, q, NULL);
			cells += 8 * in * (1 - in / (double)m.n);
		}
		cr_assert_float_eq(x.rms, sqrt(sum / (double)w.k),
		    1e-6 * x.rms, "run %d", run);
		cr_assert_lt(x.rms, 1.01 * sqrt(cells / (double)w.k));
		matrix_free(&x);
		workload_free(&w);
	}
}

/* Asked queries are a start; elements cost them next to nothing. */
Test(matrix, no_error_is_larger_than_with_the_asked_queries_measured)
{
	uint64_t state = 6;
	int better = 0, runs = 0;

	for (int run = 0; run < 36; run++) {
		const struct rational one = { 1, 1 };
		struct rational c[6] = { { 0, 1 } };
		struct matrix x;
		struct world a;
		struct plan p;
		double gap, opt;

		world_make(&a, 8 + world_draw(&state, 8), 6, run % WORLD_KINDS,
		    &state);
		if (matrix_choose(&x, &a.m, &a.w) == PLAN_OK && x.w.k > 0) {
			cr_assert_eq(plan_open(&p, &a.m, &a.w, one), PLAN_OK);
			cr_assert_eq(plan_best(&p, PLAN_SQUARED, c, &gap),
			    PLAN_OK);
			opt = sqrt(2.0 / 6) * plan_value(&p, PLAN_SQUARED, c);
			cr_assert_leq(x.rms, 1.01 * opt, "run %d: %g %g", run,
			    x.rms, opt);
			better += x.rms < 0.9 * opt;
			runs++;
			plan_close(&p);
		}
		matrix_free(&x);
		world_free(&a);
	}
	cr_assert(runs > 15 && better > 3, "%d of %d", better, runs);
}

/* Where near elements are 1 apart and far ones more, a tree knows only 1. */
Test(matrix, a_random_range_errs_less_than_with_a_tree_where_far_is_farther)
{
	struct metric m = smooth(64, 8);
	struct workload w = { .n = m.n };
	struct matrix x;
	struct tree t;

	cr_assert(workload_range(&w));
	cr_assert_eq(tree_choose(&t, &m, TREE_RANGES), PLAN_OK);
	cr_assert_eq(matrix_choose(&x, &m, &w), PLAN_OK);
	cr_assert_lt(x.rms, 0.8 * t.rms, "%g %g", x.rms, t.rms);
	matrix_free(&x);
	tree_free(&t);
	workload_free(&w);
	metric_free(&m);
}

Test(matrix, what_cannot_be_measured_is_named)
{
	int64_t at[] = { 1, 2, 2, 3 }, far[] = { 0, 0, 1, 1 };
	int64_t never[] = { METRIC_INF }, q[] = { 0, 1, 1, 0 };
	struct metric m = { .kind = METRIC_SUM, .n = 4, .dims = 1, .x = at,
	    .unit = { 1, 1 } };
	struct workload w = { .n = 4 };
	struct matrix x;

	cr_assert(workload_dense(&w, q, 0, "q"));
	cr_assert_eq(matrix_choose(&x, &m, &w), PLAN_INFINITE);
	cr_assert(!x.apart && x.worst.i + x.worst.j == 3);
	matrix_free(&x);
	m = (struct metric){ .kind = METRIC_ATTR, .n = 4, .dims = 1, .x = far,
	    .w = never, .unit = { 1, 1 } };
	cr_assert_eq(matrix_choose(&x, &m, &w), PLAN_INFINITE);
	matrix_free(&x);
	workload_free(&w);
}
