/* lap_sum: the operations count, sum and hist of laplace. */
#include "lap_ops.h"

#include <stdlib.h>

#include "input/keys.h"
#include "tool/err.h"

/* Counts on the grid of the noise; cut where that leaves 2^126. */
static void
scale_counts(struct lap *l)
{
	size_t n = intake_groups(&l->in) * l->m;
	i128 step = fixed_pow10(l->cell_digits), most = ((i128)1 << 126) / step;

	for (size_t i = 0; i < n; i++)
		l->value[i] = (l->value[i] < most ? l->value[i] : most) * step;
}

static void
take_count(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct lap *l = arg;

	(void)x;
	l->value[group] += (i128)w;
}

/* [DMNS06 Example 1] One record more or less, or one that no longer counts. */
void
lap_count(struct lap *l)
{
	l->counting = true;
	l->unit_sens = (struct rational){ 1, 1 };
	if (l->opts.neighbors == NEIGHBORS_SWAP && l->opts.columns == NULL)
		report_note(&l->report, "swap", "every record counts, so the "
		    "count is public; it gets noise all the same");
	lap_settle(l, lap_plan);
	lap_prepare(l);
	lap_open(l, lap_plan);
	lap_values(l);
	intake_read(&l->in, take_count, l);
	scale_counts(l);
	lap_write(l);
}

static void
take_sum(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct sums *s = arg;

	sums_add(&s[group], x, w);
}

void
lap_sum(struct lap *l)
{
	struct sums *s;
	size_t groups;

	lap_settle(l, lap_plan);
	lap_prepare(l);
	lap_open(l, lap_plan);
	l->m = l->d;
	lap_name_columns(l);
	lap_values(l);
	groups = intake_groups(&l->in);
	s = err_alloc(NULL, groups, sizeof(*s));
	for (size_t g = 0; g < groups; g++)
		if (!sums_init(&s[g], l->column, l->d, false))
			die(STATUS_INPUT, "out of memory");
	intake_read(&l->in, take_sum, s);
	for (size_t g = 0; g < groups; g++) {
		for (size_t a = 0; a < l->d; a++)
			l->value[g * l->m + a] = sums_sum(&s[g], a);
		sums_free(&s[g]);
	}
	free(s);
	lap_write(l);
}

/* A histogram's cells: names, or numbers on the finest grid that fits. */
struct hist {
	struct lap *l;
	struct keys keys;
	int64_t lo, hi, width;
	int digits;
};

static void
take_key(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct hist *h = arg;
	const struct cell *c = &h->l->in.cells[0];
	size_t key = h->keys.n;

	(void)x;
	if (!c->missing)
		key = keys_find(&h->keys, c->text, c->len);
	if (key < h->keys.n)
		h->l->value[group * h->l->m + key] += (i128)w;
}

static void
take_bin(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct hist *h = arg;
	uint64_t bin = sums_bin(h->lo, h->hi, h->width, x[0]);

	if (bin < h->l->m)
		h->l->value[group * h->l->m + bin] += (i128)w;
}

static void
set_bins(struct hist *h)
{
	struct lap *l = h->l;
	uint64_t n;

	if (rational_digits(l->bin_lo) < 0 || rational_digits(l->bin_hi) < 0 ||
	    rational_digits(l->bin_width) < 0)
		die(STATUS_USAGE, "--bins '%s' are not decimals", l->bins_arg);
	for (h->digits = FIXED_DIGITS; h->digits >= 0; h->digits--)
		if (rational_grid(l->bin_lo, h->digits, FIXED_NEAREST,
		    &h->lo) && rational_grid(l->bin_hi, h->digits,
		    FIXED_NEAREST, &h->hi) && rational_grid(l->bin_width,
		    h->digits, FIXED_NEAREST, &h->width))
			break;
	if (h->digits < 0 || rational_digits(l->bin_lo) > h->digits ||
	    rational_digits(l->bin_hi) > h->digits ||
	    rational_digits(l->bin_width) > h->digits)
		die(STATUS_USAGE, "--bins '%s' do not fit 64 bits",
		    l->bins_arg);
	n = sums_bins(h->lo, h->hi, h->width);
	if (n > LAP_BINS_MOST)
		die(STATUS_USAGE, "--bins '%s' are more than %llu",
		    l->bins_arg, (unsigned long long)LAP_BINS_MOST);
	l->m = (size_t)n;
}

/* A bin is named by its lower end, with the decimals of A and W. */
static void
name_bins(struct hist *h)
{
	struct lap *l = h->l;
	int k = rational_digits(l->bin_lo), kw = rational_digits(l->bin_width);
	struct text text = TEXT_INIT;
	size_t at = 0;

	k = k > kw ? k : kw;
	l->key = err_alloc(NULL, l->m, sizeof(*l->key));
	for (size_t i = 0; i < l->m; i++) {
		char buf[FIXED_TEXT];
		i128 edge = h->lo + (i128)i * h->width;
		size_t before = text.len;

		text_printf(&text, "%s", fixed_text(buf,
		    edge / fixed_pow10(h->digits - k), k));
		l->key[i].len = text.len - before;
	}
	l->key_text = text.buf;
	for (size_t i = 0; i < l->m; at += l->key[i++].len)
		l->key[i].text = l->key_text + at;
}

/* [DMNS06 Example 3] */
void
lap_hist(struct lap *l)
{
	struct hist h = { .l = l };

	if ((l->keys_path == NULL) == (l->bins_arg == NULL))
		die(STATUS_USAGE, "hist needs --keys FILE or --bins A:B:W");
	if (l->keys_path != NULL) {
		keys_load(&h.keys, "--keys", l->keys_path);
		l->m = h.keys.n;
		l->key = h.keys.key;
	} else {
		set_bins(&h);
		name_bins(&h);
	}
	l->counting = true;
	l->unit_sens = (struct rational){ (i128)sums_sens_hist(l->m,
	    l->opts.neighbors == NEIGHBORS_SWAP ? SUMS_SWAP :
	    SUMS_ADD_REMOVE), 1 };
	report_note(&l->report, "keys", "%zu, all printed", l->m);
	lap_settle(l, lap_plan);
	lap_prepare(l);
	lap_open(l, lap_plan);
	if (l->keys_path != NULL)
		l->in.texts = 1;
	else
		intake_grid(&l->in, h.digits);
	lap_values(l);
	intake_read(&l->in, l->keys_path != NULL ? take_key : take_bin, &h);
	scale_counts(l);
	lap_write(l);
	if (l->keys_path != NULL)
		keys_free(&h.keys);
}
