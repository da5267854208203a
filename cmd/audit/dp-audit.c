/*
 * dp-audit: how private is a command really?  A lower bound on the command's
 * epsilon.
 */
#include "audit.h"
#include "number/fixed.h"
#include "tool/err.h"

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
	struct rational p;

	switch (code) {
	case OPT_LEFT: a->left = optarg; break;
	case OPT_RIGHT: a->right = optarg; break;
	case OPT_BATCH: job->batch = true; break;
	case OPT_STDERR: job->stream = STREAM_BOTH; break;
	case OPT_LINES:
		job->lines = opts_count("--lines", optarg, 1, 1000000);
		break;
	case OPT_JOBS:
		job->jobs = (unsigned)opts_count("--jobs", optarg, 1, 1024);
		break;
	case OPT_ERROR:
		p = opts_part("--error", optarg, false);
		a->plan.error = rational_real(p);
		break;
	default:
		opts_take(&a->opts, code);
	}
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
