/* turn: who may ask now, and when an answer leaves. */
#include <stdlib.h>
#include <time.h>

#include "gate.h"
#include "tool/digest.h"

#define PATIENCE 300000	/* ms for others to leave a turn */

/*
 * Locks of the ledger, by numbers below 0 as entries have those above: turns
 * from -1 on, a paced ledger's, and from ACCOUNTS on that of an account, of
 * which two may share one by chance and wait for each other.
 */
#define PACED (-((int64_t)1 << 32))
#define ACCOUNTS (PACED - 1)
#define ACCOUNT_DIGITS 10	/* of its digest: the lock is one of 2^40 */

/* One of n locks, the first that is free. */
static void
turn_wait(struct ledger *l, int64_t first, uint64_t n)
{
	int ms = 0;

	do
		for (int64_t i = 0; i < (int64_t)n; i++)
			if (ledger_hold(l, first - i))
				return;
	while (ledger_tick(&ms, PATIENCE));
	err_die(STATUS_INPUT, "too many ask at once; try again later");
}

static int64_t
turn_account(const struct charge_to *to)
{
	struct text name = TEXT_INIT;
	char digest[DIGEST_TEXT];

	text_printf(&name, "%s%c%s", to->dataset, 0, to->account);
	digest_bytes(name.buf, name.len, digest);
	text_free(&name);
	digest[ACCOUNT_DIGITS] = '\0';
	return ACCOUNTS - (int64_t)strtoull(digest, NULL, 16);
}

/* Who waits for the account has no turn that others wait for. */
struct ledger *
gate_turn(const struct policy *p)
{
	struct ledger *l = ledger_open(p->line[POLICY_LEDGER]);

	turn_wait(l, turn_account(&p->to), 1);
	turn_wait(l, -1, p->at_once);
	if (p->pace > 0)
		turn_wait(l, PACED, 1);
	return l;
}

void
gate_pace(const struct policy *p, struct timespec at)
{
	if (p->pace == 0)
		return;
	at.tv_sec += (time_t)p->pace;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}
