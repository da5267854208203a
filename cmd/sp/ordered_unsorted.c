/* ordered_unsorted: what decides for values in any order. */
#include "ordered_unsorted.h"

#include "buckets.h"

#define SMALL 65536	/* sorted as fast */

bool
ordered_unsorted(const struct ordered *f, const struct values *v,
    int64_t *value)
{
	struct totals all = values_totals(v);

	if (ordered_whole(f, &all, value))
		return true;
	if (all.records >> 41 > 0)
		return false;
	if (f->kind != ORDERED_MEAN)
		return v->n >= SMALL &&
		    ordered_edges(f, v, &all, BUCKETS_BITS, value);
	return f->alpha.num != 0 && all.records >= SMALL &&
	    ordered_untouched(f, v, &all, BUCKETS_BITS, value);
}
