/*
 * table_marks: where delimiters, line ends and hard bytes stand in a window.
 *
 * 64 bytes at a time become four 64-bit masks, bit i for byte i, and the
 * bits become positions.  Hard are the quote and a CR without LF behind it.
 * The masks are made in three ways: AVX2 where the processor has it, SSE2,
 * and plain 64-bit arithmetic; all give the same bits, and the rest is
 * common.
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

typedef struct masks masks_of(const char *s, char delimiter);

/* The common part; inlined into each variant with its own masks. */
INLINE void
mark(struct marks *m, const char *s, size_t n, char delimiter, masks_of *masks)
{
	size_t i, seps = 0, lines = 0, hards = 0;
	uint64_t within, sep, line, hard, after;
	struct masks got;

	for (i = 0; i < n; i += BLOCK) {
		got = masks(s + i, delimiter);
		within = n - i < BLOCK ? (UINT64_C(1) << (n - i)) - 1 :
		    UINT64_MAX;
		line = got.line;
		sep = (got.comma | line) & within;
		after = line >> 1 | (uint64_t)(s[i + BLOCK] == '\n') << 63;
		hard = (got.quote | (got.cr & ~after)) & within;
		for (line &= within; line != 0; line &= line - 1)
			m->line[lines++] = (uint32_t)i +
			    (uint32_t)__builtin_ctzll(line);
		for (; sep != 0; sep &= sep - 1)
			m->sep[seps++] = (uint32_t)i +
			    (uint32_t)__builtin_ctzll(sep);
		for (; hard != 0; hard &= hard - 1)
			m->hard[hards++] = (uint32_t)i +
			    (uint32_t)__builtin_ctzll(hard);
	}
	m->hard[hards] = UINT32_MAX;
	m->lines = lines;
	m->seps = seps;
}

/* Bit 7 of each byte that is zero in v, exactly (no carry between bytes). */
INLINE uint64_t
zeros(uint64_t v)
{
	return ~(((v & EACH(127)) + EACH(127)) | v | EACH(127));
}

/* Bits 7 of the eight bytes, the first byte's lowest. */
INLINE uint64_t
gather(uint64_t v)
{
	return ((v >> 7) * UINT64_C(0x0102040810204080)) >> 56;
}

INLINE struct masks
masks_portable(const char *s, char delimiter)
{
	struct masks m = { 0, 0, 0, 0 };
	uint64_t v;
	int i;

	for (i = 0; i < BLOCK; i += 8) {
		memcpy(&v, s + i, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		v = __builtin_bswap64(v);
#endif
		m.comma |= gather(zeros(v ^ EACH(delimiter))) << i;
		m.line |= gather(zeros(v ^ EACH('\n'))) << i;
		m.quote |= gather(zeros(v ^ EACH('"'))) << i;
		m.cr |= gather(zeros(v ^ EACH('\r'))) << i;
	}
	return m;
}

void
marks_portable(struct marks *m, const char *s, size_t n, char delimiter)
{
	mark(m, s, n, delimiter, masks_portable);
}

#ifdef __x86_64__
#include <immintrin.h>

INLINE struct masks
masks_sse2(const char *s, char delimiter)
{
	const __m128i comma = _mm_set1_epi8(delimiter);
	const __m128i line = _mm_set1_epi8('\n');
	const __m128i quote = _mm_set1_epi8('"');
	const __m128i cr = _mm_set1_epi8('\r');
	struct masks m = { 0, 0, 0, 0 };
	__m128i v;
	int i;

	for (i = 0; i < BLOCK; i += 16) {
		v = _mm_loadu_si128((const __m128i *)(const void *)(s + i));
		m.comma |= (uint64_t)(uint32_t)_mm_movemask_epi8(
		    _mm_cmpeq_epi8(v, comma)) << i;
		m.line |= (uint64_t)(uint32_t)_mm_movemask_epi8(
		    _mm_cmpeq_epi8(v, line)) << i;
		m.quote |= (uint64_t)(uint32_t)_mm_movemask_epi8(
		    _mm_cmpeq_epi8(v, quote)) << i;
		m.cr |= (uint64_t)(uint32_t)_mm_movemask_epi8(
		    _mm_cmpeq_epi8(v, cr)) << i;
	}
	return m;
}

void
marks_sse2(struct marks *m, const char *s, size_t n, char delimiter)
{
	mark(m, s, n, delimiter, masks_sse2);
}

#define AVX2 __attribute__((target("avx2,bmi")))

AVX2 INLINE struct masks
masks_avx2(const char *s, char delimiter)
{
	const __m256i comma = _mm256_set1_epi8(delimiter);
	const __m256i line = _mm256_set1_epi8('\n');
	const __m256i quote = _mm256_set1_epi8('"');
	const __m256i cr = _mm256_set1_epi8('\r');
	struct masks m = { 0, 0, 0, 0 };
	__m256i v;
	int i;

	for (i = 0; i < BLOCK; i += 32) {
		v = _mm256_loadu_si256((const __m256i *)(const void *)(s + i));
		m.comma |= (uint64_t)(uint32_t)_mm256_movemask_epi8(
		    _mm256_cmpeq_epi8(v, comma)) << i;
		m.line |= (uint64_t)(uint32_t)_mm256_movemask_epi8(
		    _mm256_cmpeq_epi8(v, line)) << i;
		m.quote |= (uint64_t)(uint32_t)_mm256_movemask_epi8(
		    _mm256_cmpeq_epi8(v, quote)) << i;
		m.cr |= (uint64_t)(uint32_t)_mm256_movemask_epi8(
		    _mm256_cmpeq_epi8(v, cr)) << i;
	}
	return m;
}

AVX2 void
marks_avx2(struct marks *m, const char *s, size_t n, char delimiter)
{
	mark(m, s, n, delimiter, masks_avx2);
}
#endif

/*
 * glibc has asked the processor at the start; asking again, as the compiler's
 * builtin does, takes 0.1 ms on a virtual machine.
 */
#ifdef CPU_FEATURE_ACTIVE
#define HAS_AVX2 (CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(BMI1))
#else
#define HAS_AVX2 (__builtin_cpu_supports("avx2") && \
    __builtin_cpu_supports("bmi"))
#endif

marks_fn *
marks_best(void)
{
#ifdef __x86_64__
	if (HAS_AVX2)
		return marks_avx2;
	return marks_sse2;
#else
	return marks_portable;
#endif
}
