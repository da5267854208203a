/* state: each data set's state, added up from the ledger. */
#include "state.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ledger/ledger_sql.h"
#include "tool/err.h"

/*
 * A killed job leaves a journal beside the file, which has to be played back
 * before anybody can read; only a writer can play back.
 */
static struct ledger *
open_read(const char *path)
{
	struct ledger *l = sql_open(path, SQLITE_OPEN_READONLY);

	if (sqlite3_exec(l->db, "PRAGMA user_version", NULL, NULL, NULL) ==
	    SQLITE_OK)
		return l;
	if (access(path, W_OK) != 0)
		sql_die(l);
	ledger_close(l);
	return sql_open(path, SQLITE_OPEN_READWRITE);
}

struct ledger *
state_open(const char *path)
{
	struct ledger *l;

	if (access(path, R_OK) != 0)
		diesys(STATUS_INPUT, "ledger %s", path);
	l = open_read(path);
	sql_run(l, SQL_LOOK);
	sql_check(l, false);
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
		die(STATUS_INPUT, "a sum in the ledger has too many digits");
}

static void
add_account(struct state *s, const char *name, const struct account *a,
    uint64_t releases)
{
	struct part *p;

	s->releases += releases;
	add_to(&s->spent, state_spent(a));
	if (name[0] == '\0') {
		s->left = account_left(a, NULL);
		return;
	}
	s->account = err_alloc(s->account, s->accounts + 1, sizeof(*p));
	p = &s->account[s->accounts++];
	*p = (struct part){ err_copy(name, strlen(name)), a->total,
	    state_spent(a), account_left(a, NULL), releases };
	add_to(&s->aside, p->left);
}

static void
read_accounts(struct ledger *l, struct state *s, struct account *rest)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_ACCOUNTS, "dataset", s->name,
	    NULL);
	struct account a;

	while (sql_row(l, q)) {
		a = (struct account){ sql_rational(l, q, "total"),
		    sql_rational(l, q, "whole"), sql_rational(l, q, "top") };
		if (sql_word(q, "name")[0] == '\0')
			*rest = a;
		add_account(s, sql_word(q, "name"), &a,
		    (uint64_t)sql_number(q, "releases"));
	}
	sqlite3_finalize(q);
}

/* Keeps a slice among the STATE_SLICES costliest; takes over p->name. */
static void
keep_slice(struct state *s, struct part p)
{
	size_t at = s->slices, last = STATE_SLICES - 1;

	while (at > 0 && rational_cmp(p.spent, s->slice[at - 1].spent) > 0)
		at--;
	if (at == STATE_SLICES) {
		free(p.name);
		return;
	}
	if (s->slices == STATE_SLICES)
		free(s->slice[last].name);
	else
		last = s->slices++;
	memmove(&s->slice[at + 1], &s->slice[at],
	    (last - at) * sizeof(s->slice[0]));
	s->slice[at] = p;
}

/*
 * A slice's cost: every account's charges, for the slice and for the whole
 * data.
 */
static void
read_slices(struct ledger *l, struct state *s, const struct account *rest)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_SLICES, "dataset", s->name, NULL);
	const struct rational none = { 0, 1 };
	struct part p = { .name = NULL };

	while (sql_row(l, q)) {
		struct rational spent = sql_rational(l, q, "spent");
		const char *value = sql_word(q, "value");

		if (p.name == NULL || strcmp(p.name, value) != 0) {
			if (p.name != NULL)
				keep_slice(s, p);
			p = (struct part){ err_copy(value, strlen(value)),
			    none, none, account_left(rest, &none), 0 };
		}
		if (sql_word(q, "account")[0] == '\0')
			p.left = account_left(rest, &spent);
		add_to(&p.spent, spent);
	}
	if (p.name != NULL)
		keep_slice(s, p);
	sqlite3_finalize(q);
}

static void
free_parts(struct state *s)
{
	for (size_t i = 0; i < s->accounts; i++)
		free(s->account[i].name);
	for (size_t i = 0; i < s->slices; i++)
		free(s->slice[i].name);
	free(s->account);
}

void
state_each(struct ledger *l, const char *dataset,
    void (*each)(void *arg, const struct state *s), void *arg)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_BUDGETS, "dataset", dataset, NULL);
	const struct rational none = { 0, 1 };
	struct account rest = { none, none, none };

	while (sql_row(l, q)) {
		bool sampled = sql_text(q, "sampled") != NULL;
		struct state s = { .name = sql_word(q, "name"),
		    .most = sql_number(q, "max_slices"),
		    .sampled = sampled ? sql_rational(l, q, "sampled") : none,
		    .population = sampled ? sql_rational(l, q, "population") :
		    none, .total = sql_rational(l, q, "total"), .spent = none,
		    .aside = none, .left = none };

		for (enum bound i = 0; i < BOUNDS; i++)
			s.bounds.is[i] = sql_text(q, bound_name(i));
		read_accounts(l, &s, &rest);
		read_slices(l, &s, &rest);
		each(arg, &s);
		free_parts(&s);
	}
	sqlite3_finalize(q);
}
