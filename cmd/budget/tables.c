/* tables: the tables of a ledger, and those of version 1. */
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/ledger.h"
#include "tool/err.h"

/*
 * Accounts are parts of a data set's budget; the one named '' is what nobody
 * was allotted.  An entry is a charge, or another change of a budget.
 * These names are not those of version 1, so that a program of that version
 * which has the file open fails instead of writing into it.
 */
static const char *const tables[] = {
	"data_set (name TEXT PRIMARY KEY, neighbors TEXT NOT NULL,"
	" metric TEXT, unit TEXT, fixed TEXT, slices TEXT,"
	" max_slices INTEGER, total TEXT NOT NULL, created TEXT NOT NULL)",
	"account (data_set TEXT NOT NULL REFERENCES data_set(name),"
	" name TEXT NOT NULL, total TEXT NOT NULL, whole TEXT NOT NULL,"
	" top TEXT NOT NULL, releases INTEGER NOT NULL,"
	" PRIMARY KEY (data_set, name))",
	"slice (data_set TEXT NOT NULL, account TEXT NOT NULL,"
	" value TEXT NOT NULL, spent TEXT NOT NULL,"
	" PRIMARY KEY (data_set, account, value),"
	" FOREIGN KEY (data_set, account) REFERENCES account(data_set, name))",
	"entry (number INTEGER PRIMARY KEY, time TEXT NOT NULL,"
	" data_set TEXT NOT NULL REFERENCES data_set(name),"
	" account TEXT NOT NULL, verb TEXT NOT NULL, tool TEXT NOT NULL,"
	" asked TEXT NOT NULL, amount TEXT NOT NULL, neighbors TEXT,"
	" slice TEXT, options TEXT, report TEXT, label TEXT, id TEXT,"
	" output BLOB, UNIQUE (data_set, id))"
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

static void
make_tables(struct ledger *l, const char *kind)
{
	struct text sql = TEXT_INIT;
	char *s;

	for (size_t i = 0; i < TABLES; i++)
		text_printf(&sql, "CREATE %s %s;", kind, tables[i]);
	s = text_string(&sql);
	sql_run(l, s);
	free(s);
}

/* --- version 1 --------------------------------------------------------- */

/*
 * The text that stands for a key in JSON that we wrote; NULL without it.  In
 * such JSON a quote within a text has a backslash before it, so that
 * "key": " is found at a key only.
 */
static char *
json_get(const char *json, const char *key)
{
	struct text value = TEXT_INIT;
	char pattern[32];
	const char *p;

	snprintf(pattern, sizeof(pattern), "\"%s\": \"", key);
	p = strstr(json, pattern);
	if (p == NULL)
		return NULL;
	for (p += strlen(pattern); *p != '\0' && *p != '"'; p++) {
		if (*p == '\\' && p[1] != '\0')
			p++;
		text_bytes(&value, p, 1);
	}
	return text_string(&value);
}

/* What the log of version 1 says of a release; the texts are the caller's. */
static struct guarantee
logged(const char *options, const char *report, char *texts[2])
{
	struct guarantee g = { GUARANTEE_ADD_REMOVE, NULL, NULL, NULL };
	char *neighbors = json_get(report, "neighbors");
	char *metric = json_get(options, "metric");

	texts[0] = metric;
	texts[1] = json_get(options, "group");
	if (neighbors != NULL)
		g.kind = guarantee_kind(neighbors);
	if (g.kind > GUARANTEE_SWAP)
		g.kind = GUARANTEE_STATED;
	if (metric != NULL && strcmp(metric, "discrete") != 0) {
		g.kind = GUARANTEE_METRIC;
		g.metric = metric;
	}
	if (g.kind == GUARANTEE_SWAP)
		g.fixed = texts[1];
	free(neighbors);
	return g;
}

/* What a data set's log asks of its guarantee. */
struct history {
	struct ledger *l;
	const char *dataset;
	struct guarantee found;
	char *metric;		/* of found */
	struct text fixed;	/* of found: all columns of groups */
	bool any, refused;
	struct rational spent;
};

/* The guarantee that covers what was found so far and one release more. */
static void
widen(struct history *h, const struct guarantee *g)
{
	struct guarantee *f = &h->found;

	if (g->kind == GUARANTEE_STATED)
		return;
	if (g->fixed != NULL)
		text_printf(&h->fixed, "%s%s", h->fixed.len > 0 ? "," : "",
		    g->fixed);
	if (!h->any) {
		f->kind = g->kind;
		if (g->metric != NULL)
			h->metric = err_copy(g->metric, strlen(g->metric));
		f->metric = h->metric;
	} else if ((f->kind == GUARANTEE_METRIC) != (g->kind ==
	    GUARANTEE_METRIC) || (g->metric != NULL && strcmp(g->metric,
	    f->metric) != 0))
		f->kind = GUARANTEE_MIXED;
	else if (g->kind == GUARANTEE_SWAP && f->kind != GUARANTEE_MIXED)
		f->kind = GUARANTEE_SWAP;
	h->any = true;
}

/* Notes what one entry counts under the guarantee that was found. */
static void
count(struct history *h, const struct guarantee *g, const char *number,
    struct rational asked)
{
	struct text why = TEXT_INIT;
	unsigned times = guarantee_factor(&h->found, g, &why);
	struct rational amount = asked;
	char text[RATIONAL_TEXT];

	text_free(&why);
	if (times > 1 && !account_times(&amount, asked, times))
		h->refused = true;
	if (!account_sum(&h->spent, h->spent, amount))
		h->refused = true;
	sql_done(h->l, sql_prepare(h->l,
	    "UPDATE entry SET amount = ?, neighbors = ? WHERE "
	    "number = ?", 3, rational_fraction(text, amount),
	    guarantee_words[g->kind], number));
}

/* Reads a data set's log: first to find the guarantee, then to count. */
static void
each_charge(struct history *h, bool counting)
{
	sqlite3_stmt *q = sql_prepare(h->l, "SELECT number, amount, options, "
	    "report FROM charge WHERE dataset = ?", 1, h->dataset);
	struct guarantee g;
	char *texts[2];

	while (sql_row(h->l, q)) {
		g = logged(sql_column(h->l, q, 2), sql_column(h->l, q, 3),
		    texts);
		if (counting)
			count(h, &g, sql_column(h->l, q, 0),
			    sql_rational(h->l, q, 1));
		else
			widen(h, &g);
		free(texts[0]);
		free(texts[1]);
	}
	h->l->sqlite->finalize(q);
}

static void
store_found(struct history *h, struct rational total)
{
	char text[RATIONAL_TEXT];

	/* nothing is left where there is no bound */
	if (h->refused || h->found.kind == GUARANTEE_MIXED)
		if (rational_cmp(h->spent, total) < 0)
			h->spent = total;
	sql_done(h->l, sql_prepare(h->l,
	    "UPDATE data_set SET neighbors = ?, metric = ?, "
	    "fixed = ? WHERE name = ?", 4, guarantee_words[h->found.kind],
	    h->found.kind == GUARANTEE_METRIC ? h->found.metric : NULL,
	    h->found.fixed, h->dataset));
	sql_done(h->l, sql_prepare(h->l,
	    "UPDATE account SET whole = ? WHERE data_set = ?", 2,
	    rational_fraction(text, h->spent), h->dataset));
}

/* A budget of version 1 has the guarantee that its log needs. */
static void
upgrade_dataset(struct ledger *l, const char *dataset, struct rational total)
{
	struct history h = { .l = l, .dataset = dataset, .fixed = TEXT_INIT,
	    .found = { GUARANTEE_ADD_REMOVE, NULL, NULL, NULL },
	    .spent = { 0, 1 } };
	char *fixed = NULL;

	each_charge(&h, false);
	if (h.fixed.len > 0)
		h.found.fixed = fixed = text_string(&h.fixed);
	each_charge(&h, true);
	store_found(&h, total);
	free(h.metric);
	free(fixed);
}

/*
 * --dataset was once part of what tells two releases of one id apart, beside
 * the data set itself.
 */
static const char copies[] =
    "INSERT INTO data_set SELECT dataset, 'add-remove', NULL, NULL, NULL,"
    " NULL, NULL, total, created FROM budget;"
    "INSERT INTO account SELECT dataset, '', total, '0/1', '0/1',"
    " (SELECT count(*) FROM charge c WHERE c.dataset = b.dataset)"
    " FROM budget b;"
    "INSERT INTO entry SELECT number, time, dataset, '', 'release', tool,"
    " amount, amount, NULL, NULL, replace(options,"
    " '\"dataset\": \"' || dataset || '\", ', ''), report, label, id,"
    " output FROM charge;";

static void
upgrade(struct ledger *l)
{
	sqlite3_stmt *q;

	sql_run(l, copies);
	q = sql_prepare(l, "SELECT dataset, total FROM budget", 0);
	while (sql_row(l, q))
		upgrade_dataset(l, sql_column(l, q, 0), sql_rational(l, q, 1));
	l->sqlite->finalize(q);
}

void
tables_make(struct ledger *l, bool old, bool look)
{
	make_tables(l, look ? "TEMP TABLE" : "TABLE");
	if (old)
		upgrade(l);
	if (look)
		return;
	if (old)
		sql_run(l, "DROP TABLE charge; DROP TABLE budget");
	sql_run(l, "PRAGMA application_id = 1685091700");
	sql_run(l, "PRAGMA user_version = 2");
}
