/* Batches of field work, and powers, at the CPU level in force; single elements are in fr.h and
 * fp.h. */
#ifndef CUZK_FIELD_FIELD_KERNELS_H
#define CUZK_FIELD_FIELD_KERNELS_H

#include "base/cpu.h"
#include "field/fp2.h"
#include "field/fr.h"

typedef struct field_kernels {
    /* r[i] = a[i] * b[i]; any of the arrays may be the same. */
    void (*fr_mul)(fr *r, const fr *a, const fr *b, size_t n);
    void (*fp_mul)(fp *r, const fp *a, const fp *b, size_t n);
    void (*fp_sqr)(fp *r, const fp *a, size_t n);
    void (*fr_to_plain)(fr_plain *r, const fr *a, size_t n);
    void (*fr_from_plain)(fr *r, const fr_plain *a, size_t n);
    /* r[i] = 1 / a[i], 0 for 0; r and a may not overlap. One inversion for all; in lanes two where
     * n is above 8 and no multiple of 8. */
    void (*fr_inv)(fr *r, const fr *a, size_t n);
    void (*fp_inv)(fp *r, const fp *a, size_t n);
    /* r[i] = first * step^i */
    void (*fr_powers)(fr *r, const fr *first, const fr *step, size_t n);
    /* a[i] *= k */
    void (*fr_scale)(fr *a, const fr *k, size_t n);
    /* r = a^e, e of n_limbs 64-bit limbs, least significant first; r may be a. */
    void (*fr_pow)(fr *r, const fr *a, const uint64_t *e, size_t n_limbs);
    void (*fp_pow)(fp *r, const fp *a, const uint64_t *e, size_t n_limbs);
} field_kernels;

/* The table of the level in force, or of a given level (NULL when this machine or build lacks it:
 * tests). */
const field_kernels *cuzk_field_kernels(void);
const field_kernels *cuzk_field_kernels_at(cuzk_cpu_level level);

extern const field_kernels cuzk_field_kernels_portable;
#ifdef CUZK_HAVE_X86
extern const field_kernels cuzk_field_kernels_adx;
extern const field_kernels cuzk_field_kernels_avx512ifma;
#endif

#endif
