/*
 * lap_hist: the operation hist of laplace.
 *
 * [DMNS06 Example 3] A record is in one cell of the histogram at most: each
 * count gets the noise of one count under add-remove, of two under swap.
 */
#include <stdlib.h>
#include <string.h>

#include "lap_run.h"
#include "lap_universe.h"
#include "tool/err.h"

/* A histogram's cells: names, or numbers on the finest grid that fits. */
struct hist {
	struct lap *l;
	struct keys keys;	/* of --keys */
	int64_t lo, hi, width;	/* of --bins, with so many decimals */
	int digits;
	size_t n;
	struct label *label;	/* the n names */
	char *text;		/* of the names of bins */
	bool told;		/* that there are records at the end of bins */
};

/* The key of a record: n where it is in none. */
static size_t
find_key(const struct hist *h, const struct cell *c)
{
	return c->missing ? h->n : keys_find(&h->keys, c->text, c->len);
}

/* intake's numbers for names. */
static bool
code(void *arg, const struct cell *cells, int64_t *x)
{
	x[0] = (int64_t)find_key(arg, &cells[0]);
	return true;
}

/*
 * For --check: whole numbers from A to B, and the last bin holds two of them
 * where all others hold as many as their width says.
 */
static void
tell_end(struct hist *h, int64_t number)
{
	char end[FIXED_TEXT];

	if (h->told || h->n < 2 || number != h->hi ||
	    ((uint64_t)h->hi - (uint64_t)h->lo) % (uint64_t)h->width != 0)
		return;
	h->told = true;
	fixed_text(end, number / fixed_pow10(h->digits -
	    rational_digits(h->l->args.bin_hi)),
	    rational_digits(h->l->args.bin_hi));
	warn("--bins: record %llu is %s, the end, which the last bin, %.*s, "
	    "counts too; with an end that is higher by W it has a bin of its "
	    "own", (unsigned long long)h->l->in.records, end,
	    (int)h->label[h->n - 1].len, h->label[h->n - 1].text);
}

/* For --check: the key of a name or the bin of a number, -1 for none. */
static bool
code_listed(void *arg, const struct cell *cells, int64_t *x)
{
	struct hist *h = arg;
	int64_t number;
	size_t i;

	if (h->text == NULL)
		i = find_key(h, &cells[0]);
	else if (fixed_cell_behind(cells[0].text, cells[0].len, h->digits,
	    &number)) {
		i = (size_t)sums_bin(h->lo, h->hi, h->width, number);
		tell_end(h, number);
	} else
		return false;
	x[0] = i < h->n ? (int64_t)i : -1;
	return true;
}

static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct hist *h = arg;
	size_t i = h->text == NULL ? (size_t)x[0] :
	    (size_t)sums_bin(h->lo, h->hi, h->width, x[0]);

	if (i < h->n)
		h->l->value[group * h->n + i] += (i128)w;
}

/*
 * The finest decimals to try.  The cells of a person may be far outside of the
 * bins that hold their sum or mean, so there is more room for them.
 */
static int
finest(const struct lap_args *a, enum per per)
{
	int k = rational_digits(a->bin_lo), kw = rational_digits(a->bin_width);

	k = (k > kw ? k : kw) + LAP_FINER_BINS;
	return (per == PER_SUM || per == PER_MEAN) && k < FIXED_DIGITS ? k :
	    FIXED_DIGITS;
}

static void
set_bins(struct hist *h)
{
	struct lap *l = h->l;
	uint64_t n;

	if (rational_digits(l->args.bin_lo) < 0 ||
	    rational_digits(l->args.bin_hi) < 0 ||
	    rational_digits(l->args.bin_width) < 0)
		die(STATUS_USAGE, "--bins '%s' are not decimals", l->args.bins);
	for (h->digits = finest(&l->args, l->opts.per); h->digits >= 0;
	    h->digits--)
		if (rational_grid(l->args.bin_lo, h->digits, FIXED_NEAREST,
		    &h->lo) && rational_grid(l->args.bin_hi, h->digits,
		    FIXED_NEAREST, &h->hi) && rational_grid(l->args.bin_width,
		    h->digits, FIXED_NEAREST, &h->width))
			break;
	if (h->digits < 0 || rational_digits(l->args.bin_lo) > h->digits ||
	    rational_digits(l->args.bin_hi) > h->digits ||
	    rational_digits(l->args.bin_width) > h->digits)
		die(STATUS_USAGE, "--bins '%s' do not fit 64 bits",
		    l->args.bins);
	n = sums_bins(h->lo, h->hi, h->width);
	if (n > LAP_BINS_MOST)
		die(STATUS_USAGE, "--bins '%s' are more than %llu",
		    l->args.bins, (unsigned long long)LAP_BINS_MOST);
	h->n = (size_t)n;
}

/* A bin is named by its lower end, with the decimals of A and W. */
static void
name_bins(struct hist *h)
{
	const struct lap_args *a = &h->l->args;
	int k = rational_digits(a->bin_lo), kw = rational_digits(a->bin_width);
	struct text text = TEXT_INIT;
	size_t at = 0;

	k = k > kw ? k : kw;
	h->label = err_alloc(NULL, h->n, sizeof(*h->label));
	for (size_t i = 0; i < h->n; i++) {
		char buf[FIXED_TEXT];
		i128 edge = h->lo + (i128)i * h->width;
		size_t before = text.len;

		text_printf(&text, "%s", fixed_text(buf,
		    edge / fixed_pow10(h->digits - k), k));
		h->label[i].len = text.len - before;
	}
	h->text = text.buf;
	for (size_t i = 0; i < h->n; at += h->label[i++].len)
		h->label[i].text = h->text + at;
}

static void
write_rows(struct hist *h)
{
	struct lap *l = h->l;
	size_t parts = l->in.keys.width;
	struct label *label = err_alloc(NULL, parts + 1, sizeof(*label));

	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		for (size_t i = 0; i < l->in.groups * h->n; i++) {
			struct answer a = lap_answer(l, l->value[i], 0);

			if (parts > 0)
				memcpy(label, intake_group_parts(&l->in,
				    i / h->n), parts * sizeof(*label));
			label[parts] = h->label[i % h->n];
			release_row(&l->out, rel, label, &a);
		}
	free(label);
}

static void
read_counts(struct hist *h)
{
	struct lap *l = h->l;

	if (l->args.keys_path != NULL) {
		l->in.texts = 1;
		l->in.code = code;
	} else
		intake_grid(&l->in, h->digits);
	lap_values(l);
	intake_read(&l->in, take, h);
}

static void
open_keys(struct hist *h)
{
	struct lap *l = h->l;

	if (l->args.keys_path != NULL) {
		keys_load(&h->keys, "--keys", l->args.keys_path);
		h->n = h->keys.n;
		h->label = h->keys.key;
	} else {
		set_bins(h);
		name_bins(h);
	}
}

/*
 * --keys are keys of groups to --check, where all of them are printed; of a
 * long list that --false-keys shortens most are nobody's.
 */
static bool
group_keys(struct lap *l)
{
	struct opts *o = &l->opts;

	if (l->args.keys_path == NULL || o->groups != NULL ||
	    l->args.false_keys.den != 0)
		return false;
	o->group = o->columns != NULL ? o->columns : "1";
	o->groups = l->args.keys_path;
	return true;
}

void
lap_hist_check(struct lap *l)
{
	struct hist h = { .l = l };
	bool names = l->args.keys_path != NULL, grouped;

	open_keys(&h);
	grouped = group_keys(l);
	intake_open(&l->in, &l->opts, 1, 1, 0);
	l->in.texts = names;
	l->in.code = grouped ? NULL : code_listed;
	l->in.listed = names ? "--keys" : "--bins";
	intake_read(&l->in, NULL, &h);
}

void
lap_hist(struct lap *l)
{
	struct hist h = { .l = l };

	if (l->args.universe != NULL || l->args.false_keys.den != 0) {
		lap_universe(l);
		return;
	}
	open_keys(&h);
	l->m = h.n;
	report_note(&l->report, "keys", "%zu, all printed%s", l->m,
	    l->args.bins != NULL ? "; the last bin holds its end too" : "");
	lap_settle(l, lap_hist_noise);
	lap_prepare(l);
	lap_open(l, lap_hist_noise);
	if (l->args.keys_path != NULL && table_width(l->in.table) > 0)
		keys_warn_header(&h.keys, "--keys",
		    table_name(l->in.table, l->in.cols[0]));
	read_counts(&h);
	lap_begin(l);
	release_key(&l->out, lap_name(l, 0));
	release_answer(&l->out, NULL, "count", l->report.digits);
	lap_header(l);
	write_rows(&h);
	lap_end(l);
	if (l->args.keys_path != NULL)
		keys_free(&h.keys);
	else
		free(h.label);
	free(h.text);
}
