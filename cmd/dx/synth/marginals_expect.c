/*
 * marginals_expect: which level of marginals is counted, from public numbers.
 *
 * What a marginal of the queries says is a sum over the sets of its
 * attributes: the mean, what each attribute adds, each pair beside these, and
 * so on.  Its noise falls into the same sums.  If part T of the counted level
 * has cells of variance v, then the cells of a part S inside of it are sums of
 * cells(T) / cells(S) of them; all such T together know S with the sum of
 * their precisions.  What S adds has degrees(S) of its cells(S) dimensions.
 *
 * A level leaves the smaller of the two: that noise, or, as the table believes
 * only what is clear, and where the level is below S, all of what S adds.  How
 * much that is nobody knows before; by attributes of S it is taken to be a part
 * ADDS of n, added up over the cells of S, beside what records add that are
 * drawn by chance.  In trials (a census, chains, mixtures, nets, normal laws,
 * independent attributes) single attributes had the smaller error up to about
 * the epsilon at which 0.6 for pairs changes over, and pairs beyond; with 1
 * these come in at half of it, and erred 1.1 to 3 times as much there.  What
 * triples add beside pairs was 0.02 to 0.15 of n, and cells were no worse than
 * pairs well before that.
 */
#include "marginals.h"

#include <math.h>
#include <stdlib.h>

#include "tool/err.h"

/* Of single attributes beside equal counts, of pairs beside these, ... */
static const double adds[] = { 1, 0.6, 0.3, 0.15, 0.08, 0.04 };

#define ADDS (sizeof(adds) / sizeof(adds[0]))

/* The mean variance of the counts of part k, of a level of so many roots. */
static double
variance(const struct marginals *a, size_t k, double roots)
{
	const struct partition *p = &a->p.part[k];
	double sum = 0, one;

	for (size_t e = 0; e < p->cells; e++) {
		one = 2 * rational_real(p->c[e]) * roots / a->root[k];
		sum += 2 * one * one;
	}
	return sum / (double)p->cells;
}

/* With which precision a level knows the cells of each part that is fitted. */
static void
know(const struct marginals *a, size_t level, int64_t *in, double *precision)
{
	size_t first = a->first[level - 1], end = a->first[level];
	double roots = 0, v;

	for (size_t j = 0; j < a->p.parts; j++)
		precision[j] = 0;
	for (size_t k = first; k < end; k++)
		roots += a->root[k];
	for (size_t k = first; k < end; k++) {
		if (!(a->root[k] > 0))
			continue;
		v = variance(a, k, roots);
		precision[k] += 1 / v;
		for (size_t j = 0; j < first && j < a->first[a->order]; j++)
			if (marginals_inside(a, j, k, in))
				precision[j] += (double)a->p.part[j].cells /
				    (double)a->p.part[k].cells / v;
	}
}

/* The square of what is left of what part j, of this level, adds. */
static double
left(const struct marginals *a, size_t j, size_t level, double precision)
{
	double n = a->p.total, part = adds[level < ADDS ? level :
	    ADDS - 1];
	double all = part * part * n * n + n * a->degrees[j];

	if (!(precision > 0))
		return a->degrees[j] > 0 ? all : 0;
	return fmin(all, a->degrees[j] * (double)a->p.part[j].cells /
	    precision);
}

/* The error of an answer where a level is counted: the mean of all cells. */
static double
error(const struct marginals *a, int64_t *in, const double *precision)
{
	size_t last = a->order - 1, first = a->first[last];
	double all = 0, cells = 0, sum;

	for (size_t k = first; k < a->first[a->order]; k++) {
		sum = left(a, k, last, precision[k]);
		for (size_t l = 0; l < last; l++)
			for (size_t j = a->first[l]; j < a->first[l + 1]; j++)
				if (marginals_inside(a, j, k, in))
					sum += left(a, j, l, precision[j]);
		all += sqrt(sum);
		cells += (double)a->p.part[k].cells;
	}
	return all / fmax(cells, 1);
}

void
marginals_expect(struct marginals *a)
{
	double *precision = err_alloc(NULL, a->p.parts, sizeof(*precision)), e;
	int64_t *in = err_alloc(NULL, a->p.n, sizeof(*in));

	for (size_t level = 1; level <= a->levels; level++) {
		know(a, level, in, precision);
		e = error(a, in, precision);
		if (level == 1 || e < a->expected) {
			a->chosen = level;
			a->expected = e;
		}
	}
	free(precision);
	free(in);
}
