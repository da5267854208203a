/* intake: records of private numbers under the shared options. */
#include "intake.h"

#include <stdlib.h>

#include "intake_parts.h"
#include "number/taint.h"
#include "random/personal.h"
#include "tool/err.h"

static inline bool
is_late(const struct intake *in)
{
	return in->unit != NULL && opts_totals(in->o);
}

/* A person's aggregate on the grid of column c. */
static i128
aggregate(const struct intake *in, size_t c, int64_t x)
{
	i128 wide = x;

	if (in->o->unit.per == PER_COUNT)
		wide *= fixed_pow10(in->bounds[c].digits);
	return wide;
}

/* The same within the range. */
static int64_t
aggregate_clamp(const struct intake *in, size_t c, int64_t x)
{
	return fixed_clamp_wide(aggregate(in, c, x), in->bounds[c].lo,
	    in->bounds[c].hi);
}

/* Gives the tool a record: its group, its numbers and its weight. */
static inline void
intake_hand_over(struct intake *in, size_t group, const int64_t *x, uint64_t w)
{
	taint_private(&group, sizeof(group));
	taint_private(x, in->k * sizeof(*x));
	taint_private(&w, sizeof(w));
	in->take(in->arg, group, x, w);
}

/*
 * Takes a record of a person.  With `cells' it is one number that holds the
 * group as well.  A person without a good row has no weight.
 */
static void
give(void *arg, uint64_t group, const int64_t *x, uint64_t w)
{
	struct intake *in = arg;
	uint64_t cells = in->use.cells;
	bool weighs = in->o->sampling.column != NULL;

	if (in->o->check && is_late(in) && x != NULL)
		for (size_t c = in->use.texts; c < in->k; c++)
			check_total(in->check, c, aggregate(in, c, x[c]));
	if (in->o->check || (cells == 0 && group >= in->groups) ||
	    (x == NULL && (cells > 0 || weighs || (in->use.listed == NULL &&
	    in->o->on_bad != ON_BAD_NUMBER))))
		return;
	if (weighs)
		w *= (uint64_t)x[cells > 0 ? 0 : in->k];
	if (w == 0)
		return;
	if (cells > 0) {
		in->x[0] = (int64_t)(group % cells);
		intake_hand_over(in, group / cells, in->x, w);
		return;
	}
	if (x != NULL && !is_late(in)) {
		intake_hand_over(in, group, x, w);
		return;
	}
	for (size_t c = 0; c < in->k; c++)
		if (c >= in->use.texts)
			in->x[c] = x == NULL ? in->bounds[c].bad :
			    aggregate_clamp(in, c, x[c]);
		else
			in->x[c] = x == NULL ? -1 : x[c];
	intake_hand_over(in, group, in->x, w);
}

/* People's rows become records at the end; until then rows are kept. */
static void
open_people(struct intake *in)
{
	const struct opts *o = in->o;
	bool cells = in->use.cells > 0;
	unsigned long long all = in->groups;
	bool weighs = o->sampling.column != NULL && !o->check;
	bool owned = o->own_column != NULL && !o->check;
	struct people_rule rule = { .per = PER_COUNT, .k = weighs,
	    .weighs = weighs, .whole = weighs ? 1 : o->unit.whole,
	    .most = o->unit.most, .kept = o->unit.groups, .owned = owned,
	    .sampled = owned && !o->op.own_weight,
	    .groups = cells || in->keys.n > 0 || owned,
	    .weighted = in->weight != NULL, .sorted = o->unit.sorted,
	    .told = o->check, .threads = in->threads, .give = give,
	    .arg = in, .rng = in->rng };

	if (cells)
		all *= in->use.cells;
	else if (!o->check || opts_totals(o)) {
		rule.per = o->unit.per;
		rule.k += in->k;
	}
	if (o->unit.groups > all)
		err_warn("--max-groups %llu would do, and have less noise: "
		    "there are no more", all);
	if (o->check && rule.kept > 0)
		rule.kept = PER_GROUPS;		/* nothing is cut */
	in->people = people_new(&rule);
}

void
intake_fail(uint64_t record)
{
	err_die(STATUS_INPUT, "record %llu: a bad cell (--on-bad fail)",
	    (unsigned long long)record);
}

/*
 * With --unit a bad row is dropped: the substitute is for a person without any
 * good row.  But under swap a person's groups are public, and dropped rows
 * would change them: there every row counts.
 */
bool
intake_forgive(const struct intake *in)
{
	if (in->o->on_bad == ON_BAD_FAIL)
		intake_fail(in->records);
	return in->o->on_bad == ON_BAD_NUMBER && (in->people == NULL ||
	    (in->o->group != NULL && in->o->neighbors == NEIGHBORS_SWAP));
}

/*
 * The numbers of a record; false if it is to be dropped.  People's sums and
 * counts are clamped once they are complete, and all else at once.
 */
static bool
numbers(struct intake *in, const struct cell *cells)
{
	bool late = is_late(in);

	if (in->use.code != NULL && !in->use.code(in->use.arg, cells, in->x) &&
	    (in->use.listed != NULL || !intake_forgive(in)))
		return false;
	for (size_t c = in->use.texts; c < in->k && !in->rows; c++) {
		const struct bounds *b = &in->bounds[c];
		const struct cell *cell = &cells[c];

		if (late ? !cell->missing && fixed_cell_behind(cell->text,
		    cell->len, b->digits, &in->x[c]) :
		    intake_number(cell, b, &in->x[c]))
			continue;
		in->x[c] = b->bad;
		if (!intake_forgive(in))
			return false;
	}
	return true;
}

size_t
intake_find_group(const struct intake *in, const struct cell *cells)
{
	const struct cell *g = &cells[in->at[CELL_GROUP]];
	struct label parts[KEYS_WIDTH];

	for (size_t i = 0; i < in->keys.width; i++) {
		if (g[i].missing)
			return in->keys.n;
		parts[i] = (struct label){ g[i].text, g[i].len };
	}
	return keys_find_parts(&in->keys, parts);
}

/*
 * A row without an id is nobody's.  A row of no listed group or cell takes none
 * of the places of --max-groups, but its epsilon may be the person's.
 */
static inline void
row(struct intake *in, bool good, uint64_t group, uint64_t w)
{
	struct label id = intake_person(&in->cells[in->at[CELL_UNIT]]);
	bool counts = in->o->unit.groups == 0 || group < in->groups;
	struct people_row r = { group, good ? in->x : NULL, w, in->own };

	if (good && in->use.cells > 0) {
		counts = counts && (uint64_t)in->x[0] < in->use.cells;
		r.group = group * in->use.cells + (uint64_t)in->x[0];
		r.x = in->x + in->k;	/* the sampling weight, if any */
	}
	if (!counts)
		r.x = NULL;
	if (id.len == 0)
		intake_forgive(in);
	else if (counts || in->o->own_column != NULL)
		people_add(in->people, in->pile, id, &r);
}

/* The chance or the weight of a record with this epsilon above 0. */
static uint64_t
weight_own_part(struct intake *in, struct rational eps)
{
	size_t i = ((uint64_t)eps.num * 31 + (uint64_t)eps.den) *
	    UINT64_C(0x9e3779b97f4a7c15) >> 58;

	if (in->o->op.own_whole)
		return 1;
	if (in->known[i].eps.num == eps.num && in->known[i].eps.den == eps.den)
		return in->known[i].keep;
	in->known[i].eps = eps;
	in->known[i].keep = in->o->op.own_weight ?
	    shares_own(eps, in->o->eps, in->o->unit.whole) :
	    personal_keep(eps, in->o->eps);
	return in->known[i].keep;
}

/*
 * --epsilon-column: each of w records counts with its part, or [JYC15] some are
 * kept; false if none has influence, but with --unit the row carries its part.
 * A bad cell has no substitute, as nobody promised one.  w is 2^40 at most.
 */
static bool
weight_own(struct intake *in, uint64_t *w)
{
	struct rational own;

	in->own = 0;
	if (!intake_rational(&in->cells[in->at[CELL_OWN]], &own))
		intake_forgive(in);
	else if (rational_sign(own) > 0)
		in->own = weight_own_part(in, own);
	if (in->people != NULL || in->own == 0)
		return in->people != NULL;
	if (in->o->op.own_weight)
		*w *= in->own;
	else if (!in->o->op.own_whole)
		*w = personal_thin(in->rng, *w, in->own);
	return *w > 0;
}

/*
 * --sampling-weight: w becomes the record's weight, in units, up to --most;
 * with --unit the row carries it along.  False if the record does not count.
 */
static bool
weight_sampled(struct intake *in, uint64_t *w)
{
	const struct sampling *s = &in->o->sampling;
	struct bounds b = { -1, s->units, 0, s->digits };
	int64_t x;

	if (!intake_number(&in->cells[in->at[CELL_SAMPLING]], &b, &x) ||
	    x < 0) {
		intake_forgive(in);
		return false;
	}
	if (in->people != NULL)
		in->x[in->k] = x;
	else
		*w = (uint64_t)x;
	return x > 0 || in->people != NULL;
}

static void
record(void *arg, const struct cell *cells, size_t fields)
{
	struct intake *in = arg;
	const char *value = in->o->slice.value;
	const struct cell *slice = &cells[in->at[CELL_SLICE]];
	size_t group = 0;
	uint64_t w = 1;
	bool good;

	METER_RECORD();
	in->records++;
	taint_private(&w, sizeof(w));
	in->cells = cells;
	if (value != NULL && (slice->missing || !keys_equal(slice->text,
	    slice->len, value)))
		return;
	if (in->o->check) {
		check_record(in->check, cells, fields);
		return;
	}
	good = numbers(in, cells);
	if (!good && in->people == NULL)
		return;
	if (in->weight != NULL && !intake_weight(in->o, &cells[in->k],
	    &w) && !intake_forgive(in) && in->o->on_bad != ON_BAD_NUMBER) {
		if (in->people == NULL)
			return;
		w = 0;
	}
	in->total += w;
	if (in->o->own_column != NULL && !weight_own(in, &w))
		return;
	if (in->o->sampling.column != NULL && !weight_sampled(in, &w))
		return;
	if (in->o->group != NULL && !in->waits)
		group = intake_find_group(in, cells);
	if (in->people != NULL)
		row(in, good, group, w);
	else if (group < in->groups && w > 0)
		intake_hand_over(in, group, in->x, w);
}

void
intake_read(struct intake *in, const struct intake_use *use)
{
	in->use = *use;
	in->take = use->take;
	in->arg = use->arg;
	if (use->list != NULL) {
		in->keys = *use->list;
		in->groups = in->keys.n;
		in->at[CELL_GROUP] = 0;
	}
	intake_numbers(in);
	in->threads = batch_threads(in);
	if (in->unit != NULL || in->o->own_column != NULL) {
		in->rng = err_alloc(NULL, 1, sizeof(*in->rng));
		opts_rng(in->o, "people", in->rng);
	}
	if (in->unit != NULL)
		open_people(in);
	if (in->o->check)
		in->check = check_new(in);
	if (in->o->grouped)
		grouped_read(in, record);
	else if (!batch_read(in, record))
		table_read(in->table, in->cols, in->all, record, in);
	if (in->o->check)
		check_end(in->check);
	if (in->people != NULL)
		in->total = people_end(in->people)->people;
	taint_private(&in->records, sizeof(in->records));
	taint_private(&in->total, sizeof(in->total));
	taint_public_if(in->o->neighbors == NEIGHBORS_SWAP, in->total);
	METER_COINS(METER_DRAWS, 0);
	opts_expect(in->o, in->total);
}

const struct label *
intake_group_parts(const struct intake *in, size_t g)
{
	return in->o->groups == NULL ? NULL : &in->keys.key[g * in->keys.width];
}

const char *
intake_group_column(const struct intake *in, size_t i)
{
	return table_name(in->table, in->cols[in->at[CELL_GROUP] + i]);
}

void
intake_close(struct intake *in)
{
	if (in->o->groups != NULL)
		keys_free(&in->keys);
	people_free(in->people);
	if (in->rng != NULL)
		rng_wipe(in->rng);
	free(in->rng);
	table_close(in->table);
	free(in->cols);
	free(in->bounds);
	free(in->number);
	free(in->x);
}

bool
intake_weight(const struct opts *o, const struct cell *cell, uint64_t *w)
{
	int64_t x;

	if (cell->missing || !fixed_whole(cell->text, cell->len, &x) || x < 0)
		return false;
	*w = (uint64_t)(x < INTAKE_WEIGHT || (o->unit.column == NULL &&
	    o->neighbors == NEIGHBORS_SWAP) ? x : INTAKE_WEIGHT);
	return true;
}

bool
intake_rational(const struct cell *cell, struct rational *x)
{
	char text[FIXED_TEXT];
	struct label l = text_trim(cell->text, cell->missing ? 0 : cell->len);

	if (l.len == 0 || l.len >= sizeof(text) ||
	    memchr(l.text, '\0', l.len) != NULL)
		return false;
	memcpy(text, l.text, l.len);
	text[l.len] = '\0';
	return rational_parse(text, x);
}
