/* synth_map: halves of a box of attributes (map.h). */
#include <stdlib.h>

#include "map.h"
#include "synth.h"
#include "tool/err.h"

static void
map_way_shut(void *own)
{
	free(((struct map *)own)->sides);
	free(own);
}

/* No public number tells the error: 0. */
static void *
map_way_prepare(struct synth *s, double *error)
{
	const struct attributes *a = &s->u.listing;
	struct rational c;
	struct map *m;

	if (a->n == 0 || !synth_cell(s, 0, &c))
		return NULL;
	m = err_alloc(NULL, 1, sizeof(*m));
	*m = (struct map){ .dims = a->n, .cells = s->u.n, .shift = s->shift,
	    .total = (double)s->total, .variance = s->variance };
	m->sides = err_alloc(NULL, a->n, sizeof(*m->sides));
	for (size_t d = 0; d < a->n; d++)
		m->sides[d] = a->of[d].value.n;
	*error = 0;
	if (map_open(m, c))
		return m;
	map_way_shut(m);
	return NULL;
}

static void
map_way_describe(struct synth *s, const void *own)
{
	(void)own;
	report_note(&s->report, "parts", "0.2 of E for where to halve, 0.1 for "
	    "the boxes that stay, 0.7 for their parts");
}

static void
map_way_release(struct synth *s, void *own, const int64_t *x, double *y)
{
	map_release(own, x, synth_noise(s), y);
}

const struct way way_map = { "map", "counts of boxes",
	"exact discrete Laplace noise on choices to halve the box of all cells "
	"and on counts of what is left; the table is fitted to these",
	"for a domain that lists attributes, of elements at some distance",
	map_way_prepare, map_way_describe, map_way_release, map_way_shut, 0 };
