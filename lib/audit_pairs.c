/*
 * audit_pairs: a family of small neighbouring inputs.
 *
 * Most mechanisms are least private at the ends of the range and with few
 * records, so the family is: no record, or a few equal to either end or the
 * middle, or half of them at each end; and one record more (add-remove) or
 * one that goes from one end or the middle to another end (swap).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit.h"
#include "err.h"

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

/* size records of a kind, then the last one unless it is NULL. */
static void
write_file(const char *path, const char *column, const struct ends *e,
    int kind, int size, const char *last)
{
	FILE *f = fopen(path, "w");
	int i;

	if (f == NULL)
		diesys(STATUS_INPUT, "%s", path);
	fprintf(f, "%s\n", column);
	for (i = 0; i < size; i++)
		fprintf(f, "%s\n", base_value(e, kind, i));
	if (last != NULL)
		fprintf(f, "%s\n", last);
	if (fclose(f) != 0)
		diesys(STATUS_INPUT, "%s", path);
}

/* The records that come, or change: left and right of each variant. */
static size_t
variants(const struct ends *e, bool swap, const char *v[][2])
{
	const char *const one[][2] = { { e->lo, NULL }, { e->mid, NULL },
	    { e->hi, NULL } };
	const char *const two[][2] = { { e->lo, e->hi }, { e->mid, e->hi },
	    { e->lo, e->mid } };

	memcpy(v, swap ? two : one, sizeof(one));
	return 3;
}

size_t
audit_pairs(struct neighbors_pair *pair, char dir[64], const char *column,
    const char *lo, const char *mid, const char *hi, bool swap)
{
	static const int sizes[] = { 0, 1, 2, 5, 20 };
	static const char *const kinds[] = { "the low end", "the middle",
	    "the high end", "both ends" };
	const struct ends e = { lo, mid, hi };
	const char *v[3][2];
	size_t n = 0, nv = variants(&e, swap, v), i, s;
	int kind;

	strcpy(dir, "/tmp/dp-audit.XXXXXX");
	if (mkdtemp(dir) == NULL)
		diesys(STATUS_INPUT, "%s", dir);
	for (s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (kind = 0; kind < (sizes[s] == 0 ? 1 : 4); kind++)
			for (i = 0; i < nv; i++, n++) {
				struct neighbors_pair *p = &pair[n];

				snprintf(p->left, sizeof(p->left),
				    "%.40s/%zu.left", dir, n);
				snprintf(p->right, sizeof(p->right),
				    "%.40s/%zu.right", dir, n);
				write_file(p->left, column, &e, kind, sizes[s],
				    v[i][0]);
				write_file(p->right, column, &e, kind,
				    sizes[s], v[i][1]);
				snprintf(p->words, sizeof(p->words),
				    "%d records at %s and one of %.30s "
				    "or %.30s", sizes[s], kinds[kind], v[i][0],
				    swap ? v[i][1] : "none");
			}
	return n;
}

void
audit_pairs_remove(struct neighbors_pair *pair, size_t n, const char *dir)
{
	size_t i;

	for (i = 0; i < n; i++) {
		unlink(pair[i].left);
		unlink(pair[i].right);
	}
	rmdir(dir);
}
