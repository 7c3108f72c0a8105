/* LABELS: slow */
/* Fabricated PoRep documents of every registered proof type that can be made, and updates of every
 * size: read and checked. */
#include "support/fabricated.h"
#include "support/support.h"

static void every_type(void **state) {
    (void)state;
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, 0, NULL), CUZK_OK);
    const cuzk_ctx ctx = {.pool = pool};
    const seal_proof_type *type;
    for (unsigned number = 0; (type = cuzk_seal_proof_by_number(number)) != NULL; number++) {
        if (type->feature == POREP_INTERACTIVE || type->size->nodes <= FABRICATE_MAX_SEALED_NODES) {
            test_check_fabricated_c1(&ctx, number);
        }
    }
    cuzk_pool_destroy(pool);
}

static void every_update(void **state) {
    (void)state;
    cuzk_pool *pool;
    assert_int_equal(cuzk_pool_create(&pool, 0, NULL), CUZK_OK);
    const cuzk_ctx ctx = {.pool = pool};
    for (size_t i = 0; i < cuzk_n_sector_sizes; i++) {
        fabricated_update u;
        if (cuzk_sector_sizes[i].update_partitions != 0) {
            assert_int_equal(
                cuzk_fabricate_update(&u, &ctx, &cuzk_sector_sizes[i], UINT64_MAX, 1, NULL),
                CUZK_OK);
            test_check_fabricated_update(&ctx, &u);
            cuzk_fabricated_update_clear(&u);
        }
    }
    cuzk_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_type),
                                       cmocka_unit_test(every_update)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
