/* The tables of each level, for hash_kernels.c. */
#ifndef CUZK_HASH_HASH_INTERNAL_H
#define CUZK_HASH_HASH_INTERNAL_H

#include "hash/poseidon.h"

extern const hash_kernels cuzk_hash_kernels_portable;
#ifdef CUZK_HAVE_X86
extern const hash_kernels cuzk_hash_kernels_adx;
extern const hash_kernels cuzk_hash_kernels_avx512ifma;
#endif

#endif
