/* dx_table: the table of --plan. */
#include "dx.h"
#include "dx/plan/upward.h"
#include "dx/plan/workload.h"
#include "tool/err.h"
#include "tool/row.h"
#include "tool/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


/* A double as a plain decimal with six significant digits. */
static const char *
decimal_text(char *buf, double x)
{
	char e[32];
	int digits;

	if (!isfinite(x))
		return "inf";
	snprintf(e, sizeof(e), "%.5e", x);
	digits = 5 - (int)strtol(strchr(e, 'e') + 1, NULL, 10);
	if (!(x > 0))
		digits = 0;
	snprintf(buf, FIXED_TEXT, "%.*f", (int)fixed_clamp(digits, 0, 40), x);
	return buf;
}

/* A line of the plan. */
struct scaled {
	size_t query;
	enum dx_strategy strategy;
	struct rational c;
	double improvement;	/* over the plain mechanism; NAN: it has none */
	double rmse;
	double gap;		/* negative: none */
};

struct printer {
	struct dx *d;
	struct rational vanilla;	/* the plain mechanism's; den 0: none */
	struct release out;
	size_t widest;		/* name of a query */
};

static double
improvement(const struct printer *p, struct rational c)
{
	if (p->vanilla.den == 0)
		return (double)NAN;
	if (c.num == 0)
		return HUGE_VAL;
	return rational_real(p->vanilla) / rational_real(c);
}

/* Exact, or for people with six digits. */
static const char *
scale_text(char *buf, bool plain, struct rational c)
{
	if (plain)
		return decimal_text(buf, rational_real(c));
	return rational_text(buf, c);
}

static const char *const names[] = { "query", "strategy", "c", "vanilla",
    "improvement", "rmse" };

#define NAMES (sizeof(names) / sizeof(names[0]))

/* Cell k of a line; for people aligned. */
static void
put_cell(struct printer *p, struct row *row, size_t k, struct label cell)
{
	const int width[NAMES] = { -(int)p->widest, -8, 11, 11, 11, 11 };

	if (row->format > FORMAT_PLAIN && k < 2)
		row_text(row, names[k], cell.text, cell.len);
	else if (row->format > FORMAT_PLAIN)
		row_word(row, names[k], cell.text);
	else
		text_printf(row->out, "%s%*.*s", k > 0 ? "  " : "",
		    width[k], (int)cell.len, cell.text);
}

static struct label
label_of(const char *text)
{
	if (text == NULL)
		return (struct label){ NULL, 0 };
	return (struct label){ text, strlen(text) };
}

static void
print_row(struct printer *p, const struct scaled *r)
{
	struct row row = { &p->out.text, p->d->opts.format, false };
	bool json = row.format == FORMAT_JSON;
	bool plain = row.format <= FORMAT_PLAIN;
	const char *none = json ? NULL : "inf";
	char buf[4][FIXED_TEXT];
	struct label cell[NAMES] = { universe_name(&p->d->u, r->query),
	    label_of(dx_names[r->strategy]),
	    label_of(scale_text(buf[0], plain, r->c)), label_of(none),
	    label_of(none), label_of(decimal_text(buf[3], r->rmse)) };

	if (p->vanilla.den > 0)
		cell[3] = label_of(scale_text(buf[1], plain, p->vanilla));
	if (isfinite(r->improvement))
		cell[4] = label_of(decimal_text(buf[2], r->improvement));
	if (json)
		text_add(row.out, "{");
	for (size_t k = 0; k < NAMES; k++)
		put_cell(p, &row, k, cell[k]);
	snprintf(buf[0], sizeof(buf[0]), "%.1e", r->gap);
	if (json && r->gap >= 0)
		row_word(&row, "gap", buf[0]);
	text_add(row.out, json ? "}\n" : "\n");
}

static void
heading(struct printer *p)
{
	struct dx *d = p->d;
	struct row row = { &p->out.text, d->opts.format, false };

	p->widest = 5;
	for (size_t k = 0, len; k < d->u.w.k; k++) {
		len = universe_name(&d->u, k).len;
		if (len > p->widest && len <= 40)
			p->widest = len;
	}
	if (row.format == FORMAT_JSON)
		return;
	for (size_t k = 0; k < NAMES; k++)
		put_cell(p, &row, k, label_of(names[k]));
	text_add(row.out, "\n");
}

/*
 * Geometric mean of the improvement over the queries that need noise [KPAK20
 * section 4.2], and the gap, or the measured queries.
 */
static void
summary(struct printer *p, const struct dx_scales *s, enum dx_strategy which)
{
	char buf[FIXED_TEXT], words[REPORT_NOTE];
	const char *mean = "inf";
	double sum = 0;
	size_t k, n = 0;

	if (p->d->opts.format > FORMAT_PLAIN)
		return;
	for (k = 0; k < p->d->u.w.k; k++)
		if (s->c[k].num > 0) {
			sum += log(improvement(p, s->c[k]));
			n++;
		}
	if (n > 0 && !isnan(sum))
		mean = decimal_text(buf, exp(sum / (double)n));
	text_printf(&p->out.text, "# strategy %s: improvement %s",
	    dx_names[which], mean);
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

	dx_strategy(d, which, &s);
	for (size_t k = 0; k < d->u.w.k; k++) {
		struct scaled r;

		if (workload_outside(&d->u.w, k))
			continue;
		if (!upward_div(&s.c[k], s.c[k], d->eps))
			dx_failed(d, PLAN_RANGE);
		bias = 0;
		if (s.bias != NULL)
			bias = s.bias[k];
		c = rational_real(s.c[k]);
		r = (struct scaled){ k, which, s.c[k],
		    improvement(p, s.c[k]), sqrt(2 * c * c + bias * bias),
		    s.gap };
		print_row(p, &r);
	}
	summary(p, &s, which);
	dx_free_scales(&s);
}

noreturn void
dx_print_plan(struct dx *d)
{
	struct printer p = { .d = d, .out = RELEASE_INIT };

	if (!dx_is_fitted(dx_chosen(d)))
		dx_begin(d, dx_chosen(d));
	if (!plan_vanilla(&d->u.m, &d->u.w, &p.vanilla) ||
	    !upward_div(&p.vanilla, p.vanilla, d->eps))
		p.vanilla.den = 0;
	heading(&p);
	for (int s = 0; s < DX_STRATEGIES; s++)
		if (d->strategy[s])
			print_strategy(&p, (enum dx_strategy)s);
	text_output(p.out.text.buf, p.out.text.len);
	exit(STATUS_OK);
}
