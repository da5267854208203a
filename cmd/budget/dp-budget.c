/* dp-budget: makes and shows the ledger that the other tools charge. */
#include <stdlib.h>
#include <string.h>

#include "ledger_show.h"
#include "release/release.h"
#include "tool/err.h"
#include "tool/opts.h"

static const int without[] = { 'c', 'd', 'H', 'w', 'n', 'g', 'v', OPT_GROUPS,
	OPT_NEIGHBORS, OPT_RANGE, OPT_ON_BAD, OPT_DIGITS, OPT_WITHIN,
	OPT_LEDGER, OPT_RELEASE_ID, OPT_LABEL, OPT_THREADS, OPT_EXPLAIN,
	OPT_CHECK, OPT_NON_PRIVATE, OPT_SEED, OPT_EXPECT_WEIGHT, 0 };

static void
create(const struct opts *o, const char *path)
{
	if (!o->has_eps)
		die(STATUS_USAGE, "create needs the total budget (-e TOTAL)");
	ledger_create(path, o->dataset != NULL ? o->dataset : LEDGER_DATASET,
	    o->eps);
}

int
main(int argc, char **argv)
{
	struct opts o = OPTS_INIT;
	struct release out = RELEASE_INIT;
	struct ledger *l;
	const char *verb;
	int c;

	o.tool = "dp-budget";
	o.synopsis = "create FILE -e TOTAL [--dataset NAME] | show FILE "
	    "[--dataset NAME] | log FILE [--dataset NAME]";
	o.without = without;
	while ((c = opts_next(&o, argc, argv)) != -1)
		opts_take(&o, c);
	if (o.noperands != 2)
		die(STATUS_USAGE, "usage: dp-budget %s", o.synopsis);
	verb = o.operands[0];
	if (strcmp(verb, "create") == 0) {
		create(&o, o.operands[1]);
		opts_free(&o);
		return STATUS_OK;
	}
	if (strcmp(verb, "show") != 0 && strcmp(verb, "log") != 0)
		die(STATUS_USAGE, "'%s' is not create, show or log", verb);
	l = ledger_open(o.operands[1]);
	if (strcmp(verb, "show") == 0)
		ledger_show(l, &out.text, opts_format(&o, FORMAT_PLAIN),
		    o.dataset);
	else
		ledger_show_log(l, &out.text, opts_format(&o, FORMAT_PLAIN),
		    o.dataset);
	ledger_close(l);
	release_flush(&out);
	opts_free(&o);
	return STATUS_OK;
}
