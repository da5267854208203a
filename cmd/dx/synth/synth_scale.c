/*
 * synth_scale: the one scale c of [KPAK20 section 3.3, section 3.4].
 *
 * c is the largest |q_i - q_j| / d(i,j) of any query alone: each choice and
 * each measurement is about one query, and each error of a candidate too.
 * Prefixes and ranges tell every two elements apart, so theirs is 1 over the
 * least distance; marginals may not, and are given the same.
 */
#include <stdlib.h>

#include "dx/plan/plan.h"
#include "synth.h"
#include "tool/err.h"

static void
failed(enum plan_result r, const struct plan *p)
{
	if (r == PLAN_INFINITE)
		die(STATUS_INPUT, "elements %zu and %zu have distance 0, but "
		    "the queries tell them apart", p->worst.i + 1,
		    p->worst.j + 1);
	if (r == PLAN_RANGE)
		die(STATUS_INPUT, "the scale has too many digits");
	die(STATUS_INPUT, "out of memory");
}

/* The largest single scale of the dense queries, for epsilon 1. */
static void
scale_dense(struct synth *s, struct workload *w)
{
	const struct rational one = { 1, 1 };
	struct rational *c = err_alloc(NULL, w->k + 1, sizeof(*c)), parts;
	enum plan_result r;
	struct plan p;
	size_t k;

	r = plan_open(&p, &s->u.m, w, one);
	if (r == PLAN_OK)
		r = plan_split(&p, c);
	if (r != PLAN_OK)
		failed(r, &p);
	for (k = 0; k < w->k; k++)
		if (rational_cmp(c[k], s->c) > 0)
			s->c = c[k];
	/* plan_split gives each of p.k queries a part of the budget */
	if (p.k > 1 && (!rational_make(&parts, (i128)p.k, 1) ||
	    !plan_divide(&s->c, parts)))
		failed(PLAN_RANGE, &p);
	plan_close(&p);
	free(c);
}

/* Generated queries tell apart some pair at the least distance, or may. */
static void
scale_generated(struct synth *s)
{
	const struct rational one = { 1, 1 };
	struct metric_where at;
	struct rational d, c = one;
	u128 v;

	if (!metric_least(&s->u.m, &v, &at))
		return;
	if (v == 0)
		die(STATUS_INPUT, "elements %zu and %zu have distance 0, but "
		    "the queries may tell them apart", at.i + 1, at.j + 1);
	if (!metric_below(&s->u.m, v, &d) || !plan_divide(&c, d))
		die(STATUS_INPUT, "the scale has too many digits");
	if (rational_cmp(c, s->c) > 0)
		s->c = c;
}

void
synth_scale(struct synth *s)
{
	const struct workload *w = &s->u.w;
	struct workload dense = { .n = w->n };
	struct block *copy = err_alloc(NULL, w->blocks + 1, sizeof(*copy));
	bool constant = true;
	size_t b;

	s->c = (struct rational){ 0, 1 };
	dense.block = copy;
	for (b = 0; b < w->blocks; b++) {
		if (w->block[b].kind == WORKLOAD_DENSE) {
			copy[dense.blocks++] = w->block[b];
			dense.k++;
		} else if (w->block[b].count > 1)
			constant = false;
	}
	if (dense.k > 0)
		scale_dense(s, &dense);
	if (!constant && w->n > 1)
		scale_generated(s);
	free(copy);
	if (s->c.num == 0)
		die(STATUS_INPUT, "the queries tell no elements apart that "
		    "the metric protects: nothing to release privately");
	if (s->opts.has_eps && !plan_divide(&s->c, s->opts.eps))
		die(STATUS_INPUT, "the scale has too many digits");
}

bool
synth_steps(const struct synth *s, uint64_t times, int digits,
    struct scale *t)
{
	struct rational c = s->c, part;

	return rational_make(&part, 1, (i128)times) &&
	    plan_divide(&c, part) && plan_noise(c, digits, t);
}
