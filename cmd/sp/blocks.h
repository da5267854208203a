/* blocks: any command on any number of records, run on secret blocks. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "records.h"

/* With --blocks: as sp_check and sp_plan. */
void blocks_check(struct sp *sp);
void blocks_plan(struct sp *sp);

/* Runs the command on the blocks; under --check exits. */
void blocks_run(const struct records *r);

/* A choice among the blocks' numbers for each part. */
void blocks_answers(const struct records *r, struct answer *answer);

#endif
