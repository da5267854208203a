/*
 * matrix: the enumerated law of what dx-laplace --strategy matrix releases.
 *
 * Every histogram of two people over three elements, every outcome of the
 * noise in a window outside of which next to nothing lies: the law of the
 * rounded prefixes that least squares give, for each neighbour that moves one
 * person.  Rows have coefficients 0 and 1 here, so that the noise has the
 * grid of whole numbers.
 */
#include "count.h"
#include "dx/plan/matrix.h"
#include "dx/plan/matrix_search.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N 3
#define PEOPLE 2
#define REACH 9			/* of noise, in steps */
#define EPS 12			/* so that less than e^-12 lies beyond */
#define LIKELY 1e-3
#define SIDE 81			/* values of a prefix, from -40 */
#define MEASURED 4

/* The law of the two prefixes between none and all. */
struct matrix_law {
	double p[SIDE * SIDE];
};

/* e^-|z|/t for the noise of each measured query, normalised. */
static void
noise_laws(const struct matrix *x, double law[MEASURED][2 * REACH + 1])
{
	for (size_t k = 0; k < x->w.k; k++) {
		struct rational c = x->c[k], eps = { EPS, 1 };
		double sum = 0;
		struct scale s;

		cr_assert(plan_divide(&c, eps) && plan_noise(c, 0, &s));
		for (int z = -REACH; z <= REACH; z++)
			sum += law[k][z + REACH] = exp(-fabs((double)z) *
			    (double)s.r / (double)s.s);
		for (int z = 0; z <= 2 * REACH; z++)
			law[k][z] /= sum;
	}
}

/* Adds up all outcomes of the noise. */
static void
outcomes(const struct matrix *x, double law[MEASURED][2 * REACH + 1],
    const double *people, struct matrix_law *out)
{
	double y[MEASURED], exact[MEASURED] = { 0 }, count[N];
	int z[MEASURED];

	for (size_t k = 0; k < x->w.k; k++) {
		for (size_t i = 0; i < N; i++)
			exact[k] += x->a[k * N + i] * people[i];
		z[k] = -REACH;
	}
	memset(out, 0, sizeof(*out));
	for (;;) {
		double p = 1;
		size_t k;
		int a, b;

		for (k = 0; k < x->w.k; k++) {
			p *= law[k][z[k] + REACH];
			y[k] = exact[k] + z[k];
		}
		cr_assert(matrix_fit(x, y, PEOPLE, count));
		a = (int)floor(count[0] + 0.5) + SIDE / 2;
		b = (int)floor(count[0] + count[1] + 0.5) + SIDE / 2;
		cr_assert(a >= 0 && a < SIDE && b >= 0 && b < SIDE);
		out->p[a * SIDE + b] += p;
		for (k = 0; k < x->w.k && ++z[k] > REACH; k++)
			z[k] = -REACH;
		if (k == x->w.k)
			break;
	}
}

static struct audit_count counted;

/* Largest log ratio of likely outcomes over EPS d(i,j), for all neighbours. */
static double
worst_ratio(const struct matrix *x, double d[N][N])
{
	static struct matrix_law law[N][N];
	double noise[MEASURED][2 * REACH + 1], worst = 0;

	noise_laws(x, noise);
	for (int i = 0; i < N; i++)
		for (int j = 0; j <= i; j++) {
			double people[N] = { 0 };

			people[i]++;
			people[j]++;
			outcomes(x, noise, people, &law[i][j]);
			law[j][i] = law[i][j];
		}
	for (int stays = 0; stays < N; stays++)
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++) {
				const double *p = law[stays][i].p;
				const double *q = law[stays][j].p;

				counted.pairs++;
				for (int o = 0; o < SIDE * SIDE && i != j;
				    o++)
					if (p[o] > LIKELY) {
						counted.outputs++;
						worst = fmax(worst,
						    log(p[o] / q[o]) /
						    (EPS * d[i][j]));
					}
			}
	return worst;
}

/* Elements at 0, 1 and 3 of a line, or all 1 apart; a row that holds two. */
static double
worst_matrix(bool twin)
{
	double r[] = { 0.3, 0.2, 0.3 }, b[] = { 0.4, 0.4, 0 }, worst = 0;
	double d[2][N][N] = {
		{ { 0, 1, 3 }, { 1, 0, 2 }, { 3, 2, 0 } },
		{ { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 0 } },
	};
	int64_t at[] = { 0, 1, 3 };
	struct found f = { .n = N, .rows = 1, .r = r, .b = b };
	struct metric m[] = {
		{ .kind = METRIC_SUM, .n = N, .dims = 1, .x = at,
		    .unit = { 1, 1 } },
		{ .kind = METRIC_SUM, .bend = METRIC_SMOOTH, .n = N,
		    .bound = 1, .unit = { 1, 1 } },
	};

	for (int k = 0; k < 2; k++) {
		struct matrix x;

		cr_assert_eq(matrix_make(&x, &m[k], &f), PLAN_OK);
		cr_assert_eq(x.w.k, MEASURED);
		if (twin)	/* the row has half of the noise it needs */
			x.c[N].den *= 2;
		worst = fmax(worst, worst_ratio(&x, d[k]));
		matrix_free(&x);
	}
	return worst;
}

/* [KPAK20 Definition 2, Theorem 1] */
Test(matrix, no_move_is_told_beyond_its_budget_by_what_is_released)
{
	double worst = worst_matrix(false);

	cr_assert_leq(worst, 1 + 1e-3, "%g", worst);
	cr_assert_gt(worst, 0.8, "%g", worst);
	counted.worst = worst;
	audit_count_print("dx-laplace, matrices", &counted);
}

Test(matrix, too_little_noise_on_a_row_is_told_by_what_is_released)
{
	cr_assert_gt(worst_matrix(true), 1.1);
}
