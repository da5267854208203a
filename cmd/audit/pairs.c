/*
 * pairs: a family of small neighbouring inputs.
 *
 * Most mechanisms are least private at the ends of the range and with few
 * records, so the family is: no record, or a few equal to either end or the
 * middle, or half the records at each end; and a record more (add-remove) or a
 * record that goes from an end or the middle to another end (swap).
 */
#include <stdio.h>

#include "pairs.h"
#include "tool/text.h"

/* Values a record may have. */
struct ends {
	const char *lo, *mid, *hi;
};

static const char *
base_value(const struct ends *e, int kind, int i)
{
	const char *const v[] = { e->lo, e->mid, e->hi };

	return kind < 3 ? v[kind] : i % 2 == 0 ? e->lo : e->hi;
}

/*
 * A file without a name: size records of a kind, then `last' unless NULL.  A
 * path in /proc opens it from the start, run after run.
 */
static void
write_file(char path[PAIR_PATH], const char *column, const struct ends *e,
    int kind, int size, const char *last)
{
	struct text t = TEXT_INIT;

	text_printf(&t, "%s\n", column);
	for (int i = 0; i < size; i++)
		text_printf(&t, "%s\n", base_value(e, kind, i));
	if (last != NULL)
		text_printf(&t, "%s\n", last);
	snprintf(path, PAIR_PATH, "/proc/self/fd/%d", text_file(&t,
	    "an input in memory"));
}

static void
make_pair(struct neighbors_pair *p, const char *column, const struct ends *e,
    int kind, int size, const char *const *last, bool swap)
{
	static const char *const kinds[] = { "at the low end", "in the middle",
	    "at the high end", "at both ends" };

	snprintf(p->words, sizeof(p->words), "%d records %s and one of %.30s "
	    "or %.30s", size, kinds[kind], last[0], swap ? last[1] : "none");
	write_file(p->left, column, e, kind, size, last[0]);
	write_file(p->right, column, e, kind, size, last[1]);
}

size_t
audit_pairs(struct neighbors_pair pair[AUDIT_PAIRS], const char *column,
    const char *lo, const char *mid, const char *hi, bool swap)
{
	static const int sizes[] = { 0, 1, 2, 5, 20 };
	const struct ends e = { lo, mid, hi };
	/* the records that come, or change: left and right of each */
	const char *const last[2][3][2] = {
		{ { lo, NULL }, { mid, NULL }, { hi, NULL } },
		{ { lo, hi }, { mid, hi }, { lo, mid } }
	};
	size_t n = 0;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (int kind = 0; kind < (sizes[s] == 0 ? 1 : 4); kind++)
			for (size_t i = 0; i < 3; i++)
				make_pair(&pair[n++], column, &e, kind,
				    sizes[s], last[swap][i], swap);
	return n;
}
