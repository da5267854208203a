/* lap_metric: the mean's sensitivity for each unit of distance. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "laplace/lap.h"

#define SIDE 13		/* values 0..SIDE-1 of each of two columns */

/* As the option says it. */
static void
set_metric(struct lap *l, const char *text)
{

	l->args.metric = text;
	cr_assert(metric_parse(text, &l->args.spec), "%s", text);
}

static double
distance(const char *base, double x, double y)
{
	return base[0] == 'e' ? hypot(x, y) : base[1] == 'a' &&
	    base[2] == 'x' ? fmax(x, y) : x + y;
}

/* [KPAK20 Theorem 10, Definition 10, Definition 11] */
Test(lap_metric, no_change_of_a_record_moves_the_sums_beyond_its_distance)
{
	static const char *const base[] = { "euclid", "manhattan", "max" };
	static const char *const bent[] = { "", "smooth:3:", "smooth:100:" };
	struct range range = { { 0, 1 }, { SIDE - 1, 1 } };

	for (int i = 0; i < 9; i++) {
		char text[64];
		struct lap l = { .plan = { .d = 2 }, .opts = { .ranges.at =
		    &range, .ranges.n = 1 } };
		struct rational sens;
		double c, worst = 0, t = i / 3 == 1 ? 3 : 100;

		snprintf(text, sizeof(text), "%s%s:x,y", bent[i / 3],
		    base[i % 3]);
		set_metric(&l, text);
		cr_assert(lap_metric_sens(&l, &sens), "%s", text);
		metric_spec_free(&l.args.spec);
		c = (double)sens.num / (double)sens.den;
		if (c == 0)
			c = 2 * (SIDE - 1);	/* that of the ranges */
		for (int x = 0; x < SIDE; x++)
			for (int y = x == 0; y < SIDE; y++) {
				double d = distance(base[i % 3], x, y);

				if (i >= 3)
					d = fmax(1, d / t);
				worst = fmax(worst, (x + y) / d);
			}
		cr_assert_leq(worst, c * (1 + 1e-12), "%s", text);
		cr_assert_geq(worst, c * (1 - 1e-8) * (i / 3 == 1 ? 0.9 : 1),
		    "%s: %g of %g", text, worst, c);
	}
}

/*
 * A threshold graph on all values has paths of steps of 3, a step is its
 * length, and plain privacy has the range (0 here).
 */
Test(lap_metric, one_column_by_hand)
{
	static const struct { const char *metric; int64_t sens; } rows[] = {
		{ "blowfish:3:max:x", 3 }, { "step:day/7", 7 },
		{ "discrete", 0 },
	};
	struct range range = { { 0, 1 }, { 60, 1 } };
	struct rational sens;

	for (size_t i = 0; i < 3; i++) {
		struct lap l = { .plan = { .d = 1 }, .opts = { .ranges.at =
		    &range, .ranges.n = 1 } };

		set_metric(&l, rows[i].metric);
		cr_assert(lap_metric_sens(&l, &sens));
		cr_assert(sens.num == rows[i].sens && sens.den == 1, "%s",
		    rows[i].metric);
		metric_spec_free(&l.args.spec);
	}
}
