/* audit_search: one pair of inputs, or the most telling one of a family. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "audit_pairs.h"
#include "tool/err.h"

#define SEARCH_ERROR 0.05	/* while looking for the pair */

/* Two files, what the progress line says of them, and what to draw. */
struct inputs {
	const char *left, *right, *plot;
	char words[AUDIT_TEXT];
};

/* n runs on each side of a pair, judged. */
static void
judge(const struct audit_plan *a, const struct inputs *in, size_t n,
    double error, struct verdict *v)
{
	struct audit_job job = a->job;
	char what[2 * AUDIT_TEXT];
	struct sample *l, *r;

	job.what = what;
	job.input = in->left;
	snprintf(what, sizeof(what), "%sleft", in->words);
	l = audit_run(&job, n);
	job.input = in->right;
	snprintf(what, sizeof(what), "%sright", in->words);
	r = audit_run(&job, n);
	audit_judge(l, r, n, error, v);
	if (in->plot != NULL)
		audit_plot(in->plot, l, r, n);
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
	struct neighbors_pair *pair;
	char lo[FIXED_TEXT], mid[FIXED_TEXT], hi[FIXED_TEXT];
	struct rational m, two = { 2, 1 };
	size_t n, i, best = 0, few = a->runs / 10 < 200 ? 200 : a->runs / 10;
	struct inputs in = { .plot = NULL };
	double most = -1;

	if (!rational_add(&m, o->ranges[0].lo, o->ranges[0].hi) ||
	    !rational_div(&m, m, two))
		die(STATUS_USAGE, "--range has too many digits");
	n = audit_pairs(&pair, o->columns != NULL ? o->columns : "value",
	    rational_text(lo, o->ranges[0].lo), rational_text(mid, m),
	    rational_text(hi, o->ranges[0].hi),
	    o->neighbors == NEIGHBORS_SWAP);
	for (i = 0; i < n; i++) {
		in.left = pair[i].left;
		in.right = pair[i].right;
		snprintf(in.words, AUDIT_TEXT, "pair %zu of %zu, ", i + 1, n);
		judge(a, &in, few, SEARCH_ERROR, v);
		if (v->bound > most) {
			most = v->bound;
			best = i;
		}
	}
	in = (struct inputs){ pair[best].left, pair[best].right, a->plot, "" };
	judge(a, &in, a->runs, a->error, v);
	memcpy(v->pair, pair[best].words, AUDIT_TEXT);
	audit_pairs_remove();
}

void
audit_pair(const struct audit_plan *a, const char *left, const char *right,
    size_t n, struct verdict *v)
{
	struct inputs in = { left, right, a->plot, "" };

	judge(a, &in, n, a->error, v);
	snprintf(v->pair, AUDIT_TEXT, "as given");
}

void
audit_check(const struct opts *o, bool search, const char *left,
    const char *right)
{
	if (search ? o->nranges != 1 : left == NULL || right == NULL)
		die(STATUS_USAGE, "give --left and --right, or --search with "
		    "--range");
	if (search && (left != NULL || right != NULL))
		die(STATUS_USAGE, "--search makes its own inputs");
	if (!search && (access(left, R_OK) != 0 || access(right, R_OK) != 0))
		diesys(STATUS_INPUT, "%s or %s", left, right);
	if (!search && (o->nranges > 0 || o->columns != NULL ||
	    o->given_neighbors))
		die(STATUS_USAGE, "only --search takes a range, a column and "
		    "neighbors");
}
