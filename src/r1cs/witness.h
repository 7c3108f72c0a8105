/* Back ends with values: the fast one that makes an assignment, and the checking one that also
 * evaluates every linear combination. */
#ifndef CUZK_R1CS_WITNESS_H
#define CUZK_R1CS_WITNESS_H

#include "r1cs/assignment.h"
#include "r1cs/structure.h"

/* An assignment that owns its memory (one block, charged to the context's account). */
typedef struct r1cs_witness {
    r1cs_assignment assignment;
    cuzk_block block;
} r1cs_witness;

/* Synthesises with values. Values come from the circuit's vanilla proof, already checked natively;
 * a wrong one gives an assignment that does not satisfy, never a crash. Fails: CUZK_E_NO_MEMORY,
 * CUZK_E_CANCELLED. */
cuzk_status cuzk_r1cs_witness_create(r1cs_witness *w, const cuzk_ctx *ctx,
                                     const r1cs_circuit *circuit, cuzk_error *err);
void cuzk_r1cs_witness_clear(r1cs_witness *w);
/* What cuzk_r1cs_witness_create charges to its account: what the witness keeps, and the most while
 * it is made (no smaller). For admission. The same for every witness of a circuit, so that one
 * without values will do. Charges nothing to ctx->account. Fails: CUZK_E_NO_MEMORY,
 * CUZK_E_CANCELLED. */
cuzk_status cuzk_r1cs_witness_bytes(size_t *kept_bytes, size_t *peak_bytes, const cuzk_ctx *ctx,
                                    const r1cs_circuit *circuit, cuzk_error *err);

/* The checking back end. For every row it evaluates A w, B w, C w from the explicit combinations,
 * compares A w and B w with the values the fast path gives, and finds the first row with (A w)(B w)
 * != C w. Outputs (each may be NULL): first_unsatisfied gets the row or UINT64_MAX; c gets C w for
 * all rows. */
cuzk_status cuzk_r1cs_check(const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                            const r1cs_assignment *w, uint64_t *first_unsatisfied, fr_plain *c,
                            cuzk_error *err);

/* The same with C w handed on in pieces, in order of rows. */
typedef void (*r1cs_c_fn)(void *arg, uint64_t first, size_t n, const fr_plain *c);
cuzk_status cuzk_r1cs_check_rows(const cuzk_ctx *ctx, const r1cs_circuit *circuit,
                                 const r1cs_assignment *w, uint64_t *first_unsatisfied,
                                 r1cs_c_fn fn, void *arg, cuzk_error *err);

#endif
