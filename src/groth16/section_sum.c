/* Sums over key sections, for both groups. */
#include "groth16/section_sum.h"

#include "msm/msm.h"

/* Points looked at by one task that searches for infinity. */
enum { CHECK_PART = 8192 };

const char *cuzk_section_name(groth16_section section) {
    static const char *const names[GROTH16_SECTIONS] = {"h", "l", "a", "b_g1", "b_g2"};
    return names[section];
}

size_t cuzk_section_chunk(const groth16_pk *pk) {
    CUZK_ASSERT(pk->source.max_chunk > 0);
    return pk->source.max_chunk < MSM_CHUNK_POINTS ? pk->source.max_chunk : MSM_CHUNK_POINTS;
}

size_t cuzk_section_scratch_bytes(const groth16_pk *pk, size_t n) {
    size_t lane = scratch_need(SECTION_TAIL_POINTS, sizeof(g2_affine)) +
                  scratch_need(SECTION_TAIL_POINTS, sizeof(fr_plain));
    size_t lanes;
    CUZK_ASSERT(size_mul(&lanes, n, lane + 2 * CUZK_CACHE_LINE));
    return cuzk_scalar_run_bytes(cuzk_section_chunk(pk)) + lanes;
}

#define G(name) g1_##name
#define GROUP g1
#define MSM(name) cuzk_msm_g1_##name
#define SUM msm_g1
#define NAME cuzk_section_sum_g1
#include "groth16/section_sum_template.h"
#undef G
#undef GROUP
#undef MSM
#undef SUM
#undef NAME

#define G(name) g2_##name
#define GROUP g2
#define MSM(name) cuzk_msm_g2_##name
#define SUM msm_g2
#define NAME cuzk_section_sum_g2
#include "groth16/section_sum_template.h"
