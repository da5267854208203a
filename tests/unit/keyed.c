/* keyed: the published example of SipHash-2-4, and its neighbours. */
#include <criterion/criterion.h>

#include "input/keyed.h"

/* [SipHash, appendix A]: key 00 01 ... 0f, message 00 01 ... 0e. */
Test(keyed, agrees_with_the_published_example)
{
	struct keyed k = { { 0x0706050403020100U, 0x0f0e0d0c0b0a0908U } };
	unsigned char message[16];
	size_t i;

	for (i = 0; i < sizeof(message); i++)
		message[i] = (unsigned char)i;
	cr_assert_eq(keyed_hash(&k, message, 15), 0xa129ca6149be45e5U);
	/* further ones of the authors' table */
	cr_assert_eq(keyed_hash(&k, message, 0), 0x726fdb47dd0e0e31U);
	cr_assert_eq(keyed_hash(&k, message, 8), 0x93f5f5799a932462U);
}
