/*
 * universe_build: the steps from public files to a universe, each before the
 * steps that need it.
 */
#pragma once

#include "universe.h"

/* The product of the attributes that --domain lists. */
struct table *universe_list(struct universe *u);

/* universe_read.c: attributes' codes in u->m */
void universe_codes(struct universe *u);

/* Room for u->n times k numbers. */
int64_t *universe_numbers(const struct universe *u, size_t k);

/* universe_file.c: the metric's file, read at opening; then u->m */
void universe_load(struct universe *u);
void universe_values(struct universe *u);
void universe_graph(struct universe *u);
void universe_matrix(struct universe *u);

/* universe_domain.c: standard input with raw records */
void universe_open_raw(struct universe *u);
