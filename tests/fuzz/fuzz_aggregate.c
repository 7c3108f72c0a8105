/* Any bytes as an aggregate proof, and as an aggregation SRS; what is accepted is written back to
 * the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_target.h"
#include "groth16/aggregate.h"

static void proof(const uint8_t *data, size_t len_bytes) {
    static aggregate_proof p;
    size_t used;
    if (cuzk_aggregate_read(&p, &used, data, len_bytes, NULL) != CUZK_OK) {
        return;
    }
    CUZK_ASSERT(used == cuzk_aggregate_bytes(p.n_proofs) && used <= len_bytes);
    uint8_t *again = malloc(used);
    CUZK_ASSERT(again != NULL && cuzk_aggregate_write(again, &p, NULL) == CUZK_OK);
    CUZK_ASSERT(memcmp(again, data, used) == 0);
    free(again);
    aggregate_challenges challenges;
    cuzk_aggregate_challenges(&challenges, &p, AGGREGATE_V2, data, len_bytes);
}

static void srs(const uint8_t *data, size_t len_bytes) {
    const cuzk_ctx ctx = {0};
    aggregate_srs *s;
    if (cuzk_aggregate_srs_read(&s, &ctx, data, len_bytes, SIZE_MAX, NULL) != CUZK_OK) {
        return;
    }
    CUZK_ASSERT(cuzk_aggregate_srs_bytes(s) == len_bytes);
    uint8_t *again = malloc(len_bytes);
    CUZK_ASSERT(again != NULL);
    cuzk_aggregate_srs_write(again, s);
    CUZK_ASSERT(memcmp(again, data, len_bytes) == 0);
    free(again);
    cuzk_aggregate_srs_destroy(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    proof(data, len_bytes);
    srs(data, len_bytes);
    return 0;
}
