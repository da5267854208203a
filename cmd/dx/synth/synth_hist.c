/*
 * synth_hist: a table from noisy counts of every cell.
 *
 * Privacy.  A moved record changes two counts by one each, a record that comes
 * or goes changes one (synth.h); later steps look at the noisy counts and
 * public numbers only.
 *
 * The fit.  Where n is hidden, the sum of the counts is another look at n, so
 * the total is the precision-weighted mean of the two.  Distances from equal
 * counts are kept as far as they say more than chance (evidence.c).  The table
 * is the nearest to the kept counts, in squares, among nonnegative tables that
 * add up: no farther from the truth than the kept counts, whatever the data, as
 * such tables are a convex set.
 */
#include <math.h>
#include <stdlib.h>

#include "counts.h"
#include "evidence.h"
#include "synth.h"
#include "tool/err.h"

static void *
hist_prepare(struct synth *s, double *error)
{
	struct scale t, *own;
	double most;

	if (!synth_cell_scale(s, s->shift, &t))
		return NULL;
	own = err_alloc(NULL, 1, sizeof(*own));
	*own = t;
	*error = normal_error(&s->q, sqrt(counts_variance(own, s->shift)),
	    &most);
	return own;
}

static void
hist_describe(struct synth *s, const void *own)
{
	struct scale t;

	(void)own;
	s->report.noise = "exact discrete Laplace noise on the count of every "
	    "cell; the table is fitted to these";
	if (synth_cell_scale(s, 0, &t))
		report_scale(&s->report, &t, 0);
}

void
hist_fit(double *h, size_t n, double v, double total, double variance)
{
	struct evidence of = { .degrees = (double)n - 1 };
	double mean, part, sum;

	sum = counts_look(h, n, (double)n * v, &total, &variance);
	total = fmax(0, total);
	mean = total / (double)n;
	for (size_t i = 0; i < n; i++) {
		h[i] += (total - sum) / (double)n;
		evidence_add(&of, h[i] - mean, mean, v);
	}
	part = evidence_part(&of, EVIDENCE_CHANCE);
	for (size_t i = 0; i < n; i++)
		h[i] = evidence_count(part, h[i], mean, v);
	counts_project(h, n, total);
}

static void
hist_release(struct synth *s, void *own, const int64_t *x, double *y)
{
	for (size_t i = 0; i < s->u.n; i++)
		y[i] = counts_noisy(x[i], own, s->shift, synth_noise(s));
	if (!s->opts.non_private)
		hist_fit(y, s->u.n, counts_variance(own, s->shift),
		    (double)s->total, s->variance);
}

const struct way way_hist = { "hist", "counts of all cells",
	"two elements have distance 0, so no count of a cell can be released",
	hist_prepare, hist_describe, hist_release, free, 0 };
