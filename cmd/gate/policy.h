/*
 * policy: what a file says that asks may do, and on which data.
 *
 * Lines of `key value'; a number sign begins a comment line.  A key is said
 * once, and any other key ends the program, since a line that is not
 * understood may be the one that was meant to forbid something.
 */
#ifndef POLICY_H
#define POLICY_H

#include "number/fixed.h"

enum policy_key {
	POLICY_DATA,		/* a file; or */
	POLICY_FROM,		/* a command that prints the data */
	POLICY_LEDGER,
	POLICY_DATASET,
	POLICY_ACCOUNT,
	POLICY_TOOLS,		/* words: the tools that may be named */
	POLICY_COLUMNS,		/* as of -c: those that may be named */
	POLICY_PUBLIC,		/* the folder of files that may be named */
	POLICY_MOST,		/* epsilon of one release */
	POLICY_PACE,		/* seconds */
	POLICY_AT_ONCE,		/* answers in the making */
	POLICY_KEYS
};

struct policy {
	const char *path;
	char *line[POLICY_KEYS];	/* NULL: not given */
	char **from;			/* the words of POLICY_FROM */
	struct rational most;		/* 0: any */
	uint64_t pace, at_once;		/* 0: none */
};

/*
 * Reads and checks a policy; a broken one is status 1.  So is one that others
 * may write to, or its data, ledger or folder.
 */
void policy_read(struct policy *p, const char *path);

/* Is this one of the words of a text, between blanks? */
bool policy_has(const char *text, const char *word);

/*
 * Ends the program with status 1 unless root or this user alone may change
 * the file, or put another in its place: each folder on the way is looked at.
 * The text is the caller's: the path without links.
 */
char *policy_safe(const char *what, const char *path);

#endif
