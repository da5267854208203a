/* audit_show: the verdict. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "release/release.h"

bool
audit_show(const struct opts *o, const struct audit_plan *a,
    const struct verdict *v)
{
	double claimed = (double)o->eps.num / (double)o->eps.den;
	bool refuted = v->bound > claimed;
	double bound = floor(v->bound * 10000) / 10000;	/* not rounded up */
	struct release out = RELEASE_INIT;
	struct text eps = TEXT_INIT;
	bool json = o->format == FORMAT_JSON;
	char buf[FIXED_TEXT];

	text_printf(&eps, "%s", rational_text(buf, o->eps));
	text_bytes(&eps, "", 1);
	if (json) {
		text_printf(&out.text, "{\"tool\": \"dp-audit\", \"epsilon\": "
		    "%s, \"bound\": %.4f, \"consistent\": %s, \"runs\": %llu, "
		    "\"error\": %g, \"left\": %llu, \"right\": %llu, "
		    "\"tested\": %llu, \"event\": ", eps.buf, bound,
		    refuted ? "false" : "true",
		    (unsigned long long)a->runs, a->error,
		    (unsigned long long)v->left, (unsigned long long)v->right,
		    (unsigned long long)v->runs);
		text_json(&out.text, v->event, strlen(v->event));
		text_printf(&out.text, ", \"pair\": ");
		text_json(&out.text, v->pair, strlen(v->pair));
		text_printf(&out.text, "}\n");
	} else
		text_printf(&out.text, "%s%.4f\n", o->format == FORMAT_CSV ?
		    "value\n" : "", bound);
	if (o->verbose)
		fprintf(stderr, "pair: %s\nevent: %s\nleft: %llu of %llu\n"
		    "right: %llu of %llu\nclaimed: %s\nverdict: %s\n", v->pair,
		    v->event, (unsigned long long)v->left,
		    (unsigned long long)v->runs, (unsigned long long)v->right,
		    (unsigned long long)v->runs, eps.buf,
		    refuted ? "refuted" : "consistent");
	free(eps.buf);
	release_flush(&out);
	return refuted;
}
