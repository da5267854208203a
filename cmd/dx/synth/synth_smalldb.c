/* synth_smalldb: the small database of what was read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "smalldb.h"
#include "synth.h"
#include "tool/err.h"

#define CELLS ((size_t)40000000)	/* elements times queries */
#define PARTS ((size_t)1 << 21)		/* of the search: 200 MB */

/* [KPAK20 Algorithm 1] m = log|Q| / alpha^2, rounded up, |Q| at least 2. */
static void
choose_records(struct synth *s)
{
	double k = (double)s->u.w.k, alpha = rational_real(s->alpha), m;

	if (s->records > 0)
		return;
	m = ceil(log(k > 2 ? k : 2) / (alpha * alpha));
	if (m > 1e6)
		die(STATUS_USAGE, "--alpha %g asks for %.0f records, more "
		    "than 10^6", alpha, m);
	s->records = (uint64_t)m;
}

/* Refuses, from public sizes alone, what would not end. */
static void
check_size(struct synth *s)
{
	size_t n = s->u.n, fits, k = s->u.w.k;
	u128 all = smalldb_candidates(n, s->records), most;

	if (k > 0 && n > CELLS / k)
		die(STATUS_INPUT, "%zu elements and %zu queries are too many "
		    "for smalldb", n, k);
	most = s->limit < 0x1p120 ? (u128)s->limit : SMALLDB_MANY - 1;
	if (all <= most)
		return;
	fits = smalldb_fits(n, most);
	if (fits == 0)
		die(STATUS_INPUT, "more elements (%zu) than candidates can be "
		    "(%g); see --limit", n, s->limit);
	die(STATUS_INPUT, "%llu records of %zu elements make more than %g "
	    "candidates; at most --records %zu (--alpha %.3g), or see --limit",
	    (unsigned long long)s->records, n, s->limit, fits,
	    sqrt(log(k > 2 ? (double)k : 2) / (double)fits) + 0.0005);
}

/*
 * Scores are in units of each query's own scale c: with mult = floor(unit / c)
 * the error of a candidate, m q(x) - n q(y) times mult, moves by at most
 * m unit E d(i,j), so exp(-error / (2 m unit)) is private [KPAK20 Theorem 5].
 */
static void
fill(struct synth *s, struct smalldb *d, int64_t *q, int64_t *target)
{
	const struct workload *w = &s->u.w;
	i128 *answer = err_alloc(NULL, w->k + 1, sizeof(*answer)), x;

	workload_fill(w, q);
	if (!workload_answer(w, s->u.count, answer))
		die(STATUS_INPUT, "out of memory");
	for (size_t k = 0; k < w->k; k++) {
		size_t in, b = normal_find(&s->q, k, &in);
		const struct normal_block *f = &s->q.block[b];
		int64_t mult = s->q.mult[normal_entry(&s->q, b, in)];

		for (size_t i = 0; i < w->n; i++) {
			x = (q[i * w->k + k] - f->low) / f->step;
			q[i * w->k + k] = (int64_t)(x * mult *
			    (int64_t)s->total);
		}
		x = (answer[k] - (i128)f->low * (int64_t)s->total) / f->step;
		target[k] = (int64_t)(x * mult * (int64_t)d->m);
	}
	free(answer);
	d->t = (struct scale){ 2 * (uint64_t)d->m * (uint64_t)s->q.unit, 1 };
}

/* Scales and multipliers on grids on which all scores fit. */
static void
settle(struct synth *s, const struct smalldb *d)
{
	int64_t most = WORKLOAD_MOST, m = (int64_t)d->m;

	for (;;) {
		synth_scale(s);
		if (normal_multiply(&s->q, s->total, SMALLDB_ANSWER / m,
		    SMALLDB_ANSWER / m))
			return;
		if (!synth_coarser(s, &most))
			die(STATUS_INPUT, "the answers do not fit 60 bits");
	}
}

/*
 * Beyond which n: a record of the small database stands for n/m, counts of all
 * cells have an error that does not depend on n.  In trials (6, 12 and 16
 * cells, ranges, n of 100 to 10,000) the two were equally good where the
 * error of the widest query by counts was 2n/m.  A table of mwem does not
 * believe counts that noise drowns, so it is not behind with fewer records.
 */
static void
describe_use(struct synth *s)
{
	struct scale t;
	double most;

	if (!synth_cell_scale(s, &t))
		return;
	if (normal_error(&s->q, sqrt(2) * (double)t.s / (double)t.r,
	    &most) < 0)
		die(STATUS_INPUT, "out of memory");
	report_note(&s->report, "use", "beyond about %.0f records counts of "
	    "all cells with noise (mwem, laplace hist) are nearer: off by "
	    "about %.4g; with fewer, mwem errs as little as a rule",
	    (double)s->records * most / 2, most);
}

static void
describe(struct synth *s, double all)
{
	struct report *r = &s->report;
	double m = (double)s->records, c;
	double alpha = sqrt(log(s->u.w.k > 2 ? (double)s->u.w.k : 2) / m);

	(void)synth_mean_scale(s, &c);

	r->digits = synth_digits(s);
	report_note(r, "records", "%llu of %zu elements, %zu queries",
	    (unsigned long long)s->records, s->u.n, s->u.w.k);
	report_note(r, "candidates", "%.6g", all);
	report_note(r, "accuracy", "for queries between 0 and 1, no answer is "
	    "off by more than %.6g, with probability %.6g",
	    alpha * (double)s->total + 2 * c * (log(all) -
	    log(rational_real(s->beta))), 1 - rational_real(s->beta));
	describe_use(s);
	if (s->opts.verbose)
		report_verbose(r);
}

static int
by_number(const void *a, const void *b)
{
	const uint32_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* n records in the proportions of y: counts that add up to n exactly. */
static void
spread(struct synth *s, uint32_t *y, i128 *count)
{
	i128 all = (i128)s->total * fixed_pow10(synth_digits(s)), done = 0;
	size_t m = (size_t)s->records, i;

	if (all > FIXED_MAX)
		die(STATUS_USAGE, "--digits: too many for %llu records",
		    (unsigned long long)s->total);
	qsort(y, m, sizeof(*y), by_number);
	memset(count, 0, s->u.n * sizeof(*count));
	for (i = 0; i < m; i++) {
		i128 now = all * (i128)(i + 1) / (i128)m;

		count[y[i]] += now - done;
		done = now;
	}
}

/* A scale so small that the best candidate is certain, for all we know. */
static void
freeze(struct smalldb *d)
{
	int64_t most = 1, x;

	for (size_t i = 0; i < d->k; i++) {
		x = d->target[i] < 0 ? -d->target[i] : d->target[i];
		most = x > most ? x : most;
	}
	for (size_t i = 0; i < d->n * d->k; i++) {
		x = (d->q[i] < 0 ? -d->q[i] : d->q[i]) * (int64_t)d->m;
		most = x > most ? x : most;
	}
	d->t = (struct scale){ 1, (uint64_t)(FIXED_MAX / most / 4) };
	if (d->t.r > 200)
		d->t.r = 200;
}

static void
draw(struct synth *s, struct smalldb *d, uint64_t rel)
{
	uint32_t *y = err_alloc(NULL, d->m, sizeof(*y));
	i128 *count = err_alloc(NULL, s->u.n, sizeof(*count));
	if (smalldb_search(d, &s->rng, PARTS, y) != SMALLDB_OK)
		die(STATUS_INPUT, "out of memory");
	spread(s, y, count);
	synth_counts(s, rel, count);
	free(count);
	free(y);
}

void
synth_smalldb(struct synth *s)
{
	struct smalldb d = { .n = 0 };
	int64_t *q, *target;
	double all;

	synth_check(s);
	synth_open(s);
	choose_records(s);
	check_size(s);
	s->total = synth_count(s);
	d.n = s->u.n;
	d.k = s->u.w.k;
	d.m = (size_t)s->records;
	q = err_alloc(NULL, d.n * d.k + 1, sizeof(*q));
	target = err_alloc(NULL, d.k + 1, sizeof(*target));
	settle(s, &d);
	fill(s, &d, q, target);
	d.q = q;
	d.target = target;
	if (s->opts.non_private)
		freeze(&d);
	all = (double)smalldb_candidates(d.n, d.m);
	describe(s, all);
	synth_header(s, "count");
	for (uint64_t rel = 1; rel <= s->opts.repeat; rel++)
		draw(s, &d, rel);
	free(q);
	free(target);
	synth_end(s);
}
