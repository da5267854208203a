/* ledger_show: budgets and charges in the three formats. */
#ifndef LEDGER_SHOW_H
#define LEDGER_SHOW_H

#include "ledger.h"
#include "release.h"

/* All data sets: total, spent, remaining, number of releases. */
void ledger_show(struct ledger *l, struct release *out, enum format format);

/* All charges in order of time; the whole record in JSON. */
void ledger_show_log(struct ledger *l, struct release *out,
    enum format format);

#endif
