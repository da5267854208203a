/*
 * dp-audit: how private is a command really?  A lower bound on the command's
 * epsilon.
 */
#include "audit.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "number/fixed.h"
#include "tool/digest.h"
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
