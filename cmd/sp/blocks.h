/* blocks: any command on any number of records, run on secret blocks. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "records.h"

/* As sp_check, for --blocks; opens the generator where needed. */
void blocks_check(struct sp *sp);

/* Runs the command on the blocks, draws the answers; 0 to add. */
int64_t *blocks_value(const struct records *r);

#endif
