/* state: each data set's state, added up from the ledger. */
#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ledger/ledger_sql.h"
#include "tool/err.h"

#define NONE ((struct rational){ 0, 1 })

struct ledger *
state_open(const char *path)
{
	struct ledger *l;

	if (access(path, R_OK) != 0)
		err_sys("ledger %s", path);
	l = sql_open_look(path);
	sql_check(l);
	return l;
}

struct rational
state_spent(const struct account *a)
{
	struct rational sum;

	/* charges fit; an old log's sums are checked when read */
	return account_sum(&sum, a->whole, a->top) ? sum : a->total;
}

/* Adds to a sum for show; a sum without room ends the program. */
static void
add_to(struct rational *sum, struct rational x)
{
	if (!account_sum(sum, *sum, x))
		err_die(STATUS_INPUT, "a sum in the ledger has too many "
		    "digits");
}

static struct part *
add_part(struct part_list *p, const char *name)
{
	p->part = err_alloc(p->part, p->n + 1, sizeof(*p->part));
	p->part[p->n] = (struct part){ .name = err_copy(name, strlen(name)),
	    .spent = NONE };
	return &p->part[p->n++];
}

static void
read_accounts(struct ledger *l, struct state *s, struct account *rest)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_ACCOUNTS, "dataset", s->name,
	    NULL);

	while (sql_row(l, q)) {
		const struct account a = { sql_rational(l, q, "total"),
		    sql_rational(l, q, "whole"), sql_rational(l, q, "top") };
		int64_t releases = sql_number(q, "releases");
		struct part *p;

		s->releases += (uint64_t)releases;
		add_to(&s->spent, state_spent(&a));
		if (sql_word(q, "name")[0] == '\0') {
			*rest = a;
			continue;
		}
		p = add_part(&s->accounts, sql_word(q, "name"));
		*p = (struct part){ p->name, a.total, state_spent(&a),
		    account_left(&a, NULL), { releases, 1 } };
		add_to(&s->aside, p->left);
	}
	s->left = account_left(rest, NULL);
	sqlite3_finalize(q);
}

/* For qsort: the costliest first, and in order of their names. */
static int
costlier(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int order = rational_cmp(y->spent, x->spent);

	return order != 0 ? order : strcmp(x->name, y->name);
}

/*
 * A slice's cost: every account's charges, for the slice and for the whole
 * data.
 */
static void
read_slices(struct ledger *l, struct state *s, const struct account *rest)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_SLICES, "dataset", s->name, NULL);
	struct part_list *all = &s->slices;
	struct part *p = NULL;

	while (sql_row(l, q)) {
		struct rational spent = sql_rational(l, q, "spent");
		const char *value = sql_word(q, "value");

		if (p == NULL || strcmp(p->name, value) != 0) {
			p = add_part(all, value);
			p->left = account_left(rest, &p->spent);
		}
		if (sql_word(q, "account")[0] == '\0')
			p->left = account_left(rest, &spent);
		add_to(&p->spent, spent);
	}
	sqlite3_finalize(q);
	if (all->n > 0)
		qsort(all->part, all->n, sizeof(*p), costlier);
	while (all->n > STATE_SLICES)
		free(all->part[--all->n].name);
}

static void
free_parts(struct part_list *p)
{
	while (p->n > 0)
		free(p->part[--p->n].name);
	free(p->part);
}

void
state_each(struct ledger *l, const char *dataset,
    void (*each)(void *arg, const struct state *s), void *arg)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_BUDGETS, "dataset", dataset, NULL);
	struct account rest = { NONE, NONE, NONE };

	while (sql_row(l, q)) {
		bool sampled = sql_text(q, "sampled") != NULL;
		struct state s = { .name = sql_word(q, "name"),
		    .most = sql_number(q, "max_slices"),
		    .sampled = sampled ? sql_rational(l, q, "sampled") : NONE,
		    .population = sampled ? sql_rational(l, q, "population") :
		    NONE, .total = sql_rational(l, q, "total"), .spent = NONE,
		    .aside = NONE };

		for (enum bound i = 0; i < BOUNDS; i++)
			s.bounds.is[i] = sql_text(q, bound_name(i));
		read_accounts(l, &s, &rest);
		read_slices(l, &s, &rest);
		each(arg, &s);
		free_parts(&s.accounts);
		free_parts(&s.slices);
	}
	sqlite3_finalize(q);
}

/* --- what charges come to where a small chance may be left out ----------- */

/*
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
