/* dx_table: the table of --plan. */
#include "dx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/err.h"
#include "tool/row.h"

/* A double as a plain decimal with six significant digits. */
static const char *
number(char *buf, double x)
{
	char e[32];
	int digits;

	if (!isfinite(x))
		return "inf";
	snprintf(e, sizeof(e), "%.5e", x);
	digits = x > 0 ? 5 - (int)strtol(strchr(e, 'e') + 1, NULL, 10) : 0;
	snprintf(buf, FIXED_TEXT, "%.*f", digits < 0 ? 0 : digits > 40 ? 40 :
	    digits, x);
	return buf;
}

/* A line of the plan. */
struct scaled {
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
	size_t widest;		/* a query's name */
	size_t rows;
	double *improvement;
	const char **strategy;
	size_t *query;
};

static double
improvement(const struct printer *p, struct rational c)
{
	return !p->has_vanilla ? (double)NAN : c.num == 0 ?
	    HUGE_VAL : rational_real(p->vanilla) / rational_real(c);
}

static void
table_row(struct printer *p, const struct scaled *r)
{
	struct row row = { &p->out.text, p->d->opts.format, false };
	bool json = row.format == FORMAT_JSON;
	const char *none = json ? NULL : "inf";
	char buf[FIXED_TEXT];
	double f = improvement(p, r->c);

	text_add(row.out, json ? "{" : "");
	row_text(&row, "query", r->query->text, r->query->len);
	row_text(&row, "strategy", r->strategy, strlen(r->strategy));
	row_word(&row, "c", rational_text(buf, r->c));
	row_word(&row, "vanilla", p->has_vanilla ?
	    rational_text(buf, p->vanilla) : none);
	row_word(&row, "improvement", isfinite(f) ? number(buf, f) : none);
	row_word(&row, "rmse", number(buf, r->rmse));
	snprintf(buf, sizeof(buf), "%.1e", r->gap);
	if (json && r->gap >= 0)
		row_word(&row, "gap", buf);
	text_add(row.out, json ? "}\n" : "\n");
}

/* For people: aligned, six digits. */
static void
plain_row(struct printer *p, const struct scaled *r)
{
	char buf[4][FIXED_TEXT];
	double f = improvement(p, r->c);

	text_bytes(&p->out.text, r->query->text, r->query->len);
	text_printf(&p->out.text, "%*s  %-8s  %11s  %11s  %11s  %11s\n",
	    r->query->len < p->widest ? (int)(p->widest - r->query->len) : 0,
	    "", r->strategy, number(buf[0], rational_real(r->c)),
	    p->has_vanilla ? number(buf[1], rational_real(p->vanilla)) :
	    "inf",
	    isnan(f) ? "inf" : number(buf[2], f), number(buf[3], r->rmse));
}

static void
heading(struct printer *p)
{
	static const char *const names[] = { "query", "strategy", "c",
	    "vanilla", "improvement", "rmse" };
	const struct dx *d = p->d;
	struct row row = { &p->out.text, d->opts.format, false };
	size_t k;

	p->widest = 5;
	for (k = 0; k < d->u.w.k; k++)
		if (d->u.name[k].len > p->widest && d->u.name[k].len <= 40)
			p->widest = d->u.name[k].len;
	if (d->opts.format <= FORMAT_PLAIN)
		text_printf(row.out, "%-*s  %-8s  %11s  %11s  %11s  %11s",
		    (int)p->widest, names[0], names[1], names[2], names[3],
		    names[4], names[5]);
	else if (row.format != FORMAT_JSON)
		for (k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			row_word(&row, NULL, names[k]);
	text_add(row.out, row.format == FORMAT_JSON ? "" : "\n");
}

/*
 * Geometric mean of the improvement over the queries that need noise [KPAK20
 * section 4.2], and the gap, or the measured queries.
 */
static void
summary(struct printer *p, const struct dx_scales *s, enum dx_strategy which)
{
	char buf[FIXED_TEXT], words[REPORT_NOTE];
	double sum = 0;
	size_t k, n = 0;

	if (p->d->opts.format > FORMAT_PLAIN)
		return;
	for (k = 0; k < p->d->u.w.k; k++)
		if (s->c[k].num > 0) {
			sum += log(improvement(p, s->c[k]));
			n++;
		}
	text_printf(&p->out.text, "# strategy %s: improvement %s",
	    dx_names[which], n == 0 || isnan(sum) ? "inf" :
	    number(buf, exp(sum / (double)n)));
	if (s->gap >= 0)
		text_printf(&p->out.text, ", duality gap %.1e", s->gap);
	if (dx_is_fitted(which)) {
		dx_fitted_describe(p->d, words, sizeof(words));
		text_printf(&p->out.text, ", %s", words);
	}
	text_printf(&p->out.text, "\n");
}

static void
print_strategy(struct printer *p, enum dx_strategy which)
{
	struct dx *d = p->d;
	struct dx_scales s;
	double bias, c;
	size_t k;

	dx_strategy(d, which, &s);
	for (k = 0; k < d->u.w.k; k++) {
		struct scaled r = { &d->u.name[k], dx_names[which], s.c[k], 0,
		    s.gap };

		if (workload_outside(&d->u.w, k))
			continue;
		if (!plan_divide(&s.c[k], d->eps))
			dx_failed(d, PLAN_RANGE);
		r.c = s.c[k];
		bias = s.bias != NULL ? s.bias[k] : 0;
		c = rational_real(r.c);
		r.rmse = sqrt(2 * c * c + bias * bias);
		p->improvement[p->rows] = improvement(p, r.c);
		p->strategy[p->rows] = dx_names[which];
		p->query[p->rows++] = k;
		if (d->opts.format <= FORMAT_PLAIN)
			plain_row(p, &r);
		else
			table_row(p, &r);
	}
	summary(p, &s, which);
	dx_free_scales(&s);
}

noreturn void
dx_print_plan(struct dx *d)
{
	struct printer p = { .d = d, .out = RELEASE_INIT };
	size_t rows = DX_STRATEGIES * d->u.w.k + 1;
	int s;

	for (s = 0; s < DX_STRATEGIES; s++)
		if (d->strategy[s] && !dx_is_fitted((enum dx_strategy)s)) {
			dx_open_plan(d);
			break;
		}
	p.has_vanilla = plan_vanilla(&d->u.m, &d->u.w,
	    (struct rational){ 1, 1 }, &p.vanilla) &&
	    plan_divide(&p.vanilla, d->eps);
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
