/*
 * gate: the common part of dp-gate's sources.
 *
 * [DMNS06 Section 1] The trusted server: an analyst gets answers with noise and
 * never sees the data.  The gate computes nothing.  It lets through the words
 * that the policy and the option tables allow, adds what else the tool needs,
 * and passes on nothing of the analyst's but the allowed words.
 */
#pragma once

#include <time.h>

#include "input/schema.h"
#include "ledger/ledger.h"
#include "policy.h"
#include "tool/err.h"
#include "tool/host.h"

#define GATE_SENT "/proc/self/fd/3"	/* the asker's file, for a tool */

/*
 * A program's output, in files without a name, when it was started, and the
 * exit status, or one of these.  GATE_HALF: not all of the data could be read,
 * or not in time, and the program was killed before it saw their end.
 */
enum { GATE_DIED = -1, GATE_HALF = -2 };

struct outcome {
	int out, err, status;
	struct timespec begun;
};

/*
 * Status 1 under limits below those that programs get, or in a control group of
 * another user: an asker may have set them.  And sets them, in a program.
 */
void gate_limits(void);
bool gate_limit(void);

/* Does somebody else have this group, or one that it is in? */
bool gate_foreign(const char *folder, char *group);

/* The bytes of a file without a name, in memory. */
struct label gate_bytes(int fd);

/*
 * Runs a program by its path with these words, without an environment, under
 * limits, for so many seconds at most.  The program gets the policy's data as
 * standard input (p NULL: nothing), and as descriptor 3 the sent file (-1:
 * none); no further descriptor.
 */
struct outcome gate_run(const struct policy *p, char **argv, int sent,
    time_t seconds);

/*
 * Waits until no other question of the account is asked, of a paced policy none
 * of the ledger, and else fewer than at-once: until the ledger is closed.
 */
struct ledger *gate_turn(const struct policy *p);

/* Until pace seconds after the tool was started. */
void gate_pace(const struct policy *p, struct timespec at);

/* The answer to `show'. */
void gate_show(const struct policy *p, struct text *out);

/*
 * A command line: the tool's path, the words' options, each in full form
 * `--name=value', then the words from policy and budget.  A request for help
 * charges nothing.
 */
struct request {
	char **argv;
	bool charges;
	int sent;		/* the file `-' that words name, or -1 */
};

/* The asker's words as a request; words that are not allowed are refused. */
struct request gate_ask(const struct policy *p, char **words);

/*
 * The least that a release costs: the policy's, or a thousandth of the share
 * that the account has.
 */
struct rational gate_least(const struct policy *p, const struct purse *purse);

/* The budget that the policy names, for the caller to look at and end. */
struct ledger *gate_purse(const struct policy *p, struct purse *purse);

/* The schema in the ledger, or NULL. */
const struct schema *gate_schema(const struct policy *p);

/* The number of an open entry of the account that no program holds, or 0. */
int64_t gate_left_open(struct ledger *l, const struct charge_to *to);

/*
 * Ends the program with status 3 where a tool died after it was charged to the
 * account: what an asker may have found to kill a tool by the data tells once,
 * for a charge, and the curator sees it.
 */
void gate_refuse_open(const struct policy *p);

/*
 * After a question: the system's log gets the digest of the ledger's last
 * change, and so does the policy's witness.
 */
void gate_remember(const struct policy *p, struct ledger *l);

/* May this file in the public folder be named?  Returns the path, or NULL. */
char *gate_public(const struct policy *p, const char *name);
