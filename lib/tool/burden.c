/* burden: what a release with a ledger may take, by public numbers. */
#include "burden.h"

#include "host.h"

#define NUMBER 48	/* bytes for a printed number, */
#define MEMBERS 1024	/* and for what JSON says around it */

/* What lib/input/rows.h keeps of a person's row, as measured. */
#define ROW_BYTES 48
#define ROW_COLUMN 16

#define READ 20		/* ns for a column's cell: a command names it again */

static u128
burden_output(const struct opts *o, const struct burden *b)
{
	u128 each = NUMBER;

	if (o->interval.den > 0)
		each *= 3;
	if (o->format == FORMAT_JSON)
		each += MEMBERS;
	return b->numbers * each + b->labels;
}

static uint64_t
burden_bytes(const struct opts *o, const struct burden *b)
{
	if (o->unit.column == NULL)
		return b->bytes;
	return b->bytes + ROW_BYTES + ROW_COLUMN * b->columns;
}

/* Half of 8 GiB is the room of 12 million near candidates. */
uint64_t
burden_quantiles(struct rational eps, unsigned levels)
{
	return rational_real(eps) < 2e-5 * levels ? 340 : 48;
}

/* The text of a release may grow to twice its size. */
void
burden_bear(const struct opts *o, const struct burden *b)
{
	u128 out = burden_output(o, b);
	const struct opts_limits *l = &o->limits;

	if (o->charge.ledger == NULL)
		return;
	OPTS_REFUSE(
		{ host_used() + b->memory + 2 * out > host_room() / 2,
		    "groups, keys, columns and repeats take more than half of "
		    "the memory that may be had, and the rest is for records; "
		    "ask for fewer" },
		{ l->ns > 0 && b->ns + READ * (u128)b->columns +
		    (u128)b->each * o->repeat > l->ns, "a record could take "
		    "more time than the policy allows; ask for fewer columns, "
		    "steps or repeats" },
		{ l->ns > 0 && burden_bytes(o, b) > l->bytes, "a record could "
		    "take more memory than the policy allows; ask for fewer "
		    "columns, or with a larger -e" },
		{ l->ns > 0 && o->charge.id != NULL && out > l->kept,
		    "the ledger would keep more of this release than the "
		    "policy allows; ask for less, or without --release-id" });
}
