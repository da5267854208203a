/*
 * asm-study: mean errors of asm-estimate from exact laws, for choosing its
 * defaults.
 *
 * usage: asm-study NAME METRIC LO HI N SAMPLES [grid] < rows without header
 * (scripts/study/asm runs it over the columns of the paper)
 *
 * METRIC is var (a column), mse, mae, bce (label,prediction) or ce (label,z0,
 * z1,...); cells but the labels of classes are clamped to [LO, HI].  For each
 * of SAMPLES samples of N rows (all rows where there are not as many), for
 * each epsilon and setting, it computes the law of the asymmetric sensitivity
 * mechanism, no draws, and prints
 *	name,metric,n,epsilon,bounds,setting,beta,share,capped,error,ism
 * capped: mean absolute error over the value, no error counted for more than
 * the value; error: each counted for what it is, up to the public maximum;
 * ism: the capped error of the inverse sensitivity mechanism on the same rows.
 * bounds: none (the upper list is infinite, the stream ends at the maximum)
 * or range.  The settings `default` and `paper` are taken from
 * cmd/asm/estimate_plan.c; `grid` adds many fixed ones, with the unit 1.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tests/stat/asym_law.h"
#include "asm/estimate.h"
#include "asm/inverse.h"
#include "asm/loss.h"

#define DIGITS 6
#define STEPS 64		/* over epsilon, as by default */
#define CELLS 64

struct study {
	const char *name, *what;
	struct estimate_metric metric;
	int64_t lo, hi;			/* public range in steps */
	int64_t *x;			/* terms of all rows */
	size_t rows, n;
	bool grid;
	struct limits term;
	struct tally tally;
	struct output_bounds bounds[2];	/* none, range */
	int64_t f, most;		/* the value, the public maximum */
	struct rational eps;
	double ism;
};

static const struct rational epsilons[] = {
	{ 1, 4 }, { 1, 2 }, { 1, 1 }, { 2, 1 }
};
static const int64_t gaps[] = {		/* beta - 1, in ten-thousandths */
	10, 20, 35, 50, 75, 100, 125, 150, 200, 250, 300, 400, 600
};
static const struct rational shares[] = {
	{ 2, 5 }, { 9, 20 }, { 1, 2 }, { 11, 20 }, { 3, 5 }, { 2, 3 },
	{ 3, 4 }
};

static void
fail(const char *what)
{
	fprintf(stderr, "asm-study: %s\n", what);
	exit(1);
}

static double
capped(double error, double f)
{
	return error < f ? error : f;
}

/* Mean of the capped |t - f| over the points of a run, by a fine rule. */
static double
run_error(const struct inverse_run *r, double f)
{
	double a = (double)r->lo, width = (double)(r->count - 1), sum = 0;
	int i;

	for (i = 0; i < 200; i++)
		sum += capped(fabs(a + (i + 0.5) / 200 * width - f), f);
	return sum / 200;
}

static double
real(struct rational x)
{
	return (double)x.num / (double)x.den;
}

static double
ism_error(const struct study *s)
{
	double mass, all = 0, error = 0;
	struct inverse v;
	size_t i;

	if (!inverse_init(&v, &s->bounds[1], 0, s->most))
		fail("out of memory");
	for (i = 0; i < v.n; i++) {
		mass = (double)v.run[i].count *
		    exp(-real(s->eps) * (double)v.run[i].len / 2);
		all += mass;
		error += mass * run_error(&v.run[i], (double)s->f);
	}
	inverse_free(&v);
	return error / all / (double)s->f;
}

/* Takes the outputs and frees them. */
static void
one_law(const struct study *s, const char *setting, int kind,
    const struct asym *a, struct outputs *o, struct rational beta)
{
	double *p, cut = 0, error = 0, apart, f = (double)s->f;
	int64_t *h, t;
	size_t i;

	p = malloc(o->n * sizeof(*p));
	h = malloc(o->n * sizeof(*h));
	if (p == NULL || h == NULL)
		fail("out of memory");
	for (i = 0; i < o->n; i++)
		h[i] = asym_query(&s->bounds[kind], o->t[i]);
	asym_law(a, h, o->n, p);
	for (i = 0; i < o->n; i++) {
		t = o->t[i] < s->most ? o->t[i] : s->most;
		apart = fabs((double)t - f);
		cut += p[i] * capped(apart, f);
		error += p[i] * apart;
	}
	free(p);
	free(h);
	outputs_free(o);
	printf("%s,%s,%zu,%g,%s,%s,%.6f,%.3f,%.6f,%.6f,%.6f\n", s->name,
	    s->what, s->n, real(s->eps), kind == 0 ? "none" : "range",
	    setting, real(beta), real(a->eps1) / real(s->eps), cut / f,
	    error / f, s->ism);
}

/* A setting as the tool makes it, from options alone. */
static void
as_planned(const struct study *s, const char *setting, int kind, bool paper)
{
	struct estimate e = { .opts = OPTS_INIT(NULL), .metric = &s->metric };
	struct estimate_group g = { .tally[0] = s->tally };
	struct outputs o;

	e.opts.has_eps = true;
	e.opts.eps = s->eps;
	e.opts.neighbors = NEIGHBORS_SWAP;
	e.opts.nranges = (size_t)kind;
	e.paper = paper;
	estimate_plan(&e);
	e.term = s->term;
	e.term.has_most = kind == 1;
	e.cell = (struct limits){ kind == 1, kind == 1, s->lo, s->hi };
	estimate_outputs(&e, &g, 0, &o);
	one_law(s, setting, kind, &e.asym[0], &o, estimate_beta(&e, 0,
	    s->n));
}

static void
with_share(const struct study *s, int kind, struct rational share)
{
	struct output_span span = { 0, s->most, 50000 };
	struct outputs o;
	struct asym a;
	size_t i;

	if (!asym_split(&a, s->eps, share, s->metric.target[0] !=
	    TARGET_VARIANCE))
		fail("a split does not fit");
	for (i = 0; i < sizeof(gaps) / sizeof(gaps[0]); i++) {
		struct rational beta = { 10000 + gaps[i], 10000 };
		const struct output_steps steps = { beta, DIGITS, 0, 0 };

		if (!outputs_make(&o, &steps, &span))
			fail("out of memory");
		one_law(s, "grid", kind, &a, &o, beta);
	}
}

static void
settings(const struct study *s)
{
	size_t k;
	int kind;

	for (kind = 0; kind < 2; kind++) {
		as_planned(s, "default", kind, false);
		as_planned(s, "paper", kind, true);
		for (k = 0; s->grid && k < sizeof(shares) /
		    sizeof(shares[0]); k++)
			with_share(s, kind, shares[k]);
	}
}

static void
fill(struct study *s)
{
	struct limits all[2] = { s->term, s->term };
	u128 unit = (u128)fixed_pow10(DIGITS);
	bool ok = true;
	int k;

	all[0].has_most = false;
	if (s->metric.target[0] == TARGET_VARIANCE)
		all[0].has_least = false;
	for (k = 0; k < 2 && ok; k++)
		switch (s->metric.target[0]) {
		case TARGET_VARIANCE:
			ok = output_bounds_variance(&s->bounds[k], &s->tally,
			    unit, &all[k], NEIGHBORS_SWAP);
			s->f = output_bounds_variance_value(&s->tally, unit);
			break;
		case TARGET_SUM:
			output_bounds_sum(&s->bounds[k], &s->tally, &all[k],
			    NEIGHBORS_SWAP);
			s->f = s->bounds[k].hi[0];
			break;
		default:
			output_bounds_mean(&s->bounds[k], &s->tally, &all[k],
			    NEIGHBORS_SWAP);
			s->f = output_bounds_mean_value(&s->tally);
		}
	if (!ok)
		fail("out of memory");
}

static void
one_sample(struct study *s)
{
	size_t e, i, steps;

	for (e = 0; e < sizeof(epsilons) / sizeof(epsilons[0]); e++) {
		s->eps = epsilons[e];
		steps = (size_t)(STEPS / real(s->eps));
		steps = steps < 100 ? 100 : steps;
		tally_init(&s->tally, steps);
		for (i = 0; i < s->n; i++)
			if (!tally_add(&s->tally, s->x[i], 1))
				fail("out of memory");
		if (!tally_done(&s->tally) ||
		    !output_bounds_init(&s->bounds[0], steps) ||
		    !output_bounds_init(&s->bounds[1], steps))
			fail("out of memory");
		fill(s);
		s->ism = ism_error(s);
		settings(s);
		output_bounds_free(&s->bounds[0]);
		output_bounds_free(&s->bounds[1]);
		tally_free(&s->tally);
	}
}

/* The public facts of the metric. */
static void
set_metric(struct study *s)
{
	u128 wide = (u128)(s->hi - s->lo), unit = (u128)fixed_pow10(DIGITS);
	struct limits *l = &s->term;

	*l = (struct limits){ true, true, 0, 0 };
	s->metric.targets = 1;
	s->metric.target[0] = TARGET_MEAN;
	if (strcmp(s->what, "var") == 0) {
		*l = (struct limits){ true, true, s->lo, s->hi };
		s->metric.target[0] = TARGET_VARIANCE;
		s->most = (int64_t)(wide * wide / (4 * unit));
		return;
	} else if (strcmp(s->what, "mse") == 0) {
		l->most = loss_squared(s->lo, s->hi, unit);
	} else if (strcmp(s->what, "mae") == 0) {
		l->most = loss_absolute(s->lo, s->hi, 1);
	} else if (strcmp(s->what, "bce") == 0) {
		s->metric.target[0] = TARGET_SUM;
		l->most = loss_binary_most(s->lo, s->hi, DIGITS, DIGITS);
	} else if (strcmp(s->what, "ce") == 0) {
		s->metric.target[0] = TARGET_SUM;
		l->most = loss_classes_most(s->lo, s->hi, 10, DIGITS, DIGITS);
	} else {
		fail("METRIC is var, mse, mae, bce or ce");
	}
	s->most = l->most;
}

/* The term of one row; its metric is told by its first letters. */
static bool
term_of(const struct study *s, const int64_t *z, size_t cells, int64_t *x)
{
	u128 unit = (u128)fixed_pow10(DIGITS);
	bool ok = cells >= 2;

	if (s->what[0] == 'v') {
		*x = z[0];
		return cells == 1;
	}
	if (s->what[0] == 'b')
		return ok && loss_binary(z[0], z[1], DIGITS, DIGITS, x);
	if (s->what[0] == 'c')
		return ok && loss_classes(z[0], z + 1, cells - 1, DIGITS,
		    DIGITS, x);
	*x = s->what[1] == 's' ? loss_squared(z[0], z[1], unit) :
	    loss_absolute(z[0], z[1], 1);
	return ok;
}

static void
read_rows(struct study *s)
{
	bool label = s->what[0] == 'b' || s->what[0] == 'c';
	int64_t z[CELLS], x;
	char line[4096], *cell, *rest;
	size_t k;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		for (k = 0, rest = line; k < CELLS; k++) {
			cell = strsep(&rest, ",\n");
			if (rest == NULL || !fixed_cell(cell, strlen(cell),
			    DIGITS, &z[k]))
				break;
			if (!label || k > 0)
				z[k] = fixed_clamp(z[k], s->lo, s->hi);
		}
		if (!term_of(s, z, k, &x))
			fail("a row that is no record of this metric");
		s->x = realloc(s->x, (s->rows + 1) * sizeof(*s->x));
		if (s->x == NULL)
			fail("out of memory");
		s->x[s->rows++] = x < s->term.most ? x : s->term.most;
	}
	if (s->rows == 0)
		fail("no rows");
}

/* More rows than there are: drawn with replacement. */
static void
draw_more(struct study *s, struct rng *r)
{
	size_t i;

	s->x = realloc(s->x, s->n * sizeof(*s->x));
	if (s->x == NULL)
		fail("out of memory");
	for (i = s->rows; i < s->n; i++)
		s->x[i] = s->x[rng_below(r, s->rows)];
	s->rows = s->n;
}

int
main(int argc, char **argv)
{
	struct study s = { 0 };
	int samples, k;
	struct rng r;
	size_t i, j;
	int64_t x;

	if (argc < 7)
		fail("usage: asm-study NAME METRIC LO HI N SAMPLES [grid]");
	s.grid = argc > 7;
	s.name = argv[1];
	s.what = argv[2];
	rng_seeded(&r, 1, "asm-study");
	s.lo = (int64_t)(atof(argv[3]) * 1e6);
	s.hi = (int64_t)(atof(argv[4]) * 1e6);
	samples = atoi(argv[6]);
	set_metric(&s);
	read_rows(&s);
	s.n = (size_t)atol(argv[5]);
	if (s.n > s.rows)
		draw_more(&s, &r);
	if (s.metric.target[0] == TARGET_SUM)
		s.most *= (int64_t)s.n;
	for (k = 0; k < samples; k++) {
		for (i = 0; i < s.n; i++) {
			j = i + rng_below(&r, s.rows - i);
			x = s.x[i];
			s.x[i] = s.x[j];
			s.x[j] = x;
		}
		one_sample(&s);
	}
	free(s.x);
	return 0;
}
