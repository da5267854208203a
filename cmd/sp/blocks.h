/* blocks: any command on any number of records, run on secret blocks. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "sp.h"

/* As sp_check, for --blocks; opens the generator where needed. */
void blocks_check(struct sp *sp);

/* Reads standard input, runs the command, draws the answers; 0 to add. */
int64_t *blocks_value(struct sp *sp);

#endif
