/* pair: the pair of means against all subsets. */
#include "pair_mean.h"
#include "samples.h"
#include "sp/subsets.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define MOST 6
#define SIZE (1 << MOST)
#define LCM 60			/* of 1 to 6 */

struct sample {
	int64_t a[MOST], b[MOST];
	int64_t center[2];
	int64_t sens;
	int n;
};

static void
sample_draw(struct sample *s, uint64_t *state)
{
	int64_t size = 1 + (int64_t)draw(state, 100);

	s->n = (int)draw(state, MOST + 1);
	s->sens = 1 + (int64_t)draw(state, 20);
	for (int i = 0; i < 2; i++)
		s->center[i] = (int64_t)draw(state, 41) - 20;
	for (int i = 0; i < s->n; i++) {
		s->a[i] = (int64_t)draw(state, 2 * size + 1) - size;
		s->b[i] = (int64_t)draw(state, 2 * size + 1) - size;
	}
}

static void
by_walks(const struct sample *s, unsigned kept, int64_t half[2])
{
	int64_t u[MOST], v[MOST];
	size_t n = 0;

	for (int i = 0; i < s->n; i++) {
		struct uv r = pair_split(s->a[i], s->b[i]);

		if ((kept >> i & 1) == 0)
			continue;
		u[n] = r.u;
		v[n++] = r.v;
	}
	qsort(u, n, sizeof u[0], ascending);
	qsort(v, n, sizeof v[0], ascending);
	pair_mean(s->sens, pair_split(s->center[0], s->center[1]), u, v, n,
	    half);
}

/*
 * Definition 8.2 on a grid LCM times finer, where all means are whole; half
 * steps of the fine grid, of all subsets.
 */
static void
by_subsets(const struct sample *s, int64_t *a, int64_t *b)
{
	int64_t sens[MOST];

	for (int i = 0; i < s->n; i++)
		sens[i] = LCM * s->sens;
	for (int d = 0; d < 1 << s->n; d++) {
		int64_t sum[2] = { 0, 0 }, k = 0;

		for (int i = 0; i < s->n; i++) {
			if (d >> i & 1) {
				sum[0] += s->a[i];
				sum[1] += s->b[i];
				k++;
			}
		}
		a[d] = k ? sum[0] * LCM / k : LCM * s->center[0];
		b[d] = k ? sum[1] * LCM / k : LCM * s->center[1];
	}
	subsets_pair(a, b, sens, (unsigned)s->n);
}

/* u and v of the fine result, rounded to steps, halves up, and merged. */
static void
coarse(int64_t a, int64_t b, int64_t half[2])
{
	struct uv g;

	g.u = (int64_t)fixed_floor_div((a + b) / 2 + LCM / 2, LCM);
	g.v = (int64_t)fixed_floor_div((a - b) / 2 + LCM / 2, LCM);
	pair_merge(g, half);
}

/*
 * [CD20 Definition 8.2] [CD20 Theorem 8.3].  Broken twin: an S for each
 * column, half of it each, which is private too but another function.
 */
Test(pair, mean_equals_the_definition_over_all_subsets)
{
	uint64_t state = 31;
	int twin = 0;

	for (int run = 0; run < 3000; run++) {
		struct sample s;
		int64_t a[SIZE], b[SIZE], want[2], have[2];
		int all;

		sample_draw(&s, &state);
		all = (1 << s.n) - 1;
		by_subsets(&s, a, b);
		coarse(a[all], b[all], want);
		by_walks(&s, (unsigned)all, have);
		cr_assert_eq(have[0], want[0], "run %d", run);
		cr_assert_eq(have[1], want[1], "run %d", run);
		s.sens = (s.sens + 1) / 2;
		by_subsets(&s, a, b);
		coarse(a[all], b[all], have);
		twin += have[0] != want[0] || have[1] != want[1];
	}
	cr_assert(twin > 1000);
}

Test(pair, split_and_merge_return_twice_the_pair_and_saturate)
{
	uint64_t state = 33;
	int64_t half[2];

	for (int run = 0; run < 1000; run++) {
		int64_t a = (int64_t)draw(&state, 2000) - 1000;
		int64_t b = (int64_t)draw(&state, 2000) - 1000;

		pair_merge(pair_split(a, b), half);
		cr_assert(half[0] == 2 * a && half[1] == 2 * b);
	}
	pair_merge(pair_split(FIXED_MAX, -FIXED_MAX), half);
	cr_assert_eq(half[0], PAIR_MAX);
	cr_assert_eq(half[1], -PAIR_MAX);
	pair_merge(pair_split(FIXED_MAX, FIXED_MAX - 5), half);
	cr_assert(half[0] == PAIR_MAX + 5 && half[1] == PAIR_MAX - 5);
}
