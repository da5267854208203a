/* pcg: published vectors, and the streams of seeds and names. */
#include "random/rng.h"

#include <criterion/criterion.h>

Test(pcg, it_gives_the_published_outputs)
{
	static const uint64_t known[] = {
		UINT64_C(0xf0847c9518bddb90), UINT64_C(0x8e7d5f5514ba8aaa),
		UINT64_C(0x86fbd36f8028f6fd), UINT64_C(0x8d14b6edbe9f740a),
		UINT64_C(0xa85b2896c7cad55d), UINT64_C(0x8ca3894a1d9227bb),
	};
	struct pcg p;
	size_t i;

	pcg_seed(&p, 42, 54);
	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		cr_assert_eq(pcg_next(&p), known[i]);
}

/* Streams are those of the FNV-1a hashes, from its authors' test suite. */
Test(pcg, seeded_bytes_are_the_words_of_the_named_stream_low_byte_first)
{
	static const struct {
		const char *name;
		uint64_t hash;
	} known[] = {
		{ "", UINT64_C(0xcbf29ce484222325) },
		{ "a", UINT64_C(0xaf63dc4c8601ec8c) },
		{ "foobar", UINT64_C(0x85944171f73967e8) },
	};
	static struct rng r;
	struct pcg p;
	size_t i, j;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		rng_seeded(&r, 7 + i, known[i].name);
		pcg_seed(&p, 7 + i, known[i].hash);
		for (j = 0; j < 3 * RNG_BUFFER / 8; j++) {
			uint64_t word = pcg_next(&p);
			int k;

			for (k = 0; k < 8; k++)
				cr_assert_eq(rng_byte(&r),
				    (word >> 8 * k) & 0xff);
		}
	}
}
