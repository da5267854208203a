/*
 * synth_tree: intervals, for prefixes and ranges (ladder.h).
 *
 * One tree is the row of cells, and differences that chance explains are not
 * believed: a tree is never far behind counts of cells, and comes near to equal
 * counts where the truth is equal, which rounds do not (eight times behind on
 * equal counts of 4,096 cells).
 */
#include <stdio.h>
#include <stdlib.h>

#include "ladder.h"
#include "synth.h"
#include "tool/err.h"

static void
tree_way_shut(void *own)
{
	tree_free(&((struct ladder *)own)->tree);
	free(own);
}

static void *
tree_way_prepare(struct synth *s, double *error)
{
	struct metric alike = { .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = s->u.n, .bound = 1 };
	const struct metric *m = s->u.hidden ? &alike : &s->u.m;
	struct ladder *l;

	if (!workload_is_runs(&s->u.w) || (s->u.hidden &&
	    (!metric_nearest(&s->u.m, 2, &alike.unit) || alike.unit.num == 0)))
		return NULL;
	l = err_alloc(NULL, 1, sizeof(*l));
	*l = (struct ladder){ .eps = s->eps, .total = (double)s->total,
	    .variance = s->variance, .shift = s->shift };
	/* Counts of a level look at the least distance alone (tree.c);
	   prefixes by themselves need to know n. */
	if (ladder_open(l, m, tree_aim(&s->u.w)) && (l->tree.branching > 0 ||
	    !s->u.hidden)) {
		*error = l->expected;
		return l;
	}
	tree_way_shut(l);
	return NULL;
}

/* The levels and each level's part of E, from the coarsest on. */
static void
tree_way_describe(struct synth *s, const void *own)
{
	const struct tree *t = &((const struct ladder *)own)->tree;
	const struct descent *d = &((const struct ladder *)own)->descent;
	char text[16 * TREE_LEVELS + 1] = "";
	size_t at = 0;

	if (t->branching == 0) {
		report_note(&s->report, "tree", "each prefix by itself");
		return;
	}
	for (size_t l = 1; l <= t->levels; l++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, " %.3g",
		    (double)t->part[l] / (double)t->whole);
	report_note(&s->report, "tree", "branching %zu, levels %zu, with%s of "
	    "E", t->branching, t->levels, text);
	if (d->part > 0)
		report_note(&s->report, "look", "%.3g of E, before the tree: "
		    "halves instead where most records are in a sixteenth of "
		    "the universe", (double)d->part / DESCENT_PARTS);
}

static void
tree_way_release(struct synth *s, void *own, const int64_t *x, double *y)
{
	ladder_release(own, x, synth_noise(s), y);
}

const struct way way_tree = { "tree", "counts of intervals",
	"exact discrete Laplace noise on the count of every interval of a "
	"tree; the table is fitted to these",
	"for prefixes or ranges alone, of elements at some distance",
	tree_way_prepare, tree_way_describe, tree_way_release, tree_way_shut,
	WAY_HIST | WAY_ROUNDS };
