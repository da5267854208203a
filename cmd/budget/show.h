/* show: budgets and charges, in every format. */
#pragma once

#include "ledger/ledger.h"

/* How to show, and what: dataset NULL is all; delta and left 0 are none. */
struct view {
	enum format format;
	const char *dataset;
	struct rational delta, left;
};

/*
 * The state of a data set, or of every data set for none, with accounts and the
 * costliest slices; status 1 for an unknown name.  Is less than `left' left of
 * one?
 */
bool show_budgets(struct ledger *l, struct text *out, const struct view *v);

/* An entry on a line, which begins with this word for its state. */
void show_entry(struct ledger *l, int64_t number, const char *state,
    struct text *out);

/* The log in order of time; with the whole report in JSON.  False. */
bool show_log(struct ledger *l, struct text *out, const struct view *v);
