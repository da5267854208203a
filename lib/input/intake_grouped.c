/*
 * intake_grouped: the rows of --sql's query.
 *
 * A row is a record that stands for as many as its count says.  The last row
 * of a query is no record: it has the number of the others in the column of the
 * end mark, which is empty elsewhere.  After it the rows of another shard may
 * follow, which begin with the same header.  A query that was cut short ends
 * otherwise, and a shard that failed leaves too few marks: nothing is released.
 * These are the messages that rows decide with a ledger, and they tell how far
 * the engines came.
 */
#include "intake.h"

#include "intake_parts.h"
#include "tool/err.h"

struct grouped {
	struct intake *in;
	table_record *record;
};

static noreturn void
grouped_fail(const struct intake *in, const char *what)
{
	const char *id = "";

	if (in->o->charge.ledger != NULL && in->o->charge.id == NULL)
		id = "; this try is charged, and with --release-id a second "
		    "one is free";
	err_die(STATUS_INPUT, "--grouped: %s: half a table is never released%s",
	    what, id);
}

static noreturn void
grouped_cut(const struct intake *in)
{
	grouped_fail(in, "the rows do not end with the mark of their query, or "
	    "are not as many as it says (so does a line of the client's own, "
	    "such as '(3 rows)', and a shard without its header)");
}

/* Is it the header again, after a mark? */
static bool
grouped_begins(const struct intake *in, const struct cell *cells)
{
	const struct cell *end = &cells[in->at[CELL_END]];
	const struct cell *count = &cells[in->at[CELL_WEIGHT]];

	return in->ended && !end->missing && !count->missing &&
	    keys_equal(end->text, end->len, TABLE_END) &&
	    keys_equal(count->text, count->len, in->weight);
}

static void
grouped_row(void *arg, const struct cell *cells, size_t fields)
{
	struct grouped *g = arg;
	struct intake *in = g->in;
	const struct cell *end = &cells[in->at[CELL_END]];
	int64_t rows;

	if (grouped_begins(in, cells)) {
		in->ended = false;
		return;
	}
	if (in->ended || end->missing)
		grouped_cut(in);
	if (end->len == 0) {
		in->since++;
		g->record(in, cells, fields);
		return;
	}
	if (!fixed_whole(end->text, end->len, &rows) || rows != in->since)
		grouped_cut(in);
	in->ended = true;
	in->marks++;
	in->since = 0;
}

void
grouped_read(struct intake *in, table_record *record)
{
	struct grouped g = { in, record };

	table_read(in->table, in->cols, in->all, grouped_row, &g);
	if (!in->ended)
		grouped_cut(in);
	if (in->o->shards > 0 && in->marks != in->o->shards)
		grouped_fail(in, "these are not the rows of as many queries as "
		    "--shards says");
}
