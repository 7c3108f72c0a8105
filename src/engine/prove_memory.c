/* Memory of proving. */
#include "engine/prove_memory.h"

#include "engine/any_circuit.h"
#include "engine/param_files.h"
#include "groth16/groth16_backend.h"
#include "r1cs/witness.h"

static cuzk_status find_dims(groth16_dims *dims, const param_set *set, cuzk_error *err) {
    const circuit_sizes *sizes = cuzk_circuit_sizes_of(set->id);
    if (sizes == NULL) {
        return cuzk_fail(err, CUZK_E_UNSUPPORTED, "the sizes of circuit %s are not known", set->id);
    }
    *dims = cuzk_circuit_dims(sizes);
    return CUZK_OK;
}

/* What does not depend on the plan. */
typedef struct circuit_memory {
    groth16_dims dims;
    size_t densities_bytes, witness_kept_bytes, witness_peak_bytes;
} circuit_memory;

static cuzk_status measure(circuit_memory *m, const cuzk_ctx *ctx, const param_set *set,
                           cuzk_error *err) {
    any_circuit blank;
    cuzk_status status = find_dims(&m->dims, set, err);
    if (status == CUZK_OK) {
        status = cuzk_any_circuit_blank(&blank, set, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    m->densities_bytes = cuzk_r1cs_densities_bytes(m->dims.n_inputs, m->dims.n_aux);
    return cuzk_r1cs_witness_bytes(&m->witness_kept_bytes, &m->witness_peak_bytes, ctx,
                                   &blank.circuit, err);
}

static size_t plan_bytes(const circuit_memory *m, const cuzk_ctx *ctx, const prove_plan *plan) {
    const srs_params_options options = {.tier = plan->tier};
    const groth16_pk pk = cuzk_srs_planned_pk(&m->dims, &options);
    const groth16_backend *cpu = &cuzk_groth16_cpu_backend;
    groth16_need need;
    cpu->need(cpu, &need, ctx, &pk, plan->n_at_once, plan->n_quotients);
    const size_t n = plan->n_at_once;
    const size_t synthesis = (n - 1) * m->witness_kept_bytes + m->witness_peak_bytes,
                 proof = n * m->witness_kept_bytes + need.key_bytes + need.job_bytes;
    return cuzk_srs_params_bytes(&m->dims, &options) + m->densities_bytes +
           (synthesis > proof ? synthesis : proof);
}

cuzk_status cuzk_prove_memory(prove_plan *plan, const cuzk_ctx *ctx, const param_set *set,
                              cuzk_error *err) {
    circuit_memory memory;
    CUZK_ASSERT(plan->n_at_once > 0 && plan->n_quotients > 0);
    cuzk_status status = measure(&memory, ctx, set, err);
    if (status == CUZK_OK) {
        plan->bytes = plan_bytes(&memory, ctx, plan);
    }
    return status;
}

srs_tier cuzk_srs_tier_of(cuzk_tier tier) {
    return tier == CUZK_TIER_RESIDENT   ? SRS_RESIDENT
           : tier == CUZK_TIER_STREAMED ? SRS_STREAMED
                                        : SRS_MAPPED;
}

/* As many of n as fit, at least one. false if not even that fits. */
static bool fill_budget(prove_plan *plan, const circuit_memory *m, const cuzk_ctx *ctx,
                        srs_tier tier, size_t n, size_t budget_bytes) {
    *plan = (prove_plan){.tier = tier, .n_at_once = 1, .n_quotients = 1};
    plan->bytes = plan_bytes(m, ctx, plan);
    const bool fits = plan->bytes <= budget_bytes;
    for (int step = 0; step < 2; step++) {
        const size_t most = step == 0 ? n : plan->n_at_once;
        prove_plan more = *plan;
        while (*(step == 0 ? &more.n_at_once : &more.n_quotients) < most) {
            *(step == 0 ? &more.n_at_once : &more.n_quotients) += 1;
            more.bytes = plan_bytes(m, ctx, &more);
            if (more.bytes > budget_bytes) {
                break;
            }
            *plan = more;
        }
    }
    return fits;
}

/* The page cache may well hold a file of this share of the budget. */
#define CACHED_SHARE 4

cuzk_status cuzk_prove_plan(prove_plan *plan, const cuzk_ctx *ctx, const param_set *set, size_t n,
                            cuzk_tier tier, size_t budget_bytes, cuzk_error *err) {
    circuit_memory memory;
    uint64_t file_bytes = 0;
    cuzk_status status = measure(&memory, ctx, set, err);
    if (status == CUZK_OK) {
        status = cuzk_srs_params_file_bytes(&file_bytes, &memory.dims, err);
    }
    if (status != CUZK_OK) {
        return status;
    }
    if (tier != CUZK_TIER_AUTO) {
        (void)fill_budget(plan, &memory, ctx, cuzk_srs_tier_of(tier), n, budget_bytes);
        return CUZK_OK;
    }
    const srs_tier from_file =
        file_bytes <= budget_bytes / CACHED_SHARE ? SRS_MAPPED : SRS_STREAMED;
    if (!fill_budget(plan, &memory, ctx, from_file, n, budget_bytes)) {
        (void)fill_budget(plan, &memory, ctx, SRS_MAPPED, n, budget_bytes);
    }
    if (plan->n_at_once < n || plan->n_quotients < plan->n_at_once) {
        prove_plan resident;
        if (fill_budget(&resident, &memory, ctx, SRS_RESIDENT, n, budget_bytes)) {
            *plan = resident;
        }
    }
    return CUZK_OK;
}
