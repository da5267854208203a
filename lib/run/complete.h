/*
 * complete: what the schema says, in place of options that are not given.
 *
 * The schema is that of --schema, or the one in the ledger; --missing and
 * --quote none make one without fields.  An option on the line wins: a narrower
 * range is taken; a range or a key outside what the schema says is status 2.
 */
#pragma once

#include "tool/opts.h"

/*
 * Once the operation is known, and before its rules: opens the schema, and
 * completes o by it and by the operation.
 */
void complete_options(struct opts *o, const struct operation *op);
