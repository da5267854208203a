/* rows: the rows of all people as they come, then person by person. */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

static void
grow(struct rows *r)
{
	r->room = r->room < 64 ? 64 : r->room + r->room / 2;
	r->who = err_alloc(r->who, r->room, sizeof(*r->who));
	r->x = err_alloc(r->x, r->room * r->k, sizeof(*r->x));
	if (r->groups)
		r->group = err_alloc(r->group, r->room, sizeof(*r->group));
	if (r->weighted)
		r->w = err_alloc(r->w, r->room, sizeof(*r->w));
}

void
rows_add(struct rows *r, uint32_t who, const struct share *row)
{
	if (r->n == UINT32_MAX)
		die(STATUS_INPUT, "out of memory");
	if (r->n == r->room)
		grow(r);
	r->who[r->n] = who;
	if (r->k > 0)
		memcpy(r->x + r->n * r->k, row->x, r->k * sizeof(*r->x));
	if (r->groups)
		r->group[r->n] = row->group;
	if (r->weighted)
		r->w[r->n] = row->w;
	r->n++;
}

/* By counting, so that each person's rows keep the order they came in. */
void
rows_gather(struct rows *r, size_t people)
{
	r->end = err_alloc(r->end, people + 1, sizeof(*r->end));
	r->order = err_alloc(r->order, r->n, sizeof(*r->order));
	memset(r->end, 0, (people + 1) * sizeof(*r->end));
	for (size_t i = 0; i < r->n; i++)
		r->end[r->who[i] + 1]++;
	for (size_t i = 1; i <= people; i++)
		r->end[i] += r->end[i - 1];
	/* end[i] is where person i begins, until all its rows are put */
	for (size_t i = 0; i < r->n; i++)
		r->order[r->end[r->who[i]]++] = (uint32_t)i;
}

size_t
rows_count(const struct rows *r, size_t who)
{
	return r->end[who] - r->end[who - 1];
}

struct share
rows_get(const struct rows *r, size_t who, size_t i)
{
	size_t at = r->order[r->end[who - 1] + i];

	return (struct share){ r->x + at * r->k, r->groups ? r->group[at] : 0,
	    r->weighted ? r->w[at] : 1, 0 };
}

void
rows_clear(struct rows *r)
{
	r->n = 0;
}

void
rows_free(struct rows *r)
{
	free(r->x);
	free(r->who);
	free(r->group);
	free(r->w);
	free(r->order);
	free(r->end);
}
