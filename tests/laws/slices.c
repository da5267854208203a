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

#define MOST 6			/* releases of a program */
#define KINDS 15		/* of units, at most */

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

/* Counts of people, who are present in several slices. */
static const struct program nights[] = {
	{ 3, { { "1", false, { 1, 2 } }, { "2", false, { 1, 2 } },
	    { "3", false, { 1, 2 } } }, true },
	{ 4, { { "1", false, { 1, 2 } }, { "2", false, { 1, 3 } },
	    { NULL, false, { 1, 5 } }, { "3", false, { 1, 7 } } }, false },
	{ 4, { { "1", false, { 1, 4 } }, { "2", false, { 1, 4 } },
	    { NULL, false, { 1, 5 } }, { "1", false, { 1, 9 } } }, false },
};

static const char *const cells[] = { "1", "2", "3", " 1 ", "11", "" };

#define CELLS 6

/* A record, or a person: the cells of its rows, a bit for each, and a value. */
struct unit {
	unsigned cells, value;
};

static bool
in_slice(const struct unit *u, const char *slice)
{
	bool here = slice == NULL && u->cells > 0;

	for (unsigned c = 0; c < CELLS && slice != NULL; c++)
		here = here || ((u->cells >> c & 1) && keys_equal(cells[c],
		    strlen(cells[c]), slice));
	return here;
}

static i128
value(const struct release *r, const struct unit *u, size_t n)
{
	i128 f = 0;

	for (size_t i = 0; i < n; i++)
		if (in_slice(&u[i], r->slice))
			f += r->sum ? u[i].value : 1;
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

/* All data sets of n of these units, and one more: both directions. */
static void
add_units(const struct program *p, const struct unit *kind, size_t kinds,
    size_t n, int times, struct audit_count *c)
{
	long double all = spent(p, times);
	struct unit u[3];

	for (size_t code = 0; code < world_power(kinds, n + 1); code++) {
		long double there = 0, back = 0;
		size_t rest = code;

		for (size_t i = 0; i <= n; i++, rest /= kinds)
			u[i] = kind[rest % kinds];
		for (size_t i = 0; i < p->n; i++) {
			const struct release *r = &p->release[i];
			i128 f = value(r, u, n), g = value(r, u, n + 1);
			struct scale t = noise(r);

			there += audit_ratio(f, g, &t, c);
			back += audit_ratio(g, f, &t, c);
		}
		c->pairs += 2;
		c->worst = fmaxl(c->worst, fmaxl(there, back) / all);
	}
}

Test(slices, together_they_cost_what_was_spent)
{
	struct unit kind[KINDS];

	/* any cell but 3, and any value */
	for (unsigned i = 0; i < KINDS; i++)
		kind[i] = (struct unit){ 1U << (i % 5 + (i % 5 > 1)), i / 5 };
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct audit_count c = { 0 };

		for (size_t n = 0; n < 3; n++)
			add_units(&programs[i], kind, KINDS, n, 1, &c);
		audit_finish("releases of slices and of all records", &c,
		    programs[i].tight);
	}
}

/* A person in `most` slices or fewer comes or goes, beside another. */
Test(slices, people_in_several_cost_what_was_spent)
{
	for (size_t i = 0; i < sizeof(nights) / sizeof(nights[0]); i++)
		for (int most = 1; most <= 3; most++) {
			struct audit_count c = { 0 };
			struct unit kind[KINDS] = { { 0, 0 } };
			size_t n = 0;

			for (unsigned days = 0; days < 8; days++)
				if (__builtin_popcount(days) <= most)
					kind[n++].cells = days;
			add_units(&nights[i], kind, n, 1, most, &c);
			audit_finish("people in several slices", &c,
			    nights[i].tight);
		}
}
