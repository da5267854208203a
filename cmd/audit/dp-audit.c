/* dp-audit: how private is a command really?  A lower bound on its epsilon. */
#include <stdlib.h>

#include "audit.h"
#include "release/release.h"
#include "tool/err.h"
#include "tool/opts.h"

enum { OPT_LEFT = OPT_OWN, OPT_RIGHT, OPT_ERROR, OPT_BATCH, OPT_LINES,
	OPT_SEARCH, OPT_JOBS, OPT_PLOT, OPT_STDERR };

static const struct opt rows[] = {
	{ OPT_LEFT, "left", "FILE", "an input" },
	{ OPT_RIGHT, "right", "FILE", "its neighbor" },
	{ OPT_SEARCH, "search", NULL, "try built-in neighbors in --range" },
	{ OPT_ERROR, "error", "P", "chance of a wrong refusal, 1e-6" },
	{ OPT_BATCH, "batch", NULL, "CMD makes N draws, given -n N or {}" },
	{ OPT_LINES, "lines", "K", "with --batch: lines of one draw" },
	{ OPT_STDERR, "stderr", NULL, "standard error is output too" },
	{ OPT_JOBS, "jobs", "J", "processes at once" },
	{ OPT_PLOT, "plot", "FILE", "draw both histograms (.svg, .png)" },
};

static const int without[] = { 'd', 'H', 'w', 'g', OPT_GROUPS, OPT_ON_BAD,
	OPT_DIGITS, OPT_WITHIN, OPT_LEDGER, OPT_DATASET, OPT_RELEASE_ID,
	OPT_LABEL, OPT_THREADS, OPT_EXPLAIN, OPT_CHECK, OPT_NON_PRIVATE,
	OPT_SEED, OPT_EXPECT_WEIGHT, OPT_SLICE, OPT_ACCOUNT, 0 };

struct audit {
	struct opts opts;
	struct audit_plan plan;
	const char *left, *right;
	bool search;
};

static void
take(struct audit *a, int code)
{
	struct audit_job *job = &a->plan.job;
	struct rational p;

	switch (code) {
	case OPT_LEFT: a->left = optarg; break;
	case OPT_RIGHT: a->right = optarg; break;
	case OPT_PLOT: a->plan.plot = optarg; break;
	case OPT_SEARCH: a->search = true; break;
	case OPT_BATCH: job->batch = true; break;
	case OPT_STDERR: job->errors = true; break;
	case OPT_LINES:
		job->lines = opts_count("--lines", optarg, 1, 1000000);
		break;
	case OPT_JOBS:
		job->jobs = (unsigned)opts_count("--jobs", optarg, 1, 1024);
		break;
	case OPT_ERROR:
		p = opts_positive("--error", optarg);
		a->plan.error = (double)p.num / (double)p.den;
		if (!(a->plan.error < 1))
			die(STATUS_USAGE, "--error must be below 1");
		break;
	default:
		opts_take(&a->opts, code);
	}
}

static void
check(struct audit *a)
{
	struct opts *o = &a->opts;

	opts_check(o);
	if (o->noperands == 0)
		die(STATUS_USAGE, "no command given (after --)");
	audit_check(o, a->search, a->left, a->right);
	if (a->plan.plot != NULL)
		audit_plot_check(a->plan.plot);
	if (o->repeat < 100)
		die(STATUS_USAGE, "fewer than 100 runs tell nothing");
	o->operands = err_alloc(o->operands, o->noperands + 1,
	    sizeof(*o->operands));
	o->operands[o->noperands] = NULL;
	a->plan.job.argv = o->operands;
	a->plan.runs = o->repeat;
}

int
main(int argc, char **argv)
{
	struct audit a = { .opts = OPTS_INIT, .plan = { .error = 1e-6,
	    .job = { .lines = 1, .jobs = 2 } } };
	struct verdict v;
	bool refuted;
	int c;

	a.opts.tool = "dp-audit";
	a.opts.synopsis = "-e E --left FILE --right FILE [option ...] -- CMD "
	    "...\n       dp-audit -e E --search --range A:B [option ...] -- "
	    "CMD ...";
	a.opts.own = rows;
	a.opts.owns = sizeof(rows) / sizeof(rows[0]);
	a.opts.without = without;
	a.opts.repeat = 20000;
	while ((c = opts_next(&a.opts, argc, argv)) != -1)
		take(&a, c);
	check(&a);
	/* thousands of runs are not to be charged to anybody's budget */
	unsetenv("DPUTILS_LEDGER");

	if (a.search)
		audit_family(&a.plan, &a.opts, &v);
	else
		audit_pair(&a.plan, a.left, a.right, a.plan.runs, &v);
	refuted = audit_show(&a.opts, &a.plan, &v);
	opts_free(&a.opts);
	return refuted ? STATUS_REFUSED : STATUS_OK;
}
