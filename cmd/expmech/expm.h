/* expm: what expmech does between its options and its output. */
#ifndef EXPM_H
#define EXPM_H

#include "input/intake.h"
#include "random/select.h"
#include "release/release.h"
#include "release/report.h"
#include "tool/opts.h"

enum { OPT_MONOTONIC = OPT_OWN, OPT_MECHANISM, OPT_SCALE,
	OPT_KEYS };

struct expm {
	struct opts opts;
	struct report report;
	struct release out;
	bool has_sens, has_scale, monotonic;
	struct rational sens_arg, scale_arg;
	enum select_kind kind;
	uint64_t k;		/* candidates to draw */
	const char *keys_path;	/* NULL: candidates and scores are read */
	/* the plan */
	int digits;		/* grid of the scores */
	struct scale t;		/* of one draw, in grid steps */
	/* data */
	struct intake in;
	struct keys keys;
	struct label *name;	/* n candidates */
	int64_t *score;
	size_t n;
	size_t room;
	char *text;		/* their names, one after the other */
	size_t text_len;
	size_t text_room;
};

void expm_take(struct expm *e, int code);

/* Checks, plans, prints --explain and exits where asked to. */
void expm_check(struct expm *e);

/* Reads the candidates, draws, writes, frees. */
void expm_read(struct expm *e);
void expm_write(struct expm *e);

#endif
