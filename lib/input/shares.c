/*
 * shares: people's rows, and the part handed over.
 *
 * [CD20 Definition 7.1] Records with epsilons of their own.  A mechanism is
 * personally private when no probability changes by more than e^(e_i) as record
 * i comes or goes.  Let a record with epsilon E weigh W, and record i
 * w_i = floor(W e_i / E),
 * at most W.  Where a mechanism is E-private because of how far a record of
 * weight W moves it, and a record of weight w moves it by w / W of that at
 * most, its loss is E w / W.  So record i costs e_i at most, by a bound above
 * e_i - E / W.  That is so, under add-remove, for
 *
 * - totals with Laplace noise: their l1 distance is w times that for a unit,
 *   and noise of the scale D W / E loses (D w) / (D W / E) [DMNS06 Proposition
 *   1].  Sums, counts, bins, partitions of unity and products are such totals,
 *   and a total that saturates moves less;
 * - choices by scores that weight moves: with moves of D w at most both
 *   mechanisms lose 2 D w / t, or D w / t where all scores move one way
 *   (select.c).  Votes are such scores, and so are rank distances, in a tree
 *   of quantiles at every question (quantile_tree.c), and how far a released
 *   table is from answers that add up (mwem.c, pairwise.c, synth_smalldb.c);
 * - adaptive compositions of these, whose losses add up.
 *
 * N releases cost record i N e_i, as they cost E a record N E.  A line that
 * stands for v equal records weighs v w_i: each of the v costs e_i.
 *
 * Elsewhere the loss is not known to be linear in weight: a preprocessed
 * statistic moves by S although any number of records may come (cmd/sp), and
 * asm-estimate's distances count records.  There records are sampled, see
 * personal.c, each with probability (e^(e_i) - 1) / (e^E - 1): never more than
 * e_i / E, as (e^x - 1) / x grows with x.
 */
#include "shares.h"

#include <stdlib.h>

/*
 * By the group, then by the numbers, then by the weight.  So each group's share
 * follows from the row counts in groups, public under swap.
 */
static int
by_value(const void *a, const void *b)
{
	const struct share *s = a, *t = b;

	if (s->group != t->group)
		return s->group < t->group ? -1 : 1;
	for (size_t i = 0; i < s->k; i++)
		if (s->x[i] != t->x[i])
			return s->x[i] < t->x[i] ? -1 : 1;
	return (s->w > t->w) - (s->w < t->w);
}

void
shares_sort(struct shares *s)
{
	qsort(s->row, s->n, sizeof(*s->row), by_value);
}

uint64_t
shares_total(struct shares *s)
{
	uint64_t total = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->row[i].w > INT64_MAX - total)
			s->row[i].w = INT64_MAX - total;
		total += s->row[i].w;
	}
	return total;
}

void
shares_set(struct shares *s, uint64_t total, uint64_t whole, uint64_t start)
{
	uint64_t sum = 0, now, before = 0;

	for (size_t i = 0; i < s->n; i++) {
		sum += s->row[i].w;
		now = (uint64_t)(((u128)sum * whole + start) / total);
		s->row[i].w = now - before;
		before = now;
	}
}

/* [CD20 Definition 7.1] If the parts have no room, 0 is safe. */
uint64_t
shares_own(struct rational eps, struct rational total, uint64_t whole)
{
	struct rational part = { (i128)whole, 1 };

	if (rational_sign(eps) <= 0)
		return 0;
	if (rational_cmp(eps, total) >= 0)
		return whole;
	if (!rational_mul(&part, part, eps) ||
	    !rational_div(&part, part, total))
		return 0;
	return (uint64_t)(part.num / part.den);
}

size_t
shares_group_end(const struct shares *s, size_t i)
{
	uint64_t group = s->row[i].group;

	while (i < s->n && s->row[i].group == group)
		i++;
	return i;
}
