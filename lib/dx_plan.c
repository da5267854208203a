/* dx_plan: the strategies, and the table that --plan prints. */
#include "dx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dx_impl.h"
#include "err.h"
#include "plan_joint.h"

void
dx_failed(struct dx *d, enum plan_result r)
{
	switch (r) {
	case PLAN_OK:
		return;
	case PLAN_NO_MEMORY:
		die(STATUS_INPUT, "out of memory");
	case PLAN_INFINITE:
		die(STATUS_INPUT, "records %zu and %zu of the universe have "
		    "distance 0 but unequal coefficients: no finite noise is "
		    "private", (d->plan.worst.i < d->plan.worst.j ?
		    d->plan.worst.i : d->plan.worst.j) + 1,
		    (d->plan.worst.i < d->plan.worst.j ?
		    d->plan.worst.j : d->plan.worst.i) + 1);
	case PLAN_RANGE:
		die(STATUS_INPUT, "a scale is out of range");
	}
}

void
dx_open_plan(struct dx *d)
{
	const struct rational one = { 1, 1 };

	if (d->u.w.k > 0 && d->u.n > DX_CELLS / d->u.w.k)
		die(STATUS_INPUT, "%zu queries are too many for a universe "
		    "of %zu", d->u.w.k, d->u.n);
	dx_failed(d, plan_open(&d->plan, &d->u.m, &d->u.w, one));
}

/* People that are counted: public under swap. */
static double
everybody(const struct dx *d)
{
	double n = 0;
	size_t i;

	if (d->total > 0)
		return (double)d->total;
	for (i = 0; i < d->u.n; i++)
		n += (double)d->u.count[i];
	return n;
}

/*
 * The bent queries take the place of the others but in a plan.  Bias against
 * noise depends on epsilon: the scales are made for it, then for 1.
 */
static enum plan_result
joint(struct dx *d, struct dx_scales *s)
{
	struct rational inverse = { d->opts.eps.den, d->opts.eps.num };
	struct joint_plan j;
	enum plan_result r;
	size_t k;

	if (d->u.n > JOINT_ELEMENTS)
		die(STATUS_INPUT, "--strategy joint takes at most %zu "
		    "elements", JOINT_ELEMENTS);
	r = plan_joint(&j, &d->u.m, &d->u.w, d->opts.eps, d->loss,
	    everybody(d));
	if (r != PLAN_OK)
		return r;
	s->bias = err_alloc(NULL, d->u.w.k + 1, sizeof(*s->bias));
	for (k = 0; k < d->u.w.k; k++) {
		s->c[k] = j.c[k];
		s->bias[k] = j.bias[k];
		if (!plan_divide(&s->c[k], inverse))
			r = PLAN_RANGE;
	}
	if (!d->plan_only) {
		struct workload w = d->u.w;

		d->u.w = j.w;
		j.w = w;
	}
	plan_joint_free(&j);
	return r;
}

void
dx_strategy(struct dx *d, enum dx_strategy which, struct dx_scales *s)
{
	struct plan *p = &d->plan;
	enum plan_result r;

	*s = (struct dx_scales){ .gap = -1 };
	s->c = err_alloc(NULL, d->u.w.k + 1, sizeof(*s->c));
	switch (which) {
	case DX_1: r = plan_split(p, s->c); break;
	case DX_2: r = plan_equal(p, s->c); break;
	case DX_3: r = plan_share(p, s->c); break;
	case DX_OPT: r = plan_best(p, d->loss, s->c, &s->gap); break;
	default: r = joint(d, s);
	}
	dx_failed(d, r);
}

void
dx_free_scales(struct dx_scales *s)
{
	free(s->c);
	free(s->bias);
	*s = (struct dx_scales){ .gap = -1 };
}

/* A double as a plain decimal of six significant digits. */
static const char *
number(char *buf, double x)
{
	char e[32];
	int digits;

	if (!isfinite(x))
		return "inf";
	snprintf(e, sizeof(e), "%.5e", x);
	digits = x > 0 ? 5 - atoi(strchr(e, 'e') + 1) : 0;
	snprintf(buf, FIXED_TEXT, "%.*f", digits < 0 ? 0 : digits > 40 ? 40 :
	    digits, x);
	return buf;
}

static double
real(struct rational r)
{
	return (double)r.num / (double)r.den;
}

/* One line of the plan. */
struct row {
	const struct label *query;
	const char *strategy;
	struct rational c;
	double rmse;
	double gap;
};

struct printer {
	struct dx *d;
	bool has_vanilla;
	struct rational vanilla;
	struct release out;
	size_t widest;		/* name of a query */
	size_t rows;
	double *improvement;
	const char **strategy;
	size_t *query;
};

static double
improvement(const struct printer *p, struct rational c)
{
	return !p->has_vanilla ? (double)NAN : c.num == 0 ?
	    HUGE_VAL : real(p->vanilla) / real(c);
}

static void
json_row(struct printer *p, const struct row *r)
{
	char buf[FIXED_TEXT];
	double f = improvement(p, r->c);

	release_printf(&p->out, "{\"query\": ");
	release_json(&p->out, r->query->text, r->query->len);
	release_printf(&p->out, ", \"strategy\": \"%s\", \"c\": %s",
	    r->strategy, rational_text(buf, r->c));
	release_printf(&p->out, ", \"vanilla\": %s", p->has_vanilla ?
	    rational_text(buf, p->vanilla) : "null");
	release_printf(&p->out, ", \"improvement\": %s",
	    isfinite(f) ? number(buf, f) : "null");
	release_printf(&p->out, ", \"rmse\": %s", number(buf, r->rmse));
	if (r->gap >= 0)
		release_printf(&p->out, ", \"gap\": %.1e", r->gap);
	release_printf(&p->out, "}\n");
}

static void
csv_row(struct printer *p, const struct row *r)
{
	char buf[FIXED_TEXT];
	double f = improvement(p, r->c);

	release_cell(&p->out, r->query->text, r->query->len);
	release_printf(&p->out, ",%s,%s", r->strategy,
	    rational_text(buf, r->c));
	release_printf(&p->out, ",%s", p->has_vanilla ?
	    rational_text(buf, p->vanilla) : "inf");
	release_printf(&p->out, ",%s", isnan(f) ? "inf" : number(buf, f));
	release_printf(&p->out, ",%s\n", number(buf, r->rmse));
}

/* For people: aligned, six digits. */
static void
plain_row(struct printer *p, const struct row *r)
{
	char buf[4][FIXED_TEXT];
	double f = improvement(p, r->c);

	release_bytes(&p->out, r->query->text, r->query->len);
	release_printf(&p->out, "%*s  %-8s  %11s  %11s  %11s  %11s\n",
	    r->query->len < p->widest ? (int)(p->widest - r->query->len) : 0,
	    "", r->strategy, number(buf[0], real(r->c)),
	    p->has_vanilla ? number(buf[1], real(p->vanilla)) : "inf",
	    isnan(f) ? "inf" : number(buf[2], f), number(buf[3], r->rmse));
}

static void
heading(struct printer *p)
{
	const struct dx *d = p->d;
	size_t k;

	p->widest = 5;
	for (k = 0; k < d->u.w.k; k++)
		if (d->u.name[k].len > p->widest && d->u.name[k].len <= 40)
			p->widest = d->u.name[k].len;
	if (d->opts.format == FORMAT_CSV)
		release_printf(&p->out,
		    "query,strategy,c,vanilla,improvement,rmse\n");
	else if (d->opts.format == FORMAT_PLAIN)
		release_printf(&p->out, "%-*s  %-8s  %11s  %11s  %11s  %11s\n",
		    (int)p->widest, "query", "strategy", "c", "vanilla",
		    "improvement", "rmse");
}

/* Geometric mean of the improvement [KPAK20 section 4.2], and the gap. */
static void
summary(struct printer *p, const struct dx_scales *s, const char *strategy)
{
	double sum = 0;
	size_t k, n = p->d->u.w.k;
	char buf[FIXED_TEXT];

	if (p->d->opts.format != FORMAT_PLAIN)
		return;
	for (k = 0; k < n; k++)
		sum += log(improvement(p, s->c[k]));
	release_printf(&p->out, "# strategy %s: improvement %s", strategy,
	    isnan(sum) ? "inf" : number(buf, exp(sum / (double)n)));
	if (s->gap >= 0)
		release_printf(&p->out, ", duality gap %.1e", s->gap);
	release_printf(&p->out, "\n");
}

static void
print_strategy(struct printer *p, enum dx_strategy which)
{
	struct dx *d = p->d;
	struct dx_scales s;
	double bias;
	size_t k;

	dx_strategy(d, which, &s);
	for (k = 0; k < d->u.w.k; k++) {
		struct row r = { &d->u.name[k], dx_names[which], s.c[k], 0,
		    s.gap };

		if (!plan_divide(&s.c[k], d->opts.eps))
			dx_failed(d, PLAN_RANGE);
		r.c = s.c[k];
		bias = s.bias != NULL ? s.bias[k] : 0;
		r.rmse = sqrt(2 * real(r.c) * real(r.c) + bias * bias);
		p->improvement[p->rows] = improvement(p, r.c);
		p->strategy[p->rows] = dx_names[which];
		p->query[p->rows++] = k;
		if (d->opts.format == FORMAT_JSON)
			json_row(p, &r);
		else if (d->opts.format == FORMAT_CSV)
			csv_row(p, &r);
		else
			plain_row(p, &r);
	}
	summary(p, &s, dx_names[which]);
	dx_free_scales(&s);
}

noreturn void
dx_print_plan(struct dx *d)
{
	struct printer p = { .d = d, .out = RELEASE_INIT };
	size_t rows = DX_STRATEGIES * d->u.w.k + 1;
	int s;

	dx_open_plan(d);
	p.has_vanilla = plan_vanilla(&d->u.m, &d->u.w,
	    (struct rational){ 1, 1 }, &p.vanilla) &&
	    plan_divide(&p.vanilla, d->opts.eps);
	p.improvement = err_alloc(NULL, rows, sizeof(*p.improvement));
	p.strategy = err_alloc(NULL, rows, sizeof(*p.strategy));
	p.query = err_alloc(NULL, rows, sizeof(*p.query));
	heading(&p);
	for (s = 0; s < DX_STRATEGIES; s++)
		if (d->strategy[s])
			print_strategy(&p, (enum dx_strategy)s);
	if (d->plot != NULL)
		dx_plot(d, p.improvement, p.strategy, p.query, p.rows);
	release_flush(&p.out);
	exit(STATUS_OK);
}
