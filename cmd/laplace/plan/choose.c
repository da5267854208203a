/*
 * choose: which body several columns get, by public numbers alone.
 *
 * A way's first body serves, unless with another all errors are less that
 * --explain says.  With --norm, which bounds the columns together, there are
 * the Laplace noise on totals (norm.c) and the K-norm noise of the box cut by
 * the norm as well: each is planned, and the 95 % errors near 0 are compared.
 */
#include <math.h>
#include <string.h>

#include "plan.h"

#define SURE 0.96	/* of an error's square, by public coins: less is
				   better */
#define LESS 0.99	/* of an error: so that a first body stays where the
			   grid of its noise alone makes it larger */
#define ENDS 2		/* of a range: its middle, and its end */
#define SAID 6

/* What --explain would say with this body; no limit without a plan. */
static void
choose_said(struct lap_plan *p, const struct lap_body *body, double *error)
{
	struct cover_noise noise;
	bool fits = body->plan(p);

	p->body = body;
	for (int i = 0; i < SAID; i++)
		error[i] = fits ? 0 : HUGE_VAL;
	if (!fits)
		return;
	if (p->k > 0) {
		lap_describe(p, 0);
		error[0] = rational_real(p->report->error95);
		return;
	}
	noise = lap_cover(p);
	for (int i = 0; i < SAID; i++) {
		enum cover_part part = (enum cover_part)(i / ENDS);

		if (lap_says(p, part))
			error[i] = cover_error95(&noise, part, i % ENDS);
	}
}

/* The body of a way, planned for E = 1. */
static const struct lap_body *
choose_body(struct lap_plan *p, const struct lap_way *way)
{
	const struct lap_body *best = way->body[0];
	double least[SAID], error[SAID];

	p->way = way;
	choose_said(p, best, least);
	for (size_t b = 1; b < LAP_BODIES && way->body[b] != NULL; b++) {
		bool more = false;

		choose_said(p, way->body[b], error);
		for (int i = 0; i < SAID; i++)
			more = more || error[i] > LESS * least[i];
		if (more)
			continue;
		best = way->body[b];
		memcpy(least, error, sizeof(least));
	}
	return best;
}

/*
 * The 95 % error of column c in parts of its range, near 0, times n: of the
 * planned noise.  Under a norm of G the means of d columns are G/d on average,
 * which is where the covariances by ranges alone err.
 */
static double
choose_error(struct lap_plan *p, size_t c)
{
	const struct range *r = opts_range(p->opts, c);
	double lo = rational_real(r->lo), hi = rational_real(r->hi);
	double u = fmax(fabs(lo), fabs(hi)) / (hi - lo);
	double z = fmin(fabs(lo + hi) / (hi - lo), 1);
	double n = (double)p->divisor;
	bool pairs = (p->op->prints & LAP_PAIRS) != 0;
	struct cover_noise noise;

	if (p->way == &lap_norm)
		return lap_norm_error(p, c) * (pairs ? u * u : u);
	if (p->k > 0) {
		lap_describe(p, c);
		return rational_real(p->report->error95) * n / (hi - lo);
	}
	noise = lap_cover(p);
	z -= pairs * 2 * u * rational_real(p->args->norm) / (double)p->d;
	return cover_error95(&noise, pairs ? COVER_COVARIANCE : COVER_MEAN,
	    fmax(z, 0));
}

/* The squares over all columns, planned for E = 1. */
static double
choose_squares(struct lap_plan *p, const struct lap_way *way,
    const struct lap_body *body)
{
	double all = 0;

	p->way = way;
	p->body = body;
	if (!body->plan(p) || (body == lap_norm.body[1] && !lap_box_look(p)))
		return HUGE_VAL;
	for (size_t c = 0; c < p->d; c++) {
		double x = choose_error(p, c);

		all += x * x;
	}
	return all;
}

/* The body of --norm with less error than this, if there is one. */
static const struct lap_body *
choose_norm(struct lap_plan *p, const struct lap_body *ranges)
{
	const struct lap_body *const *norm = lap_norm.body;
	double least = choose_squares(p, lap_plain(p), ranges);
	double totals = choose_squares(p, &lap_norm, norm[0]);

	if (choose_squares(p, &lap_norm, norm[1]) < SURE * fmin(least,
	    totals))
		return norm[1];
	return totals < least ? norm[0] : NULL;
}

const struct lap_way *
lap_plain(const struct lap_plan *p)
{
	if (p->args->false_keys.den != 0)
		return &lap_universe;
	return p->op->way[p->opts->neighbors];
}

void
lap_choose(struct lap_plan *p)
{
	const struct lap_way *plain = lap_plain(p);
	const struct lap_body *body = plain->body[0], *norm = NULL;
	bool bounded = p->args->norm.den != 0;

	p->eps = (struct rational){ 1, 1 };
	if (plain->body[1] != NULL)
		body = choose_body(p, plain);
	if (bounded && p->d > 1)
		norm = choose_norm(p, body);
	p->eps.den = 0;
	p->way = norm != NULL ? &lap_norm : plain;
	p->body = norm != NULL ? norm : body;
	if (bounded && norm == NULL)
		report_note(p->report, "norm", "not used: the ranges alone "
		    "need no more noise");
	if (p->body->noise != NULL)
		p->report->noise = p->body->noise;
}
