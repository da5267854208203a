/*
 * state_worth: what charges come to where a small chance may be left out.
 *
 * [CKS20] A charge of E is E-private, and so E^2/2-zCDP: the Renyi divergences
 * of neighbors' outputs, D_a for every order a > 1, are at most a E^2/2.  They
 * add up over releases, to a rho in all.  Let Z be ln(P/Q) of an output by P.
 * For each event P - e^eps Q <= E max(0, 1 - e^(eps - Z)) <= c E e^((a - 1) Z)
 * with c = max over z of e^((1 - a) z) - e^(eps - a z), which is at e^(z - eps)
 * = a/(a - 1); and E e^((a - 1) Z) <= e^((a - 1) a rho).  So all releases are
 * (eps, delta)-private for every a and
 *	eps = a rho + (ln(1/delta) + a ln(1 - 1/a) - ln(a - 1)) / (a - 1).
 * rho + 2 sqrt(rho ln(1/delta)) is more: it leaves out terms below 0.  The sum
 * of the charges is an epsilon for each delta, too, and the least one counts.
 *
 * This holds for amounts that do not depend on what earlier releases said: it
 * is a report on charges that were made, and allows none.
 *
 * A record is in one slice: its rho is that of the charges for all records and
 * of the charges for its slice.  A person in M slices loses a/M by each charge
 * of a to one of them: over all of them sum (a/M)^2/2 <= max over slices of sum
 * a^2/(2M).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/ledger_sql.h"
#include "state.h"
#include "tool/err.h"

#define PLACES 6		/* decimals of an epsilon */
#define FINE 32			/* orders a between x and 2x above 1 */

/*
 * A person's rho: whole and top are sums of squares, see above, in units of
 * 10^-18, each charge rounded up to 10^-9.
 */
static double
worth_rho(struct ledger *l, const struct state *s)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_CHARGES, "dataset", s->name, NULL);
	i128 whole = 0, slice = 0, top = 0, *sum;
	char *last = err_copy("", 0);

	while (sql_row(l, q)) {
		const char *name = sql_text(q, "slice");
		int64_t steps = FIXED_MAX;	/* beyond it the sum is less */

		sum = name == NULL ? &whole : &slice;
		if (name != NULL && strcmp(name, last) != 0) {
			slice = 0;
			free(last);
			last = err_copy(name, strlen(name));
		}
		rational_grid(sql_rational(l, q, "amount"), FIXED_DIGITS / 2,
		    FIXED_CEIL, &steps);
		*sum = fixed_add_sat(*sum, (i128)steps * steps);
		top = FIXED_MOST(top, slice);
	}
	free(last);
	sqlite3_finalize(q);
	return ((double)whole + (double)top / (double)FIXED_MOST(s->most, 1)) /
	    2e18;
}

/*
 * The least of eps and those of the orders 1 + x.  Logarithms below 100 and x
 * >= 2^-10 leave an error below 10^-9, and sums of terms above 0 one below
 * 2^-40.
 */
static double
worth_epsilon(double rho, double delta, double eps)
{
	for (int i = -10 * FINE; i < 40 * FINE; i++) {
		double x = exp2(i / (double)FINE);
		double rest = (1 + x) * log1p(1 / x) + log(delta) + log(x);

		eps = fmin(eps, (1 + x) * rho - rest / x);
	}
	return fmax(eps, 0) * (1 + exp2(-40)) + 1e-9;
}

struct rational
state_worth(struct ledger *l, const struct state *s, struct rational delta)
{
	double epsilon = worth_epsilon(worth_rho(l, s), rational_real(delta),
	    rational_real(s->spent));
	struct rational worth;

	rational_make(&worth, (i128)ceil(epsilon *
	    (double)fixed_pow10(PLACES)), fixed_pow10(PLACES));
	return rational_cmp(worth, s->spent) < 0 ? worth : s->spent;
}
