/*
 * synth_hist: a table from noisy counts of every cell.
 *
 * Privacy.  A moved record changes two counts by one each, a record that comes
 * or goes changes one (synth.h); later steps look at the noisy counts and
 * public numbers only (dx/answer/hist_fit.c).
 */
#include <math.h>
#include <stdlib.h>

#include "counts.h"
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
	if (synth_cell_scale(s, 0, &t))
		report_scale(&s->report, &t, 0);
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
	"exact discrete Laplace noise on the count of every cell; the table is "
	"fitted to these",
	"two elements have distance 0, so no count of a cell can be released",
	hist_prepare, hist_describe, hist_release, free, 0 };
