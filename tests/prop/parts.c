/*
 * parts: tables from counts of partitions, against slow programs that follow
 * their definitions.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dx/synth/evidence.h"
#include "dx/synth/marginals.h"

#define MOST 48
#define DIMS 3

struct sample {
	struct workload w[DIMS];
	struct normal level[DIMS];
	struct marginals a;
	int64_t x[MOST];
	size_t n;
};

static uint64_t
draw(struct rng *r, uint64_t n)
{
	return rng_below(r, n);
}

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

	*s = (struct sample){ .n = 6 * (2 + draw(r, 7)), .a = { .order =
	    order } };
	for (size_t i = 0; i < s->n; i++) {
		code[i * DIMS] = (int64_t)(i % 2);
		code[i * DIMS + 1] = (int64_t)(i / 2 % 3);
		code[i * DIMS + 2] = (int64_t)(i / 6);
		s->x[i] = (int64_t)(draw(r, high) * draw(r, 2));
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
make(struct sample *s, struct rng *r, uint64_t high, struct rational c)
{
	make_order(s, 2, r, high, c);
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

/* Largest difference of a table's marginals from the exact ones. */
static double
off(const struct sample *s, const double *y)
{
	double most = 0, sum[MOST];

	for (size_t k = 0; k < s->a.first[s->a.order]; k++) {
		const struct partition *p = &s->a.p.part[k];

		memset(sum, 0, sizeof(sum));
		for (size_t i = 0; i < s->n; i++)
			sum[p->cell[i]] += y[i] - (double)s->x[i];
		for (size_t e = 0; e < p->cells; e++)
			most = fmax(most, fabs(sum[e]));
	}
	return most;
}

Test(parts, without_noise_a_table_has_the_marginals_of_the_data)
{
	struct sample s;
	double y[MOST], total;
	struct rng r;

	rng_seeded(&r, 1, "exact");
	for (int run = 0; run < 50; run++) {
		make(&s, &r, 100, (struct rational){ 1, 1 });
		/* empty cells are approached */
		for (size_t i = 0; i < s.n; i++) {
			s.x[i]++;
			s.a.p.total++;
		}
		marginals_release(&s.a, s.x, NULL, y);
		total = (double)s.a.p.total;
		cr_assert(off(&s, y) < 2e-3 * total, "%g of %g", off(&s, y),
		    total);
		unmake(&s);
	}
}

/* A marginal's share is as the root of its cost, cells times scale. */
Test(parts, shares_are_as_roots_of_cells_in_any_unit)
{
	static const struct rational unit[] = { { 1, 1 },
	    { 1000000000000000, 1 }, { 1, 1000000000000 } };
	struct sample s;
	struct rng r;

	rng_seeded(&r, 11, "shares");
	for (int run = 0; run < 30; run++) {
		double all = 0;

		make(&s, &r, 10, unit[run % 3]);
		s.a.chosen = 1;
		marginals_share(&s.a);
		for (size_t k = 0; k < DIMS; k++)
			all += sqrt((double)s.a.p.part[k].cells);
		for (size_t k = 0; k < DIMS; k++)
			cr_assert_float_eq((double)s.a.p.part[k].share,
			    sqrt((double)s.a.p.part[k].cells) / all *
			    (double)PARTS_WHOLE, 5, "%d: %zu", run, k);
		unmake(&s);
	}
}

/* Of 48 values one alone has many records, the first or another. */
static double
outlier(size_t place)
{
	double sum = 0, y[MOST];
	struct rng r;

	rng_seeded(&r, 12, "kept");
	for (int run = 0; run < 10; run++) {
		struct sample s = { .n = MOST, .a = { .order = 1 } };
		int64_t code[MOST];

		for (size_t i = 0; i < MOST; i++) {
			code[i] = (int64_t)i;
			s.x[i] = 20 + 300 * (i == place);
		}
		s.w[0].n = MOST;
		workload_marginal(&s.w[0], code, 1, 1);
		normal_open(&s.level[0], &s.w[0]);
		scales(&s.level[0], (struct rational){ 5, 1 });
		s.a.p.total = 20 * MOST + 300;
		marginals_open(&s.a, s.level, 1);
		marginals_release(&s.a, s.x, &r, y);
		sum += y[place] / 320 / 10;
		marginals_close(&s.a);
		normal_close(&s.level[0]);
		workload_free(&s.w[0]);
	}
	return sum;
}

Test(parts, a_value_that_stands_out_is_believed_wherever_it_stands)
{
	for (size_t place = 0; place < MOST; place += MOST - 1)
		cr_assert(fabs(outlier(place) - 1) < 0.3, "%zu: %g", place,
		    outlier(place));
}

/* Equal counts of all records. */
static void
begin(const struct sample *s, double *y)
{
	for (size_t i = 0; i < s->n; i++)
		y[i] = s->a.p.total / (double)s->n;
}

/* Steps down leave nothing of a lone marginal, the first or another. */
Test(parts, a_marginal_that_is_held_alone_is_that_of_the_table)
{
	struct sample s;
	double y[MOST];
	struct rng r;

	rng_seeded(&r, 13, "alone");
	make(&s, &r, 500, (struct rational){ 1, 1 });
	for (size_t k = 0; k < DIMS; k++) {
		struct partition *p = &s.a.p.part[k];
		int64_t *count = part_counts(p, s.x, s.n);

		p->held = true;
		for (size_t e = 0; e < p->cells; e++) {
			p->count[e] = (double)count[e];
			p->variance[e] = 10000;
		}
		begin(&s, y);
		parts_fit(&s.a.p, y);
		part_sums(p, y, s.n, p->now);
		for (size_t e = 0; e < p->cells; e++)
			cr_assert_float_eq(p->now[e], p->count[e], 0.5,
			    "%zu: %zu: %g of %g", k, e, p->now[e],
			    p->count[e]);
		p->held = false;
		free(count);
	}
	unmake(&s);
}

/* Part k's sums of y; is the part held? */
static bool
sums_of(const struct parts *p, size_t k, const double *y, double *sum)
{
	memset(sum, 0, MOST * sizeof(*sum));
	for (size_t i = 0; i < p->n; i++)
		sum[p->part[k].cell[i]] += y[i];
	return p->part[k].held;
}

/*
 * Each part in turn: its sums come within 0.4 deviations of the counts, but
 * fall to a tenth at most.  Returns the farthest move, of a sum.
 */
static double
take_turns(const struct parts *p, double *y)
{
	double sum[MOST], far = 0, near, to;

	for (size_t k = 0; k < p->parts; k++) {
		const struct partition *one = &p->part[k];

		if (!sums_of(p, k, y, sum))
			continue;
		for (size_t e = 0; e < one->cells; e++) {
			near = 0.4 * sqrt(one->variance[e]);
			to = sum[e] > one->count[e] + near ? fmax(sum[e] / 10,
			    one->count[e] + near) : fmax(sum[e],
			    one->count[e] - near);
			sum[e] = to / fmax(sum[e], 1e-200);
			far = fmax(far, fabs(sum[e] - 1));
		}
		for (size_t i = 0; i < p->n; i++)
			y[i] *= sum[one->cell[i]];
	}
	return far;
}

static void
to_total(const struct parts *p, double *y)
{
	double all = 0;

	for (size_t i = 0; i < p->n; i++)
		all += y[i];
	for (size_t i = 0; i < p->n && all > 0; i++)
		y[i] *= p->total / all;
}

/* Half the squared misses in deviations; the slope for each element. */
static double
misses(const struct parts *p, const double *y, double *slope)
{
	double sum[MOST], all = 0;

	memset(slope, 0, MOST * sizeof(*slope));
	for (size_t k = 0; k < p->parts; k++) {
		const struct partition *one = &p->part[k];

		if (!sums_of(p, k, y, sum))
			continue;
		for (size_t e = 0; e < one->cells; e++) {
			double off = sum[e] - one->count[e];

			sum[e] = off / one->variance[e];
			all += off * sum[e] / 2;
		}
		for (size_t i = 0; i < p->n; i++)
			slope[i] += sum[one->cell[i]];
	}
	return all;
}

/* Sixty steps of mirror descent: longer by half, or halved. */
static void
go_down(const struct parts *p, double *y)
{
	double slope[MOST], next[MOST], z[MOST], least, one, all = 0;
	double step;

	for (size_t k = 0; k < p->parts; k++) {
		double most = 0;

		for (size_t e = 0; e < p->part[k].cells && p->part[k].held;
		    e++)
			most = fmax(most, 1 / p->part[k].variance[e]);
		all += most;
	}
	step = 1 / all / p->total;
	least = misses(p, y, slope);
	for (int s = 0; s < 60; s++) {
		for (size_t i = 0; i < p->n; i++)
			z[i] = y[i] * exp(-step * slope[i]);
		to_total(p, z);
		one = misses(p, z, next);
		if (one <= least) {
			memcpy(y, z, p->n * sizeof(*z));
			memcpy(slope, next, sizeof(slope));
			least = one;
		}
		step *= one <= least ? 1.5 : 0.5;
	}
}

/* The table, as the head of parts.c describes it. */
static void
fit_as_described(const struct parts *p, double *y)
{
	for (int s = 0; s < 60; s++)
		if (take_turns(p, y) <= 1e-9)
			break;
	to_total(p, y);
	go_down(p, y);
}

Test(parts, a_fit_is_what_its_description_says)
{
	double y[MOST], want[MOST];
	struct sample s;
	struct rng r;

	rng_seeded(&r, 14, "fit");
	for (int run = 0; run < 80; run++) {
		uint64_t c = 1 + draw(&r, run % 2 ? 4 : 40);

		make(&s, &r, 10 + draw(&r, 600), (struct rational){
		    (int64_t)c, 1 });
		s.a.p.total += s.a.p.total < 1;
		for (size_t k = 0; k < s.a.p.parts; k++) {
			s.a.p.part[k].share = PARTS_WHOLE / 8;
			if (k == run % 7U || draw(&r, 2))
				parts_measure(&s.a.p, k, s.x, &r);
		}
		parts_level(&s.a.p);
		for (size_t i = 0; i < s.n; i++)
			y[i] = want[i] = s.a.p.total * (double)(i + 1) * 2 /
			    (double)(s.n * (s.n + 1));
		parts_fit(&s.a.p, y);
		fit_as_described(&s.a.p, want);
		for (size_t i = 0; i < s.n; i++)
			cr_assert_float_eq(y[i], want[i], 1e-5 *
			    s.a.p.total, "run %d: %g, not %g", run, y[i],
			    want[i]);
		unmake(&s);
	}
}

/* How far the sums are from exact counts at most, in deviations. */
static double
farthest(const struct sample *s, const double *y)
{
	double most = 0, sum[MOST], exact[MOST], x[MOST];

	for (size_t i = 0; i < s->n; i++)
		x[i] = (double)s->x[i];
	for (size_t k = 0; k < s->a.p.parts; k++) {
		const struct partition *p = &s->a.p.part[k];

		if (!sums_of(&s->a.p, k, y, sum))
			continue;
		sums_of(&s->a.p, k, x, exact);
		for (size_t e = 0; e < p->cells; e++)
			most = fmax(most, fabs(sum[e] - exact[e]) /
			    sqrt(p->variance[e]));
	}
	return most;
}

/* Where counts agree with each other, no sum is left far from its count. */
Test(parts, counts_that_agree_are_met)
{
	struct sample s;
	double y[MOST], far = 0;
	struct rng r;

	rng_seeded(&r, 2, "agree");
	for (int run = 0; run < 60; run++) {
		make(&s, &r, 300, (struct rational){ 5, 1 });
		s.a.p.total += (double)s.n;
		for (size_t i = 0; i < s.n; i++)
			s.x[i]++;
		for (size_t k = 0; k < s.a.p.parts; k++) {
			struct partition *p = &s.a.p.part[k];

			p->share = PARTS_WHOLE / 8;
			parts_measure(&s.a.p, k, s.x, &r);
			p->held = p->cells < s.n;
			for (size_t i = 0; i < s.n; i++)
				p->count[p->cell[i]] = 0;
			for (size_t i = 0; i < s.n; i++)
				p->count[p->cell[i]] += (double)s.x[i];
		}
		begin(&s, y);
		parts_fit(&s.a.p, y);
		far = fmax(far, farthest(&s, y));
		unmake(&s);
	}
	cr_assert(far < 0.5, "%g", far);
}

Test(parts, a_table_has_n_records_and_no_negative_count)
{
	double y[MOST], sum;
	struct sample s;
	struct rng r;

	rng_seeded(&r, 3, "table");
	for (int run = 0; run < 200; run++) {
		make(&s, &r, 1 + draw(&r, 2000), (struct rational){
		    (int64_t)(1 + draw(&r, 100000)), 1 +
		    (int64_t)draw(&r, 50) });
		marginals_release(&s.a, s.x, &r, y);
		sum = 0;
		for (size_t i = 0; i < s.n; i++) {
			cr_assert(y[i] >= 0 && isfinite(y[i]));
			sum += y[i];
		}
		cr_assert(fabs(sum - (double)s.a.p.total) <= 1e-6 *
		    ((double)s.a.p.total + 1), "%g", sum);
		unmake(&s);
	}
}

/* The cell of an attribute that a cell of a pair is in. */
static size_t
in_which(const struct sample *s, const struct partition *one,
    const struct partition *two, size_t e)
{
	size_t i = 0;

	while ((size_t)two->cell[i] != e && i + 1 < s->n)
		i++;
	return (size_t)one->cell[i];
}

/*
 * Least squares: an attribute's counts are the mean of what its own noise and
 * two pairs say, each by its precision; a pair's cells that are one together,
 * all of one variance, share the difference alike.
 */
Test(parts, pooling_is_least_squares)
{
	struct sample s;
	struct rng r;

	rng_seeded(&r, 4, "pool");
	for (int run = 0; run < 40; run++) {
		double fine[2][MOST], coarse[MOST], by[MOST];
		struct partition *one, *two[2];

		make(&s, &r, 300, (struct rational){ 2, 1 });
		one = &s.a.p.part[2];
		one->share = PARTS_WHOLE / 8;
		parts_measure(&s.a.p, 2, s.x, &r);
		for (size_t c = 0; c < one->cells; c++) {
			by[c] = 1 / one->variance[c];
			coarse[c] = one->count[c] * by[c];
		}
		for (size_t k = 0; k < 2; k++) {
			double sum[MOST] = { 0 }, v[MOST] = { 0 };

			/* the pairs with the last attribute are the last */
			two[k] = &s.a.p.part[DIMS + 1 + k];
			two[k]->share = PARTS_WHOLE / (3 + k);
			parts_measure(&s.a.p, DIMS + 1 + k, s.x, &r);
			memcpy(fine[k], two[k]->count, sizeof(**fine) *
			    two[k]->cells);
			for (size_t e = 0; e < two[k]->cells; e++) {
				size_t c = in_which(&s, one, two[k], e);

				sum[c] += fine[k][e];
				v[c] += two[k]->variance[e];
			}
			for (size_t c = 0; c < one->cells; c++) {
				coarse[c] += sum[c] / v[c];
				by[c] += 1 / v[c];
			}
		}
		parts_pool(&s.a.p, 2);
		for (size_t c = 0; c < one->cells; c++)
			cr_assert_float_eq(one->count[c], coarse[c] / by[c],
			    1e-6);
		for (size_t k = 0; k < 2; k++) {
			double all[MOST] = { 0 }, more[MOST] = { 0 };
			size_t cells[MOST] = { 0 };

			for (size_t e = 0; e < two[k]->cells; e++) {
				size_t c = in_which(&s, one, two[k], e);

				all[c] += two[k]->count[e];
				more[c] += two[k]->count[e] - fine[k][e];
				cells[c]++;
			}
			for (size_t e = 0; e < two[k]->cells; e++) {
				size_t c = in_which(&s, one, two[k], e);

				cr_assert_float_eq(all[c], coarse[c] / by[c],
				    1e-6);
				cr_assert_float_eq(two[k]->count[e] -
				    fine[k][e], more[c] / (double)cells[c],
				    1e-6);
			}
		}
		unmake(&s);
	}
}

/* An attribute that was not counted has what its pairs say of it. */
Test(parts, what_was_not_counted_is_pooled_from_pairs)
{
	struct sample s;
	struct rng r;

	rng_seeded(&r, 7, "not counted");
	for (int run = 0; run < 40; run++) {
		double sum[MOST] = { 0 }, v[MOST] = { 0 };
		struct partition *one, *two;

		make(&s, &r, 300, (struct rational){ 2, 1 });
		one = &s.a.p.part[2];
		two = &s.a.p.part[DIMS + 1];
		two->share = PARTS_WHOLE / 3;
		parts_measure(&s.a.p, DIMS + 1, s.x, &r);
		cr_assert(two->held && !one->held);
		for (size_t e = 0; e < two->cells; e++) {
			size_t i = 0;

			while ((size_t)two->cell[i] != e)
				i++;
			sum[one->cell[i]] += two->count[e];
			v[one->cell[i]] += two->variance[e];
		}
		parts_pool(&s.a.p, 2);
		cr_assert(one->held);
		for (size_t c = 0; c < one->cells; c++) {
			cr_assert(fabs(one->count[c] - sum[c]) < 1e-6);
			cr_assert(fabs(one->variance[c] - v[c]) < 1e-6 * v[c]);
		}
		/* another attribute, of which nothing was counted */
		parts_pool(&s.a.p, 1);
		cr_assert(!s.a.p.part[1].held);
		unmake(&s);
	}
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

/* The root mean square error of the last marginals of the order. */
static double
rms(const struct sample *s, const double *y)
{
	double all = 0, cells = 0, sum[MOST];

	for (size_t k = s->a.first[s->a.order - 1]; k <
	    s->a.first[s->a.order]; k++) {
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
				s.x[i] = (int64_t)(5000 + draw(&r, 15000));
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

/* Triples of a table in which only pairs depend: what a level leaves. */
Test(marginals, what_is_left_out_is_not_what_is_noise)
{
	static double y[MOST];
	double by[DIMS + 1] = { 0 };
	struct rng r;

	rng_seeded(&r, 10, "left out");
	for (int run = 0; run < 40; run++) {
		struct sample s;

		make_order(&s, DIMS, &r, 100, (struct rational){ 30, 1 });
		s.a.p.total = 0;
		for (size_t i = 0; i < s.n; i++) {
			/* c follows from a; all three do not depend more */
			s.x[i] = i % 2 == i / 6 % 2 ? 900 : 100;
			s.a.p.total += (uint64_t)s.x[i];
		}
		for (size_t level = 1; level <= DIMS; level++) {
			s.a.chosen = level;
			marginals_release(&s.a, s.x, &r, y);
			by[level] += rms(&s, y);
		}
		unmake(&s);
	}
	/* pairs are seen in all cells nearly as well as by themselves */
	cr_assert(by[2] < 0.5 * by[1], "%g %g", by[1], by[2]);
	cr_assert(by[3] < 0.5 * by[1], "%g %g", by[1], by[3]);
}

/* Errors of equal counts with little epsilon, in records of a cell. */
Test(marginals, equal_counts_stay_equal_under_noise)
{
	double y[MOST], sum = 0, cells = 0;
	struct sample s;
	struct rng r;

	rng_seeded(&r, 6, "equal");
	for (int run = 0; run < 60; run++) {
		make(&s, &r, 100, (struct rational){ 500, 1 });
		s.a.p.total = 50 * s.n;
		for (size_t i = 0; i < s.n; i++)
			s.x[i] = 50;
		marginals_release(&s.a, s.x, &r, y);
		for (size_t i = 0; i < s.n; i++)
			sum += fabs(y[i] - 50);
		cells += (double)s.n;
		unmake(&s);
	}
	/* few tables have a bit of noise in one attribute */
	cr_assert(sum / cells < 0.6, "%g", sum / cells);
}

/*
 * One attribute is off and the others are not, by much more than the noise: its
 * counts are kept, as far from the exact ones as their noise says.
 */
Test(marginals, what_is_clear_is_kept_among_equal_parts)
{
	double y[MOST], sum = 0, one;
	struct sample s;
	struct rng r;

	rng_seeded(&r, 7, "clear");
	for (int run = 0; run < 200; run++) {
		make(&s, &r, 100, (struct rational){ 4, 1 });
		s.a.chosen = 1;
		s.a.p.total = 50 * s.n;
		for (size_t i = 0; i < s.n; i++)
			s.x[i] = i % 2 ? 10 : 90;
		marginals_release(&s.a, s.x, &r, y);
		one = -45 * (double)s.n;
		for (size_t i = 0; i < s.n; i += 2)
			one += y[i];
		sum += fabs(one) * (double)s.a.p.part[0].share / PARTS_WHOLE;
		unmake(&s);
	}
	/* mean |noise| of half the difference of two counts: 3/4 of 8 */
	cr_assert(sum / 200 > 5 && sum / 200 < 7, "%g", sum / 200);
}

/* What is left of a small difference beside others, of what there is. */
static double
kept(bool others)
{
	double y[MOST], sum = 0;
	struct sample s;
	struct rng r;

	rng_seeded(&r, 8, "kept");
	for (int run = 0; run < 400; run++) {
		make(&s, &r, 100, (struct rational){ 4, 1 });
		s.a.chosen = 1;
		s.a.p.total = 0;
		for (size_t i = 0; i < s.n; i++) {
			s.x[i] = (!others ? 100 : i / 2 % 3 ? 10 : 280) +
			    (i % 2 ? -1 : 1) * (int64_t)(60 / s.n);
			s.a.p.total += (uint64_t)s.x[i];
		}
		marginals_release(&s.a, s.x, &r, y);
		for (size_t i = 0; i < s.n; i++)
			sum += (i % 2 ? -y[i] : y[i]) / (double)(60 / s.n *
			    s.n);
		unmake(&s);
	}
	return sum / 400;
}

/*
 * Cell e's distance from table y, whose errors grow like expected counts;
 * counts that were made to add up vary less.
 */
static struct distance
look(const struct sample *s, const struct partition *p, const double *sum,
    size_t e)
{
	double n = (double)p->cells;

	return (struct distance){ p->count[e] - sum[e],
	    n > 1 ? p->variance[e] / (1 - 1 / n) : 0, sum[e],
	    sum[e] / n * s->a.p.total };
}

/* Level l's counts between table y and themselves, each cell by its own. */
static void
trust(struct sample *s, size_t l, const double *y)
{
	size_t first = s->a.first[l], n = s->a.first[l + 1] - first;
	struct guesses chance[16] = { { { 0 } } };
	double sum[16][MOST];

	for (size_t k = 0; k < n; k++) {
		struct partition *p = &s->a.p.part[first + k];
		double degrees = s->a.degrees[first + k] / (double)p->cells;

		sums_of(&s->a.p, first + k, y, sum[k]);
		for (size_t e = 0; e < p->cells; e++) {
			struct distance d = look(s, p, sum[k], e);

			evidence_hear(&chance[k], &d, degrees);
		}
	}
	evidence_judge(chance, n);
	for (size_t k = 0; k < n; k++) {
		struct partition *p = &s->a.p.part[first + k];

		for (size_t e = 0; e < p->cells; e++) {
			struct distance d = look(s, p, sum[k], e);

			p->count[e] = sum[k][e] + evidence_kept(&chance[k],
			    &d) * d.off;
		}
	}
}

/* marginals_release, as the head of marginals.c describes it. */
static void
release_as_described(struct sample *s, struct rng *r, double *y)
{
	struct marginals *a = &s->a;
	size_t parts = a->p.parts, top = a->chosen < a->order ? a->chosen :
	    a->order;

	marginals_share(a);
	for (size_t k = a->first[a->chosen - 1]; k < a->first[a->chosen]; k++)
		parts_measure(&a->p, k, s->x, r);
	parts_level(&a->p);
	for (size_t l = 0; l < top && l + 1 < a->chosen; l++)
		for (size_t k = a->first[l]; k < a->first[l + 1]; k++)
			parts_pool(&a->p, k);
	for (size_t k = a->first[top]; k < parts; k++)
		a->p.part[k].held = false;
	for (size_t i = 0; i < s->n; i++)
		y[i] = a->p.total / (double)s->n;
	for (size_t l = 0; l < top; l++) {
		trust(s, l, y);
		a->p.parts = a->first[l + 1];
		parts_fit(&a->p, y);
		a->p.parts = parts;
	}
}

Test(marginals, a_release_is_what_its_description_says)
{
	double y[MOST], want[MOST];
	struct rng r;

	rng_seeded(&r, 15, "release");
	for (int run = 0; run < 120; run++) {
		struct rng again, one, two;
		struct rational c = { 1 + (i128)draw(&r, 12), 1 };
		size_t order = 1 + (size_t)(run % 3);
		struct sample s, t;

		again = r;
		make_order(&s, order, &r, 100, c);
		make_order(&t, order, &again, 100, c);
		s.a.chosen = t.a.chosen = 1 + (size_t)(run / 3 % 3);
		s.a.p.variance = t.a.p.variance = run % 2 ? 50 : 0;
		one = two = r;
		marginals_release(&s.a, s.x, &one, y);
		release_as_described(&t, &two, want);
		for (size_t i = 0; i < s.n; i++)
			cr_assert_float_eq(y[i], want[i], 1e-6 *
			    (1 + s.a.p.total), "run %d: %g, not %g", run, y[i],
			    want[i]);
		unmake(&s);
		unmake(&t);
	}
}

Test(marginals, what_others_say_makes_a_small_difference_likely)
{
	double alone = kept(false), among = kept(true);

	cr_assert(among > 1.03 * alone && among < 1.2, "%g %g", alone, among);
}
