/*
 * mwem_guess: y's answers and the scores of all queries.
 *
 * Prefixes and ranges come from running sums, a marginal from one pass over
 * the elements.  Dense 0/1 queries are answered eight elements at a time: the
 * 256 sums over subsets of those eight are worked out once and serve every
 * query.
 */
#include <math.h>
#include <stdlib.h>

#include "mwem.h"
#include "mwem_impl.h"

bool
mwem_binary(const struct block *b, size_t n, int64_t *c)
{
	*c = 0;
	for (size_t i = 0; i < n; i++) {
		if (b->q[i] == 0)
			continue;
		if (b->q[i] < 0 || (*c != 0 && b->q[i] != *c))
			return false;
		*c = b->q[i];
	}
	return true;
}

static void
pack(const struct mwem *a, const struct block *b, size_t q)
{
	struct mwem_bits *s = a->bits;

	for (size_t i = 0; i < a->w->n; i++)
		if (b->q[i] != 0)
			s->bit[i / 8 * s->count + q] |=
			    (unsigned char)(1U << i % 8);
}

/* Marks the 0/1 queries; numbers of dense queries, these and others. */
static void
sort_dense(struct mwem *a, size_t *binary, size_t *other)
{
	int64_t c;

	*binary = *other = 0;
	for (size_t b = 0; b < a->w->blocks; b++) {
		if (a->w->block[b].kind != WORKLOAD_DENSE)
			continue;
		a->binary[b] = mwem_binary(&a->w->block[b], a->w->n, &c);
		++*(a->binary[b] ? binary : other);
	}
}

static bool
bits_open(struct mwem *a, size_t binary)
{
	struct mwem_bits *s = calloc(1, sizeof(*s));

	a->bits = s;
	if (s == NULL)
		return false;
	s->count = binary;
	s->where = malloc((binary + 1) * sizeof(*s->where));
	s->unit = malloc((binary + 1) * sizeof(*s->unit));
	s->acc = malloc((binary + 1) * sizeof(*s->acc));
	s->bit = calloc((a->w->n / 8 + 1) * (binary + 1), 1);
	return s->where != NULL && s->unit != NULL && s->acc != NULL &&
	    s->bit != NULL;
}

bool
mwem_guess_open(struct mwem *a)
{
	size_t binary, other, q = 0, v = 0, n = a->w->n;
	int64_t c, unit;

	a->binary = calloc(a->w->blocks + 1, sizeof(*a->binary));
	if (a->binary == NULL)
		return false;
	sort_dense(a, &binary, &other);
	a->real = malloc((other * n + 1) * sizeof(*a->real));
	if (a->real == NULL || !bits_open(a, binary))
		return false;
	for (size_t b = 0; b < a->w->blocks; b++) {
		const struct block *p = &a->w->block[b];

		if (p->kind != WORKLOAD_DENSE)
			continue;
		unit = mwem_unit(a, p);
		if (a->binary[b]) {
			(void)mwem_binary(p, n, &c);
			a->bits->where[q] = a->at[b];
			a->bits->unit[q] = (double)(c * unit);
			pack(a, p, q++);
		} else
			for (size_t i = 0; i < n; i++)
				a->real[v++] = (double)(p->q[i] * unit);
	}
	return true;
}

void
mwem_guess_close(struct mwem *a)
{
	if (a->bits != NULL) {
		free(a->bits->where);
		free(a->bits->unit);
		free(a->bits->acc);
		free(a->bits->bit);
	}
	free(a->bits);
	free(a->binary);
	free(a->real);
}

static void
guess_bits(const struct mwem *a, const double *y)
{
	struct mwem_bits *s = a->bits;
	double sub[256];

	for (size_t q = 0; q < s->count; q++)
		s->acc[q] = 0;
	for (size_t i = 0; i < a->w->n && s->count > 0; i += 8) {
		const unsigned char *bit = s->bit + i / 8 * s->count;

		sub[0] = 0;
		for (size_t j = 0; j < 8; j++)
			for (size_t h = 0; h < (size_t)1 << j; h++)
				sub[((size_t)1 << j) + h] = sub[h] +
				    y[i + j];
		for (size_t q = 0; q < s->count; q++)
			s->acc[q] += sub[bit[q]];
	}
	for (size_t q = 0; q < s->count; q++)
		a->guess[s->where[q]] = s->unit[q] * s->acc[q];
}

static double
dot(const double *q, const double *y, size_t n)
{
	double s[4] = { 0, 0, 0, 0 };
	size_t i;

	for (i = 0; i + 4 <= n; i += 4) {
		s[0] += q[i] * y[i];
		s[1] += q[i + 1] * y[i + 1];
		s[2] += q[i + 2] * y[i + 2];
		s[3] += q[i + 3] * y[i + 3];
	}
	for (; i < n; i++)
		s[0] += q[i] * y[i];
	return s[0] + s[1] + s[2] + s[3];
}

/* All but the dense 0/1 queries. */
static void
guess_block(const struct mwem *a, size_t b, const double *y,
    const double **real)
{
	const struct block *p = &a->w->block[b];
	double *to = a->guess + a->at[b], unit = (double)mwem_unit(a, p);
	size_t n = a->w->n;

	switch (p->kind) {
	case WORKLOAD_DENSE:
		if (a->binary[b])
			break;
		to[0] = dot(*real, y, n);
		*real += n;
		break;
	case WORKLOAD_PREFIX:
	case WORKLOAD_RANGE:
		to[0] = 0;
		for (size_t i = 0; i < n; i++)
			to[i + 1] = to[i] + unit * y[i];
		break;
	case WORKLOAD_MARGINAL:
		for (size_t i = 0; i < p->count; i++)
			to[i] = 0;
		for (size_t i = 0; i < n; i++)
			to[p->q[i]] += unit * y[i];
		break;
	}
}

void
mwem_guess(struct mwem *a)
{
	const double *real = a->real;
	size_t n = a->w->n;

	for (size_t c = 0; c < a->atoms; c++)
		a->mass[c] /= a->size[c];
	for (size_t i = 0; i < n; i++)
		a->cell[i] = a->mass[a->atom[i]];
	for (size_t i = n; i < n + 8; i++)
		a->cell[i] = 0;
	for (size_t c = 0; c < a->atoms; c++)
		a->mass[c] *= a->size[c];
	guess_bits(a, a->cell);
	for (size_t b = 0; b < a->w->blocks; b++)
		guess_block(a, b, a->cell, &real);
}

/* |truth - guess| in steps of 2^-shift, cut at 2^62. */
static int64_t
score(const struct mwem *a, int64_t truth, double guess)
{
	double g = ldexp(guess, a->shift), most = (double)FIXED_MAX;
	int64_t u;

	if (!(g > -most && g < most))
		g = g >= most ? most : g <= -most ? -most : 0;
	u = truth * ((int64_t)1 << a->shift) - llrint(g);
	u = u < 0 ? -u : u;
	return u < FIXED_MAX ? u : FIXED_MAX;
}

void
mwem_scores(struct mwem *a)
{
	size_t n = a->w->n;
	int64_t *to = a->score;

	mwem_guess(a);
	for (size_t b = 0; b < a->w->blocks; b++) {
		const int64_t *x = a->truth + a->at[b];
		const double *y = a->guess + a->at[b];
		const struct block *p = &a->w->block[b];

		if (p->kind == WORKLOAD_RANGE)
			for (size_t i = 0; i < n; i++)
				for (size_t j = i; j < n; j++)
					*to++ = score(a, x[j + 1] - x[i],
					    y[j + 1] - y[i]);
		else {
			bool from = p->kind == WORKLOAD_PREFIX;

			for (size_t i = 0; i < p->count; i++)
				*to++ = score(a, x[i + from], y[i + from]);
		}
	}
}
