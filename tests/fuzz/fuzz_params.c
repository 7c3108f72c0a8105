/* Any bytes as a .params file: opened both ways, every chunk read. */
#include "fuzz/fuzz_target.h"
#include "srs/params_file.h"

#define MEMORY_BYTES ((size_t)64 << 20)

static void read_sections(const cuzk_ctx *ctx, const groth16_pk *pk) {
    const groth16_dims *d = &pk->dims;
    const uint64_t counts[GROTH16_SECTIONS] = {d->n_h, d->n_l, d->n_a, d->n_b, d->n_b};
    const groth16_source *source = &pk->source;
    for (int i = 0; i < GROTH16_SECTIONS; i++) {
        for (uint64_t first = 0; first < counts[i];) {
            size_t n = counts[i] - first < source->max_chunk ? (size_t)(counts[i] - first)
                                                             : source->max_chunk;
            groth16_chunk chunk;
            if (source->acquire(source->self, ctx, &chunk, (groth16_section)i, first, n, NULL) !=
                CUZK_OK) {
                return;
            }
            source->release(source->self, &chunk);
            first += n;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    cuzk_account *account;
    if (cuzk_account_create(&account, MEMORY_BYTES, NULL) != CUZK_OK) {
        return 0;
    }
    const cuzk_ctx ctx = {.account = account};
    for (int resident = 0; resident < 2; resident++) {
        const srs_params_options options = {.tier = resident ? SRS_RESIDENT : SRS_MAPPED,
                                            .chunk_points = 5};
        srs_params *params;
        cuzk_error err;
        if (cuzk_srs_params_of_bytes(&params, &ctx, "fuzz", data, len_bytes, &options, &err) ==
            CUZK_OK) {
            read_sections(&ctx, cuzk_srs_params_pk(params));
            cuzk_srs_params_close(params);
        }
    }
    cuzk_account_destroy(account);
    return 0;
}
