/* Public lists of outputs: fixed points, order, ends. */
#include <criterion/criterion.h>
#include <math.h>

#include "asm/plan/outputs.h"
#include "asm/size/code.h"

static const struct rational paper = { 201, 200 };

/* Powers alone, as those of sums and variances. */
static void
powers(struct outputs *o, struct rational beta, int digits, int64_t origin,
    const struct output_span *span)
{
	const struct output_steps steps = { beta, digits, origin, 0 };

	outputs_make(o, &steps, span);
}

/* [D24 Appendix B.2, Algorithm 2] beta^i - 1 against powers of a float. */
Test(outputs, powers_of_beta_are_those_of_long_double)
{
	struct output_span span = { 0, FIXED_MAX, 50001 };
	struct outputs o;
	long double exact;
	size_t i;

	powers(&o, paper, 6, 0, &span);
	cr_expect_gt(o.n, 5000);
	for (i = 0; i + 1 < o.n; i++) {
		exact = (powl(1.005L, (long double)i) - 1) * 1e6L;
		cr_expect_lt(fabsl((long double)o.t[i] - exact),
		    1.01L + exact * 1e-14L);
	}
	cr_expect_eq(o.t[o.n - 1], FIXED_MAX);
	outputs_free(&o);
}

/* Lists of codes go on to 2^126, from powers that begin at 10^6. */
Test(outputs, codes_of_powers_are_those_of_long_double)
{
	struct output_span span = { 0, code_of(CODE_MOST, false), 100000 };
	const struct output_steps steps = { { 1001, 1000 }, 6, 0, 0, true };
	struct outputs o;
	long double exact;

	outputs_make(&o, &steps, &span);
	cr_expect_gt(o.n, 70000);
	for (size_t i = 0; i + 1 < o.n; i++) {
		exact = (powl(1.001L, (long double)i) - 1) * 1e6L;
		cr_expect_lt(fabsl((long double)code_size(o.t[i]) - exact),
		    1.01L + exact * 1e-12L);
		cr_expect_lt(o.t[i], o.t[i + 1]);
	}
	cr_expect_eq(o.t[o.n - 1], span.hi);
	outputs_free(&o);
}

Test(outputs, lists_rise_and_keep_their_ends)
{
	static const struct rational beta[] = { { 100001, 100000 },
	    { 201, 200 }, { 2, 1 }, { 1000000, 1 }, { 100, 99 }, { 0, 1 } };
	static const int64_t ends[][3] = { { 0, 12345, 0 },
	    { 0, FIXED_MAX, 0 }, { -1000, 12345, 0 }, { -1000, 12345, -1000 },
	    { -FIXED_MAX, FIXED_MAX, 0 }, { -FIXED_MAX, FIXED_MAX,
	    -FIXED_MAX }, { 50, 400, -50 }, { -9, 0, 0 }, { 5, 5, 5 } };
	struct outputs o;
	size_t i, k;

	for (i = 0; i < 6 * 9 * 4 * 2 * 3; i++) {
		const int64_t *e = ends[i / 6 % 9], gaps[] = { 0, 1, 77,
		    FIXED_MAX / 50 };
		struct output_span span = { e[0], e[1],
		    i / 216 % 2 ? 7 : 3000 };
		const struct output_steps steps = { beta[i % 6],
		    (int)(i / 432) * 6, e[2], gaps[i / 54 % 4] };

		outputs_make(&o, &steps, &span);
		cr_expect_leq(o.n, 2 * span.most);
		cr_expect_eq(o.t[0], span.lo);
		cr_expect_eq(o.t[o.n - 1], span.hi);
		for (k = 1; k < o.n; k++)
			cr_expect_lt(o.t[k - 1], o.t[k]);
		outputs_free(&o);
	}
}

/*
 * Both sides of the origin alike; no two outputs are further apart than the
 * gap, nor more than a step nearer than both the gap and the powers are.
 */
Test(outputs, powers_end_where_equal_steps_are_nearer)
{
	static const struct rational beta = { 11, 10 };
	struct output_span span = { -100000, 100000, 5000 };
	struct output_steps steps = { beta, 2, 0, 250 };
	struct outputs o;
	long double apart, power;
	size_t i, n;

	outputs_make(&o, &steps, &span);
	n = o.n;
	for (i = 0; i < n; i++)
		cr_expect_eq(o.t[i], -o.t[n - 1 - i]);
	for (i = n / 2; i + 2 < n; i++) {
		apart = (long double)(o.t[i + 1] - o.t[i]);
		power = ((long double)o.t[i] + 100) * 0.1L;
		cr_expect_lt(fabsl(apart - fminl(power, 250)), 1.2L);
	}
	outputs_free(&o);
	/* without powers: equal steps from the origin */
	steps = (struct output_steps){ { 0, 1 }, 2, span.lo, 250 };
	outputs_make(&o, &steps, &span);
	cr_expect_eq(o.n, 801);
	for (i = 0; i < o.n; i++)
		cr_expect_eq(o.t[i], span.lo + 250 * (int64_t)i);
	outputs_free(&o);
}
