/*
 * synth_scale: a scale c for each query [KPAK20 section 3.3, section 3.4].
 *
 * c_k is the largest |q_i - q_j| / d(i,j) of query k alone: each choice and
 * each measurement is about one query.  A generated query is 0 or 1, so c is 1
 * over the least distance of two elements told apart.  For a shortest path
 * metric the edges are enough: a query that keeps |q_i - q_j| <= c d(i,j) on
 * each edge keeps the bound along a path.
 *
 * A record that comes or goes moves a centered answer by half the query's
 * width (mwem.c), for epsilon R: c_k is width / 2R at least where n is hidden.
 *
 * Elements at distance 0 are no obstacle where no query tells them apart.  A
 * query that only differs over infinite distances would need no noise; such a
 * query gets the least scale for its width among the queries.
 */
#include <stdlib.h>

#include "dx/plan/plan.h"
#include "dx/plan/upward.h"
#include "dx/plan/metric.h"
#include "dx/plan/workload.h"
#include "dx/plan/normal.h"
#include "number/fixed.h"
#include "number/memory.h"
#include "random/noise.h"
#include "release/plan/report.h"
#include "synth.h"
#include "tool/err.h"

#define PAIRS 8192	/* elements with every pair looked at */

static void
too_fine(void)
{
	err_die(STATUS_INPUT, "the scale has too many digits");
}

/* Elements i and j have distance 0. */
static void
scale_together(size_t i, size_t j)
{
	err_die(STATUS_INPUT, "elements %zu and %zu have distance 0, but the "
	    "queries tell them apart", i + 1, j + 1);
}

/* c num / den, never below. */
static struct rational
times_above(struct rational c, i128 num, i128 den)
{
	struct rational by;

	if (!rational_make(&by, den, num) || !upward_div(&c, c, by))
		too_fine();
	return c;
}

/* The scale of block b's dense query for moves and epsilon 1. */
static void
dense_scale(struct synth *s, size_t b)
{
	struct block *one = &s->u.w.block[b];
	struct workload w = { .n = s->u.w.n, .k = 1, .block = one,
	    .blocks = 1 };
	struct metric moves = s->u.m;
	struct rational c = { 0, 1 };
	enum plan_result r;
	struct pair at;

	moves.away = 0;
	r = plan_alone(&moves, &w, &c, &at);
	if (r == PLAN_INFINITE)
		scale_together(at.i, at.j);
	if (r == PLAN_RANGE)
		too_fine();
	s->q.c[s->q.block[b].entry] = times_above(c, fixed_pow10(one->digits),
	    s->q.block[b].step);
}

/* The least measure among the pairs that each entry tells apart. */
struct least {
	const struct metric *m;
	struct normal *q;
	u128 *v;		/* METRIC_NONE: no pair */
};

static void
lower_least(struct least *l, size_t entry, u128 v, size_t i, size_t j)
{
	if (v == 0)
		scale_together(i, j);
	l->v[entry] = FIXED_LEAST(v, l->v[entry]);
}

/*
 * Two elements for the marginals.  Some prefix, and some range of each length,
 * tells the two apart.
 */
static void
pair(struct least *l, size_t i, size_t j, u128 v)
{
	const struct workload *w = l->q->w;

	for (size_t b = 0; b < w->blocks; b++) {
		const uint32_t *cell = w->block[b].cell;
		size_t entry = l->q->block[b].entry;

		if (v == 0 && (w->block[b].kind == WORKLOAD_PREFIX ||
		    w->block[b].kind == WORKLOAD_RANGE))
			lower_least(l, entry, v, i, j);
		if (w->block[b].kind != WORKLOAD_MARGINAL || cell[i] == cell[j])
			continue;
		lower_least(l, entry + cell[i], v, i, j);
		lower_least(l, entry + cell[j], v, i, j);
	}
}

/* Prefixes from..to-1 tell a pair apart whose measure is v. */
static void
prefixes(struct least *l, size_t from, size_t to, u128 v)
{
	const struct workload *w = l->q->w;

	for (size_t b = 0; b < w->blocks; b++)
		if (w->block[b].kind == WORKLOAD_PREFIX)
			for (size_t k = from; k < to; k++)
				lower_least(l, l->q->block[b].entry + k, v,
				    from, to);
}

static void
look_at_pairs(struct least *l)
{
	const struct metric *m = l->m;
	u128 v, run;

	for (size_t e = 0; e < m->edges; e++) {
		size_t i = m->edge[e].i, j = m->edge[e].j;

		if (m->edge[e].w == METRIC_INF)
			continue;
		v = (u128)m->edge[e].w;
		pair(l, i, j, v);
		prefixes(l, FIXED_LEAST(i, j), FIXED_MOST(i, j), v);
	}
	if (m->kind != METRIC_EDGES)
		for (size_t i = 0; i < m->n; i++) {
			run = METRIC_NONE;
			for (size_t j = m->n - 1; j > i; j--) {
				if (metric_between(m, i, j, &v)) {
					pair(l, i, j, v);
					run = FIXED_LEAST(v, run);
				}
				/* prefix j tells i from j and later elements */
				if (run != METRIC_NONE)
					prefixes(l, j - 1, j, run);
			}
		}
}

/* Ranges of each length tell every pair apart, the nearest among them. */
static void
generated(const struct synth *s, struct normal *q)
{
	const struct metric *m = &s->u.m;
	struct least l = { .m = m, .q = q };
	struct rational d, c;
	bool alike;
	u128 v;

	if (!metric_least(m, false, &v))
		return;
	/* the pairs are alike, or too many to look at one by one */
	alike = v > 0 && (s->u.n > PAIRS || (metric_has_points(m->kind) &&
	    m->dims == 0));
	l.v = err_alloc(NULL, q->entries + 1, sizeof(*l.v));
	for (size_t e = 0; e < q->entries; e++) {
		enum workload_kind kind = q->w->block[q->entry[e].block].kind;

		l.v[e] = METRIC_NONE;
		if (kind == WORKLOAD_RANGE || (alike && kind != WORKLOAD_DENSE))
			l.v[e] = v;
	}
	if (!alike)
		look_at_pairs(&l);
	for (size_t e = 0; e < q->entries; e++) {
		if (l.v[e] == METRIC_NONE)
			continue;
		c = (struct rational){ 1, 1 };
		if (!metric_below(m, l.v[e], &d) || !upward_div(&c, c, d))
			too_fine();
		q->c[e] = c;
	}
	free(l.v);
}

/* The entry with the least scale for the width; false: none needs noise. */
static bool
cheapest(const struct normal *q, struct rational *c, int64_t *of_width)
{
	double best = 0, one;

	for (size_t e = 0; e < q->entries; e++) {
		int64_t width = q->entry[e].width;

		if (width == 0 || q->c[e].num == 0)
			continue;
		one = rational_real(q->c[e]) / (double)width;
		if (best > 0 && one >= best)
			continue;
		best = one;
		*c = q->c[e];
		*of_width = width;
	}
	return best > 0;
}

/*
 * Half the width over R.  In a marginal that tells no elements apart the single
 * cell counts n, and gets the scale of any cell.
 */
static void
come(const struct synth *s, const struct normal *q, size_t e)
{
	struct rational c = { q->entry[e].width, 2 };
	size_t b = q->entry[e].block;

	if (c.num == 0)
		c.num = q->w->block[b].kind == WORKLOAD_MARGINAL;
	if (c.num > 0 && !upward_div(&c, c, synth_presence(s)))
		too_fine();
	if (rational_cmp(c, q->c[e]) > 0)
		q->c[e] = c;
}

/* Entries without a scale, and constant ones; then epsilon. */
static void
complete(const struct synth *s, struct normal *q)
{
	struct rational least, c;
	int64_t of_width = 1;

	for (size_t e = 0; e < q->entries; e++) {
		if (q->entry[e].width == 0)
			q->c[e].num = 0;
		if (s->u.hidden)
			come(s, q, e);
	}
	if (!cheapest(q, &least, &of_width))
		err_die(STATUS_INPUT, "the queries tell no elements apart that "
		    "the metric protects: nothing to release privately");
	for (size_t e = 0; e < q->entries; e++) {
		c = q->c[e];
		if (c.num == 0 && q->entry[e].width > 0)
			c = times_above(least, q->entry[e].width, of_width);
		if (!upward_div(&q->c[e], c, s->eps))
			too_fine();
	}
}

/* A step of entry e's normal form in the coefficients' unit. */
static struct rational
entry_step(const struct synth *s, size_t e)
{
	size_t b = s->q.entry[e].block;
	struct rational to;

	if (!rational_make(&to, s->q.block[b].step,
	    fixed_pow10(s->u.w.block[b].digits)))
		too_fine();
	return to;
}

/* [KPAK20 Algorithm 2] has one scale in the coefficients' unit. */
static void
one_scale(struct synth *s)
{
	struct rational most = { 0, 1 }, c, unit;
	struct normal *q = &s->q;

	for (size_t e = 0; e < q->entries; e++) {
		unit = entry_step(s, e);
		c = times_above(q->c[e], unit.num, unit.den);
		if (rational_cmp(c, most) > 0)
			most = c;
	}
	for (size_t e = 0; e < q->entries; e++) {
		unit = entry_step(s, e);
		if (q->entry[e].width > 0)
			q->c[e] = times_above(most, unit.den, unit.num);
	}
}

void
synth_scale(struct synth *s)
{
	bool made = false;

	normal_close(&s->q);
	normal_open(&s->q, &s->u.w);
	for (size_t b = 0; b < s->u.w.blocks; b++)
		if (s->u.w.block[b].kind == WORKLOAD_DENSE)
			dense_scale(s, b);
		else
			made = true;
	if (made && s->u.w.n > 1)
		generated(s, &s->q);
	complete(s, &s->q);
	if (s->paper)
		one_scale(s);
}

bool
synth_fits(const struct normal *q, i128 parts)
{
	struct rational c;
	struct scale t;

	for (size_t e = 0; e < q->entries; e++) {
		c = q->c[e];
		if (c.num > 0 && (!upward_mul(&c, c, (struct rational){
		    parts, 1 }) || !plan_noise(c, 0, &t)))
			return false;
	}
	return true;
}

void
synth_entries(const struct synth *s, const struct workload *w, struct normal *q)
{
	normal_open(q, w);
	generated(s, q);
	complete(s, q);
}

double
synth_mean_scale(const struct synth *s, double *most)
{
	const struct normal *q = &s->q;
	double sum = 0, one;

	*most = 0;
	for (size_t e = 0; e < q->entries; e++) {
		if (q->entry[e].width == 0)
			continue;
		one = rational_real(q->c[e]) / (double)q->entry[e].width;
		sum += (double)q->entry[e].times * one;
		*most = FIXED_MOST(one, *most);
	}
	return sum / (double)q->live;
}

struct rational
synth_presence(const struct synth *s)
{
	struct rational r = { 1, 1 };

	if (s->u.m.away > 0 && !metric_below(&s->u.m, s->u.m.away, &r))
		too_fine();
	return r;
}

bool
synth_cell(const struct synth *s, unsigned shift, struct rational *c)
{
	struct rational d;

	*c = (struct rational){ (i128)2 << shift, 1 };
	return metric_nearest(&s->u.m, 2, &d) && upward_div(c, *c, d) &&
	    upward_div(c, *c, s->eps);
}

bool
synth_cell_scale(const struct synth *s, unsigned shift, struct scale *t)
{
	struct rational c;

	return synth_cell(s, shift, &c) && plan_noise(c, 0, t);
}

void
synth_report_scale(struct synth *s, const struct scale *noise)
{
	struct report *r = &s->report;
	struct rational c, worst = { 0, 1 }, unit;

	for (size_t e = 0; e < s->q.entries; e++) {
		if (noise[e].s == 0 || !rational_make(&c, (i128)noise[e].s,
		    (i128)noise[e].r << s->shift))
			continue;
		unit = entry_step(s, e);
		c = times_above(c, unit.num, unit.den);
		if (rational_cmp(c, worst) <= 0)
			continue;
		worst = r->scale = c;
		if (!rational_mul(&r->error95, (struct rational){
		    (i128)noise_error95(&noise[e]), (i128)1 << s->shift },
		    unit))
			r->error95.den = 0;
	}
}
