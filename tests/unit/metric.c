/* metric: specifications taken apart, and a few distances by hand. */
#include "dx/plan/metric.h"
#include "tool/metric_spec.h"

#include <criterion/criterion.h>

static struct metric_spec
parsed(const char *text)
{
	struct metric_spec s;

	cr_assert(metric_parse(text, &s), "%s: %s", text, s.wrong);
	return s;
}

Test(metric, specifications_are_taken_apart)
{
	struct metric_spec s = parsed("euclid:lon,\"a,b\"");

	cr_assert_eq(s.kind, METRIC_EUCLID);
	cr_assert_str_eq(s.columns, "lon,\"a,b\"");
	metric_spec_free(&s);
	s = parsed("blowfish:2.5:max:x");
	cr_assert(s.kind == METRIC_MAX && s.bend == METRIC_BLOWFISH &&
	    s.t.num == 5 && s.t.den == 2);
	metric_spec_free(&s);
	s = parsed("smooth:1/3:manhattan:x,y");
	cr_assert(s.kind == METRIC_SUM && s.bend == METRIC_SMOOTH &&
	    s.t.num == 1 && s.t.den == 3);
	metric_spec_free(&s);
	s = parsed("step:km/h/7");
	cr_assert(s.kind == METRIC_SUM && s.step && s.t.num == 7);
	cr_assert_str_eq(s.columns, "km/h");
	metric_spec_free(&s);
	s = parsed("attr:age=0.1,\"a=b,c\"=inf,job=1/3");
	cr_assert(s.kind == METRIC_ATTR && s.dims == 3);
	cr_assert_str_eq(s.columns, "age,\"a=b,c\",job");
	cr_assert(s.weight[0].num == 1 && s.weight[0].den == 10);
	cr_assert(s.weight[1].den == 0 && s.weight[2].den == 3);
	metric_spec_free(&s);
	s = parsed("values-min:a:b.csv");
	cr_assert_eq(s.kind, METRIC_VALUES_MIN);
	cr_assert_str_eq(s.file, "a:b.csv");
	metric_spec_free(&s);
	s = parsed("discrete");
	cr_assert(s.bend == METRIC_SMOOTH && s.columns == NULL);
	metric_spec_free(&s);
}

Test(metric, what_is_no_specification_is_refused_in_words)
{
	static const char *const bad[] = { "", "euclid", "euclid:", "Euclid:x",
	    "discrete:x", "step:x", "step:/3", "step:x/0", "step:x/-1",
	    "blowfish:x", "blowfish:0:euclid:x", "blowfish:1:discrete",
	    "smooth::euclid:x", "smooth:1:step:x/2", "attr:", "attr:x",
	    "attr:=1", "attr:x=-1", "attr:x=1,", "attr:x=nan", "values:",
	    "graph:", "matrix:", "matrix", "euclid x" };
	struct metric_spec s;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_assert(!metric_parse(bad[i], &s), "%s", bad[i]);
		cr_assert_not_null(s.wrong, "%s", bad[i]);
	}
}

static u128
measure(const struct metric *m, size_t i, size_t j)
{
	u128 v;

	cr_assert(metric_between(m, i, j, &v));
	return v;
}

Test(metric, far_points_do_not_overflow)
{
	int64_t far = METRIC_MOST / 2, x[] = { -far, -far, far, far };
	struct metric m = { .kind = METRIC_EUCLID, .n = 2, .dims = 2, .x = x,
	    .unit = { 1, 1 } };
	struct rational d;

	cr_assert_eq(measure(&m, 0, 1), (u128)1 << 123);
	cr_assert(metric_below(&m, (u128)1 << 123, &d));
	m.kind = METRIC_SUM;
	cr_assert_eq(measure(&m, 0, 1), (u128)1 << 62);
	m.kind = METRIC_MAX;
	cr_assert_eq(measure(&m, 0, 1), (u128)1 << 61);
}
