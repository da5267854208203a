/*
 * asm-study: mean errors of asm-estimate from exact laws, for choosing its
 * defaults.
 *
 * usage: asm-study NAME var|mean LO HI [SAMPLES] < numbers, one per line
 * (scripts/asm-study runs it over the columns of the paper)
 *
 * From the column it takes SAMPLES samples of 1,000 numbers, clamped to
 * [LO, HI].  For each sample, epsilon and setting it computes the law of the
 * asymmetric sensitivity mechanism (no draws) and prints its mean absolute
 * error, capped at the public maximum, relative to the mean error of the
 * inverse sensitivity mechanism on the same sample:
 *	name,epsilon,bounds,setting,beta,share,centred,steps,ratio
 * bounds: none (the upper list is infinite, the stream ends at the maximum)
 * or range.  share: of epsilon for the threshold.  The setting `default` is
 * that of lib/estimate_plan.c; `paper` has beta 1.005 and eps1 = eps2.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asym.h"
#include "inverse.h"
#include "outputs.h"
#include "rng.h"

#define SAMPLE 1000
#define DIGITS 6

struct study {
	const char *name;
	bool variance;
	int64_t lo, hi;			/* public range in steps */
	struct tally tally;
	struct outbound none, range;
	int64_t f, most;		/* the value, the public maximum */
	double eps, ism;		/* its mean error */
};

static const struct rational epsilons[] = {
	{ 1, 4 }, { 1, 2 }, { 1, 1 }, { 2, 1 }
};
static const struct rational betas[] = {
	{ 201, 200 }, { 101, 100 }, { 51, 50 }, { 103, 100 }, { 21, 20 }
};
static const struct rational shares[] = {
	{ 1, 3 }, { 2, 5 }, { 9, 20 }, { 1, 2 }, { 11, 20 }, { 3, 5 },
	{ 2, 3 }
};

static void
fail(const char *what)
{
	fprintf(stderr, "asm-study: %s\n", what);
	exit(1);
}

/* Mean of |t - f| over the points of a run, by its ends. */
static double
run_error(const struct run *r, double f)
{
	double a = (double)r->lo, b = a + (double)(r->count - 1);

	if (f <= a || f >= b)
		return fabs((a + b) / 2 - f);
	return ((f - a) * (f - a) + (b - f) * (b - f)) / (2 * (b - a));
}

static double
ism_error(const struct study *s)
{
	double mass, all = 0, error = 0;
	struct inverse v;
	size_t i;

	if (!inverse_init(&v, &s->range, 0, s->most))
		fail("out of memory");
	for (i = 0; i < v.n; i++) {
		mass = (double)v.run[i].count *
		    exp(-s->eps * (double)v.run[i].len / 2);
		all += mass;
		error += mass * run_error(&v.run[i], (double)s->f);
	}
	inverse_free(&v);
	return error / all;
}

static double
asm_error(const struct study *s, const struct outbound *b,
    const struct asym *a, struct rational beta)
{
	struct span span = { 0, s->most, 50000 };
	struct outputs o;
	double *p, error = 0;
	int64_t *h;
	size_t i;

	if (!outputs_geometric(&o, beta, DIGITS, 0, &span))
		fail("out of memory");
	p = malloc(o.n * sizeof(*p));
	h = malloc(o.n * sizeof(*h));
	if (p == NULL || h == NULL)
		fail("out of memory");
	for (i = 0; i < o.n; i++)
		h[i] = asym_query(b, o.t[i]);
	asym_law(a, h, o.n, p);
	for (i = 0; i < o.n; i++)
		error += p[i] * fabs((double)(o.t[i] - s->f));
	free(p);
	free(h);
	outputs_free(&o);
	return error;
}

/* kind: 0 none, 1 range */
static void
one_law(const struct study *s, const char *setting, int kind,
    const struct asym *a, struct rational beta, struct rational share)
{
	printf("%s,%g,%s,%s,%.3f,%.3f,%d,%zu,%.4f\n", s->name, s->eps,
	    kind == 0 ? "none" : "range", setting,
	    (double)beta.num / (double)beta.den,
	    (double)share.num / (double)share.den, a->shift != 0, s->range.c,
	    asm_error(s, kind == 0 ? &s->none : &s->range, a, beta) /
	    s->ism);
}

static void
defaults(const struct study *s, struct rational eps)
{
	static const struct rational share[2][2] = {
		{ { 2, 3 }, { 3, 5 } }, { { 11, 20 }, { 1, 2 } }
	};
	struct rational paper = { 1, s->variance ? 3 : 2 }, beta;
	int64_t parts = (int64_t)((s->variance ? 40 : 15) * 1e6 /
	    (SAMPLE * s->eps));
	struct asym a;
	int k;

	parts = fixed_clamp(parts, 1000, 100000);
	beta = (struct rational){ 1000000 + parts, 1000000 };
	for (k = 0; k < 2; k++) {
		if (!asym_split(&a, eps, share[s->variance][k],
		    !s->variance))
			fail("a split does not fit");
		one_law(s, "default", k, &a, beta, share[s->variance][k]);
		if (!asym_split(&a, eps, paper, !s->variance))
			fail("a split does not fit");
		one_law(s, "paper", k, &a, betas[0], paper);
	}
}

static void
one_setting(const struct study *s, struct rational eps, struct rational beta,
    struct rational share, int centred)
{
	struct asym a;
	int k;

	if (!asym_split(&a, eps, share, !s->variance))
		fail("a split does not fit");
	if (centred)
		a.shift = (int64_t)floor((double)a.eps2.den /
		    (double)a.eps2.num - (double)a.eps1.den /
		    (double)a.eps1.num + 0.5);
	for (k = 0; k < 2; k++)
		one_law(s, "grid", k, &a, beta, share);
}

static void
fill(struct study *s, size_t steps)
{
	struct limits range = { true, true, s->lo, s->hi };
	struct limits none = { !s->variance, false, s->lo, 0 };
	u128 unit = (u128)fixed_pow10(DIGITS);
	bool ok = outbound_init(&s->none, steps) &&
	    outbound_init(&s->range, steps);

	if (!ok)
		fail("out of memory");
	if (!s->variance) {
		outbound_mean(&s->none, &s->tally, &none, RELATION_SWAP);
		outbound_mean(&s->range, &s->tally, &range, RELATION_SWAP);
		s->f = outbound_mean_value(&s->tally);
		s->most = s->hi;
		return;
	}
	ok = outbound_variance(&s->none, &s->tally, unit, &none,
	    RELATION_SWAP) && outbound_variance(&s->range, &s->tally, unit,
	    &range, RELATION_SWAP);
	if (!ok)
		fail("out of memory");
	s->f = outbound_variance_value(&s->tally, unit);
	s->most = (int64_t)((u128)(s->hi - s->lo) * (u128)(s->hi - s->lo) /
	    (4 * unit));
}

static void
one_sample(struct study *s, const int64_t *x)
{
	size_t e, i, k, steps;

	for (e = 0; e < 4; e++) {
		s->eps = (double)epsilons[e].num / (double)epsilons[e].den;
		steps = (size_t)(64 / s->eps);
		steps = steps < 100 ? 100 : steps;
		tally_init(&s->tally, steps);
		for (i = 0; i < SAMPLE; i++)
			if (!tally_add(&s->tally, x[i], 1))
				fail("out of memory");
		if (!tally_done(&s->tally))
			fail("out of memory");
		fill(s, steps);
		s->ism = ism_error(s);
		defaults(s, epsilons[e]);
		for (i = 0; i < sizeof(betas) / sizeof(betas[0]); i++)
			for (k = 0; k < sizeof(shares) / sizeof(shares[0]);
			    k++) {
				one_setting(s, epsilons[e], betas[i],
				    shares[k], 0);
				one_setting(s, epsilons[e], betas[i],
				    shares[k], 1);
			}
		outbound_free(&s->none);
		outbound_free(&s->range);
		tally_free(&s->tally);
	}
}

int
main(int argc, char **argv)
{
	struct study s = { 0 };
	int64_t *x = NULL, x0;
	size_t n = 0, i, j;
	char line[256];
	int samples, k;
	struct rng r;

	if (argc < 5)
		fail("usage: asm-study NAME var|mean LO HI [SAMPLES]");
	s.name = argv[1];
	s.variance = strcmp(argv[2], "var") == 0;
	s.lo = (int64_t)(atof(argv[3]) * 1e6);
	s.hi = (int64_t)(atof(argv[4]) * 1e6);
	samples = argc > 5 ? atoi(argv[5]) : 3;
	while (fgets(line, sizeof(line), stdin) != NULL) {
		x = realloc(x, (n + 1) * sizeof(*x));
		if (x == NULL)
			fail("out of memory");
		if (fixed_cell(line, strcspn(line, "\n"), DIGITS, &x0))
			x[n++] = fixed_clamp(x0, s.lo, s.hi);
	}
	if (n < SAMPLE)
		fail("fewer than 1,000 numbers");
	rng_seeded(&r, 1, "asm-study");
	for (k = 0; k < samples; k++) {
		for (i = 0; i < SAMPLE; i++) {
			j = i + rng_below(&r, n - i);
			x0 = x[i];
			x[i] = x[j];
			x[j] = x0;
		}
		one_sample(&s, x);
	}
	free(x);
	return 0;
}
