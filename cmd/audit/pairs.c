/*
 * pairs: a family of small neighbouring inputs.
 *
 * Most mechanisms are least private at the ends of the range and with few
 * records, so the family is: no record, or a few equal to either end or the
 * middle, or half the records at each end; and a record more (add-remove) or a
 * record that goes from an end or the middle to another end (swap).
 */
#include "pairs.h"

#include "tool/text.h"

/* Where the records of an input are: their kinds. */
enum { LOW_END, MIDDLE, HIGH_END, BOTH_ENDS, KINDS };

/*
 * A file without a name: size records of a kind, then `last' unless NULL.  A
 * path in /proc opens it from the start, run after run.
 */
static char *
make_file(const char *column, const char *const value[3], int kind, int size,
    const char *last)
{
	struct text t = TEXT_INIT, path = TEXT_INIT;

	text_printf(&t, "%s\n", column);
	for (int i = 0; i < size; i++)
		text_printf(&t, "%s\n", value[kind == BOTH_ENDS ? i % 2 * 2 :
		    kind]);
	if (last != NULL)
		text_printf(&t, "%s\n", last);
	text_printf(&path, "/proc/self/fd/%d", text_file(&t,
	    "an input in memory"));
	return text_string(&path);
}

static void
make_pair(struct neighbors_pair *p, const char *column,
    const char *const value[3], int kind, int size, const char *const *last)
{
	static const char *const kinds[] = { "at the low end", "in the middle",
	    "at the high end", "at both ends" };
	const char *other = last[1];
	struct text words = TEXT_INIT;

	if (other == NULL)
		other = "none";
	text_printf(&words, "%d records %s and one of %.30s or %.30s", size,
	    kinds[kind], last[0], other);
	p->words = text_string(&words);
	for (int i = 0; i < 2; i++)
		p->path[i] = make_file(column, value, kind, size, last[i]);
}

size_t
audit_pairs(struct neighbors_pair pair[AUDIT_PAIRS], const char *column,
    const char *const value[3], enum neighbors relation)
{
	static const int sizes[] = { 0, 1, 2, 5, 20 };
	const char *lo = value[0], *mid = value[1], *hi = value[2];
	/* the records that come, or change: left and right of each */
	const char *const last[2][3][2] = {
		[NEIGHBORS_ADD_REMOVE] = {
		    { lo, NULL }, { mid, NULL }, { hi, NULL } },
		{ { lo, hi }, { mid, hi }, { lo, mid } }
	};
	size_t n = 0;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (int kind = 0; kind < KINDS; kind++) {
			if (sizes[s] == 0 && kind > 0)
				continue;	/* no records, of one kind */
			for (size_t i = 0; i < 3; i++)
				make_pair(&pair[n++], column, value, kind,
				    sizes[s], last[relation][i]);
		}
	return n;
}
