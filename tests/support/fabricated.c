#include "support/fabricated.h"

#include <stdlib.h>

#include "filecoin/c1_reader.h"
#include "filecoin/c1_writer.h"
#include "filecoin/porep_check.h"
#include "filecoin/update_check.h"
#include "filecoin/vanilla_writer.h"
#include "support/support.h"

static cuzk_status take(void *arg, const void *data, size_t len_bytes, cuzk_error *err) {
    test_file *t = arg;
    (void)err;
    while (t->len_bytes + len_bytes > t->room) {
        t->room = t->room == 0 ? 1 << 18 : 2 * t->room;
        t->data = realloc(t->data, t->room);
        assert_non_null(t->data);
    }
    memcpy(t->data + t->len_bytes, data, len_bytes);
    t->len_bytes += len_bytes;
    return CUZK_OK;
}

test_file test_fabricate_c1(const cuzk_ctx *ctx, unsigned type_number, uint64_t seed,
                            const porep_request *request) {
    test_file t = {0};
    cuzk_error err;
    fabricated_porep *made;
    const seal_proof_type *type = cuzk_seal_proof_by_number(type_number);
    if (cuzk_fabricate_porep(&made, ctx, type, seed, request, &err) != CUZK_OK) {
        fail_msg("%s: %s", type->name, err.text);
    }
    c1_writer *w;
    const porep_proof *document = cuzk_fabricated_porep_document(made);
    assert_int_equal(cuzk_c1_writer_create(&w, document, take, &t, NULL), CUZK_OK);
    for (size_t i = 0; i < (size_t)document->n_partitions * document->n_challenges; i++) {
        cuzk_c1_writer_put(w, cuzk_fabricated_porep_challenge(made, i));
    }
    assert_int_equal(cuzk_c1_writer_finish(w, NULL), CUZK_OK);
    cuzk_fabricated_porep_destroy(made);
    return t;
}

void test_check_fabricated_c1(const cuzk_ctx *ctx, unsigned type_number) {
    cuzk_error err = {.text = ""};
    porep_proof proof;
    const porep_request request = {.miner_id = 1234567,
                                   .sector_number = 1ull << 40,
                                   .has_registered_proof = true,
                                   .registered_proof = type_number};
    test_file t = test_fabricate_c1(ctx, type_number, 5, &request);
    if (cuzk_c1_read(&proof, ctx, t.data, t.len_bytes, "c1.json", &err) != CUZK_OK ||
        cuzk_porep_check(ctx, &proof, &request, &err) != CUZK_OK) {
        fail_msg("%s: %s", cuzk_seal_proof_by_number(type_number)->name, err.text);
    }
    assert_true(proof.has_sector_number);
    assert_int_equal(proof.sector_number, request.sector_number);
    cuzk_porep_proof_clear(&proof);
    free(t.data);
}

void test_check_fabricated_update(const cuzk_ctx *ctx, const fabricated_update *u) {
    const param_set *set = &u->set;
    const update_proof_type type = {.size = set->size}; /* registered or not */
    const update_statement statement = {.type = &type,
                                        .comm_r_old = u->comm_r_old,
                                        .comm_r_new = u->comm_r_new,
                                        .comm_d_new = u->comm_d_new};
    update_partition_proof proofs[16];
    cuzk_error err;
    size_t len = cuzk_update_partition_bytes(&set->shape, set->log2_nodes, set->n_apex_leaves,
                                             set->n_challenges);
    uint8_t *bytes = malloc(len);
    for (unsigned k = 0; k < set->n_partitions; k++) {
        assert_int_equal(cuzk_fabricated_update_partition(&proofs[k], u, k, NULL), CUZK_OK);
        cuzk_update_partition_write(bytes, &proofs[k], &set->shape, set->log2_nodes);
        cuzk_update_partition_clear(&proofs[k]);
        assert_int_equal(cuzk_update_partition_read(&proofs[k], &set->shape, set->log2_nodes,
                                                    set->n_apex_leaves, set->n_challenges, bytes,
                                                    len, "it", NULL),
                         CUZK_OK);
    }
    free(bytes);
    if (cuzk_update_check(ctx, &statement, proofs, set->n_partitions, &err) != CUZK_OK) {
        fail_msg("%s: %s", set->id, err.text);
    }
    for (unsigned k = 0; k < set->n_partitions; k++) {
        cuzk_update_partition_clear(&proofs[k]);
    }
}
