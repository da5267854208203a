/*
 * select: exact selection by score.
 *
 * One primitive serves two mechanisms: a coin that shows heads with probability
 * exp(-(m - u)/t) exactly, m the largest score left.
 *
 * Exponential mechanism [DMNS06 Section 3.3, Theorem 2]: propose a candidate
 * uniformly, keep the candidate if the coin shows heads, or propose again.  A
 * round keeps candidate i with probability exp((u_i - m)/t)/n, so the kept
 * candidate has the law exp(u_i/t) / sum_j exp(u_j/t), exactly.  A round
 * succeeds with probability sum_j exp((u_j - m)/t)/n >= 1/n because the best
 * candidate's coin is certain: at most n rounds are expected, with O(1) coins
 * each.
 *
 * Permute-and-flip [MS20 Algorithm 1]: walk a uniform permutation and return
 * the first heads.  The walk ends at the best candidate at the latest.
 *
 * Privacy, with D the sensitivity and t = 2D/eps.  Exponential: the numerator
 * and the sum each change by at most exp(D/t) = exp(eps/2).  If all scores move
 * one way, numerator and sum move this way too, a factor is at most 1, and t =
 * D/eps is enough.  Permute-and-flip [MS20 Theorem 1]: the choice has the law
 * of argmax(u_i + Z_i), the Z_i independent exponentials with mean t (Ding et
 * al.  2021, arXiv 2105.07260).  The law stays when all scores move together,
 * and P[i] grows with u_i and falls with every u_j, so the worst neighbour
 * raises u_i by 2D (monotonic: D) and leaves the rest.  Shifting Z_i up by 2D
 * stays in the support and costs exp(2D/t) = exp(eps) in density.  Without
 * replacement: k adaptive choices compose to k budgets.
 *
 * Numeric hazards: m - u_i fits 64 unsigned bits for every pair of int64
 * scores, r is below 2^63, so r (m - u_i) < 2^127.  The largest score must be
 * the largest among the candidates left: a stale score only slows the
 * exponential mechanism, but changes the law of permute-and-flip, whose loop
 * would not even end.
 */
#include "select.h"

#include <assert.h>
#include <stdlib.h>

#include "number/memory.h"

static bool
heads(struct rng *r, const struct scale *t, int64_t best, int64_t u)
{
	uint64_t gap = (uint64_t)best - (uint64_t)u;

	return gap == 0 || noise_bern_exp(r, (u128)t->r * gap, t->s);
}

static int64_t
largest(const int64_t *u, const size_t *left, size_t n)
{
	int64_t best = INT64_MIN;

	for (size_t i = 0; i < n; i++)
		if (u[left[i]] > best)
			best = u[left[i]];
	return best;
}

/*
 * [DMNS06 Section 3.3] [MS20 Algorithm 1] Position in left where the drawn
 * candidate stands; the permutation is made as far as walked.
 */
static size_t
select_one(struct rng *r, const struct scale *t, enum select_kind kind,
    const int64_t *u, size_t *left, size_t n, int64_t best)
{
	for (size_t i = 0;; i += kind == SELECT_FLIP) {
		size_t j = i + (size_t)rng_below(r, n - i), c = left[j];

		if (kind == SELECT_FLIP) {
			left[j] = left[i];
			left[i] = c;
			j = i;
		}
		if (heads(r, t, best, u[c]))
			return j;
	}
}

void
select_draw(struct rng *r, const struct scale *t, enum select_kind kind,
    const int64_t *u, size_t n, size_t k, size_t *chosen)
{
	size_t *left = err_alloc(NULL, n, sizeof(*left));
	int64_t best;

	assert(k >= 1 && k <= n);
	for (size_t i = 0; i < n; i++)
		left[i] = i;
	best = largest(u, left, n);
	for (size_t i = 0; i < k; i++) {
		size_t at = select_one(r, t, kind, u, left, n, best);

		at = METER_SELECT(at, u, left, n, t);
		chosen[i] = left[at];
		left[at] = left[--n];
		if (n > 0 && u[chosen[i]] == best)
			best = largest(u, left, n);
	}
	free(left);
}
