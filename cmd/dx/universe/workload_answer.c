/*
 * workload_answer: exact answers to queries.
 *
 * Hazards: |q| <= 2^60, x <= 2^41 and n <= 2^24 bound an answer by 2^125.
 */
#include <stdlib.h>

#include "dx/plan/workload.h"
#include "tool/err.h"

/* Sums over prefixes and ranges come from running sums of the counts. */
static void
answer_block(const struct workload *w, const struct block *b,
    const uint64_t *x, const i128 *sum, i128 *answer)
{
	size_t n = w->n, first, last;

	switch (b->kind) {
	case WORKLOAD_DENSE:
		answer[0] = 0;
		for (size_t i = 0; i < n; i++)
			answer[0] += (i128)b->q[i] * (i128)x[i];
		break;
	case WORKLOAD_PREFIX:
	case WORKLOAD_RANGE:
		for (size_t k = 0; k < b->count; k++) {
			workload_ends(w, b, k, &first, &last);
			answer[k] = sum[last + 1] - sum[first];
		}
		break;
	case WORKLOAD_MARGINAL:
		for (size_t i = 0; i < b->count; i++)
			answer[i] = 0;
		for (size_t i = 0; i < n; i++)
			answer[b->cell[i]] += (i128)x[i];
		break;
	}
}

void
workload_answer(const struct workload *w, const uint64_t *x, i128 *answer)
{
	i128 *sum = err_alloc(NULL, w->n + 1, sizeof(*sum));

	for (size_t i = 0; i < w->n; i++)
		sum[i + 1] = sum[i] + (i128)x[i];
	for (size_t i = 0; i < w->blocks; i++) {
		answer_block(w, &w->block[i], x, sum, answer);
		answer += w->block[i].count;
	}
	free(sum);
}
