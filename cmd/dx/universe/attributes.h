/*
 * attributes: a domain written as attributes and their values.
 *
 *	sex=F,M;age=17..90;"job; title"="clerk, junior",boss;pay=0..99999/5000
 *
 * A..B stands for the whole numbers from A to B, A..B/STEP for bands of STEP of
 * them.  Names and values that hold a comma, a semicolon or an equals sign, and
 * two dots that are no list of numbers, stand in quotes, doubled inside.
 * Blanks around a name or a value do not count, nor do blanks around cells.
 */
#pragma once

#include "cells.h"
#include "input/table.h"

struct attribute {
	char *name;
	struct cells value;
	long lo, hi, step;	/* step > 0: values are bands of numbers */
};

struct attributes {
	struct attribute *of;
	size_t n;
};

/*
 * Reads a list, its words as the schema reads cells, if that is not NULL; a
 * fault ends the program in words.
 */
void attributes_read(struct attributes *a, const char *list,
    const struct schema *schema);

/* The number of value combinations. */
double attributes_elements(const struct attributes *a);

/* The value that is a cell's text, or the band that holds its number, from 0;
   CELLS_NONE: there is none. */
size_t attribute_value(const struct attribute *a, const struct cell *cell);
