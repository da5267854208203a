/*
 * dp-audit: how private is a command really?  A lower bound on the command's
 * epsilon.
 */
#include "audit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "number/fixed.h"
#include "release/answer/release.h"
#include "tool/digest.h"
#include "tool/err.h"
#include "tool/row.h"
#include "tool/text.h"

enum audit_option { OPT_LEFT = OPT_OWN, OPT_RIGHT, OPT_ERROR, OPT_BATCH,
	OPT_LINES, OPT_JOBS, OPT_STDERR };

static const struct tool tool = {
	.name = "dp-audit",
	.synopsis = "-e E --left FILE --right FILE [option ...] -- CMD ...\n"
"  a bound on how private a command is, from outside\n"
"example: dp-audit -e 1 --batch --left a.csv --right b.csv -- laplace count "
	    "-e 1",
	.rows = {
		{ 'e', "epsilon", "E",
		    "the claim: the epsilon that CMD should have" },
		{ OPT_LEFT, "left", "FILE", "an input" },
		{ OPT_RIGHT, "right", "FILE", "its neighbor" },
		{ 'n', "repeat", "N", "runs of CMD on each input, 20000" },
		{ OPT_BATCH, "batch", NULL,
		    "CMD makes N draws, given -n N or {}" },
		{ OPT_LINES, "lines", "K", "with --batch: lines of one draw" },
		{ OPT_ERROR, "error", "P", "chance of a wrong refusal, 1e-6" },
		{ OPT_STDERR, "stderr", NULL, "standard error is output too" },
		{ OPT_JOBS, "jobs", "J", "processes at once, 2" },
		{ 'v', "verbose", NULL, "event, counts and verdict on stderr" },
	},
	.only = { 'f', 'h', 'V' },
};

/* The order from the command line. */
struct order {
	struct opts opts;	/* only read after opts_check */
	struct audit_plan plan;
	const char *left, *right;
};

static void
audit_option(struct order *a, int code)
{
	struct audit_job *job = &a->plan.job;

	switch (code) {
	case OPT_LEFT: a->left = optarg; break;
	case OPT_RIGHT: a->right = optarg; break;
	case OPT_BATCH: job->batch = true; break;
	case OPT_STDERR: job->stream = STREAM_BOTH; break;
	case OPT_LINES: job->lines = opts_count(OPTARG, 1, 1000000); break;
	case OPT_JOBS: job->jobs = (unsigned)opts_count(OPTARG, 1, 1024); break;
	case OPT_ERROR:
		a->plan.error = rational_real(opts_part(OPTARG, false));
		break;
	default:
		opts_take(&a->opts, code);
	}
}

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

/*
 * Runs and judges one pair of input files; status 1 where the command fails in
 * every run.
 */
static void
audit_pair(const struct audit_plan *a, const char *left, const char *right,
    struct verdict *v)
{
	static const char *const sides[] = { "left", "right" };
	const char *const path[] = { left, right };
	char one[DIGEST_TEXT], other[DIGEST_TEXT];
	struct audit_job job = a->job;
	struct sample *side[2];
	size_t n = a->runs;

	if (strcmp(digest_file("left", left, one), digest_file("right",
	    right, other)) == 0)
		err_warn("--left and --right hold the same: nothing can tell "
		    "them apart, and neighbors differ in one record");
	a->job.watch->total = 2 * n;
	for (int i = 0; i < 2; i++) {
		job.input = path[i];
		job.what = sides[i];
		side[i] = audit_run(&job, n);
	}
	audit_judge(side[0], side[1], n, a->error, v);
	for (int i = 0; i < 2; i++) {
		v->failed[i] = failures(side[i], n, &v->status);
		audit_free(side[i], n);
	}
	if (v->failed[0] + v->failed[1] == 2 * n)
		refuse_failed(a, right, 2 * n, v->status);
}

/* Every run reads the file from the start; a pipe would be empty by then. */
/* Status 1 or 2 for a file that cannot be read again and again. */
static void
audit_input(const char *option, const char *path)
{
	struct stat s;

	if (stat(path, &s) != 0 || access(path, R_OK) != 0)
		err_sys("%s %s", option, path);
	if (!S_ISREG(s.st_mode))
		err_die(STATUS_USAGE, "%s %s is no regular file, and each run "
		    "reads it anew: write it to a file first", option, path);
}

static void
check_order(const struct opts *o, const struct order *a)
{
	OPTS_REFUSE(
		{ o->noperands == 0, "no command given (after --)" },
		{ a->left == NULL || a->right == NULL,
		    "give --left and --right: two inputs that differ in one "
		    "record" },
		{ a->plan.runs < 100, "fewer than 100 runs tell nothing" });
	audit_input("--left", a->left);
	audit_input("--right", a->right);
}

/* --- the verdict --------------------------------------------------------- */

/* Neither bounds nor the possible bounds of a run are rounded up. */
static double
show_down(double x, double grid)
{
	return floor(x * grid) / grid;
}

static void
show_json(struct text *out, const struct audit_plan *a,
    const struct verdict *v, struct rational claim)
{
	double claimed = rational_real(claim);
	double seen = audit_detectable(claimed, v->runs, v->alpha);
	struct row row = { out, FORMAT_JSON, true };
	const char *consistent = v->bound > claimed ? "false" : "true";
	char eps[FIXED_TEXT];

	text_printf(out, "{\"tool\": \"dp-audit\", \"epsilon\": %s, "
	    "\"bound\": %.4f, \"consistent\": %s, \"runs\": %zu, "
	    "\"error\": %g, \"left\": %zu, \"right\": %zu, "
	    "\"tested\": %zu, \"failed_left\": %zu, "
	    "\"failed_right\": %zu, \"detectable\": ",
	    rational_text(eps, claim), show_down(v->bound, 10000), consistent,
	    a->runs, a->error, v->left, v->right, v->runs, v->failed[0],
	    v->failed[1]);
	if (isfinite(seen))
		text_printf(out, "%.4f", show_down(seen, 10000));
	else
		text_add(out, "null");
	row_text(&row, "event", v->event, strlen(v->event));
	text_add(out, "}\n");
}

/* The verdict's meaning, and the limits of the verdict. */
static void
say_verdict(const struct audit_plan *a, const struct verdict *v,
    double claimed, const char *eps)
{
	double seen = audit_detectable(claimed, v->runs, v->alpha);

	if (v->bound > claimed)
		fprintf(stderr, "verdict: refuted: the loss is above %.4f, "
		    "%s was claimed (wrong with a chance of %g at most)\n",
		    show_down(v->bound, 10000), eps, a->error);
	else if (isfinite(seen))
		fprintf(stderr, "verdict: consistent: no violation of %s "
		    "found in %zu runs a side; a loss below %.2f would hardly "
		    "have been seen\n", eps, a->runs, show_down(seen, 100));
	else
		fprintf(stderr, "verdict: consistent, which says nothing: %zu "
		    "runs a side cannot refute a claim above %.2f\n",
		    a->runs, show_down(audit_highest(v->runs, v->alpha), 100));
}

static void
say_counts(const struct verdict *v, const char *eps)
{
	fprintf(stderr, "event: %s\nleft: %zu of %zu\n"
	    "right: %zu of %zu\nfailed: %zu left, %zu right, of all "
	    "runs\nclaimed: %s\n", v->event, v->left, v->runs, v->right,
	    v->runs, v->failed[0], v->failed[1], eps);
}

/* Prints the verdict; true when the claim o->eps is refuted. */
static bool
audit_show(const struct opts *o, const struct audit_plan *a,
    const struct verdict *v)
{
	double claimed = rational_real(o->eps);
	static struct release out = RELEASE_INIT;
	char eps[FIXED_TEXT];

	rational_text(eps, o->eps);
	if (o->format == FORMAT_CSV || o->format == FORMAT_TSV)
		text_add(&out.text, "value\n");
	if (o->format == FORMAT_JSON)
		show_json(&out.text, a, v, o->eps);
	else
		text_printf(&out.text, "%.4f\n", show_down(v->bound, 10000));
	/* a failed run's outputs count; this line says that it failed */
	if (v->failed[0] + v->failed[1] > 0)
		err_warn("'%s' failed in %zu of %zu runs on the left and %zu "
		    "on the right, the last time with status %d",
		    a->job.argv[0], v->failed[0], a->runs, v->failed[1],
		    v->status);
	if (o->verbose)
		say_counts(v, eps);
	if (o->verbose || isatty(STDERR_FILENO))
		say_verdict(a, v, claimed, eps);
	text_output(out.text.buf, out.text.len);
	return v->bound > claimed;
}

int
main(int argc, char **argv)
{
	static struct audit_watch watch;
	static struct order a = { .opts = OPTS_INIT(&tool), .plan = {
	    .runs = 20000, .error = 1e-6, .job = { .lines = 1, .jobs = 2,
	    .watch = &watch } } };
	const struct opts *o = &a.opts;
	struct verdict v;
	bool refuted;
	int c;

	while ((c = opts_next(&a.opts, argc, argv)) != -1)
		audit_option(&a, c);
	opts_check(&a.opts);
	if (opts_given(o, 'n') != NULL)
		a.plan.runs = o->repeat;
	check_order(o, &a);
	a.plan.job.argv = o->operands;

	audit_pair(&a.plan, a.left, a.right, &v);
	refuted = audit_show(o, &a.plan, &v);
	return refuted ? STATUS_REFUSED : STATUS_OK;
}
