/* The sum over one section of a key for several proofs at once: one pass over the points, an open
 * multi-scalar sum for each proof. Internal to groth16. */
#ifndef CUZK_GROTH16_SECTION_SUM_H
#define CUZK_GROTH16_SECTION_SUM_H

#include "groth16/gather.h"
#include "groth16/groth16_backend.h"

/* Few values among many bits are collected with their points up to this number, so that they reach
 * the windows in batches worth the while. */
#define SECTION_TAIL_POINTS ((size_t)1 << 16)

/* One section: which points, and what their scalars are for each of n proofs. */
typedef struct section_task {
    const groth16_pk *pk;
    groth16_section section;
    uint64_t n_points;
    size_t n; /* proofs */
    /* Either scalars[j] has all n_points of proof j (h), or the scalars are gathered from
     * assignments. */
    const fr_plain *const *scalars;
    const point_space *space;
    const fr_plain *const *inputs;
    const r1cs_assignment *const *w;
    /* Expected number of full-size scalars, all proofs alike. */
    uint64_t n_full;
} section_task;

/* "h", "l", "a", "b_g1", "b_g2" */
const char *cuzk_section_name(groth16_section section);

/* Points of one step of the walk. */
size_t cuzk_section_chunk(const groth16_pk *pk);

/* Scratch for cuzk_section_sum_g1/g2 with chunks of cuzk_section_chunk points; the open sums are
 * charged to ctx->account besides. */
size_t cuzk_section_scratch_bytes(const groth16_pk *pk, size_t n);

/* sums[j] = sum_i [scalar i of proof j] point i. Fails: CUZK_E_BAD_PARAMS (infinity among the
 * points), CUZK_E_NO_MEMORY, CUZK_E_CANCELLED, what the source returns. */
cuzk_status cuzk_section_sum_g1(const section_task *task, const cuzk_ctx *ctx, g1_jac *sums,
                                cuzk_scratch *scratch, cuzk_error *err);
cuzk_status cuzk_section_sum_g2(const section_task *task, const cuzk_ctx *ctx, g2_jac *sums,
                                cuzk_scratch *scratch, cuzk_error *err);

#endif
