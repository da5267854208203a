/*
 * lap_universe: counts of keys from a pattern or a long list.
 *
 * The keys come from a public pattern, or from a public list too long to be
 * printed.  Each key's count gets noise, as with --keys, and a key is printed
 * if the noisy count reaches a public threshold.  Leaving out a count after the
 * noise is post-processing, so the release is E-differentially private without
 * a delta.  unseen.c draws the keys without a record that reach the threshold,
 * so that time and memory grow with the records.  Lines are in the order of the
 * pattern, where keys with and without records are alike.
 *
 * For sums, means and deviations give the printed keys as --groups, with the
 * rest of epsilon.
 */
#include "lap.h"

#include "input/column.h"
#include "pattern.h"
#include "tool/err.h"
#include "unseen.h"

struct universe {
	struct pattern pattern;
	uint64_t n;		/* possible keys */
	u128 threshold;
	struct column keys;	/* ranks with records, and their weights */
	i128 others;		/* of --others */
};

/* --- reading ------------------------------------------------------------ */

/*
 * Ranks are gathered, sorted and merged now and then: cheaper than a hash
 * table with entries far apart in memory.
 */
static void
lap_universe_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	struct universe *v = l->own;

	(void)group;
	if (x[0] < 0 || (uint64_t)x[0] == v->n)
		v->others = fixed_add_sat(v->others, (i128)w);
	else
		column_add(&v->keys, x[0], w, true);
}

/* The rank of a key, byte by byte, or PATTERN_NONE. */
static uint64_t
rank_of(const struct lap *l, struct label key)
{
	const struct universe *v = l->own;
	size_t i;

	if (l->list.n == 0)
		return pattern_rank(&v->pattern, key.text, key.len);
	i = keys_find(&l->list, key.text, key.len);
	return i < l->list.n ? i : PATTERN_NONE;
}

/* intake's number for a key: the rank with blanks, else without blanks; n (with
   --check -1) for none. */
static bool
code(void *arg, const struct cell *cells, int64_t *x)
{
	const struct lap *l = arg;
	const struct universe *v = l->own;
	uint64_t rank;

	x[0] = l->opts.check ? -1 : (int64_t)v->n;
	if (cells[0].missing)
		return true;
	rank = rank_of(l, (struct label){ cells[0].text, cells[0].len });
	if (rank == PATTERN_NONE)
		rank = rank_of(l, text_trim(cells[0].text, cells[0].len));
	if (rank != PATTERN_NONE)
		x[0] = (int64_t)rank;
	return true;
}

/*
 * The first key is a cell of the column, as the schema reads it, or no record
 * would ever be counted.  Days are those of datetimes, too.
 */
static void
lap_universe_fits(const struct lap *l)
{
	const struct pattern *p = &((const struct universe *)l->own)->pattern;
	const struct column_view *v = table_view(l->in.table, l->in.cols[0]);
	char first[PATTERN_LONG], room[SCHEMA_BEFORE + SCHEMA_ROOM];
	struct label key = { first, 0 }, word;

	if (v == NULL || l->list.n > 0 || (p->kind == PATTERN_DATES &&
	    v->field->type == SCHEMA_DATETIME))
		return;
	key.len = pattern_key(p, 0, first);
	word = key;
	if (!view_word(v, &word, room + SCHEMA_BEFORE) ||
	    id_by_bytes(word, key) != 0 || !keys_known(v, 1, &word))
		view_advise(v, "the schema reads no cell of it as the first "
		    "key of --universe");
}

static void
lap_universe_opened(struct lap *l)
{
	lap_universe_fits(l);
	if (lap_in_cells(l))
		l->use->cells = l->plan.m;
	l->plan.m = 1;		/* counts are gathered by rank */
	l->use->texts = 1;
	l->use->code = code;
}

/* --- the plan ----------------------------------------------------------- */

/* Notes a count, given in noise steps, as printed. */
static void
note_answer(struct lap *l, const char *key, u128 steps)
{
	struct rational x;
	char buf[FIXED_TEXT];

	if (rational_make(&x, (i128)steps, (i128)l->opts.unit.whole *
	    fixed_pow10(l->plan.noise[0].grid)))
		report_note(&l->report, key, "%s", rational_text(buf, x));
}

/* P[c + X < T] <= 1/20 from c = T - 1 + m on, where P[X >= m] <= 1/20. */
static void
lap_universe_note(struct lap *l)
{
	struct universe *v = l->own;
	const struct scale *t = &l->plan.noise[0].t;
	struct rational part = { 1, 20 };
	char buf[FIXED_TEXT];

	report_note(&l->report, "keys", "%llu, those printed whose noisy "
	    "count reaches the threshold", (unsigned long long)v->n);
	report_note(&l->report, "false_keys", "%s expected at most, of keys "
	    "without a record", rational_text(buf, l->args.false_keys));
	if (l->plan.eps.den == 0) {
		report_note(&l->report, "threshold", "about scale times "
		    "ln(keys / false keys)");
		return;
	}
	v->threshold = unseen_threshold(v->n, l->args.false_keys, t);
	note_answer(l, "threshold", v->threshold);
	note_answer(l, "count_seen_95",
	    v->threshold - 1 + unseen_threshold(1, part, t));
}

/* --- the release -------------------------------------------------------- */

static void
write_row(struct lap *l, uint64_t rel, struct label key, i128 noisy)
{
	struct answer a = lap_answer_noisy(l, noisy, 0);

	release_row(&l->out, rel, &key, &a);
}

static void
write_key(struct lap *l, uint64_t rel, uint64_t rank, i128 noisy)
{
	const struct universe *v = l->own;
	char buf[PATTERN_LONG];

	write_row(l, rel, l->list.n > 0 ? l->list.key[rank] : (struct label){
	    buf, pattern_key(&v->pattern, rank, buf) }, noisy);
}

/*
 * Merges keys with records and keys whose noise alone reaches the threshold, by
 * rank.  For a key of either kind at once the noise drawn with the count
 * decides.  Without noise: the keys with records.
 */
static void
lap_universe_rows(struct lap *l, uint64_t rel)
{
	const struct universe *v = l->own;
	const struct scale *t = &l->plan.noise[0].t;
	bool exact = l->opts.non_private, more;
	struct unseen u;
	uint64_t rank;

	unseen_start(&u, v->n, v->threshold, t);
	more = !exact && unseen_next(&u, &l->rng, &rank);
	for (size_t i = 0; more || i < v->keys.n;) {
		if (i == v->keys.n || (more && rank < (uint64_t)v->keys.x[i])) {
			write_key(l, rel, rank,
			    (i128)unseen_noise(&u, &l->rng));
			more = unseen_next(&u, &l->rng, &rank);
			continue;
		}
		if (more && rank == (uint64_t)v->keys.x[i])
			more = unseen_next(&u, &l->rng, &rank);
		METER_KEY(rel, (uint64_t)v->keys.x[i]);
		i128 noisy = lap_noisy(l, (i128)v->keys.w[i], 0);

		if (exact || noisy >= (i128)v->threshold)
			write_key(l, rel, (uint64_t)v->keys.x[i], noisy);
		i++;
	}
	if (l->opts.others)
		write_row(l, rel, (struct label){ KEYS_OTHERS,
		    strlen(KEYS_OTHERS) }, lap_noisy(l, v->others, 0));
}

static void
lap_universe_start(struct lap *l)
{
	struct universe *v = l->own;
	struct pattern_error error;
	const char *text = l->args.universe;

	if (text == NULL) {
		v->n = l->list.n;
	} else if (pattern_parse(&v->pattern, text, &error)) {
		v->n = v->pattern.keys;
		if (v->n == 1 && v->pattern.kind == PATTERN_WORDS)
			err_warn("--universe '%s' is one key, this word: "
			    "numbers are A..B, and words (a|b)", text);
	} else
		err_die(STATUS_USAGE, "--universe '%s', at byte %zu: %s", text,
		    error.at + 1, error.why);
	l->plan.m = (size_t)v->n + l->opts.others;
	l->plan.d = 1;
	l->plan.each = 100;
}

static void
lap_universe_check(struct lap *l)
{
	lap_universe_start(l);
	l->use->texts = 1;
	l->use->code = code;
	l->use->list = NULL;
	lap_universe_fits(l);
	if (l->args.universe != NULL)
		l->use->listed = "--universe";
	if (lap_in_cells(l))
		l->use->cells = l->plan.m;
}

/* Each rank once, ascending; counts stop at 2^64 - 1. */
static void
lap_universe_ask(struct lap *l)
{
	struct universe *v = l->own;

	column_sort(&v->keys);
}

const struct lap_way lap_universe = {
	.start = lap_universe_start, .note = lap_universe_note,
	.open = lap_universe_opened, .ask = lap_universe_ask,
	.declare = lap_counts, .rows = lap_universe_rows,
	.check = lap_universe_check, .own = sizeof(struct universe),
	.body = { &(const struct lap_body){ .plan = lap_count_noise,
	    .take = lap_universe_take } }
};
