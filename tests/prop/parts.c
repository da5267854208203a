/*
 * parts: tables from counts of partitions, by what they promise and by their
 * sums.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dx/synth/marginals.h"
#include "golden.h"

#define MOST 48
#define DIMS 3
#define ROWS 40

struct sample {
	struct workload w[DIMS];
	struct normal level[DIMS];
	struct marginals a;
	int64_t x[MOST];
	size_t n;
};

static void
scales(struct normal *q, struct rational c)
{
	for (size_t b = 0; b < q->w->blocks; b++)
		for (size_t e = 0; e < q->block[b].entries; e++)
			if (q->w->block[b].count > 1)
				q->c[q->block[b].entry + e] = c;
}

/*
 * Three attributes of 2, 3 and up to 8 values, and their marginals of 1, 2 and
 * 3 attributes; counts up to `high`; the queries are those of `order`.
 */
static void
make_order(struct sample *s, size_t order, struct rng *r, uint64_t high,
    struct rational c)
{
	int64_t code[MOST * DIMS];
	uint64_t total = 0;

	*s = (struct sample){ .n = 6 * (2 + rng_below(r, 7)), .a = { .order =
	    order } };
	for (size_t i = 0; i < s->n; i++) {
		code[i * DIMS] = (int64_t)(i % 2);
		code[i * DIMS + 1] = (int64_t)(i / 2 % 3);
		code[i * DIMS + 2] = (int64_t)(i / 6);
		s->x[i] = (int64_t)(rng_below(r, high) * rng_below(r, 2));
		total += (uint64_t)s->x[i];
	}
	for (size_t l = 0; l < DIMS; l++) {
		s->w[l].n = s->n;
		workload_marginal(&s->w[l], code, DIMS, l + 1);
		normal_open(&s->level[l], &s->w[l]);
		scales(&s->level[l], c);
	}
	s->a.p.total = (double)total;
	marginals_open(&s->a, s->level, DIMS);
}

static void
unmake(struct sample *s)
{
	marginals_close(&s->a);
	for (size_t l = 0; l < DIMS; l++) {
		normal_close(&s->level[l]);
		workload_free(&s->w[l]);
	}
}

/* The root mean square error of the marginals of the order. */
static double
rms(const struct sample *s, const double *y)
{
	const size_t *first = s->a.first;
	double all = 0, cells = 0, sum[MOST];

	for (size_t k = first[s->a.order - 1]; k < first[s->a.order]; k++) {
		const struct partition *p = &s->a.p.part[k];

		memset(sum, 0, sizeof(sum));
		for (size_t i = 0; i < s->n; i++)
			sum[p->cell[i]] += y[i] - (double)s->x[i];
		for (size_t e = 0; e < p->cells; e++)
			all += sum[e] * sum[e];
		cells += (double)p->cells;
	}
	return sqrt(all / cells);
}

/* Of attributes of p, q and r values the degrees are products of p-1, ... */
Test(marginals, degrees_of_freedom_are_products_and_add_up)
{
	struct sample s;
	struct rng r;

	rng_seeded(&r, 8, "degrees");
	for (int run = 0; run < 20; run++) {
		double d[DIMS], sum = 1;

		make_order(&s, DIMS, &r, 100, (struct rational){ 1, 1 });
		for (size_t k = 0; k < DIMS; k++)
			d[k] = s.a.degrees[k];
		cr_assert_eq(d[0], 1);
		cr_assert_eq(d[1], 2);
		cr_assert_eq(d[2], (double)s.n / 6 - 1);
		/* pairs are ab, ac, bc */
		cr_assert_eq(s.a.degrees[DIMS], d[0] * d[1]);
		cr_assert_eq(s.a.degrees[DIMS + 1], d[0] * d[2]);
		cr_assert_eq(s.a.degrees[DIMS + 2], d[1] * d[2]);
		cr_assert_eq(s.a.degrees[2 * DIMS], d[0] * d[1] * d[2]);
		for (size_t k = 0; k < s.a.p.parts; k++)
			sum += s.a.degrees[k];
		cr_assert_eq(sum, (double)s.n);
		unmake(&s);
	}
}

/*
 * Many records in all cells: what is expected is the noise of pooled counts,
 * of any level for any order.
 */
Test(marginals, answers_err_as_expected)
{
	static double y[MOST];
	struct rng r;

	rng_seeded(&r, 9, "expected");
	for (size_t order = 1; order <= DIMS; order++) {
		double all = 0, expected = 0;

		for (int run = 0; run < 60; run++) {
			struct sample s;

			make_order(&s, order, &r, 100, (struct rational){
			    20, 1 });
			s.a.p.total = 0;
			for (size_t i = 0; i < s.n; i++) {
				s.x[i] = (int64_t)(5000 + rng_below(&r, 15000));
				s.a.p.total += (uint64_t)s.x[i];
			}
			marginals_expect(&s.a);
			cr_assert_geq(s.a.chosen, order);
			marginals_release(&s.a, s.x, &r, y);
			all += rms(&s, y);
			expected += s.a.expected;
			unmake(&s);
		}
		cr_assert(all < 1.1 * expected && all > 0.85 * expected,
		    "%zu: %g of %g", order, all, expected);
	}
}

static const double want[ROWS] = {
	15718.10252, 20530.34313, 21366.07129, 15859.45355, 23577.30206,
	10512.08845, 13025.46948, 10378.47235, 15072.93482, 8459.540986,
	12683.46322, 9658.605439, 17912.89718, 19391.78445, 14682.56504,
	16425.01588, 20167.09549, 11564.59402, 22449.46246, 34702.8759,
	20852.37374, 15330.71975, 15031.08257, 13669.17835, 11469.07998,
	11570.30706, 13046.07192, 7172.633249, 29452.26556, 19564.61566,
	10884.56174, 16939.516, 27704.48913, 23163.67123, 14766.53093,
	17003.99452, 22213.12112, 20988.22809, 11708.76502, 25398.90924,
};

/* N records, if N is no secret, and no negative count. */
static void
check_table(const struct sample *s, const double *y)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		cr_assert(y[i] >= 0 && isfinite(y[i]));
		sum += y[i];
	}
	cr_assert(s->a.p.variance > 0 || fabs(sum - s->a.p.total) <= 1e-6 *
	    (s->a.p.total + 1), "%g of %g", sum, s->a.p.total);
}

/* Every order and level, exact and hidden totals; the level that is chosen. */
Test(marginals, a_release_is_what_it_was)
{
	double y[4 * MOST + 8] = { 0 };
	struct rng r;

	rng_seeded(&r, 15, "release");
	for (size_t run = 0; run < 4 * ROWS; run++) {
		struct rational c = { 1 + (i128)rng_below(&r, 12), 1 };
		double *to = &y[run % 4 * (MOST + 2)];
		struct sample s;

		make_order(&s, 1 + run % 3, &r, 10 + 90 * (run % 5), c);
		to[0] = s.a.expected;
		to[1] = (double)s.a.chosen;
		s.a.chosen = 1 + run / 3 % 3;
		s.a.p.variance = run % 2 ? 50 : 0;
		marginals_release(&s.a, s.x, &r, &to[2]);
		check_table(&s, &to[2]);
		unmake(&s);
		if (run % 4 < 3)
			continue;
		golden_is("marginals", run / 4, y, 4 * (MOST + 2), want[run /
		    4]);
		memset(y, 0, sizeof(y));
	}
}
