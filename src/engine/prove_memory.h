/* How much memory proving takes, before anything is opened; and how many partitions at once a
 * budget allows. */
#ifndef CUZK_ENGINE_PROVE_MEMORY_H
#define CUZK_ENGINE_PROVE_MEMORY_H

#include "base/pool.h"
#include "filecoin/param_set.h"
#include "srs/params_file.h"

/* A way to prove partitions of a circuit. */
typedef struct prove_plan {
    srs_tier tier;
    size_t n_at_once;   /* partitions that share a pass over the points */
    size_t n_quotients; /* of them, held at once: h is passed over once for so many */
    size_t bytes;       /* what they charge: see cuzk_prove_memory */
} prove_plan;

/* plan->bytes = the most that parameters, structure, witnesses and proofs charge to an account at
 * once, exactly, for any values; not the request's document. Of ctx: the pool, whose threads have
 * memory of their own, and the cancel flag. Takes as long as shaping a witness: up to a second.
 * Fails: CUZK_E_UNSUPPORTED (a circuit whose sizes are not known), CUZK_E_NO_MEMORY,
 * CUZK_E_CANCELLED. */
cuzk_status cuzk_prove_memory(prove_plan *plan, const cuzk_ctx *ctx, const param_set *set,
                              cuzk_error *err);

/* tier is not CUZK_TIER_AUTO. */
srs_tier cuzk_srs_tier_of(cuzk_tier tier);

/* The best plan for n partitions within a budget: as many at once as fit, then as many quotients.
 * tier: CUZK_TIER_AUTO chooses resident where several passes are needed and it fits, mapped for
 * files that the page cache will hold, else streamed. If nothing fits, the least. Fails: as
 * cuzk_prove_memory. */
cuzk_status cuzk_prove_plan(prove_plan *plan, const cuzk_ctx *ctx, const param_set *set, size_t n,
                            cuzk_tier tier, size_t budget_bytes, cuzk_error *err);

#endif
