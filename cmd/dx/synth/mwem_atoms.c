/*
 * mwem_atoms: the sets of elements with equal weights.
 *
 * y begins uniform and every update multiplies by a function of one measured
 * query, so elements on which the measured queries agree have equal weights and
 * form an atom.  y is kept by atoms: 0/1 queries split atoms, so that the work
 * of a round on a million elements is one pass, and replays only touch atoms.
 * The first query with other coefficients makes every element an atom.
 */
#include <stdlib.h>
#include <string.h>

#include "mwem.h"
#include "tool/err.h"

/* Elements that may have a coefficient other than 0. */
struct support {
	const struct block *p;
	size_t b, in, first, last;
	int64_t low;
};

static struct support
support(const struct mwem *a, size_t k)
{
	size_t n = a->q->w->n;
	struct support s = { .first = 0, .last = n - 1 };

	s.b = normal_find(a->q, k, &s.in);
	s.p = &a->q->w->block[s.b];
	s.low = a->q->block[s.b].low;
	if (s.p->kind == WORKLOAD_PREFIX)
		s.last = s.in;
	if (s.p->kind == WORKLOAD_RANGE)
		workload_bounds(workload_line(a->q->w), s.in, &s.first,
		    &s.last);
	return s;
}

static bool
has(const struct support *s, size_t i)
{
	return s->p->kind == WORKLOAD_DENSE ? s->p->q[i] != s->low :
	    s->p->kind != WORKLOAD_MARGINAL || (size_t)s->p->q[i] == s->in;
}

/* The part of an atom that is inside becomes the atom `to`. */
static void
divide(struct mwem *a, size_t atom, size_t to)
{
	double part = (double)a->inside[atom] / a->size[atom];

	a->size[to] = (double)a->inside[atom];
	a->size[atom] -= a->size[to];
	a->mass[to] = a->mass[atom] * part;
	a->mass[atom] -= a->mass[to];
	a->sum[to] = a->sum[atom];
}

/*
 * Earlier queries get the new atoms old..atoms-1 where they had the atoms cut;
 * from[atom] is the new atom, 0 if none.
 */
static void
inherit(struct mwem *a, const uint32_t *from)
{
	for (size_t t = 0; t < a->done; t++) {
		struct mwem_past *h = &a->past[t];

		for (size_t i = 0, len = h->len; i < len; i++)
			if (from[h->list[i]] != 0)
				h->list[h->len++] = from[h->list[i]];
	}
}

/* Splits the atoms that a 0/1 query cuts, and lists those inside. */
static void
split(struct mwem *a, const struct support *s, struct mwem_past *h)
{
	size_t old = a->atoms;
	uint32_t *in = a->inside;

	memset(in, 0, (old + 1) * sizeof(*in));
	for (size_t i = s->first; i <= s->last; i++)
		in[a->atom[i]] += has(s, i);
	for (size_t c = 0; c < old; c++) {
		size_t to = c;

		if (in[c] == 0)
			continue;
		if (in[c] < a->size[c]) {
			to = a->atoms++;
			divide(a, c, to);
		}
		h->list[h->len++] = (uint32_t)to;
		in[c] = (uint32_t)(to == c ? 0 : to);
	}
	for (size_t i = s->first; i <= s->last && a->atoms > old; i++)
		if (has(s, i) && in[a->atom[i]] != 0)
			a->atom[i] = in[a->atom[i]];
	inherit(a, in);
}

/* The lists of the past anew, for atoms that are elements. */
static void
list_again(struct mwem *a)
{
	for (size_t t = 0; t < a->done; t++) {
		struct mwem_past *h = &a->past[t];
		struct support s = support(a, h->k);

		h->len = 0;
		for (size_t i = s.first; i <= s.last; i++)
			if (has(&s, i))
				h->list[h->len++] = (uint32_t)i;
	}
}

/* Every element becomes an atom. */
static void
scatter(struct mwem *a)
{
	size_t n = a->q->w->n;
	double *mass = a->cell, *sum = err_alloc(NULL, n, sizeof(*sum));

	for (size_t i = 0; i < n; i++) {
		mass[i] = a->mass[a->atom[i]] / a->size[a->atom[i]];
		sum[i] = a->sum[a->atom[i]];
	}
	for (size_t i = 0; i < n; i++) {
		a->mass[i] = mass[i];
		a->sum[i] = sum[i];
		a->size[i] = 1;
		a->atom[i] = (uint32_t)i;
	}
	free(sum);
	a->atoms = n;
	list_again(a);
}

/* A query with coefficients of many kinds. */
static void
spread(struct mwem *a, size_t b, struct mwem_past *h)
{
	double width = (double)a->q->block[b].width;
	size_t n = a->q->w->n;

	if (a->atoms < n)
		scatter(a);
	h->coef = err_alloc(NULL, n, sizeof(*h->coef));
	for (size_t i = 0; i < n; i++)
		h->coef[a->atom[i]] = (double)normal_at(a->q, b, i) / width;
}

void
mwem_place(struct mwem *a, struct mwem_past *h)
{
	struct support s = support(a, h->k);

	if (s.p->kind == WORKLOAD_DENSE && !mwem_binary(a, s.b)) {
		spread(a, s.b, h);
		return;
	}
	/* room for every possible atom; few are touched */
	h->list = err_alloc(NULL, a->q->w->n, sizeof(*h->list));
	split(a, &s, h);
}
