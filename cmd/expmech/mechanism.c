/* mechanism: the argument of --mechanism. */
#include "mechanism.h"

#include <string.h>

#include "tool/err.h"

enum select_kind
mechanism_named(const char *name)
{
	if (strcmp(name, "exponential") == 0)
		return SELECT_EXPONENTIAL;
	if (strcmp(name, "permute-and-flip") == 0)
		return SELECT_FLIP;
	die(STATUS_USAGE, "--mechanism '%s' is not exponential or "
	    "permute-and-flip", name);
}
