/*
 * synth_mwem: a table by the rounds of mwem, by noisy counts of all cells, or
 * by those of marginals or of intervals.
 *
 * Which of them is chosen by what is public (n, the universe, the queries,
 * epsilon) before anything private is looked at: the way whose answers have
 * the smallest expected error.
 *
 * Counts: an answer's noise is known exactly, histogram_error.  Marginals:
 * likewise, or what is left out (marginals_expect.c), and as all cells are one
 * of their levels, counts of these are not taken beside them; intervals: what
 * least squares along their tree leave (plan/tree.c), or an estimate that is
 * drawn to what one expects (plan/tree_guess.c).  Rounds: the rule for T
 * balances the noise of a measurement, 2 c T, with what T rounds leave
 * unlearned, so the error is taken to be REST times the noise of one; in
 * trials (ranges of 256 cells, pairs of six attributes of the census, 1 % to
 * 400 % of epsilon) rounds and counts are equally good where the counts' error
 * is 1.2 to 2 times that noise.  Rounds that measure every query leave nothing.
 * Where a tree of intervals is to be had it is always taken: as what chance
 * explains is not believed, it comes near to equal counts where these are
 * right, which rounds do not (eight times behind on equal counts of 4,096
 * cells), and elsewhere they gain little.
 * A split of epsilon between counts and rounds was behind the better of both
 * everywhere in these trials, so there is none.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "ladder.h"
#include "marginals.h"
#include "synth.h"
#include "tool/err.h"

#define REPLAYS 20
#define MOST_ROUNDS 200
#define REST 1.5

/*
 * [KPAK20 Theorem 8] The number of rounds at which the two terms of the error
 * bound, 2n sqrt(log N / T) and 10 c T log |Q|, are equal; between 1 and
 * MOST_ROUNDS.  With replays each measurement is used up and fewer do: the
 * square root in place of the power 2/3, which suits experiments.
 */
static uint64_t
rounds(const struct synth *s)
{
	double n = (double)s->total, k = (double)s->u.w.k + 1, t, most;

	t = n * sqrt(log((double)s->u.n)) /
	    (5 * synth_mean_scale(s, &most) * log(k));
	t = ceil(pow(t, s->replay ? 0.5 : 2.0 / 3));
	return !(t >= 1) ? 1 : t > MOST_ROUNDS ? MOST_ROUNDS : (uint64_t)t;
}

/* The rounds and their scales, on grids on which all fits. */
static void
settle(struct synth *s, struct mwem *a)
{
	int64_t most = WORKLOAD_MOST;
	uint64_t asked = s->rounds;

	for (;;) {
		synth_scale(s);
		s->rounds = asked > 0 ? asked : rounds(s);
		/* to measure each of 2T queries costs what T rounds do */
		a->each = !s->paper && s->q.live <= s->rounds *
		    (asked > 0 ? 1 : 2);
		if (a->each)
			s->rounds = s->q.live;
		a->rounds = s->rounds;
		if (mwem_budget(a))
			return;
		if (!synth_coarser(s, &most))
			die(STATUS_INPUT, "the answers do not fit 60 bits");
	}
}

static double
deviation(const struct scale *t)
{
	return sqrt(2) * (double)t->s / (double)t->r;
}

/* Three digits of a large number would be an exponent. */
static const char *
number(char buf[32], double x)
{
	snprintf(buf, 32, x < 1000 ? "%.3g" : "%.0f", x);
	return buf;
}

/* The ways, and the errors that are expected of them; NAN: not to be had. */
struct ways {
	struct scale t;		/* of counts of all cells */
	struct ladder l;
	struct marginals m;
	struct mwem *a;
	double error[SYNTH_BEST];
};

/* Prefixes and ranges, with nothing beside them. */
static void
expect_tree(struct synth *s, struct ways *w)
{
	enum tree_aim aim = TREE_PREFIXES;

	for (size_t b = 0; b < s->u.w.blocks; b++) {
		if (s->u.w.block[b].kind == WORKLOAD_RANGE)
			aim = TREE_RANGES;
		else if (s->u.w.block[b].kind != WORKLOAD_PREFIX)
			return;
	}
	w->l.eps = s->opts.has_eps ? s->opts.eps : (struct rational){ 1, 1 };
	w->l.total = (double)s->total;
	if (ladder_open(&w->l, &s->u.m, aim))
		w->error[SYNTH_TREE] = w->l.expected;
	else if (w->l.failed)
		die(STATUS_INPUT, "out of memory");
}

static void
expect(struct synth *s, struct ways *w)
{
	double *e = w->error, most;

	for (int i = 0; i < SYNTH_BEST; i++)
		e[i] = (double)NAN;
	expect_tree(s, w);
	if (synth_cell_scale(s, &w->t) && (e[SYNTH_HISTOGRAM] =
	    histogram_error(&s->q, deviation(&w->t), &most)) < 0)
		die(STATUS_INPUT, "out of memory");
	w->m.order = synth_levels(s);
	if (w->m.order > 0) {
		if (!marginals_open(&w->m, s->level, s->levels, s->total))
			die(STATUS_INPUT, "out of memory");
		e[SYNTH_MARGINALS] = w->m.expected;
	}
	e[SYNTH_UNIFORM] = (w->a->each ? 1 : 2 * REST) * sqrt(2) *
	    (double)w->a->rounds * synth_mean_scale(s, &most);
}

/* What the report says of the choice. */
static void
tell(struct synth *s, const struct ways *w, const char *why)
{
	static const char *const name[] = { "hist", "marginals", "tree",
	    "uniform" };
	static const char *const with[] = { "counts of all cells",
	    "counts of marginals", "counts of intervals", "rounds" };
	char buf[32], text[256];
	int at = 0;

	for (int i = 0; i < SYNTH_BEST; i++)
		if (!isnan(w->error[i]))
			at += snprintf(text + at, sizeof(text) - (size_t)at,
			    "%s%s with %s", at == 0 ? "" :
			    i == SYNTH_UNIFORM ? " and by " : ", by ",
			    number(buf, w->error[i]), with[i]);
	report_note(&s->report, "start", "%s, %s: an answer is expected to be "
	    "off by %s, times the width of its query", name[s->start], why,
	    text);
}

/* Which way the table is to come. */
static void
choose(struct synth *s, const struct ways *w)
{
	const double *e = w->error;
	const char *why = "asked for";

	if (isnan(e[SYNTH_HISTOGRAM]) && s->start == SYNTH_HISTOGRAM)
		die(STATUS_INPUT, "--start hist: two elements have "
		    "distance 0, so no count of a cell can be released");
	if (isnan(e[SYNTH_MARGINALS]) && s->start == SYNTH_MARGINALS)
		die(STATUS_INPUT, "--start marginals: the queries are not all "
		    "marginals (--workload marginal:K)");
	if (isnan(e[SYNTH_TREE]) && s->start == SYNTH_TREE)
		die(STATUS_INPUT, "--start tree: for prefixes or ranges alone, "
		    "of elements at some distance");
	if (s->start == SYNTH_BEST && !isnan(e[SYNTH_TREE]) &&
	    w->l.tree.branching > 0) {
		why = "which errs little on equal counts too";
		s->start = SYNTH_TREE;
	} else if (s->start == SYNTH_BEST) {
		why = isnan(e[SYNTH_HISTOGRAM]) ? "the smallest error where "
		    "two elements have distance 0" : "the smallest error";
		s->start = SYNTH_UNIFORM;
		/* marginals include counts of all cells */
		for (int i = isnan(e[SYNTH_MARGINALS]) ? SYNTH_HISTOGRAM :
		    SYNTH_MARGINALS; i < SYNTH_UNIFORM; i++)
			if (e[i] < e[s->start])
				s->start = (enum synth_start)i;
	}
	tell(s, w, why);
}

static void
describe_rounds(struct synth *s, const struct mwem *a)
{
	struct report *r = &s->report;

	r->noise = a->each ? "every query's answer with exact discrete "
	    "Laplace noise of scale c times their number" :
	    s->kind == SELECT_FLIP ? "T rounds: a query by permute-and-flip "
	    "with weight exp(score / 4cT), its answer with exact discrete "
	    "Laplace noise of scale 2cT" :
	    "T rounds: a query by the exponential mechanism with weight "
	    "exp(score / 4cT), its answer with exact discrete Laplace noise "
	    "of scale 2cT";
	synth_report_scale(s, a->noise);
	report_note(r, "rounds", "%llu%s", (unsigned long long)s->rounds,
	    a->each ? ", each query once" : "");
}

/* Its levels and what each has of E, from the coarsest on. */
static void
describe_tree(struct report *r, const struct tree *t)
{
	char text[16 * TREE_LEVELS + 1] = "";
	size_t at = 0;

	for (size_t l = 1; l <= t->levels; l++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, " %.3g",
		    (double)t->part[l] / (double)t->whole);
	report_note(r, "tree", "branching %zu, levels %zu, with%s of E",
	    t->branching, t->levels, text);
}

static void
describe(struct synth *s, const struct ways *w)
{
	struct report *r = &s->report;
	double lower = 0;

	for (size_t l = 0; l < s->levels; l++)
		lower += s->level[l].w == &s->u.w ? 0 :
		    16 * (double)s->u.n * (double)s->level[l].w->blocks;
	if (s->start == SYNTH_HISTOGRAM) {
		r->noise = "exact discrete Laplace noise on the count of every "
		    "cell; the table is fitted to these";
		report_scale(r, &w->t, 0);
	} else if (s->start == SYNTH_MARGINALS) {
		r->noise = "exact discrete Laplace noise of scale 2c over its "
		    "part of the budget on every cell of a marginal; the table "
		    "is fitted to these";
		report_note(r, "parts", "all of E for %s",
		    w->m.chosen > w->m.order ? "all cells" :
		    w->m.chosen == w->m.order ? "the marginals asked for" :
		    w->m.chosen > 1 ? "marginals of fewer attributes" :
		    "single attributes");
	} else if (s->start == SYNTH_TREE) {
		r->noise = "exact discrete Laplace noise on the count of every "
		    "interval of a tree; the table is fitted to these";
		if (w->l.tree.branching == 0)
			report_note(r, "tree", "each prefix by itself");
		else
			describe_tree(r, &w->l.tree);
	} else
		describe_rounds(s, w->a);
	r->digits = synth_digits(s);
	report_note(r, "queries", "%zu of %zu elements", s->u.w.k, s->u.n);
	/* and what was read, and what will be written */
	report_note(r, "memory", "about %.0f MB", 1 + (lower +
	    mwem_memory(&s->u.w, s->start == SYNTH_UNIFORM ? s->rounds :
	    100) + 16 *
	    (double)s->u.n * (double)(s->u.all + s->u.of_kept + 4)) / 1e6);
	if (s->opts.verbose)
		report_verbose(r);
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
	synth_round(s, y, count);
	synth_counts(s, rel, count);
	free(count);
}

static void
by_rounds(struct synth *s, struct mwem *a, uint64_t rel, double *y)
{
	mwem_restart(a);
	for (size_t t = 0; t < a->rounds; t++) {
		synth_progress("mwem", ((double)(rel - 1) + (double)t /
		    (double)a->rounds) / (double)s->opts.repeat);
		if (!mwem_round(a, &s->rng))
			die(STATUS_INPUT, "out of memory");
	}
	mwem_result(a, y);
}

/* Every cell's count with noise of scale t, and the table from that. */
static void
by_counts(struct synth *s, const struct scale *t, double *y)
{
	const i128 most = (i128)1 << 50;
	int64_t *h = err_alloc(NULL, s->u.n, sizeof(*h));
	i128 x;

	for (size_t i = 0; i < s->u.n; i++) {
		x = (i128)s->u.count[i];
		if (!s->opts.non_private)
			x += noise_laplace(&s->rng, t);
		x = x > most ? most : x < -most ? -most : x;
		h[i] = (int64_t)x;
		y[i] = (double)x;
	}
	if (!s->opts.non_private && !histogram_fit(&s->u.w, s->total, h,
	    deviation(t), y))
		die(STATUS_INPUT, "out of memory");
	free(h);
}

static int64_t *
counts(const struct synth *s)
{
	int64_t *x = err_alloc(NULL, s->u.n, sizeof(*x));

	for (size_t i = 0; i < s->u.n; i++)
		x[i] = (int64_t)s->u.count[i];
	return x;
}

/* Counts of marginals or intervals. */
static void
by_parts(struct synth *s, struct ways *w, const int64_t *x, double *y)
{
	struct rng *r = s->opts.non_private ? NULL : &s->rng;

	if (!(s->start == SYNTH_TREE ? ladder_release(&w->l, x, r, y) :
	    marginals_release(&w->m, x, r, y)))
		die(STATUS_INPUT, "out of memory");
}

void
synth_mwem(struct synth *s)
{
	struct mwem a = { .q = &s->q, .kind = s->kind, .paper = s->paper,
	    .average = s->average, .replays = s->replay ? REPLAYS : 0,
	    .exact = s->opts.non_private,
	    .weigh = !s->paper && !s->opts.non_private };
	struct ways w = { .a = &a };
	int64_t *x;
	double *y;

	synth_open(s);
	synth_count(s);
	a.total = s->total;
	settle(s, &a);
	expect(s, &w);
	choose(s, &w);
	describe(s, &w);
	x = counts(s);
	y = err_alloc(NULL, s->u.n, sizeof(*y));
	if (s->start == SYNTH_UNIFORM && !mwem_open(&a, x))
		die(STATUS_INPUT, "out of memory");
	synth_header(s, s->sample > 0 ? NULL : "count");
	for (uint64_t rel = 1; rel <= s->opts.repeat; rel++) {
		if (s->start == SYNTH_UNIFORM)
			by_rounds(s, &a, rel, y);
		else if (s->start == SYNTH_HISTOGRAM)
			by_counts(s, &w.t, y);
		else
			by_parts(s, &w, x, y);
		write_table(s, rel, y);
	}
	free(y);
	free(x);
	ladder_close(&w.l);
	marginals_close(&w.m);
	mwem_close(&a);
	synth_end(s);
}
