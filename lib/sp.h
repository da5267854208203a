/*
 * sp: what sp-median, sp-mean and sp-var share.
 *
 * Each tool says which function it preprocesses; options, grid, reading,
 * noise and output are here.
 */
#ifndef SP_H
#define SP_H

#include "intake.h"
#include "noise.h"
#include "opts.h"
#include "ordered.h"
#include "release.h"
#include "report.h"

enum { OPT_SIZE = OPT_OWN, SP_OWN };

/* Rows every sp tool has; SP_CENTER is left out by sp-var. */
#define SP_ROWS \
	{ 's', "sensitivity", "S", "most one record may move the result" }, \
	{ OPT_SIZE, "size", "N", "with --range: S and CENTER for N records" }
#define SP_CENTER \
	{ 'm', "center", "CENTER", "the result for no data" }

struct sp {
	struct opts opts;
	struct report report;
	struct release out;
	bool squared;		/* variance: S in squared units, no center */
	bool has_sens, has_center;
	uint64_t size;		/* 0: not given */
	struct rational sens_arg, center_arg;
	/* after sp_check */
	int cell_digits;	/* grid of the cells */
	int64_t sens;		/* S in output steps, rounded up */
	int64_t center;
	struct scale t;
	/* after sp_read */
	struct intake in;
	struct column *group;	/* sorted values of each group */
	i128 *noise;		/* repeat x groups draws */
};

/* Takes -s, -m, --size, and hands the rest to opts_take. */
void sp_take(struct sp *sp, int code);

/*
 * Checks, chooses the grid, rounds S up; on --explain prints and exits.  The
 * function's own notes must be in sp->report before.
 */
void sp_check(struct sp *sp);

/* Opens the input, draws all noise, reads and sorts every group. */
void sp_read(struct sp *sp);

/*
 * The preprocessed function of each group's values, before the noise; f needs
 * its kind and alpha only.
 */
int64_t *sp_ordered(const struct sp *sp, struct ordered f);
int64_t *sp_spread(const struct sp *sp);

/* Releases value[g] plus noise for each group; frees everything. */
void sp_write(struct sp *sp, int64_t *value);

#endif
