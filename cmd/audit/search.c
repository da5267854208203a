/* search: one pair of inputs, or a family's most telling pair. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "number/fixed.h"
#include "number/neighbors.h"
#include "pairs.h"
#include "tool/digest.h"
#include "tool/err.h"

#define SEARCH_ERROR 0.05	/* while looking for the pair */

static size_t
failures(const struct sample *s, size_t n, int *last)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (s[i].status != 0) {
			*last = s[i].status;
			k++;
		}
	return k;
}

/* A command that never works shows nothing, and least of all privacy. */
static void
refuse_failed(const struct audit_plan *a, const char *input, size_t runs,
    int status)
{
	struct audit_job job = a->job;

	job.input = input;
	audit_words(&job, job.argv);
	err_die(STATUS_INPUT, "nothing to judge: all %zu runs of '%s' failed, "
	    "the last one with status %d", runs, job.argv[0], status);
}

/* n runs on each side of a pair, judged; are there runs that did not fail? */
static bool
search_judge(const struct audit_plan *a, const struct neighbors_pair *p,
    const char *progress, size_t n, double error, struct verdict *v)
{
	struct audit_job job = a->job;
	char what[AUDIT_TEXT];
	static const char *const sides[] = { "left", "right" };
	struct sample *side[2];

	job.what = what;
	for (int i = 0; i < 2; i++) {
		job.input = p->path[i];
		snprintf(what, sizeof(what), "%s%s", progress, sides[i]);
		side[i] = audit_run(&job, n);
	}
	audit_judge(side[0], side[1], n, error, v);
	v->pair = p->words;
	for (int i = 0; i < 2; i++) {
		v->failed[i] = failures(side[i], n, &v->status);
		audit_free(side[i], n);
	}
	return v->failed[0] + v->failed[1] < 2 * n;
}

/* The verdict on a pair, of all runs. */
static void
judge_all(const struct audit_plan *a, const struct neighbors_pair *p,
    struct verdict *v)
{
	if (!search_judge(a, p, "", a->runs, a->error, v))
		refuse_failed(a, p->path[1], 2 * a->runs, v->status);
}

/* The built-in family for the single range. */
static size_t
make_family(const struct opts *o, struct neighbors_pair pair[AUDIT_PAIRS])
{
	char lo[FIXED_TEXT], mid[FIXED_TEXT], hi[FIXED_TEXT];
	const char *const value[] = { lo, mid, hi };
	struct rational m, two = { 2, 1 };

	if (!rational_add(&m, o->ranges.at[0].lo, o->ranges.at[0].hi) ||
	    !rational_div(&m, m, two))
		err_die(STATUS_USAGE, "--range has too many digits");
	rational_text(lo, o->ranges.at[0].lo);
	rational_text(mid, m);
	rational_text(hi, o->ranges.at[0].hi);
	return audit_pairs(pair, o->columns != NULL ? o->columns : "value",
	    value, o->neighbors);
}

/*
 * The most telling pair is looked for with a few runs of each pair and judged
 * anew with the full number, so the search costs no confidence.  A pair on
 * which every run fails is left out.
 */
void
audit_family(const struct audit_plan *a, const struct opts *o,
    struct verdict *v)
{
	static struct neighbors_pair pair[AUDIT_PAIRS];
	size_t n = make_family(o, pair), i, best = n;
	size_t few = FIXED_MOST(a->runs / 10, 200);
	char progress[AUDIT_TEXT / 2];
	double most = -1;

	a->job.watch->total = 2 * (n * few + a->runs);
	for (i = 0; i < n; i++) {
		snprintf(progress, sizeof(progress), "pair %zu of %zu, ",
		    i + 1, n);
		if (search_judge(a, &pair[i], progress, few, SEARCH_ERROR, v) &&
		    v->bound > most) {
			most = v->bound;
			best = i;
		}
	}
	if (best == n)
		refuse_failed(a, pair[n - 1].path[1], 2 * n * few, v->status);
	judge_all(a, &pair[best], v);
}

void
audit_pair(const struct audit_plan *a, const char *left, const char *right,
    struct verdict *v)
{
	const struct neighbors_pair given = { "as given", { left, right } };
	char one[DIGEST_TEXT], other[DIGEST_TEXT];

	if (strcmp(digest_file("left", left, one), digest_file("right",
	    right, other)) == 0)
		err_warn("--left and --right hold the same: nothing can tell "
		    "them apart, and neighbors differ in one record");
	a->job.watch->total = 2 * a->runs;
	judge_all(a, &given, v);
}

/* Every run reads the file from the start; a pipe would be empty by then. */
void
audit_input(const char *option, const char *path)
{
	struct stat s;

	if (stat(path, &s) != 0 || access(path, R_OK) != 0)
		err_sys("%s %s", option, path);
	if (!S_ISREG(s.st_mode))
		err_die(STATUS_USAGE, "%s %s is no regular file, and each run "
		    "reads it anew: write it to a file first", option, path);
}
