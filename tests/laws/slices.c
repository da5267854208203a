/*
 * slices: what several releases of a budget tell together, against what the
 * ledger says was spent; by enumeration of all neighbours among small data
 * sets, and of the outputs of all releases.
 *
 * The records of a slice are those that keys_equal finds, the spent sums
 * those of account.c, the law of the noise is its definition, see world.h.
 * Noises are independent, so the largest ratio of a joint output is the sum
 * of the largest ratios of its parts.
 */
#include <string.h>

#include "world.h"
#include "input/keys.h"
#include "ledger/account.h"

#define ROWS 3
#define MOST 6			/* releases of a program */
#define PEOPLE 2

/* A count, or a sum of values in 0..2, of one slice or of all records. */
struct release {
	const char *slice;	/* NULL: all records */
	bool sum;
	struct rational eps;
};

struct program {
	size_t n;
	struct release release[MOST];
	bool tight;		/* some pair costs all that is spent */
};

static const struct program programs[] = {
	{ 2, { { "1", false, { 1, 2 } }, { "2", false, { 1, 2 } } }, true },
	{ 2, { { "1", true, { 1, 2 } }, { "2", false, { 1, 3 } } }, true },
	{ 4, { { "1", false, { 1, 5 } }, { NULL, false, { 1, 7 } },
	    { "2", true, { 2, 5 } }, { "2", true, { 1, 3 } } }, true },
	{ 6, { { "1", true, { 1, 1 } }, { "11", true, { 1, 1 } },
	    { "2", true, { 1, 1 } }, { "", true, { 1, 1 } },
	    { "none", true, { 1, 1 } }, { NULL, true, { 1, 2 } } }, true },
};

#define PROGRAMS (sizeof(programs) / sizeof(programs[0]))

static const char *const cells[] = { "1", " 1 ", "2", "11", "" };

#define CELLS 5
#define KINDS (CELLS * 3)	/* of records: a cell and a value */

static bool
in_slice(const char *text, const char *slice)
{
	return slice == NULL || keys_equal(text, strlen(text), slice);
}

static i128
value(const struct release *r, const unsigned *row, size_t n)
{
	i128 f = 0;

	for (size_t i = 0; i < n; i++)
		if (in_slice(cells[row[i] % CELLS], r->slice))
			f += r->sum ? row[i] / CELLS : 1;
	return f;
}

static struct scale
noise(const struct release *r)
{
	struct scale t;

	cr_assert(scale_make(&t, r->sum ? 2 : 1, r->eps));
	return t;
}

/* What a ledger says was spent, with charges to slices counted `times`. */
static long double
spent(const struct program *p, int64_t times)
{
	struct account a = { { 100, 1 }, { 0, 1 }, { 0, 1 } };
	struct rational slice[MOST], charge, all;

	for (size_t i = 0; i < p->n; i++) {
		const struct release *r = &p->release[i];
		size_t at = 0;

		slice[i] = (struct rational){ 0, 1 };
		if (r->slice == NULL) {
			cr_assert(account_charge(&a, NULL, r->eps));
			continue;
		}
		while (p->release[at].slice == NULL ||
		    strcmp(p->release[at].slice, r->slice) != 0)
			at++;
		charge = account_times(r->eps, (uint64_t)times);
		cr_assert(account_charge(&a, &slice[at], charge));
	}
	cr_assert(account_sum(&all, a.whole, a.top));
	return (long double)all.num / (long double)all.den;
}

/* Data sets of n records, and one more: both directions. */
static void
add_records(const struct program *p, size_t n, struct audit_count *c)
{
	struct scale t[MOST];
	long double all = spent(p, 1);
	unsigned row[ROWS + 1], codes = 1;

	for (size_t i = 0; i < p->n; i++)
		t[i] = noise(&p->release[i]);
	for (size_t i = 0; i <= n; i++)
		codes *= KINDS;
	for (unsigned code = 0; code < codes; code++) {
		long double there = 0, back = 0;
		unsigned rest = code;

		for (size_t i = 0; i <= n; i++, rest /= KINDS)
			row[i] = rest % KINDS;
		for (size_t i = 0; i < p->n; i++) {
			const struct release *r = &p->release[i];
			i128 f = value(r, row, n);
			i128 g = value(r, row, n + 1);

			there += audit_ratio(f, g, &t[i], c);
			back += audit_ratio(g, f, &t[i], c);
		}
		c->pairs += 2;
		c->worst = fmaxl(c->worst, fmaxl(there, back) / all);
	}
}

Test(slices, together_they_cost_what_was_spent)
{
	for (size_t i = 0; i < PROGRAMS; i++) {
		struct audit_count c = { 0 };

		for (size_t n = 0; n < ROWS; n++)
			add_records(&programs[i], n, &c);
		audit_finish("releases of slices and of all records", &c,
		    programs[i].tight);
	}
}

/* --- people ------------------------------------------------------------- */

static const char *const days[] = { "1", "2", "3" };

static const struct program nights[] = {
	{ 3, { { "1", false, { 1, 2 } }, { "2", false, { 1, 2 } },
	    { "3", false, { 1, 2 } } }, true },
	{ 4, { { "1", false, { 1, 2 } }, { "2", false, { 1, 3 } },
	    { NULL, false, { 1, 5 } }, { "3", false, { 1, 7 } } }, false },
	{ 4, { { "1", false, { 1, 4 } }, { "2", false, { 1, 4 } },
	    { NULL, false, { 1, 5 } }, { "1", false, { 1, 9 } } }, false },
};

/* People of a slice: each is a set of days, a bit for each. */
static i128
present(const struct release *r, const unsigned *who, size_t n)
{
	i128 f = 0;

	for (size_t i = 0; i < n; i++) {
		bool here = r->slice == NULL && who[i] != 0;

		for (unsigned d = 0; r->slice != NULL && d < 3; d++)
			here = here || ((who[i] >> d & 1) &&
			    in_slice(days[d], r->slice));
		f += here;
	}
	return f;
}

/* A person in `most` slices or fewer comes or goes, beside all others. */
static void
add_person(const struct program *p, int most, struct audit_count *c)
{
	long double all = spent(p, most);
	unsigned who[PEOPLE];

	for (unsigned code = 0; code < 64; code++) {
		long double sum = 0;

		who[0] = code % 8;
		who[1] = code / 8;
		if (__builtin_popcount(who[0]) > most ||
		    __builtin_popcount(who[1]) > most)
			continue;
		for (size_t i = 0; i < p->n; i++) {
			const struct release *r = &p->release[i];
			struct scale t = noise(r);

			sum += fmaxl(audit_ratio(present(r, who, 1),
			    present(r, who, 2), &t, c), audit_ratio(present(r,
			    who, 2), present(r, who, 1), &t, c));
		}
		c->pairs += 2;
		c->worst = fmaxl(c->worst, sum / all);
	}
}

Test(slices, people_in_several_cost_what_was_spent)
{
	for (size_t i = 0; i < sizeof(nights) / sizeof(nights[0]); i++)
		for (int most = 1; most <= 3; most++) {
			struct audit_count c = { 0 };

			add_person(&nights[i], most, &c);
			audit_finish("people in several slices", &c,
			    nights[i].tight);
		}
}
