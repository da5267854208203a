/* guarantee: between which inputs the privacy loss is bounded. */
#include "guarantee.h"

#include <stdlib.h>
#include <string.h>

#include "tool/metric_spec.h"

const char *const guarantee_words[] = {
	"add-remove", "swap", "metric", "stated", "mixed", NULL
};

enum guarantee_kind
guarantee_kind(const char *word)
{
	int i;

	for (i = 0; i < GUARANTEE_MIXED; i++)
		if (strcmp(guarantee_words[i], word) == 0)
			break;
	return (enum guarantee_kind)i;
}

static bool
same(const char *a, const char *b)
{
	return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

/* Is this one of the columns of a list with commas? */
static bool
listed(const char *list, const char *name, size_t len)
{
	const char *end;

	for (; list != NULL; list = *end == ',' ? end + 1 : NULL) {
		end = list + strcspn(list, ",");
		if ((size_t)(end - list) == len &&
		    memcmp(list, name, len) == 0)
			return true;
	}
	return false;
}

/* Are all columns of a list in another? */
static bool
within(const char *some, const char *list)
{
	const char *end;

	for (; some != NULL; some = *end == ',' ? end + 1 : NULL) {
		end = some + strcspn(some, ",");
		if (!listed(list, some, (size_t)(end - some)))
			return false;
	}
	return true;
}

/* Records, by kind, of which one is private. */
static const char *const described[] = {
	"that come or go (add-remove)",
	"that are replaced (swap), whose number is public",
	"at the distances of a metric"
};

static unsigned
refuse_unit(const struct guarantee *budget, const struct guarantee *release,
    struct text *why)
{
	const struct guarantee *both[] = { release, budget };
	static const char *const who[] = {
		"this release is private for ", ", its budget for "
	};

	for (size_t i = 0; i < 2; i++)
		if (both[i]->unit == NULL)
			text_printf(why, "%ssingle records", who[i]);
		else
			text_printf(why, "%speople (--unit %s)", who[i],
			    both[i]->unit);
	text_add(why, "; one is no bound for the other");
	return 0;
}

static unsigned
refuse_kind(const struct guarantee *budget, const struct guarantee *release,
    struct text *why)
{
	if (budget->kind == GUARANTEE_MIXED) {
		text_add(why, "the log of this budget mixes neighbors for "
		    "which there is no common bound; make a new budget "
		    "(dp-budget log shows the old one)");
		return 0;
	}
	text_printf(why, "this release is private for records %s, its budget "
	    "for records %s", described[release->kind],
	    described[budget->kind]);
	if (budget->kind == GUARANTEE_ADD_REMOVE &&
	    release->kind == GUARANTEE_SWAP)
		text_add(why, "; give --neighbors add-remove if the tool has "
		    "it, or charge a budget made with --neighbors swap");
	else
		text_add(why, "; one is no bound for the other");
	return 0;
}

static unsigned
refuse_metric(const struct guarantee *budget, const struct guarantee *release,
    struct text *why)
{
	text_printf(why, "this release is private under the metric %s, its "
	    "budget under %s; epsilons of two metrics do not add up",
	    release->metric, budget->metric);
	return 0;
}

static unsigned
refuse_fixed(const struct guarantee *budget, const struct guarantee *release,
    struct text *why)
{
	text_printf(why, "under swap this release makes public who has which "
	    "value of %s, and its budget keeps ", release->fixed);
	if (budget->fixed == NULL)
		text_add(why, "all columns private");
	else
		text_printf(why, "all columns but %s private", budget->fixed);
	text_add(why, "; charge a budget made with --neighbors swap and "
	    "--group for these columns");
	return 0;
}

unsigned
guarantee_factor(const struct guarantee *budget,
    const struct guarantee *release, struct text *why)
{
	enum guarantee_kind b = budget->kind, r = release->kind;

	if (b == GUARANTEE_MIXED)
		return refuse_kind(budget, release, why);
	if (r == GUARANTEE_STATED)
		return 1;
	if (!same(budget->unit, release->unit))
		return refuse_unit(budget, release, why);
	if (b == GUARANTEE_SWAP && r == GUARANTEE_ADD_REMOVE)
		return 2;
	if (b != r)
		return refuse_kind(budget, release, why);
	if (b == GUARANTEE_METRIC && !same(budget->metric, release->metric))
		return refuse_metric(budget, release, why);
	if (!within(release->fixed, budget->fixed))
		return refuse_fixed(budget, release, why);
	return 1;
}

char *
guarantee_metric(const char *spec)
{
	struct text name = TEXT_INIT;

	if (strcmp(spec, "discrete") == 0)
		return NULL;
	metric_name(&name, spec);
	return text_string(&name);
}
