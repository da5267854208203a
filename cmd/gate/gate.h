/*
 * gate: what the parts of dp-gate share.
 *
 * [DMNS06 Section 1] The trusted server: who asks gets answers with noise and
 * never sees the data.  The gate computes nothing.  It lets through what the
 * policy and the tables of options allow, says itself what else a tool has to
 * be told, and starts it with nothing of the asker's but these words.
 */
#ifndef GATE_H
#define GATE_H

#include "ledger/ledger.h"
#include "policy.h"
#include "tool/err.h"
#include "tool/text.h"

#define GATE_SENT "/proc/self/fd/3"	/* what the asker sends, for a tool */

/* What a program printed, in files without a name, and its exit status, or -1
   where it died. */
struct outcome {
	int out, err, status;
};

/* A file without a name, in memory; and the bytes of such a file. */
int gate_memory(void);
struct label gate_bytes(int fd);

/* The path of a tool: it stands where dp-gate does. */
char *gate_path(const char *tool);

/*
 * Runs a program by its path with these words, without an environment, under
 * limits.  It gets the policy's data as standard input (p NULL: nothing), and
 * as descriptor 3 the file that was sent (-1: none); no other descriptor.
 */
struct outcome gate_run(const struct policy *p, char **argv, int sent);

/* The answer to `show'. */
void gate_show(const struct policy *p, struct text *out);

/*
 * The command line that the words become: the tool's path, their options,
 * each in its full form `--name=value', then what policy and budget say.
 * What is not allowed is refused.  *sent is set to a descriptor where the
 * words name the file `-'.
 */
char **gate_ask(const struct policy *p, char **words, int *sent);

/* The budget that the policy names, for the caller to look at and end. */
struct ledger *gate_purse(const struct policy *p, struct purse *purse);

/* May this file of the public folder be named?  Its path, or NULL. */
char *gate_public(const struct policy *p, const char *name);

#endif
