/*
 * parts: tables from counts of partitions, against slow programs that follow
 * their definitions.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "dx/synth/marginals.h"

#define MOST 48
#define DIMS 3

struct sample {
	struct workload ones, pairs;
	struct normal single, q;
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

/* Three attributes of 2, 3 and up to 8 values; counts up to `high`. */
static void
make(struct sample *s, struct rng *r, uint64_t high, struct rational c)
{
	static const char *const names[] = { "a", "b", "c" };
	int64_t code[MOST * DIMS];
	uint64_t total = 0;

	*s = (struct sample){ .n = 6 * (2 + draw(r, 7)), .a = { .order = 2 } };
	s->ones.n = s->pairs.n = s->n;
	for (size_t i = 0; i < s->n; i++) {
		code[i * DIMS] = (int64_t)(i % 2);
		code[i * DIMS + 1] = (int64_t)(i / 2 % 3);
		code[i * DIMS + 2] = (int64_t)(i / 6);
		s->x[i] = (int64_t)(draw(r, high) * draw(r, 2));
		total += (uint64_t)s->x[i];
	}
	cr_assert(workload_marginal(&s->ones, code, DIMS, 1, names) &&
	    workload_marginal(&s->pairs, code, DIMS, 2, names) &&
	    normal_open(&s->single, &s->ones) &&
	    normal_open(&s->q, &s->pairs));
	scales(&s->single, c);
	scales(&s->q, c);
	cr_assert(marginals_open(&s->a, &s->single, &s->q, total));
}

static void
unmake(struct sample *s)
{
	marginals_close(&s->a);
	normal_close(&s->single);
	normal_close(&s->q);
	workload_free(&s->ones);
	workload_free(&s->pairs);
}

/* Largest difference of a table's marginals from the exact ones. */
static double
off(const struct sample *s, const double *y)
{
	double most = 0, sum[MOST];

	for (size_t k = 0; k < s->a.p.parts; k++) {
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
		cr_assert(marginals_release(&s.a, s.x, NULL, y));
		total = (double)s.a.p.total;
		cr_assert(off(&s, y) < 2e-3 * total, "%g of %g", off(&s, y),
		    total);
		unmake(&s);
	}
}

/* What the fit minimises, from its definition; tilts by part and cell. */
static double
objective(const struct sample *s, double tilt[][MOST], double clear,
    double ridge)
{
	const struct parts *p = &s->a.p;
	double z = 0, sum = 0, n = (double)p->total;

	for (size_t i = 0; i < s->n; i++) {
		double t = 0;

		for (size_t k = 0; k < p->parts; k++)
			if (p->part[k].held)
				t += tilt[k][p->part[k].cell[i]];
		z += exp(t) / (double)s->n;
	}
	for (size_t k = 0; k < p->parts; k++)
		for (size_t e = 0; e < p->part[k].cells; e++) {
			double v = p->part[k].variance[e], t = tilt[k][e];

			if (p->part[k].held)
				sum += clear * sqrt(v) * fabs(t) + ridge * v *
				    t * t / 2 - t * p->part[k].count[e];
		}
	return n * z + sum;
}

/* By how much the objective falls where one tilt is moved, of n. */
static double
gain(const struct sample *s, double tilt[][MOST], size_t k, size_t e)
{
	double t = tilt[k][e], best = objective(s, tilt, 0.3, 3e-4), most = 0;

	/* the fit cuts tilts off */
	for (int by = -4; by <= 4 && fabs(t) < 39; by++) {
		tilt[k][e] = t + 0.01 * by;
		most = fmax(most, best - objective(s, tilt, 0.3, 3e-4));
	}
	tilt[k][e] = t;
	return most / (double)(s->a.p.total + 1);
}

/* The last part's tilts are the best for the others; these nearly so. */
Test(parts, no_tilt_alone_makes_a_table_better)
{
	static double tilt[2 * DIMS][MOST];
	struct sample s;
	double y[MOST];
	struct rng r;

	rng_seeded(&r, 2, "minimum");
	for (int run = 0; run < 60; run++) {
		size_t last = 0;

		make(&s, &r, 300, (struct rational){ 5, 1 });
		cr_assert(marginals_release(&s.a, s.x, &r, y));
		for (size_t k = 0; k < s.a.p.parts; k++) {
			memcpy(tilt[k], s.a.p.part[k].tilt,
			    s.a.p.part[k].cells * sizeof(**tilt));
			last = s.a.p.part[k].held ? k : last;
		}
		for (size_t k = 0; k <= last; k++)
			for (size_t e = 0; e < s.a.p.part[k].cells; e++)
				cr_assert(!s.a.p.part[k].held ||
				    gain(&s, tilt, k, e) <
				    (k == last ? 1e-9 : 5e-3), "%d: %zu: %g",
				    run, k, gain(&s, tilt, k, e));
		unmake(&s);
	}
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
		cr_assert(marginals_release(&s.a, s.x, &r, y));
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

/*
 * Least squares: of all counts in which a pair's cells add up to those of its
 * attribute the nearest, by the halves of a search in one number for each
 * coarse cell (cells of one variance stay apart by as much).
 */
Test(parts, pooling_is_least_squares)
{
	struct sample s;
	struct rng r;

	rng_seeded(&r, 4, "pool");
	for (int run = 0; run < 40; run++) {
		struct partition *one, *two;
		double fine[MOST], coarse[MOST], sum[MOST], v[MOST], num[MOST];

		make(&s, &r, 300, (struct rational){ 2, 1 });
		one = &s.a.p.part[2];
		two = &s.a.p.part[DIMS + 1];
		one->share = PARTS_WHOLE / 8;
		two->share = PARTS_WHOLE / 3;
		cr_assert(parts_measure(&s.a.p, 2, s.x, &r) &&
		    parts_measure(&s.a.p, DIMS + 1, s.x, &r));
		memcpy(fine, two->count, sizeof(*fine) * two->cells);
		memcpy(coarse, one->count, sizeof(*fine) * one->cells);
		memset(sum, 0, sizeof(sum));
		memset(v, 0, sizeof(v));
		memset(num, 0, sizeof(num));
		for (size_t e = 0; e < two->cells; e++) {
			/* pairs of a and c are numbered so that c comes last */
			size_t c = 0;

			for (size_t i = 0; i < s.n; i++)
				if ((size_t)two->cell[i] == e)
					c = (size_t)one->cell[i];
			sum[c] += fine[e];
			v[c] += two->variance[e];
			num[c]++;
		}
		for (size_t c = 0; c < one->cells; c++)
			coarse[c] = (coarse[c] / one->variance[c] + sum[c] /
			    v[c]) / (1 / one->variance[c] + 1 / v[c]);
		cr_assert(parts_pool(&s.a.p, 2));
		for (size_t c = 0; c < one->cells; c++)
			cr_assert(fabs(one->count[c] - coarse[c]) < 1e-6);
		for (size_t e = 0; e < two->cells; e++)
			for (size_t i = 0; i < s.n; i++)
				if ((size_t)two->cell[i] == e) {
					size_t c = (size_t)one->cell[i];

					cr_assert(fabs(two->count[e] - fine[e] -
					    (coarse[c] - sum[c]) / num[c]) <
					    1e-6);
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
		cr_assert(parts_measure(&s.a.p, DIMS + 1, s.x, &r));
		cr_assert(two->held && !one->held);
		for (size_t e = 0; e < two->cells; e++) {
			size_t i = 0;

			while ((size_t)two->cell[i] != e)
				i++;
			sum[one->cell[i]] += two->count[e];
			v[one->cell[i]] += two->variance[e];
		}
		cr_assert(parts_pool(&s.a.p, 2) && one->held);
		for (size_t c = 0; c < one->cells; c++) {
			cr_assert(fabs(one->count[c] - sum[c]) < 1e-6);
			cr_assert(fabs(one->variance[c] - v[c]) < 1e-6 * v[c]);
		}
		/* another attribute, of which nothing was counted */
		cr_assert(parts_pool(&s.a.p, 1) && !s.a.p.part[1].held);
		unmake(&s);
	}
}

/* Independent attributes, then two that are equal: what is chosen. */
Test(marginals, dependent_attributes_are_counted_together)
{
	size_t with = 0, without = 0;
	double y[MOST];
	struct sample s;
	struct rng r;

	rng_seeded(&r, 5, "choice");
	for (int run = 0; run < 40; run++) {
		make(&s, &r, 100, (struct rational){ 1, 1 });
		s.a.p.total = 0;
		for (size_t i = 0; i < s.n; i++) {
			/* a with c: even with even */
			s.x[i] = run % 2 == 0 ? 400 : i % 2 == i / 6 % 2 ?
			    800 : 0;
			s.a.p.total += (uint64_t)s.x[i];
		}
		s.a.every = false;
		s.a.single = PARTS_WHOLE / 4;
		s.a.look = PARTS_WHOLE / 2;
		cr_assert(marginals_release(&s.a, s.x, &r, y));
		for (size_t k = 0; k < s.a.pairs; k++)
			if (s.a.p.part[DIMS + k].share > 0) {
				with += run % 2 == 1 && k == 1;
				without += run % 2 == 0 || k != 1;
			}
		unmake(&s);
	}
	cr_assert_eq(with, 20);
	/* of 100; noise may speak for some */
	cr_assert(without <= 30, "%zu", without);
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
		cr_assert(marginals_release(&s.a, s.x, &r, y));
		for (size_t i = 0; i < s.n; i++)
			sum += fabs(y[i] - 50);
		cells += (double)s.n;
		unmake(&s);
	}
	/* half of the tables have a bit of noise in one attribute */
	cr_assert(sum / cells < 1.5, "%g", sum / cells);
}
