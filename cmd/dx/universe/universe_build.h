/* universe_build: the steps from public files to a universe. */
#ifndef UNIVERSE_BUILD_H
#define UNIVERSE_BUILD_H

#include "tool/text.h"
#include "universe.h"

/* A public CSV file, opened; a NULL delimiter means the options'. */
struct table *universe_file(const struct universe *u, const char *option,
    const char *path, bool header);

/* The product of the attributes that --domain lists. */
struct table *universe_list(struct universe *u);

/* All cells of k columns of a public file; missing ones are errors. */
struct cells *universe_cells(struct table *t, const char *option,
    const char *path, const size_t *cols, size_t k);

/* Appends the columns that arg names to those read; returns how many. */
size_t universe_columns(struct universe *u, const char *arg);

/* Where the universe comes from, for messages. */
const char *universe_source(const struct universe *u);

/* universe_metric.c: builds u->m from the cells read */
void universe_points(struct universe *u);
void universe_attributes(struct universe *u);
void universe_codes(struct universe *u);

/* universe_file.c: the metric's file, read at opening; then u->m */
void universe_load(struct universe *u);
void universe_values(struct universe *u);
void universe_graph(struct universe *u);
void universe_matrix(struct universe *u);

/* Room for u->n times k numbers; status 1 without room. */
int64_t *universe_numbers(const struct universe *u, size_t k);

/* universe_domain.c */
void universe_open_raw(struct universe *u);
void universe_index(struct universe *u);

/* Makes room for the element outside the domain, if any. */
void universe_outside(struct universe *u);

/* A private count by the policy for bad cells; `missing` stands in. */
uint64_t universe_weight(struct universe *u, const struct cell *cell,
    uint64_t missing);

/*
 * Weights of k columns on one grid, w[record * k + column], inf included;
 * sets the unit of u->m.
 */
void universe_weights(struct universe *u, const struct cells *c, size_t k,
    int64_t *w);

/* The attributes that a file of values names become columns. */
void universe_value_columns(struct universe *u);

#endif
