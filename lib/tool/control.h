/* control: characters that drive a terminal. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stddef.h>

/* The place of the first control character, of ASCII or UTF-8; else len. */
size_t control_at(const char *s, size_t len);

#endif
