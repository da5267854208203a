/*
 * utility: how far answers under a metric may be off, against the paper's
 * bounds [KPAK20 Theorems 2, 4, 9, 11].
 *
 * Laplace noise of scale c about a bias b, in closed form:
 *     E (b + Y)^2 = b^2 + 2 c^2,   E |b + Y| = |b| + c e^(-|b| / c),
 *     P[|b + Y| > t] = (e^((b - t) / c) + e^((-b - t) / c)) / 2 for t >= |b|.
 */
#include "plan_world.h"

#include "dx/plan/plan_joint.h"
#include "expmech/mechanism.h"

#define MOST 4		/* queries */

/* One vector of answers: k of them, each with its bias and its scale. */
struct answers {
	size_t k;
	double b[MOST];
	double c[MOST];
};

/* Norms of the biases or scales: p is 1, 2 or 0 for the largest. */
static double
norm(const double *x, size_t k, int p)
{
	double sum = 0;

	for (size_t i = 0; i < k; i++)
		sum = p == 0 ? fmax(sum, fabs(x[i])) : sum +
		    (p == 1 ? fabs(x[i]) : x[i] * x[i]);
	return p == 2 ? sqrt(sum) : sum;
}

static double
squared_error(const struct answers *a)
{
	double sum = 0;

	for (size_t i = 0; i < a->k; i++)
		sum += a->b[i] * a->b[i] + 2 * a->c[i] * a->c[i];
	return sum;
}

static double
absolute_error(const struct answers *a)
{
	double sum = 0;

	for (size_t i = 0; i < a->k; i++)
		sum += a->c[i] == 0 ? fabs(a->b[i]) : fabs(a->b[i]) +
		    a->c[i] * exp(-fabs(a->b[i]) / a->c[i]);
	return sum;
}

/* P[the largest error > t], t at least the largest bias. */
static double
beyond(const struct answers *a, double t)
{
	double none = 1;

	for (size_t i = 0; i < a->k; i++)
		if (a->c[i] > 0)
			none *= 1 - (exp((a->b[i] - t) / a->c[i]) +
			    exp((-a->b[i] - t) / a->c[i])) / 2;
	return 1 - none;
}

/* The largest of the biases that were seen, in three norms. */
struct worst {
	double one, two, top;
};

static void
widen(struct worst *w, const struct answers *a)
{
	w->one = fmax(w->one, norm(a->b, a->k, 1));
	w->two = fmax(w->two, norm(a->b, a->k, 2));
	w->top = fmax(w->top, norm(a->b, a->k, 0));
}

/*
 * All three parts for one data set, whose bias is within w; counts where the
 * twins break: a bias without noise, and ln(1/delta) for ln(k/delta).
 */
static void
three_parts(const struct answers *a, const struct worst *w, int twins[3])
{
	const double hair = 1 + 1e-9, c2 = norm(a->c, a->k, 2);
	const double c1 = norm(a->c, a->k, 1), top = norm(a->c, a->k, 0);

	cr_assert_leq(squared_error(a), hair * (2 * w->two * w->two + 4 * c2 *
	    c2));
	cr_assert_leq(absolute_error(a), hair * (w->one + c1));
	twins[0] += squared_error(a) > hair * 2 * w->two * w->two;
	twins[1] += absolute_error(a) > hair * w->one;
	for (double delta = 1; delta > 1e-4; delta /= 3) {
		double k = (double)a->k;

		cr_assert_leq(beyond(a, w->top + log(k / delta) * top),
		    hair * delta);
		twins[2] += beyond(a, w->top + log(1 / delta) * top) >
		    hair * delta;
	}
}

static double
coefficient(const struct workload *w, size_t k, size_t i)
{
	return (double)workload_at(w, k, i) /
	    (double)fixed_pow10(workload_digits(w, k));
}

/* n records of element i: the corners, where a linear bias is largest. */
static struct answers
corner(const struct world *a, const struct joint_plan *j, size_t i, double n)
{
	struct answers r = { .k = a->w.k };

	for (size_t k = 0; k < r.k; k++) {
		r.b[k] = n * (coefficient(&j->w, k, i) -
		    coefficient(&a->w, k, i));
		r.c[k] = (double)j->c[k].num / (double)j->c[k].den;
	}
	return r;
}

/* [KPAK20 Theorem 2] with the bent queries and scales of dx-laplace. */
Test(utility, bent_queries_err_by_bias_and_noise_as_promised)
{
	uint64_t state = 1;
	int twins[3] = { 0, 0, 0 };

	for (int run = 0; run < 60; run++) {
		double n = 1 + (double)world_draw(&state, 5);
		struct joint_plan j;
		struct world a;
		struct worst w = { 0, 0, 0 };

		world_make(&a, 4 + world_draw(&state, 8),
		    1 + world_draw(&state, MOST), run % WORLD_KINDS, &state);
		a.eps = (struct rational){ 1, 1 + (i128)run % 3 };
		cr_assert_eq(plan_joint(&j, &a.m, &a.w, a.eps, PLAN_SQUARED,
		    n), PLAN_OK);
		for (int pass = 0; pass < 2; pass++)
			for (size_t i = 0; i < a.m.n; i++) {
				struct answers r = corner(&a, &j, i, n);

				if (pass == 0)
					widen(&w, &r);
				else
					three_parts(&r, &w, twins);
			}
		plan_joint_free(&j);
		world_free(&a);
	}
	for (int i = 0; i < 3; i++)
		cr_expect_gt(twins[i], 20, "twin %d", i);
}

#define VALUES 4	/* of a record */
#define RECORDS 4

/*
 * [KPAK20 Theorem 11] Every u is answered for as some u', scaled by c; the
 * sup is over all data sets of so many records.
 */
Test(utility, statistical_queries_on_mapped_records_do_so_too)
{
	uint64_t state = 2;
	int twins[3] = { 0, 0, 0 };

	for (int run = 0; run < 200; run++) {
		struct answers u[VALUES];
		struct worst w = { 0, 0, 0 };
		size_t k = 1 + world_draw(&state, MOST);

		for (size_t v = 0; v < VALUES; v++) {
			u[v].k = k;
			for (size_t i = 0; i < k; i++) {
				/* c q(u') - q(u), the least step 1/8 */
				u[v].b[i] = ((double)world_draw(&state, 17) -
				    8) / 8;
				u[v].c[i] = v > 0 ? u[0].c[i] : 0.1 +
				    (double)world_draw(&state, 20) / 10;
			}
			widen(&w, &u[v]);
		}
		for (int code = 0; code < 256; code++) {
			struct answers mean = u[0];

			for (size_t i = 0; i < k; i++) {
				mean.b[i] = 0;
				for (int r = 0; r < RECORDS; r++)
					mean.b[i] += u[code >> 2 * r & 3].b[i] /
					    RECORDS;
			}
			three_parts(&mean, &w, twins);
		}
	}
	for (int i = 0; i < 3; i++)
		cr_expect_gt(twins[i], 20, "twin %d", i);
}

#define CHOICES 6

/*
 * P[u(Z) <= floor] where Z has the law of the exponential mechanism for
 * scores v, at the scale that expmech makes of c.
 */
static double
chance(const int *u, const int *v, struct rational c, double floor)
{
	double sum = 0, low = 0, here;
	struct scale t;

	cr_assert(mechanism_metric(&t, c));
	for (int i = 0; i < CHOICES; i++) {
		here = exp(v[i] * (double)t.r / (double)t.s);
		sum += here;
		low += u[i] <= floor + 1e-9 ? here : 0;
	}
	return low / sum;
}

/*
 * [KPAK20 Theorem 4] The chosen element is good by u, though chosen by v, but
 * for a chance of e^-t: with -delta, where the paper has +delta, which is the
 * twin.
 */
Test(utility, what_is_chosen_by_another_score_is_nearly_as_good)
{
	uint64_t state = 3;
	int twin = 0, narrow = 0;

	for (int run = 0; run < 3000; run++) {
		struct rational c = { 1 + (i128)world_draw(&state, 9), 1 };
		int u[CHOICES], v[CHOICES], top = -100, delta = 0, ties = 0;
		double room, scale = 2 * (double)c.num, t;

		for (int i = 0; i < CHOICES; i++) {
			u[i] = (int)world_draw(&state, 40);
			v[i] = u[i] + (int)world_draw(&state, 7) - 3;
			delta = abs(u[i] - v[i]) > delta ? abs(u[i] - v[i]) :
			    delta;
			top = v[i] > top ? v[i] : top;
		}
		for (int i = 0; i < CHOICES; i++)
			ties += v[i] == top;
		for (t = 0; t < 6; t += 0.5) {
			room = top - scale * (log((double)CHOICES / ties) + t);
			cr_assert_leq(chance(u, v, c, room - delta),
			    exp(-t) * (1 + 1e-9));
			twin += chance(u, v, c, room + delta) > exp(-t) *
			    (1 + 1e-9);
			narrow += chance(u, v, c, room - delta + scale *
			    log((double)CHOICES / ties)) > exp(-t) * (1 + 1e-9);
		}
	}
	cr_expect_gt(twin, 20);
	cr_expect_gt(narrow, 20);
}

/*
 * [KPAK20 Fact 1] Of noise on counts: the log ratio of two releases about x
 * and x' is the sum over the releases of |q(x) - q(x')| / c at most; k moves of
 * records cost k times the largest distance, and releases add up.  The twin
 * charges a group as one record.
 */
Test(utility, releases_add_up_and_groups_pay_for_each_record)
{
	uint64_t state = 4;
	int twin = 0;

	for (int run = 0; run < 60; run++) {
		double far = 0, v[2], one;
		struct rational c[2];
		struct world a;
		struct plan p;
		u128 d;

		world_make(&a, 4 + world_draw(&state, 8), 1, run % 3,
		    &state);
		a.eps = (struct rational){ 1, 1 };
		for (int r = 0; r < 2; r++) {
			cr_assert_eq(plan_open(&p, &a.m, &a.w, a.eps),
			    PLAN_OK);
			cr_assert_eq(plan_split(&p, &c[r]), PLAN_OK);
			plan_close(&p);
		}
		for (size_t i = 0; i < a.m.n; i++)
			for (size_t j = 0; j < i; j++)
				if (world_measure(&a, i, j, &d))
					far = fmax(far, metric_squared(&a.m) ?
					    sqrt((double)d) : (double)d);
		far /= 1000;
		for (int move = 0; move < 200; move++) {
			double sum = 0;
			int k = 2 + (int)world_draw(&state, 4);

			for (int m = 0; m < k; m++)
				sum += coefficient(&a.w, 0, world_draw(&state,
				    a.m.n)) - coefficient(&a.w, 0,
				    world_draw(&state, a.m.n));
			for (int r = 0; r < 2; r++)
				v[r] = fabs(sum) * (double)c[r].den /
				    (double)c[r].num;
			one = v[0];
			cr_assert_leq(v[0] + v[1], 2 * k * far * (1 + 1e-9));
			twin += one > far;
		}
		world_free(&a);
	}
	cr_expect_gt(twin, 20, "twin");
}
