/* ledger_show: budgets and charges in the three formats. */
#ifndef LEDGER_SHOW_H
#define LEDGER_SHOW_H

#include "ledger/ledger.h"
#include "tool/opts.h"

/*
 * Total, spent, remaining and number of releases of a data set, or of all for
 * NULL; status 1 where there is none of this name.
 */
void ledger_show(struct ledger *l, struct text *out, enum format format,
    const char *dataset);

/* The charges in order of time; the whole record in JSON. */
void ledger_show_log(struct ledger *l, struct text *out,
    enum format format, const char *dataset);

#endif
