/*
 * choice: expmech, from its options to its output.
 *
 * With -s S and -k K each draw among K has E/K and the scale 2 S K / E, or S K
 * / E with --monotonic.  With --scale C the scale is 2 C K / E, E by default 1.
 * Scores are rounded to the grid by floor(x + 1/2), score by score, and S is
 * rounded up to the grid, so a score moves by no more steps than S has.
 *
 * With --keys a candidate's score counts the records that name the candidate.
 * A record more or less moves one score by 1, and no score the other way, so S
 * is 1 without the factor 2.  Under swap one score may rise while another
 * falls, and the factor 2 is needed.  With --unit so does a person's weight,
 * and with --epsilon-column a record's: the loss is linear in weight.
 *
 * [DMNS06 Section 3.3] The candidates are public, so messages may report errors
 * in the list; the scores are private.  With --keys a file has the list, or a
 * schema where -c is one column, and the records are votes.
 */
#include "choice.h"

#include <stdlib.h>

#include "number/sort.h"
#include "run/complete.h"
#include "tool/burden.h"
#include "tool/err.h"
#include "tool/names.h"

#define SENS_PARTS 1000000	/* grid steps in S */
#define SCALE_PARTS 1000000000	/* and in C */

static void
choice_take(void *arg, int code)
{
	struct choice *e = arg;

	switch (code) {
	case 's': e->sens_arg = opts_positive(OPTARG); break;
	case 'k': e->k = opts_count(OPTARG, 1, 1000000000); break;
	case OPT_MONOTONIC: e->monotonic = true; break;
	case OPT_MECHANISM: e->kind = opts_mechanism(optarg); break;
	case OPT_KEYS: e->keys_path = optarg; break;
	case OPT_SCALE: e->scale_arg = opts_positive(OPTARG); break;
	default:
		opts_take(&e->opts, code);
	}
}

/* Candidates with scores: the list is public, so every candidate counts. */
static void
choice_check_list(const struct opts *o)
{
	OPTS_REFUSE(
		{ o->weight != NULL, "a score has no weight: --weight counts "
		    "the records of each of --keys" },
		{ o->unit.column != NULL, "a score is nobody's: --unit brings "
		    "people together who vote for --keys" },
		{ o->own_column != NULL, "a score is nobody's: "
		    "--epsilon-column is for records that vote for --keys" },
		{ o->on_bad == ON_BAD_DROP, "the candidates are public: "
		    "--on-bad is a number or fail" },
		{ o->ranges.n > 1,
		    "one column of scores takes one --range" });
}

/* Counts of records: the sensitivity is known. */
static void
check_counts(struct choice *e)
{
	const struct opts *o = &e->opts;
	enum per per = o->unit.per;

	OPTS_REFUSE(
		{ e->sens_arg.den + e->scale_arg.den > 0 || e->monotonic ||
		    o->ranges.n > 0 || o->digits >= 0, "with --keys the scores "
		    "are counts, of sensitivity 1: no --sensitivity, --scale, "
		    "--monotonic, --range, --digits" },
		{ per != PER_NONE && per != PER_ANY && per != PER_SHARE,
		    "a name has no sum, mean, least or most: --per any or "
		    "share, or --max-rows K" });
	e->monotonic = o->neighbors == NEIGHBORS_ADD_REMOVE;
}

static void
choice_check(void *arg)
{
	struct choice *e = arg;
	struct opts *o = &e->opts;
	bool scale = e->scale_arg.den > 0, sens = e->sens_arg.den > 0;
	bool vote = e->keys_path == NULL && !scale && !sens &&
	    o->columns != NULL && names_count(o->columns) == 1;
	struct operation op = { .listed = e->keys_path == NULL && !vote,
	    .people = true, .keyed = true, .own_weight = true };

	opts_file(o, 0);
	if (scale)
		op.eps = (struct rational){ 1, 1 };
	complete_options(o, &op);
	if (vote && o->schema != NULL && o->schema->n > 0)
		e->keys_path = KEYS_SCHEMA;
	sens = sens || e->keys_path != NULL;
	if (e->keys_path != NULL)
		check_counts(e);
	else
		choice_check_list(o);
	opts_check(o);
	OPTS_REFUSE(
		{ sens && scale && e->keys_path == NULL, "-s and "
		    "--scale exclude each other: the second is for a metric" },
		{ !o->check && sens == scale, "candidates with "
		    "scores need -s S or --scale C; records that vote need "
		    "--keys FILE, the public candidates, one on a line" },
		{ scale && e->monotonic, "--scale and --monotonic "
		    "exclude each other" });
}

static int
grid_digits(const struct choice *e)
{
	const struct opts *o = &e->opts;
	int digits = 0;

	if (o->digits >= 0)
		return o->digits;
	if (e->keys_path != NULL)
		return 0;
	if (e->scale_arg.den > 0)
		grid_limit(&digits, e->scale_arg, SCALE_PARTS);
	else {
		grid_limit(&digits, e->sens_arg, SENS_PARTS);
		grid_hold(&digits, e->sens_arg);
	}
	if (o->ranges.n > 0) {
		grid_hold(&digits, o->ranges.at[0].lo);
		grid_hold(&digits, o->ranges.at[0].hi);
	}
	return digits;
}

/* Steps of a score in a unit: the number 1, a record or a person. */
static i128
score_unit(const struct choice *e)
{
	if (e->keys_path == NULL)
		return fixed_pow10(e->digits);
	return (i128)e->opts.unit.whole;
}

/* By how many steps a score moves; the sensitivity in the report. */
static bool
set_sens(struct choice *e, struct rational *moves)
{
	int64_t steps = (int64_t)e->opts.unit.records;

	if (e->scale_arg.den > 0)
		return rational_mul(moves, e->scale_arg, (struct rational){
		    fixed_pow10(e->digits), 1 });
	if (e->keys_path == NULL &&
	    !rational_grid(e->sens_arg, e->digits, FIXED_CEIL, &steps))
		return false;
	*moves = (struct rational){ steps, 1 };
	return rational_make(&e->report.sens, steps, score_unit(e));
}

bool
choice_law(struct scale *t, struct rational moves, struct rational eps)
{
	return rational_div(&moves, moves, eps) && moves.num > 0 &&
	    scale_make(t, (u128)moves.num, (struct rational){ moves.den, 1 });
}

/* The scale for a draw with E/K, in steps. */
static bool
choice_scale(struct choice *e, struct rational moves)
{
	struct rational times = { (i128)e->k, 1 };

	if (!e->monotonic)
		times.num *= 2;
	return rational_mul(&moves, moves, times) &&
	    choice_law(&e->t, moves, e->opts.eps);
}

/* Grid and scale. */
static void
choice_scales(struct choice *e)
{
	struct report *r = &e->report;
	struct rational moves;
	bool ok;

	e->digits = grid_digits(e);
	ok = e->digits >= 0 && set_sens(e, &moves) &&
	    (e->opts.eps.den == 0 || choice_scale(e, moves));
	if (!ok)
		err_die(STATUS_USAGE, "these parameters do not fit 64 bits on "
		    "their grid; give fewer --digits");
	r->digits = e->digits;
	if (e->opts.eps.den == 0)
		return;
	r->eps = e->opts.eps;
	rational_div(&r->scale, (struct rational){ e->t.s, e->t.r },
	    (struct rational){ score_unit(e), 1 });
}

static void
choice_describe(struct choice *e)
{
	static const char *const twice[] = { "2 ", "" };
	static const char *const draws[] = { "", " times the draws" };
	struct report *r = &e->report;

	r->opts = &e->opts;
	r->mechanism = "permute-and-flip";
	r->noise = "candidates come in random order, and one of score u is "
	    "taken with chance exp((u - best) / scale)";
	if (e->kind == SELECT_EXPONENTIAL) {
		r->mechanism = "exponential mechanism";
		r->noise = "a candidate of score u has the weight "
		    "exp(u / scale)";
	}
	if (e->keys_path != NULL)
		report_note(r, "score", "the number of records of each of "
		    "the public keys");
	else if (opts_given(&e->opts, OPT_NEIGHBORS) == NULL) {
		r->neighbors = "that of the scores";
		r->stated = true;
	}
	if (e->k > 1)
		report_note(r, "split", "each of %llu draws without "
		    "replacement has E/%llu", (unsigned long long)e->k,
		    (unsigned long long)e->k);
	if (e->monotonic && e->keys_path == NULL)
		report_note(r, "monotonic", "holds where all scores move the "
		    "same way between neighbors");
	if (e->opts.eps.den == 0)
		report_note(r, "scale_formula", "%ssensitivity%s / E",
		    twice[e->monotonic], draws[e->k > 1]);
	if (e->scale_arg.den > 0)
		report_note(r, "metric", "E d-private where a score moves by "
		    "at most C d between records at distance d");
}

static void
choice_plan(void *arg)
{
	struct choice *e = arg;
	size_t columns = 2;
	struct bounds range;
	char text[FIXED_TEXT];

	if (e->opts.check)
		return;
	if (e->keys_path != NULL)
		columns = 1;
	opts_listed_columns(&e->opts, columns, columns);
	choice_describe(e);
	choice_scales(e);
	if (e->keys_path == NULL)
		report_note(&e->report, "largest", "a score beyond %s in size "
		    "counts as this", fixed_text(text, FIXED_MAX, e->digits));
	intake_range(&e->opts, 0, e->digits, &range);
}

static void
choice_score(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct choice *e = arg;
	const struct cell *c = e->in.cells;
	size_t room = e->room;

	(void)group, (void)w;
	cell_public(c);		/* the score alone is private */
	e->score = err_grow(e->score, e->n, &room, sizeof(*e->score));
	e->name = err_grow(e->name, e->n, &e->room, sizeof(*e->name));
	if (c->missing)
		err_die(STATUS_INPUT, "record %llu: no candidate",
		    (unsigned long long)e->in.records);
	text_bytes(&e->text, c->text, c->len);
	e->name[e->n].len = c->len;
	e->score[e->n++] = x[1];
}

/* The candidate that a record names; n: an unlisted name, below 0: no name. */
static bool
code_vote(void *arg, const struct cell *cells, int64_t *x)
{
	const struct choice *e = arg;

	x[0] = -1;
	if (cells[0].missing)
		return false;
	x[0] = (int64_t)keys_find(&e->keys, cells[0].text, cells[0].len);
	return true;
}

static void
take_vote(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct choice *e = arg;
	uint64_t room;

	(void)group;
	if ((size_t)x[0] >= e->n)
		return;
	room = (uint64_t)(FIXED_MAX - e->score[x[0]]);
	e->score[x[0]] += (int64_t)FIXED_LEAST(w, room);
}

static void
choice_enough(const struct choice *e)
{
	if (e->n == 0)
		err_die(STATUS_INPUT, "no candidates");
	if (e->n < e->k)
		err_die(STATUS_INPUT, "fewer candidates than draws (-k)");
}

/* The keys are public, and have to do before a record is paid for. */
static void
choice_open_keys(struct choice *e, struct intake_use *use)
{
	keys_of(&e->keys, &e->opts, "--keys", e->keys_path, e->opts.columns,
	    NULL, 1);
	e->n = e->keys.n;
	choice_enough(e);
	e->name = e->keys.key;
	e->score = err_alloc(NULL, e->n, sizeof(*e->score));
	intake_open(&e->in, table_input(&e->opts), &e->opts, 1, 1, 0);
	if (table_named(e->in.table) && e->keys_path != KEYS_SCHEMA)
		keys_warn_header(&e->keys, "--keys",
		    table_name(e->in.table, e->in.cols[0]));
	burden_bear(&e->opts, &(struct burden){
	    .numbers = (u128)e->k * e->opts.repeat,
	    .labels = (u128)e->keys.text.len * e->opts.repeat });
	use->take = take_vote;
	if (e->opts.check) {
		use->listed = "--keys";
		use->list = &e->keys;
	} else {
		use->code = code_vote;
	}
}

static void
choice_open_scores(struct choice *e, struct intake_use *use)
{
	intake_open(&e->in, table_input(&e->opts), &e->opts, 2, 2, e->digits);
	if (table_same(e->in.table, e->in.cols[0], e->in.cols[1]))
		err_die(STATUS_USAGE, "one column is not both the public "
		    "candidates and their private scores (-c)");
	view_step(table_view(e->in.table, e->in.cols[1]), false);
	use->take = choice_score;
}

static void
choice_open(void *arg, struct intake_use *use)
{
	struct choice *e = arg;

	use->texts = 1;
	e->chosen = err_alloc(NULL, e->k, sizeof(*e->chosen));
	if (e->keys_path != NULL)
		choice_open_keys(e, use);
	else
		choice_open_scores(e, use);
}

/* The names of read candidates, where they stay. */
static void
choice_ask(void *arg)
{
	struct choice *e = arg;
	size_t at = 0;

	if (e->keys_path != NULL)
		return;
	for (size_t i = 0; i < e->n; at += e->name[i++].len)
		e->name[i].text = e->text.buf + at;
	choice_enough(e);
}

/* The k best for --non-private; among equal scores the first comes first. */
static void
best(const struct choice *e, size_t *chosen)
{
	int64_t *x = err_alloc(NULL, e->n, sizeof(*x));
	uint64_t *at = err_alloc(NULL, e->n, sizeof(*at));

	for (size_t i = 0; i < e->n; i++) {
		x[i] = -e->score[i];
		at[i] = i;
	}
	sort_pairs(x, at, e->n);
	for (size_t i = 0; i < e->k; i++)
		chosen[i] = at[i];
	free(x);
	free(at);
}

static void
choice_declare(void *arg)
{
	struct choice *e = arg;

	release_answer(&e->out, table_name(e->in.table, e->in.cols[0]), NULL,
	    0);
}

static bool
choice_rows(void *arg, uint64_t rel)
{
	struct choice *e = arg;

	if (e->opts.non_private)
		best(e, e->chosen);
	else
		select_draw(&e->rng, &e->t, e->kind, e->score, e->n, e->k,
		    e->chosen);
	for (size_t i = 0; i < e->k; i++) {
		e->out.word = &e->name[e->chosen[i]];
		release_row(&e->out, rel, NULL, NULL);
	}
	return true;
}

const struct run_steps choice_steps = {
	.take = choice_take, .check = choice_check, .plan = choice_plan,
	.open = choice_open, .ask = choice_ask, .declare = choice_declare,
	.rows = choice_rows,
};
