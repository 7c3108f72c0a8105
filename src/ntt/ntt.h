/* Number-theoretic transforms over Fr on domains of N = 2^k points, k <= 32.
 *
 * Polynomials and values are plain residues (fr_plain). X[i] = sum_j x[j] w^(i j) with w =
 * cuzk_fr_root_of_unity(k); coset transforms work on 7 <w>. Reordered means bit-reversed: place i
 * holds the element of index reverse(i) = ntt_reverse(i, k). */
#ifndef CUZK_NTT_NTT_H
#define CUZK_NTT_NTT_H

#include "base/pool.h"
#include "field/fr.h"

/* Roots and plan of one domain size; read-only after creation, shared by any number of callers. */
typedef struct ntt_domain ntt_domain;

/* Fails: CUZK_E_RANGE if log2_n > 32, CUZK_E_NO_MEMORY (ctx->account). */
cuzk_status cuzk_ntt_domain_create(ntt_domain **domain, const cuzk_ctx *ctx, unsigned log2_n,
                                   cuzk_error *err);
/* What a domain charges to the account: about 6 * 2^(k/3) elements. */
size_t cuzk_ntt_domain_bytes(unsigned log2_n);
void cuzk_ntt_domain_destroy(ntt_domain *domain); /* accepts NULL */
unsigned cuzk_ntt_domain_log2(const ntt_domain *domain);

typedef enum ntt_kind {
    NTT_FORWARD,         /* coefficients to values on <w> */
    NTT_INVERSE,         /* values on <w> to coefficients */
    NTT_COSET,           /* coefficients to values on 7 <w> */
    NTT_COSET_INVERSE,   /* values on 7 <w> to coefficients */
    NTT_INVERSE_TIMES_N, /* values on <w> to N times the coefficients: a product an element less */
    NTT_COSET_INVERSE_TIMES_N /* values on 7 <w> to N times the coefficients */
} ntt_kind;

/* Natural order takes one pass of reordering. Of the coset transforms, forward ones that leave and
 * inverse ones that take reordered elements have the powers of 7 for free. */
typedef enum ntt_order {
    NTT_NATURAL,       /* natural order in and out */
    NTT_OUT_REORDERED, /* natural in, reordered out */
    NTT_IN_REORDERED   /* reordered in, natural out */
} ntt_order;

/* Memory that a transform of 2^log2_n points charges to ctx->account while it runs: buffers of the
 * workers. */
size_t cuzk_ntt_bytes(const cuzk_ctx *ctx, unsigned log2_n);

/* x, N elements, in place. Fails: CUZK_E_CANCELLED (x is then undefined), CUZK_E_NO_MEMORY. */
cuzk_status cuzk_ntt(const cuzk_ctx *ctx, const ntt_domain *domain, fr_plain *x, ntt_kind kind,
                     ntt_order order, cuzk_error *err);

/* ---- transforms of elements that lie elsewhere ---- */

#define NTT_RUN 64

/* Up to NTT_RUN adjacent elements, as one of
 *   - small: element i is a[i], or a[i] b[i] where b is not NULL, unless bit i of wide is set
 *   - values: element i is values[i]
 *   - neither: the source tells the values */
typedef struct ntt_run {
    uint64_t first; /* index of element 0 */
    const int8_t *a, *b;
    uint64_t wide;
    const fr_plain *values;
    const void *note; /* the source's own */
    size_t note_at;
} ntt_run;

/* Elements in natural order. Called by all workers. */
typedef struct ntt_source {
    const void *arg;
    /* The n elements from index `first` on. The notes of *run are from a call with a lower index,
     * or zero. */
    void (*find)(const void *arg, ntt_run *run, uint64_t first, size_t n);
    /* out = elements from .. from + n - 1 of a run of any kind. */
    void (*read)(const void *arg, const ntt_run *run, size_t from, size_t n, fr_plain *out);
} ntt_source;

/* Memory as cuzk_ntt_bytes, for the following. */
size_t cuzk_ntt_source_bytes(const cuzk_ctx *ctx, unsigned log2_n);

/* x = the inverse transform (any of four kinds) of the N elements of a source, natural order in and
 * out. Fails: as cuzk_ntt. */
cuzk_status cuzk_ntt_source(const cuzk_ctx *ctx, const ntt_domain *domain, fr_plain *x,
                            const ntt_source *source, ntt_kind kind, cuzk_error *err);

/* The low n_bits (0 .. 64) of v in reverse. */
static inline uint64_t ntt_reverse(uint64_t v, unsigned n_bits) {
    v = (v >> 1 & 0x5555555555555555ull) | (v & 0x5555555555555555ull) << 1;
    v = (v >> 2 & 0x3333333333333333ull) | (v & 0x3333333333333333ull) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0full) | (v & 0x0f0f0f0f0f0f0f0full) << 4;
    return n_bits == 0 ? 0 : __builtin_bswap64(v) >> (64 - n_bits);
}

#endif
