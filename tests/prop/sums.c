/*
 * sums: every sensitivity against brute force.
 *
 * All data sets of up to 4 records on small domains, under both relations:
 * the largest l1 change of what the library computes must equal what the
 * library states, not only stay below it.
 */
#include "laplace/sums.h"

#include "samples.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS 4
#define VALUES 16		/* entries of an answer at most */
#define POINTS 8		/* points of a domain at most */

struct domain {
	size_t d;
	struct sums_column column[3];
	int64_t gap;		/* distance of the values tried */
};

/* Odd and even widths, centers in and off the middle, 0 inside and outside. */
static const struct domain domains[] = {
	{ 1, { { -2, 3, 0, 1 } }, 1 }, { 1, { { 4, 7, 5, 1 } }, 1 },
	{ 1, { { -9, -5, -6, 1 } }, 1 }, { 1, { { 0, 1, 0, 1 } }, 1 },
	{ 1, { { -1000, 999, 0, 1 } }, 333 },
	{ 2, { { -1, 1, 0, 1 }, { 3, 4, 3, 1 } }, 1 },
	{ 2, { { 0, 6, 2, 1 }, { -3, 3, 0, 1 } }, 3 },
	{ 3, { { 0, 2, 1, 1 }, { -1, 0, 0, 1 }, { 5, 6, 5, 1 } }, 2 }
};

#define DOMAINS (sizeof(domains) / sizeof(domains[0]))

/* Points lo, lo + gap, ... and hi of each column; returns their number. */
static size_t
points(const struct domain *f, int64_t x[][3])
{
	size_t n = 1;

	for (size_t a = 0; a < f->d; a++) {
		int64_t value[POINTS];
		size_t k = 0, before = n;

		for (int64_t v = f->column[a].lo; v < f->column[a].hi;
		    v += f->gap)
			value[k++] = v;
		value[k++] = f->column[a].hi;
		for (size_t j = k; j-- > 0;)
			for (size_t i = 0; i < before; i++) {
				memcpy(x[j * before + i], x[i],
				    sizeof(x[i]));
				x[j * before + i][a] = value[j];
			}
		n = before * k;
	}
	return n;
}

/* What is released from a data set of n points, as integers. */
typedef size_t answer_fn(const struct domain *, int64_t x[][3],
    const size_t *record, size_t n, i128 *out);

static size_t
answer_sum(const struct domain *f, int64_t x[][3], const size_t *record,
    size_t n, i128 *out)
{
	struct total t[3] = { { 0, 0 } };

	for (size_t i = 0; i < n; i++)
		for (size_t a = 0; a < f->d; a++)
			total_add(&t[a], sums_offset(&f->column[a],
			    x[record[i]][a]), 1);
	for (size_t a = 0; a < f->d; a++)
		out[a] = total_value(&t[a]);
	return f->d;
}

/* Bins over the lower half of the domain: some values are outside. */
static size_t
edges(const struct domain *f, int64_t *edge)
{
	int64_t lo = f->column[0].lo, hi = lo + (f->column[0].hi - lo) / 2;
	size_t bins = 0;

	for (; lo < hi; lo += f->gap)
		edge[bins++] = lo;
	edge[bins] = hi;
	cr_assert(bins < VALUES);
	return bins;
}

static bool others;	/* is what is in no bin counted, too? */

static size_t
answer_hist(const struct domain *f, int64_t x[][3], const size_t *record,
    size_t n, i128 *out)
{
	int64_t edge[VALUES + 1];
	size_t bins = edges(f, edge);

	memset(out, 0, VALUES * sizeof(*out));
	for (size_t i = 0; i < n; i++)
		out[sums_bin(edge, bins, x[record[i]][0])]++;
	return bins + others;
}

static u128
distance(const i128 *a, const i128 *b, size_t k)
{
	u128 sum = 0;

	for (size_t i = 0; i < k; i++)
		sum += (u128)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
	return sum;
}

/* Largest change over all neighbours of all data sets of n records. */
static u128
brute(answer_fn *answer, const struct domain *f, size_t n,
    enum neighbors relation)
{
	static int64_t x[512][3];
	size_t m = points(f, x), sets = 1, record[RECORDS], last;
	u128 most = 0;

	for (size_t i = 0; i < n; i++)
		sets *= m;
	for (size_t c = 0; c < sets; c++) {
		i128 base[VALUES], other[VALUES];
		size_t code = c, k;

		for (size_t i = 0; i < n; i++, code /= m)
			record[i] = code % m;
		k = answer(f, x, record, n, base);
		last = record[n - 1];
		for (size_t j = 0; j < (relation ==
		    NEIGHBORS_SWAP ? m : 1); j++) {
			u128 d;

			record[n - 1] = j;
			answer(f, x, record,
			    relation == NEIGHBORS_SWAP ? n : n - 1, other);
			d = distance(base, other, k);
			most = d > most ? d : most;
		}
		record[n - 1] = last;
	}
	return most;
}

/*
 * By symmetry the last record is the one that differs; row_order_... below
 * shows the symmetry.
 */
static void
equal(answer_fn *answer, const struct domain *f, enum neighbors relation,
    u128 stated, const char *what)
{
	for (size_t n = 1; n <= (f->d == 3 ? 3 : RECORDS); n++)
		cr_assert(brute(answer, f, n, relation) == stated,
		    "%s, domain %zu, n %zu", what, (size_t)(f - domains), n);
}

/* All columns reach their ends at once, so that their bounds add up. */
static u128
all_sums(const struct domain *f, enum neighbors relation)
{
	u128 sum = 0;

	for (size_t a = 0; a < f->d; a++)
		sum += sums_sens_sum(&f->column[a], relation);
	return sum;
}

/* [DMNS06 Section 3.2] sum and mean vector */
Test(sums, sum_sensitivities_equal_brute_force)
{
	for (size_t i = 0; i < DOMAINS; i++) {
		const struct domain *f = &domains[i];
		u128 added = all_sums(f, NEIGHBORS_ADD_REMOVE);
		u128 swapped = all_sums(f, NEIGHBORS_SWAP);

		equal(answer_sum, f, NEIGHBORS_ADD_REMOVE, added,
		    "sum add-remove");
		equal(answer_sum, f, NEIGHBORS_SWAP, swapped, "sum swap");
		cr_assert(swapped <= 2 * added);
	}
}

/* [DMNS06 Example 3] */
Test(sums, histogram_sensitivities_equal_brute_force)
{
	for (size_t i = 0; i < 5; i++) {
		const struct domain *f = &domains[i];
		int64_t edge[VALUES + 1];
		size_t bins;

		if (i == 3)	/* too narrow to leave a value outside */
			continue;
		for (int rest = 0; rest < 2; rest++) {
			others = rest;
			bins = edges(f, edge) + others;
			equal(answer_hist, f, NEIGHBORS_ADD_REMOVE,
			    sums_sens_hist(
			    bins, NEIGHBORS_ADD_REMOVE),
			    "histogram add-remove");
			equal(answer_hist, f, NEIGHBORS_SWAP,
			    sums_sens_hist(bins,
			    NEIGHBORS_SWAP), "histogram swap");
		}
	}
}

/* Any order gives the same totals, bit for bit. */
Test(sums, row_order_does_not_matter)
{
	enum { n = 1000 };
	static const struct sums_column wide[2] = {
		{ -FIXED_MAX, FIXED_MAX, -FIXED_MAX, 1 },
		{ -FIXED_MAX, FIXED_MAX, 0, 1 }
	};
	uint64_t state = 7;
	static int64_t x[n][2];
	static uint64_t w[n];
	struct total one[2] = { { 0, 0 } }, other[2] = { { 0, 0 } };

	for (size_t i = 0; i < n; i++) {
		x[i][0] = (int64_t)random_word(&state);
		x[i][1] = (int64_t)random_word(&state);
		w[i] = random_word(&state) >> (i % 64);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t a = 0; a < 2; a++) {
			size_t j = (i * 617 + 31) % n;

			total_add(&one[a], sums_offset(&wide[a], x[i][a]),
			    w[i]);
			total_add(&other[a], sums_offset(&wide[a], x[j][a]),
			    w[j]);
		}
	for (size_t a = 0; a < 2; a++)
		cr_assert(total_value(&one[a]) == total_value(&other[a]));
}

/* A record of weight w is w records. */
Test(sums, weights_are_repetitions)
{
	const struct sums_column c = { -7, 9, 2, 1 };
	struct total once[2] = { { 0, 0 } }, often[2] = { { 0, 0 } };
	uint64_t state = 3;

	for (int i = 0; i < 200; i++) {
		i128 z = sums_offset(&c, (int64_t)(random_word(&state) % 40) -
		    20);
		uint64_t w = random_word(&state) % 5;

		total_add(&once[0], z, w);
		total_add(&once[1], z * z, w);
		for (uint64_t k = 0; k < w; k++) {
			total_add(&often[0], z, 1);
			total_add(&often[1], z * z, 1);
		}
	}
	for (size_t a = 0; a < 2; a++)
		cr_assert(total_value(&once[a]) == total_value(&often[a]));
}
