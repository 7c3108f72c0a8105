/* Any bytes as a C1 document: a first byte 'o' means the wrapper itself, any other the document
 * within one. What can be read must survive the native check. */
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "filecoin/c1_reader.h"
#include "filecoin/porep_check.h"
#include "fuzz/fuzz_target.h"

#define MEMORY_BYTES ((size_t)64 << 20)

static void check_proof(const cuzk_ctx *ctx, const porep_proof *p) {
    const sector_size *size = p->type->size;
    CUZK_ASSERT(p->n_partitions == p->type->n_partitions);
    CUZK_ASSERT(p->n_challenges == p->type->n_challenges);
    for (size_t i = 0; i < (size_t)p->n_partitions * p->n_challenges; i++) {
        const porep_challenge_proof *c = &p->challenges[i];
        CUZK_ASSERT(c->comm_d.n_levels == size->log2_nodes);
        CUZK_ASSERT(c->comm_r_last.n_levels == tree_shape_levels(&size->shape));
        for (unsigned k = 0; k < c->comm_r_last.n_levels; k++) {
            CUZK_ASSERT(c->comm_r_last.position[k] < tree_shape_arity(&size->shape, k));
        }
    }
    cuzk_error err = {.text = ""};
    const porep_request request = {.miner_id = 1000, .sector_number = 1};
    cuzk_status status = cuzk_porep_check(ctx, p, &request, &err);
    CUZK_ASSERT(status == CUZK_OK || err.text[0] != '\0');
}

static void read_document(const uint8_t *data, size_t len_bytes) {
    cuzk_account *account;
    if (cuzk_account_create(&account, MEMORY_BYTES, NULL) != CUZK_OK) {
        return;
    }
    const cuzk_ctx ctx = {.account = account};
    porep_proof proof;
    cuzk_error err;
    cuzk_status status = cuzk_c1_read(&proof, &ctx, data, len_bytes, "fuzz", &err);
    if (status == CUZK_OK) {
        check_proof(&ctx, &proof);
        cuzk_porep_proof_clear(&proof);
    } else {
        CUZK_ASSERT(status == err.status && strlen(err.text) > 0 && strchr(err.text, '\n') == NULL);
    }
    cuzk_account_destroy(account);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes) {
    static const char head[] = "{\"SectorNum\":1,\"Phase1Out\":\"", tail[] = "\"}";
    if (len_bytes > 0 && data[0] == 'o') {
        read_document(data + 1, len_bytes - 1);
        return 0;
    }
    uint8_t *document = malloc(sizeof head + len_bytes / 3 * 4 + 8 + sizeof tail);
    CUZK_ASSERT(document != NULL);
    size_t at = sizeof head - 1;
    memcpy(document, head, at);
    at += (size_t)EVP_EncodeBlock(document + at, data, (int)len_bytes);
    memcpy(document + at, tail, sizeof tail - 1);
    read_document(document, at + sizeof tail - 1);
    free(document);
    return 0;
}
