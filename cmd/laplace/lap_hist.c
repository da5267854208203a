/*
 * lap_hist: the operation hist of laplace.
 *
 * [DMNS06 Example 3] A record is in one cell of the histogram at most: each
 * count gets the noise for one count under add-remove, for two under swap.
 */
#include <stdlib.h>
#include <string.h>

#include "lap.h"
#include "pattern.h"
#include "tool/err.h"

#define FINER 6	/* decimals of bins, with --per sum and mean */

/* A histogram's cells: names, days or numbers on the finest grid that fits. */
struct hist {
	int64_t *edge;		/* from --bins, with `digits' decimals */
	int digits, named;	/* decimals of edges, and of their names */
	size_t n;
};

/* --- options ------------------------------------------------------------ */

static noreturn void
bad_bins(const struct lap_args *a, const char *why)
{
	err_die(STATUS_USAGE, "--bins '%s': %s", a->bins, why);
}

/* A, B or W from A:B:W, or an edge. */
static struct rational
bin_part(struct lap *l, const char *part)
{
	int64_t day;

	if (l->args.steps || strlen(part) != 10 ||
	    !pattern_day(part, 10, &day)) {
		if (l->args.dates)
			bad_bins(&l->args, "not all of its edges are dates "
			    "YYYY-MM-DD");
		return opts_rational("--bins", part);
	}
	if (l->args.nbins > 0 && !l->args.dates)
		bad_bins(&l->args, "not all of its edges are numbers");
	l->args.dates = true;
	return (struct rational){ day, 1 };
}

void
lap_take_bins(struct lap *l, const char *arg)
{
	struct lap_args *a = &l->args;
	char *copy = err_copy(arg, strlen(arg)), *rest = copy, *part;
	struct rational span;
	size_t n;

	a->steps = strchr(arg, ':') != NULL;
	a->bins = arg;
	while ((part = text_field(&rest, a->steps ? ":" : ",")) != NULL) {
		a->bin = err_alloc(a->bin, a->nbins + 1, sizeof(*a->bin));
		a->bin[a->nbins] = bin_part(l, part);
		a->nbins++;
	}
	free(copy);
	n = a->nbins;
	if (n < 2 || (a->steps && n != 3))
		bad_bins(a, "neither A:B:W, such as 0:100:10, nor edges, such "
		    "as 0,18,65,120");
	if (a->steps && rational_sign(a->bin[2]) <= 0)
		bad_bins(a, "W must be above 0");
	for (size_t i = 1; i < n - a->steps; i++)
		if (rational_cmp(a->bin[i - 1], a->bin[i]) >= 0)
			bad_bins(a, a->steps ? "A must be below B" :
			    "edges ascend");
	if (a->steps && rational_sub(&span, a->bin[1], a->bin[0]) &&
	    rational_cmp(a->bin[2], span) > 0)
		bad_bins(a, "W is wider than from A to B: the order is A:B:W, "
		    "such as 0:100:10");
}

/* --- counted cells ----------------------------------------------------- */

/* Are cells looked up first?  Numbers may first be added up. */
static bool
looked_up(const struct lap *l)
{
	return l->args.keys_path != NULL || l->args.dates ||
	    (lap_in_cells(l) && !l->opts.check);
}

/* The cell for a record's name or day; n if none. */
static size_t
find_key(const struct lap *l, const struct cell *c)
{
	const struct hist *h = l->own;
	struct label t;
	int64_t day;

	if (c->missing)
		return h->n;
	if (h->edge == NULL)
		return keys_find(&l->list, c->text, c->len);
	t = text_trim(c->text, c->len);
	if (!pattern_day(t.text, t.len, &day))
		return h->n;
	return sums_bin(h->edge, h->n, day);
}

/* For intake: the key of a name, or the bin of a number; -1: none. */
static bool
code(void *arg, const struct cell *cells, int64_t *x)
{
	const struct lap *l = arg;
	const struct hist *h = l->own;
	const struct bounds *b = &l->in.bounds[0];
	int64_t number;
	size_t i;

	if (l->args.keys_path != NULL || l->args.dates)
		i = find_key(l, &cells[0]);
	else if (fixed_cell_behind(cells[0].text, cells[0].len, h->digits,
	    &number))
		i = sums_bin(h->edge, h->n, l->opts.check ? number :
		    fixed_clamp(number, b->lo, b->hi));
	else
		return false;
	x[0] = i == h->n && l->opts.check ? -1 : (int64_t)i;
	return true;
}

static void
lap_hist_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	const struct hist *h = l->own;
	size_t i = h->n;

	if (!looked_up(l))
		i = sums_bin(h->edge, h->n, x[0]);
	else if (x[0] >= 0)
		i = (size_t)x[0];
	if (i < l->plan.m)
		total_add(&l->total[group * l->plan.m + i], 1, w);
}

/* --- the bins ----------------------------------------------------------- */

/* The most decimals in A, B and W or in the edges; -1: no decimals. */
static int
decimals(const struct lap_args *a, size_t skip)
{
	int most = 0;

	for (size_t i = 0; i < a->nbins && most >= 0; i++) {
		int k = rational_digits(a->bin[i]);

		if (i != skip && (k < 0 || k > most))
			most = k;
	}
	return most;
}

/* Edge i on the grid with this many decimals, or false. */
static bool
edge_on(const struct lap_args *a, size_t i, size_t n, int k, int64_t *edge)
{
	struct rational e = a->bin[a->steps ? 1 : i];
	struct rational times = { (i128)i, 1 };

	if (a->steps && i < n && (!rational_mul(&e, a->bin[2], times) ||
	    !rational_add(&e, e, a->bin[0])))
		return false;
	return rational_grid(e, k, FIXED_NEAREST, edge);
}

/* The number of bins. */
static size_t
number_of_bins(const struct lap_args *a)
{
	struct rational n, most = { 10000000, 1 };

	if (!a->steps)
		return a->nbins - 1;
	if (!rational_sub(&n, a->bin[1], a->bin[0]) ||
	    !rational_div(&n, n, a->bin[2]) || rational_cmp(n, most) > 0)
		bad_bins(a, "more than 10000000 bins");
	return (size_t)fixed_ceil_div(n.num, n.den);
}

/*
 * The edges on the finest grid with room.  A person's cells may be far outside
 * the bins that hold the sum or mean, so cells have more room.
 */
static void
set_bins(struct lap *l)
{
	struct hist *h = l->own;
	const struct lap_args *a = &l->args;
	enum per per = l->opts.unit.per;
	int least = decimals(a, a->nbins), k = FIXED_DIGITS;
	size_t n = h->n = number_of_bins(a), i = 0;

	if (least < 0)
		bad_bins(a, "not all are decimals");
	if (a->dates)
		k = 0;
	else if ((per == PER_SUM || per == PER_MEAN) &&
	    least + FINER < k)
		k = least + FINER;
	h->edge = err_alloc(NULL, n + 1, sizeof(*h->edge));
	for (; k >= least && i <= n; k -= i <= n)
		for (i = 0; i <= n && edge_on(a, i, n, k, &h->edge[i]); i++)
			;
	if (k < least)
		bad_bins(a, "its edges do not fit 64 bits");
	h->digits = k;
	h->named = decimals(a, 1);
}

/* A bin has the name of its lower end, with the decimals of A and W, or as
   given. */
static struct label
name_of(const struct lap *l, size_t i, char buf[FIXED_TEXT])
{
	const struct hist *h = l->own;

	if (l->args.keys_path != NULL)
		return l->list.key[i];
	if (i == h->n)
		return (struct label){ KEYS_OTHERS, strlen(KEYS_OTHERS) };
	if (l->args.dates)
		return (struct label){ l->args.bins + 11 * i, 10 };
	fixed_text(buf, h->edge[i] / fixed_pow10(h->digits - h->named),
	    h->named);
	return (struct label){ buf, strlen(buf) };
}

/* The end of the last bin, as given. */
static const char *
bins_end(const struct lap_args *a, char buf[FIXED_TEXT])
{
	if (a->steps)
		return rational_text(buf, a->bin[1]);
	return strrchr(a->bins, ',') + 1;
}

/* --- the release -------------------------------------------------------- */

static void
lap_hist_rows(struct lap *l, uint64_t rel)
{
	char name[FIXED_TEXT];
	size_t m = l->plan.m;

	for (size_t i = 0; i < l->in.groups * m; i++)
		lap_key_row(l, rel, i / m, name_of(l, i % m, name),
		    lap_answer(l, total_value(&l->total[i]), 0));
}

static void
lap_hist_start(struct lap *l)
{
	const char *others = l->opts.others ? ", and (others)" : "";
	struct hist *h = l->own;
	struct bounds range;
	char end[FIXED_TEXT];

	h->n = l->list.n;
	if (l->args.keys_path == NULL)
		set_bins(l);
	l->plan.m = h->n + l->opts.others;
	intake_range(&l->opts, 0, h->digits, &range);
	if (l->args.bins == NULL)
		report_note(&l->report, "keys", "%zu, all printed%s", h->n,
		    others);
	else
		report_note(&l->report, "keys", "%zu, all printed; the last "
		    "bin holds its end, %s, too%s", h->n,
		    bins_end(&l->args, end), others);
}

static void
lap_hist_opened(struct lap *l)
{
	const struct hist *h = l->own;

	l->use->texts = looked_up(l);
	if (looked_up(l))
		l->use->code = code;
	if (h->edge != NULL && !l->args.dates)
		intake_grid(&l->in, h->digits);
	if (lap_in_cells(l))
		l->use->cells = l->plan.m;
}

static void
lap_hist_check(struct lap *l)
{
	char end[FIXED_TEXT];

	if (l->list.n == 0 && l->args.bins == NULL)
		return;
	lap_hist_start(l);
	if (l->list.n == 0) {
		err_warn("--bins: the last bin holds its end, too; whole "
		    "numbers or days up to %s want an end one later",
		    bins_end(&l->args, end));
		l->use->texts = looked_up(l);
		l->use->listed = "--bins";
	}
	if (l->use->list == NULL)
		l->use->code = code;
	if (l->use->list == NULL && lap_in_cells(l))
		l->use->cells = l->plan.m;
}

const struct lap_way lap_hist = {
	.start = lap_hist_start, .open = lap_hist_opened,
	.declare = lap_counts, .rows = lap_hist_rows, .check = lap_hist_check,
	.own = sizeof(struct hist), .body = { &(const struct lap_body){
	    .plan = lap_count_noise, .take = lap_hist_take } }
};
