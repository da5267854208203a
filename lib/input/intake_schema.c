/* intake_schema: which cells the schema reads as numbers, and why not. */
#include "intake_parts.h"

#include "tool/err.h"

/* Which cells are numbers, and which are keys, where a schema reads them. */
void
intake_numbers(struct intake *in)
{
	bool *number = err_alloc(NULL, in->all + 1, sizeof(*number));

	for (size_t c = in->use.texts; c < in->k && !in->rows; c++) {
		view_number(table_view(in->table, in->cols[c]));
		number[c] = true;
	}
	in->number = number;
	table_numbers(in->table, number);
}

enum bad
intake_why(const struct intake *in, const struct cell *cell, size_t column,
    enum bad why, struct cell *raw)
{
	const struct column_view *v = table_view(in->table, in->cols[column]);
	struct label text = table_raw(in->table, cell);

	*raw = (struct cell){ text.text, text.len, false };
	if (v == NULL || !cell->missing)
		return why;
	return schema_is_missing(v->field, text) ? BAD_CODE : BAD_FORM;
}
