/* state: each data set's state, added up from the ledger. */
#include "state.h"

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
