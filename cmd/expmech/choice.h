/* choice: the steps of expmech between options and output. */
#pragma once

#include "input/intake.h"
#include "random/select.h"
#include "run/run.h"

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
	struct rng rng;
	size_t *chosen;		/* k of them */
};

extern const struct run_steps choice_steps;

/*
 * Scale for one eps-private choice when the difference of two scores moves by
 * no more than this many grid steps between neighbours: twice what a score
 * moves by, or as much where all scores move the same way (monotonic).  [KPAK20
 * Theorem 3] For a metric d twice c, where |u(x) - u(x')| <= c d(x, x').  False
 * where no scale fits.
 */
bool choice_law(struct scale *t, struct rational moves, struct rational eps);
