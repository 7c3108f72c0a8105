/* The quotient h = (a b - c) / (X^N - 1) of a circuit's rows (groth16.md 4.2; Groth 2016, eprint
 * 2016/260, section 3). */
#ifndef CUZK_GROTH16_QUOTIENT_H
#define CUZK_GROTH16_QUOTIENT_H

#include "ntt/ntt.h"
#include "r1cs/assignment.h"

/* Peak of what a quotient on 2^log2_n points and its domain charge to ctx->account, h and work
 * apart. */
size_t cuzk_groth16_quotient_bytes(const cuzk_ctx *ctx, unsigned log2_n);

/* h in six transforms (performance.md 7.1): with A B on the coset interpolated to C + (7^N - 1) h,
 * C never goes there. The domain has N = 2^k points, not fewer than w->n_rows; c is taken as a b.
 * h and work are N elements each: h gets plain residues, coefficients with the lowest degree first,
 * the last one 0; work is overwritten. Memory: cuzk_ntt_bytes beyond the arguments.
 * Fails: CUZK_E_INCONSISTENT if the coefficient of degree N - 1 is not 0; CUZK_E_CANCELLED,
 * CUZK_E_NO_MEMORY. */
cuzk_status cuzk_groth16_quotient(const cuzk_ctx *ctx, fr_plain *h, fr_plain *work,
                                  const ntt_domain *domain, const r1cs_assignment *w,
                                  cuzk_error *err);

/* The same as groth16.md 4.2 has it, with seven transforms and any c: slow, what the other is
 * tested against. h, a, b, c: N each; h may be a; a, b, c are overwritten. The last coefficient is
 * returned as it comes, not judged. */
cuzk_status cuzk_groth16_quotient_reference(const cuzk_ctx *ctx, fr_plain *h, fr_plain *a,
                                            fr_plain *b, fr_plain *c, const ntt_domain *domain,
                                            cuzk_error *err);

#endif
