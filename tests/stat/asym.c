/* Sampled laws of the searches against their exact laws. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "asm/asym.h"
#include "asym_law.h"
#include "asm/output_bounds.h"
#include "asm/plan/outputs.h"
#include "law.h"

#define DRAWS 100000
#define OUTPUTS 12

/* 40 lognormal-like values and a short list of outputs around their median. */
static void
set_up(struct output_bounds *b, struct outputs *o)
{
	struct output_span span = { 0, 800, OUTPUTS };
	const struct output_steps steps = { { 3, 2 }, 1, 0, 0 };
	static int64_t x[40];
	struct ranks r = { x, NULL, 40 };
	int i;

	for (i = 0; i < 40; i++)
		x[i] = 1 + i * i / 4;
	output_bounds_init(b, 10);
	outputs_make(o, &steps, &span);
	output_bounds_quantile(b, &r, (struct rational){ 1, 2 }, 0,
	    NEIGHBORS_SWAP);
	cr_assert_eq(o->n, OUTPUTS);
}

static void
law(const struct asym *a, const struct output_bounds *b,
    const struct outputs *o, double *p)
{
	int64_t h[OUTPUTS];
	size_t i;

	for (i = 0; i < o->n; i++)
		h[i] = asym_query(b, o->t[i]);
	asym_law(a, h, o->n, p);
}

/*
 * [D24 Algorithm 1] The twin: a law with 5 % more epsilon.
 */
Test(asym, sampled_law_is_the_exact_law)
{
	static const struct rational eps[] = { { 1, 4 }, { 1, 1 }, { 5, 2 } };
	static const struct rational twin[] = { { 21, 80 }, { 21, 20 },
	    { 21, 8 } };
	static const struct rational share = { 9, 20 };
	uint64_t seen[OUTPUTS];
	double p[OUTPUTS];
	struct output_bounds b;
	struct outputs o;
	struct asym a;
	struct rng r;
	int i, k;

	set_up(&b, &o);
	for (i = 0; i < 3; i++) {
		memset(seen, 0, sizeof(seen));
		rng_seeded(&r, (uint64_t)i, "asym");
		cr_assert(asym_split(&a, eps[i], share, i > 0 ? 1 : 2));
		for (k = 0; k < DRAWS; k++)
			seen[asym_search(&a, &b, &o, &r)]++;
		law(&a, &b, &o, p);
		cr_expect_lt(law_chi2(p, seen, OUTPUTS, DRAWS), LAW_Z);
		cr_assert(asym_split(&a, twin[i], share, i > 0 ? 1 : 2));
		law(&a, &b, &o, p);
		cr_expect_gt(law_chi2(p, seen, OUTPUTS, DRAWS), LAW_Z);
	}
	output_bounds_free(&b);
	outputs_free(&o);
}
