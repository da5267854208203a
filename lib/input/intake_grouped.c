/*
 * intake_grouped: the rows of --sql's query.
 *
 * A row is a record that stands for as many as its count says.  The last row
 * of a query is no record: it has the number of the others in the column of the
 * end mark, which is empty elsewhere.  Behind it the rows of another shard may
 * follow, which begin with the same header.  A query that was cut short ends
 * otherwise, and nothing is released: this is the one message that rows decide
 * with a ledger, and what it tells is how far the engine came.
 */
#include "intake.h"

#include "intake_parts.h"
#include "tool/err.h"

struct grouped {
	struct intake *in;
	table_record *record;
};

static noreturn void
grouped_fail(void)
{
	err_die(STATUS_INPUT, "--grouped: the rows do not end with the mark of "
	    "their query, or are not as many as it says: half a table is never "
	    "released");
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
		grouped_fail();
	if (end->len == 0) {
		in->since++;
		g->record(in, cells, fields);
		return;
	}
	if (!fixed_whole(end->text, end->len, &rows) || rows != in->since)
		grouped_fail();
	in->ended = true;
	in->since = 0;
}

void
grouped_read(struct intake *in, table_record *record)
{
	struct grouped g = { in, record };

	table_read(in->table, in->cols, in->all, grouped_row, &g);
	if (!in->ended)
		grouped_fail();
}
