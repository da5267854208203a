/* records: a few whole records as CSV lines, each with a sensitivity. */
#include "records.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "number/taint.h"
#include "own_sens.h"
#include "tool/err.h"

#define WIDTH 1024	/* columns handed on at most without a header */

/* A cell as CSV, after a delimiter unless first. */
static void
add_cell(struct text *line, char delimiter, bool first, const char *text,
    size_t len)
{
	bool quote = false;

	if (!first)
		text_bytes(line, &delimiter, 1);
	for (size_t i = 0; i < len; i++)
		quote = quote || text[i] == delimiter || text[i] == '"' ||
		    text[i] == '\r' || text[i] == '\n';
	if (quote)
		text_quoted(line, text, len);
	else
		text_bytes(line, text, len);
}

/*
 * The record's private positive number; false where the record gets no
 * influence.  No number stands in for a bad cell: nobody promised such a
 * number.
 */
static bool
own_number(const struct records *r, const struct cell *cell,
    struct rational *x)
{
	if (intake_rational(cell, x))
		return rational_sign(*x) > 0;
	if (r->sp->opts.on_bad == ON_BAD_FAIL)
		intake_fail(r->total);
	return false;
}

/*
 * The present record's S: the smallest among the public S, the record's S and S
 * eps_i / E, each rounded down to the grid; 0 to drop the record.
 */
static int64_t
sensitivity(const struct records *r, const struct cell *own)
{
	const struct sp *sp = r->sp;
	int64_t s = sp->sens[0], x;
	struct rational v;

	if (sp->sens_column != NULL) {
		if (!own_number(r, own++, &v))
			return 0;
		if (rational_grid(v, sp->digits, FIXED_FLOOR, &x))
			s = FIXED_LEAST(x, s);
	}
	if (sp->opts.own_column == NULL)
		return s;
	if (!own_number(r, own, &v))
		return 0;
	x = own_sens(sp->sens[0], v, sp->report.eps);
	return FIXED_LEAST(x, s);
}

static void
records_check(struct records *r, const struct cell *own)
{
	struct rational v;
	const struct sp *sp = r->sp;
	size_t extra = (size_t)(sp->sens_column != NULL) +
	    (sp->opts.own_column != NULL);

	for (size_t i = 0; i < extra; i++) {
		if (intake_rational(&own[i], &v) && rational_sign(v) >= 0)
			continue;
		r->problems++;
		err_warn("record %llu: column %s: not a number from 0 up",
		    (unsigned long long)r->total,
		    table_name(r->table, r->cols[r->k + i]));
	}
}

/* A record's chosen cells, as a line. */
static void
records_line(const struct records *r, const struct cell *cells, size_t fields,
    struct text *line)
{
	const struct opts *o = &r->sp->opts;
	size_t last = 0;

	for (size_t c = 0; c < r->k; c++)
		if (o->columns != NULL || r->cols[c] < fields)
			last = c + 1;
	for (size_t c = 0; c < last; c++)
		add_cell(line, o->delimiter, c == 0, cells[c].text,
		    cells[c].len);
	text_bytes(line, "\n", 1);
}

/*
 * A record's block, by independent coins, and a person's by the coins of the
 * first row; 0 for a row without an id, which belongs to nobody.
 */
static uint64_t
records_block(struct records *r, const struct cell *id)
{
	struct person_block {
		struct id id;
		uint64_t block;		/* from 1 */
	} own = { .block = 0 }, *b = &own;

	if (r->sp->opts.unit.column != NULL) {
		struct label name = intake_person(id);

		if (name.len == 0)
			return 0;
		b = ids_at(&r->people, ids_name(&r->people, name));
	}
	if (b->block == 0)
		b->block = 1 + rng_below(&r->coins, r->sp->blocks);
	return b->block;
}

/*
 * No private number chooses the block.  A function of its own, as tests/taint
 * tells functions apart, and the caller may look at data.
 */
static void
take_block(struct records *r, const struct cell *cells, size_t fields)
{
	uint64_t block = records_block(r, &cells[r->k]);

	if (block > 0)
		records_line(r, cells, fields, &r->text[block - 1]);
}

/*
 * Without a ledger a broken promise of 20 records is told.  With a ledger the
 * first 20 rows are kept, a row that counts for nothing included.  Where a row
 * goes or comes, the rows kept are the same, but for one less, or one more, or
 * one row for another: a row after the 20 moves up, or the last of them gives
 * way.  So the function moves by the S of two records at most, and the noise is
 * for 2 S (sp.c).  A swap changes one row, or one for another as well: 2 S, as
 * before.
 */
static void
records_take(void *arg, const struct cell *cells, size_t fields)
{
	struct records *r = arg;
	const struct opts *o = &r->sp->opts;
	const struct cell *slice = &cells[r->all - 1];
	int64_t s;

	METER_RECORD();
	if (o->slice.value != NULL && (slice->missing ||
	    !keys_equal(slice->text, slice->len, o->slice.value)))
		return;
	r->total++;
	taint_private(&r->total, sizeof(r->total));
	if (r->sp->blocks > 0) {
		take_block(r, cells, fields);
		return;
	}
	if (o->check) {
		if (r->total <= SUBSETS_MAX)
			records_check(r, cells + r->k);
		return;
	}
	if (r->total > SUBSETS_MAX && o->charge.ledger != NULL)
		return;
	if (r->total > SUBSETS_MAX)
		err_die(STATUS_INPUT, "more than %d records: the command is "
		    "run on every subset, 2^n of them, and n <= %d is a public "
		    "promise; --blocks K takes any number", SUBSETS_MAX,
		    SUBSETS_MAX);
	s = sensitivity(r, cells + r->k);
	if (s == 0)
		return;
	records_line(r, cells, fields, &r->text[r->n]);
	r->number[r->n] = (unsigned)r->total;
	r->sens[r->n++] = s;
}

/* Another column, named by an option that may be absent. */
static void
add_column(struct records *r, const char *option, const char *name)
{
	if (name == NULL)
		return;
	r->cols = err_alloc(r->cols, r->all + 1, sizeof(*r->cols));
	r->cols[r->all++] = table_column(r->table, option, name);
}

static void
records_columns(struct records *r)
{
	const struct opts *o = &r->sp->opts;
	size_t width;

	r->table = table_input(o);
	width = o->header == HEADER_NONE ? WIDTH : table_width(r->table);
	r->k = o->columns != NULL ? table_columns(r->table, o->columns,
	    &r->cols) : table_rest(r->table, NULL, 0, width, width, &r->cols);
	r->all = r->k;
	r->head = (struct text)TEXT_INIT;
	if (o->header == HEADER_NONE)
		return;
	for (size_t c = 0; c < r->k; c++) {
		const char *name = table_header(r->table, r->cols[c]);

		add_cell(&r->head, o->delimiter, c == 0, name, strlen(name));
	}
	text_bytes(&r->head, "\n", 1);
}

static noreturn void
check_end(const struct records *r)
{
	err_warn("records: %llu, where %d are the most",
	    (unsigned long long)r->total, SUBSETS_MAX);
	exit(r->problems > 0 || r->total > SUBSETS_MAX ? STATUS_INPUT :
	    STATUS_OK);
}

/* People and their blocks. */
static void
records_people(struct records *r)
{
	uint64_t key[2];

	for (int i = 0; i < 2; i++)
		key[i] = rng_below(&r->coins, UINT64_MAX);
	ids_open(&r->people, key, sizeof(struct id) + sizeof(uint64_t));
	add_column(r, "--unit", r->sp->opts.unit.column);
}

void
records_open(struct records *r, struct sp *sp)
{
	*r = (struct records){ .sp = sp, .texts = SUBSETS_MAX };
	if (sp->blocks > 0) {
		r->texts = sp->blocks;
		opts_rng(&sp->opts, "records", &r->coins);
	}
	r->text = err_alloc(NULL, r->texts, sizeof(*r->text));
	r->line = err_alloc(NULL, r->texts, sizeof(*r->line));
	for (size_t p = 0; p < sp->parts && sp->blocks > 0; p++)
		r->of[p] = err_alloc(NULL, sp->blocks, sizeof(*r->of[p]));
	records_columns(r);
	if (sp->opts.unit.column != NULL)
		records_people(r);
	add_column(r, "--sensitivity-column", sp->sens_column);
	add_column(r, "--epsilon-column", sp->opts.own_column);
	add_column(r, "--slice", sp->opts.slice.column);
}

/* [CD20 Proposition 7.3] */
void
records_read(struct records *r)
{
	const struct sp *sp = r->sp;

	table_read(r->table, r->cols, r->all, records_take, r);
	rng_wipe(&r->coins);
	METER_COINS(METER_DRAWS, 0);
	if (sp->opts.check && sp->blocks == 0)
		check_end(r);
	opts_expect(&sp->opts, r->total);
	for (size_t i = 0; i < r->texts; i++)
		r->line[i] = (struct label){ r->text[i].buf, r->text[i].len };
}

int64_t
records_clamp(const struct sp *sp, size_t part, int64_t x)
{
	const struct range *r = opts_range(&sp->opts, part);
	int64_t lo = -FIXED_MAX, hi = FIXED_MAX;

	if (r != NULL && rational_grid(r->lo, sp->digits,
	    FIXED_NEAREST, &lo) && rational_grid(r->hi, sp->digits,
	    FIXED_NEAREST, &hi))
		return fixed_clamp(x, lo, hi);
	return x;
}

/* The command's words may hold data: only a curator gets to see them. */
struct exec
records_exec(const struct records *r)
{
	const struct sp *sp = r->sp;
	const struct opts *o = &sp->opts;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	struct exec e = { .argv = o->operands,
	    .head = { r->head.buf, r->head.len }, .record = r->line,
	    .n = r->n, .blocks = sp->blocks > 0, .number = r->number,
	    .jobs = (unsigned)FIXED_MOST(cores, 1), .parts = sp->parts,
	    .digits = sp->digits, .words = STDERR_FILENO,
	    .timeout = (int64_t)sp->timeout };

	if (e.blocks)
		e.n = (unsigned)sp->blocks;
	if (o->threads > 0)
		e.jobs = (unsigned)o->threads;
	if (!o->non_private && !o->check)
		e.words = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (e.words < 0)
		err_sys("/dev/null, where the command's words go");
	unsetenv("DPUTILS_LEDGER");	/* not one more charge for each run */
	return e;
}

/*
 * [CD20 Algorithm 1] [CD20 Definition 8.2]
 *
 * With a ledger the records may not tell whether the command works: a failed
 * run gives the center, which makes any command a function.  The run without
 * records comes first then, so that a missing command is reported for any
 * records; the first run's number is the center, whatever the command prints.
 */
void
records_value(const struct records *r, int64_t *value)
{
	const struct sp *sp = r->sp;
	size_t all = ((size_t)1 << r->n) - 1, p, s;
	int64_t *f[2] = { NULL, NULL };
	struct exec e = records_exec(r);
	struct failure bad;

	for (p = 0; p < sp->parts; p++)
		f[p] = err_alloc(NULL, all + 1, sizeof(**f));
	if (sp->opts.charge.ledger != NULL)
		e.otherwise = sp->center;
	exec_runs(&e, e.otherwise == NULL, (uint32_t)all + 1, f, &bad);
	for (p = 0; p < sp->parts; p++) {
		f[p][0] = sp->center[p];
		for (s = 1; s <= all; s++)
			f[p][s] = records_clamp(sp, p, f[p][s]);
	}
	if (sp->parts == 1)
		subsets_value(f[0], r->sens, r->n);
	else
		subsets_pair(f[0], f[1], r->sens, r->n);
	for (p = 0; p < sp->parts; p++) {
		value[p] = f[p][all];
		free(f[p]);
	}
}
