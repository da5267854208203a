/* columns: lists of columns in options, before a header is known. */
#include "columns.h"

#include <string.h>

const char *
columns_end(const char *p)
{
	bool quoted = false;

	for (; *p != '\0' && (quoted || *p != ','); p++)
		if (*p == '"')
			quoted = !quoted;
	return p;
}

/* The name behind this one, NULL at the end of the list. */
static const char *
next(const char *p)
{
	p = columns_end(p);
	return *p == ',' ? p + 1 : NULL;
}

static bool
names(const char *list, const char *name, size_t len)
{
	for (; list != NULL; list = next(list))
		if ((size_t)(columns_end(list) - list) == len &&
		    memcmp(list, name, len) == 0)
			return true;
	return false;
}

bool
columns_within(const char *some, const char *list)
{
	for (; some != NULL; some = next(some))
		if (!names(list, some, (size_t)(columns_end(some) - some)))
			return false;
	return true;
}
