/* control: characters that drive a terminal. */
#include "control.h"

size_t
control_at(const char *s, size_t len)
{
	const unsigned char *u = (const unsigned char *)s;

	for (size_t i = 0; i < len; i++)
		if (u[i] < 32 || u[i] == 127 || (u[i] == 0xc2 && i + 1 < len &&
		    u[i + 1] >= 0x80 && u[i + 1] < 0xa0))
			return i;
	return len;
}
