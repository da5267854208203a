/*
 * The sanitizers look for wrong addresses and overflows, and the plain build
 * for wrong numbers: theirs takes every STEP-th of many thousand tries.
 */
#ifdef __SANITIZE_ADDRESS__
#define STEP 7
#else
#define STEP 1
#endif
