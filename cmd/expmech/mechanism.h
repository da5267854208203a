/* mechanism: the argument of --mechanism. */
#ifndef MECHANISM_H
#define MECHANISM_H

#include "random/select.h"

/* The mechanism of this name; any other ends the program with status 2. */
enum select_kind mechanism_named(const char *name);

#endif
