/*
 * Values with weights against the same records one by one, and where the jumps
 * of the walk end against single steps.
 */
#include "sp/ordered_runs.h"
#include "sp/ordered_walk.h"

#include "sp_world.h"

#define RUNS 40
#define RECORDS 4000

/* Runs x, w and their n records y. */
struct sample {
	size_t m, n;
	int64_t x[RUNS], y[RECORDS];
	uint64_t w[RUNS], before[RUNS + 1];
};

static void
draw_runs(struct rng *r, struct sample *s, int bits)
{
	int64_t gap = width(r, bits), most = width(r, 6), v;
	size_t i, j;

	/* Few long runs now and then, for the long jumps. */
	s->m = rng_below(r, RUNS + 1);
	if (s->m <= 7)
		most = width(r, 9);
	s->n = 0;
	s->before[0] = 0;
	v = between(r, -gap, gap) * (int64_t)(s->m + 1) / 2;
	for (i = 0; i < s->m; i++) {
		v += 1 + between(r, 0, rng_below(r, 9) ? gap : 20 * gap);
		s->x[i] = v;
		s->w[i] = (uint64_t)between(r, 1, most);
		s->before[i + 1] = s->before[i] + s->w[i];
		for (j = 0; j < s->w[i]; j++)
			s->y[s->n++] = v;
	}
}

/* S small enough that the walk often keeps to its threshold. */
static struct sp_f
draw_function(struct rng *r, const struct sample *s, int kind, int bits)
{
	int64_t den = between(r, 1, 12), range = 1, n = (int64_t)s->n + 1;
	struct sp_f f = { .squared = kind == SP_VARIANCE };

	if (f.squared) {
		f.v = (struct variance){ between(r, 1, width(r, bits)),
		    (u128)fixed_pow10((int)rng_below(r, 6)) };
		return f;
	}
	if (s->m > 0)
		range += s->x[s->m - 1] - s->x[0];
	f.o.kind = (enum ordered_kind)kind;
	if (rng_below(r, 4) == 0)
		den = 1000;
	if (kind == ORDERED_MEAN && rng_below(r, 6) == 0)
		rational_make(&f.o.alpha, between(r, 480, 500), 1001);
	else
		rational_make(&f.o.alpha, between(r, 0, kind == ORDERED_MEAN ?
		    (den - 1) / 2 : den), den);
	f.o.sens = 1 + between(r, 0, 4 * range) / (n * width(r, 4));
	f.o.center = (s->m > 0 ? s->x[0] : 0) + between(r, -range, 2 * range);
	return f;
}

/* Samples on which runs and records differ; extra counts are the twin. */
static int
differences(int tries, int bits, int kind, uint64_t extra)
{
	static struct sample s;
	struct sp_f f;
	struct rng r;
	int bad = 0;

	rng_seeded(&r, (uint64_t)(tries + kind), "weighted");
	while (tries-- > 0) {
		draw_runs(&r, &s, bits);
		f = draw_function(&r, &s, kind, bits);
		if (s.m > 0)
			s.w[0] += extra;
		bad += sp_value(&f, s.x, s.w, s.m) !=
		    sp_value(&f, s.y, NULL, s.n);
	}
	return bad;
}

Test(ordered, weighted_values_are_those_of_the_records)
{
	static const struct {
		int kind, tries, bits[3];
	} some[] = {
		{ ORDERED_MEAN, 3000, { 4, 20, 40 } },
		{ ORDERED_MEDIAN, 3000, { 3, 20, 40 } },
		{ ORDERED_QUANTILE, 3000, { 3, 20, 40 } },
		{ SP_VARIANCE, 300, { 8, 30, 8 } },
	};

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		for (int k = 0; k < 3; k++)
			cr_expect_eq(differences(some[i].tries,
			    some[i].bits[k], some[i].kind, 0), 0, "kind %d, "
			    "%d bits", some[i].kind, some[i].bits[k]);
		cr_expect_gt(differences(some[i].tries / 3, 8, some[i].kind,
		    1), 0, "twin %d", some[i].kind);
	}
}

/* Jumps of the walk for threshold m that end where no steps lead. */
static int
astray(const struct ordered_data *d, uint64_t n, i128 m, int *jumps)
{
	uint64_t c = ordered_level_zero(d->f, n, m);
	struct run_walk w, far, near;
	bool yes, on = c > 0 && c <= n;
	int bad = 0;

	if (on) {
		w = run_walk_make(d, c - 1, m);
		run_walk_place(&w, c - 1, c);
	}
	while (on) {
		far = near = w;
		run_walk_track(&far);
		*jumps += far.r - far.l > w.r - w.l;
		do
			on = run_walk_steps(&near, 1, &yes);
		while (on && near.r - near.l < far.r - far.l);
		bad += far.r - far.l > w.r - w.l && near.l != far.l;
		w = near;
	}
	return bad;
}

/* Thresholds about g, where the path is longest. */
Test(ordered, jumps_end_where_steps_lead)
{
	static struct sample s;
	struct ordered_data d = { .x = s.x, .before = s.before };
	int jumps[2] = { 0, 0 };
	struct sp_f f;
	struct rng r;
	int64_t g;

	rng_seeded(&r, 1, "jumps");
	for (int i = 0; i < 4000; i++) {
		do
			draw_runs(&r, &s, 2 + i % 20);
		while (s.m == 0);
		f = draw_function(&r, &s, i < 2000 ? ORDERED_MEAN :
		    ORDERED_QUANTILE, 0);
		d.f = &f.o;
		d.n = s.m;
		g = sp_value(&f, s.y, NULL, s.n);
		for (int m = -1; m <= 2; m++)
			cr_assert_eq(astray(&d, s.n, (i128)g + m,
			    &jumps[i / 2000]), 0, "%d", i);
	}
	cr_expect(jumps[0] > 5000 && jumps[1] > 5000, "%d, %d", jumps[0],
	    jumps[1]);
}
