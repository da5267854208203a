/*
 * table_marks: the places of delimiters and line ends in records.
 *
 * 64 bytes at a time become four 64-bit masks, bit i for byte i, and the bits
 * become places.  A byte is inside quotes if the number of quotes up to the
 * byte is odd; the two halves of a doubled quote together change nothing.
 * libcsv agrees as long as quotes are regular: an opening quote begins a cell,
 * or stands directly after a closing quote, and the pair is a doubled quote; a
 * closing quote ends a cell, or stands directly before an opening quote.  By
 * induction from quote to quote the masks show libcsv's state.  The first
 * irregular quote is odd, one with blanks around it too, and so is a CR outside
 * quotes without LF after; no byte from an odd byte on is marked.
 *
 * The masks are made in two ways: with AVX2 where the processor can, and in
 * plain 64-bit arithmetic; the two give equal bits, and the rest is common.
 */
#include "table_marks.h"

#include <string.h>

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

#define BLOCK 64
#define EACH(c) (UINT64_C(0x0101010101010101) * (unsigned char)(c))
#define INLINE static inline __attribute__((always_inline))

struct masks {
	uint64_t comma;		/* delimiters */
	uint64_t line;		/* LFs */
	uint64_t quote;
	uint64_t cr;
};

/* A bit for each of BLOCK bytes at s: is the byte c? */
typedef uint64_t equal_of(const char *s, char c);
typedef uint64_t parity_of(uint64_t bits);

/* The state between two blocks. */
struct carry {
	uint64_t inside;	/* all bits set: the first byte is inside
				   quotes */
	uint64_t begins;	/* bit 0: a cell begins at the first byte */
	uint64_t closed;	/* bit 0: a quote was closed just before */
	uint64_t doubled;	/* some bit: so far there are doubled quotes */
};

/*
 * Takes bytes inside quotes out of the masks; returns the odd bytes: quotes
 * that open where no cell begins, and bytes after closing quotes that end no
 * cell.
 */
INLINE uint64_t
unquote(struct masks *got, struct carry *c, parity_of *parity)
{
	uint64_t inside = parity(got->quote) ^ c->inside;
	uint64_t open = got->quote & inside, close = got->quote & ~inside;
	uint64_t ends = got->comma | got->line | got->cr | got->quote;
	uint64_t closed = close << 1 | c->closed, begins;

	got->comma &= ~inside;
	got->line &= ~inside;
	got->cr &= ~inside;
	begins = (got->comma | got->line) << 1 | c->begins;
	c->doubled |= open & closed;
	c->inside = UINT64_C(0) - (inside >> 63);
	c->closed = close >> 63;
	return (open & ~(begins | closed)) | (closed & ~ends);
}

/* Appends the places of bits to the n places before. */
INLINE size_t
add_places(uint32_t *to, size_t n, uint64_t bits, uint32_t base)
{
	for (; bits != 0; bits &= bits - 1)
		to[n++] = base + (uint32_t)__builtin_ctzll(bits);
	return n;
}

/* The common part; inlined into each variant with the variant's masks. */
INLINE void
mark(struct marks *m, const char *s, size_t n, char delimiter, bool quoted,
    equal_of *equal, parity_of *parity)
{
	struct carry c = { 0, 1, 0, 0 };
	uint64_t within, odd;
	struct masks got;
	size_t seps = 0, lines = 0;

	m->odd = SIZE_MAX;
	for (size_t i = 0; i < n && m->odd == SIZE_MAX; i += BLOCK) {
		got = (struct masks){ equal(s + i, delimiter),
		    equal(s + i, '\n'), equal(s + i, '"'),
		    equal(s + i, '\r') };
		if (!quoted)
			got.quote = 0;
		within = n - i < BLOCK ?
		    (UINT64_C(1) << (n - i)) - 1 : UINT64_MAX;
		odd = got.line >> 1 |
		    (uint64_t)(s[i + BLOCK] == '\n') << (BLOCK - 1);
		odd = got.cr & ~odd;
		if ((got.quote | c.inside | c.closed) != 0) {
			uint64_t quotes = unquote(&got, &c, parity);

			odd = (odd & got.cr) | quotes;
		}
		c.begins = (got.comma | got.line) >> (BLOCK - 1);
		odd &= within;
		if (__builtin_expect(odd != 0, 0)) {
			m->odd = i + (size_t)__builtin_ctzll(odd);
			within = (odd & -odd) - 1;
		}
		got.line &= within;
		lines = add_places(m->line, lines, got.line, (uint32_t)i);
		seps = add_places(m->sep, seps,
		    (got.comma & within) | got.line, (uint32_t)i);
	}
	m->seps = seps;
	m->lines = lines;
	m->doubled = c.doubled != 0;
}

/* Bit i: an odd number of bits 0 to i are set. */
INLINE uint64_t
parity_shifts(uint64_t bits)
{
	for (int k = 1; k < BLOCK; k *= 2)
		bits ^= bits << k;
	return bits;
}

/* Bit 7 in each zero byte of v, exactly (no carry between bytes). */
INLINE uint64_t
zeros(uint64_t v)
{
	return ~(((v & EACH(127)) + EACH(127)) | v | EACH(127));
}

/* Bits 7 from the eight bytes, the first byte's lowest. */
INLINE uint64_t
gather(uint64_t v)
{
	return ((v >> 7) * UINT64_C(0x0102040810204080)) >> 56;
}

INLINE uint64_t
equal_portable(const char *s, char c)
{
	uint64_t m = 0, v;

	for (int i = 0; i < BLOCK; i += 8) {
		memcpy(&v, s + i, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		v = __builtin_bswap64(v);
#endif
		m |= gather(zeros(v ^ EACH(c))) << i;
	}
	return m;
}

static void
marks_portable(struct marks *m, const char *s, size_t n, char delimiter,
    bool quoted)
{
	mark(m, s, n, delimiter, quoted, equal_portable, parity_shifts);
}

#ifdef __x86_64__
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,bmi,popcnt,pclmul")))

/* parity_shifts as a product of polynomials over two elements. */
AVX2 INLINE uint64_t
parity_product(uint64_t bits)
{
	return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(
	    _mm_cvtsi64_si128((long long)bits), _mm_set1_epi8(-1), 0));
}

AVX2 INLINE uint64_t
equal_avx2(const char *s, char c)
{
	const __m256i want = _mm256_set1_epi8(c);
	uint64_t m = 0;

	for (int i = 0; i < BLOCK; i += 32)
		m |= (uint64_t)(uint32_t)_mm256_movemask_epi8(
		    _mm256_cmpeq_epi8(_mm256_loadu_si256(
		    (const void *)(s + i)), want)) << i;
	return m;
}

AVX2 static void
marks_avx2(struct marks *m, const char *s, size_t n, char delimiter,
    bool quoted)
{
	mark(m, s, n, delimiter, quoted, equal_avx2, parity_product);
}
#endif

/*
 * glibc has asked the processor at the start.  To ask again, as the compiler's
 * builtin does, takes 0.1 ms on a virtual machine.
 */
#ifdef DP_TAINT	/* one list of functions for all machines */
#define HAS_AVX2 false
#elif defined(CPU_FEATURE_ACTIVE)
#define HAS_AVX2 (CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(BMI1) && \
    CPU_FEATURE_ACTIVE(PCLMULQDQ) && CPU_FEATURE_ACTIVE(POPCNT))
#else
#define HAS_AVX2 (__builtin_cpu_supports("avx2") && \
    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("pclmul") && \
    __builtin_cpu_supports("popcnt"))
#endif

marks_fn *
marks_best(unsigned faster)
{
#ifdef __x86_64__
	if (HAS_AVX2 && faster == 0)
		return marks_avx2;
#endif
	(void)faster;
	return marks_portable;
}
