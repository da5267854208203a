/*
 * policy: a file with the rules for asks and the data.
 *
 * Lines of `key value'; a number sign begins a comment line.  A key may stand
 * once.  An unknown key ends the program, since a line that is not understood
 * may be meant to forbid something.
 */
#pragma once

#include "tool/opts.h"

enum policy_key {
	POLICY_DATA,		/* a file; or */
	POLICY_FROM,		/* a command that prints the data */
	POLICY_LEDGER,
	POLICY_DATASET,
	POLICY_ACCOUNT,
	POLICY_TOOLS,		/* words: the tools to name */
	POLICY_COLUMNS,		/* as in -c: the columns to name */
	POLICY_PUBLIC,		/* the folder of files to name */
	POLICY_MOST,		/* epsilon for one release */
	POLICY_LEAST,		/* the same */
	POLICY_LIMITS,		/* as in --limits */
	POLICY_PACE,		/* seconds */
	POLICY_AT_ONCE,		/* answers in the making */
	POLICY_WITNESS,		/* the file of witness.h */
	POLICY_KEYS
};

struct policy {
	const char *path;
	char *line[POLICY_KEYS];	/* NULL: not given */
	struct charge_to to;		/* the data set and the account */
	char **from;			/* the words of POLICY_FROM */
	struct rational most, least;	/* 0: any; by the account */
	uint64_t pace;			/* 0: none */
	uint64_t at_once;		/* as many turns as anybody may take */
};

/*
 * Reads and checks a policy; a broken one is status 1.  So is a policy that
 * others may write to, or whose data, ledger or folder they may.
 */
void policy_read(struct policy *p, const char *path);

/* Is this word in a text, between blanks? */
bool policy_has(const char *text, const char *word);

/*
 * Ends the program with status 1 unless root or this user alone may change the
 * file, or put another file in the place: each folder on the way is looked at,
 * and on the ways of links.  Returns the path without links, the caller's.
 */
char *policy_safe(const char *what, const char *path);
