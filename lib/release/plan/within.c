/* within: the smallest epsilon that keeps the 95 % noise error in bounds. */
#include "within.h"

#include "tool/err.h"

#define DECADES 15	/* 1.00e-7 ... 9.99e7 */
#define STEPS 900	/* 100 ... 999 */

/* The i-th epsilon with three digits, a fraction with parts below 2^31. */
static struct rational
within_candidate(int i)
{
	int e = i / STEPS - 9;	/* 100e-9 = 1.00e-7 */
	i128 digits = 100 + i % STEPS;
	struct rational eps = { 0, 1 };

	rational_make(&eps, digits * fixed_pow10(FIXED_MOST(e, 0)),
	    fixed_pow10(FIXED_MOST(-e, 0)));
	return eps;
}

struct rational
within_epsilon(struct rational bound,
    bool (*error)(void *arg, struct rational eps, struct rational *error95),
    void *arg)
{
	int lo = 0, hi = DECADES * STEPS, mid;
	struct rational eps, e;
	char buf[FIXED_TEXT];

	/* the error falls with epsilon: find the first good enough */
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (error(arg, within_candidate(mid), &e) &&
		    rational_cmp(e, bound) <= 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	if (lo == DECADES * STEPS)
		err_die(STATUS_USAGE, "--within: no epsilon from 1e-7 to 1e7 "
		    "gives so small an error");
	eps = within_candidate(lo);
	if (eps.num > eps.den)
		err_warn("--within: so small an error takes epsilon %s; above "
		    "1 it promises little to each person", rational_text(buf,
		    eps));
	return eps;
}

struct rational
within_bound(const struct opts *o, int power)
{
	struct rational bound = o->within, width, least = { 0, 1 };
	const struct rational hundred = { 100, 1 };
	bool ok = true;

	if (!o->within_part)
		return bound;
	if (o->ranges.n == 0)
		err_die(STATUS_USAGE, "--within in percent is of the range, "
		    "and there is no --range: give the error itself, such as "
		    "--within 10");
	for (size_t c = 0; c < o->ranges.n; c++) {
		ok = ok && rational_sub(&width, o->ranges.at[c].hi,
		    o->ranges.at[c].lo);
		if (ok && (c == 0 || rational_cmp(width, least) < 0))
			least = width;
	}
	if (!ok || !rational_mul(&bound, bound, least) ||
	    (power == 2 && !rational_mul(&bound, bound, least)) ||
	    !rational_div(&bound, bound, hundred))
		err_die(STATUS_USAGE, "--within: too many digits");
	return bound;
}
