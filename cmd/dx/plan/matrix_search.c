/*
 * matrix_search: the blend with the least error, in doubles.
 *
 * The error of a blend has many minima, so that several starts are tried:
 * elements alone; elements and 2, 4, ... rows of random coefficients, always
 * the same ones; the asked queries with the scales of strategy opt.  From each
 * the loss falls in stages: a softened one first, whose norm of all loads is
 * far from their maximum, then sharper ones.  The number of steps is bounded;
 * time is never looked at.
 */
#include "matrix_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blend.h"
#include "lbfgs.h"
#include "matrix.h"
#include "random/rng.h"

#define STAGES 6
#define STEPS 150		/* of a stage */
#define ENOUGH 1e-5		/* gain of a step, relative to the loss */
#define ROWS 16			/* random ones at most */
#define FEWER (1 << 20)		/* pairs times rows from which on steps to */
#define FEWEST 5		/* these are fewer */
#define LEAST 1e-3		/* rate of an element: beyond this, doubles */
				/* cannot tell what least squares make of it */

/* Distances are in units of the smallest one. */
struct task {
	const struct metric *m;
	const struct workload *asked;
	double least;		/* the smallest distance */
	struct projection pairs;
	double *start;		/* numbers of a blend */
	struct found *best;
};

/* Are two elements connected by finite distances?  Fills f->worst. */
static bool
connected(struct found *f, const struct projection *p)
{
	size_t *group = calloc(f->n + 1, sizeof(*group)), i, l;
	bool more = true;

	if (group == NULL)
		return false;
	for (i = 0; i < f->n; i++)
		group[i] = i;
	while (more)
		for (more = false, l = 0; l < p->limits; l++) {
			size_t *a = &group[p->limit[l].i];
			size_t *b = &group[p->limit[l].j];

			more = more || *a != *b;
			*a = *b = *a < *b ? *a : *b;
		}
	for (i = 0; i < f->n && group[i] == 0; i++)
		;
	f->worst = (struct pair){ 0, i };
	f->apart = i < f->n;
	free(group);
	return !f->apart;
}

/* Finite distances above 0, in units of the smallest. */
static enum plan_result
distances(struct found *f, struct task *t)
{
	struct projection *p = &t->pairs;
	double least = HUGE_VAL;
	size_t l;

	if (!project_open(p, t->m, 1))
		return PLAN_NO_MEMORY;
	for (l = 0; l < p->limits; l++) {
		if (!(p->limit[l].d > 0)) {
			f->worst = (struct pair){ p->limit[l].i,
			    p->limit[l].j };
			return PLAN_INFINITE;
		}
		least = fmin(least, p->limit[l].d);
	}
	for (l = 0; l < p->limits; l++)
		p->limit[l].d /= least;
	t->least = least;
	return connected(f, p) ? PLAN_OK : f->apart ? PLAN_INFINITE :
	    PLAN_NO_MEMORY;
}

/* All ranges at once: elements i <= j are together in (i+1)(n-j) of them. */
static void
add_ranges(struct found *f)
{
	size_t i, j;

	for (i = 0; i < f->n; i++)
		for (j = i; j < f->n; j++)
			f->v[i * f->n + j] += (double)((i + 1) * (f->n - j));
}

/* V, up to the mean of each query, which the public total answers. */
static bool
moments(struct found *f, const struct workload *w)
{
	double *q = calloc(f->n + 1, sizeof(*q)), unit;
	size_t n = f->n, k, i, j, place;

	if (q == NULL)
		return false;
	for (k = 0; k < w->k; k++) {
		if (workload_constant(w, k))
			continue;
		f->queries++;
		place = k;
		if (workload_find(w, &place)->kind == WORKLOAD_RANGE)
			continue;
		unit = (double)fixed_pow10(workload_digits(w, k));
		for (i = 0; i < n; i++)
			q[i] = (double)workload_at(w, k, i) / unit;
		for (i = 0; i < n; i++)
			for (j = i; q[i] != 0 && j < n; j++)
				f->v[i * n + j] += q[i] * q[j];
	}
	for (k = 0; k < w->blocks; k++)
		if (w->block[k].kind == WORKLOAD_RANGE)
			add_ranges(f);
	for (i = 0; i < n; i++)
		for (j = 0; j < i; j++)
			f->v[i * n + j] = f->v[j * n + i];
	free(q);
	return true;
}

/* Takes over what a search has reached where it is better. */
static bool
offer(struct task *t, const struct blend_search *s)
{
	size_t n = s->a.n, rows = s->a.rows;
	struct found *f = t->best;
	double *r;

	if (!(s->error < f->error))
		return true;
	r = realloc(f->r, (n + n * rows + 1) * sizeof(*r));
	if (r == NULL)
		return false;
	f->r = memcpy(r, s->r, n * sizeof(*r));
	f->b = memcpy(r + n, s->a.b, n * rows * sizeof(*r));
	f->rows = rows;
	f->error = s->error;
	return true;
}

/*
 * Divides all rates by the largest load: the loss hardly changes, and LEAST
 * keeps its size beside the others.
 */
static void
normalise(const struct blend_search *s, double *x)
{
	size_t n = s->a.n, i;

	for (i = 0; i < n; i++)
		x[i] = sqrt(fmax(s->r[i] / s->most - s->least, 0));
	for (i = n; i < n + n * s->a.rows; i++)
		x[i] /= s->most;
}

/* The asked queries as they are, then elements that say a little more. */
static bool
begin_asked(struct task *t, struct blend_search *s, double *g)
{
	size_t i;
	bool ok;

	s->soft = 1e-4;
	s->doublings = 1;
	if (!(blend_loss(s, t->start, g) < HUGE_VAL))
		return true;
	ok = offer(t, s);
	normalise(s, t->start);
	for (i = 0; i < t->best->n; i++)
		t->start[i] = fmax(t->start[i], 0.05);
	return ok;
}

/* Steps of a stage: as many as about equal work allows for many rows. */
static int
steps(size_t limits, size_t rows)
{
	double part = (double)FEWER / ((double)limits * (double)rows + 1);

	if (rows <= ROWS || part >= 1)
		return STEPS;
	return part * STEPS < FEWEST ? FEWEST : (int)(part * STEPS);
}

/*
 * From t->start down, stage by stage.  Many rows are softened less, as all of
 * them add to each load.
 */
static bool
descend(struct task *t, size_t rows, bool asked)
{
	static const double soft[STAGES] = {
		0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001
	};
	size_t n = t->best->n, k = n + n * rows;
	struct blend_search s;
	struct lbfgs l = { .k = k, .f = blend_loss, .arg = &s,
	    .steps = steps(t->pairs.limits, rows), .enough = ENOUGH };
	double *g = calloc(k + 1, sizeof(*g));
	bool ok = blend_search_open(&s, n, rows, t->pairs.limits) &&
	    g != NULL;
	int stage;

	s.limit = t->pairs.limit;
	s.v = t->best->v;
	s.least = LEAST;
	if (ok && asked)
		ok = begin_asked(t, &s, g);
	for (stage = 0; stage < STAGES && ok; stage++) {
		s.soft = soft[stage] * (rows > ROWS ?
		    (double)ROWS / (double)rows : 1);
		s.doublings = 4 + stage;
		ok = lbfgs_minimise(&l, t->start);
		if (!ok || !(blend_loss(&s, t->start, g) < HUGE_VAL))
			continue;
		ok = offer(t, &s);
		normalise(&s, t->start);
	}
	blend_search_close(&s);
	free(g);
	return ok;
}

/* Rates of elements to start from. */
static void
start_rates(struct task *t, double rate)
{
	size_t i;

	for (i = 0; i < t->best->n; i++)
		t->start[i] = sqrt(rate);
}

static bool
from_random(struct task *t, size_t rows)
{
	size_t n = t->best->n, i;
	struct pcg g;

	start_rates(t, 0.3);
	pcg_seed(&g, rows, 1);
	for (i = 0; i < n * rows; i++)
		t->start[n + i] = 0.6 / sqrt((double)rows) *
		    (double)(pcg_next(&g) >> 11) * 0x1p-53;
	return descend(t, rows, false);
}

/* Rows of the asked queries with their scales; returns how many there are. */
static size_t
fill_asked(const struct task *t, const struct rational *c)
{
	const struct workload *w = t->asked;
	size_t n = t->best->n, rows = t->best->queries, at = 0;
	double *q = t->start + n, unit;

	for (size_t k = 0; k < w->k && at < rows; k++) {
		if (workload_constant(w, k))
			continue;
		unit = (double)fixed_pow10(workload_digits(w, k)) * t->least *
		    ((double)c[k].num / (double)c[k].den);
		for (size_t i = 0; i < n; i++)
			q[i * rows + at] = (double)workload_at(w, k, i) / unit;
		at++;
	}
	return at;
}

/* The asked queries with the scales of strategy opt, where these fit. */
static enum plan_result
from_asked(struct task *t)
{
	struct rational *c = calloc(t->asked->k + 1, sizeof(*c));
	const struct rational one = { 1, 1 };
	enum plan_result r = PLAN_NO_MEMORY;
	struct plan plan;
	double gap;

	if (c == NULL)
		return r;
	r = plan_open(&plan, t->m, t->asked, one);
	if (r == PLAN_OK)
		r = plan_best(&plan, PLAN_SQUARED, c, &gap);
	plan_close(&plan);
	start_rates(t, 0);
	if (r == PLAN_OK && !descend(t, fill_asked(t, c), true))
		r = PLAN_NO_MEMORY;
	free(c);
	return r == PLAN_NO_MEMORY ? r : PLAN_OK;
}

static enum plan_result
try_all(struct task *t)
{
	struct found *f = t->best;
	bool few = f->queries <= f->n && f->queries <= MATRIX_ASKED, ok;
	enum plan_result r = PLAN_OK;
	size_t most = few && f->queries > ROWS ? f->queries : ROWS, rows;

	t->start = calloc(f->n * (most + 1), sizeof(*t->start));
	if (t->start == NULL)
		return PLAN_NO_MEMORY;
	start_rates(t, 0.3);
	ok = descend(t, 0, false);
	for (rows = 2; rows <= ROWS && rows <= f->n / 2 && ok; rows *= 2)
		ok = from_random(t, rows);
	if (ok && few)
		r = from_asked(t);
	free(t->start);
	return !ok ? PLAN_NO_MEMORY : r != PLAN_OK ? r :
	    f->r == NULL ? PLAN_RANGE : PLAN_OK;
}

enum plan_result
matrix_search(struct found *f, const struct metric *m,
    const struct workload *asked)
{
	struct task t = { .m = m, .asked = asked, .best = f };
	enum plan_result r = PLAN_NO_MEMORY;

	*f = (struct found){ .n = m->n, .error = HUGE_VAL };
	f->v = calloc(f->n * f->n + 1, sizeof(*f->v));
	if (f->v != NULL && moments(f, asked))
		r = PLAN_OK;
	if (r != PLAN_OK || f->queries == 0)
		return r;
	r = distances(f, &t);
	if (r == PLAN_OK)
		r = try_all(&t);
	project_close(&t.pairs);
	return r;
}

void
found_free(struct found *f)
{
	free(f->v);
	free(f->r);
	f->v = f->r = NULL;
}
