/* universe_keep: the columns of a universe that are written again. */
#include <stdlib.h>

#include "tool/err.h"
#include "universe_impl.h"

void
universe_keep(struct universe *u)
{
	size_t c, weight = SIZE_MAX, *one, width = table_width(u->table);

	if (u->o->columns != NULL) {
		u->of_kept = universe_columns(u, u->o->columns, 1);
		return;
	}
	if (u->o->no_header)
		die(STATUS_USAGE, "without a header, -c names the columns to "
		    "write");
	if (u->domain == NULL && u->o->weight != NULL) {
		if (table_columns(u->table, u->o->weight, 1, &one) == 1)
			weight = one[0];
		free(one);
	}
	u->cols = err_alloc(u->cols, u->all + width + 2, sizeof(*u->cols));
	for (c = 0; c < width; c++)
		if (c != weight) {
			u->cols[u->all++] = c;
			u->of_kept++;
		}
}
