/* show: budgets and charges, in every format. */
#include "show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/ledger_chain.h"
#include "ledger/ledger_sql.h"
#include "state.h"
#include "tool/err.h"
#include "tool/row.h"

#define SPILL 65536	/* bytes of a log to keep at most */

/* The row being written, and who the data set protects. */
struct sink {
	struct ledger *ledger;
	struct row row;
	size_t shown;
	char *unit;
	const struct view *view;
	bool lacks;
	bool heading;		/* the names stand in the fields */
};

/* A ledger text on a line: always a single line. */
static void
add_plain(struct text *out, const char *text)
{
	for (; *text != '\0'; text++)
		if ((unsigned char)*text < 32 || *text == 127)
			text_printf(out, "\\x%02x", (unsigned char)*text);
		else
			text_bytes(out, text, 1);
}

/* --- fields ------------------------------------------------------------ */

/* A field; NULL is empty, or null, and in plain text a dash. */
static void
field(struct sink *s, const char *key, const char *text)
{
	text = s->heading ? key : text;
	if (s->row.format <= FORMAT_PLAIN) {
		row_field(&s->row, key);
		add_plain(s->row.out, text != NULL && text[0] != '\0' ? text :
		    "-");
	} else if (text == NULL)
		row_word(&s->row, key, NULL);
	else
		row_text(&s->row, key, text, strlen(text));
}

/* A number; one that is absent (den 0) is left out of JSON. */
static void
show_number(struct sink *s, const char *key, struct rational x,
    enum fixed_mode round)
{
	char text[ACCOUNT_TEXT];

	if (x.den > 0 && !s->heading)
		row_word(&s->row, key, account_text(text, x, round));
	else if (s->row.format != FORMAT_JSON)
		field(s, key, NULL);
}

/* A fact of a data set: a field of JSON or a line `key: text`; NULL is none. */
static void
fact(struct sink *s, const char *key, const char *text)
{
	if (text != NULL && s->row.format == FORMAT_JSON)
		field(s, key, text);
	else if (text != NULL) {
		text_printf(s->row.out, "%s: ", key);
		add_plain(s->row.out, text);
		text_add(s->row.out, "\n");
	}
}

/* What an entry has beside its number; "" is nothing. */
static void
detail(struct sink *s, const char *key, const char *text)
{
	if (text[0] != '\0' && s->row.format == FORMAT_JSON)
		field(s, key, text);
	else if (text[0] != '\0') {
		text_printf(s->row.out, ", %s ", key);
		add_plain(s->row.out, text);
	}
}

static void
sum(struct sink *s, const char *key, struct rational x, enum fixed_mode round)
{
	char text[ACCOUNT_TEXT];

	if (s->row.format == FORMAT_JSON)
		show_number(s, key, x, round);
	else
		fact(s, key, account_text(text, x, round));
}

/* --- show -------------------------------------------------------------- */

static void
plain_part(struct sink *s, const char *column, const struct part *p)
{
	char spent[ACCOUNT_TEXT], left[ACCOUNT_TEXT], total[ACCOUNT_TEXT];

	text_add(s->row.out, column == NULL ? "account " : "slice ");
	if (column != NULL) {
		add_plain(s->row.out, column);
		text_add(s->row.out, "=");
	}
	add_plain(s->row.out, p->name);
	text_add(s->row.out, ": ");
	if (p->total.num > 0)
		text_printf(s->row.out, "total %s, ",
		    account_text(total, p->total, FIXED_FLOOR));
	text_printf(s->row.out, "spent %s, remaining %s\n",
	    account_text(spent, p->spent, FIXED_CEIL),
	    account_text(left, p->left, FIXED_FLOOR));
}

/* The last change of the whole ledger; in text once. */
static void
digest(struct sink *s)
{
	char last[DIGEST_TEXT];

	if (chain_last(s->ledger, last)[0] != '\0')
		fact(s, "digest", last);
}

/* The facts about a data set as a whole. */
static void
facts(struct sink *s, const struct state *b)
{
	bool json = s->row.format == FORMAT_JSON;

	if (!json && s->shown == 0)
		digest(s);
	fact(s, "dataset", b->name);
	if (json)
		digest(s);
	for (enum bound i = 0; i < BOUNDS; i++)
		if (i == BOUND_SLICES)
			fact(s, "by", b->bounds.is[i]);
		else
			fact(s, bound_name(i), i == BOUND_UNIT ? s->unit :
			    b->bounds.is[i]);
	if (b->most > 0)
		sum(s, json ? "max_slices" : "max-slices",
		    (struct rational){ b->most, 1 }, FIXED_FLOOR);
	if (b->sampled.num > 0) {
		sum(s, "sampled", b->sampled, FIXED_CEIL);
		sum(s, "population", b->population, FIXED_CEIL);
	}
	sum(s, "total", b->total, FIXED_FLOOR);
	sum(s, "spent", b->spent, FIXED_CEIL);
	if (b->accounts.n > 0)
		sum(s, json ? "set_aside" : "set aside", b->aside,
		    FIXED_FLOOR);
	sum(s, "remaining", b->left, FIXED_FLOOR);
	sum(s, "releases", (struct rational){ (i128)b->releases, 1 },
	    FIXED_FLOOR);
	if (s->view->delta.num > 0)
		sum(s, "worth", state_worth(s->ledger, b, s->view->delta),
		    FIXED_CEIL);
}

/* Of an entry: an open one has a program that runs, or had one that died. */
static const char *
state_word(struct ledger *l, sqlite3_stmt *q)
{
	static const char *const words[] = { [ENTRY_OPEN] = "open",
	    [ENTRY_SETTLED] = "settled", [ENTRY_CLOSED] = "closed" };
	int64_t state = sql_number(q, "state");

	if (state == ENTRY_OPEN && ledger_held(l, sql_number(q, "number")))
		return "running";
	return words[state > ENTRY_OPEN && state <= ENTRY_CLOSED ? state :
	    ENTRY_OPEN];
}

/* An entry that was left open, as an object of JSON. */
static void
json_entry(struct sink *s, sqlite3_stmt *q)
{
	s->row.begun = false;
	text_add(s->row.out, "{");
	row_word(&s->row, "number", sql_word(q, "number"));
	field(s, "time", sql_word(q, "time"));
	field(s, "tool", sql_word(q, "tool"));
	show_number(s, "charged", sql_rational(s->ledger, q, "amount"),
	    FIXED_CEIL);
	detail(s, "account", sql_word(q, "account"));
	detail(s, "slice", sql_word(q, "slice"));
	detail(s, "label", sql_word(q, "label"));
	detail(s, "release_id", sql_word(q, "id"));
	detail(s, "command", sql_word(q, "command"));
	text_add(s->row.out, "}");
}

/* And on a line; before the words of commands were kept by its tool. */
static void
plain_entry(struct sink *s, const char *state, sqlite3_stmt *q)
{
	const char *command = sql_text(q, "command");
	char charged[ACCOUNT_TEXT];

	text_printf(s->row.out, "%s %s: charged %s, ", state,
	    sql_word(q, "number"), account_text(charged,
	    sql_rational(s->ledger, q, "amount"), FIXED_CEIL));
	add_plain(s->row.out, command != NULL ? command : sql_word(q, "tool"));
	detail(s, "account", sql_word(q, "account"));
	detail(s, "slice", sql_word(q, "slice"));
	detail(s, "label", sql_word(q, "label"));
	detail(s, "release-id", sql_word(q, "id"));
	text_add(s->row.out, "\n");
}

void
show_entry(struct ledger *l, int64_t number, const char *state,
    struct text *out)
{
	struct sink s = { .ledger = l, .row = { out, FORMAT_PLAIN, false } };
	char text[FIXED_TEXT];
	sqlite3_stmt *q = sql_prepare(l, SQL_ENTRY, "number",
	    fixed_text(text, number, 0), NULL);

	if (sql_row(l, q))
		plain_entry(&s, state, q);
	sqlite3_finalize(q);
}

/* Entries of programs that died. */
static void
open_entries(struct sink *s, const struct state *b)
{
	bool json = s->row.format == FORMAT_JSON;
	sqlite3_stmt *q = sql_prepare(s->ledger, SQL_OPEN_ENTRIES, "dataset",
	    b->name, NULL);
	size_t n = 0;

	while (sql_row(s->ledger, q)) {
		if (ledger_held(s->ledger, sql_number(q, "number")))
			continue;
		if (json) {
			text_add(s->row.out, n > 0 ? ", " : ", \"open\": [");
			json_entry(s, q);
		} else
			plain_entry(s, "open", q);
		n++;
	}
	text_add(s->row.out, json && n > 0 ? "]" : "");
	sqlite3_finalize(q);
}

static void
plain_state(struct sink *s, const struct state *b)
{
	text_add(s->row.out, s->shown > 0 ? "\n" : "");
	facts(s, b);
	for (size_t i = 0; i < b->accounts.n; i++)
		plain_part(s, NULL, &b->accounts.part[i]);
	for (size_t i = 0; i < b->slices.n; i++)
		plain_part(s, b->bounds.is[BOUND_SLICES],
		    &b->slices.part[i]);
	open_entries(s, b);
}

static void
amounts(struct sink *s, const struct part *p)
{
	show_number(s, "total", p->total, FIXED_FLOOR);
	show_number(s, "spent", p->spent, FIXED_CEIL);
	show_number(s, "remaining", p->left, FIXED_FLOOR);
	show_number(s, "releases", p->releases, FIXED_FLOOR);
}

/* A row of a data set, with the name of an account in it, or of a slice. */
static void
state_row(struct sink *s, const struct state *b, const struct part *p,
    bool slice)
{
	s->row.begun = false;
	field(s, "dataset", b->name);
	field(s, "account", slice ? NULL : p->name);
	field(s, "slice", slice ? p->name : NULL);
	field(s, "neighbors", b->bounds.is[BOUND_NEIGHBORS]);
	field(s, "unit", s->unit);
	amounts(s, p);
	text_add(s->row.out, "\n");
}

static void
rows(struct sink *s, const struct state *b)
{
	const struct part whole = { NULL, b->total, b->spent, b->left,
	    { (i128)b->releases, 1 } };

	state_row(s, b, &whole, false);
	for (size_t i = 0; i < b->accounts.n; i++)
		state_row(s, b, &b->accounts.part[i], false);
	for (size_t i = 0; i < b->slices.n; i++)
		state_row(s, b, &b->slices.part[i], true);
}

static void
json_parts(struct sink *s, const char *key, const struct part_list *p)
{
	if (p->n == 0)
		return;
	text_printf(s->row.out, ", \"%ss\": [", key);
	for (size_t i = 0; i < p->n; i++) {
		text_add(s->row.out, i > 0 ? ", {" : "{");
		s->row.begun = false;
		field(s, key, p->part[i].name);
		amounts(s, &p->part[i]);
		text_add(s->row.out, "}");
	}
	text_add(s->row.out, "]");
}

static void
json_state(struct sink *s, const struct state *b)
{
	text_add(s->row.out, "{");
	s->row.begun = false;
	facts(s, b);
	json_parts(s, "account", &b->accounts);
	json_parts(s, "slice", &b->slices);
	open_entries(s, b);
	text_add(s->row.out, "}\n");
}

static void
show_state(void *arg, const struct state *b)
{
	const char *unit = b->bounds.is[BOUND_UNIT];
	struct text words = TEXT_INIT;
	struct sink *s = arg;

	text_printf(&words, unit == NULL ? "record" : "people of %s", unit);
	s->unit = text_string(&words);
	if (s->row.format <= FORMAT_PLAIN)
		plain_state(s, b);
	else if (s->row.format == FORMAT_JSON)
		json_state(s, b);
	else
		rows(s, b);
	free(s->unit);
	s->shown++;
	s->lacks |= s->view->left.num > 0 &&
	    rational_cmp(b->left, s->view->left) < 0;
}

bool
show_budgets(struct ledger *l, struct text *out, const struct view *v)
{
	struct sink s = { .ledger = l, .row = { out, v->format, false },
	    .view = v, .heading = true };

	if (v->format == FORMAT_CSV || v->format == FORMAT_TSV)
		state_row(&s, &(struct state){ .name = NULL },
		    &(struct part){ .name = NULL }, false);
	s.heading = false;
	state_each(l, v->dataset, show_state, &s);
	if (v->dataset != NULL && s.shown == 0)
		err_die(STATUS_INPUT, "no data set '%s' in the ledger",
		    v->dataset);
	return s.lacks;
}

/* --- log --------------------------------------------------------------- */

/* A column of the log: its name, the ledger's column, and what it is. */
static const struct logged {
	const char *name, *column;
	enum { LOG_TEXT, LOG_NAME, LOG_TOOL, LOG_EPSILON, LOG_CHARGE,
	    LOG_NUMBER, LOG_STATE } kind;
} log_columns[] = {
	{ "time", "time", LOG_TEXT },
	{ "dataset", "data_set", LOG_TEXT },
	{ "account", "account", LOG_NAME },
	{ "slice", "slice", LOG_TEXT },
	{ "tool", "tool", LOG_TOOL },
	{ "neighbors", "neighbors", LOG_TEXT },
	{ "epsilon", "asked", LOG_EPSILON },
	{ "charged", "amount", LOG_CHARGE },
	{ "label", "label", LOG_TEXT },
	{ "release_id", "id", LOG_TEXT },
	{ "number", "number", LOG_NUMBER },
	{ "state", "state", LOG_STATE },
	{ "command", "command", LOG_TEXT },
	{ NULL, NULL, LOG_TEXT }
};

/* The tool, and where it changed the budget how. */
static void
log_tool(struct sink *s, sqlite3_stmt *q)
{
	const char *verb = sql_word(q, "verb");
	struct text tool = TEXT_INIT;

	text_printf(&tool, "%s", sql_word(q, "tool"));
	if (strcmp(verb, "release") != 0)
		text_printf(&tool, " %s", verb);
	field(s, "tool", tool.buf);
	text_free(&tool);
}

static void
log_field(struct ledger *l, struct sink *s, const struct logged *c,
    sqlite3_stmt *q)
{
	const char *text = sql_text(q, c->column);
	bool release = strcmp(sql_word(q, "verb"), "release") == 0;

	if (c->kind == LOG_TOOL)
		log_tool(s, q);
	else if (c->kind == LOG_EPSILON || (c->kind == LOG_CHARGE && release))
		show_number(s, c->name, sql_rational(l, q, c->column),
		    FIXED_CEIL);
	else if (c->kind == LOG_NUMBER)
		row_word(&s->row, c->name, text);
	else if (c->kind == LOG_STATE)
		field(s, c->name, state_word(l, q));
	else if (c->kind == LOG_CHARGE || (c->kind == LOG_NAME &&
	    *text == '\0'))
		field(s, c->name, NULL);
	else
		field(s, c->name, text);
}

/* A line of the log; the names of its columns without an entry. */
static void
show_event(struct ledger *l, struct sink *s, sqlite3_stmt *q)
{
	bool json = s->row.format == FORMAT_JSON;

	s->row.begun = false;
	text_add(s->row.out, json ? "{" : "");
	for (const struct logged *c = log_columns; c->name != NULL; c++)
		if (q != NULL)
			log_field(l, s, c, q);
		else
			field(s, c->name, c->name);
	if (json) {
		const char *report = sql_text(q, "report");

		text_printf(s->row.out, ", \"report\": %s}",
		    report != NULL ? report : "null");
	}
	text_add(s->row.out, "\n");
}

/*
 * A log may be long, and it is not a release, so rows are written as they come.
 * A reader who has seen enough closes the pipe.
 */
static void
spill(struct text *t)
{
	if (t->len < SPILL)
		return;
	if (fwrite(t->buf, 1, t->len, stdout) != t->len || fflush(stdout) != 0)
		err_sys("standard output");
	t->len = 0;
}

bool
show_log(struct ledger *l, struct text *out, const struct view *v)
{
	struct sink s = { .row = { out, v->format, false } };
	sqlite3_stmt *q = sql_prepare(l, SQL_LOG, "dataset", v->dataset, NULL);

	if (v->format != FORMAT_JSON)
		show_event(l, &s, NULL);
	while (sql_row(l, q)) {
		show_event(l, &s, q);
		spill(out);
	}
	sqlite3_finalize(q);
	return false;
}
