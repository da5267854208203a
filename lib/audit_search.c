/* audit_search: one pair of inputs, or the most telling one of a family. */
#include <stdio.h>
#include <string.h>

#include "audit.h"
#include "err.h"

#define SEARCH_ERROR 0.05	/* while looking for the pair */

/* n runs on each side of a pair, judged. */
static void
judge(const struct audit_plan *a, const char *left, const char *right,
    size_t n, double error, const char *plot, struct verdict *v)
{
	struct audit_job job = a->job;
	struct sample *l, *r;

	job.input = left;
	job.what = "left";
	l = audit_run(&job, n);
	job.input = right;
	job.what = "right";
	r = audit_run(&job, n);
	audit_judge(l, r, n, error, v);
	if (plot != NULL)
		audit_plot(plot, l, r, n);
	audit_free(l, n);
	audit_free(r, n);
}

/*
 * The most telling pair is looked for with a few runs of each and judged
 * anew with all of them, so the search costs no confidence.
 */
void
audit_family(const struct audit_plan *a, const struct opts *o,
    struct verdict *v)
{
	static struct neighbors_pair pair[AUDIT_PAIRS];
	char dir[64], lo[FIXED_TEXT], mid[FIXED_TEXT], hi[FIXED_TEXT];
	struct rational m, two = { 2, 1 };
	size_t n, i, best = 0, few = a->runs / 10 < 200 ? 200 : a->runs / 10;
	double most = -1;

	if (!rational_add(&m, o->ranges[0].lo, o->ranges[0].hi) ||
	    !rational_div(&m, m, two))
		die(STATUS_USAGE, "--range has too many digits");
	n = audit_pairs(pair, dir, o->columns != NULL ? o->columns : "value",
	    rational_text(lo, o->ranges[0].lo), rational_text(mid, m),
	    rational_text(hi, o->ranges[0].hi),
	    o->neighbors == NEIGHBORS_SWAP);
	for (i = 0; i < n; i++) {
		judge(a, pair[i].left, pair[i].right, few, SEARCH_ERROR,
		    NULL, v);
		if (v->bound > most) {
			most = v->bound;
			best = i;
		}
	}
	judge(a, pair[best].left, pair[best].right, a->runs, a->error,
	    a->plot, v);
	memcpy(v->pair, pair[best].words, AUDIT_TEXT);
	audit_pairs_remove(pair, n, dir);
}

void
audit_pair(const struct audit_plan *a, const char *left, const char *right,
    size_t n, struct verdict *v)
{
	judge(a, left, right, n, a->error, a->plot, v);
	snprintf(v->pair, AUDIT_TEXT, "as given");
}
