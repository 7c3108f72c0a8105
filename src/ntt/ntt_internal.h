/* The tables that ntt_kernels.c chooses from. */
#ifndef CUZK_NTT_NTT_INTERNAL_H
#define CUZK_NTT_NTT_INTERNAL_H

#include "ntt/ntt_kernels.h"

extern const ntt_kernels cuzk_ntt_kernels_portable;
#ifdef CUZK_HAVE_X86
extern const ntt_kernels cuzk_ntt_kernels_adx;
#endif

#endif
