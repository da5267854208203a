/* synth_smalldb: the small database from the input. */
#include <math.h>
#include <stdlib.h>

#include "smalldb.h"
#include "synth.h"
#include "tool/err.h"

#define CELLS ((size_t)40000000)	/* elements times queries */
#define WORK 1e9		/* candidates times queries, by default */

/* [KPAK20 Algorithm 1] m = log|Q| / alpha^2, rounded up, |Q| at least 2. */
static void
choose_records(struct synth *s)
{
	double k = (double)s->u.w.k, alpha = rational_real(s->alpha), m;

	if (s->records > 0)
		return;
	m = ceil(log(fmax(k, 2)) / (alpha * alpha));
	if (m > 1e6)
		err_die(STATUS_USAGE, "--alpha %g asks for %.0f records, more "
		    "than 10^6", alpha, m);
	s->records = (uint64_t)m;
}

/* Refuses, from public sizes alone, a search that would not end. */
static void
check_size(struct synth *s)
{
	size_t n = s->u.n, fits, k = s->u.w.k;
	uint64_t all = smalldb_candidates(n, s->records), most;

	if (k > 0 && n > CELLS / k)
		err_die(STATUS_INPUT, "%zu elements and %zu queries are too "
		    "many for smalldb", n, k);
	if (s->limit == 0)
		s->limit = floor(WORK / fmax((double)k, 1));
	most = s->limit < 0x1p62 ? (uint64_t)s->limit : SMALLDB_MANY - 1;
	if (all <= most)
		return;
	fits = smalldb_fits(n, most);
	if (fits == 0)
		err_die(STATUS_INPUT, "more elements (%zu) than candidates can "
		    "be (%g): mwem takes them all", n, s->limit);
	err_die(STATUS_INPUT, "%llu records of %zu elements make more than %g "
	    "candidates; at most --records %zu (--alpha %.3g), or mwem",
	    (unsigned long long)s->records, n, s->limit, fits,
	    sqrt(log(fmax((double)k, 2)) / (double)fits) + 0.0005);
}

/*
 * Scores are in units of each query's scale c, on centered answers, as in
 * mwem.c: with h = floor(mult / 2), mult = floor(unit / c), the error of a
 * candidate, h times m (2 q(x) - width n) - n~ (2 q(y) - width m), moves by at
 * most m unit E d(i,j) where a record moves.  A record that comes or goes
 * changes the error by m h width at most, m unit E R with c = width / 2ER or
 * more there.  Either way exp(-error / (2 m unit)) is private [KPAK20 Theorem
 * 5].  Cutting an answer moves two answers no farther apart.
 *
 * All numbers of records are in parts of 2^-shift.  The error is linear in the
 * counts, so a record that weighs w of them moves it by w 2^-shift of a full
 * record's m unit E R, and costs as much of E R: a record of epsilon e costs e
 * at most (shares.c).
 */
static void
fill_scores(struct synth *s, struct smalldb *d, int64_t *q, int64_t *target)
{
	const struct workload *w = &s->u.w;
	i128 *answer = err_alloc(NULL, w->k + 1, sizeof(*answer)), x;
	int64_t n = (int64_t)s->n;

	for (size_t k = 0; k < w->k; k++)
		workload_row(w, k, q + k, w->k);
	workload_answer(w, s->u.count, answer);
	for (size_t k = 0; k < w->k; k++) {
		size_t in, b = normal_find(&s->q, k, &in);
		const struct normal_block *f = &s->q.block[b];
		int64_t h = s->q.mult[normal_entry(&s->q, b, in)] / 2;

		for (size_t i = 0; i < w->n; i++) {
			x = (q[i * w->k + k] - f->low) / f->step;
			q[i * w->k + k] = (int64_t)((2 * x - f->width) * h *
			    (int64_t)(s->total << s->shift));
		}
		x = (answer[k] - (i128)f->low * n) / f->step;
		x = (2 * x - (i128)f->width * n) * h * (int64_t)d->m;
		target[k] = fixed_clamp_wide(x, -SMALLDB_ANSWER,
		    SMALLDB_ANSWER);
	}
	free(answer);
	d->t = (struct scale){ 2 * (uint64_t)d->m * (uint64_t)s->q.unit <<
	    s->shift, 1 };
}

/* Scales and multipliers on grids with room for the scores. */
static void
settle(struct synth *s, const struct smalldb *d)
{
	int64_t most = WORKLOAD_MOST, unit = SMALLDB_ANSWER / (int64_t)d->m;

	synth_scale(s);
	while (!normal_multiply(&s->q, s->total << s->shift, unit, unit >>
	    s->shift) && synth_coarser(s, &most))
		;
}

/*
 * Notes the n beyond which counts are better: a record of the small database
 * stands for n/m, counts of every cell have an error that does not depend on n.
 * In trials (6, 12 and 16 cells, ranges, n of 100 to 10,000; no script of them
 * is left) the two were equally good where the error of the widest query by
 * counts was 2n/m.  A table of mwem does not believe counts that noise drowns,
 * so mwem is not behind with fewer records.
 */
static void
describe_use(struct synth *s)
{
	struct scale t;
	double most;

	if (!synth_cell_scale(s, 0, &t))
		return;
	normal_error(&s->q, sqrt(2) * (double)t.s / (double)t.r, &most);
	report_note(&s->report, "use", "beyond about %.0f records counts of "
	    "all cells with noise (mwem, laplace hist) are nearer: off by "
	    "about %.4g; with fewer, mwem errs as little as a rule",
	    (double)s->records * most / 2, most);
}

/*
 * A bound for n~ with half of beta's chance, for the draw with the second
 * half.
 */
static double
accuracy(const struct synth *s, double alpha, double all)
{
	double c, parts = s->variance > 0 ? 2 : 1;
	double chance = log(rational_real(s->beta) / parts);

	(void)synth_mean_scale(s, &c);
	return alpha * (double)s->total + 2 * c * (log(all) - chance) -
	    sqrt(s->variance / 2) * chance;
}

static void
describe_candidates(struct synth *s, double all)
{
	struct report *r = &s->report;
	double m = (double)s->records;
	double alpha = sqrt(log(fmax((double)s->u.w.k, 2)) / m);

	r->digits = synth_digits(s);
	report_note(r, "records", "%llu of %zu elements, %zu queries",
	    (unsigned long long)s->records, s->u.n, s->u.w.k);
	report_note(r, "candidates", "%.6g", all);
	report_note(r, "accuracy", "for queries between 0 and 1, no answer is "
	    "off by more than %.6g, with probability %.6g",
	    accuracy(s, alpha, all), 1 - rational_real(s->beta));
	describe_use(s);
}

/* n records in the proportions of y: counts that add up to n exactly. */
static void
scale_records(struct synth *s, const uint32_t *y, i128 *count)
{
	i128 all = (i128)s->total * fixed_pow10(synth_digits(s)), run = 0, now;
	i128 done = 0;

	for (size_t i = 0; i < s->u.n; i++) {
		run += y[i];
		now = all * run / (i128)s->records;
		count[i] = now - done;
		done = now;
	}
}

/* The search, and the counts of its table. */
struct small {
	struct smalldb d;
	int64_t *q, *target;
	i128 *count;
};

/* Everything that depends on the released number of records. */
static void
prepare_draw(struct synth *s, struct small *own)
{
	struct smalldb *d = &own->d;

	synth_total(s);
	settle(s, d);
	fill_scores(s, d, own->q, own->target);
	if (s->opts.non_private)	/* the best is as good as certain */
		d->t = (struct scale){ 1, 1 };
	smalldb_close(d);
	smalldb_open(d);
}

static void
small_check(void *arg)
{
	struct synth *s = arg;

	OPTS_REFUSE(
		{ s->alpha.den > 0 && s->records > 0, "--alpha and --records "
		    "exclude each other" },
		{ s->alpha.den == 0 && s->records == 0, "how large a "
		    "database? (--alpha A or --records M)" });
	synth_check(s);
}

static void
small_open(void *arg, struct intake_use *use)
{
	struct synth *s = arg;
	struct small *own = s->own = err_alloc(NULL, 1, sizeof(*own));
	struct smalldb *d = &own->d;

	(void)use;
	synth_open(s);
	choose_records(s);
	check_size(s);
	synth_scale(s);
	d->n = s->u.n;
	d->k = s->u.w.k;
	d->m = (size_t)s->records;
	d->q = own->q = err_alloc(NULL, d->n * d->k + 1, sizeof(*own->q));
	d->target = own->target = err_alloc(NULL, d->k + 1,
	    sizeof(*own->target));
	own->count = err_alloc(NULL, d->n, sizeof(*own->count));
}

static bool
small_rows(void *arg, uint64_t rel)
{
	struct synth *s = arg;
	struct small *own = s->own;
	struct smalldb *d = &own->d;

	if (rel == 1 || s->variance > 0)
		prepare_draw(s, own);
	if (rel == 1) {
		describe_candidates(s, (double)smalldb_candidates(d->n, d->m));
		synth_header(s, "count");
	}
	smalldb_draw(d, &s->rng);
	scale_records(s, d->y, own->count);
	synth_counts(s, rel, own->count);
	return true;
}

const struct run_steps synth_smalldb = {
	.take = synth_take, .check = small_check, .plan = synth_plan,
	.waits = synth_waits, .open = small_open, .read = synth_count,
	.rows = small_rows, .end = synth_end,
};
