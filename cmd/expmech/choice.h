/* choice: the steps of expmech between options and output. */
#ifndef CHOICE_H
#define CHOICE_H

#include "input/intake.h"
#include "random/select.h"
#include "release/answer/release.h"

enum { OPT_MONOTONIC = OPT_OWN, OPT_MECHANISM, OPT_SCALE, OPT_KEYS };

struct choice {
	struct opts opts;
	struct report report;
	struct release out;
	bool monotonic;
	struct rational sens_arg, scale_arg;	/* den 0: not given */
	enum select_kind kind;
	uint64_t k;		/* candidates to draw */
	const char *keys_path;	/* NULL: candidates and scores are read */
	/* the plan */
	int digits;		/* the scores' grid */
	struct scale t;		/* for a draw, in grid steps */
	/* the data: n candidates with their scores */
	struct intake in;
	struct keys keys;
	struct label *name;
	int64_t *score;
	size_t n;
	size_t room;
	struct text text;	/* the names, back to back */
};

void choice_take(struct choice *e, int code);

/* Checks, plans, prints --explain and exits where asked to. */
void choice_check(struct choice *e);

/* Reads the candidates; draws, writes, frees. */
void choice_read(struct choice *e);
void choice_write(struct choice *e);

#endif
