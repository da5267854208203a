/*
 * dp-audit: how private is a command really?  A lower bound on the command's
 * epsilon.
 */
#include "audit.h"
#include "number/fixed.h"
#include "release/release.h"
#include "tool/err.h"

enum audit_option { OPT_LEFT = OPT_OWN, OPT_RIGHT, OPT_ERROR, OPT_BATCH,
	OPT_LINES, OPT_SEARCH, OPT_JOBS, OPT_STDERR };

static const struct tool tool = {
	.name = "dp-audit",
	.synopsis = "-e E --search --range A:B [option ...] -- CMD ...\n"
	    "       dp-audit -e E --left FILE --right FILE [option ...] -- "
	    "CMD ...\n"
"  a bound on how private a command is, from outside\n"
"example: dp-audit -e 1 --batch --search --range 0:10 -- laplace count -e 1",
	.rows = {
		{ 'e', "epsilon", "E",
		    "the claim: the epsilon that CMD should have" },
		{ OPT_LEFT, "left", "FILE", "an input" },
		{ OPT_RIGHT, "right", "FILE", "its neighbor" },
		{ OPT_SEARCH, "search", NULL,
		    "try built-in neighbors in --range" },
		{ 'n', "repeat", "N", "runs of CMD on each input, 20000" },
		{ OPT_BATCH, "batch", NULL,
		    "CMD makes N draws, given -n N or {}" },
		{ OPT_LINES, "lines", "K", "with --batch: lines of one draw" },
		{ OPT_ERROR, "error", "P", "chance of a wrong refusal, 1e-6" },
		{ OPT_STDERR, "stderr", NULL, "standard error is output too" },
		{ OPT_JOBS, "jobs", "J", "processes at once, 2" },
		{ 'v', "verbose", NULL, "event, counts and verdict on stderr" },
	},
	.only = { 'c', 'f', 'h', 'V', OPT_NEIGHBORS, OPT_RANGE },
};

/* The order from the command line. */
struct order {
	struct opts opts;	/* only read after opts_check */
	struct audit_plan plan;
	const char *left, *right;
	bool search;
};

static void
audit_option(struct order *a, int code)
{
	struct audit_job *job = &a->plan.job;
	struct rational p;

	switch (code) {
	case OPT_LEFT: a->left = optarg; break;
	case OPT_RIGHT: a->right = optarg; break;
	case OPT_SEARCH: a->search = true; break;
	case OPT_BATCH: job->batch = true; break;
	case OPT_STDERR: job->stream = STREAM_BOTH; break;
	case OPT_LINES:
		job->lines = opts_count("--lines", optarg, 1, 1000000);
		break;
	case OPT_JOBS:
		job->jobs = (unsigned)opts_count("--jobs", optarg, 1, 1024);
		break;
	case OPT_ERROR:
		p = opts_part("--error", optarg);
		a->plan.error = rational_real(p);
		break;
	default:
		opts_take(&a->opts, code);
	}
}

static void
check_order(const struct opts *o, const struct order *a)
{
	bool files = a->left != NULL || a->right != NULL;
	bool pair = a->left != NULL && a->right != NULL;

	OPTS_REFUSE(
		{ o->noperands == 0, "no command given (after --)" },
		{ (a->search && o->ranges.n != 1) || (!a->search && !pair),
		    "give --left and --right, or --search with --range" },
		{ a->search && files, "--search makes its own inputs" },
		{ !a->search && (o->ranges.n > 0 || o->columns != NULL ||
		    opts_given(o, OPT_NEIGHBORS)), "only --search takes a "
		    "range, a column and neighbors" },
		{ a->plan.runs < 100, "fewer than 100 runs tell nothing" });
	if (a->search)
		return;
	audit_input("--left", a->left);
	audit_input("--right", a->right);
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

	if (a.search)
		audit_family(&a.plan, o, &v);
	else
		audit_pair(&a.plan, a.left, a.right, &v);
	refuted = audit_show(o, &a.plan, &v);
	return refuted ? STATUS_REFUSED : STATUS_OK;
}
