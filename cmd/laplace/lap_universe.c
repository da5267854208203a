/*
 * lap_universe: a histogram over keys that nobody listed.
 *
 * The keys are those of a public pattern, with or without records.  Each of
 * their counts gets noise, as with --keys, and those whose noisy count reaches
 * a public threshold are printed: what others leave out after the noise is
 * post-processing, so the release is E-differentially private without a delta.
 * Which keys without a record reach it is drawn by unseen.c, so that time and
 * memory grow with the records.  Lines are in the order of the pattern, in
 * which keys with and without records are alike.
 */
#include "lap_universe.h"

#include <stdlib.h>
#include <string.h>

#include "input/column.h"
#include "lap_run.h"
#include "number/sort.h"
#include "pattern.h"
#include "tool/err.h"
#include "unseen.h"

struct universe {
	struct lap *l;
	struct pattern pattern;
	u128 threshold;		/* in steps of the noise's grid */
	struct column keys;	/* ranks that have records, with weights */
};

/*
 * Ranks are gathered, sorted and merged now and then: cheaper than a hash
 * table, whose every entry is elsewhere in memory.
 */
static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct universe *v = arg;

	(void)group;
	if (x[0] >= 0)
		column_add(&v->keys, x[0], w, true);
}

/* intake's number for a key: its rank, as it stands or without blanks. */
static bool
code(void *arg, const struct cell *cells, int64_t *x)
{
	const struct universe *v = arg;
	struct label l;
	uint64_t rank;

	x[0] = -1;
	if (cells[0].missing)
		return true;
	rank = pattern_rank(&v->pattern, cells[0].text, cells[0].len);
	if (rank == PATTERN_NONE) {
		l = keys_trim(cells[0].text, cells[0].len);
		rank = pattern_rank(&v->pattern, l.text, l.len);
	}
	if (rank != PATTERN_NONE)
		x[0] = (int64_t)rank;
	return true;
}

/* By rank, each once; counts stay at 2^64 - 1 where they would pass it. */
static void
sort_keys(struct universe *v)
{
	struct column *c = &v->keys;

	if (c->n == 0)
		return;
	if (!sort_pairs(c->x, c->w, c->n))
		die(STATUS_INPUT, "out of memory");
	c->n = sort_merge(c->x, c->w, c->n);
}

/* [DMNS06 Example 3] */
static bool
plan(struct lap *l)
{
	enum sums_relation relation = l->opts.neighbors == NEIGHBORS_SWAP ?
	    SUMS_SWAP : SUMS_ADD_REMOVE;

	lap_room(l, 1);
	return lap_count_noise(l, sums_sens_hist(l->m, relation));
}

/* A count in steps of the noise, in records or people. */
static void
note_count(struct lap *l, const char *key, u128 steps)
{
	struct rational x;
	char buf[FIXED_TEXT];

	if (rational_make(&x, (i128)steps, (i128)opts_whole(&l->opts)))
		report_note(&l->report, key, "%s", rational_text(buf, x));
}

/* P[c + X < T] <= 1/20 from c = T - 1 + m on, where P[X >= m] <= 1/20. */
static void
set_threshold(struct universe *v)
{
	struct lap *l = v->l;
	const struct scale *t = &l->plan.noise[0].t;
	struct rational part = { 1, 20 };
	char buf[FIXED_TEXT];

	report_note(&l->report, "keys", "%llu, those printed whose noisy "
	    "count reaches the threshold",
	    (unsigned long long)v->pattern.keys);
	report_note(&l->report, "false_keys", "%s expected at most, of keys "
	    "without a record", rational_text(buf, l->args.false_keys));
	if (!l->plan.has_eps) {
		report_note(&l->report, "threshold", "about scale times "
		    "ln(keys / false keys)");
		return;
	}
	v->threshold = unseen_threshold(v->pattern.keys, l->args.false_keys,
	    t);
	note_count(l, "threshold", v->threshold);
	note_count(l, "count_seen_95", v->threshold - 1 +
	    unseen_threshold(1, part, t));
}

static void
write_key(struct universe *v, uint64_t rel, uint64_t rank, i128 noisy)
{
	char buf[PATTERN_LONG];
	struct label key = { buf, pattern_key(&v->pattern, rank, buf) };
	struct answer a = lap_answer_noisy(v->l, noisy, 0);

	release_row(&v->l->out, rel, &key, &a);
}

/* One release without noise: the keys that have records. */
static void
write_exact(struct universe *v, uint64_t rel)
{
	for (size_t i = 0; i < v->keys.n; i++)
		write_key(v, rel, (uint64_t)v->keys.x[i], (i128)v->keys.w[i]);
}

/*
 * Keys with records and those whose noise alone reaches the threshold, both
 * by rank; where a key is both, the noise drawn with its count decides.
 */
static void
write_noisy(struct universe *v, uint64_t rel)
{
	struct lap *l = v->l;
	const struct scale *t = &l->plan.noise[0].t;
	struct unseen u;
	uint64_t rank;
	size_t i = 0;
	bool more;

	unseen_start(&u, v->pattern.keys, v->threshold, t);
	more = unseen_next(&u, &l->rng, &rank);
	while (more || i < v->keys.n) {
		if (i == v->keys.n || (more && rank < (uint64_t)v->keys.x[i])) {
			write_key(v, rel, rank,
			    (i128)unseen_noise(&u, &l->rng));
			more = unseen_next(&u, &l->rng, &rank);
			continue;
		}
		if (more && rank == (uint64_t)v->keys.x[i])
			more = unseen_next(&u, &l->rng, &rank);
		i128 noisy = (i128)v->keys.w[i] + noise_laplace(&l->rng, t);

		if (noisy >= (i128)v->threshold)
			write_key(v, rel, (uint64_t)v->keys.x[i], noisy);
		i++;
	}
}

static void
parse(struct universe *v)
{
	struct pattern_error error;
	const char *text = v->l->args.universe;

	if (!pattern_parse(&v->pattern, text, &error))
		die(STATUS_USAGE, "--universe '%s', at byte %zu: %s", text,
		    error.at + 1, error.why);
}

void
lap_universe_check(struct lap *l)
{
	struct universe v = { .l = l };

	parse(&v);
	intake_open(&l->in, &l->opts, 1, 1, 0);
	l->in.texts = 1;
	l->in.code = code;
	l->in.listed = "--universe";
	intake_read(&l->in, take, &v);
}

void
lap_universe(struct lap *l)
{
	struct universe v = { .l = l };

	parse(&v);
	l->m = (size_t)v.pattern.keys;
	lap_settle(l, plan);
	set_threshold(&v);
	lap_prepare(l);
	lap_open(l, plan);
	l->in.texts = 1;
	l->in.code = code;
	intake_read(&l->in, take, &v);
	sort_keys(&v);
	lap_begin(l);
	release_key(&l->out, lap_name(l, 0));
	release_answer(&l->out, NULL, "count", l->report.digits);
	lap_header(l);
	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		if (l->opts.non_private)
			write_exact(&v, rel);
		else
			write_noisy(&v, rel);
	lap_end(l);
	pattern_free(&v.pattern);
	column_free(&v.keys);
}
