/*
 * universe_list: a universe written on the command line (attributes.h).
 *
 * Every combination of attribute values is an element; the last attribute
 * changes fastest.  The product is handed on as CSV, so that lists are read
 * like files.
 */
#include <string.h>

#include "cells.h"
#include "input/table.h"
#include "tool/err.h"
#include "universe_build.h"

/* A record of the product, 0 the header; quoted, so no delimiter matters. */
static void
list_record(struct text *out, const struct attributes *l, size_t elements,
    size_t i, char delimiter)
{
	for (size_t c = 0; c < l->n; c++) {
		const struct cells *value = &l->of[c].value;
		struct label cell = { l->of[c].name, strlen(l->of[c].name) };

		elements /= value->n;
		if (c > 0)
			text_bytes(out, &delimiter, 1);
		if (i > 0)
			cell = cells_at(value, (i - 1) / elements % value->n);
		text_quoted(out, cell.text, cell.len);
	}
	text_bytes(out, "\n", 1);
}

struct table *
universe_list(struct universe *u)
{
	struct text out = TEXT_INIT;
	size_t elements = (size_t)attributes_elements(&u->listing);

	for (size_t i = 0; i <= elements; i++)
		list_record(&out, &u->listing, elements, i, u->o->delimiter);
	return table_open(text_file(&out, "--domain"), "--domain",
	    &(struct table_form){ u->o->delimiter, HEADER_NUMBERS }, NULL);
}
