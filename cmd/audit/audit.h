/*
 * audit: a lower bound on the real epsilon of a command, from outputs on two
 * neighbouring inputs.
 *
 * If the command is epsilon-private, P[output in S | left] is at most
 * e^epsilon P[output in S | right] for every event S.  The audit finds events
 * on half of the runs and tests the events on the other half, so that the bound
 * holds with the stated probability, however many events were tried.
 */
#pragma once

#include <stdatomic.h>

#include "tool/opts.h"

#define AUDIT_TEXT 160		/* room for the words of an event */

/* A run: the output (owned) and the exit status. */
struct sample {
	char *text;
	size_t len;
	int status;
};

struct verdict {
	double bound;		/* lower bound on epsilon, at least 0 */
	char event[AUDIT_TEXT];	/* the event behind the bound */
	size_t left, right;	/* runs with the event, among `runs' tested */
	size_t runs;
	size_t failed[2];	/* over every run: status not 0, left and
				   right */
	int status;		/* the last status but 0 */
	double alpha;		/* each probability bound's level */
};

/*
 * [CP34] One-sided Clopper-Pearson bounds for a probability after k hits in n
 * trials; a bound is wrong with probability at most alpha.
 */
double audit_lower(uint64_t k, uint64_t n, double alpha);
double audit_upper(uint64_t k, uint64_t n, double alpha);

/*
 * The bound on epsilon after `more' and `less' hits in n runs a side, with two
 * probability bounds at level alpha; 0 without hits.
 */
double audit_ratio(uint64_t more, uint64_t less, uint64_t n, double alpha);

/* The highest bound that n tested runs a side can give. */
double audit_highest(uint64_t n, double alpha);

/*
 * The loss above the claim that n tested runs a side find in about half the
 * audits, if the plainest event has the loss; infinite without a detectable
 * loss.
 */
double audit_detectable(double claim, uint64_t n, double alpha);

/*
 * Judges n runs on each side (n >= 4).  The bound is wrong (above the true
 * epsilon) with probability at most error.
 */
void audit_judge(const struct sample *left, const struct sample *right,
    size_t n, double error, struct verdict *v);

/* --- running ----------------------------------------------------- */

/* The command's streams that count as output; the rest is dropped. */
enum audit_stream { STREAM_OUT, STREAM_BOTH, STREAM_ERR };

/* How far the whole audit is. */
struct audit_watch {
	size_t total;		/* runs on every input */
	atomic_size_t done;
	atomic_int part;	/* in percent, when last shown */
	atomic_uint_least64_t header;	/* a hash; 0: none was seen */
};

struct audit_job {
	char **argv;		/* the command, NULL at the end */
	const char *input;	/* file on standard input */
	unsigned jobs;		/* processes at once */
	bool batch;		/* the command makes N draws at once */
	size_t lines;		/* output lines for a draw under batch */
	enum audit_stream stream;
	const char *what;	/* for the progress line */
	struct audit_watch *watch;
};

/*
 * Runs the command for n samples.  A command that cannot be run, or prints too
 * few lines under batch, is status 1.
 */
struct sample *audit_run(const struct audit_job *job, size_t n);
void audit_free(struct sample *s, size_t n);

/* Another run, with standard error shown on ours. */
void audit_words(const struct audit_job *job, char **argv);

/* --- the whole --------------------------------------------------- */

struct audit_plan {
	struct audit_job job;	/* without input and words */
	size_t runs;		/* on each side */
	double error;
};
