/* show: the verdict. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "audit.h"
#include "number/fixed.h"
#include "release/answer/release.h"
#include "tool/err.h"
#include "tool/row.h"
#include "tool/text.h"

/* Neither bounds nor the possible bounds of a run are rounded up. */
static double
show_down(double x, double grid)
{
	return floor(x * grid) / grid;
}

static void
show_json(struct text *out, const struct audit_plan *a,
    const struct verdict *v, struct rational claim)
{
	double claimed = rational_real(claim);
	double seen = audit_detectable(claimed, v->runs, v->alpha);
	struct row row = { out, FORMAT_JSON, true };
	const char *consistent = v->bound > claimed ? "false" : "true";
	char eps[FIXED_TEXT];

	text_printf(out, "{\"tool\": \"dp-audit\", \"epsilon\": %s, "
	    "\"bound\": %.4f, \"consistent\": %s, \"runs\": %zu, "
	    "\"error\": %g, \"left\": %zu, \"right\": %zu, "
	    "\"tested\": %zu, \"failed_left\": %zu, "
	    "\"failed_right\": %zu, \"detectable\": ",
	    rational_text(eps, claim), show_down(v->bound, 10000), consistent,
	    a->runs, a->error, v->left, v->right, v->runs, v->failed[0],
	    v->failed[1]);
	if (isfinite(seen))
		text_printf(out, "%.4f", show_down(seen, 10000));
	else
		text_add(out, "null");
	row_text(&row, "event", v->event, strlen(v->event));
	text_add(out, "}\n");
}

/* The verdict's meaning, and the limits of the verdict. */
static void
say_verdict(const struct audit_plan *a, const struct verdict *v,
    double claimed, const char *eps)
{
	double seen = audit_detectable(claimed, v->runs, v->alpha);

	if (v->bound > claimed)
		fprintf(stderr, "verdict: refuted: the loss is above %.4f, "
		    "%s was claimed (wrong with a chance of %g at most)\n",
		    show_down(v->bound, 10000), eps, a->error);
	else if (isfinite(seen))
		fprintf(stderr, "verdict: consistent: no violation of %s "
		    "found in %zu runs a side; a loss below %.2f would hardly "
		    "have been seen\n", eps, a->runs, show_down(seen, 100));
	else
		fprintf(stderr, "verdict: consistent, which says nothing: %zu "
		    "runs a side cannot refute a claim above %.2f\n",
		    a->runs, show_down(audit_highest(v->runs, v->alpha), 100));
}

static void
say_counts(const struct verdict *v, const char *eps)
{
	fprintf(stderr, "event: %s\nleft: %zu of %zu\n"
	    "right: %zu of %zu\nfailed: %zu left, %zu right, of all "
	    "runs\nclaimed: %s\n", v->event, v->left, v->runs, v->right,
	    v->runs, v->failed[0], v->failed[1], eps);
}

bool
audit_show(const struct opts *o, const struct audit_plan *a,
    const struct verdict *v)
{
	double claimed = rational_real(o->eps);
	static struct release out = RELEASE_INIT;
	char eps[FIXED_TEXT];

	rational_text(eps, o->eps);
	if (o->format == FORMAT_CSV || o->format == FORMAT_TSV)
		text_add(&out.text, "value\n");
	if (o->format == FORMAT_JSON)
		show_json(&out.text, a, v, o->eps);
	else
		text_printf(&out.text, "%.4f\n", show_down(v->bound, 10000));
	/* a failed run's outputs count; this line says that it failed */
	if (v->failed[0] + v->failed[1] > 0)
		err_warn("'%s' failed in %zu of %zu runs on the left and %zu "
		    "on the right, the last time with status %d",
		    a->job.argv[0], v->failed[0], a->runs, v->failed[1],
		    v->status);
	if (o->verbose)
		say_counts(v, eps);
	if (o->verbose || isatty(STDERR_FILENO))
		say_verdict(a, v, claimed, eps);
	text_output(out.text.buf, out.text.len);
	return v->bound > claimed;
}
