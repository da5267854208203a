/* estimate_report: what --explain says of an estimate, from public facts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "estimate.h"
#include "tool/err.h"

/*
 * Chance that the search goes on from f beyond 2 f + 1, on unbounded data of
 * n records.
 */
static double
tail(const struct estimate *e, size_t t, uint64_t records)
{
	struct rational b = estimate_beta(e, t, records);
	double beta = (double)b.num / (double)b.den;
	size_t n = (size_t)(log(2) / log(beta)) + 2, i;
	int64_t *h = err_alloc(NULL, n, sizeof(*h));
	double *p = err_alloc(NULL, n, sizeof(*p)), chance;

	for (i = 0; i < n; i++)
		h[i] = 1;
	asym_law(&e->asym[t], h, n, p);
	chance = p[n - 1];
	free(h);
	free(p);
	return chance;
}

/* A decimal, or a fraction where it is none. */
static char *
exact_text(char *buf, struct rational x)
{
	if (rational_digits(x) >= 0)
		return rational_text(buf, x);
	snprintf(buf, FIXED_TEXT, "%lld/%lld", (long long)x.num,
	    (long long)x.den);
	return buf;
}

static void
note_asm(struct estimate *e)
{
	struct report *r = &e->report;
	char a[FIXED_TEXT], b[FIXED_TEXT];
	size_t t;

	if (e->metric->target[0] == TARGET_QUANTILE && e->opts.nranges > 0)
		report_note(r, "outputs", e->has_queries || e->paper ?
		    "equally spaced" : "equally spaced, about 3 n E of them; "
		    "1000 where n is not public");
	else if (e->has_beta || e->paper)
		report_note(r, "beta", "%s", rational_text(a, e->beta));
	else if (e->opts.neighbors == NEIGHBORS_SWAP)
		for (t = 0; t < e->metric->targets; t++)
			report_note(r, t == 0 ? "beta" : "beta_variance",
			    "%s, from 1.001 to 1.1",
			    estimate_beta_words(e, t));
	else
		report_note(r, "beta", "1.01");
	report_note(r, "queries", "%llu at most",
	    (unsigned long long)e->queries);
	for (t = 0; e->opts.has_eps && t < e->metric->targets; t++) {
		bool m = estimate_monotonic(e, t);

		report_note(r, t == 0 ? "split" : "split_variance",
		    "threshold %s, queries %s each, which cost it %s",
		    exact_text(a, e->asym[t].eps1),
		    exact_text(b, e->asym[t].eps2),
		    m ? "once (monotonic)" : "twice");
		if (e->metric->target[t] != TARGET_QUANTILE &&
		    e->opts.nranges == 0)
			report_note(r, t == 0 ? "tail" : "tail_variance",
			    "beyond twice the result plus 1 with "
			    "chance %.2g%s", tail(e, t, 1000), e->has_beta ||
			    e->paper || e->opts.neighbors != NEIGHBORS_SWAP ?
			    "" : " for n = 1000, less for more");
	}
}

void
estimate_report(struct estimate *e)
{
	static const char *const name[] = {
		"asymmetric sensitivity", "inverse sensitivity",
		"permute-and-flip by inverse sensitivity"
	};
	struct report *r = &e->report;
	char text[FIXED_TEXT];

	r->opts = &e->opts;
	r->mechanism = name[e->mechanism];
	r->noise = e->mechanism == MECHANISM_ASM ? "geometric, one-sided, "
	    "exact" : "exact choice from all points of the grid";
	report_note(r, "metric", "%s", e->metric->words);
	if (e->metric->target[0] == TARGET_QUANTILE)
		report_note(r, "quantile", "%s", rational_text(text,
		    e->quantile));
	report_note(r, "steps", "%llu", (unsigned long long)e->steps);
	if (e->mechanism == MECHANISM_ASM)
		note_asm(e);
	if (e->opts.groups != NULL)
		report_note(r, "groups", "one charge for all: a record is in "
		    "one group only%s", e->opts.neighbors == NEIGHBORS_SWAP ?
		    "; its group is public" : "");
}
