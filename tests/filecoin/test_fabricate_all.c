/* LABELS: slow */
/* Fabricated PoRep documents of every registered proof type that can be made: read and checked. */
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_type)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
