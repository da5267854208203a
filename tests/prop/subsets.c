/*
 * subsets: against the definitions, taken literally.  The two-dimensional
 * oracle never forms u = a + b.
 */
#include "sp/subsets.h"

#include "samples.h"

#include <criterion/criterion.h>
#include <string.h>

#define MOST 6
#define SIZE (1 << MOST)

static int64_t
spread_draw(uint64_t *state, int64_t most)
{
	return (int64_t)draw(state, (uint64_t)(2 * most + 1)) - most;
}

/* Definition 3.1 as a plain recursion, without memory of earlier results. */
static int64_t
recursive(const int64_t *f, const int64_t *sens, unsigned n, unsigned d)
{
	int64_t up = INT64_MAX, low = INT64_MIN;

	if (d == 0)
		return f[0];
	for (unsigned i = 0; i < n; i++) {
		if (d >> i & 1) {
			int64_t g = recursive(f, sens, n, d & ~(1u << i));

			if (g + sens[i] < up)
				up = g + sens[i];
			if (g - sens[i] > low)
				low = g - sens[i];
		}
	}
	cr_assert(low <= up, "Lemma 3.5: the constraints have a solution");
	if (up <= f[d])
		return up;
	return low >= f[d] ? low : f[d];
}

static void
draw_case(uint64_t *state, unsigned n, int64_t *f, int64_t *sens)
{
	int64_t most = 1 + (int64_t)draw(state, 40);

	for (unsigned d = 0; d < 1u << n; d++)
		f[d] = spread_draw(state, most);
	for (unsigned i = 0; i < n; i++)
		sens[i] = (int64_t)draw(state, 12);
}

/* [CD20 Definition 3.1, Lemma 3.5] [CD20 Algorithm 1] */
Test(subsets, value_equals_the_plain_recursion)
{
	uint64_t state = 1;

	for (int run = 0; run < 2000; run++) {
		unsigned n = (unsigned)draw(&state, 6);
		int64_t f[SIZE], g[SIZE], sens[MOST];

		draw_case(&state, n, f, sens);
		memcpy(g, f, sizeof g);
		subsets_value(g, sens, n);
		for (unsigned d = 0; d < 1u << n; d++)
			cr_assert_eq(g[d], recursive(f, sens, n, d));
	}
}

#define WIDE 12		/* values within this, of which half steps are tried */

/* Definition 8.2 by trying all half steps: the nearest that all balls hold. */
static void
by_definition(int64_t *a, int64_t *b, const int64_t *sens, unsigned n)
{
	a[0] *= 2;
	b[0] *= 2;
	for (unsigned d = 1; d < 1u << n; d++) {
		int64_t f = 2 * a[d], h = 2 * b[d], best = INT64_MAX;

		for (int64_t x = -2 * WIDE; x <= 2 * WIDE; x++)
			for (int64_t y = -2 * WIDE; y <= 2 * WIDE; y++) {
				int64_t far = (x - f) * (x - f) + (y - h) *
				    (y - h);
				bool in = far < best;

				for (unsigned i = 0; i < n && in; i++) {
					unsigned o = d & ~(1u << i);

					in = o == d || llabs(x - a[o]) +
					    llabs(y - b[o]) <= 2 * sens[i];
				}
				if (!in)
					continue;
				best = far;
				a[d] = x;
				b[d] = y;
			}
		cr_assert(best < INT64_MAX, "Lemma 8.8: the l1 balls meet");
	}
}

/*
 * [CD20 Definition 8.2] [CD20 Lemma 8.8].  Broken twin: the balls of the
 * maximum norm, that is a and b preprocessed each by itself.
 */
Test(subsets, joint_equals_the_closest_point_of_rotated_squares)
{
	uint64_t state = 5;
	int caught = 0;

	for (int run = 0; run < 300; run++) {
		unsigned n = 1 + (unsigned)draw(&state, 4);
		int64_t a[SIZE], b[SIZE], sens[MOST], x[SIZE], y[SIZE];
		int64_t twin[SIZE];

		draw_case(&state, n, b, sens);
		draw_case(&state, n, a, sens);
		for (unsigned d = 0; d < 1u << n; d++) {
			x[d] = a[d] %= WIDE;
			y[d] = b[d] %= WIDE;
		}
		by_definition(x, y, sens, n);
		memcpy(twin, a, sizeof twin);
		subsets_pair(a, b, sens, n);
		subsets_value(twin, sens, n);
		for (unsigned d = 0; d < 1u << n; d++)
			cr_assert(a[d] == x[d] && b[d] == y[d], "run %d: "
			    "(%ld, %ld), not (%ld, %ld)", run, (long)a[d],
			    (long)b[d], (long)x[d], (long)y[d]);
		caught += 2 * twin[(1u << n) - 1] != x[(1u << n) - 1];
	}
	cr_assert(caught > 50, "%d", caught);
}

Test(subsets, values_at_the_ends_of_the_grid_do_not_overflow)
{
	uint64_t state = 7;
	static const int64_t ends[] = { -FIXED_MAX, -FIXED_MAX + 1, 0,
	    FIXED_MAX - 1, FIXED_MAX };

	for (int run = 0; run < 500; run++) {
		int64_t f[SIZE], a[SIZE], b[SIZE], sens[MOST], half[MOST];

		for (unsigned d = 0; d < SIZE; d++) {
			f[d] = a[d] = ends[draw(&state, 5)];
			b[d] = ends[draw(&state, 5)];
		}
		for (unsigned i = 0; i < MOST; i++) {
			sens[i] = draw(&state, 2) ? FIXED_MAX :
			    (int64_t)draw(&state, 1u << 30) << 32;
			half[i] = sens[i] / 2;
		}
		subsets_value(f, sens, MOST);
		subsets_pair(a, b, half, MOST);
		for (unsigned d = 1; d < SIZE; d++) {
			cr_assert(f[d] <= FIXED_MAX && f[d] >= -FIXED_MAX);
			cr_assert(a[d] <= FIXED_MAX && a[d] >= -FIXED_MAX);
			cr_assert(b[d] <= FIXED_MAX && b[d] >= -FIXED_MAX);
			for (unsigned i = 0; i < MOST; i++) {
				unsigned o = d & ~(1u << i);
				i128 e = (i128)f[d] - f[o];

				cr_assert((e < 0 ? -e : e) <= sens[i]);
			}
		}
	}
}
