/*
 * synth_mwem: a table by the way with the least expected error.
 *
 * Public facts (the universe, the queries, epsilon, and n or the released n)
 * choose the way before any private number but n is looked at.
 *
 * A hidden n.  Where neighbors come and go, n~ = n + discrete Laplace noise of
 * scale 1 / (f E R) costs f E R: a record that comes or goes changes n by one,
 * and a moved record does not.  Every later step reads n~ for n, and n~ chooses
 * the counts for (1 - f) E: whatever was released before, the odds change by
 * exp((1 - f) E R) or exp((1 - f) E d(i,j)) at most, so the two costs add up to
 * E R or E d(i,j) at most.  A promise, --total N, takes the place of n~ and
 * leaves the whole of E.
 *
 * A record with an epsilon e of its own moves n by e / E of what a record moves
 * it, and every later number likewise (mwem.c), so both costs are e / E of the
 * above.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dx/answer/synth_round.h"
#include "number/memory.h"
#include "random/select.h"
#include "release/plan/report.h"
#include "synth.h"
#include "synth_way.h"
#include "tool/err.h"
#include "tool/names.h"
#include "tool/opts.h"

#define LARGE 1000		/* cells: a smaller table is never too wide */

const struct way *const ways[] = { &way_tree, &way_marginals, &way_hist,
	&way_rounds, &way_map, NULL };

/*
 * [KPAK20 Algorithm 2] as printed is rounds from equal counts, the exponential
 * mechanism, each measurement used once, and the tables' mean without the last
 * table.
 */
static void
check_rounds(struct synth *s)
{
	bool asked = s->paper || s->last || s->rounds > 0;

	OPTS_REFUSE(
		{ s->paper && (s->last || s->replay), "--paper is the mean of "
		    "the rounds, each measurement used once: no --last or "
		    "--replay with it" },
		{ s->paper && s->rounds == 1, "--paper leaves the last round "
		    "out of the mean: with -T 1 it would write equal counts "
		    "for the whole budget (give 2 rounds or more)" });
	if (asked && s->start != NULL && s->start != &way_rounds)
		err_die(STATUS_USAGE, "--start %s spends the whole budget on "
		    "%s: there are no rounds", s->start->name, s->start->words);
	if (asked)
		s->start = &way_rounds;
	if (s->paper && opts_given(&s->opts, OPT_MECHANISM) == NULL)
		s->kind = SELECT_EXPONENTIAL;
}

/* The opened ways. */
struct choice {
	void *own[8];
	double error[8];
	size_t best;		/* a place in ways; 0 at first */
};

/*
 * The requested way; without a request a way that no earlier way covers.
 * Nothing public tells the error of a map, so one is never taken unasked.
 */
static bool
is_tried(const struct synth *s, size_t i, unsigned covered)
{
	if (s->start != NULL)
		return ways[i] == s->start;
	return (covered >> i & 1) == 0;
}

/* Before the charge: the universe and the queries decide. */
static void
check_start(struct synth *s)
{
	double error;
	void *own;

	if (s->start == NULL)
		return;
	own = s->start->open(s, &error);
	if (own == NULL)
		err_die(STATUS_INPUT, "--start %s: %s", s->start->name,
		    s->start->cannot);
	s->start->close(own);
}

/*
 * Opens the ways that are tried, and finds the best of them.  Where the
 * released number of records closes the requested way, it is any.
 */
static void
choose_way(struct synth *s, struct choice *c)
{
	unsigned covered = WAY_MAP;

	for (size_t i = 0; ways[i] != NULL; i++) {
		if (!is_tried(s, i, covered))
			continue;
		c->own[i] = ways[i]->open(s, &c->error[i]);
		if (c->own[i] == NULL)
			continue;
		covered |= ways[i]->covers;
		if (c->own[c->best] == NULL || c->error[i] < c->error[c->best])
			c->best = i;
	}
	if (c->own[c->best] == NULL && s->start != NULL) {
		s->start = NULL;
		choose_way(s, c);
	}
}

#define BY_FLIP "permute-and-flip"
#define BY_EXPONENTIAL "the exponential mechanism"
#define ROUNDS(by) "T rounds: a query by " by " with weight exp(score / " \
	"4cT), its answer with exact discrete Laplace noise of scale 2cT"
#define ANY(by) "counts of all cells with exact discrete Laplace noise; or " \
	"of marginals or intervals; or " ROUNDS(by) "; whichever has the " \
	"smallest expected error"

/* For the report; without a way there is a choice of ways. */
static const char *
noise_of(const struct synth *s, const struct way *w)
{
	bool flip = s->kind == SELECT_FLIP;

	if (w == NULL)
		return flip ? ANY(BY_FLIP) : ANY(BY_EXPONENTIAL);
	if (w == &way_rounds)
		return flip ? ROUNDS(BY_FLIP) : ROUNDS(BY_EXPONENTIAL);
	return w->noise;
}

static void
describe_ways(struct synth *s, const struct choice *c)
{
	struct report *r = &s->report;
	const char *why = "the smallest error";
	char buf[32], text[256];
	int at = 0;

	for (size_t i = 0; ways[i] != NULL; i++) {
		/* three digits of a large number would be an exponent */
		snprintf(buf, sizeof(buf), c->error[i] < 1000 ? "%.3g" :
		    "%.0f", c->error[i]);
		if (c->own[i] != NULL)
			at += snprintf(text + at, sizeof(text) - (size_t)at,
			    "%s%s with %s", at == 0 ? "" : ", by ", buf,
			    ways[i]->words);
	}
	if (s->start != NULL)
		why = "asked for";
	if (ways[c->best] == &way_map)
		report_note(r, "start", "map, asked for: no public number "
		    "tells its error");
	else
		report_note(r, "start", "%s, %s: an answer is expected to be "
		    "off by %s, times the width of its query",
		    ways[c->best]->name, why, text);
	if (s->variance > 0)
		report_note(r, "total", "about %llu records, as far as noise "
		    "of deviation %.0f lets it be known",
		    (unsigned long long)s->total, sqrt(s->variance));
	r->digits = synth_digits(s);
	report_note(r, "queries", "%zu of %zu elements", s->u.w.k, s->u.n);
	r->noise = noise_of(s, ways[c->best]);
	s->memory = 1e6 + 60 * (double)s->u.n + 8 * (double)s->u.n *
	    (double)(s->u.base.n + s->u.kept.n + 4);
	ways[c->best]->describe(s, c->own[c->best]);
	report_note(r, "memory", "about %.0f MB", s->memory / 1e6);
}

static void
write_table(struct synth *s, uint64_t rel, const double *y)
{
	i128 *count;

	if (s->sample > 0) {
		synth_draws(s, rel, y);
		return;
	}
	count = err_alloc(NULL, s->u.n, sizeof(*count));
	synth_round(&s->q, synth_digits(s), &s->rng, y, count);
	synth_counts(s, rel, count);
	free(count);
}

/*
 * The released number of records decides about the rounds, 200 at most or -T,
 * and a round has two scales: queries have no more digits than fit then.
 */
static void
settle(struct synth *s)
{
	int64_t most = WORKLOAD_MOST;

	synth_scale(s);
	while (!synth_fits(&s->q, 2 * ((i128)s->rounds + 200) << s->shift))
		if (!synth_coarser(s, &most))
			err_die(STATUS_INPUT, "the scale has too many digits");
}

static void
release_way(struct synth *s, uint64_t rel, const int64_t *x, double *y)
{
	struct choice c = { .best = 0 };

	choose_way(s, &c);
	if (rel == 1)
		describe_ways(s, &c);
	ways[c.best]->release(s, c.own[c.best], x, y);
	for (size_t i = 0; ways[i] != NULL; i++)
		if (c.own[i] != NULL)
			ways[i]->close(c.own[i]);
	write_table(s, rel, y);
}

/* What options alone say of the way, for --explain. */
static void
note_way(struct synth *s)
{
	struct report *r = &s->report;

	r->noise = noise_of(s, s->start);
	if (s->rounds > 0 && s->opts.explain)
		report_note(r, "T", "%llu%s", (unsigned long long)s->rounds,
		    s->paper ? "" : ", or fewer queries once each");
	if (s->paper)
		report_note(r, "table", "the mean of the tables before each "
		    "round");
}

/* All pairs of attributes, or the only one. */
static void
default_workload(struct synth *s)
{
	const char *domain = s->u.domain;
	size_t named = names_count(s->opts.columns);
	bool raw = domain != NULL || (named > 0 && s->opts.weight == NULL);

	if (!raw || s->u.workload != NULL || s->u.query != NULL ||
	    s->u.queries != NULL)
		return;
	s->u.workload = "marginal:2";
	if (named == 1 || (named == 0 && opts_listed(domain) &&
	    strchr(domain, ';') == NULL))
		s->u.workload = "marginal:1";
	err_warn("no queries given: --workload %s", s->u.workload);
}

static void
ways_check(void *arg)
{
	struct synth *s = arg;

	check_rounds(s);
	default_workload(s);
	synth_check(s);
	if (synth_is_wide(s))
		synth_wide_check(s);
	else
		note_way(s);
}

static void
ways_open(void *arg, struct intake_use *use)
{
	struct synth *s = arg;

	(void)use;
	if (synth_is_wide(s)) {
		synth_wide_open(s);
		return;
	}
	synth_open(s);
	settle(s);
	check_start(s);
	s->own = err_alloc(NULL, s->u.n, sizeof(double));
}

static void
ways_read(void *arg)
{
	struct synth *s = arg;

	if (synth_is_wide(s))
		synth_wide_read(s);
	else
		synth_count(s);
}

static bool
ways_rows(void *arg, uint64_t rel)
{
	struct synth *s = arg;

	if (synth_is_wide(s)) {
		synth_wide_rows(s, rel);
		return true;
	}
	if (rel == 1)
		synth_header(s, s->sample > 0 ? NULL : "count");
	synth_total(s);
	release_way(s, rel, (int64_t *)s->u.count, s->own);
	return true;
}

/* What is said is as public as the number in the table. */
static void
ways_end(void *arg)
{
	struct synth *s = arg;

	synth_end(s);
	if (!synth_is_wide(s) && s->u.n > LARGE && s->u.n > s->total)
		err_warn("%zu cells for about %llu records: most of them hold "
		    "noise; fewer attributes, or bands such as 17..90/10, say "
		    "more", s->u.n, (unsigned long long)s->total);
}

const struct run_steps synth_mwem = {
	.take = synth_take, .check = ways_check, .plan = synth_plan,
	.waits = synth_waits, .open = ways_open, .read = ways_read,
	.rows = ways_rows, .end = ways_end,
};
