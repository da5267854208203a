/*
 * lbfgs: quasi-Newton steps with a short memory (Nocedal 1980).
 *
 * The inverse Hessian is put together from the last few steps and changes of
 * the gradient; steps are halved until the value falls by a part of what the
 * gradient foretells (Armijo).  Only sums, products, quotients and roots are
 * used, which IEEE 754 rounds the same way everywhere, so that a public input
 * has one result.
 */
#include "lbfgs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY 12
#define HALVINGS 30
#define FIRST 0.05		/* the largest change in the first step */
#define ARMIJO 1e-4
#define LEAST_STEPS 5

struct memory {
	size_t k, last, count;
	double *step[MEMORY];
	double *turn[MEMORY];	/* changes of the gradient */
	double inverse[MEMORY];	/* 1 / (step turn) */
};

struct place {
	double *x;
	double *g;
	double value;
};

static double
dot(const double *a, const double *b, size_t k)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < k; i++)
		sum += a[i] * b[i];
	return sum;
}

/* a += t b */
static void
add(double *a, double t, const double *b, size_t k)
{
	size_t i;

	for (i = 0; i < k; i++)
		a[i] += t * b[i];
}

/* d = -(inverse Hessian) g, by the two loops over the memory. */
static void
direction(const struct memory *m, const double *g, double *d)
{
	double part[MEMORY] = { 0 }, t;
	size_t c, i;

	for (c = 0; c < m->k; c++)
		d[c] = -g[c];
	for (c = 0; c < m->count; c++) {
		i = (m->last + MEMORY - c) % MEMORY;
		part[i] = m->inverse[i] * dot(m->step[i], d, m->k);
		add(d, -part[i], m->turn[i], m->k);
	}
	if (m->count > 0) {
		t = 1 / (m->inverse[m->last] *
		    dot(m->turn[m->last], m->turn[m->last], m->k));
		for (c = 0; c < m->k; c++)
			d[c] *= t;
	}
	for (c = m->count; c-- > 0;) {
		i = (m->last + MEMORY - c) % MEMORY;
		t = m->inverse[i] * dot(m->turn[i], d, m->k);
		add(d, part[i] - t, m->step[i], m->k);
	}
}

/* Remembers the way from one place to the next, where it curves upward. */
static void
remember(struct memory *m, const struct place *from, const struct place *to)
{
	size_t at = (m->last + 1) % MEMORY, i;
	double curve;

	for (i = 0; i < m->k; i++) {
		m->step[at][i] = to->x[i] - from->x[i];
		m->turn[at][i] = to->g[i] - from->g[i];
	}
	curve = dot(m->step[at], m->turn[at], m->k);
	if (!(curve > 1e-14 * from->value))
		return;
	m->inverse[at] = 1 / curve;
	m->last = at;
	m->count += m->count < MEMORY;
}

/* The length to try first: no number changes by more than 1. */
static double
first_length(const struct memory *m, const double *d)
{
	double most = 0;
	size_t i;

	for (i = 0; i < m->k; i++)
		most = fmax(most, fabs(d[i]));
	if (m->count == 0)
		return most > 0 ? FIRST / most : 0;
	return most > 1 ? 1 / most : 1;
}

/* One step from here to there; false where none goes down. */
static bool
go(const struct lbfgs *l, struct memory *m, const struct place *here,
    struct place *there)
{
	double *d = m->step[(m->last + 1) % MEMORY], slope, t;
	int i;

	direction(m, here->g, d);
	slope = dot(d, here->g, m->k);
	if (!(slope < 0)) {
		m->count = 0;
		direction(m, here->g, d);
		slope = dot(d, here->g, m->k);
	}
	t = first_length(m, d);
	for (i = 0; i < HALVINGS && slope < 0; i++, t /= 2) {
		memcpy(there->x, here->x, m->k * sizeof(*here->x));
		add(there->x, t, d, m->k);
		there->value = l->f(l->arg, there->x, there->g);
		if (there->value <= here->value + ARMIJO * t * slope)
			return true;
	}
	return false;
}

static void
descend(const struct lbfgs *l, struct memory *m, struct place *here,
    struct place *there)
{
	struct place old;
	bool small;
	int i;

	here->value = l->f(l->arg, here->x, here->g);
	for (i = 0; i < l->steps && go(l, m, here, there); i++) {
		remember(m, here, there);
		small = here->value - there->value < l->enough * here->value;
		old = *here;
		*here = *there;
		*there = old;
		if (small && i >= LEAST_STEPS)
			break;
	}
}

bool
lbfgs_minimise(const struct lbfgs *l, double *x)
{
	double *all = calloc((2 * MEMORY + 4) * (l->k + 1), sizeof(*all));
	struct place here, there;
	struct memory m = { .k = l->k, .last = MEMORY - 1 };
	size_t i;

	if (all == NULL)
		return false;
	here = (struct place){ all, all + l->k, 0 };
	there = (struct place){ all + 2 * l->k, all + 3 * l->k, 0 };
	for (i = 0; i < MEMORY; i++) {
		m.step[i] = all + (4 + 2 * i) * l->k;
		m.turn[i] = all + (5 + 2 * i) * l->k;
	}
	memcpy(here.x, x, l->k * sizeof(*x));
	descend(l, &m, &here, &there);
	memcpy(x, here.x, l->k * sizeof(*x));
	free(all);
	return true;
}
