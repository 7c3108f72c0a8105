/* Number-theoretic transforms over Fr on domains of 2^k points, k <= 32.
 *
 * Polynomials and values are plain residues (fr_plain). X[i] = sum_j x[j] w^(i j) with w = cuzk_fr_root_of_unity(k);
 * coset transforms work on 7 <w>. */
#ifndef CUZK_NTT_NTT_H
#define CUZK_NTT_NTT_H

#include "base/pool.h"
#include "field/fr.h"

/* Twiddles and plan of one domain size; read-only after creation, shared by any number of callers. */
typedef struct ntt_domain ntt_domain;

/* Memory: about (2^(k/2) .. 2^(k/3)) elements, see cuzk_ntt_domain_bytes. Fails: CUZK_E_RANGE if log2_n > 32,
 * CUZK_E_NO_MEMORY. */
cuzk_status cuzk_ntt_domain_create(ntt_domain **domain, const cuzk_ctx *ctx, unsigned log2_n, cuzk_error *err);
void cuzk_ntt_domain_destroy(ntt_domain *domain);
unsigned cuzk_ntt_domain_log2(const ntt_domain *domain);

typedef enum ntt_kind {
    NTT_FORWARD,      /* coefficients to values on <w> */
    NTT_INVERSE,      /* values on <w> to coefficients (1/n included) */
    NTT_COSET,        /* coefficients to values on 7 <w> */
    NTT_COSET_INVERSE /* values on 7 <w> to coefficients */
} ntt_kind;

typedef enum ntt_order {
    NTT_NATURAL,     /* natural order in and out */
    NTT_OUT_REORDERED, /* natural in; out in the domain's own order (cheaper) */
    NTT_IN_REORDERED   /* the domain's own order in; natural out (cheaper) */
} ntt_order;

/* x, 2^k elements, in place. Fails: CUZK_E_CANCELLED (x is then undefined), CUZK_E_NO_MEMORY for scratch of the workers
 * (well below 1 MiB each). */
cuzk_status cuzk_ntt(const cuzk_ctx *ctx, const ntt_domain *domain, fr_plain *x, ntt_kind kind, ntt_order order,
                     cuzk_error *err);

#endif
