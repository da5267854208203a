/*
 * draws: what the build of the meter has in place of random/meter.h's nothing.
 * The compiler reads it first.  meter.c says what a line holds.
 */
#ifndef DRAWS_H
#define DRAWS_H

#include "number/fixed.h"

struct scale;
struct select_runs;
struct select_place;
struct knorm;

enum meter_part { METER_START, METER_RECORDS, METER_PEOPLE, METER_DRAWS };

/* Coins as they come at the start, for a record, a person or after a draw. */
unsigned meter_byte(void);
void meter_coins(enum meter_part part, uint64_t number);
void meter_record(void);

/* The next draw is a key's, among keys of which some have no draw. */
void meter_key(uint64_t rel, uint64_t rank);

/* A line: the outcome, its own or that of the past; numbers; the end. */
i128 meter_begin(const char *kind, i128 own, const struct scale *t,
    const struct scale *more);
void meter_put(i128 name, u128 count, unsigned copies, i128 exact);
void meter_end(void);

/* The scale of a draw is the drawn one, whatever is said of it. */
void meter_drew(const struct scale *t);
i128 meter_noisy(i128 noisy, i128 exact);
bool meter_split(bool split, i128 b, const struct scale *t);
size_t meter_told(size_t told, size_t value, struct rational eps);
uint64_t meter_kept(uint64_t kept, uint64_t p);
size_t meter_select(size_t at, const int64_t *u, const size_t *left, size_t n,
    const struct scale *t);
void meter_runs(struct select_place *at, const struct select_runs *s);
void meter_box(i128 *noisy, const i128 *exact, const struct knorm *k);

#define METER_ON true
#define METER_COINS(part, number) meter_coins(part, number)
#define METER_RECORD() meter_record()
#define METER_KEY(rel, rank) meter_key(rel, rank)
#define METER_FIELD i128 name;	/* the first candidate's */
#define METER_NAME(first) .name = (i128)(first),
#define METER_DREW(t) meter_drew(t)
#define METER_NOISY(noisy, exact, t) meter_noisy(noisy, exact)
#define METER_SPLIT(split, b, t) meter_split(split, b, t)
#define METER_TOLD(told, value, eps) meter_told(told, value, eps)
#define METER_KEPT(kept, p) meter_kept(kept, p)
#define METER_SELECT(at, u, left, n, t) meter_select(at, u, left, n, t)
#define METER_RUNS(at, s) meter_runs(at, s)
#define METER_BOX(noisy, exact, k) meter_box(noisy, exact, k)

/* In asym.c: where a search stops, among all that it could ask. */
#define METER_SPARSE(a, b, o, i) __extension__ ({ \
	size_t meter_at = (size_t)meter_begin("sparse", (i128)(i), \
	    &(a)->threshold, &(struct scale){ (uint64_t)(a)->eps2.num, \
	    (uint64_t)(a)->eps2.den }); \
	for (size_t meter_k = 0; meter_k < (o)->n; meter_k++) \
		meter_put((o)->t[meter_k], 1, 0, \
		    asym_query(b, (o)->t[meter_k])); \
	meter_end(); \
	meter_at; })

/* In smalldb.c: any candidate will do. */
#define METER_CHOOSE(s) do { \
	i128 meter_at = meter_begin("choose", (i128)(meter_byte() % \
	    smalldb_candidates((s)->n, (s)->m)), &(s)->t, NULL), \
	    meter_i = 0; \
	smalldb_first(s); \
	do \
		meter_put(meter_i++, 1, 0, smalldb_error(s)); \
	while (smalldb_next(s)); \
	meter_end(); \
	for (smalldb_first(s); meter_at > 0; meter_at--) \
		smalldb_next(s); \
} while (0)

#endif
