/* heading: does a cell of the first line name a column? */
#pragma once

#include <stdbool.h>

/*
 * Is the cell a value where a name should stand: a number, an amount with its
 * currency, unit, percent sign or thousands marks, a date or time, or an
 * address with @?
 */
bool heading_value(const char *text);
