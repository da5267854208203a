/*
 * bounded: any number of records, with so small an N that all data sets around
 * it are enumerated.
 */
#include <criterion/criterion.h>

#include "pair_mean.h"
#include "sp_world.h"

#define POINTS 4
#define MOST 9		/* records */
#define FUNCTIONS 6	/* the ordered ones, the variance, a pair */
#define PAIR (FUNCTIONS - 1)

static const int64_t point[POINTS] = { -7, 0, 3, 20 };
static const int64_t center = 1;

static const struct sp_f f[FUNCTIONS - 1] = {
	{ .o = { ORDERED_MEAN, { 0, 1 }, center, 2 } },
	{ .o = { ORDERED_MEAN, { 1, 4 }, center, 3 } },
	{ .o = { ORDERED_MEDIAN, { 0, 1 }, center, 2 } },
	{ .o = { ORDERED_QUANTILE, { 2, 3 }, center, 3 } },
	{ .squared = true, .v = { 11, 1 } },
};

static size_t
records(const size_t count[POINTS], int64_t *x)
{
	size_t n = 0;

	for (size_t i = 0; i < POINTS; i++)
		for (size_t j = 0; j < count[i]; j++)
			x[n++] = point[i];
	return n;
}

static int64_t
sens_of(size_t k)
{
	return k == PAIR ? 2 : sp_sens(&f[k]);
}

/* The function without a look at N; of the pair x and 20 - x. */
static void
plain(size_t k, const int64_t *x, size_t n, int64_t value[2])
{
	struct uv c = pair_split(center, -center), r;
	int64_t u[MOST], v[MOST];

	value[1] = 0;
	if (k < PAIR) {
		value[0] = sp_value(&f[k], x, NULL, n);
	} else {
		for (size_t i = 0; i < n; i++) {
			r = pair_split(x[i], 2 * x[i]);
			u[i] = r.u;
			v[n - 1 - i] = r.v;
		}
		pair_mean(sens_of(k), c, u, v, n, value);
	}
}

/* As sp_values does: u and v, each within its bounds, in half steps. */
static void
bound_pair(int64_t sens, struct uv c, uint64_t room, int64_t half[2])
{
	int64_t u = (half[0] + half[1]) / 2, v = (half[0] - half[1]) / 2;

	pair_merge((struct uv){ values_bounded(u, c.u, sens, room),
	    values_bounded(v, c.v, sens, room) }, half);
}

/* h of the data for this N, in half steps where it is a pair. */
static void
released(size_t k, const size_t count[POINTS], size_t most,
    int64_t value[2])
{
	struct uv c = pair_split(center, -center);
	int64_t x[MOST], middle = k == PAIR - 1 ? 0 : center;
	size_t n = records(count, x);
	uint64_t room = n < most ? most - n : 0;

	plain(k, x, n, value);
	if (k == PAIR)
		bound_pair(sens_of(k), c, room, value);
	else
		value[0] = values_bounded(value[0], middle, sens_of(k), room);
}

static int64_t
distance(const int64_t a[2], const int64_t b[2])
{
	return llabs(a[0] - b[0]) + llabs(a[1] - b[1]);
}

/*
 * Failures for these data: all that have a record more, against the
 * sensitivity; the center from N on; g itself up to half of N.
 */
static int
failures(size_t k, size_t count[POINTS], size_t most)
{
	int64_t value[2], other[2], x[MOST], sens = sens_of(k);
	size_t n = records(count, x);
	int bad = 0;

	released(k, count, most, value);
	for (size_t i = 0; i < POINTS && n < MOST; i++) {
		count[i]++;
		released(k, count, most, other);
		bad += distance(value, other) > (k == PAIR ? 2 : 1) * sens;
		count[i]--;
	}
	plain(k, x, 2 * n <= most ? n : 0, other);
	if (2 * n <= most || n >= most)
		bad += distance(value, other) != 0;
	return bad;
}

static int
all(size_t k, size_t most)
{
	size_t count[POINTS] = { 0 }, i, n = 0;
	int bad = 0;

	do {
		bad += failures(k, count, most);
		for (i = 0; i < POINTS; n -= count[i], count[i++] = 0)
			if (n < MOST) {
				count[i]++;
				n++;
				break;
			}
	} while (i < POINTS);
	return bad;
}

/* [CD20 Lemma 3.5] */
Test(bounded, records_without_number_keep_the_sensitivity)
{
	for (size_t k = 0; k < FUNCTIONS; k++)
		for (size_t most = 1; most <= 7; most++)
			cr_expect_eq(all(k, most), 0, "%zu %zu", k,
			    most);
}
