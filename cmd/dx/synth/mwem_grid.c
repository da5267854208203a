/* mwem_grid: what follows from the public workload and n alone. */
#include "mwem.h"

#include "mwem_impl.h"

/* The largest |coefficient|. */
static int64_t
largest(const struct block *b, size_t n)
{
	int64_t most = 0, x;

	if (b->kind != WORKLOAD_DENSE)
		return 1;
	for (size_t i = 0; i < n; i++) {
		x = b->q[i] < 0 ? -b->q[i] : b->q[i];
		most = x > most ? x : most;
	}
	return most;
}

bool
mwem_grid(struct mwem *a)
{
	const struct workload *w = a->w;
	i128 most = 0, one;

	a->digits = 0;
	for (size_t b = 0; b < w->blocks; b++)
		if (w->block[b].digits > a->digits)
			a->digits = w->block[b].digits;
	for (size_t b = 0; b < w->blocks; b++) {
		one = (i128)largest(&w->block[b], w->n) *
		    mwem_unit(a, &w->block[b]);
		most = one > most ? one : most;
	}
	if (most > MWEM_ANSWER || (most > 0 && a->total >
	    (uint64_t)(MWEM_ANSWER / most)))
		return false;
	most *= (i128)a->total;
	for (a->shift = 0; a->shift < MWEM_SHIFT &&
	    most << (a->shift + 1) <= MWEM_ANSWER; a->shift++)
		;
	return true;
}

size_t
mwem_places(const struct workload *w, const struct block *b)
{
	return b->kind == WORKLOAD_PREFIX || b->kind == WORKLOAD_RANGE ?
	    w->n + 1 : b->count;
}

double
mwem_memory(const struct workload *w, size_t rounds)
{
	double n = (double)w->n, bytes = 60 * n + 16 * (double)w->k;

	for (size_t b = 0; b < w->blocks; b++) {
		bytes += 16 * (double)mwem_places(w, &w->block[b]);
		if (w->block[b].kind == WORKLOAD_DENSE)
			bytes += 16 * n;	/* and as stored here */
		if (w->block[b].kind == WORKLOAD_MARGINAL)
			bytes += 8 * n;
	}
	/* a list or a vector for each round */
	return bytes + 8 * n * (double)rounds;
}
