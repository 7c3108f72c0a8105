/* Memory of sums and tables. */
#include <stdlib.h>

#include "msm/msm_internal.h"

/* From here on pages of 2 MiB are worth having. */
#define BLOCK_BYTES ((size_t)4 << 20)

cuzk_status cuzk_msm_memory_alloc(msm_memory *memory, cuzk_account *account, size_t len_bytes,
                                  const char *what, cuzk_error *err) {
    memset(memory, 0, sizeof *memory);
    cuzk_status status = cuzk_account_reserve(account, len_bytes, what, err);
    if (status != CUZK_OK) {
        return status;
    }
    if (len_bytes >= BLOCK_BYTES) {
        status = cuzk_block_alloc_unset(&memory->block, NULL, len_bytes, what, err);
        memory->data = memory->block.data;
    } else {
        memory->data = aligned_alloc(CUZK_CACHE_LINE, size_round_up(len_bytes, CUZK_CACHE_LINE));
        if (memory->data == NULL) {
            status = cuzk_fail(err, CUZK_E_NO_MEMORY, "%s: %zu bytes wanted", what, len_bytes);
        }
#ifndef NDEBUG
        if (memory->data != NULL) {
            memset(memory->data, 0xa5, len_bytes); /* as of a block: nobody may rely on zeros */
        }
#endif
    }
    if (status != CUZK_OK) {
        cuzk_account_release(account, len_bytes);
        return status;
    }
    memory->len_bytes = len_bytes;
    memory->account = account;
    return CUZK_OK;
}

void cuzk_msm_memory_free(msm_memory *memory) {
    if (memory->block.data != NULL) {
        cuzk_block_free(&memory->block);
    } else {
        free(memory->data);
    }
    cuzk_account_release(memory->account, memory->len_bytes);
    memset(memory, 0, sizeof *memory);
}
