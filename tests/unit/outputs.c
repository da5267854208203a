/* Public lists of outputs: fixed points, order, ends. */
#include <criterion/criterion.h>
#include <math.h>

#include "asm/outputs.h"

static const struct rational paper = { 201, 200 };

/* [D24 Appendix B.2, Algorithm 2] beta^i - 1 against powers of a float. */
Test(outputs, powers_of_beta_are_those_of_long_double)
{
	struct output_span span = { 0, FIXED_MAX, 50001 };
	struct outputs o;
	long double exact;
	size_t i;

	cr_assert(outputs_geometric(&o, paper, 6, 0, &span));
	cr_expect_gt(o.n, 5000);
	for (i = 0; i + 1 < o.n; i++) {
		exact = (powl(1.005L, (long double)i) - 1) * 1e6L;
		cr_expect_lt(fabsl((long double)o.t[i] - exact),
		    1.01L + exact * 1e-14L);
	}
	cr_expect_eq(o.t[o.n - 1], FIXED_MAX);
	outputs_free(&o);
}

/* By hand: 1.5^i - 1 on a grid of 1 decimal, floors. */
Test(outputs, small_list_by_hand)
{
	static const int64_t want[] = { 0, 5, 12, 23, 40, 65, 100 };
	struct output_span span = { 0, 100, 50 };
	struct outputs o;

	cr_assert(outputs_geometric(&o, (struct rational){ 3, 2 }, 1, 0,
	    &span));
	cr_expect_eq(o.n, 7);
	cr_expect_arr_eq(o.t, want, sizeof(want));
	outputs_free(&o);
}

Test(outputs, lists_rise_and_keep_their_ends)
{
	static const struct rational beta[] = { { 100001, 100000 },
	    { 201, 200 }, { 2, 1 }, { 1000000, 1 }, { 100, 99 } };
	size_t i, k, most;
	int digits, kind;
	bool ok;

	for (i = 0; i < 5; i++)
		for (digits = 0; digits <= 18; digits += 6)
			for (kind = 0; kind < 6; kind++) {
				struct output_span span = {
				    kind < 3 ? 0 : -1000,
				    kind & 1 ? FIXED_MAX : 12345,
				    kind & 2 ? 7 : 3000 };
				struct outputs o;

				ok = kind < 3 ? outputs_geometric(&o, beta[i],
				    digits, kind == 2 ? -50 : 0, &span) :
				    kind < 5 ? outputs_signed(&o, beta[i],
				    digits, &span) :
				    outputs_uniform(&o, &span);
				cr_assert(ok);
				most = kind < 3 || kind == 5 ? span.most :
				    2 * span.most;
				cr_expect_leq(o.n, most);
				cr_expect_eq(o.t[0], span.lo);
				cr_expect_eq(o.t[o.n - 1], span.hi);
				for (k = 1; k < o.n; k++)
					cr_expect_lt(o.t[k - 1], o.t[k]);
				outputs_free(&o);
			}
}

Test(outputs, one_point_is_a_list)
{
	struct output_span span = { 5, 5, 100 };
	struct outputs o;

	cr_assert(outputs_geometric(&o, paper, 3, 0, &span));
	cr_expect(o.n == 1 && o.t[0] == 5);
	outputs_free(&o);
	cr_assert(outputs_uniform(&o, &span));
	cr_expect(o.n == 1 && o.t[0] == 5);
	outputs_free(&o);
}
