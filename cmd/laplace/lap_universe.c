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

#include "lap_run.h"
#include "number/sort.h"
#include "pattern.h"
#include "tool/err.h"
#include "unseen.h"

#define COUNT_MOST ((uint64_t)1 << 62)	/* counts stay there: 1-Lipschitz */

/* Counts of the keys that have records: a hash table, then sorted by rank. */
struct universe {
	struct lap *l;
	struct pattern pattern;
	u128 threshold;		/* in steps of the noise's grid */
	int64_t *rank;		/* -1: free */
	uint64_t *count;
	size_t room, n;		/* a power of two; used */
};

/* Mixes bits, so that ranks at regular distances fall apart. */
static size_t
slot_of(const struct universe *v, int64_t rank)
{
	uint64_t x = (uint64_t)rank * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(x ^ x >> 32) & (v->room - 1);

	while (v->rank[i] != -1 && v->rank[i] != rank)
		i = (i + 1) & (v->room - 1);
	return i;
}

static void
make_room(struct universe *v, size_t room)
{
	int64_t *rank = v->rank;
	uint64_t *count = v->count;
	size_t old = v->room;

	v->rank = err_alloc(NULL, room, sizeof(*v->rank));
	v->count = err_alloc(NULL, room, sizeof(*v->count));
	v->room = room;
	for (size_t i = 0; i < room; i++)
		v->rank[i] = -1;
	for (size_t i = 0; i < old; i++)
		if (rank[i] != -1) {
			size_t to = slot_of(v, rank[i]);

			v->rank[to] = rank[i];
			v->count[to] = count[i];
		}
	free(rank);
	free(count);
}

static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct universe *v = arg;
	size_t i;

	(void)group;
	if (x[0] < 0)
		return;
	i = slot_of(v, x[0]);
	if (v->rank[i] == -1) {
		if (v->n >= v->room / 2) {
			make_room(v, 2 * v->room);
			i = slot_of(v, x[0]);
		}
		v->rank[i] = x[0];
		v->count[i] = 0;
		v->n++;
	}
	v->count[i] = w < COUNT_MOST - v->count[i] ? v->count[i] + w :
	    COUNT_MOST;
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

/* The table becomes a list by rank. */
static void
sort_keys(struct universe *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->room; i++)
		if (v->rank[i] != -1) {
			v->rank[n] = v->rank[i];
			v->count[n++] = v->count[i];
		}
	if (!sort_pairs(v->rank, v->count, n))
		die(STATUS_INPUT, "out of memory");
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
	for (size_t i = 0; i < v->n; i++)
		write_key(v, rel, (uint64_t)v->rank[i], (i128)v->count[i]);
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
	while (more || i < v->n) {
		if (i == v->n || (more && rank < (uint64_t)v->rank[i])) {
			write_key(v, rel, rank,
			    (i128)unseen_noise(&u, &l->rng));
			more = unseen_next(&u, &l->rng, &rank);
			continue;
		}
		if (more && rank == (uint64_t)v->rank[i])
			more = unseen_next(&u, &l->rng, &rank);
		i128 noisy = (i128)v->count[i] + noise_laplace(&l->rng, t);

		if (noisy >= (i128)v->threshold)
			write_key(v, rel, (uint64_t)v->rank[i], noisy);
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
	make_room(v, 1024);
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
	free(v.rank);
	free(v.count);
}
